package app_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// resource adds a room that can always be used, changed by with unless that is nil.
func (w *world) resource(name string, with func(*catalog.Resource)) catalog.ResourceID {
	w.T.Helper()
	now := w.Clock.Now()
	r := catalog.Resource{ID: id.New[catalog.ResourceIDKind](now), WorkspaceID: w.Workspace.ID, Name: name, Active: true,
		CreatedAt: when.At(now)}
	if with != nil {
		with(&r)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	w.Must(r.Check("resource", setup.Zone))
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error { return tx.InsertResource(&r) }))
	return r.ID
}

// needing adds an event type of the n-th host that needs one of the resources.
func (w *world) needing(slug string, host int, needs ...[]catalog.ResourceID) {
	w.T.Helper()
	w.offer(slug, 3, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: catalog.HostID(host)}}
		for _, oneOf := range needs {
			e.Needs = append(e.Needs, catalog.Need{OneOf: oneOf, During: catalog.DuringAll})
		}
	})
}

func oneOf(ids ...catalog.ResourceID) []catalog.ResourceID { return ids }

// names returns what a booking takes besides its host.
func names(b booking.Booking) (all []string) {
	for _, r := range b.Resources {
		all = append(all, r.Name)
	}
	return all
}

// refusedFor books, and wants to be refused for the reason, which the owner can't waive.
func (w *world) refusedFor(in booking.BookInput, reason slot.Reason) {
	w.T.Helper()
	_, err := w.Book(w.T.Context(), w.API, in)
	e := w.Refused(err, fault.Conflict, "slot_taken")
	if why, _ := e.Details["reasons"].([]slot.Reason); !slices.Contains(why, reason) {
		w.T.Errorf("%s at %s is refused for %v, want %s", in.EventType, in.Start, e.Details["reasons"], reason)
	}
}

// openAt returns the starts of a day in UTC at which the event type can be booked.
func (w *world) openAt(slug, from, to string) (starts []string) {
	w.T.Helper()
	found, err := w.Availability(w.T.Context(), w.API, availability.Input{EventType: slug, From: apptest.At(from), To: apptest.At(to)})
	w.Must(err)
	for _, s := range found.Slots() {
		starts = append(starts, s.Start.Time().UTC().Format("15:04"))
	}
	return starts
}

// Two hosts who share a chair can't both use it, whatever the owner waives; what frees one frees the chair.
func TestResourceIsTakenOnce(t *testing.T) {
	w := newWorld(t)
	chair := w.resource("Basin", nil)
	w.needing("colour", 1, oneOf(chair))
	w.needing("wash", 2, oneOf(chair))
	b := w.Booked("colour", "1T09:00", "Mia")
	if got := names(b); !slices.Equal(got, []string{"Basin"}) {
		t.Errorf("the colour takes %q", got)
	}
	w.refusedFor(apptest.Input("wash", "1T09:00", "Bo"), slot.ResourceTaken)
	in := apptest.Input("wash", "1T09:00", "Bo")
	for _, r := range booking.Overridable {
		in.Override = append(in.Override, string(r))
	}
	w.refusedFor(in, slot.ResourceTaken)
	in.Override = []string{string(slot.ResourceTaken)}
	_, err := w.Book(t.Context(), w.API, in)
	w.Refused(err, fault.BadRequest, "invalid")
	if got := w.openAt("wash", "1T08:00", "1T11:00"); slices.Contains(got, "09:00") || !slices.Contains(got, "10:00") {
		t.Errorf("open for a wash: %q", got)
	}
	found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "wash", From: apptest.At("1T08:00"),
		To: apptest.At("1T11:00"), Explain: true})
	w.Must(err)
	if !slices.ContainsFunc(found.Closed(), func(c availability.ClosedSlot) bool {
		return c.Start == b.Start && c.Reason == slot.ResourceTaken && len(c.Resources) == 1 && c.Resources[0].Name == "Basin"
	}) {
		t.Errorf("it is explained by %+v", found.Closed())
	}

	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T10:00")})
	w.Must(err)
	if got := names(b); !slices.Equal(got, []string{"Basin"}) {
		t.Errorf("the moved colour takes %q", got)
	}
	w.Booked("wash", "1T09:00", "Bo")
	w.refusedFor(apptest.Input("wash", "1T10:00", "Cy"), slot.ResourceTaken)
	b, err = w.Cancel(t.Context(), w.API, b.ID.String(), booking.CancelInput{})
	w.Must(err)
	if got := names(b); !slices.Equal(got, []string{"Basin"}) {
		t.Errorf("the cancelled colour has taken %q", got)
	}
	w.Booked("wash", "1T10:00", "Cy")
}

