package agent_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/setup"
)

// What an assistant at a front desk is asked for in a day, and with how many calls it gets there, knowing nothing but
// the tools' texts. The salon is like the demo's.

// lindenFile is the salon's set-up.
const lindenFile = `
workspace: {slug: linden, name: Salon Linden, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - name: Ana Keller
    email: ana@linden.example
    timeZone: Europe/Berlin
    weekly: {tue: ["09:00-18:00"], wed: ["09:00-18:00"], thu: ["09:00-20:00"], fri: ["09:00-18:00"], sat: ["09:00-15:00"]}
  - name: Ben Okafor
    email: ben@linden.example
    timeZone: Europe/Berlin
    weekly: {mon: ["10:00-19:00"], tue: ["10:00-19:00"], wed: ["10:00-19:00"], thu: ["10:00-19:00"], fri: ["10:00-19:00"]}
  - name: Clara Moreau
    email: clara@linden.example
    timeZone: Europe/Berlin
    weekly: {mon: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["12:00-20:00"], fri: ["09:00-17:00"], sat: ["10:00-16:00"], sun: ["11:00-15:00"]}
eventTypes:
  - {slug: haircut, title: Haircut, durationMinutes: 45, slotStepMinutes: 15, bufferAfterMinutes: 10, price: {amount: 4500, currency: EUR}, hosts: [ana@linden.example, ben@linden.example, clara@linden.example]}
  - {slug: beard-trim, title: Beard trim, durationMinutes: 20, price: {amount: 2200, currency: EUR}, hosts: [ben@linden.example]}
  - {slug: colour, title: Colour and cut, durationMinutes: 120, slotStepMinutes: 30, minimumNoticeMinutes: 1440, price: {amount: 12900, currency: EUR}, hosts: [ana@linden.example, clara@linden.example]}
  - {slug: consultation, title: First consultation, durationMinutes: 15, hosts: [ana@linden.example, ben@linden.example, clara@linden.example]}
  - {slug: workshop, title: Braiding workshop, durationMinutes: 90, slotStepMinutes: 120, minimumNoticeMinutes: 720, maxPerDay: 1, seats: 6, price: {amount: 3500, currency: EUR}, hosts: [clara@linden.example]}
  - {slug: bridal, title: Bridal styling, durationMinutes: 150, slotStepMinutes: 60, minimumNoticeMinutes: 2880, maxPerDay: 1, requiresApproval: true, price: {amount: 22000, currency: EUR}, hosts: [ana@linden.example]}
`

// desk is an assistant at the salon: what it knows are the answers that it got.
type desk struct {
	*world
	tool    func(tool, arguments string) answer
	texts   map[string]bool  // that stand in an answer, the list of tools included
	numbers map[float64]bool // the same
	told    string           // what it was asked for, with where and when it is
	calls   int
}

var berlin, _ = time.LoadLocation("Europe/Berlin")

// saturday is when the desk is asked: 21 November 2026, 18:30 in Berlin.
var saturday = time.Date(2026, 11, 21, 18, 30, 0, 0, berlin)

const whereAndWhen = "It is Saturday, 18:30, at Salon Linden in Berlin. "

