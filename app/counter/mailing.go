package counter

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
)

// Post queues the mail with a receipt, in the transaction. Errors: rate_limited.
type Post func(tx app.Tx, b *booking.Booking, to string, r *Receipt) error

// MailReceipt queues a mail with a receipt or a reversal to an address, in the customer's language. Errors: forbidden,
// not_found, bad_request (email), conflict contact_gone, rate_limited.
func (s *Service) MailReceipt(ctx context.Context, a app.Actor, ref, to string) error {
	if err := a.May(app.MayMailReceipts); err != nil {
		return err
	}
	to, err := fault.CheckEmail("email", to)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil { // no contact is deleted, and no other receipt mailed
			return err
		}
		r, err := s.In(tx).seenReceipt(ctx, tx, a, ref)
		if err != nil {
			return err
		}
		b, err := tx.Booking(a.Workspace, r.BookingID)
		if err != nil {
			return err
		}
		gone := b.Invitee.Erased()
		if b.ContactID != 0 && !gone {
			c, err := tx.Contact(a.Workspace, b.ContactID)
			if err != nil {
				return err
			}
			gone = c.Gone()
		}
		if gone {
			return fault.Conflictf("contact_gone", "The contact of this receipt was deleted, so it can't be mailed any more.")
		}
		return s.post(tx, &b, to, &r)
	})
}
