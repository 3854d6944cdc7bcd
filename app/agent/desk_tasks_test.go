package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/demo"
	"daybook/app/right"
)

// theTen and theOwners are the addresses at which the tasks are done.
const theTen, theOwners = "/api/mcp", ownerPath

// task is something that a front desk is asked for. It is judged by what the database has afterwards; what was a question has
// changed nothing, and its answer has what the database says.
type task struct {
	words string
	path  string
	judge func(s *shop, was, is *state, answer string) error
	play  func() // a recorded way to do it
}

// demoDesk is a desk at the salon that `daybook demo` serves, as it is on a Saturday evening.
func demoDesk(t *testing.T) *desk {
	d := &desk{world: newWorld(t), texts: map[string]bool{}, numbers: map[float64]bool{}}
	d.Clock.Set(saturday)
	made, err := demo.Fill(t.Context(), d.Set, d.Config, saturday)
	must(t, err)
	d.Workspace, err = d.WorkspaceBySlug(t.Context(), made.Workspace)
	must(t, err)
	d.Actors()
	areas, err := right.ParseAreas([]string{"contacts", "settings"})
	must(t, err)
	k, err := d.Account.CreateKey(t.Context(), d.Owner, account.KeyInput{Name: "desk", Scope: account.FullScope, Areas: areas, RateLimit: 10000})
	must(t, err)
	d.key = k.Value
	return d
}

// limits of the recorded script: of the fifteen tasks that the ten tools are made for, and of all of them.
const (
	mostCalls, mostTokens = 24, 15_000
	allTokens             = 45_000
)

// The twenty-seven tasks at the demo's salon, by a recorded script in which no argument is made up: each of them is done, the
// fifteen in at most 24 calls and 15,000 tokens of answers, all of them in at most 45,000 (o200k; the lists of tools and
// the instructions aren't counted).
func TestFrontDeskOfTheDemo(t *testing.T) {
	d := demoDesk(t)
	var said string
	spent, wrong := 0, 0
	tools := map[string]func(tool, arguments string) answer{}
	for _, path := range []string{theTen, theOwners} {
		tools[path] = d.fittingAt(path)
		for _, tool := range d.toolsAt(path) {
			d.learn(tool.InputSchema)
		}
	}
	path := theTen
	try := func(tool string, arguments with) (v any, failed bool) {
		t.Helper()
		if made := d.makeUp(arguments); len(made) > 0 {
			t.Errorf("%s\n%s: these arguments are made up: %q", d.told, tool, made)
		}
		text, err := json.Marshal(arguments)
		must(t, err)
		d.calls++
		got := tools[path](tool, string(text))
		spent += tokens(t, string(got.Structured))
		if got.IsError {
			wrong++
		}
		said += string(got.Structured) + "\n"
		return d.learn(got.Structured), got.IsError
	}
	tasks := frontDesk(t, d, try)
	s := &shop{d.world}
	var table strings.Builder
	fifteen := 0
	for i := range tasks {
		task := &tasks[i]
		d.told, path, said = whereAndWhen+task.words, task.path, ""
		calls, before, turns := d.calls, spent, wrong
		was := s.state()
		task.play()
		done := "done"
		if err := task.judge(s, was, s.state(), said); err != nil {
			done = "NOT DONE"
			t.Errorf("%s\n%v", task.words, err)
		}
		fmt.Fprintf(&table, "%2d  %-8s  %d calls  %d wrong  %5d tokens  %s\n", i+1, done, d.calls-calls, wrong-turns, spent-before, task.words)
		if task.path == theTen {
			if fifteen++; fifteen == 15 && (d.calls > mostCalls || spent > mostTokens) {
				t.Errorf("the fifteen take %d calls and %d tokens", d.calls, spent)
			}
		}
		if i == 14 {
			fmt.Fprintf(&table, "    the fifteen: %d calls, %d wrong, %d tokens\n", d.calls, wrong, spent)
		}
	}
	t.Logf("\n%s    all %d: %d calls, %d wrong, %d tokens", table.String(), len(tasks), d.calls, wrong, spent)
	if spent > allTokens || len(tasks) != 27 || fifteen != 15 {
		t.Errorf("%d tasks, %d tokens", len(tasks), spent)
	}
}