func newDesk(t *testing.T) *desk {
	d := &desk{world: newWorld(t), texts: map[string]bool{}, numbers: map[float64]bool{}}
	d.Clock.Set(time.Date(2026, 10, 1, 8, 0, 0, 0, berlin))
	doc, err := setup.Parse([]byte(lindenFile))
	d.Must(err)
	_, err = d.SetupFile.ApplySetup(t.Context(), app.Operator(0), doc, false)
	d.Must(err)
	d.Workspace, err = d.WorkspaceBySlug(t.Context(), "linden")
	d.Must(err)
	d.Actors()
	known, err := d.Setup(d.Workspace.ID)
	d.Must(err)
	book := func(service, host, start, name string) {
		t.Helper()
		at, err := time.ParseInLocation("2006-01-02 15:04", start, berlin)
		d.Must(err)
		in := booking.BookInput{EventType: service, Start: at.UTC().Format(time.RFC3339),
			Invitee: booking.Invitee{Name: name, Email: strings.ToLower(strings.Fields(name)[0]) + "@mail.example"}}
		for _, h := range known.Hosts {
			if strings.HasPrefix(h.Name, host) && host != "" {
				in.Host = h.ID.String()
			}
		}
		_, err = d.Book(t.Context(), d.API, in)
		d.Must(err)
	}
	book("haircut", "Ben", "2026-10-06 11:00", "Hannah Okonkwo")
	book("colour", "Ana", "2026-10-08 10:00", "Oskar Novak")
	d.Clock.Set(time.Date(2026, 11, 16, 8, 0, 0, 0, berlin))
	book("haircut", "Ana", "2026-11-21 09:00", "Iris Blum")
	book("haircut", "Ana", "2026-11-21 10:15", "Maja Becker")
	book("workshop", "", "2026-11-23 15:00", "Lotte Winter")
	book("haircut", "Clara", "2026-11-26 15:00", "Lotte Winter")
	book("haircut", "Ben", "2026-11-23 10:00", "Hannah Okonkwo")
	book("haircut", "Ben", "2026-11-23 17:15", "Tomás Sanders")
	book("haircut", "Ben", "2026-11-24 10:00", "Noah Adler")
	book("bridal", "", "2026-12-03 10:00", "Sofia Ricci")
	d.Clock.Set(saturday)
	d.key = d.Key(account.FullScope).Value
	d.tool = d.fitting()
	for _, tool := range d.tools() {
		d.learn(tool.InputSchema)
	}
	return d
}

// learn takes in what an answer says.
func (d *desk) learn(body json.RawMessage) (v any) {
	must(d.T, json.Unmarshal(body, &v))
	leaves(v, func(leaf any) {
		switch leaf := leaf.(type) {
		case string:
			d.texts[leaf] = true
		case float64:
			d.numbers[leaf] = true
		}
	})
	return v
}

func leaves(v any, each func(any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, part := range v {
			leaves(part, each)
		}
	case []any:
		for _, part := range v {
			leaves(part, each)
		}
	default:
		each(v)
	}
}

// makeUp lists the arguments that stand neither in an answer nor in the words of the task: what was made up. Switches
// are the tool's own; a date may be one that the words name, or the day after it, where a span ends.
func (d *desk) makeUp(arguments map[string]any) (all []any) {
	text, err := json.Marshal(arguments)
	must(d.T, err)
	var v any
	must(d.T, json.Unmarshal(text, &v))
	words := strings.ToLower(d.told)
	leaves(v, func(leaf any) {
		switch leaf := leaf.(type) {
		case string:
			city := strings.ReplaceAll(leaf[strings.LastIndex(leaf, "/")+1:], "_", " ")
			zone := strings.Contains(leaf, "/") && strings.Contains(words, strings.ToLower(city))
			said := len(leaf) > 2 && strings.Contains(words, strings.ToLower(leaf))
			if !d.texts[leaf] && !said && !zone && !slices.Contains(namedDays(words), leaf) {
				all = append(all, leaf)
			}
		case float64:
			if !d.numbers[leaf] && !slices.Contains(namedNumbers(words), leaf) {
				all = append(all, leaf)
			}
		}
	})
	return all
}

var (
	clocks = regexp.MustCompile(`\b\d\d:\d\d\b`)
	digits = regexp.MustCompile(`\b\d+\b`)
)

