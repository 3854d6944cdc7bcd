package app_test

import (
	"fmt"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// A visitor who types somebody's address hears what they would hear with any other, at starts with seats or hosts left and
// at taken ones, when they book and when they move what they booked. Whoever has shown that the address is theirs is told.
func TestVisitorsLearnNothingOfAnAddress(t *testing.T) {
	w := newWorld(t)
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats = 4 })
	w.offer("any", 3, nil)
	w.offer("one", 1, nil)
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	said := func(b booking.Booking, err error) string {
		t.Helper()
		if e := fault.As(err); e != nil {
			return fmt.Sprint(e.Code, e.Reason, e.Error())
		}
		w.Must(err)
		return fmt.Sprint(b.Status, b.Start)
	}
	for service, start := range map[string]string{"class": "1T09", "any": "2T10", "one": "3T11"} {
		w.Booked(service, start, "mia")
		answers := map[string][]string{}
		for _, person := range []string{"mia", "eve"} {
			b, err := w.Book(t.Context(), visitor, apptest.Input(service, start, person))
			answers["book"] = append(answers["book"], said(b, err))
			if err == nil {
				_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
				w.Must(err)
			}
			other := w.Booked(service, "4T10", person)
			holder := visitor
			holder.Booking = other.ID
			moved, err := w.Reschedule(t.Context(), holder, other.ID.String(), booking.RescheduleInput{Start: apptest.At(start)})
			answers["move"] = append(answers["move"], said(moved, err))
			_, err = w.Cancel(t.Context(), w.Owner, other.ID.String(), app.CancelInput{})
			w.Must(err)
		}
		for what, all := range answers {
			if all[0] != all[1] {
				t.Errorf("%s, %s: the address of the booking is told %q, any other %q", service, what, all[0], all[1])
			}
		}
	}
	in := apptest.Input("class", "1T09", "mia")
	in.Proven = true
	_, err := w.Book(t.Context(), visitor, in)
	if e := w.Refused(err, fault.Conflict, "already_booked"); e.Details["bookingId"] != nil {
		t.Errorf("whoever has shown the address: %v", e.Details)
	}
}
