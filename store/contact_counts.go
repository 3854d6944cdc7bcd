// The SQL of what is counted of many contacts at once. Contacts themselves are in package store.

package store

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/when"
	"daybook/store/engine"
)

// atOnce are the numbers of contacts for which there is a statement: their ids are filled up by the last one.
var atOnce = []int{1, 10, 100}

// contactCounts counts the bookings of that many contacts, each by the index of a contact's bookings.
func contactCounts(contacts int) string {
	past := `end_ms <= ? AND ` + Any(booking.StandingStatuses)
	ahead := `end_ms > ? AND ` + Live
	return `SELECT contact_id,
		SUM(CASE WHEN ` + past + ` THEN 1 ELSE 0 END), MAX(CASE WHEN ` + past + ` THEN start_ms END),
		SUM(CASE WHEN ` + ahead + ` THEN 1 ELSE 0 END), MIN(CASE WHEN ` + ahead + ` THEN start_ms END)
		FROM bookings WHERE contact_id IN (?` + strings.Repeat(`, ?`, contacts-1) + `) GROUP BY contact_id`
}

// contactCountsOf writes the statement for the first contacts, and its arguments; it returns how many those are.
func contactCountsOf(contacts []booking.Contact, now when.Instant) (query string, args []any, n int) {
	n = atOnce[len(atOnce)-1]
	for i := len(atOnce) - 1; i >= 0 && atOnce[i] >= len(contacts); i-- {
		n = atOnce[i]
	}
	args = []any{now, now, now, now}
	for i := range n {
		args = append(args, contacts[min(i, len(contacts)-1)].ID)
	}
	return contactCounts(n), args, min(n, len(contacts))
}

// CountBookingsOf implements booking.ContactCounter.
func (q queries) CountBookingsOf(of []booking.Contact, now when.Instant) error {
	for len(of) > 0 {
		query, args, n := contactCountsOf(of, now)
		err := q.Each(query, args, func(scan func(...any) error) error {
			var id booking.ContactID
			var v booking.Contact
			err := scan(&id, &v.PastVisits, engine.OrZero(&v.LastVisitAt), &v.UpcomingBookings, engine.OrZero(&v.NextBookingAt))
			for i := range of[:n] {
				if c := &of[i]; c.ID == id {
					c.PastVisits, c.LastVisitAt = v.PastVisits, v.LastVisitAt
					c.UpcomingBookings, c.NextBookingAt = v.UpcomingBookings, v.NextBookingAt
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		of = of[n:]
	}
	return nil
}