// Of several that are free the one is taken that the fewest services need, then the first; a move keeps it.
func TestResourceThatFewNeedIsTakenFirst(t *testing.T) {
	w := newWorld(t)
	a, b, c := w.resource("A", nil), w.resource("B", nil), w.resource("C", nil)
	w.needing("massage", 1, oneOf(a, b, c))
	w.needing("facial", 2, oneOf(a))
	w.needing("nails", 3, oneOf(a, b, c))
	want := func(b booking.Booking, name string) {
		t.Helper()
		if got := names(b); len(got) != 1 || got[0] != name {
			t.Errorf("%s at %s takes %q, want %s", b.EventType, b.Start, got, name)
		}
	}
	first := w.Booked("massage", "1T09:00", "Mia")
	want(first, "B") // A is left for facials
	second := w.Booked("nails", "1T09:00", "Bo")
	want(second, "C")
	moved, err := w.Reschedule(t.Context(), w.API, second.ID.String(), app.RescheduleInput{Start: apptest.At("1T11:00")})
	w.Must(err)
	want(moved, "C") // which it has, though B is free
	want(w.Booked("nails", "1T09:00", "Bo"), "C")
	w.Booked("facial", "1T09:00", "Cy")
	w.refusedFor(apptest.Input("massage", "1T09:00", "Di"), slot.Booked)
}

// A choice for one need doesn't take what only another one can be met by.
func TestResourcesAreMatched(t *testing.T) {
	w := newWorld(t)
	room, laser := w.resource("Room", nil), w.resource("Laser room", nil)
	w.needing("laser", 1, oneOf(room, laser), oneOf(room))
	if got := names(w.Booked("laser", "1T09:00", "Mia")); !slices.Equal(got, []string{"Laser room", "Room"}) {
		t.Errorf("takes %q", got)
	}
}

