package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/views/dash"
)

// On the page of a booking that is over nothing offers to move or cancel it as if it were to come: that stands in a list.
// One button is what comes next, and the customer's name leads to the customer, whose notes are shown.
func TestPageOfAPastBooking(t *testing.T) {
	w := newWorld(t)
	past, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Scope: "past", Status: "confirmed"})
	w.Must(err)
	var k *booking.Booking
	for i := range past.Data {
		if past.Data[i].DoneAt == 0 && past.Data[i].Status == booking.Confirmed {
			k = &past.Data[i]
		}
	}
	if k == nil {
		t.Fatal("no booking of the past is open")
	}
	c, err := w.People.ContactByID(t.Context(), w.Owner, k.ContactID.String())
	w.Must(err)
	_, err = w.People.UpdateContact(t.Context(), w.Owner, c.ID.String(), booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, Notes: "Allergic to lavender"})
	w.Must(err)
	b := w.asOwner()
	look := func(main string) {
		t.Helper()
		page := b.get(dash.BookingPath(k.ID.String()))
		b.wants(page, 200, `href="`+contactURL(c.ID)+`"><b>`+c.Name, "Allergic to lavender")
		next, rare, folded := strings.Cut(mainOf(page.body), `class="actions-more"`)
		rare, _, _ = strings.Cut(rare, "</dl>")
		if !folded || strings.Contains(next, "Cancel booking") || !strings.Contains(rare, "Cancel booking") {
			t.Errorf("folded %v\n%s\n…\n%s", folded, next, rare)
		}
		if n := strings.Count(next, "button-main"); n != 1 || !strings.Contains(next, main) {
			t.Errorf("%d buttons come next, wanted %s:\n%s", n, main, next)
		}
	}
	look(`button-main" type="submit">Done`)
	b.wants(b.post(dash.BookingDoPath(k.ID.String(), dash.DoDone)), 303)
	tab := w.browse()
	tab.signIn(w)
	for _, width := range []int64{390, 1440} {
		tab.look("light", width, 900)
		tab.open(dash.BookingPath(k.ID.String()))
		shot(tab, fmt.Sprintf("past-%d", width))
	}
	if page := mainOf(b.get(dash.BookingPath(k.ID.String())).body); strings.Count(page, `"button button-main"`) == 0 || !strings.Contains(page, "Book again") {
		t.Error(page)
	}
}
