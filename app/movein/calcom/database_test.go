package calcom_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/movein"
	"daybook/app/movein/calcom"
	"daybook/app/when"
)

// now is a Monday; in the 28 days after it summer time ends in Berlin and in New York.
var now = time.Date(2026, 10, 12, 6, 0, 0, 0, time.UTC)

// person is somebody who works, in the words of this test: it knows nothing of Daybook's rules but what is written here.
type person struct {
	user   int64
	zone   *time.Location
	weekly [7][][2]int // minutes of the day
	dates  map[string][][2]int
	away   map[string]bool
	taken  []taken
}

type taken struct {
	start, end, from, to time.Time // from and to with the buffers
	of                   *treatment
	guests               int
}

type treatment struct {
	id                           int64
	slug                         string
	minutes, step, before, after int
	notice, days, perDay, seats  int
	people                       []*person
	all                          bool // all of them at once
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// hours returns when somebody works on a date of their zone.
func (p *person) hours(y int, m time.Month, d int) [][2]time.Time {
	date := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	name := date.Format(time.DateOnly)
	if p.away[name] {
		return nil
	}
	ranges, other := p.dates[name]
	if !other {
		ranges = p.weekly[date.Weekday()]
	}
	var all [][2]time.Time
	for _, r := range ranges {
		all = append(all, [2]time.Time{time.Date(y, m, d, 0, r[0], 0, 0, p.zone), time.Date(y, m, d, 0, r[1], 0, 0, p.zone)})
	}
	return all
}

// free reports whether somebody may do it at that time: within their hours, without meeting what takes them.
func (p *person) free(x *treatment, start time.Time) bool {
	end := start.Add(minutes(x.minutes))
	y, m, d := start.In(p.zone).Date()
	works := slices.ContainsFunc(p.hours(y, m, d), func(h [2]time.Time) bool { return !start.Before(h[0]) && !end.After(h[1]) })
	if !works {
		return false
	}
	sameDay := 0
	for _, o := range p.taken {
		if oy, om, od := o.start.In(p.zone).Date(); o.of == x && oy == y && om == m && od == d {
			sameDay++
		}
		if o.of == x && o.start.Equal(start) && x.seats > 1 {
			return o.guests < x.seats
		}
		if start.Add(-minutes(x.before)).Before(o.to) && o.from.Before(end.Add(minutes(x.after))) {
			return false
		}
	}
	return x.perDay == 0 || sameDay < x.perDay
}

// open returns the starts at which it can be booked until then, by nothing but its rules.
func (x *treatment) open(until time.Time) (starts []time.Time) {
	for _, p := range x.people {
		for day := now.AddDate(0, 0, -1); day.Before(until.AddDate(0, 0, 1)); day = day.AddDate(0, 0, 1) {
			y, m, d := day.In(p.zone).Date()
			for _, h := range p.hours(y, m, d) {
				for start := h[0]; !start.Add(minutes(x.minutes)).After(h[1]); start = start.Add(minutes(x.step)) {
					if start.Before(now.Add(minutes(x.notice))) || start.After(now.Add(minutes(x.days*24*60))) || !start.Before(until) {
						continue
					}
					if x.all && slices.ContainsFunc(x.people, func(p *person) bool { return !p.free(x, start) }) || !x.all && !p.free(x, start) {
						continue
					}
					starts = append(starts, start.UTC())
				}
			}
		}
	}
	slices.SortFunc(starts, time.Time.Compare)
	return slices.Compact(starts)
}

// book takes a time, and returns who does it.
func (x *treatment) book(start time.Time) *person {
	var who *person
	for _, p := range x.people {
		if !p.free(x, start) || who != nil && !x.all {
			continue
		}
		if who == nil {
			who = p
		}
		i := slices.IndexFunc(p.taken, func(o taken) bool { return o.of == x && o.start.Equal(start) })
		if i >= 0 {
			p.taken[i].guests++
			continue
		}
		end := start.Add(minutes(x.minutes))
		p.taken = append(p.taken, taken{start, end, start.Add(-minutes(x.before)), end.Add(minutes(x.after)), x, 1})
	}
	return who
}

func zone(t *testing.T, name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// studio fills a Cal.com database with three people, a team and their event types, and returns what is offered.
func studio(t *testing.T, s *source) []*treatment {
	t.Helper()
	usual := [7][][2]int{}
	for d := 1; d < 6; d++ {
		usual[d] = [][2]int{{9 * 60, 12 * 60}, {13 * 60, 17 * 60}}
	}
	late := usual
	late[2], late[6] = [][2]int{{12 * 60, 20 * 60}}, [][2]int{{10*60 + 30, 24 * 60}}
	people := []*person{
		{zone: zone(t, "Europe/Berlin"), weekly: usual, dates: map[string][][2]int{"2026-10-20": {}, "2026-10-24": {{10 * 60, 14 * 60}}},
			away: map[string]bool{"2026-10-28": true, "2026-10-29": true}},
		{zone: zone(t, "America/New_York"), weekly: late, dates: map[string][][2]int{"2026-11-02": {{8 * 60, 9 * 60}, {15 * 60, 18 * 60}}}},
		{zone: zone(t, "Europe/Berlin"), weekly: usual},
	}
	clock := func(m int) string { // Cal.com has no 24:00
		if m == 24*60 {
			return "23:59"
		}
		return fmt.Sprintf("%02d:%02d", m/60, m%60)
	}
	for i, name := range []string{"Ana Alt", "Bo Berg", "Cy Colt"} {
		p := people[i]
		first := strings.ToLower(strings.Fields(name)[0])
		p.user = s.insert("users", map[string]any{"username": first, "name": name, "email": first + "@studio.example", "timeZone": p.zone.String(),
			"twoFactorSecret": "hidden-factor", "backupCodes": "hidden-codes"})
		plan := s.insert(`"Schedule"`, map[string]any{"userId": p.user, "name": "Working hours"})
		s.do(`UPDATE users SET "defaultScheduleId" = $1 WHERE id = $2`, plan, p.user)
		for d, ranges := range p.weekly {
			for _, r := range ranges {
				s.insert(`"Availability"`, map[string]any{"scheduleId": plan, "days": []int32{int32(d)}, "startTime": clock(r[0]), "endTime": clock(r[1])})
			}
		}
		for date, ranges := range p.dates {
			for _, r := range append(ranges, [2]int{}) { // 00:00 to 00:00 is how a day without hours is written
				if len(ranges) == 0 || r[1] > 0 {
					s.insert(`"Availability"`, map[string]any{"scheduleId": plan, "days": []int32{}, "startTime": clock(r[0]), "endTime": clock(r[1]), "date": date})
				}
			}
		}
	}
	s.insert(`"OutOfOfficeEntry"`, map[string]any{"userId": people[0].user, "start": time.Date(2026, 10, 28, 0, 0, 0, 0, time.UTC),
		"end": time.Date(2026, 10, 29, 23, 59, 59, 999e6, time.UTC)})
	s.insert(`users`, map[string]any{"username": "dee", "name": "Dee", "email": "dee@studio.example"}) // does nothing
	s.do(`INSERT INTO "SelectedCalendar" VALUES ($1, 'google_calendar', 'ana@studio.example')`, people[0].user)
	team := s.insert(`"Team"`, map[string]any{"name": "Studio", "slug": "studio"})
	ana, bo, cy := people[0], people[1], people[2]
	evening := s.insert(`"Schedule"`, map[string]any{"userId": ana.user, "name": "Evenings", "timeZone": "Europe/Berlin"})
	s.insert(`"Availability"`, map[string]any{"scheduleId": evening, "days": []int32{1, 3}, "startTime": "18:00", "endTime": "21:00"})

	fields := []map[string]any{{"name": "name", "type": "name", "editable": "system", "required": true},
		{"name": "email", "type": "email", "editable": "system-but-optional", "required": true},
		{"name": "notes", "type": "textarea", "editable": "system-but-optional"},
		{"name": "hair.length", "type": "radio", "label": "How long is your hair?", "required": true, "editable": "user",
			"options": []map[string]any{{"label": "short", "value": "s1"}, {"label": "long", "value": "l1"}}},
		{"name": "allergies", "type": "textarea", "label": "Allergies", "editable": "user"},
		{"name": "first-time", "type": "boolean", "label": "For the first time?", "editable": "user"},
		{"name": "old", "type": "text", "label": "Old", "hidden": true, "editable": "user"}}
	make := func(slug string, row map[string]any, people ...*person) *treatment {
		x := &treatment{slug: slug, days: 730, notice: 120, seats: 1, people: people}
		row["slug"], row["title"] = slug, strings.ToUpper(slug[:1])+slug[1:]
		number := func(to *int, name string) {
			if n, given := row[name].(int); given {
				*to = n
			}
		}
		number(&x.minutes, "length")
		x.step = x.minutes
		for name, to := range map[string]*int{"slotInterval": &x.step, "beforeEventBuffer": &x.before, "afterEventBuffer": &x.after,
			"minimumBookingNotice": &x.notice, "periodDays": &x.days, "seatsPerTimeSlot": &x.seats} {
			number(to, name)
		}
		if _, ofTeam := row["teamId"]; !ofTeam {
			row["userId"] = people[0].user
		}
		x.id = s.insert(`"EventType"`, row)
		if row["schedulingType"] != nil && row["schedulingType"] != "managed" {
			for _, p := range people {
				s.do(`INSERT INTO "Host" ("userId", "eventTypeId", "isFixed") VALUES ($1, $2, $3)`, p.user, x.id, row["schedulingType"] == "collective")
			}
		}
		return x
	}
	massage := make("massage", map[string]any{"length": 60, "slotInterval": 30, "beforeEventBuffer": 5, "bookingLimits": map[string]any{"PER_DAY": 3}}, bo)
	massage.perDay = 3
	pair := make("pair", map[string]any{"length": 60, "slotInterval": 30, "teamId": team, "schedulingType": "collective", "afterEventBuffer": 15}, ana, bo)
	pair.all = true
	offered := []*treatment{
		make("haircut", map[string]any{"length": 45, "slotInterval": 15, "afterEventBuffer": 10, "periodType": "rolling", "periodDays": 20,
			"periodCountCalendarDays": true, "minimumBookingNotice": 240, "bookingFields": fields, "description": "Wash, cut and dry.",
			"locations": []map[string]any{{"type": "inPerson", "address": "Main Street 1"}}}, ana),
		make("colour", map[string]any{"length": 90, "requiresConfirmation": true, "metadata": map[string]any{"apps": map[string]any{
			"stripe": map[string]any{"enabled": true, "price": 8900, "currency": "eur"}}}}, ana),
		massage, pair,
		make("consultation", map[string]any{"length": 30, "teamId": team, "schedulingType": "roundRobin"}, ana, cy),
		make("yoga", map[string]any{"length": 60, "seatsPerTimeSlot": 4, "hidden": false}, cy),
	}
	make("evening", map[string]any{"length": 60, "scheduleId": evening}, ana)
	make("template", map[string]any{"length": 60, "teamId": team, "schedulingType": "managed"})
	s.insert(`"Workflow"`, map[string]any{"name": "Reminder"})
	s.do(`INSERT INTO "Webhook" (id, "userId", "subscriberUrl", active, "eventTriggers", secret) VALUES
		('w1', $1, 'https://crm.example/hook', true, '{BOOKING_CREATED,MEETING_ENDED}', 'hidden-secret')`, ana.user)
	return offered
}

// fill books so many of what is offered at random, as its rules allow, and returns how many wait for approval.
func fill(t *testing.T, s *source, offered []*treatment, most int) (pending int) {
	t.Helper()
	random := rand.New(rand.NewPCG(41, 200))
	seats := map[string]int64{}
	for i := range most {
		x := offered[i%len(offered)]
		open := x.open(now.AddDate(0, 0, 26))
		for n := 1; len(open) == 0 || x.all && i > 30; n++ { // some of the times stay open
			x = offered[(i+n)%len(offered)]
			open = x.open(now.AddDate(0, 0, 26))
		}
		start := open[random.IntN(len(open))]
		if x.seats > 1 && i%4 > 0 {
			for _, o := range x.people[0].taken { // somebody more
				if o.of == x && o.guests < x.seats {
					start = o.start
				}
			}
		}
		who := x.book(start)
		row := map[string]any{"uid": fmt.Sprintf("uid%03d", i), "userId": who.user, "eventTypeId": x.id, "title": x.slug, "startTime": start,
			"endTime": start.Add(minutes(x.minutes)), "createdAt": now.AddDate(0, 0, -7), "description": "Please be quick", "oneTimePassword": "hidden"}
		guest := map[string]any{"email": fmt.Sprintf("guest%d@mail.example", i%150), "name": fmt.Sprintf("Guest %d", i%150), "timeZone": "Europe/Berlin"}
		switch x.slug {
		case "haircut":
			row["responses"] = map[string]any{"name": guest["name"], "email": guest["email"], "hair.length": "long", "allergies": "none", "first-time": true, "notes": "By the window"}
		case "colour":
			row["status"] = "accepted"
			if random.IntN(2) == 0 {
				row["status"] = "pending"
				pending++
			}
			row["metadata"] = map[string]any{"videoCallUrl": "https://video.example/room"}
		}
		key := ""
		if x.seats > 1 {
			key = start.String()
		}
		id, known := seats[key]
		if key == "" || !known {
			id = s.insert(`"Booking"`, row)
		}
		guest["bookingId"] = id
		attendee := s.insert(`"Attendee"`, guest)
		if key != "" {
			seats[key] = id
			s.insert(`"BookingSeat"`, map[string]any{"referenceUid": fmt.Sprintf("seat-%d", i), "bookingId": id, "attendeeId": attendee, "data": map[string]any{}})
		}
		if x.slug == "haircut" {
			s.insert(`"Payment"`, map[string]any{"bookingId": id, "amount": 4500, "currency": "eur", "success": true, "refunded": false})
		}
		if x.all { // the team's other members stand among those who come
			s.insert(`"Attendee"`, map[string]any{"bookingId": id, "email": "bo@studio.example", "name": "Bo Berg", "timeZone": "America/New_York"})
		}
	}
	return pending
}

func read(t *testing.T, s *source) movein.Business {
	t.Helper()
	b, err := calcom.FromDatabase(t.Context(), s.db, "", now)
	if err != nil {
		t.Fatal(err)
	}
	return *b
}

// figures are the counts of what was taken over.
func figures(m movein.MovedBusiness) string {
	return fmt.Sprint("hosts ", m.Hosts, " services ", m.Services, " customers ", m.Customers, " upcoming ", m.Upcoming, " waiting ", m.Waiting,
		" moved ", m.Moved, " same ", m.Same)
}

func whys(left []movein.Left) string {
	var lines []string
	for _, l := range left {
		if l.Start != 0 {
			l.Name += ", " + l.Start.Time().UTC().Format("2006-01-02 15:04 MST")
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", l.Kind, l.Name, l.Why))
	}
	return strings.Join(lines, "\n")
}

// A Cal.com database of 200 bookings becomes a salon whose open times of 28 days are what its rules say. The same again changes
// nothing, and all of it can be undone.
func TestDatabaseBecomesASalon(t *testing.T) {
	s := newSource(t)
	offered := studio(t, s)
	pending := fill(t, s, offered, 200)
	s.insert(`"Booking"`, map[string]any{"uid": "past", "userId": 1, "eventTypeId": offered[0].id, "title": "past", "startTime": now.AddDate(0, -1, 0), "endTime": now.AddDate(0, -1, 0).Add(time.Hour)})
	s.do(`INSERT INTO "Attendee" (email, name, "timeZone", "phoneNumber", "bookingId") SELECT 'OLD@mail.example', 'Old Friend', 'Europe/Berlin', '+4930901820', id FROM "Booking" WHERE uid = 'past'`)
	w := apptest.New(t, apptest.Options{Clock: apptest.Standing(now), Hosts: []string{}})
	b := read(t, s)
	if text, err := json.Marshal(b); err != nil || strings.Contains(string(text), "hidden-") {
		t.Errorf("a secret was read: %v", err)
	}
	want := fmt.Sprintf("hosts {3 0} services {7 0} customers {151 0} upcoming 200 waiting %d moved 0 same 0", pending)
	p, err := w.MoveIn.PreviewBusiness(t.Context(), w.Owner, b)
	w.Must(err)
	if got := figures(p); got != want {
		t.Errorf("preview:\n%s\nwant\n%s\n%s", got, want, whys(p.Left))
	}
	if setup, err := w.Setup(w.Workspace.ID); err != nil || len(setup.Hosts)+len(setup.EventTypes) > 0 {
		t.Errorf("the preview made %d hosts, %v", len(setup.Hosts), err)
	}
	m, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read(t, s))
	w.Must(err)
	if got := figures(m); got != want {
		t.Fatalf("moved:\n%s\nwant\n%s\n%s", got, want, whys(m.Left))
	}
	if got := whys(m.Left); got != whys(p.Left) || !strings.Contains(got, "service Evening: it has hours of its own, “Evenings”") ||
		!strings.Contains(got, "calendar Ana Alt: 1 calendars") || !strings.Contains(got, "service Template: it is a template") ||
		!strings.Contains(got, "host Dee: does no event type") || !strings.Contains(got, "program 1 workflows") {
		t.Errorf("left:\n%s\npreview:\n%s", got, whys(p.Left))
	}
	if len(m.Webhooks) != 1 || m.Webhooks[0].URL != "https://crm.example/hook" || strings.Join(m.Webhooks[0].Events, " ") != "booking.created" {
		t.Errorf("webhooks: %+v", m.Webhooks)
	}
	openAsRulesSay(t, w, offered, 400)
	asWritten(t, w, pending)

	again, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read(t, s))
	w.Must(err)
	if got, want := figures(again), "hosts {0 3} services {0 7} customers {0 151} upcoming 0 waiting 0 moved 0 same 200"; got != want || again.ID != 0 {
		t.Errorf("again:\n%s\nwant\n%s\n%s", got, want, whys(again.Left))
	}
	openAsRulesSay(t, w, offered, 400)

	_, err = w.People.UndoImport(t.Context(), w.Owner, m.ID.String())
	w.Must(err)
	apptest.Eventually(t, "the import is undone", func() bool {
		setup, err := w.Setup(w.Workspace.ID)
		return err == nil && len(setup.Hosts)+len(setup.EventTypes) == 0
	})
}

// openAsRulesSay compares the open times of 28 days with those of the test's own calculation.
func openAsRulesSay(t *testing.T, w *apptest.Salon, offered []*treatment, atLeast int) {
	t.Helper()
	until := now.AddDate(0, 0, 28)
	all := 0
	for _, x := range offered {
		open, stopped, err := w.OpenTimes(t.Context(), w.API, availability.OpenTimesInput{EventType: x.slug, From: when.At(now), To: when.At(until)})
		if w.Must(err); stopped != 0 {
			t.Fatalf("%s: the search stopped", x.slug)
		}
		var got, want []string
		for _, o := range open {
			got = append(got, o.Start.String())
		}
		for _, start := range x.open(until) {
			want = append(want, when.At(start).String())
		}
		if !slices.Equal(got, want) {
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Errorf("%s: %d open times, want %d; the first that differ: %v, want %v", x.slug, len(got), len(want), got[min(i, len(got)):min(i+3, len(got))], want[min(i, len(want)):min(i+3, len(want))])
					break
				}
			}
		}
		all += len(want)
	}
	t.Logf("%d open times of %d services in 28 days", all, len(offered))
	if all < atLeast {
		t.Errorf("only %d open times", all)
	}
}

