package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
)

func tokenOf(url string) string { return url[strings.LastIndexByte(url, '/')+1:] }

// The link of a visit reaches its bookings and no others; that of a booking its own only.
func TestVisitLink(t *testing.T) {
	w := newWorld(t)
	w.Clock.Tick(time.Second)
	w.cut("cut", 2, 60)
	w.cut("nails", 2, 30)
	v, other := w.visited(visit("1T09:00", "Mia", "cut", "nails")), w.visited(visit("2T09:00", "Ida", "cut", "nails"))
	seen, invitee, err := w.VisitByToken(t.Context(), tokenOf(v.ManageURL))
	if w.Must(err); seen.ID != v.ID || len(seen.Items) != 2 {
		t.Fatalf("the link leads to %+v", seen)
	}
	for _, b := range v.Items {
		_, err := w.Booking(t.Context(), invitee, b.ID.String())
		w.Must(err)
	}
	_, err = w.Booking(t.Context(), invitee, other.Items[0].ID.String())
	w.Refused(err, fault.NotFound, "")
	_, err = w.Visit(t.Context(), invitee, other.ID.String())
	w.Refused(err, fault.NotFound, "")
	_, err = w.CancelVisit(t.Context(), invitee, other.ID.String(), app.CancelInput{})
	w.Refused(err, fault.NotFound, "")

	link := tokenOf(v.ManageURL)
	for _, wrong := range []string{"", "x", link[:len(link)-1], link + "0", tokenOf(v.Items[0].ManageURL), strings.ToUpper(link),
		tokenOf(other.ManageURL)[:13] + link[13:]} {
		if _, _, err := w.VisitByToken(t.Context(), wrong); !fault.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, _, err := w.BookingByToken(t.Context(), link); !fault.Is(err, fault.NotFound) {
		t.Errorf("as the link of a booking: %v", err)
	}
	_, one, err := w.BookingByToken(t.Context(), tokenOf(v.Items[0].ManageURL))
	w.Must(err)
	_, err = w.Booking(t.Context(), one, v.Items[1].ID.String())
	w.Refused(err, fault.NotFound, "")
	_, err = w.CancelVisit(t.Context(), one, v.ID.String(), app.CancelInput{})
	w.Refused(err, fault.NotFound, "")

	_, err = w.MoveVisit(t.Context(), invitee, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T11:00")})
	w.Must(err)
	gone, err := w.CancelVisit(t.Context(), invitee, v.ID.String(), app.CancelInput{})
	if w.Must(err); len(gone.Live()) != 0 {
		t.Errorf("the cancelled visit is %+v", gone)
	}
	first, err := w.Reader(t.Context()).History(w.Workspace.ID, v.Items[0].ID)
	w.Must(err)
	second, err := w.Reader(t.Context()).History(w.Workspace.ID, v.Items[1].ID)
	w.Must(err)
	for i, h := range second {
		if !h.WithVisit || h.At != first[i].At {
			t.Errorf("%s isn't said to be of the visit: at %s, and the first at %s", h.Action, h.At, first[i].At)
		}
	}
	for who, a := range map[string]app.Actor{"a visitor": {Kind: booking.ByInvitee, Workspace: w.Workspace.ID},
		"a key for open times": {Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 1, Limits: &right.Limits{Rights: right.Availability}}} {
		if _, err := w.Visit(t.Context(), a, other.ID.String()); err == nil {
			t.Errorf("%s sees the visit", who)
		}
		if _, err := w.VisitAvailability(t.Context(), a, availability.VisitInput{ExcludeVisit: other.ID.String()}); err == nil {
			t.Errorf("%s learns where the visit may move", who)
		}
	}
	reader := w.API
	reader.ReadOnly = true
	if v, err := w.Visit(t.Context(), reader, other.ID.String()); err != nil || v.ManageURL != "" {
		t.Errorf("a key that only reads sees the link %q, %v", v.ManageURL, err)
	}
}

// Where a visit may be moved is what MoveVisit takes, and nothing else.
func TestVisitMayMoveWhereItIsShown(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 60)
	w.cut("nails", 1, 30)
	v := w.visited(visit("1T10:00", "Mia", "cut", "nails"))
	w.visited(visit("1T13:00", "Ida", "nails"))
	days, from := 1, apptest.At("1T07:00")
	found, err := w.VisitAvailability(t.Context(), w.API, availability.VisitInput{Input: availability.Input{From: from, Days: &days},
		ExcludeVisit: v.ID.String()})
	w.Must(err)
	shown := map[string]availability.Slot{}
	for _, s := range found.Data {
		shown[s.Start.String()] = s
	}
	if len(shown) == 0 {
		t.Fatal("nothing is shown")
	}
	for at := time.Date(2026, 3, 3, 7, 0, 0, 0, time.UTC); at.Hour() < 19; at = at.Add(30 * time.Minute) {
		start := v.Start.Time().Truncate(24 * time.Hour).Add(time.Duration(at.Hour()*60+at.Minute()) * time.Minute)
		text := start.Format("2006-01-02T15:04:05Z")
		moved, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: text})
		s, is := shown[moved.Start.String()]
		switch {
		case err != nil:
			if _, is := shown[text]; is {
				t.Errorf("%s is shown and refused: %v", text, err)
			}
			continue
		case !is:
			t.Errorf("%s is not shown, but taken", text)
			continue
		}
		for i := range s.Items {
			if s.Items[i].Start != moved.Items[i].Start || s.Items[i].End != moved.Items[i].End {
				t.Errorf("%s: shown %+v, moved to %s", text, s.Items, itinerary(moved))
			}
		}
		_, err = w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T10:00")})
		w.Must(err)
	}
	_, err = w.VisitAvailability(t.Context(), w.API, availability.VisitInput{Input: availability.Input{From: from},
		ExcludeVisit: v.ID.String(), Items: visit("", "Mia", "cut").Items})
	w.Refused(err, fault.BadRequest, "invalid")
	_, err = w.CancelVisit(t.Context(), w.API, v.ID.String(), app.CancelInput{})
	w.Must(err)
	_, err = w.VisitAvailability(t.Context(), w.API, availability.VisitInput{ExcludeVisit: v.ID.String()})
	w.Refused(err, fault.BadRequest, "invalid")
}

