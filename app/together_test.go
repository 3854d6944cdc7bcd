package app_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/slot"
	"daybook/app/when"
)

// together adds an event type that the n-th host leads and two hosts do, of those named.
func (w *world) together(slug string, host int, of ...catalog.HostID) {
	w.T.Helper()
	w.offer(slug, 3, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: catalog.HostID(host)}}
		e.Needs = []catalog.Need{{Hosts: 2, Of: of}}
	})
}

// solo adds a service of the n-th host alone, every quarter of an hour.
func (w *world) solo(slug string, host, minutes int) {
	w.T.Helper()
	w.offer(slug, 3, func(e *catalog.EventType) {
		e.Hosts, e.DurationMinutes, e.SlotStepMinutes = []catalog.HostRef{{ID: catalog.HostID(host)}}, minutes, 15
	})
}

// who returns who does a booking, the one who leads first, as it says itself.
func who(b booking.Booking) string {
	var all []string
	for _, h := range b.Hosts {
		all = append(all, fmt.Sprint(int64(h.ID)))
	}
	return strings.Join(all, "+")
}

func (w *world) wantWho(b booking.Booking, want string) {
	w.T.Helper()
	again, err := w.Find(w.T.Context(), w.API, b.ID.String())
	w.Must(err)
	if who(b) != want || who(again) != want || len(b.Hosts) > 0 && b.Hosts[0] != b.Host {
		w.T.Errorf("%s at %s is done by %q, and when read again by %q, want %q", b.EventType, b.Start, who(b), who(again), want)
	}
}

// Whoever is taken beside the host can't be booked at that time; a move keeps them if they are free, and what ends the
// booking frees them.
func TestSecondPersonIsTaken(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2, 3)
	for host := 1; host <= 3; host++ {
		w.solo(fmt.Sprintf("cut%d", host), host, 30)
	}
	b := w.Booked("massage", "1T09:00", "Mia")
	w.wantWho(b, "1+2")
	if b.Host.ID != 1 {
		t.Errorf("%s leads", b.Host.ID)
	}
	w.refusedFor(apptest.Input("cut1", "1T09:00", "Bo"), slot.Booked)
	w.refusedFor(apptest.Input("cut2", "1T09:30", "Bo"), slot.Booked)
	w.Booked("cut3", "1T09:30", "Bo")
	if got := w.openAt("cut2", "1T08:00", "1T11:00"); slices.Contains(got, "09:00") || !slices.Contains(got, "10:00") {
		t.Errorf("open for a cut: %q", got)
	}
	plain := w.Booked("cut2", "1T10:00", "Cy")
	if plain.Hosts != nil {
		t.Errorf("a plain booking is done by %v", plain.Hosts)
	}
	w.Booked("cut2", "1T11:00", "Cy")

	w.wantWho(w.Booked("massage", "1T11:00", "Di"), "1+3")
	_, err := w.Cancel(t.Context(), w.API, plain.ID.String(), booking.CancelInput{})
	w.Must(err)
	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T10:00")})
	w.Must(err)
	w.wantWho(b, "1+2")
	w.Booked("cut2", "1T09:00", "Bo")
	w.Booked("cut2", "1T13:00", "Bo")
	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T13:00")})
	w.Must(err)
	w.wantWho(b, "1+3")
	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T14:00")})
	w.Must(err)
	w.wantWho(b, "1+3") // though 2 is free and stands in front
	b, err = w.Cancel(t.Context(), w.API, b.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.wantWho(b, "1+3")
	w.Booked("cut3", "1T14:00", "Ed")
	w.nobodyTwice()
}

// Without names, the others are those who serve it; a slot's hosts are those who lead. None of them is beside themselves.
func TestSecondPersonOfTheService(t *testing.T) {
	w := newWorld(t)
	w.offer("massage", 3, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}}
		e.Needs = []catalog.Need{{Hosts: 2}}
	})
	found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "massage", From: apptest.At("1T09:00"), To: apptest.At("1T10:00")})
	w.Must(err)
	if s := found.Slots(); len(s) != 1 || !slices.Equal(s[0].Hosts, []catalog.HostID{1, 2}) {
		t.Errorf("%+v", s)
	}
	in := apptest.Input("massage", "1T09:00", "Mia")
	in.Host = catalog.HostID(2).String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "2+1")
	w.refusedFor(apptest.Input("massage", "1T09:00", "Bo"), slot.Booked)
	for _, h := range []catalog.HostID{1, 2} { // a key that knows one of them takes the other, too
		key := w.API
		key.Limits = &right.Limits{Hosts: []catalog.HostID{h}}
		if b, err = w.Book(t.Context(), key, apptest.Input("massage", fmt.Sprintf("1T1%d:00", h), "Cy")); err != nil || b.Host.ID != h || len(b.Hosts) != 2 {
			t.Errorf("a key of one host books %v, %v", b.Hosts, err)
		}
	}
	w.alterHost(2, func(h *catalog.Host) { h.Active = false })
	w.refusedFor(apptest.Input("massage", "1T14:00", "Bo"), slot.HostsTaken)
}

