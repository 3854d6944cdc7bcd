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

// receiptAtOnce is for how long a receipt that is sent answers what its customer has just paid.
const receiptAtOnce = 10 * time.Minute

// PostReceipt queues a receipt of the booking, in a transaction that has locked the workspace: as a mail to an address, or,
// where that is "", by the customer's way. Errors: rate_limited, and those of the channel.
func (s *Service) PostReceipt(in app.Tx, b *booking.Booking, to string, r *counter.Receipt) (sent counter.Sent, err error) {
	tx, now, theirs := in.(Tx), s.Core.Now(), to == ""
	if theirs {
		to = b.Invitee.Email
	}
	m := Mail{
		ID: id.New[MailIDKind](now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: catalog.MailReceipt, To: to,
		Facts: Facts{For: ToInvitee, Start: b.Start, End: b.End, Host: b.Host.ID, Status: b.Status, Receipt: r,
			Typed: !fault.SameEmail(to, b.Invitee.Email)},
		DueAt: when.At(now), Until: when.At(now).Add(mailLife),
	}
	mails := []Mail{m}
	if theirs {
		setup, err := s.Core.In(in).Setup(b.WorkspaceID)
		if err != nil {
			return sent, err
		}
		if s.divides(setup) {
			p := &Planned{Setup: setup, Event: setup.EventTypeByID(b.EventTypeID), Booking: b, Contact: b.ContactID, Invitee: b.Invitee,
				Own: r.IssuedAt.Add(receiptAtOnce) > m.DueAt, Mails: mails}
			var told []Beside
			if mails, told, err = s.channel.Divide(in, p); err != nil {
				return sent, err
			}
			for _, t := range told {
				sent.Text = t.To
			}
			sent.Why = p.Why
		}
	}
	if len(mails) == 0 || to == "" {
		return sent, nil
	}
	sent.Mail = to
	if err := s.mayMailReceipt(tx, &m, now); err != nil {
		return counter.Sent{}, err
	}
	return sent, tx.InsertMails(m)
}

// mayMailReceipt refuses a mail too many. Errors: rate_limited.
func (s *Service) mayMailReceipt(tx Tx, m *Mail, now time.Time) error {
	since := now.Add(-receiptSpan)
	all, err := tx.Mails(m.WorkspaceID, Filter{Booking: m.BookingID, Limit: 100})
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
		n, err := tx.TypedSince(m.WorkspaceID, id.First[MailIDKind](since), receiptsTyped)
		if err != nil {
			return err
		}
		if n >= receiptsTyped {
			return limited(fault.Conflictf("too_many_mails", "Receipts were mailed to %d other addresses today than "+
				"those of the bookings. Print it, or try again tomorrow.", n))
		}
	}
	return nil
}

func limited(e *fault.Error) *fault.Error {
	e.Code = fault.RateLimited
	return e.With("retryAfter", int(receiptSpan.Seconds()))
}
