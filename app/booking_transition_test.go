package app_test

import (
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
)

// act is an operation on a booking, by name, for tables.
func (w *world) act(name, id, to string) (booking.Booking, error) {
	ctx := w.T.Context()
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID}
	switch name {
	case "move":
		return w.Reschedule(ctx, w.API, id, app.RescheduleInput{Start: apptest.At(to)})
	case "cancel":
		return w.Cancel(ctx, w.API, id, app.CancelInput{Reason: "ill"})
	case "confirm":
		return w.Confirm(ctx, owner, id)
	case "decline":
		return w.Decline(ctx, owner, id, "no room")
	case "noshow":
		return w.MarkNoShow(ctx, w.API, id)
	case "undo":
		return w.UndoMark(ctx, owner, id, app.NoShowMark)
	}
	w.T.Fatalf("no act %q", name)
	return booking.Booking{}, nil
}

// Every state and every operation: what becomes of it, and what is told.
func TestStateMachine(t *testing.T) {
	for _, c := range []struct {
		name   string
		asks   bool     // the event type asks for approval
		before []string // operations that lead to the state
		act    string
		want   booking.Status // "" is a conflict: wrong_state, of an undo nothing_to_undo
		told   string         // the events, all that is told from the booking on; what is refused tells nothing more
	}{
		{"confirmed moved", false, nil, "move", booking.Rescheduled, "created rescheduled"},
		{"moved again", false, []string{"move"}, "move", booking.Rescheduled, "created rescheduled rescheduled"},
		{"confirmed cancelled", false, nil, "cancel", booking.Cancelled, "created cancelled"},
		{"moved cancelled", false, []string{"move"}, "cancel", booking.Cancelled, "created rescheduled cancelled"},
		{"cancelled twice", false, []string{"cancel"}, "cancel", booking.Cancelled, "created cancelled"},
		{"cancelled moved", false, []string{"cancel"}, "move", "", "created cancelled"},
		{"cancelled confirmed", false, []string{"cancel"}, "confirm", "", "created cancelled"},
		{"cancelled no-show", false, []string{"cancel", "late"}, "noshow", "", "created cancelled"},
		{"no-show too early", false, nil, "noshow", "", "created"},
		{"no-show", false, []string{"late"}, "noshow", booking.NoShow, "created no_show"},
		{"no-show twice", false, []string{"late", "noshow"}, "noshow", "", "created no_show"},
		{"no-show moved", false, []string{"late", "noshow"}, "move", "", "created no_show"},
		{"no-show cancelled", false, []string{"late", "noshow"}, "cancel", "", "created no_show"},
		{"no-show undone", false, []string{"late", "noshow"}, "undo", booking.Confirmed, "created no_show"},
		{"moved no-show undone", false, []string{"move", "late", "noshow"}, "undo", booking.Rescheduled, "created rescheduled no_show"},
		{"undo of nothing", false, nil, "undo", "", "created"},
		{"confirmed confirmed", false, nil, "confirm", "", "created"},
		{"confirmed declined", false, nil, "decline", "", "created"},
		{"past moved", false, []string{"late"}, "move", booking.Rescheduled, "created rescheduled"},
		{"past cancelled", false, []string{"late"}, "cancel", booking.Cancelled, "created cancelled"},
		{"pending confirmed", true, nil, "confirm", booking.Confirmed, "created"},
		{"pending declined", true, nil, "decline", booking.Cancelled, ""},
		{"pending cancelled", true, nil, "cancel", booking.Cancelled, ""},
		{"pending moved", true, nil, "move", booking.Pending, ""},
		{"pending moved, confirmed", true, []string{"move"}, "confirm", booking.Confirmed, "created"},
		{"pending no-show", true, nil, "noshow", "", ""},
		{"confirmed after approval, moved", true, []string{"confirm"}, "move", booking.Rescheduled, "created rescheduled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.offer("cut", 1, func(e *catalog.EventType) { e.RequiresApproval = c.asks })
			b := w.Booked("cut", "1T09", "bo")
			targets := []string{"3T10", "4T11"}
			do := func(name string) (booking.Booking, error) {
				to := targets[0]
				if name == "move" {
					targets = targets[1:]
				}
				return w.act(name, b.ID.String(), to)
			}
			told := func(want string) {
				t.Helper()
				var kinds []string
				for _, kind := range w.EventKinds() {
					kinds = append(kinds, strings.TrimPrefix(string(kind), "booking."))
				}
				if got := strings.Join(kinds, " "); got != want {
					t.Errorf("told %q, want %q", got, want)
				}
			}
			last := b
			for _, name := range c.before {
				if name == "late" {
					w.at("+2 12:00")
					if slices.Contains(c.before, "move") {
						w.at("+3 12:00")
					}
					continue
				}
				var err error
				if last, err = do(name); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			got, err := do(c.act)
			if c.want == "" {
				reason := "wrong_state"
				if c.act == "undo" {
					reason = "nothing_to_undo"
				}
				e := w.Refused(err, fault.Conflict, reason)
				if e.Details["status"] == nil {
					t.Error("no details.status")
				}
				told(c.told)
				stored, err := w.Booking(t.Context(), w.API, b.ID.String())
				w.Must(err)
				if stored.Status != e.Details["status"] || stored.UpdatedAt != last.UpdatedAt || stored.Start != last.Start {
					t.Errorf("a refusal left %+v, it was %+v", stored, last)
				}
				return
			}
			w.Must(err)
			if got.Status != c.want {
				t.Errorf("became %s, want %s", got.Status, c.want)
			}
			told(c.told)
			stored, err := w.Booking(t.Context(), w.API, b.ID.String())
			w.Must(err)
			if stored.Status != c.want || stored.UpdatedAt != got.UpdatedAt {
				t.Errorf("stored %+v", stored)
			}
			history, err := w.History(t.Context(), w.API, b.ID.String())
			w.Must(err)
			if last := history[len(history)-1]; last.To != c.want {
				t.Errorf("history ends with %+v", last)
			}
		})
	}
}

