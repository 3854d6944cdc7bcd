// The codes with which the database keeps the states of bookings, and the terms of SQL about them.

package store

import (
	"fmt"
	"slices"

	"daybook/app/booking"
)

// All are the states by their stored code, the live ones first.
var All = [...]booking.Status{booking.Pending, booking.Confirmed, booking.Rescheduled, booking.Cancelled, booking.NoShow}

// Code returns the stored code of a state, -1 for one that there isn't.
func Code(s booking.Status) int { return slices.Index(All[:], s) }

// Live is the term for bookings that are going to happen. The indexes of them have it too, in the same words.
var Live = fmt.Sprintf(`status < %d`, slices.IndexFunc(All[:], func(s booking.Status) bool { return !s.Live() }))

// Is returns the term for bookings in one state.
func Is(s booking.Status) string { return fmt.Sprintf(`status = %d`, Code(s)) }

// Any returns the term for bookings in one of several states.
func Any(of []booking.Status) string {
	term := `status IN (`
	for i, s := range of {
		if i > 0 {
			term += `, `
		}
		term += fmt.Sprint(Code(s))
	}
	return term + `)`
}
