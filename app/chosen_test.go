package app_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
)

// euros is an amount of the tests.
func euros(n int64) *money.Money { return &money.Money{Amount: n * 100, Currency: "EUR"} }

// cutWithExtras is an hour for €40, with a beard (+15, €10), a wash (€5), and a length of hair that must be chosen.
func (w *world) cutWithExtras(hosts int) catalog.EventType {
	return w.offer("cut", hosts, func(e *catalog.EventType) {
		e.Price, e.SlotStepMinutes, e.BufferAfterMinutes = euros(40), 30, 10
		e.AddOnGroups = []catalog.AddOnGroup{{ID: "hair", Title: "Hair", Required: true, Max: 1}}
		e.AddOns = []catalog.AddOn{{ID: "beard", Title: "Beard", Minutes: 15, Price: euros(10)},
			{ID: "wash", Title: "Wash", Price: euros(5)}, {ID: "short", Title: "Short hair", Group: "hair"},
			{ID: "long", Title: "Long hair", Minutes: 30, Price: euros(20), Group: "hair"}}
	})
}

// What is chosen makes a booking longer and dearer, and is fixed on it: a change of the service, and a move, leave it.
func TestAddOnsAreBookedAndKept(t *testing.T) {
	w := newWorld(t)
	e := w.cutWithExtras(1)
	in := apptest.Input("cut", "1T08", "bo")
	in.AddOns = []string{"long", "beard"}
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if b.End-b.Start != 105*60_000 || b.BusyEnd-b.End != 10*60_000 || *b.Price != *euros(70) {
		t.Errorf("booked %s to %s for %+v", b.Start, b.End, b.Price)
	}
	if len(b.AddOns) != 2 || b.AddOns[0].Title != "Beard" || b.AddOns[1].Minutes != 30 || *b.AddOns[1].Price != *euros(20) {
		t.Errorf("booked %+v", b.AddOns)
	}
	_, err = w.Book(t.Context(), w.API, apptest.Input("cut", "1T09:30", "cy"))
	if wrong := w.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "addOns" {
		t.Errorf("without the hair: %+v", wrong)
	}
	open := func(choice catalog.Choice, exclude string) (starts []string) {
		t.Helper()
		found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "cut", From: apptest.At("1T08"),
			To: apptest.At("1T16"), Choice: choice, ExcludeBooking: exclude})
		w.Must(err)
		for _, s := range found.Slots() {
			starts = append(starts, s.Start.String()[11:16])
		}
		return starts
	}
	// The host works from 8 to 16 UTC, and has the booking until 9:45, with its buffer until 9:55.
	if got := open(catalog.Choice{AddOns: []string{"short"}}, ""); got[0] != "10:00" || got[len(got)-1] != "15:00" {
		t.Errorf("an hour is offered at %v", got)
	}
	if got := open(catalog.Choice{AddOns: []string{"long", "beard"}}, ""); got[0] != "10:00" || got[len(got)-1] != "14:00" {
		t.Errorf("1 h 45 is offered at %v", got)
	}
	if got := open(catalog.Choice{}, b.ID.String()); got[0] != "08:00" || got[len(got)-1] != "14:00" {
		t.Errorf("the booking may move to %v", got)
	}
	e.AddOns, e.AddOnGroups, e.Price, e.DurationMinutes = nil, nil, euros(99), 30
	_, err = w.Shop.SaveEventType(t.Context(), w.Owner, e)
	w.Must(err)
	moved, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T11")})
	w.Must(err)
	if moved.End-moved.Start != 105*60_000 || *moved.Price != *euros(70) || len(moved.AddOns) != 2 {
		t.Errorf("moved %s to %s for %+v with %+v", moved.Start, moved.End, moved.Price, moved.AddOns)
	}
}

