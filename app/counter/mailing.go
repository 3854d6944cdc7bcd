package counter

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
)

// Post queues a receipt, in the transaction: as a mail to an address, or where that is "", the way that the customer likes to
// be told. Errors: rate_limited, conflict sent_lately, sent_often.
type Post func(tx app.Tx, b *booking.Booking, to string, r *Receipt) (Sent, error)

// Sent says by what a receipt goes.
type Sent struct {
	Mail, Text string // the address, and the telephone number; "" is not
	Why        string // why it goes by neither, as text.CallReason has it
}

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
	_, err = s.send(ctx, a, ref, to)
	return err
}

// SendReceipt sends a receipt or a reversal the way that its customer likes to be told: by text, mail or both. It is no error
// that neither may go, which the result says. Errors: forbidden, not_found, conflict contact_gone, sent_lately, sent_often,
// rate_limited.
func (s *Service) SendReceipt(ctx context.Context, a app.Actor, ref string) (Sent, error) {
	if err := a.May(app.MayMailReceipts); err != nil {
		return Sent{}, err
	}
	return s.send(ctx, a, ref, "")
}

// send queues a receipt for an actor who may send it.
func (s *Service) send(ctx context.Context, a app.Actor, ref, to string) (sent Sent, err error) {
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil { // no contact is deleted, and no other receipt mailed
			return err
		}
		r, err := s.In(tx).seenReceipt(ctx, tx, a, ref)
		if err != nil {
			return err
		}
		of := r.Bookings()
		if len(of) == 0 {
			return fault.Conflictf("no_booking", "This receipt is of no booking, whose customer it could be sent to. Print it.")
		}
		b, err := tx.Booking(a.Workspace, of[0])
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
		sent, err = s.post(tx, &b, to, &r)
		return err
	})
	return sent, err
}