// frontDesk returns the tasks, with the script that does them by calls.
func frontDesk(t *testing.T, d *desk, try func(tool string, arguments with) (answer any, failed bool)) []task {
	ask := func(tool string, arguments with) any {
		t.Helper()
		v, failed := try(tool, arguments)
		if failed {
			text, _ := json.Marshal(arguments)
			t.Fatalf("%s\n%s %s: %v", d.told, tool, text, v)
		}
		return v
	}
	rows := func(v any) []any { all, _ := at(v, "data").([]any); return all }
	hour := func(v any) int { return instantOf(at(v, "local")).Hour() }
	want := func(is bool, what string, v any) {
		t.Helper()
		if !is {
			text, _ := json.Marshal(v)
			t.Errorf("%s\n%s: %.1500s", d.told, what, text)
		}
	}
	var services, zoe any
	var afternoon []any // Clara's
	// agreed makes a dry run, and then does what it has shown.
	agreed := func(tool string, arguments with) any {
		t.Helper()
		dry := with{"dryRun": true}
		for name, v := range arguments {
			dry[name] = v
		}
		shown := ask(tool, dry)
		want(at(shown, "confirm") != nil, "the confirm of "+tool, shown)
		arguments["confirm"] = at(shown, "confirm")
		return ask(tool, arguments)
	}
	return []task{
		{"Which services are there, and what do they cost?", theTen, told(everyPrice), func() {
			services = ask("list_event_types", with{})
			want(len(rows(services)) == 8 && at(rows(services)[0], "price", "amount") != nil, "the services", services)
		}},
		{"Book Zoë Lind (zoe@mail.example) a haircut with Clara Moreau on Tuesday afternoon, or when Clara is there next.", theTen, zoeIsBooked, func() {
			tuesday := ask("check_availability", with{"eventType": "haircut", "host": "Clara Moreau", "from": "2026-11-24", "to": "2026-11-25"})
			next := at(tuesday, "nextAvailable")
			want(len(rows(tuesday)) == 0 && next != nil, "Tuesday, when Clara is off", tuesday)
			day := ask("check_availability", with{"eventType": "haircut", "host": "Clara Moreau", "from": next, "limit": 20})
			for _, slot := range rows(day) {
				if hour(slot) >= 12 {
					afternoon = append(afternoon, slot)
				}
			}
			want(len(afternoon) > 1 && at(afternoon[0], "hostNames", 0) == "Clara Moreau", "Clara's afternoon", day)
			zoe = ask("create_booking", with{"eventType": "haircut", "start": at(afternoon[0], "start"), "host": "Clara Moreau",
				"invitee": with{"name": "Zoë Lind", "email": "zoe@mail.example"}})
			want(at(zoe, "host", "name") == "Clara Moreau" && hour(zoe) >= 12, "the booking", zoe)
		}},
		{"Zoë wants to come an hour later, or when Clara has time next.", theTen, zoeIsLater, func() {
			later := slices.IndexFunc(afternoon, func(slot any) bool {
				return !instantOf(at(slot, "start")).Before(instantOf(at(zoe, "start")).Add(time.Hour))
			})
			if later < 0 {
				t.Fatalf("nothing an hour later: %v", afternoon)
			}
			moved := ask("reschedule_booking", with{"id": at(zoe, "id"), "start": at(afternoon[later], "start")})
			want(at(moved, "host", "name") == "Clara Moreau" && at(moved, "start") == at(afternoon[later], "start"), "the move", moved)
		}},
		{"When is there a beard-trim on Friday? The customer is in New York: tell the times there and here.", theTen, told(firstTrim), func() {
			times := ask("check_availability", with{"eventType": "beard-trim", "from": "2026-11-27", "to": "2026-11-28", "timeZone": "America/New_York"})
			want(at(times, "data", 0, "local") != nil && at(times, "data", 0, "atBusiness") != nil, "both zones", times)
		}},
		{"Book two seats of the next braiding-workshop for Ida Brandt (ida@mail.example) and Eva Brandt.", theTen, twoSeats, func() {
			times := ask("check_availability", with{"eventType": "braiding-workshop", "seats": 2, "limit": 1})
			booked := ask("create_booking", with{"eventType": "braiding-workshop", "start": at(times, "data", 0, "start"), "seats": 2,
				"participants": []string{"Ida Brandt", "Eva Brandt"}, "invitee": with{"name": "Ida Brandt", "email": "ida@mail.example"}})
			want(at(booked, "seats") == 2.0, "the seats", booked)
		}},
		{"On which Sundays of the next 28 days can somebody have a colour?", theTen, told(firstSunday), func() {
			days := ask("check_availability", with{"eventType": "colour", "weekdays": []string{"sun"}, "firstPerDay": true, "days": 28})
			want(len(rows(days)) > 0 && instantOf(at(days, "data", 0, "local")).Weekday() == time.Sunday, "the Sundays", days)
		}},
		{"Lotte cancels her next appointment.", theTen, lotteIsCancelled, func() {
			lotte := ask("list_bookings", with{"q": "Lotte"})
			gone := ask("cancel_booking", with{"id": at(lotte, "data", 0, "id")})
			want(at(gone, "status") == "cancelled" && at(lotte, "data", 0, "manageUrl") == nil, "the cancellation", gone)
		}},
		{"The second customer of this morning did not come.", theTen, oneDidNotCome, func() {
			day := ask("list_bookings", with{"from": "2026-11-21", "to": "2026-11-22"})
			for _, b := range rows(day)[1:] { // those who came or paid are refused
				missed, refused := try("mark_no_show", with{"id": at(b, "id")})
				if !refused {
					want(at(missed, "status") == "no_show", "the no-show", missed)
					return
				}
			}
			want(false, "nobody to mark", day)
		}},
		{"What did we earn last month, and with what most?", theTen, told(lastMonth), func() {
			sums := ask("analytics_overview", with{"from": "2026-10-01", "to": "2026-11-01", "byDay": false})
			value, _ := at(sums, "value", 0, "amount").(float64)
			want(value > 100000 && at(sums, "byEventType", 0, "title") != nil, "the sums", sums)
		}},
		{"Was Zoë Lind here before, and do we have her telephone number?", theTen, told(nothing), func() {
			person := at(ask("list_contacts", with{"q": "Zoë Lind"}), "data", 0)
			want(at(person, "pastVisits") == 0.0 && at(person, "upcomingBookings") == 1.0 && at(person, "phone") == "", "the contact", person)
		}},
		{"Anna Vogt wants the first bridal appointment. She has no e-mail address; her number is +49 30 5550123.", theTen, annaWaits, func() {
			times := ask("check_availability", with{"eventType": "bridal", "limit": 1})
			start := at(times, "data", 0, "start")
			if start == nil {
				start = at(times, "nextAvailable")
			}
			booked := ask("create_booking", with{"eventType": "bridal", "start": start, "invitee": with{"name": "Anna Vogt", "phone": "+49 30 5550123"}})
			want(at(booked, "status") == "pending", "the request", booked)
		}},
		{"Ben Okafor is away on Monday: move his haircuts to Tuesday, with him, as far as there is time.", theTen, benMoved, func() {
			his := rows(ask("list_bookings", with{"host": "Ben Okafor", "eventType": "haircut", "from": "2026-11-23", "to": "2026-11-24"}))
			want(len(his) > 0, "his haircuts", his)
			times := rows(ask("check_availability", with{"eventType": "haircut", "host": "Ben Okafor", "from": "2026-11-24", "to": "2026-11-25"}))
			after, moved := time.Time{}, 0
			for _, b := range his {
				free := slices.IndexFunc(times, func(slot any) bool { return !instantOf(at(slot, "start")).Before(after) })
				if free < 0 {
					break
				}
				after = instantOf(at(times[free], "end")).Add(10 * time.Minute)
				now := ask("reschedule_booking", with{"id": at(b, "id"), "start": at(times[free], "start"), "host": "Ben Okafor"})
				want(at(now, "host", "name") == "Ben Okafor" && instantOf(at(now, "local")).Day() == 24, "the move", now)
				moved++
			}
			t.Logf("%d of his %d haircuts moved", moved, len(his))
			want(moved > 0, "a move", times)
		}},
		{"Carl Albers, +49 30 5550199, is a regular whom we take on Monday at 06:00 for a haircut, before we open.", theTen, carlIsBooked, func() {
			booked := ask("create_booking", with{"eventType": "haircut", "start": "2026-11-23T06:00:00+01:00", "invitee": with{"name": "Carl Albers", "phone": "+49 30 5550199"}, "override": []string{"outside_hours"}})
			want(at(booked, "local") == "2026-11-23T06:00:00+01:00", "before hours", booked)
		}},
		{"Somebody at the door takes whatever there is first, if it lasts 45 minutes or more.", theTen, told(nothing), func() {
			var slugs []any
			for _, s := range rows(services) {
				if minutes, _ := at(s, "durationMinutes").(float64); minutes >= 45 {
					slugs = append(slugs, at(s, "slug"))
				}
			}
			times := ask("check_availability", with{"eventTypes": slugs, "limit": 1})
			want(at(times, "data", 0, "eventType") != nil, "the first", times)
		}},
		{"What would the next bridal customer pay or get back if she cancelled? Cancel nothing yet.", theTen, told(nothing), func() {
			next := ask("list_bookings", with{"eventType": "bridal", "limit": 1})
			dry := ask("cancel_booking", with{"id": at(next, "data", 0, "id"), "dryRun": true})
			_, known := at(dry, "money").(map[string]any)
			want(known && at(dry, "result", "status") == "cancelled", "the quote", dry)
		}},
		{"Ana Keller is ill on Wednesday, 2026-11-25: close her day, give her customers to colleagues who are free at the same time, and tell them: Ana is ill.", theOwners, anaIsIll, func() {
			gone := agreed("set_time_off", with{"host": "Ana Keller", "start": "2026-11-25", "end": "2026-11-25", "bookings": "move", "message": "Ana is ill"})
			want(len(at(gone, "bookings").([]any)) > 0, "her day", gone)
		}},
		{"Zoë Lind pays what she owes for her next visit now, in cash, with a tip of 5 euros.", theOwners, zoeHasPaid, func() {
			hers := ask("list_bookings", with{"q": "Zoë Lind"})
			agreed("take_payment", with{"id": at(hers, "data", 0, "id"), "method": "cash", "tip": 500})
		}},
		{"Book Iris Blum (iris.blum@mail.example) the next beard-trim on Friday, 10 percent off for the Opening week.", theOwners, irisPaysLess, func() {
			times := ask("check_availability", with{"eventType": "beard-trim", "from": "2026-11-27", "to": "2026-11-28", "limit": 1})
			ask("create_booking", with{"eventType": "beard-trim", "start": at(times, "data", 0, "start"), "invitee": with{"name": "Iris Blum", "email": "iris.blum@mail.example"},
				"discount": with{"percent": 10, "reason": "Opening week"}})
		}},
		{"Who did not come twice or more since 2026-08-21?", theOwners, told(whoMissedTwice), func() {
			who := ask("list_contacts", with{"minNoShows": 2, "since": "2026-08-21"})
			want(len(rows(who)) > 0, "who", who)
		}},
		{"Put Zoë Lind on the holiday list.", theOwners, zoeIsOnTheList, func() {
			person := at(ask("list_contacts", with{"q": "Zoë Lind"}), "data", 0)
			ask("update_contact", with{"id": at(person, "id"), "addTags": []string{"holiday list"}})
		}},
		{"Somebody walks in now for a beard-trim and gives no name. We take him, although we have closed.", theOwners, somebodyWalkedIn, func() {
			ask("create_booking", with{"eventType": "beard-trim", "walkIn": true, "override": []string{"outside_hours"}})
		}},
		{"Noor Haddad (noor@mail.example) wants a haircut and then a blow-dry on Thursday, the first time that there is.", theOwners, noorHasAVisit, func() {
			both := []with{{"service": "haircut"}, {"service": "blow-dry"}}
			times := ask("check_availability", with{"services": both, "from": "2026-11-26", "to": "2026-11-27", "limit": 1})
			ask("create_booking", with{"services": both, "start": at(times, "data", 0, "start"), "invitee": with{"name": "Noor Haddad", "email": "noor@mail.example"}})
		}},
		{"Elif Demir (elif@mail.example) comes for a haircut every week, 6 times, from Friday on at the first time that is free then. Where a date isn't free, take the nearest.", theOwners, elifComesWeekly, func() {
			times := ask("check_availability", with{"eventType": "haircut", "from": "2026-11-27", "to": "2026-11-28", "limit": 1})
			series := with{"eventType": "haircut", "start": at(times, "data", 0, "start"), "invitee": with{"name": "Elif Demir", "email": "elif@mail.example"},
				"repeat": with{"every": 1, "unit": "week", "count": 6}, "conflicts": "nearest"}
			made := ask("create_booking", series)
			want(len(at(made, "dates").([]any)) == 6, "the dates", made)
		}},
		{"Block Friday from 13:00 to 18:00 for Ana Keller. Her bookings stay.", theOwners, anaIsOff, func() {
			shown := ask("set_time_off", with{"host": "Ana Keller", "start": "2026-11-27T13:00", "end": "2026-11-27T18:00", "bookings": "list"})
			want(at(shown, "host") == "Ana Keller", "her afternoon", shown)
		}},
		{"A beard-trim costs 24 euros from now on.", theOwners, trimsCostMore, func() {
			ask("update_service", with{"service": "beard-trim", "price": with{"amount": 2400}})
		}},
		{"How full is next week, 2026-11-23 to 2026-11-30, for each of us?", theOwners, told(everyHost), func() {
			week := ask("analytics_overview", with{"from": "2026-11-23", "to": "2026-11-30", "byDay": false})
			want(len(at(week, "byHost").([]any)) == 4, "each of us", week)
		}},
		{"Sell a voucher of 50 euros for Sofia. She has paid by card.", theOwners, voucherIsSold, func() {
			sold := agreed("sell_voucher", with{"amount": 5000, "method": "card", "for": "Sofia"})
			want(at(sold, "code") != nil, "the code", sold)
		}},
	}
}