// A search that leaves a booking out keeps of its choice what is not chosen anew.
func TestAddOnsAndSeatsOfAnExcludedBooking(t *testing.T) {
	w := newWorld(t)
	w.cutWithExtras(1)
	w.offer("class", 1, func(e *catalog.EventType) {
		e.Seats, e.AddOns = 4, []catalog.AddOn{{ID: "towel", Title: "Towel", Price: euros(1)}}
	})
	open := func(slug, from, to string, c catalog.Choice, b booking.Booking) (starts []string) {
		t.Helper()
		found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: slug, From: apptest.At(from),
			To: apptest.At(to), Choice: c, ExcludeBooking: b.ID.String()})
		w.Must(err)
		for _, s := range found.Slots() {
			starts = append(starts, s.Start.String()[11:16])
		}
		return starts
	}
	book := func(slug, start, who string, c catalog.Choice) booking.Booking {
		in := apptest.Input(slug, start, who)
		in.AddOns, in.Seats = c.AddOns, c.Seats
		b, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
		return b
	}
	three := book("class", "2T09", "bo", catalog.Choice{Seats: 3})
	book("class", "2T10", "cy", catalog.Choice{Seats: 3})
	towel := catalog.Choice{AddOns: []string{"towel"}}
	if got := open("class", "2T10", "2T10:01", towel, three); len(got) != 0 {
		t.Errorf("three seats where one is left: %v", got)
	}
	towel.Seats = 1
	if got := open("class", "2T10", "2T10:01", towel, three); len(got) != 1 {
		t.Errorf("one seat where one is left: %v", got)
	}
	cut := book("cut", "1T08", "bo", catalog.Choice{AddOns: []string{"long", "beard"}})
	if got := open("cut", "1T08", "1T16", catalog.Choice{Seats: 1}, cut); got[len(got)-1] != "14:00" {
		t.Errorf("1 h 45 is offered at %v", got)
	}
}

// A choice that can't be had is refused, and names its field.
func TestWrongChoicesAreRefused(t *testing.T) {
	w := newWorld(t)
	w.cutWithExtras(1)
	for name, c := range map[string]struct {
		in    booking.BookInput
		field string
	}{
		"unknown":          {booking.BookInput{AddOns: []string{"short", "gold"}}, "addOns[1]"},
		"twice":            {booking.BookInput{AddOns: []string{"short", "wash", "wash"}}, "addOns[2]"},
		"too many":         {booking.BookInput{AddOns: []string{"short", "long"}}, "addOns"},
		"none of a group":  {booking.BookInput{AddOns: []string{"wash"}}, "addOns"},
		"too many seats":   {booking.BookInput{AddOns: []string{"short"}, Seats: 2}, "seats"},
		"too few seats":    {booking.BookInput{AddOns: []string{"short"}, Seats: -1}, "seats"},
		"too many names":   {booking.BookInput{AddOns: []string{"short"}, Participants: []string{"A", "B"}}, "participants"},
		"a nameless guest": {booking.BookInput{AddOns: []string{"short"}, Participants: []string{" "}}, "participants[0]"},
	} {
		in := apptest.Input("cut", "1T09", "bo")
		in.AddOns, in.Seats, in.Participants = c.in.AddOns, c.in.Seats, c.in.Participants
		_, err := w.Book(t.Context(), w.API, in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != c.field {
			t.Errorf("%s: the field is %q, %s", name, e.Field, e.Error())
		}
		if in.Participants != nil {
			continue
		}
		_, err = w.Availability(t.Context(), w.API, availability.Input{EventType: "cut", Choice: in.Choice()})
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != c.field {
			t.Errorf("availability, %s: the field is %q", name, e.Field)
		}
	}
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, func() catalog.EventType {
		e := w.offer("class", 1, func(e *catalog.EventType) { e.Seats = 3 })
		e.AddOns = []catalog.AddOn{{ID: "late", Title: "Longer", Minutes: 15}}
		return e
	}())
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "eventType.addOns[0].minutes" {
		t.Errorf("a longer seat: %+v", e)
	}
}

