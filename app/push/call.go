package push

import (
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// TellOfCall queues, in the transaction in which that is noted, the notifications that nothing told a customer of a change of
// a booking, or of an offer (0), so that somebody calls them. It tells the members who hear of cancellations and see it.
func TellOfCall(in app.Tx, ws catalog.WorkspaceID, of booking.BookingID, now when.Instant) error {
	tx := in.(Tx)
	subs, err := tx.PushSubscriptions(ws, app.Every)
	if err != nil || len(subs) == 0 {
		return err
	}
	var b booking.Booking
	if of != 0 {
		if b, err = tx.BookingByID(of); err != nil {
			if errors.Is(err, fault.ErrNotFound) {
				return nil
			}
			return err
		}
	}
	for i := range subs {
		a := subs[i].User.Actor()
		sees := of == 0 && !a.Own() || of != 0 && a.SeesBooking(&b)
		if !sees || !subs[i].Wants(Call) || a.May(app.MayEdit) != nil {
			continue
		}
		if err := tx.QueuePushMessage(&Message{ID: id.New[MessageIDKind](now.Time()), Subscription: subs[i], Booking: of, Kind: Call,
			DueAt: now, Until: now.Add(life)}); err != nil {
			return err
		}
	}
	return nil
}
