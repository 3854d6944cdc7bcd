package demo_test

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/demo"
	"daybook/app/subjects"
)

var today = time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)

func fill(t *testing.T, now time.Time) (*subjects.Set, app.Actor, demo.Result) {
	t.Helper()
	w := apptest.New(t, apptest.Options{Empty: true, Clock: apptest.Standing(now)})
	s := w.Set
	r, err := demo.Fill(t.Context(), s, w.Config, now)
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.Account.Authenticate(r.Key)
	if err != nil {
		t.Fatal(err)
	}
	return s, k.Actor(booking.ByAPI), r
}

// all are the bookings of a list, page by page.
func all(t *testing.T, s *subjects.Set, a app.Actor, in booking.ListBookingsInput) (rows []booking.Booking) {
	t.Helper()
	in.Limit = new(100)
	for {
		p, err := s.Bookings(t.Context(), a, in)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, p.Data...)
		if !p.HasMore {
			return rows
		}
		in.Cursor = *p.NextCursor
	}
}

func TestDemoIsABelievableSalon(t *testing.T) {
	began := time.Now()
	s, a, _ := fill(t, today)
	took := time.Since(began)
	past, coming := all(t, s, a, booking.ListBookingsInput{Scope: "past"}), all(t, s, a, booking.ListBookingsInput{})
	states := map[booking.Status]int{}
	kinds := map[string]int{}
	for _, b := range append(past, coming...) {
		states[b.Status]++
		kinds[b.EventType]++
	}
	t.Logf("%d past, %d coming, %v, %v, in %s", len(past), len(coming), states, kinds, took)
	if len(past) < 300 || len(coming) < 60 {
		t.Errorf("%d past and %d coming bookings", len(past), len(coming))
	}
	for _, status := range booking.Statuses {
		if states[status] == 0 {
			t.Errorf("no booking is %s", status)
		}
	}
	if len(kinds) != 7 {
		t.Errorf("event types %v", kinds)
	}
	first, last := past[len(past)-1].Start.Time(), coming[len(coming)-1].Start.Time()
	if today.Sub(first) < 55*24*time.Hour || last.Sub(today) < 18*24*time.Hour {
		t.Errorf("bookings from %s to %s", first, last)
	}
	page, err := s.EventTypes(a, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range page.Data {
		v, err := s.Availability(t.Context(), a, availability.Input{EventType: e.Slug, Days: new(30)})
		if err != nil || v.Len() < 3 {
			t.Errorf("%s has %d open slots in 30 days, %v", e.Slug, v.Len(), err)
		}
	}
}

// The demo has what an owner should see: holidays, a time off that repeats, colours, money of the counter with tips and
// receipts, and a regular without an e-mail address.
func TestDemoShowsTheCounterAndTheCalendar(t *testing.T) {
	s, a, _ := fill(t, today)
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	if of := setup.Workspace.Holidays; of == nil || of.Country != "DE" {
		t.Errorf("holidays %+v", of)
	}
	repeats := 0
	for _, h := range setup.Hosts {
		for _, off := range h.TimeOff {
			if off.Repeat != nil {
				repeats++
			}
		}
	}
	colors := map[catalog.Color]bool{}
	for _, e := range setup.EventTypes {
		colors[e.Color] = true
	}
	if repeats != 1 || len(colors) != len(setup.EventTypes) || colors[""] {
		t.Errorf("%d times off repeat, colours %v", repeats, colors)
	}
	methods, tips, receipts, calls := map[booking.Method]int{}, 0, 0, 0
	for _, b := range all(t, s, a, booking.ListBookingsInput{Scope: "past"}) {
		if b.Invitee.Email == "" && b.Invitee.Phone != "" {
			calls++
		}
		for _, p := range b.Payments {
			methods[p.Method]++
			if p.Tip > 0 {
				tips++
			}
			if p.Receipt != nil {
				receipts++
			}
		}
	}
	t.Logf("%v, %d tips, %d receipts, %d bookings by telephone", methods, tips, receipts, calls)
	if methods[booking.ByCash] < 10 || methods[booking.ByCard] < 10 || tips < 5 || receipts != methods[booking.ByCash]+methods[booking.ByCard] || calls < 3 {
		t.Errorf("%v, %d tips, %d receipts, %d bookings by telephone", methods, tips, receipts, calls)
	}
}

// The demo shows what a colour with a wait does: its host serves others meanwhile, its chair stays taken; and a room that
// two services need.
func TestDemoHasWaitsAndRooms(t *testing.T) {
	s, a, _ := fill(t, today)
	past, coming := all(t, s, a, booking.ListBookingsInput{Scope: "past"}), all(t, s, a, booking.ListBookingsInput{})
	days, rooms, served := map[string]bool{}, map[string]int{}, 0
	rows := append(past, coming...)
	for _, b := range rows {
		if !b.Status.Live() {
			continue
		}
		for _, r := range b.Resources {
			rooms[r.Name]++
		}
		if b.EventType != "colour" {
			continue
		}
		if len(b.Parts) != 3 || len(b.Resources) != 1 {
			t.Fatalf("%s at %s has parts %v and resources %v", b.ID, b.Start, b.Parts, b.Resources)
		}
		if wait := b.Parts[1]; b.Start.Time().After(today) {
			days[b.Start.Time().Format(time.DateOnly)] = true
			for _, o := range rows {
				if o.Status.Live() && o.Host.ID == b.Host.ID && o.Start >= wait.Start && o.End <= wait.End {
					served++
				}
			}
		}
	}
	t.Logf("colours on %d coming days, %d bookings in their waits, %v", len(days), served, rooms)
	if len(days) < 5 || served < 3 || len(rooms) != 3 {
		t.Errorf("colours on %d coming days, %d bookings in their waits, %v", len(days), served, rooms)
	}
}

// Somebody has several services on most of the coming days.
func TestDemoHasVisits(t *testing.T) {
	s, a, _ := fill(t, today)
	days := map[string]int{}
	for _, b := range all(t, s, a, booking.ListBookingsInput{}) {
		if b.Visit != nil && b.Visit.Of > 1 && b.Status.Live() {
			days[b.Start.Time().Format(time.DateOnly)]++
		}
	}
	if t.Logf("%v", days); len(days) < 3 {
		t.Errorf("bookings of visits: %v", days)
	}
}

// The demo shows add-ons, some of them booked, notes on customers, and a deposit.
func TestDemoHasAddOnsAndNotes(t *testing.T) {
	s, a, _ := fill(t, today)
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	offered, deposits, taken, notes := 0, 0, 0, 0
	for _, e := range setup.EventTypes {
		offered += len(e.AddOns)
		if e.Deposit != nil {
			deposits++
		}
	}
	for _, b := range all(t, s, a, booking.ListBookingsInput{}) {
		taken += len(b.AddOns)
	}
	people, err := s.People.Contacts(t.Context(), a, contact.Filter{}, new(100), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range people.Data {
		if c.Notes != "" {
			notes++
		}
	}
	t.Logf("%d add-ons offered, %d booked, %d notes, %d deposits", offered, taken, notes, deposits)
	if offered < 3 || taken < 2 || notes < 6 || deposits != 1 {
		t.Errorf("%d add-ons offered, %d booked, %d notes, %d deposits", offered, taken, notes, deposits)
	}
}

// Each service and each person of the demo has a picture, and they take little of the 50 MB; the salon has a logo and a
// gallery.
func TestDemoHasPictures(t *testing.T) {
	s, a, r := fill(t, today)
	began := time.Now()
	if err := demo.AddPictures(t.Context(), s, r); err != nil {
		t.Fatal(err)
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	if setup.Logo() == "" {
		t.Error("the salon has no logo")
	}
	bytes := 0
	for _, h := range setup.Hosts {
		p := setup.Picture(h.Picture)
		if p == nil {
			t.Fatalf("%s has no picture", h.Name)
		}
		bytes += p.Bytes
	}
	for _, e := range setup.EventTypes {
		p := setup.Picture(e.Picture)
		if p == nil {
			t.Fatalf("%s has no picture", e.Title)
		}
		bytes += p.Bytes
	}
	gallery := setup.Workspace.Settings.Photos
	for _, x := range gallery {
		if setup.Picture(x.Picture) == nil || x.Text == "" {
			t.Fatalf("a photograph of %q has no picture or no text", x.Text)
		}
	}
	if len(gallery) != 7 {
		t.Errorf("%d photographs", len(gallery))
	}
	t.Logf("%d bytes, in %s", bytes, time.Since(began))
	if len(setup.Hosts) != 4 || len(setup.EventTypes) != 8 || bytes > 1e6 {
		t.Errorf("%d hosts, %d event types, %d bytes of pictures", len(setup.Hosts), len(setup.EventTypes), bytes)
	}
}

// The same day gives the same salon, and other days a sound one.
func TestDemoIsTheSameEachTime(t *testing.T) {
	outline := func() (lines []string) {
		s, a, _ := fill(t, today)
		for _, b := range all(t, s, a, booking.ListBookingsInput{From: "2026-09-01"}) {
			lines = append(lines, b.Start.String()+b.EventType+b.Invitee.Email+string(b.Status))
		}
		return lines
	}
	once, again := outline(), outline()
	if len(once) != len(again) {
		t.Fatalf("%d and %d bookings", len(once), len(again))
	}
	for i := range once {
		if once[i] != again[i] {
			t.Fatalf("booking %d: %s and %s", i, once[i], again[i])
		}
	}
	for day := range 3 {
		fill(t, today.AddDate(0, 0, 2*day+1))
	}
}

// A demo that begins when few times are left for a bridal appointment is made, too.
func TestDemoBeginsAtAnyTime(t *testing.T) {
	fill(t, time.Date(2026, 11, 22, 22, 0, 0, 0, time.UTC)) // the two last ones begin within an hour
	fill(t, time.Date(2026, 12, 10, 15, 0, 0, 0, time.UTC)) // on one day, which takes one
	fill(t, time.Date(2027, 1, 1, 3, 30, 0, 0, time.UTC))   // on a public holiday
}