// Several seats are taken at once, of one session, and are free again when the booking goes.
func TestSeatsAreTakenTogether(t *testing.T) {
	w := newWorld(t)
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats, e.MaxPerDay, e.Price = 5, 1, euros(12) })
	seats := func(person string, n int) (booking.Booking, error) {
		in := apptest.Input("class", "1T09", person)
		in.Seats, in.Participants = n, []string{"Ann", " Ben "}[:min(n, 2)]
		return w.Book(t.Context(), w.API, in)
	}
	left := func(n int) string {
		t.Helper()
		found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "class", From: apptest.At("1T09"),
			To: apptest.At("1T10"), Choice: catalog.Choice{Seats: n}})
		w.Must(err)
		if len(found.Slots()) == 0 {
			return "none"
		}
		return fmt.Sprint(found.Slots()[0].SeatsRemaining)
	}
	amy, err := seats("amy", 3)
	w.Must(err)
	if *amy.Price != *euros(36) || amy.Seats != 3 || !slices.Equal(amy.Participants, []string{"Ann", "Ben"}) {
		t.Errorf("booked %+v", amy)
	}
	if left(1) != "2" || left(2) != "2" || left(3) != "none" {
		t.Errorf("left for 1, 2 and 3: %s, %s, %s", left(1), left(2), left(3))
	}
	_, err = seats("bo", 3)
	w.Refused(err, fault.Conflict, "slot_taken")
	bo, err := seats("bo", 2) // the day's only session is joined
	w.Must(err)
	_, err = seats("cy", 1)
	w.Refused(err, fault.Conflict, "slot_taken")
	if again := w.Again(bo); again.Seats != 2 || !slices.Equal(again.Participants, []string{"Ann", "Ben"}) {
		t.Errorf("found %+v", again)
	}
	_, err = w.Cancel(t.Context(), w.API, amy.ID.String(), app.CancelInput{})
	w.Must(err)
	if left(3) != "3" {
		t.Errorf("left for 3 after the cancellation: %s", left(3))
	}
	moved, err := w.Reschedule(t.Context(), w.API, bo.ID.String(), app.RescheduleInput{Start: apptest.At("1T10")})
	w.Must(err)
	if moved.Seats != 2 || *moved.Price != *euros(24) {
		t.Errorf("moved %+v", moved)
	}
	// Who did not come to a session that is full again has no seats to come back to.
	w.at("+1 10:00")
	_, err = w.MarkNoShow(t.Context(), w.API, bo.ID.String())
	w.Must(err)
	in := apptest.Input("class", "1T10", "dee")
	in.Seats, in.Override = 4, []string{"too_soon", "in_past"}
	_, err = w.Book(t.Context(), w.Owner, in)
	w.Must(err)
	_, err = w.act("undo", bo.ID.String(), "")
	w.Refused(err, fault.Conflict, "slot_taken")
}

// 64 at once, at two servers, want 1 to 3 of the seats of one class: no seat is sold twice, and none is left that one
// who was refused would have taken.
func TestContestForSeats(t *testing.T) {
	w := newWorld(t)
	const room, clients = 40, 64
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats = room })
	servers := [2]*apptest.Salon{w.Salon, w.Another()}
	errs, start := make([]error, clients), make(chan struct{})
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			<-start
			in := apptest.Input("class", "1T09", fmt.Sprint("p", i))
			in.Seats = 1 + i%3
			_, errs[i] = servers[i%2].Book(t.Context(), w.API, in)
		})
	}
	close(start)
	all.Wait()
	sold, least := 0, room
	for i, err := range errs {
		switch e := fault.As(err); {
		case err == nil:
			sold += 1 + i%3
		case e == nil || e.Reason != "slot_taken":
			t.Errorf("refused with %v", err)
		default:
			least = min(least, 1+i%3)
		}
	}
	if sold > room || room-sold >= least {
		t.Errorf("%d of %d seats are sold, and one who wanted %d was refused", sold, room, least)
	}
	found, _, err := w.Calendar(t.Context(), w.Owner, "", apptest.Monday, apptest.Monday.AddDate(0, 0, 3), false)
	w.Must(err)
	stored := 0
	for _, b := range found {
		stored += b.Seats
	}
	if stored != sold {
		t.Errorf("%d seats are stored, %d were sold", stored, sold)
	}
}