func TestMove(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	b := w.Booked("cut", "1T09", "bo")
	id := b.ID.String()
	same, err := w.act("move", id, "1T09")
	w.Must(err)
	if same.Status != booking.Confirmed || same.RescheduleCount != 0 || len(w.EventKinds()) != 1 {
		t.Errorf("the same start changed something: %+v", same)
	}
	moved, err := w.act("move", id, "1T10")
	w.Must(err)
	if moved.ID != b.ID || moved.PreviousStart != b.Start || moved.RescheduleCount != 1 || moved.Host != b.Host {
		t.Errorf("moved %+v", moved)
	}
	w.Booked("cut", "1T09", "cy") // the old time is free again
	in := apptest.Input("cut", "2T09", "dee")
	in.Host = b.Host.ID.String()
	_, err = w.Book(t.Context(), w.API, in)
	w.Must(err)
	moved, err = w.act("move", id, "2T09") // its host is taken then: another of the type's takes it
	w.Must(err)
	if moved.Host == b.Host {
		t.Error("moved to a host who is taken")
	}
	_, err = w.act("move", id, "1T03")
	w.Refused(err, fault.BadRequest, "outside_hours")
	w.offer("long", 2, func(e *catalog.EventType) { e.DurationMinutes = 480 })
	w.Booked("long", "3T08", "e1")
	w.Booked("long", "3T08", "e2")
	_, err = w.act("move", id, "3T10")
	if e := w.Refused(err, fault.Conflict, "slot_taken"); len(e.Details["alternatives"].([]availability.Slot)) != 3 {
		t.Errorf("details %+v", e.Details)
	}
	w.Booked("cut", "4T09", "bo")
	_, err = w.act("move", id, "4T09") // the invitee has that time booked already
	if e := w.Refused(err, fault.Conflict, "already_booked"); e.Details["bookingId"] == nil {
		t.Errorf("details %+v", e.Details)
	}
}

