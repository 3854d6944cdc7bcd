package app_test

import (
	"fmt"
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
)

// staff is the member who sees the bookings of the host only.
func (w *world) staff(host catalog.HostID) app.Actor {
	return app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.StaffRole, Host: host, User: 7}
}

// Somebody who sees two of three dates changes those of a scope of which all are seen, and none of any other.
func TestSeriesChangesAsFarAsItIsSeen(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	in := weekly("cut", "1T09", "Bo", 3)
	in.Host = catalog.HostID(1).String()
	made, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	id := made.ID.String()
	_, err = w.Reschedule(t.Context(), w.API, made.Bookings[0].ID.String(), app.RescheduleInput{Start: apptest.At("1T09"), Host: catalog.HostID(2).String()})
	w.Must(err)
	ana, bob := w.staff(1), w.staff(2)
	seen, err := w.Series(t.Context(), ana, id)
	w.Must(err)
	if len(seen.Bookings) != 2 || seen.Reaches(booking.SeriesAll, 2) || !seen.Reaches(booking.SeriesFollowing, 2) || !slices.Equal(seen.Unseen, []int{1}) {
		t.Errorf("ana sees %d of them, not %v", len(seen.Bookings), seen.Unseen)
	}
	for _, scope := range []booking.SeriesScope{booking.SeriesAll, booking.SeriesFollowing} {
		want := scope == booking.SeriesFollowing
		_, moved := w.MoveSeries(t.Context(), ana, id, booking.SeriesMoveInput{From: made.Bookings[1].ID.String(), Scope: scope, Start: apptest.At("8T11")})
		_, cancelled := w.CancelSeries(t.Context(), ana, id, booking.SeriesCancelInput{From: made.Bookings[1].ID.String(), Scope: scope})
		if want != (moved == nil) || want != (cancelled == nil) {
			t.Errorf("%s: %v, %v", scope, moved, cancelled)
		}
		if !want && (!fault.Is(moved, fault.NotFound) || !fault.Is(cancelled, fault.NotFound)) {
			t.Errorf("%s: %v, %v", scope, moved, cancelled)
		}
		for i, b := range made.Bookings {
			if now := w.Again(b); !want && now.Start != b.Start || (now.Status == booking.Cancelled) != (want && i > 0) {
				t.Errorf("%s: date %d is %s, at %s", scope, i, now.Status, now.Start)
			}
		}
		if want {
			break
		}
		_, err := w.CancelSeries(t.Context(), bob, id, booking.SeriesCancelInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesFollowing})
		w.Refused(err, fault.NotFound, "")
	}
	if seen, err = w.Series(t.Context(), bob, id); err != nil || len(seen.Unseen) != 0 {
		t.Errorf("once the others are cancelled, bob doesn't see %v: %v", seen.Unseen, err)
	}
}

// What is waived for the first date is waived for all: each date says which rules that are, before and after it is booked, and
// why it can't be booked besides.
func TestSeriesSaysWhatIsSetAside(t *testing.T) {
	w := newWorld(t)
	for _, slug := range []string{"cut", "wash"} {
		w.offer(slug, 1, nil)
	}
	_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, catalog.HostID(1).String(), "2026-12-08T09:00", "2026-12-08T12:00", "")
	w.Must(err)
	early := weekly("cut", "1T05", "Bo", 3) // before the working hours
	over := weekly("cut", "1T09", "Cy", 3)  // on the second date the host is off
	visit := weekly("", "2T05", "Di", 3)
	visit.Items = []booking.VisitItem{{EventType: "cut"}, {EventType: "wash"}}
	for name, c := range map[string]struct {
		in   booking.SeriesInput
		rule slot.Reason
		want string
	}{
		"early": {early, slot.OutsideHours, "[outside_hours] [outside_hours] [outside_hours]"},
		"over":  {over, slot.TimeOff, "[] [time_off] []"},
		"visit": {visit, slot.OutsideHours, "[outside_hours] [outside_hours] [outside_hours]"},
	} {
		c.in.Override = []string{string(c.rule)}
		told := func(dates []booking.SeriesDate) (text string) {
			for i, d := range dates {
				if d.State != booking.SeriesFree || len(d.Reasons) == 0 && d.Reason != "" || len(d.Reasons) > 0 && d.Reason != string(d.Reasons[0]) {
					t.Errorf("%s %d: %+v", name, i, d)
				}
				text += fmt.Sprintf(" %v", d.Reasons)
			}
			return text[min(1, len(text)):]
		}
		shown, err := w.SeriesDates(t.Context(), w.Owner, c.in)
		w.Must(err)
		if got := told(shown); got != c.want {
			t.Errorf("%s: shown %s", name, got)
		}
		made, err := w.BookSeries(t.Context(), w.Owner, c.in)
		w.Must(err)
		if got := told(made.Dates); got != c.want {
			t.Errorf("%s: booked %s", name, got)
		}
		visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: made.Bookings[0].ID, Visit: made.Bookings[0].Visit}
		hidden, err := w.Series(t.Context(), visitor, made.ID.String())
		w.Must(err)
		for _, d := range hidden.Dates {
			if d.Reason != "" || d.Reasons != nil {
				t.Errorf("%s: the invitee reads %v", name, d.Reasons)
			}
		}
	}
	both := weekly("cut", "17T05", "Ed", 2)
	both.Override = []string{"outside_hours"}
	w.bookedAnyway("17T05")
	_, err = w.BookSeries(t.Context(), w.Owner, both)
	if d := datesOf(w.Refused(err, fault.Conflict, "series_conflict")); d[0].Reason != "booked" || fmt.Sprint(d[0].Reasons) != "[booked]" {
		t.Errorf("%+v", d[0])
	}
	made, err := w.BookSeries(t.Context(), w.Owner, weekly("cut", "3T09", "Fay", 2))
	w.Must(err)
	w.bookedAnyway("10T05")
	move := booking.SeriesMoveInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesAll, Start: apptest.At("3T05")}
	_, err = w.MoveSeries(t.Context(), w.Owner, made.ID.String(), move)
	if d := datesOf(w.Refused(err, fault.Conflict, "series_conflict")); len(d) != 2 || fmt.Sprint(d[0].Reasons, d[1].Reasons) != "[outside_hours] [outside_hours booked]" {
		t.Errorf("%+v", d)
	}
}

// bookedAnyway books a cut of somebody before the working hours.
func (w *world) bookedAnyway(at string) {
	w.T.Helper()
	in := apptest.Input("cut", at, "Any"+at)
	in.Override = []string{"outside_hours"}
	_, err := w.Book(w.T.Context(), w.Owner, in)
	w.Must(err)
}