// A session takes its room once, however many seats are booked, and until the last of them is given back.
func TestSessionTakesItsRoomOnce(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	w.needing("yoga", 1, oneOf(room))
	w.Alter("yoga", func(e *catalog.EventType) { e.Seats = 3 })
	w.needing("cut", 2, oneOf(room))
	first, second := w.Booked("yoga", "1T09:00", "Mia"), w.Booked("yoga", "1T09:00", "Bo")
	if got := names(second); !slices.Equal(got, []string{"Room"}) {
		t.Errorf("the second seat takes %q", got)
	}
	_, err := w.Cancel(t.Context(), w.API, first.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.refusedFor(apptest.Input("cut", "1T09:00", "Cy"), slot.ResourceTaken)
	w.Alter("yoga", func(e *catalog.EventType) { e.Needs = nil }) // the session keeps its room
	third := w.Booked("yoga", "1T09:00", "Di")
	_, err = w.Cancel(t.Context(), w.API, second.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.refusedFor(apptest.Input("cut", "1T09:00", "Cy"), slot.ResourceTaken)
	_, err = w.Cancel(t.Context(), w.API, third.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.Booked("cut", "1T09:00", "Cy")
}

// What is held holds its room, until it is booked or its time is over.
func TestHoldHoldsTheRoom(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	w.needing("massage", 1, oneOf(room))
	w.needing("facial", 2, oneOf(room))
	h, err := w.Hold(t.Context(), w.API, app.HoldInput{EventType: "massage", Start: apptest.At("1T09:00")})
	w.Must(err)
	w.refusedFor(apptest.Input("facial", "1T09:00", "Bo"), slot.ResourceTaken)
	in := apptest.Input("massage", "1T09:00", "Mia")
	in.Hold = h.ID.String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if got := names(b); !slices.Equal(got, []string{"Room"}) {
		t.Errorf("the booking of the hold takes %q", got)
	}
	h, err = w.Hold(t.Context(), w.API, app.HoldInput{EventType: "massage", Start: apptest.At("1T10:00")})
	w.Must(err)
	w.Clock.Set(h.ExpiresAt.Time())
	w.Booked("facial", "1T10:00", "Bo")
}

// A no-show that comes back after its room was booked would be there twice; where only the buffer was entered, it comes
// back without its own.
func TestUndoneNoShowNeedsItsRoom(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	w.needing("massage", 1, oneOf(room))
	w.needing("facial", 2, oneOf(room))
	w.Alter("massage", func(e *catalog.EventType) { e.BufferAfterMinutes = 30 })
	w.Alter("facial", func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.SlotStepMinutes = 0, 15 })
	missed := func() booking.Booking {
		t.Helper()
		w.at("08:00")
		b := w.Booked("massage", "1T09:00", "Mia")
		w.at("+1 09:05")
		b, err := w.MarkNoShow(t.Context(), w.Owner, b.ID.String())
		w.Must(err)
		return b
	}
	b := missed()
	other := w.Booked("facial", "1T09:30", "Bo")
	_, err := w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	if e := w.Refused(err, fault.Conflict, "slot_taken"); e.Details["bookingId"] != other.ID {
		t.Errorf("it is in the way of %v", e.Details)
	}
	w.nothingShared()
	_, err = w.Cancel(t.Context(), w.API, other.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.Booked("facial", "1T10:15", "Bo")
	b, err = w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	w.Must(err)
	if b.BusyEnd != b.End || !slices.Equal(names(b), []string{"Room"}) {
		t.Errorf("it comes back with a buffer up to %s, in %q", b.BusyEnd, names(b))
	}
	w.nothingShared()
}

// A booking that only gets another length keeps its room, whatever the service needs by now and whether the room takes
// new bookings: it is refused rather than sent to another one while the customer sits there.
func TestLongerBookingKeepsItsRoom(t *testing.T) {
	w := newWorld(t)
	first, second := w.resource("First", nil), w.resource("Second", nil)
	w.needing("massage", 1, oneOf(first, second))
	w.needing("facial", 2, oneOf(first))
	b := w.Booked("massage", "1T09:00", "Mia")
	longer := func(until string) (booking.Booking, error) {
		end := apptest.At(until)
		return w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{End: &end}, "")
	}
	if got := names(b); !slices.Equal(got, []string{"Second"}) {
		t.Fatalf("it takes %q", got)
	}
	w.Alter("massage", func(e *catalog.EventType) { e.Needs = nil })
	b, err := longer("1T10:15")
	w.Must(err)
	if got := names(b); !slices.Equal(got, []string{"Second"}) {
		t.Errorf("without the need it takes %q", got)
	}
	w.Alter("massage", func(e *catalog.EventType) {
		e.Needs = []catalog.Need{{OneOf: oneOf(first, second), During: catalog.DuringAll}}
	})
	w.Must(w.SQL(`UPDATE resources SET definition = REPLACE(definition, '"active":true', '"active":false')`))
	w.Must(w.SQL(`UPDATE workspaces SET revision = revision + 1`))
	if b, err = longer("1T10:30"); err != nil || !slices.Equal(names(b), []string{"Second"}) {
		t.Errorf("in a room that takes no new ones it has %q, %v", names(b), err)
	}
	w.Must(w.SQL(`UPDATE resources SET definition = REPLACE(definition, '"active":false', '"active":true')`))
	w.Must(w.SQL(`UPDATE workspaces SET revision = revision + 1`))
	w.needing("nails", 3, oneOf(second))
	w.Booked("nails", "1T11:00", "Cy")
	_, err = longer("1T11:15")
	w.Refused(err, fault.Conflict, "slot_taken") // though First is free
}

// Strangers who hold times with one host after the other don't close the room that the hosts share.
func TestVisitorsLeaveMostOfASharedRoom(t *testing.T) {
	w := newWorld(t)
	laser := w.resource("Laser", nil)
	for host := 1; host <= 3; host++ {
		w.needing(fmt.Sprintf("laser%d", host), host, oneOf(laser))
	}
	n := 0
	for host := 1; host <= 3; host++ {
		_, err := w.Hold(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}, app.HoldInput{EventType: fmt.Sprintf("laser%d", host),
			Start:   apptest.At(fmt.Sprintf("1T%02d:00", 8+host)),
			Visitor: &app.HoldVisitor{Address: netip.AddrFrom4([4]byte{192, 0, 2, byte(host)})}})
		if err == nil {
			n++
		} else {
			w.Refused(err, fault.Conflict, "too_many_holds")
		}
	}
	if n != 1 {
		t.Errorf("strangers hold %d hours of the day of a laser, which all hosts need", n)
	}
}

// A room's hours, its times off and the buffers of bookings count; another service and end are found a room like a new
// booking.
func TestResourceHoursAndBuffers(t *testing.T) {
	w := newWorld(t)
	hours := map[string][]string{}
	for _, day := range catalog.Weekdays {
		hours[day] = []string{"10:00-13:00"}
	}
	room := w.resource("Room", func(r *catalog.Resource) {
		r.TimeZone, r.Weekly = "UTC", hours
		start, err := booking.ParseStart(apptest.At("1T11:00"))
		w.Must(err)
		r.TimeOff = []catalog.TimeOff{{Start: start, End: start + 3600_000}}
	})
	other := w.resource("Other", nil)
	w.needing("massage", 1, oneOf(room))
	if got := w.openAt("massage", "1T08:00", "1T15:00"); !slices.Equal(got, []string{"10:00", "12:00"}) {
		t.Errorf("open at %q", got)
	}
	w.needing("facial", 1, oneOf(other))
	b := w.Booked("facial", "1T11:00", "Mia")
	massage := "massage"
	_, err := w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{EventType: &massage}, "")
	w.Refused(err, fault.Conflict, "slot_taken")
	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T10:00")})
	w.Must(err)
	b, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{EventType: &massage}, "")
	w.Must(err)
	if got := names(b); !slices.Equal(got, []string{"Room"}) {
		t.Errorf("after the edit it takes %q", got)
	}
	w.needing("nails", 2, oneOf(other))
	w.Booked("nails", "1T10:00", "Bo") // the edit has given the other room back

	w.needing("wax", 3, oneOf(other))
	w.Alter("wax", func(e *catalog.EventType) { e.BufferBeforeMinutes, e.SlotStepMinutes = 15, 60 })
	w.refusedFor(apptest.Input("wax", "1T11:00", "Cy"), slot.Buffer)
	in := apptest.Input("wax", "1T11:00", "Cy")
	in.Override = []string{string(slot.Buffer)}
	if b, err = w.Book(t.Context(), w.API, in); err != nil || !slices.Equal(names(b), []string{"Other"}) {
		t.Errorf("without its buffer it takes %q, %v", names(b), err)
	}
}