func TestLapse(t *testing.T) {
	w := newWorld(t)
	w.offer("ask", 2, func(e *catalog.EventType) { e.RequiresApproval = true })
	soon, late := w.Booked("ask", "1T09", "bo"), w.Booked("ask", "5T09", "cy")
	if soon.ExpiresAt != soon.Start || late.ExpiresAt != late.CreatedAt+48*3600_000 || *soon.PendingReason != booking.ForApproval {
		t.Errorf("expire at %s and %s", soon.ExpiresAt, late.ExpiresAt)
	}
	for _, step := range []struct {
		at   string
		want int
	}{{"+1 08:59", 0}, {"+1 09:00", 1}, {"+1 09:01", 0}, {"+2 07:00", 1}} {
		w.at(step.at)
		n, err := w.Lapse(t.Context(), 100)
		w.Must(err)
		if n != step.want {
			t.Errorf("%s: %d lapsed", step.at, n)
		}
	}
	b, err := w.Booking(t.Context(), w.API, soon.ID.String())
	w.Must(err)
	if b.Status != booking.Cancelled || b.Cancellation.By != booking.BySystem || len(w.EventKinds()) != 0 || b.PendingReason != nil {
		t.Errorf("lapsed %+v, told %v", b, w.EventKinds())
	}
}

func TestInviteesAreBoundByTheNotice(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.CancellationNoticeMinutes = 24 * 60 })
	b := w.Booked("cut", "2T09", "bo")
	token := b.ManageURL[len("/booking/"):]
	_, invitee, err := w.BookingByToken(t.Context(), token)
	w.Must(err)
	w.at("+1 09:01")
	_, err = w.Cancel(t.Context(), invitee, b.ID.String(), app.CancelInput{})
	w.Refused(err, fault.Conflict, "too_late")
	_, err = w.Reschedule(t.Context(), invitee, b.ID.String(), app.RescheduleInput{Start: apptest.At("3T09")})
	w.Refused(err, fault.Conflict, "too_late")
	w.at("+1 09:00")
	got, err := w.Cancel(t.Context(), invitee, b.ID.String(), app.CancelInput{})
	w.Must(err)
	if got.Cancellation.By != booking.ByInvitee {
		t.Errorf("cancelled by %s", got.Cancellation.By)
	}
	other := w.Booked("cut", "2T09", "cy")
	if _, err := w.Cancel(t.Context(), invitee, other.ID.String(), app.CancelInput{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("an invitee's link reached another booking: %v", err)
	}
	for _, bad := range []string{"", "x", token[:len(token)-1], token + "0", "0" + token[1:], token[:20] + "zzz" + token[23:]} {
		if _, _, err := w.BookingByToken(t.Context(), bad); !fault.Is(err, fault.NotFound) {
			t.Errorf("token %q: %v", bad, err)
		}
	}
}