// asWritten looks at single things.
func asWritten(t *testing.T, w *apptest.Salon, waits int) {
	t.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	e := setup.EventType("haircut")
	if e.Where == nil || e.Where.Text != "Main Street 1" || e.Description != "Wash, cut and dry." || len(e.Questions) != 3 ||
		e.Questions[0].Key != "hair-length" || e.Questions[0].Type != "choice" || !e.Questions[0].Required || e.Questions[2].Type != "checkbox" {
		t.Errorf("haircut: %+v", e)
	}
	if e := setup.EventType("colour"); e.Price == nil || e.Price.Amount != 8900 || !e.RequiresApproval || e.Hidden {
		t.Errorf("colour: %+v", e)
	}
	if !setup.EventType("evening").Hidden || setup.EventType("yoga").Seats != 4 {
		t.Error("evening is shown, or yoga has no seats")
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 300})
	w.Must(err)
	pending := 0
	for i := range all {
		b := &all[i]
		if b.Status == booking.Pending {
			pending++
		}
		if b.EventType == "haircut" && (b.Answers["hair-length"] != "long" || b.Answers["first-time"] != true || b.Notes != "By the window" ||
			!strings.Contains(b.InternalNote, "Paid at Cal.com: EUR 45.00")) {
			t.Fatalf("haircut: %+v %q %q", b.Answers, b.Notes, b.InternalNote)
		}
		if b.Imported == nil || b.Imported.From != "calcom" || b.Invitee.Email == "bo@studio.example" {
			t.Fatalf("%+v of %s", b.Imported, b.Invitee.Email)
		}
	}
	if len(all) != 200 || pending != waits {
		t.Errorf("%d bookings, %d wait", len(all), pending)
	}
}

