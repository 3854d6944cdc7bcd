package app_test

import (
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// Every mark and its undo: from when, in which state, by whom, and what stays behind of it.
func TestAttendance(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo") // tomorrow
	id := b.ID.String()
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 7, Role: app.OwnerRole}
	do := map[app.Mark]func(a app.Actor) (booking.Booking, error){
		app.ArrivedMark: func(a app.Actor) (booking.Booking, error) { return w.MarkArrived(ctx, a, id) },
		app.DoneMark:    func(a app.Actor) (booking.Booking, error) { return w.MarkDone(ctx, a, id) },
		app.NoShowMark:  func(a app.Actor) (booking.Booking, error) { return w.MarkNoShow(ctx, a, id) },
		"undo":          func(a app.Actor) (booking.Booking, error) { return w.UndoMark(ctx, a, id, "") },
		"undo done":     func(a app.Actor) (booking.Booking, error) { return w.UndoMark(ctx, a, id, app.DoneMark) },
		"move": func(a app.Actor) (booking.Booking, error) {
			return w.act("move", id, "3T09")
		},
		"cancel": func(a app.Actor) (booking.Booking, error) { return w.act("cancel", id, "") },
	}
	for _, step := range []struct {
		at            string
		do            app.Mark
		refused       string // the reason; "" is done
		arrived, done bool
		status        booking.Status
	}{
		{"+0 22:59", app.ArrivedMark, "wrong_state", false, false, booking.Confirmed}, // the day before, in Berlin
		{"", "undo", "nothing_to_undo", false, false, booking.Confirmed},
		{"+0 23:00", app.DoneMark, "wrong_state", false, false, booking.Confirmed}, // before the start
		{"", app.NoShowMark, "wrong_state", false, false, booking.Confirmed},
		{"", app.ArrivedMark, "", true, false, booking.Confirmed},
		{"", app.ArrivedMark, "", true, false, booking.Confirmed}, // again
		{"+1 09:01", app.NoShowMark, "has_come", true, false, booking.Confirmed},
		{"", "undo done", "nothing_to_undo", true, false, booking.Confirmed}, // it is not the last
		{"", app.DoneMark, "", true, true, booking.Confirmed},
		{"", app.DoneMark, "", true, true, booking.Confirmed},
		{"", app.ArrivedMark, "", true, true, booking.Confirmed},
		{"", app.NoShowMark, "has_come", true, true, booking.Confirmed},
		{"", "undo done", "", true, false, booking.Confirmed},
		{"", "undo done", "nothing_to_undo", true, false, booking.Confirmed}, // tapped twice
		{"", "undo", "", false, false, booking.Confirmed},
		{"", app.DoneMark, "", false, true, booking.Confirmed},               // nobody marked the arrival
		{"", app.ArrivedMark, "wrong_state", false, true, booking.Confirmed}, // and now nobody can
		{"", app.NoShowMark, "has_come", false, true, booking.Confirmed},
		{"", "undo", "", false, false, booking.Confirmed},
		{"", app.NoShowMark, "", false, false, booking.NoShow},
		{"", app.ArrivedMark, "wrong_state", false, false, booking.NoShow},
		{"", app.DoneMark, "wrong_state", false, false, booking.NoShow},
		{"", "undo", "", false, false, booking.Confirmed},
		{"", app.ArrivedMark, "", true, false, booking.Confirmed},
		{"", "move", "", false, false, booking.Rescheduled}, // to a day that has not come
		{"+4 10:00", app.DoneMark, "", false, true, booking.Rescheduled},
		{"", "cancel", "", false, true, booking.Cancelled},
		{"", "undo", "nothing_to_undo", false, true, booking.Cancelled},
		{"", app.ArrivedMark, "wrong_state", false, true, booking.Cancelled},
	} {
		if step.at != "" {
			w.at(step.at)
		}
		got, err := do[step.do](owner)
		if step.refused != "" {
			if e := w.Refused(err, fault.Conflict, step.refused); e.Details["status"] != step.status {
				t.Errorf("%s at %s: %+v", step.do, w.Now(), e)
			}
		} else {
			w.Must(err)
			if (got.ArrivedAt != 0) != step.arrived || (got.DoneAt != 0) != step.done {
				t.Errorf("%s at %s answers %+v", step.do, w.Now(), got)
			}
		}
		stored, err := w.Booking(ctx, w.API, id)
		w.Must(err)
		if stored.Status != step.status || (stored.ArrivedAt != 0) != step.arrived || (stored.DoneAt != 0) != step.done {
			t.Fatalf("%s at %s stored %+v", step.do, w.Now(), stored)
		}
	}
	history, err := w.History(ctx, w.API, id)
	w.Must(err)
	var acts []booking.Action
	for _, h := range history {
		acts = append(acts, h.Action)
		if h.Action == booking.ActArrived && (h.By != owner.User.String() || h.From != booking.Confirmed || h.To != booking.Confirmed) {
			t.Errorf("the history has %+v", h)
		}
	}
	if want := []booking.Action{"created", "arrived", "done", "done_undone", "arrived_undone", "done", "done_undone", "no_show",
		"no_show_undone", "arrived", "rescheduled", "done", "cancelled"}; !slices.Equal(acts, want) {
		t.Errorf("the history has %v, want %v", acts, want)
	}
	if told := w.EventKinds(); len(told) != 4 {
		t.Errorf("told %v: arrivals and what is done are no events", told)
	}
}

// Staff mark their own host's bookings only; a guest marks none; a request that waits can't have been visited.
func TestWhoMarksAttendance(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("ask", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
	b, asked := w.Booked("cut", "1T09", "bo"), w.Booked("ask", "1T12", "cy")
	_, invitee, err := w.BookingByToken(t.Context(), b.ManageURL[len("/booking/"):])
	w.Must(err)
	w.at("+1 13:00")
	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 8, Role: app.StaffRole, Host: b.Host.ID + 1}
	own := staff
	own.Host = b.Host.ID
	for _, mark := range []func(a app.Actor, id string) (booking.Booking, error){
		func(a app.Actor, id string) (booking.Booking, error) { return w.MarkArrived(t.Context(), a, id) },
		func(a app.Actor, id string) (booking.Booking, error) { return w.MarkDone(t.Context(), a, id) },
		func(a app.Actor, id string) (booking.Booking, error) { return w.UndoMark(t.Context(), a, id, "") },
		func(a app.Actor, id string) (booking.Booking, error) { return w.UndoMark(t.Context(), a, id, "") },
		func(a app.Actor, id string) (booking.Booking, error) { return w.MarkNoShow(t.Context(), a, id) },
	} {
		if _, err := mark(staff, b.ID.String()); !fault.Is(err, fault.NotFound) {
			t.Errorf("another host's staff: %v", err)
		}
		if _, err := mark(invitee, b.ID.String()); !fault.Is(err, fault.Forbidden) {
			t.Errorf("the invitee: %v", err)
		}
		if _, err := mark(own, asked.ID.String()); !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
			t.Errorf("a request that waits: %v", err)
		}
		_, err := mark(own, b.ID.String())
		w.Must(err)
	}
}
