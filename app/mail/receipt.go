package mail

import (
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// The most mails with receipts in a day, so that nobody can misuse a salon's good name to write to strangers: for one
// booking, and for a workspace to addresses that are not those of its customers.
const (
	receiptsOfBooking = 10
	receiptsTyped     = 50
	receiptSpan       = 24 * time.Hour
)

// PostReceipt queues the mail with a receipt of the booking, in a transaction that has locked the workspace. Errors:
// rate_limited.
func (s *Service) PostReceipt(in app.Tx, b *booking.Booking, to string, r *counter.Receipt) error {
	tx, now := in.(Tx), s.Core.Now()
	since := now.Add(-receiptSpan)
	m := Mail{
		ID: id.New[MailIDKind](now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: catalog.MailReceipt, To: to,
		Facts: Facts{For: ToInvitee, Start: b.Start, End: b.End, Host: b.Host.ID, Status: b.Status, Receipt: r,
			Typed: !fault.SameEmail(to, b.Invitee.Email)},
		DueAt: when.At(now), Until: when.At(now).Add(mailLife),
	}
	all, err := tx.Mails(b.WorkspaceID, Filter{Booking: b.ID, Limit: 100})
	if err != nil {
		return err
	}
	sent := 0
	for i := range all {
		if all[i].Kind == catalog.MailReceipt && all[i].DueSince() > when.At(since) {
			sent++
		}
	}
	if sent >= receiptsOfBooking {
		return limited(fault.Conflictf("too_many_mails", "Receipts of this booking were mailed %d times today. "+
			"Print it, or try again tomorrow.", sent))
	}
	if m.Facts.Typed {
		n, err := tx.TypedSince(b.WorkspaceID, id.First[MailIDKind](since), receiptsTyped)
		if err != nil {
			return err
		}
		if n >= receiptsTyped {
			return limited(fault.Conflictf("too_many_mails", "Receipts were mailed to %d other addresses today than "+
				"those of the bookings. Print it, or try again tomorrow.", n))
		}
	}
	return tx.InsertMails(m)
}

func limited(e *fault.Error) *fault.Error {
	e.Code = fault.RateLimited
	return e.With("retryAfter", int(receiptSpan.Seconds()))
}