// What waits for approval in a visit is confirmed, declined and lapses together.
func TestVisitIsDecidedAsOne(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 1, 60)
	w.cut("nails", 2, 30)
	w.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	asked := func(day string) booking.Visit { return w.visited(visit(day+"T10:00", "Mia"+day, "cut/1", "nails/2")) }
	is := func(v booking.Visit, want booking.Status) {
		t.Helper()
		now, err := w.Visit(t.Context(), w.API, v.ID.String())
		w.Must(err)
		for _, b := range now.Items {
			if b.Status != want {
				t.Errorf("%s is %s, not %s", b.EventType, b.Status, want)
			}
		}
	}
	yes, no, late, part := asked("1"), asked("2"), asked("3"), asked("4")
	is(yes, booking.Pending)
	b, err := w.Confirm(t.Context(), w.API, yes.Items[1].ID.String())
	if w.Must(err); b.Status != booking.Confirmed || b.ID != yes.Items[1].ID {
		t.Errorf("confirming answers %+v", b)
	}
	is(yes, booking.Confirmed)
	_, err = w.Confirm(t.Context(), w.API, yes.Items[0].ID.String())
	w.Refused(err, fault.Conflict, "wrong_state")
	_, err = w.Decline(t.Context(), w.API, no.Items[0].ID.String(), "Sorry")
	w.Must(err)
	is(no, booking.Cancelled)

	staff := app.Actor{Kind: booking.ByOwner, Role: app.StaffRole, User: 1, Workspace: w.Workspace.ID, Host: 1}
	_, err = w.Confirm(t.Context(), staff, part.Items[0].ID.String())
	w.Refused(err, fault.Forbidden, "")
	is(part, booking.Pending)
	_, err = w.Cancel(t.Context(), w.API, part.Items[0].ID.String(), app.CancelInput{})
	w.Must(err)
	_, err = w.Decline(t.Context(), w.API, part.Items[1].ID.String(), "")
	w.Must(err)
	is(part, booking.Cancelled)

	half := asked("5")
	_, err = w.Cancel(t.Context(), w.API, half.Items[1].ID.String(), app.CancelInput{})
	w.Must(err)

	w.Clock.Advance(49 * time.Hour)
	for range 3 {
		_, err = w.Lapse(t.Context(), 1)
		w.Must(err)
	}
	is(half, booking.Cancelled)
	is(late, booking.Cancelled)
	is(yes, booking.Confirmed)
}