// namedDays are the days that words name, as of saturday, with those after them, and the times of theirs that are said.
func namedDays(words string) (all []string) {
	day := func(at time.Time) {
		for _, clock := range clocks.FindAllString(words, -1) {
			all = append(all, at.Format("2006-01-02T")+clock, at.Format("2006-01-02T")+clock+at.Format(":00Z07:00"))
		}
		all = append(all, at.Format(time.DateOnly), at.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	midnight := time.Date(saturday.Year(), saturday.Month(), saturday.Day(), 0, 0, 0, 0, berlin)
	for n := 1; n <= 7; n++ {
		if next := midnight.AddDate(0, 0, n); strings.Contains(words, strings.ToLower(next.Weekday().String())) {
			day(next)
		}
	}
	if strings.Contains(words, "this morning") {
		day(midnight)
	}
	if strings.Contains(words, "tomorrow") {
		day(midnight.AddDate(0, 0, 1))
	}
	if strings.Contains(words, "last month") {
		all = append(all, midnight.AddDate(0, -1, 1-midnight.Day()).Format(time.DateOnly),
			midnight.AddDate(0, 0, 1-midnight.Day()).Format(time.DateOnly))
	}
	return all
}

func namedNumbers(words string) (all []float64) {
	for _, text := range digits.FindAllString(words, -1) {
		n, _ := strconv.ParseFloat(text, 64)
		all = append(all, n)
		if strings.Contains(words, text+" euros") { // in minor units
			all = append(all, 100*n)
		}
	}
	if strings.Contains(words, "every ") {
		all = append(all, 1)
	}
	if strings.Contains(words, "two") || strings.Contains(words, "twice") {
		all = append(all, 2)
	}
	return all
}

// with are the arguments of a call.
type with = map[string]any

// ask makes a call of the task, and takes in its answer. The test fails for an argument that was made up.
func (d *desk) ask(tool string, arguments with) any {
	d.Helper()
	if made := d.makeUp(arguments); len(made) > 0 {
		d.Errorf("%s\n%s: these arguments are made up: %q", d.told, tool, made)
	}
	text, err := json.Marshal(arguments)
	must(d.T, err)
	d.calls++
	got := d.tool(tool, string(text))
	if got.IsError {
		d.Fatalf("%s\n%s %s: %s", d.told, tool, text, got.Structured)
	}
	return d.learn(got.Structured)
}

// at is the part of an answer under those names and places.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			part, _ := v.(map[string]any)
			v = part[p]
		case int:
			part, _ := v.([]any)
			if p >= len(part) {
				return nil
			}
			v = part[p]
		}
	}
	return v
}

// first is the first row of a list for which is holds.
func first(list any, is func(row any) bool) any {
	rows, _ := list.([]any)
	for _, row := range rows {
		if is(row) {
			return row
		}
	}
	return nil
}

func has(name string, value any) func(any) bool {
	return func(row any) bool { return at(row, name) == value }
}

