package payment

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
)

// proceed moves on a booking that was paid or whose card was saved: it is confirmed, or waits for approval. A booking
// that has lapsed is restored: call app.Change.TakeAgain first. The events of before come ahead of the confirmation.
func proceed(c *app.Change, action booking.Action, before ...func() error) error {
	b := c.Booking
	b.NeedsPay, b.Cancellation = false, nil
	to := booking.Confirmed
	if b.NeedsOK {
		to = booking.Pending
	}
	if err := c.Become(to, action, ""); err != nil {
		return err
	}
	until, err := c.DecidedBy()
	if err != nil {
		return err
	}
	c.PendUntil(until)
	for _, tell := range before {
		if err := tell(); err != nil {
			return err
		}
	}
	if to == booking.Confirmed {
		if err := c.Receipted(); err != nil {
			return err
		}
		return c.EmitBooking(catalog.BookingCreated)
	}
	return nil
}
