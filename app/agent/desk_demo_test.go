package agent_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"daybook/app/demo"
)

// The fifteen tasks at the salon that `daybook demo` serves, as it is on a Saturday evening, take at most 30 calls and
// 15,000 tokens of answers. No argument is made up.
func TestFrontDeskOfTheDemo(t *testing.T) {
	d := &desk{world: newWorld(t), texts: map[string]bool{}, numbers: map[float64]bool{}}
	d.Clock.Set(saturday)
	made, err := demo.Fill(t.Context(), d.Set, d.Config, saturday)
	must(t, err)
	d.key = made.Key
	d.tool = d.fitting()
	for _, tool := range d.tools() {
		d.learn(tool.InputSchema)
	}
	spent := 0
	try := func(tool string, arguments with) (v any, failed bool) {
		t.Helper()
		if made := d.makeUp(arguments); len(made) > 0 {
			t.Errorf("%s\n%s: these arguments are made up: %q", d.told, tool, made)
		}
		text, err := json.Marshal(arguments)
		must(t, err)
		d.calls++
		got := d.tool(tool, string(text))
		spent += tokens(t, string(got.Structured))
		return d.learn(got.Structured), got.IsError
	}
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
	for _, task := range []struct {
		words string
		do    func()
	}{
		{"Which services are there, and what do they cost?", func() {
			services = ask("list_event_types", with{})
			want(len(rows(services)) == 8 && at(rows(services)[0], "price", "amount") != nil, "the services", services)
		}},
		{"Book Zoë Lind (zoe@mail.example) a haircut with Clara Moreau on Tuesday afternoon, or when Clara is there next.", func() {
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
		{"Zoë wants to come an hour later, or when Clara has time next.", func() {
			later := slices.IndexFunc(afternoon, func(slot any) bool {
				return !instantOf(at(slot, "start")).Before(instantOf(at(zoe, "start")).Add(time.Hour))
			})
			if later < 0 {
				t.Fatalf("nothing an hour later: %v", afternoon)
			}
			moved := ask("reschedule_booking", with{"id": at(zoe, "id"), "start": at(afternoon[later], "start")})
			want(at(moved, "host", "name") == "Clara Moreau" && at(moved, "start") == at(afternoon[later], "start"), "the move", moved)
		}},
		{"When is there a beard-trim on Friday? The customer is in New York: tell the times there and here.", func() {
			times := ask("check_availability", with{"eventType": "beard-trim", "from": "2026-11-27", "to": "2026-11-28", "timeZone": "America/New_York"})
			want(at(times, "data", 0, "local") != nil && at(times, "data", 0, "atBusiness") != nil, "both zones", times)
		}},
		{"Book two seats of the next braiding-workshop for Ida Brandt (ida@mail.example) and Eva Brandt.", func() {
			times := ask("check_availability", with{"eventType": "braiding-workshop", "seats": 2, "limit": 1})
			booked := ask("create_booking", with{"eventType": "braiding-workshop", "start": at(times, "data", 0, "start"), "seats": 2,
				"participants": []string{"Ida Brandt", "Eva Brandt"}, "invitee": with{"name": "Ida Brandt", "email": "ida@mail.example"}})
			want(at(booked, "seats") == 2.0, "the seats", booked)
		}},
		{"On which Sundays of the next 28 days can somebody have a colour?", func() {
			days := ask("check_availability", with{"eventType": "colour", "weekdays": []string{"sun"}, "firstPerDay": true, "days": 28})
			want(len(rows(days)) > 0 && instantOf(at(days, "data", 0, "local")).Weekday() == time.Sunday, "the Sundays", days)
		}},
		{"Lotte cancels her next appointment.", func() {
			lotte := ask("list_bookings", with{"q": "Lotte"})
			gone := ask("cancel_booking", with{"id": at(lotte, "data", 0, "id")})
			want(at(gone, "status") == "cancelled" && at(lotte, "data", 0, "manageUrl") == nil, "the cancellation", gone)
		}},
		{"The second customer of this morning did not come.", func() {
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
		{"What did we earn last month, and with what most?", func() {
			sums := ask("analytics_overview", with{"from": "2026-10-01", "to": "2026-11-01", "byDay": false})
			value, _ := at(sums, "value", 0, "amount").(float64)
			want(value > 100000 && at(sums, "byEventType", 0, "title") != nil, "the sums", sums)
		}},
		{"Was Zoë Lind here before, and do we have her telephone number?", func() {
			person := at(ask("list_contacts", with{"q": "Zoë Lind"}), "data", 0)
			want(at(person, "pastVisits") == 0.0 && at(person, "upcomingBookings") == 1.0 && at(person, "phone") == "", "the contact", person)
		}},
		{"Anna Vogt wants the first bridal appointment. She has no e-mail address; her number is +49 30 5550123.", func() {
			times := ask("check_availability", with{"eventType": "bridal", "limit": 1})
			start := at(times, "data", 0, "start")
			if start == nil {
				start = at(times, "nextAvailable")
			}
			booked := ask("create_booking", with{"eventType": "bridal", "start": start, "invitee": with{"name": "Anna Vogt", "phone": "+49 30 5550123"}})
			want(at(booked, "status") == "pending", "the request", booked)
		}},
		{"Ben Okafor is away on Monday: move his haircuts to Tuesday, with him, as far as there is time.", func() {
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
		{"Carl Albers, +49 30 5550199, is a regular whom we take on Monday at 06:00 for a haircut, before we open.", func() {
			booked := ask("create_booking", with{"eventType": "haircut", "start": "2026-11-23T06:00:00+01:00", "invitee": with{"name": "Carl Albers", "phone": "+49 30 5550199"}, "override": []string{"outside_hours"}})
			want(at(booked, "local") == "2026-11-23T06:00:00+01:00", "before hours", booked)
		}},
		{"Somebody at the door takes whatever there is first, if it lasts 45 minutes or more.", func() {
			var slugs []any
			for _, s := range rows(services) {
				if minutes, _ := at(s, "durationMinutes").(float64); minutes >= 45 {
					slugs = append(slugs, at(s, "slug"))
				}
			}
			times := ask("check_availability", with{"eventTypes": slugs, "limit": 1})
			want(at(times, "data", 0, "eventType") != nil, "the first", times)
		}},
		{"What would the next bridal customer pay or get back if she cancelled? Cancel nothing yet.", func() {
			next := ask("list_bookings", with{"eventType": "bridal", "limit": 1})
			dry := ask("cancel_booking", with{"id": at(next, "data", 0, "id"), "dryRun": true})
			_, known := at(dry, "money").(map[string]any)
			want(known && at(dry, "result", "status") == "cancelled", "the quote", dry)
		}},
	} {
		d.told = whereAndWhen + task.words
		calls, before := d.calls, spent
		task.do()
		t.Logf("%d calls, %d tokens: %s", d.calls-calls, spent-before, task.words)
	}
	t.Logf("15 tasks, %d calls, %d tokens", d.calls, spent)
	if d.calls > 30 || spent > 15000 {
		t.Errorf("%d calls, %d tokens", d.calls, spent)
	}
}
