package app_test

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/app/slot"
	"daybook/app/when"
)

// Time off that comes again, everybody's and public holidays close the same times in the search, in bookings and moves,
// in the explanation and in what a calendar shows.
func TestTimeOffOfAllKinds(t *testing.T) {
	w := newWorld(t)
	ana, bob := catalog.HostID(1), catalog.HostID(2)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BookingWindowDays = 400 })
	w.offer("trim", 2, func(e *catalog.EventType) { e.BookingWindowDays = 400 })
	set := func() *catalog.Setup {
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		return setup
	}
	zone := set().Host(ana).Location()
	day := func(date string) time.Time {
		d, err := time.ParseInLocation(time.DateOnly, date, zone)
		w.Must(err)
		return d
	}
	// open are the starts of Ana's day by the hour of her clock, as the search and the explanation have them.
	open := func(date string) (hours string) {
		t.Helper()
		x, err := w.Shop.ExplainDay(t.Context(), w.Owner, "cut", ana.String(), date)
		w.Must(err)
		away := set().Host(ana).Away(day(date), day(date).AddDate(0, 0, 1))
		for _, at := range x.Times {
			in := at.Start.Time().In(zone)
			if at.Reason != slot.Open {
				_, err := w.Book(t.Context(), w.API, apptest.Input("cut", at.Start.String(), "Gus"))
				w.Refused(err, fault.Conflict, "slot_taken")
			}
			shown := false
			for _, a := range away {
				shown = shown || a.Start < at.End && a.End > at.Start
			}
			if (at.Reason == slot.TimeOff) != shown {
				t.Errorf("%s: %q, shown as away %v", in, at.Reason, shown)
			}
			if at.Reason == slot.Open {
				hours += " " + in.Format("15")
			}
		}
		return hours
	}
	const all = " 09 10 11 12 13 14 15 16"
	expect := func(date, want string) {
		t.Helper()
		if got := open(date); got != want {
			t.Errorf("%s:%s, want%s", date, got, want)
		}
	}
	expect("2027-03-30", all)

	run, err := w.Shop.GiveTimeOff(t.Context(), w.Owner, shop.Off{Host: ana.String(), Start: "2027-03-16T14:00", End: "2027-03-16T16:00",
		Reason: "School run", Repeat: &catalog.Repeat{Every: 2, Unit: catalog.Weekly, Until: "2027-04-13"}})
	w.Must(err)
	for date, want := range map[string]string{"2027-03-16": " 09 10 11 12 13 16", "2027-03-23": all,
		"2027-03-30": " 09 10 11 12 13 16" /* after the clock has changed */, "2027-04-13": " 09 10 11 12 13 16", "2027-04-27": all} {
		expect(date, want)
	}
	w.Must(w.Shop.SkipTimeOff(t.Context(), w.Owner, ana.String(), run, when.At(day("2027-03-30").Add(14*time.Hour))))
	expect("2027-03-30", all)
	// One that has the same first span is another one.
	once, err := w.Shop.GiveTimeOff(t.Context(), w.Owner, shop.Off{Host: ana.String(), Start: "2027-03-16T14:00", End: "2027-03-16T16:00", Reason: "Dentist"})
	w.Must(err)
	w.Must(w.Shop.RemoveTimeOff(t.Context(), w.Owner, ana.String(), once))
	expect("2027-03-16", " 09 10 11 12 13 16")
	expect("2027-04-13", " 09 10 11 12 13 16")
	_, err = w.Shop.ChangeHost(t.Context(), w.Owner, ana.String(), func(h *catalog.Host) error { h.TimeZone = "Europe/Lisbon"; return nil })
	w.Must(err)
	if at := set().Host(ana).TimeOff[0].Start.Time().In(set().Host(ana).Location()).Format("15:04"); at != "14:00" {
		t.Errorf("in another zone it begins at %s", at)
	}
	_, err = w.Shop.ChangeHost(t.Context(), w.Owner, ana.String(), func(h *catalog.Host) error { h.TimeZone = "Europe/Berlin"; return nil })
	w.Must(err)
	expect("2027-04-13", " 09 10 11 12 13 16")

	week, err := w.Shop.GiveTimeOff(t.Context(), w.Owner, shop.Off{Host: shop.Everybody, Start: "2027-08-02", End: "2027-08-08", Reason: "Summer"})
	w.Must(err)
	expect("2027-08-01", all)
	expect("2027-08-02", "")
	expect("2027-08-08", "")
	expect("2027-08-09", all)
	late, err := w.Shop.SaveHost(t.Context(), w.Owner, catalog.Host{Name: "Dan", Email: "dan@salon.example", TimeZone: "Europe/Berlin",
		Hours: catalog.Hours{Weekly: map[string][]string{"wed": {"09:00-17:00"}}}})
	w.Must(err)
	if away := set().Host(late.ID).Away(day("2027-08-04"), day("2027-08-05")); len(away) != 1 || !away[0].Everybody {
		t.Errorf("a host who came later is away %v", away)
	}

	_, err = w.Shop.ChangeClosures(t.Context(), w.Owner, func(c *catalog.Closures, _ *time.Location) error {
		c.Holidays = &catalog.Holidays{Country: "DE", Region: "BE"}
		return nil
	})
	w.Must(err)
	expect("2027-03-08", "") // Frauentag
	expect("2027-03-26", "") // Karfreitag
	expect("2027-03-27", all)
	v, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "cut", From: "2027-03-26",
		To: "2027-03-27", TimeZone: "Europe/Berlin", Explain: true})
	w.Must(err)
	if c := v.Closed(); len(c) != 8 || c[0].Holiday != "Karfreitag" || c[0].Reason != slot.TimeOff {
		t.Errorf("Good Friday: %+v", c)
	}
	_, err = w.Shop.SetOverride(t.Context(), w.Owner, ana.String(), "2027-03-08", "", []string{"10:00-12:00"})
	w.Must(err)
	expect("2027-03-08", " 10 11") // hours of its own for that day
	_, err = w.Shop.ChangeHost(t.Context(), w.Owner, ana.String(), func(h *catalog.Host) error { h.WorksOnHolidays = true; return nil })
	w.Must(err)
	expect("2027-03-26", all)
	if away := set().Host(bob).Away(day("2027-03-26"), day("2027-03-27")); len(away) != 1 || away[0].Reason != "Karfreitag" {
		t.Errorf("Bob is away %v", away)
	}

	// Moving goes by the same: Bob can't take a booking on that day.
	trim := apptest.Input("trim", day("2027-03-25").Add(9*time.Hour).Format(time.RFC3339), "Gus")
	trim.Host = bob.String()
	k, err := w.Book(t.Context(), w.API, trim)
	w.Must(err)
	_, err = w.Reschedule(t.Context(), w.API, k.ID.String(),
		app.RescheduleInput{Start: day("2027-03-26").Add(9 * time.Hour).Format(time.RFC3339), Host: bob.String()})
	w.Refused(err, fault.Conflict, "slot_taken")

	// What is given while bookings stand lists them.
	off := shop.Off{Host: shop.Everybody, Start: "2027-03-11T09:00", End: "2027-03-11T10:00", Repeat: &catalog.Repeat{Every: 1, Unit: catalog.Weekly}}
	weekly, err := w.Shop.GiveTimeOff(t.Context(), w.Owner, off)
	w.Must(err)
	hit, err := w.Bulk.Within(t.Context(), w.Owner, bulk.Scope{Off: &weekly}, 10)
	w.Must(err)
	if len(hit) != 1 || hit[0].ID != k.ID {
		t.Errorf("in it are %v", hit)
	}
	w.Must(w.Shop.RemoveTimeOff(t.Context(), w.Owner, shop.Everybody, weekly))
	w.Must(w.Shop.RemoveTimeOff(t.Context(), w.Owner, shop.Everybody, week))
	if c := set().Workspace.Closures; len(c.TimeOff) != 0 || c.Holidays == nil {
		t.Errorf("left: %v", c)
	}

	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 1, Role: app.StaffRole, Host: ana}
	_, err = w.Shop.GiveTimeOff(t.Context(), staff, off)
	w.Refused(err, fault.Forbidden, "role")
	for _, wrong := range []*catalog.Repeat{{Every: 0, Unit: "week"}, {Every: 53, Unit: "week"}, {Every: 1, Unit: "day"},
		{Every: 1, Unit: "week", Days: []string{"monday"}}, {Every: 1, Unit: "month", Days: []string{"mon"}},
		{Every: 1, Unit: "week", Until: "2027-01-01"}, {Every: 1, Unit: "week", Except: []string{"soon"}}} {
		off.Repeat = wrong
		_, err := w.Shop.GiveTimeOff(t.Context(), w.Owner, off)
		w.Refused(err, fault.BadRequest, "invalid")
	}
	for _, wrong := range []catalog.Holidays{{}, {Country: "XX"}, {Country: "DE", Region: "XX"}, {Country: "AU"}, {Country: "FR", Region: "BE"}} {
		_, err := w.Shop.ChangeClosures(t.Context(), w.Owner, func(c *catalog.Closures, _ *time.Location) error { c.Holidays = &wrong; return nil })
		w.Refused(err, fault.BadRequest, "invalid")
	}
}
