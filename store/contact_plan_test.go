package store

import (
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/store/enginetest"
)

// Visits of a hundred contacts are one query, which reads their bookings by their index, on either engine.
func TestCountsOfContactsReadOneIndex(t *testing.T) {
	db := enginetest.Open(t)
	var hundred []booking.Contact
	for i := range 100 {
		hundred = append(hundred, booking.Contact{ID: booking.ContactID(i + 1)})
	}
	for _, n := range []int{1, 7, 100} {
		query, args, all := contactCountsOf(hundred[:n], 1000)
		if all != n {
			t.Errorf("of %d contacts %d", n, all)
		}
		if !enginetest.OnPostgres() {
			got := enginetest.Plan(t, db, query, args...)
			if !strings.Contains(got, "USING INDEX bookings_by_contact (contact_id=?)") || strings.Contains(got, "SCAN bookings\n") ||
				strings.Contains(got, "TEMP B-TREE") {
				t.Errorf("%d:\n%s", n, got)
			}
			continue
		}
		if got := enginetest.PlanOnPostgres(t, db, query, args...); !strings.Contains(got, "bookings_by_contact") {
			t.Errorf("%d:\n%s", n, got)
		}
	}
	if _, _, n := contactCountsOf(append(hundred, hundred...), 1000); n != 100 {
		t.Errorf("%d contacts at once", n)
	}
}