// What was moved, confirmed or cancelled there since, and what is in the way here.
func TestDatabaseAgain(t *testing.T) {
	s := newSource(t)
	offered := studio(t, s)
	w := apptest.New(t, apptest.Options{Clock: apptest.Standing(now), Hosts: []string{"Ana"}})
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	ana := setup.Hosts[0]
	ana.Email = "ana@studio.example"
	_, err = w.Shop.SaveHost(t.Context(), w.Owner, ana)
	w.Must(err)
	at := func(day, hour int) time.Time { return time.Date(2026, 10, day, hour, 0, 0, 0, time.UTC) }
	book := func(uid string, x *treatment, start time.Time, status string, more map[string]any) {
		row := map[string]any{"uid": uid, "userId": x.people[0].user, "eventTypeId": x.id, "title": uid, "startTime": start,
			"endTime": start.Add(minutes(x.minutes)), "status": status}
		for name, value := range more {
			row[name] = value
		}
		id := s.insert(`"Booking"`, row)
		s.insert(`"Attendee"`, map[string]any{"email": uid + "@mail.example", "name": uid, "timeZone": "Nowhere/At all", "bookingId": id, "phoneNumber": "12"})
	}
	haircut, colour := offered[0], offered[1]
	book("moves", haircut, at(14, 8), "accepted", nil)
	book("confirmed", colour, at(14, 12), "pending", nil)
	book("cancelled", haircut, at(15, 8), "accepted", nil)
	book("meets", colour, at(14, 8), "accepted", nil)
	book("gone", haircut, at(16, 8), "accepted", map[string]any{"eventTypeId": nil})
	book("instant", haircut, at(16, 12), "awaiting_host", nil)
	book("never", haircut, at(16, 13), "cancelled", nil)
	book("number", haircut, at(19, 8), "accepted", nil)
	s.do(`UPDATE "Attendee" SET email = '4930901821@sms.cal.com', "phoneNumber" = NULL WHERE name = 'number'`)
	m, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read(t, s))
	w.Must(err)
	if got, want := figures(m), "hosts {2 1} services {7 0} customers {8 0} upcoming 4 waiting 1 moved 0 same 0"; got != want {
		t.Errorf("got\n%s\nwant\n%s\n%s", got, want, whys(m.Left))
	}
	for _, want := range []string{"hours Ana Alt: ana@studio.example is in Daybook already", "booking meets, 2026-10-14 08:00 UTC: its time is taken",
		"booking gone, 2026-10-16 08:00 UTC: its event type is gone", `booking instant, 2026-10-16 12:00 UTC: it is "awaiting_host" there`} {
		if !strings.Contains(whys(m.Left), want) {
			t.Errorf("%q is not in\n%s", want, whys(m.Left))
		}
	}
	if got, err := w.People.ContactsWith(t.Context(), w.Owner, "", "+4930901821"); err != nil || len(got.Data) != 1 {
		t.Errorf("who has only a number: %+v %v", got, err)
	}
	s.do(`UPDATE "Booking" SET "startTime" = "startTime" + interval '2 hours', "endTime" = "endTime" + interval '2 hours' WHERE uid = 'moves'`)
	s.do(`UPDATE "Booking" SET status = 'accepted' WHERE uid = 'confirmed'`)
	s.do(`UPDATE "Booking" SET status = 'cancelled' WHERE uid = 'cancelled'`)
	s.do(`UPDATE "EventType" SET title = 'Another title' WHERE slug = 'colour'`)
	p, err := w.MoveIn.PreviewBusiness(t.Context(), w.Owner, read(t, s))
	w.Must(err)
	m, err = w.MoveIn.MoveBusiness(t.Context(), w.Owner, read(t, s))
	w.Must(err)
	if figures(p) != figures(m) || whys(p.Left) != whys(m.Left) {
		t.Errorf("preview: %s\n%s", figures(p), whys(p.Left))
	}
	if got, want := figures(m), "hosts {0 3} services {0 7} customers {0 8} upcoming 1 waiting 0 moved 1 same 2"; got != want {
		t.Errorf("again: got\n%s\nwant\n%s\n%s", got, want, whys(m.Left))
	}
	for _, want := range []string{"booking cancelled, 2026-10-15 08:00 UTC: it is cancelled there, and takes place here", "booking confirmed, 2026-10-14 12:00 UTC: it is confirmed there"} {
		if !strings.Contains(whys(m.Left), want) {
			t.Errorf("%q is not in\n%s", want, whys(m.Left))
		}
	}
	if setup, err := w.Setup(w.Workspace.ID); err != nil || setup.EventType("colour").Title != "Colour" {
		t.Errorf("what was taken before has changed: %v", err)
	}
	staff := w.Owner
	staff.Role = app.StaffRole
	if _, err := w.MoveIn.MoveBusiness(t.Context(), staff, read(t, s)); !fault.Is(err, fault.Forbidden) {
		t.Errorf("staff: %v", err)
	}
}

// Only a team is taken over, and what is no Cal.com database says so.
func TestDatabaseOfATeam(t *testing.T) {
	s := newSource(t)
	fill(t, s, studio(t, s), 12)
	b, err := calcom.FromDatabase(t.Context(), s.db, "studio", now)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(len(b.Members), len(b.Offers), len(b.Appointments), len(b.Customers), len(b.Webhooks)); got != "3 2 4 4 1" {
		t.Errorf("got %s", got)
	}
	if _, err := calcom.FromDatabase(t.Context(), s.db, "nobody", now); err == nil || !strings.Contains(err.Error(), `no team "nobody"`) {
		t.Errorf("no such team: %v", err)
	}
	s.do(`DROP TABLE "EventType"`)
	if _, err := calcom.FromDatabase(t.Context(), s.db, "", now); err == nil || !strings.Contains(err.Error(), "no database of Cal.com") {
		t.Errorf("another database: %v", err)
	}
	if got := calcom.Address("postgresql://cal@db.example/calendso?schema=cal&pgbouncer=true&sslmode=disable"); got != "postgresql://cal@db.example/calendso?search_path=cal&sslmode=disable" {
		t.Errorf("address: %s", got)
	}
}