// A no-show whose buffer was entered meanwhile comes back without buffers, and the history says so; one whose own time
// was taken does not come back.
func TestUndoNoShowWhoseBufferWasEntered(t *testing.T) {
	for name, c := range map[string]struct {
		start   string // of the booking that came into the way
		refused bool
		bare    bool
	}{
		"nothing": {"1T12", false, false}, "the buffer after it": {"1T10", false, true},
		"the buffer before it": {"1T08:30", false, true}, "its time": {"1T09:30", true, false},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			w := newWorld(t)
			w.offer("colour", 1, func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes = 15, 30 })
			w.offer("trim", 1, func(e *catalog.EventType) {
				e.DurationMinutes, e.SlotStepMinutes, e.MinimumNoticeMinutes = 30, 30, 0
			})
			missed := w.Booked("colour", "1T09", "amy")
			w.at("+1 9:00")
			_, err := w.act("noshow", missed.ID.String(), "")
			w.Must(err)
			in := apptest.Input("trim", c.start, "bo")
			in.Override = []string{"in_past", "too_soon"}
			_, err = w.Book(t.Context(), w.Owner, in)
			w.Must(err)
			_, err = w.act("undo", missed.ID.String(), "")
			if c.refused {
				w.Refused(err, fault.Conflict, "slot_taken")
				return
			}
			w.Must(err)
			now := w.Again(missed)
			if bare := now.BusyStart == now.Start && now.BusyEnd == now.End; bare != c.bare || now.Status != booking.Confirmed {
				t.Errorf("%s, occupied %s to %s", now.Status, now.BusyStart, now.BusyEnd)
			}
			history, err := w.History(t.Context(), w.API, missed.ID.String())
			w.Must(err)
			if last := history[len(history)-1]; slices.Contains(last.Waived, "buffer") != c.bare {
				t.Errorf("the history has %+v", last)
			}
			in = apptest.Input("trim", "1T09:30", "cy")
			in.Override = []string{"in_past", "too_soon", "buffer"}
			_, err = w.Book(t.Context(), w.Owner, in)
			w.Refused(err, fault.Conflict, "slot_taken")
		})
	}
}

// A no-show that lies too close to a booking at another place comes back, and the history says that the way was passed
// over. A booking that leaves time for the way, one at the same place and a call are no matter.
func TestUndoNoShowTooFarAway(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	w.Apply(places)
	for _, c := range []struct {
		day          int
		event, start string // of the booking that was made meanwhile
		waived       bool
	}{
		{1, "home", "12:45", true}, {2, "home", "11:00", true}, {8, "home", "13:15", false}, {9, "home", "10:45", false},
		{15, "video", "12:30", false}, {16, "shop", "12:30", false},
	} {
		name := fmt.Sprintf("%s at %s", c.event, c.start)
		missed := w.Booked("shop", fmt.Sprintf("%dT12:00", c.day), "amy")
		w.at(fmt.Sprintf("+%d 12:00", c.day))
		_, err := w.act("noshow", missed.ID.String(), "")
		w.Must(err)
		in := apptest.Input(c.event, fmt.Sprintf("%dT%s", c.day, c.start), "bo")
		in.Override = []string{"in_past", "too_soon"}
		_, err = w.Book(t.Context(), w.Owner, in)
		w.Must(err)
		_, err = w.act("undo", missed.ID.String(), "")
		w.Must(err)
		now := w.Again(missed)
		history, err := w.History(t.Context(), w.API, missed.ID.String())
		w.Must(err)
		last := history[len(history)-1]
		if slices.Contains(last.Waived, "buffer") != c.waived || now.Status != booking.Confirmed || now.BusyStart != missed.BusyStart {
			t.Errorf("%s: %s, busy from %s, the history has %+v", name, now.Status, now.BusyStart, last)
		}
	}
}

// At its very start a session can still be booked, so who did not come to it may find the seat taken.
func TestUndoNoShowNeedsAFreeSeat(t *testing.T) {
	for seats, refused := range map[int]bool{1: true, 2: true, 3: false} {
		w := newWorld(t)
		w.offer("class", 1, func(e *catalog.EventType) { e.Seats, e.MinimumNoticeMinutes = seats, 0 })
		missed := w.Booked("class", "1T09", "amy")
		w.at("+1 9:00")
		_, err := w.act("noshow", missed.ID.String(), "")
		w.Must(err)
		for _, person := range []string{"bo", "cy"}[:min(seats, 2)] {
			w.Booked("class", "1T09", person)
		}
		_, err = w.act("undo", missed.ID.String(), "")
		if !refused {
			w.Must(err)
			continue
		}
		if e := w.Refused(err, fault.Conflict, "slot_taken"); e.Details["bookingId"] == nil {
			t.Errorf("%d seats: %+v", seats, e)
		}
	}
}