// Of 64 who want one chair from two servers at one moment, with three hosts, one gets it.
func TestContestOneChair(t *testing.T) {
	w := newWorld(t)
	chair := w.resource("Chair", nil)
	for host, slug := range []string{"", "colour", "wash", "nails"} {
		if slug != "" {
			w.needing(slug, host, oneOf(chair))
		}
	}
	for round := range 4 {
		errs := w.contestOf(64, func(at *apptest.Salon, i int) error {
			_, err := at.Book(t.Context(), at.API, apptest.Input([]string{"colour", "wash", "nails"}[i%3],
				fmt.Sprintf("%dT09:00", 1+round), fmt.Sprintf("p%d", i)))
			return err
		})
		if done, refused := w.tally(errs, "slot_taken"); done != 1 || refused != 63 {
			t.Errorf("%d have the chair, %d were refused", done, refused)
		}
	}
}

// Services that name the same rooms and chairs in opposite orders don't wait for each other for ever, and no two
// bookings share anything.
func TestContestRoomsInOppositeOrders(t *testing.T) {
	w := newWorld(t)
	var all []catalog.ResourceID
	for i := range 4 {
		all = append(all, w.resource(fmt.Sprintf("Room %d", i), nil))
	}
	back := slices.Clone(all)
	slices.Reverse(back)
	w.needing("there", 1, all, back)
	w.needing("back", 2, back, all)
	w.needing("again", 3, all[:2], back[:2])
	for round := range 4 {
		errs := w.contestOf(64, func(at *apptest.Salon, i int) error {
			_, err := at.Book(t.Context(), at.API, apptest.Input([]string{"there", "back", "again"}[i%3],
				fmt.Sprintf("%dT09:00", 1+round), fmt.Sprintf("p%d", i)))
			return err
		})
		if done, _ := w.tally(errs, "slot_taken"); done != 2 {
			t.Errorf("%d of 64 were booked into 4 rooms, two of which each needs", done)
		}
	}
	w.nothingShared()
}

// nothingShared checks that no two live bookings take the same resource at one time.
func (w *world) nothingShared() {
	w.T.Helper()
	live, err := w.Store.Reader(w.T.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 1000,
		Statuses: []booking.Status{booking.Confirmed, booking.Rescheduled, booking.Pending}})
	w.Must(err)
	for i, a := range live {
		for _, b := range live[:i] {
			for _, r := range a.Resources {
				mine, theirs := a.Takes(catalog.OfResource(r.ID)), b.Takes(catalog.OfResource(r.ID))
				if slices.Contains(b.Resources, r) && mine[0].Occupied.Start < theirs[len(theirs)-1].Occupied.End &&
					theirs[0].Occupied.Start < mine[len(mine)-1].Occupied.End {
					w.T.Errorf("%s is taken by %s and %s", r.Name, a.ID, b.ID)
				}
			}
		}
	}
	if len(live) == 0 {
		w.T.Error("nothing is booked")
	}
	w.spansApart()
}
