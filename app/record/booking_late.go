package record

import (
	"time"

	"daybook/app/when"
)

// FreeUntil is the last moment at which cancelling the booking costs no fee; 0 where it never does.
func (b *Booking) FreeUntil() when.Instant {
	if b.LateFee == nil {
		return 0
	}
	return b.Start.Add(-time.Duration(b.LateNotice) * time.Minute)
}

// CancelsLate reports whether cancelling the booking now is late, so that it may cost LateFee.
func (b *Booking) CancelsLate(now when.Instant) bool {
	return b.LateFee != nil && b.Status.Stands() && now > b.FreeUntil()
}

// FeeCharged is what became of the fee for a no-show or a late cancellation; nil where none was charged.
func (b *Booking) FeeCharged() *Fee {
	switch {
	case b.NoShow != nil:
		return b.NoShow.Fee
	case b.Cancellation != nil:
		return b.Cancellation.Fee
	}
	return nil
}