func instantOf(v any) time.Time {
	text, _ := v.(string)
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// Fifteen tasks take at most 24 calls, and no argument is made up.
func TestFrontDesk(t *testing.T) {
	d := newDesk(t)
	var services, zoe, clara any
	var offered any // Clara's week
	host := func(name string) any {
		return at(first(at(first(at(services, "data"), has("slug", "haircut")), "hosts"), has("name", name)), "id")
	}
	want := func(is bool, what string, v any) {
		t.Helper()
		if !is {
			text, _ := json.Marshal(v)
			t.Errorf("%s\n%s: %.1500s", d.told, what, text)
		}
	}
	for _, task := range []struct {
		words string
		calls int
		do    func()
	}{
		{"Which services are there, and what do they cost?", 1, func() {
			services = d.ask("list_event_types", with{})
			want(at(first(at(services, "data"), has("slug", "colour")), "price", "amount") == 12900.0, "the price", services)
		}},
		{"Book Zoë Lind (zoe@mail.example) a haircut with Clara Moreau on Tuesday afternoon, or when Clara is there next.", 2, func() {
			clara = host("Clara Moreau")
			offered = d.ask("check_availability", with{"eventType": "haircut", "host": clara, "from": "2026-11-24", "timeZone": "Europe/Berlin", "explain": true})
			tuesday := first(at(offered, "closed"), func(row any) bool {
				return at(row, "reason") == "outside_hours" && instantOf(at(row, "start")).In(berlin).Weekday() == time.Tuesday
			})
			want(tuesday != nil, "why not on Tuesday", at(offered, "closed"))
			slot := first(at(offered, "data"), func(row any) bool { return instantOf(at(row, "local")).Hour() >= 12 })
			zoe = d.ask("create_booking", with{"eventType": "haircut", "start": at(slot, "start"), "host": clara, "invitee": with{"name": "Zoë Lind", "email": "zoe@mail.example"}})
			want(at(zoe, "local") == "2026-11-25T12:00:00+01:00" && at(zoe, "host", "id") == clara, "the booking", zoe)
		}},
		{"Zoë wants to come an hour later.", 1, func() {
			later := first(at(offered, "data"), func(row any) bool {
				return !instantOf(at(row, "start")).Before(instantOf(at(zoe, "start")).Add(time.Hour))
			})
			moved := d.ask("reschedule_booking", with{"id": at(zoe, "id"), "start": at(later, "start")})
			want(at(moved, "local") == "2026-11-25T13:00:00+01:00" && at(moved, "host", "id") == clara && at(moved, "hostChanged") == nil, "the move", moved)
		}},
		{"When is there a beard-trim on Friday? The customer is in New York: tell the times there and here.", 1, func() {
			times := d.ask("check_availability", with{"eventType": "beard-trim", "from": "2026-11-27", "to": "2026-11-28", "timeZone": "America/New_York"})
			want(at(times, "data", 0, "local") == "2026-11-27T04:00:00-05:00" && at(times, "data", 0, "atBusiness") == "2026-11-27T10:00:00+01:00" &&
				at(times, "businessTimeZone") == "Europe/Berlin", "both zones", times)
		}},
		{"Book two seats of the next braiding workshop for Ida Brandt (ida@mail.example) and Eva Brandt.", 2, func() {
			times := d.ask("check_availability", with{"eventType": "workshop", "seats": 2})
			booked := d.ask("create_booking", with{"eventType": "workshop", "start": at(times, "data", 0, "start"), "seats": 2,
				"participants": []string{"Ida Brandt", "Eva Brandt"}, "invitee": with{"name": "Ida Brandt", "email": "ida@mail.example"}})
			want(at(booked, "seats") == 2.0 && at(booked, "local") == "2026-11-22T11:00:00+01:00", "the seats", booked)
		}},
		{"On which Sundays of the next 28 days can somebody have a colour?", 1, func() {
			days := d.ask("check_availability", with{"eventType": "colour", "weekdays": []string{"sun"}, "firstPerDay": true, "days": 28, "timeZone": "Europe/Berlin"})
			rows, _ := at(days, "data").([]any)
			want(len(rows) == 3 && at(rows[0], "local") == "2026-11-29T11:00:00+01:00", "the Sundays", days)
		}},
		{"Lotte cancels her next appointment.", 2, func() {
			lotte := d.ask("list_bookings", with{"q": "Lotte"})
			gone := d.ask("cancel_booking", with{"id": at(lotte, "data", 0, "id")})
			want(at(gone, "eventType") == "workshop" && at(gone, "status") == "cancelled", "the cancellation", gone)
		}},
		{"The second customer of this morning did not come.", 2, func() {
			morning := d.ask("list_bookings", with{"from": "2026-11-21", "to": "2026-11-22", "timeZone": "Europe/Berlin"})
			want(at(morning, "data", 1, "local") == "2026-11-21T10:15:00+01:00", "the morning", morning)
			missed := d.ask("mark_no_show", with{"id": at(morning, "data", 1, "id")})
			want(at(missed, "invitee", "name") == "Maja Becker" && at(missed, "status") == "no_show", "the no-show", missed)
		}},
		{"What did we earn last month, and with what most?", 1, func() {
			sums := d.ask("analytics_overview", with{"from": "2026-10-01", "to": "2026-11-01", "timeZone": "Europe/Berlin", "byDay": false})
			want(at(sums, "value", 0, "amount") == 17400.0 && at(sums, "revenue", 0, "amount") == 0.0 && at(sums, "revenue", 0, "currency") == "EUR", "the sums", sums)
		}},
		{"Was Zoë here before, and do we have her telephone number?", 1, func() {
			person := at(d.ask("list_contacts", with{"q": "Zoë"}), "data", 0)
			want(at(person, "pastVisits") == 0.0 && at(person, "lastVisitAt") == nil && at(person, "upcomingBookings") == 1.0 &&
				at(person, "nextBookingAt") == "2026-11-25T12:00:00Z" && at(person, "phone") == "", "the contact", person)
		}},
		{"Anna Vogt wants the first bridal appointment. She has no e-mail address; her number is +49 30 5550123.", 2, func() {
			times := d.ask("check_availability", with{"eventType": "bridal", "firstPerDay": true})
			booked := d.ask("create_booking", with{"eventType": "bridal", "start": at(times, "data", 0, "start"), "invitee": with{"name": "Anna Vogt", "phone": "+49 30 5550123"}})
			want(at(booked, "status") == "pending" && at(booked, "manageUrl") != nil, "the request", booked)
		}},
		{"Ben Okafor is away on Monday: move his haircuts to Tuesday, with him.", 4, func() {
			ben := host("Ben Okafor")
			his := at(d.ask("list_bookings", with{"host": ben, "from": "2026-11-23", "to": "2026-11-24", "timeZone": "Europe/Berlin"}), "data")
			times := at(d.ask("check_availability", with{"eventType": "haircut", "host": ben, "from": "2026-11-24", "to": "2026-11-25", "timeZone": "Europe/Berlin",
				"excludeBooking": at(his, 0, "id")}), "data")
			after := time.Time{}
			rows, _ := his.([]any)
			want(len(rows) == 2, "his bookings", his)
			for _, b := range rows {
				free := first(times, func(row any) bool { return !instantOf(at(row, "start")).Before(after) })
				after = instantOf(at(free, "end")).Add(10 * time.Minute)
				moved := d.ask("reschedule_booking", with{"id": at(b, "id"), "start": at(free, "start"), "host": ben})
				want(at(moved, "host", "id") == ben && instantOf(at(moved, "local")).Day() == 24, "the move", moved)
			}
		}},
		{"Carl Albers, +49 30 5550199, is a regular whom we take on Monday at 06:00 for a haircut, before we open.", 1, func() {
			booked := d.ask("create_booking", with{"eventType": "haircut", "start": "2026-11-23T06:00:00+01:00", "invitee": with{"name": "Carl Albers", "phone": "+49 30 5550199"}, "override": []string{"outside_hours"}})
			want(at(booked, "local") == "2026-11-23T06:00:00+01:00", "before hours", booked)
		}},
		{"Somebody at the door takes whatever there is first, if it lasts 45 minutes or more.", 1, func() {
			var slugs []any
			for _, s := range at(services, "data").([]any) {
				if minutes, _ := at(s, "durationMinutes").(float64); minutes >= 45 {
					slugs = append(slugs, at(s, "slug"))
				}
			}
			times := d.ask("check_availability", with{"eventTypes": slugs, "firstPerDay": true})
			want(at(times, "data", 0, "eventType") == "workshop" && at(times, "data", 0, "local") == "2026-11-22T11:00:00+01:00" &&
				at(times, "data", 0, "seatsRemaining") == 4.0, "the first", times)
		}},
		{"What would Sofia pay or get back if she cancelled her bridal appointment? Cancel nothing yet.", 2, func() {
			sofia := d.ask("list_bookings", with{"q": "Sofia", "status": "all"})
			dry := d.ask("cancel_booking", with{"id": at(sofia, "data", 0, "id"), "dryRun": true})
			money, known := at(dry, "money").(map[string]any)
			want(known && money["fee"] == nil && money["refund"] == nil && at(dry, "result", "status") == "cancelled", "the quote", dry)
		}},
	} {
		d.told = whereAndWhen + task.words
		before := d.calls
		task.do()
		if d.calls-before != task.calls {
			t.Errorf("%s takes %d calls", task.words, d.calls-before)
		}
	}
	d.told = whereAndWhen
	for _, made := range []with{{"start": "2026-11-27T03:00:00Z"}, {"invitee": with{"email": "zoe.lind@mail.example"}}, {"days": 17}, {"from": "2026-11-30"}} {
		if len(d.makeUp(made)) != 1 {
			t.Errorf("%v passes for what was said", made)
		}
	}
	if t.Logf("15 tasks, %d calls", d.calls); d.calls > 24 {
		t.Errorf("%d calls", d.calls)
	}
}

// Each wrong turn that an assistant took, who knew nothing but the tools' texts, is answered with what to do instead.
func TestWrongTurnsAtTheDesk(t *testing.T) {
	d := newDesk(t)
	d.told = "Zoë Lind zoe@mail.example"
	services := d.learn(d.tool("list_event_types", `{}`).Structured)
	ids := map[string]any{}
	for _, h := range at(first(at(services, "data"), has("slug", "haircut")), "hosts").([]any) {
		ids[at(h, "name").(string)] = at(h, "id")
	}
	zoe := d.learn(d.tool("create_booking", fmt.Sprintf(`{"eventType":"haircut","start":"2026-11-25T15:15:00Z","host":%q,"invitee":{"name":"Zoë Lind","email":"zoe@mail.example"}}`,
		ids["Clara Moreau"])).Structured)
	hannah := d.learn(d.tool("list_bookings", `{"q":"hannah"}`).Structured)
	moveHannah := func(start string) string {
		return fmt.Sprintf(`{"id":%q,"start":%q,"host":%q}`, at(hannah, "data", 0, "id"), start, ids["Ben Okafor"])
	}
	taken := []string{"slot_taken", "These are free: 2026-11-24T", "the local times are those of Europe/Berlin"}
	tuesday := fmt.Sprintf(`"eventType":"haircut","host":%q,"from":"2026-11-24","to":"2026-11-25","timeZone":"Europe/Berlin"`, ids["Clara Moreau"])
	for _, turn := range []struct {
		what, tool, arguments string
		failed                bool
		says                  []string
	}{
		{"a day on which the host is never there", "check_availability", `{` + tuesday + `}`, false,
			[]string{`"data":[]`, "The first open start after it is nextAvailable, 2026-11-25T08:00:00Z: offer that", "Without host the others' times", "Call again with explain: true"}},
		{"the same, explained", "check_availability", `{` + tuesday + `,"explain":true}`, false,
			[]string{`"reason":"outside_hours"`, `"usualHours":[{`, "closed has the reasons (outside_hours)", "nextAvailable, 2026-11-25T08:00:00Z"}},
		{"a move to when the host who was asked for is gone", "reschedule_booking", fmt.Sprintf(`{"id":%q,"start":"2026-11-25T16:15:00Z"}`, at(zoe, "id")), true,
			[]string{"Clara Moreau is not free", "details.alternatives", "name one of details.otherHosts as host", "Ben Okafor"}},
		{"a day within the notice", "check_availability", `{"eventType":"colour","from":"2026-11-22","to":"2026-11-23","timeZone":"Europe/Berlin"}`, false,
			[]string{`"data":[]`, "The first open start after it is nextAvailable, 2026-11-23T", "Call again with explain: true"}},
		{"a blind move", "reschedule_booking", moveHannah("2026-11-24T09:00:00Z"), true, taken},
		{"another", "reschedule_booking", moveHannah("2026-11-24T09:15:00Z"), true, taken},
		{"and another", "reschedule_booking", moveHannah("2026-11-24T09:30:00Z"), true, taken},
		{"an hour before hours, explained", "check_availability", `{"eventType":"haircut","from":"2026-11-23T06:00:00+01:00","to":"2026-11-23T07:00:00+01:00","explain":true}`, false,
			[]string{`"reason":"outside_hours"`, "create_booking takes the reasons as override", "nextAvailable, 2026-11-23T"}},
		{"the same, booked", "create_booking", `{"eventType":"haircut","start":"2026-11-23T06:00:00+01:00","invitee":{"name":"Carl Albers","phone":"+49 30 5550199"}}`, true,
			[]string{"outside_hours", "call again with details.reasons as override"}},
	} {
		got := d.tool(turn.tool, turn.arguments)
		if got.IsError != turn.failed {
			t.Errorf("%s: %s", turn.what, got.Structured)
		}
		for _, words := range turn.says {
			if !strings.Contains(string(got.Structured), words) {
				t.Errorf("%s: nothing of %q:\n%.2000s", turn.what, words, got.Structured)
			}
		}
	}
	now := d.learn(d.tool("list_bookings", `{"q":"zoë"}`).Structured)
	if at(now, "data", 0, "local") != "2026-11-25T16:15:00+01:00" || at(now, "data", 0, "host") != "Clara Moreau" {
		t.Errorf("a refused move moved her: %v", now)
	}
}