// An edit changes add-ons, seats and names: the time must be free for it, and the price follows.
func TestEditChangesWhatIsChosen(t *testing.T) {
	w := newWorld(t)
	w.cutWithExtras(1)
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats, e.Price = 4, euros(12) })
	edit := func(b booking.Booking, in booking.EditInput) (booking.Booking, error) {
		return w.Edit(t.Context(), w.API, b.ID.String(), in, "")
	}
	in := apptest.Input("cut", "1T08", "bo")
	in.AddOns = []string{"short"}
	cut, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	cut, err = edit(cut, booking.EditInput{AddOns: &[]string{"beard", "long"}})
	w.Must(err)
	if cut.End-cut.Start != 105*60_000 || *cut.Price != *euros(70) || len(cut.AddOns) != 2 || cut.Status != booking.Rescheduled {
		t.Errorf("with a beard and long hair: %+v", cut)
	}
	_, err = edit(cut, booking.EditInput{AddOns: &[]string{"gold"}})
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "addOns[0]" {
		t.Errorf("%+v", e)
	}
	in = apptest.Input("class", "2T09", "bo")
	in.Seats, in.Participants = 2, []string{"Ann", "Ben"}
	class, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	class, err = edit(class, booking.EditInput{Seats: new(3)})
	w.Must(err)
	if class.Seats != 3 || *class.Price != *euros(36) || len(class.Participants) != 2 {
		t.Errorf("with three seats: %+v", class)
	}
	in = apptest.Input("class", "2T09", "cy")
	in.Seats = 2
	_, err = w.Book(t.Context(), w.API, in)
	w.Refused(err, fault.Conflict, "slot_taken")
	in.Seats = 1
	cy, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	_, err = edit(class, booking.EditInput{Seats: new(4)})
	w.Refused(err, fault.Conflict, "slot_taken")
	class, err = edit(class, booking.EditInput{Seats: new(1)})
	w.Must(err)
	if class.Seats != 1 || *class.Price != *euros(12) || !slices.Equal(class.Participants, []string{"Ann"}) {
		t.Errorf("with one seat: %+v", class)
	}
	// Another service has none of its add-ons, but what it needs itself.
	_, err = w.Cancel(t.Context(), w.API, cy.ID.String(), app.CancelInput{})
	w.Must(err)
	other := "cut"
	class, err = edit(class, booking.EditInput{EventType: &other})
	w.Must(err)
	if len(class.AddOns) != 1 || class.AddOns[0].ID != "short" || *class.Price != *euros(40) {
		t.Errorf("as another service: %+v", class)
	}
}

// A class at fixed dates starts only then, whatever the hours of its host are; what takes the host's time counts.
func TestClassAtFixedDates(t *testing.T) {
	w := newWorld(t)
	e := w.offer("yoga", 1, func(e *catalog.EventType) { e.Seats = 3 })
	e.Dates = []string{"2026-12-06 19:00", "2026-12-01T20:00", "2026-12-06T19:00"}
	e, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
	w.Must(err)
	if !slices.Equal(e.Dates, []string{"2026-12-01T20:00", "2026-12-06T19:00"}) {
		t.Errorf("kept %v", e.Dates)
	}
	open := func() (starts []string) {
		t.Helper()
		found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "yoga", Days: new(14)})
		w.Must(err)
		for _, s := range found.Slots() {
			starts = append(starts, s.Start.String())
		}
		return starts
	}
	if got := open(); !slices.Equal(got, []string{"2026-12-01T19:00:00Z", "2026-12-06T18:00:00Z"}) {
		t.Errorf("open %v", got)
	}
	_, err = w.Book(t.Context(), w.API, apptest.Input("yoga", "1T09", "bo"))
	w.Refused(err, fault.BadRequest, "outside_hours")
	w.Booked("yoga", "6T18", "bo")
	_, err = w.Shop.AddTimeOff(t.Context(), w.Owner, catalog.HostID(1).String(), "2026-12-01", "2026-12-01", "")
	w.Must(err)
	if got := open(); !slices.Equal(got, []string{"2026-12-06T18:00:00Z"}) {
		t.Errorf("with the host away: %v", got)
	}
	e.Dates = []string{"soon"}
	_, err = w.Shop.SaveEventType(t.Context(), w.Owner, e)
	if wrong := w.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "eventType.dates[0]" {
		t.Errorf("%+v", wrong)
	}
}