// Hours, times off and other calendars of the second person count, and can be waived; their time never can, nor can the
// need of them.
func TestSecondPersonsHours(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	at := func(text string) when.Instant {
		start, err := booking.ParseStart(apptest.At(text))
		w.Must(err)
		return start
	}
	w.alterHost(2, func(h *catalog.Host) {
		h.TimeOff = []catalog.TimeOff{{Start: at("1T11:00"), End: at("1T12:00")}}
		h.Overrides = []catalog.Override{{Date: "2026-12-02", Hours: []string{"10:00-12:00"}}}
	})
	if got := w.openAt("massage", "1T10:00", "1T13:00"); slices.Contains(got, "11:00") || !slices.Contains(got, "10:00") || !slices.Contains(got, "12:00") {
		t.Errorf("open at %q", got)
	}
	w.refusedFor(apptest.Input("massage", "1T11:00", "Mia"), slot.TimeOff)
	in := apptest.Input("massage", "1T11:00", "Mia")
	in.Override = []string{string(slot.TimeOff)}
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "1+2")
	w.refusedFor(apptest.Input("massage", "1T11:00", "Bo"), slot.Booked)

	_, err = w.Book(t.Context(), w.API, apptest.Input("massage", "2T13:00", "Mia"))
	if e := w.Refused(err, fault.BadRequest, "outside_hours"); !slices.Equal(e.Details["reasons"].([]slot.Reason), []slot.Reason{slot.OutsideHours}) {
		t.Errorf("%v", e.Details)
	}
	in = apptest.Input("massage", "2T13:00", "Mia")
	in.Override = []string{string(slot.OutsideHours)}
	b, err = w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "1+2")

	w.solo("cut", 2, 30)
	w.Booked("cut", "1T13:00", "Cy")
	in = apptest.Input("massage", "1T13:00", "Mia")
	w.refusedFor(in, slot.HostsTaken)
	for _, r := range booking.Overridable {
		in.Override = append(in.Override, string(r))
	}
	w.refusedFor(in, slot.HostsTaken)
	found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "massage", From: apptest.At("1T12:00"),
		To: apptest.At("1T14:00"), Explain: true})
	w.Must(err)
	if !slices.ContainsFunc(found.Closed(), func(c availability.ClosedSlot) bool {
		return c.Start == at("1T13:00") && c.Reason == slot.HostsTaken && len(c.Others) == 1 && c.Others[0].ID == 2
	}) {
		t.Errorf("it is explained by %+v", found.Closed())
	}
	w.nobodyTwice()
}

// The second person has the buffers of the service, as the host has.
func TestSecondPersonsBuffers(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	w.Alter("massage", func(e *catalog.EventType) { e.BufferAfterMinutes = 15 })
	w.solo("cut", 2, 15)
	b := w.Booked("massage", "1T09:00", "Mia")
	w.refusedFor(apptest.Input("cut", "1T10:00", "Bo"), slot.Buffer)
	w.Booked("cut", "1T10:15", "Bo")
	w.Booked("cut", "1T12:00", "Bo")
	w.refusedFor(apptest.Input("massage", "1T11:00", "Cy"), slot.Buffer)
	in := apptest.Input("massage", "1T11:00", "Cy")
	in.Override = []string{string(slot.Buffer)}
	late, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(late, "1+2")
	end := apptest.At("1T10:30") // longer than the second person has time
	_, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{End: &end}, "")
	w.Refused(err, fault.Conflict, "slot_taken")
	w.nobodyTwice()
}

// A session takes its second person once, however many seats are booked, until the last is given back.
func TestSessionTakesItsSecondPersonOnce(t *testing.T) {
	w := newWorld(t)
	w.together("yoga", 1, 2, 3)
	w.Alter("yoga", func(e *catalog.EventType) { e.Seats = 3 })
	w.solo("cut", 2, 30)
	first, second := w.Booked("yoga", "1T09:00", "Mia"), w.Booked("yoga", "1T09:00", "Bo")
	w.wantWho(first, "1+2")
	w.wantWho(second, "1+2")
	_, err := w.Cancel(t.Context(), w.API, first.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.refusedFor(apptest.Input("cut", "1T09:00", "Cy"), slot.Booked)
	w.Alter("yoga", func(e *catalog.EventType) { e.Needs = nil })
	third := w.Booked("yoga", "1T09:00", "Di")
	w.wantWho(third, "1+2")
	for _, b := range []booking.Booking{second, third} {
		w.refusedFor(apptest.Input("cut", "1T09:00", "Cy"), slot.Booked)
		_, err = w.Cancel(t.Context(), w.API, b.ID.String(), booking.CancelInput{})
		w.Must(err)
	}
	w.Booked("cut", "1T09:00", "Cy")
}

// Seats of a session count for the host who leads only: another session of the second person isn't joined by it, nor
// does it count as one of theirs.
func TestSecondPersonHasNoSessionOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	w.offer("yoga", 3, func(e *catalog.EventType) {
		e.Hosts, e.Needs, e.Seats, e.MaxPerDay = []catalog.HostRef{{ID: 1}, {ID: 2}}, []catalog.Need{{Hosts: 2, Of: []catalog.HostID{2, 3}}}, 3, 1
	})
	in := apptest.Input("yoga", "1T09:00", "Mia")
	in.Host = catalog.HostID(1).String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "1+2")
	in = apptest.Input("yoga", "1T09:00", "Bo")
	in.Host = catalog.HostID(2).String()
	w.refusedFor(in, slot.Booked)
	in.Start = apptest.At("1T11:00")
	b, err = w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "2+3")
}

// The second person works while the host does: a wait is theirs.
func TestSecondPersonDuringParts(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) { e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{2}}} })
	w.Alter("trim", func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 2}} })
	b := w.Booked("colour", "1T09:00", "Mia")
	w.wantWho(b, "1+2")
	w.refusedFor(apptest.Input("trim", "1T09:30", "Bo"), slot.Booked)
	w.Booked("trim", "1T09:45", "Bo")
	w.refusedFor(apptest.Input("trim", "1T10:30", "Bo"), slot.Booked)
	w.nobodyTwice()
}

// What is held holds the second person, until it is booked or its time is over.
func TestHoldHoldsTheSecondPerson(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	w.solo("cut", 2, 30)
	h, err := w.Hold(t.Context(), w.API, app.HoldInput{EventType: "massage", Start: apptest.At("1T09:00")})
	w.Must(err)
	if len(h.Hosts) != 2 || h.Hosts[1].ID != 2 {
		t.Errorf("held are %v", h.Hosts)
	}
	w.refusedFor(apptest.Input("cut", "1T09:00", "Bo"), slot.Held)
	in := apptest.Input("massage", "1T09:00", "Mia")
	in.Hold = h.ID.String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "1+2")
	h, err = w.Hold(t.Context(), w.API, app.HoldInput{EventType: "massage", Start: apptest.At("1T11:00")})
	w.Must(err)
	w.Clock.Set(h.ExpiresAt.Time())
	w.Booked("cut", "1T11:00", "Bo")
}

// A no-show that comes back after its second person was booked would have them twice.
func TestUndoneNoShowNeedsItsSecondPerson(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	w.solo("cut", 2, 30)
	w.Alter("cut", func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	b := w.Booked("massage", "1T09:00", "Mia")
	w.at("+1 09:05")
	b, err := w.MarkNoShow(t.Context(), w.Owner, b.ID.String())
	w.Must(err)
	w.wantWho(b, "1+2")
	other := w.Booked("cut", "1T09:30", "Bo")
	_, err = w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	if e := w.Refused(err, fault.Conflict, "slot_taken"); e.Details["bookingId"] != other.ID {
		t.Errorf("it is in the way of %v", e.Details)
	}
	_, err = w.Cancel(t.Context(), w.API, other.ID.String(), booking.CancelInput{})
	w.Must(err)
	b, err = w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	w.Must(err)
	w.wantWho(b, "1+2")
	w.refusedFor(apptest.Input("cut", "1T09:30", "Bo"), slot.Booked)
}

// Another length keeps who does it, whatever the service needs by now; another service, or host, finds them anew.
func TestEditedBookingAndItsSecondPerson(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	b := w.Booked("massage", "1T09:00", "Mia")
	w.Alter("massage", func(e *catalog.EventType) { e.Needs = nil })
	end := apptest.At("1T10:30")
	b, err := w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{End: &end}, "")
	w.Must(err)
	w.wantWho(b, "1+2")
	w.together("facial", 1, 3)
	facial := "facial"
	b, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{EventType: &facial}, "")
	w.Must(err)
	w.wantWho(b, "1+3")
	w.Alter("facial", func(e *catalog.EventType) {
		e.Hosts, e.Needs = []catalog.HostRef{{ID: 1}, {ID: 3}}, []catalog.Need{{Hosts: 2, Of: []catalog.HostID{3, 1}}}
	})
	three := catalog.HostID(3).String()
	b, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{Host: &three}, "")
	w.Must(err)
	w.wantWho(b, "3+1")
	w.Alter("facial", func(e *catalog.EventType) { e.Needs = nil })
	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T12:00")})
	w.Must(err)
	w.wantWho(b, "")
	w.solo("cut", 1, 30)
	w.Booked("cut", "1T12:00", "Bo")
}

// Somebody who is second in one service of a visit leads the next one, but never both at a time.
func TestVisitWithASecondPerson(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	w.solo("cut", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "massage", "cut"))
	w.wantWho(v.Items[0], "1+2")
	if v.Items[1].Host.ID != 2 || v.Items[1].Start != v.Items[0].End {
		t.Errorf("%+v", v.Items[1])
	}
	w.Alter("massage", func(e *catalog.EventType) { e.BufferAfterMinutes = 20 })
	// Who goes on has no buffer between the two, who goes has it, whoever led.
	v = w.visited(visit("1T12:00", "Bo", "massage", "cut"))
	if v.Items[1].Start != v.Items[0].End {
		t.Errorf("%s is followed by %s", v.Items[0].End, v.Items[1].Start)
	}
	w.margins("the one who leads, and goes", &v.Items[0], 0, 20)
	free := func(host int, start, reason string) {
		t.Helper()
		in := apptest.Input("solo", start, "Al")
		in.Host = catalog.HostID(host).String()
		undo := errors.New("undo")
		err := w.Store.Write(t.Context(), func(tx app.Tx) error {
			_, err := w.Service.In(tx).Book(t.Context(), w.API, in)
			return cmp.Or(err, undo)
		})
		if err == undo {
			err = nil
		}
		if reason == "" && err != nil || reason != "" && (fault.As(err) == nil || fault.As(err).Reason != reason) {
			t.Errorf("%d at %s: %v", host, start, err)
		}
	}
	w.offer("solo", 3, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 15, 5 })
	last := v.Items[1].End.Time().Format("15:04")
	free(1, "1T13:15", "slot_taken")
	free(1, "1T13:20", "")
	free(2, "1T"+last, "")
	_, err := w.Cancel(t.Context(), w.API, v.Items[1].ID.String(), booking.CancelInput{})
	w.Must(err)
	free(2, "1T13:15", "slot_taken")
	free(2, "1T13:20", "")
	w.nobodyTwice()
}

// Whoever leads the first service, helps with the second and leads the third has no buffer between them, however long the
// first one's is.
func TestVisitWithAHelper(t *testing.T) {
	w := newWorld(t)
	w.solo("aa", 1, 30)
	w.Alter("aa", func(e *catalog.EventType) { e.BufferAfterMinutes = 30 })
	w.together("bb", 2, 1, 2)
	w.Alter("bb", func(e *catalog.EventType) { e.DurationMinutes = 15 })
	w.solo("cc", 1, 30)
	v := w.visited(visit("1T12:00", "Mia", "aa", "bb", "cc"))
	w.margins("the first", &v.Items[0], 0, 0)
	w.wantWho(v.Items[1], "2+1")
	w.nobodyTwice()
}

// Sixty-four who want two hosts and a room, which services name in opposite orders, on two servers: nobody works twice,
// nothing is shared, and nobody waits for ever.
func TestContestOfSecondPersons(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	for slug, of := range map[string][2][]catalog.HostID{"there": {{1, 2}, {2, 1, 3}}, "back": {{2, 1}, {1, 3, 2}}, "again": {{3}, {2, 1}}} {
		w.offer(slug, 3, func(e *catalog.EventType) {
			e.Hosts = nil
			for _, h := range of[0] {
				e.Hosts = append(e.Hosts, catalog.HostRef{ID: h})
			}
			e.Needs, e.SlotStepMinutes = []catalog.Need{{Hosts: 2, Of: of[1]}}, 30
			if slug != "again" {
				e.Needs = append(e.Needs, catalog.Need{OneOf: oneOf(room), During: catalog.DuringAll})
			}
		})
	}
	for round := range 3 {
		errs := w.contestOf(64, func(at *apptest.Salon, i int) error {
			_, err := at.Book(t.Context(), at.API, apptest.Input([]string{"there", "back", "again"}[i%3],
				fmt.Sprintf("%dT09:%02d", 1+round, i%2*30), fmt.Sprintf("p%d", i)))
			return err
		})
		if done, _ := w.tally(errs, "slot_taken"); done < 1 || done > 2 {
			t.Errorf("%d of 64 have two of three hosts for an hour", done)
		}
	}
	w.nobodyTwice()
	w.nothingShared()
}
