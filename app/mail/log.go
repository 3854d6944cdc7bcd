package mail

import (
	"context"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

func missingMail(ref string) *fault.Error {
	return fault.New(fault.NotFound, "", `There is no mail "%s"; list them with: daybook mail log`, ref)
}

// ListInput says which mails to list.
type ListInput struct {
	State   string // one of States; "" is all
	Booking string
	Limit   *int
	Cursor  string
}

// Mails lists a workspace's mails, the newest first. Errors: forbidden, bad_request.
func (s *Service) Mails(ctx context.Context, a app.Actor, in ListInput) (page fault.Page[Mail], err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return page, err
	}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return page, err
	}
	f := Filter{State: State(in.State), Limit: limit + 1}
	if f.State != "" && !slices.Contains(States, f.State) {
		return page, fault.Invalid("state", "must be waiting, sent, failed or dropped")
	}
	if in.Booking != "" {
		if f.Booking, err = id.Parse[booking.BookingIDKind](in.Booking); err != nil {
			return fault.Page[Mail]{Data: []Mail{}}, nil
		}
	}
	list := fault.List{"mails", in.State, in.Booking}
	if in.Cursor != "" {
		var after int64
		if err := list.Read(in.Cursor, &after); err != nil {
			return page, err
		}
		f.After = MailID(after)
	}
	rows, err := s.Reader(ctx).Mails(a.Workspace, f)
	return fault.PageOf(rows, limit, func(m *Mail) string { return list.Cursor(int64(m.ID)) }), err
}

// Mail returns one mail of the log. Errors: forbidden, not_found.
func (s *Service) Mail(ctx context.Context, a app.Actor, ref string) (Mail, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return Mail{}, err
	}
	id, err := id.Parse[MailIDKind](ref)
	if err != nil {
		return Mail{}, missingMail(ref)
	}
	m, err := s.Reader(ctx).Mail(id)
	if err == nil && !a.Everywhere() && m.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	return m, fault.OrMissing(err, missingMail(ref))
}

// ResendMail makes a mail of the log due at once, as a new message. Errors: forbidden, not_found,
// conflict in_progress, conflict overtaken.
func (s *Service) ResendMail(ctx context.Context, a app.Actor, ref string) (m Mail, err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return m, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if m, err = s.In(tx).Mail(ctx, a, ref); err != nil {
			return err
		}
		if err := s.requeue(ctx, tx, &m, when.At(s.Core.Now())); err != nil {
			return err
		}
		m, err = tx.Mail(m.ID)
		return err
	})
	return m, err
}

// requeue makes a mail due now, unless it is outdated.
func (s *Service) requeue(ctx context.Context, tx Tx, m *Mail, now when.Instant) error {
	if len(m.Facts.Series) > 0 {
		if err := s.stillTold(ctx, tx, *m); err != nil {
			return err
		}
	} else if m.BookingID != 0 {
		all, err := bookingsOf(tx, m)
		if err != nil {
			return err
		}
		b := toDecide(m, all)
		again := *m
		again.Resends++
		why := overtaken(&again, &b, now)
		if why == "" && m.Facts.Visit != nil && m.Kind != catalog.MailReminder {
			v, err := s.In(tx).visitOf(ctx, &b)
			if err != nil {
				return err
			}
			if v != nil {
				why = misleads(&again, v)
			}
		}
		if why != "" {
			return fault.Conflictf("overtaken", "This mail can't be sent any more: %s.", why)
		}
	}
	until := now.Add(mailLife)
	if m.Kind == catalog.MailReminder {
		until = min(until, m.Facts.Start)
	}
	free, err := tx.RequeueMail(m, now, until)
	if err == nil && !free { // a loop has claimed it, perhaps since it was read
		err = fault.Conflictf("in_progress", "This mail is being sent right now.")
	}
	return err
}

// The limits on sending an invitee the mail about a booking again.
const (
	resendPause = time.Minute // after it was sent
	mostResends = 10          // of one mail
)

// SendAgain sends the invitee of a booking the latest mail about it again, as a new message, if that shows the booking
// as it is now. Errors: forbidden, not_found, conflict no_email, overtaken (there is none), in_progress, sent_lately,
// sent_often.
func (s *Service) SendAgain(ctx context.Context, a app.Actor, ref string) (m Mail, err error) {
	if err := a.May(app.MayEdit); err != nil {
		return m, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		b, err := s.Core.In(tx).Find(ctx, a, ref)
		if err != nil {
			return err
		}
		if err := app.CheckOnlyIf(ctx, ref, &b); err != nil {
			return err
		}
		if b.Invitee.Email == "" || b.Invitee.Erased() {
			return fault.Conflictf("no_email", "The booking has no e-mail address that a mail could go to.")
		}
		all, err := s.In(tx).mailsOf(ctx, &b)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(m Mail) bool {
			return m.Facts.For == ToInvitee && m.tellsOfBooking() && m.State != Dropped
		})
		none := fault.Conflictf("overtaken", "There is no mail of this booking that could be sent again.")
		if i < 0 {
			return none
		}
		if m, err = tx.Mail(all[i].ID); err != nil {
			return err
		}
		if m.Facts.Visit == nil && len(m.Facts.Series) == 0 && !m.Facts.stillTrue(&b) {
			return none
		}
		m, err = s.again(ctx, tx, m)
		return err
	})
	return m, err
}

// again queues a mail once more, unless that were too often.
func (s *Service) again(ctx context.Context, tx Tx, m Mail) (Mail, error) {
	now := when.At(s.Core.Now())
	if err := m.mayGoAgain(now); err != nil {
		return m, err
	}
	if err := s.requeue(ctx, tx, &m, now); err != nil {
		return m, err
	}
	return tx.Mail(m.ID)
}

// mayGoAgain refuses to flood the invitee.
func (m *Mail) mayGoAgain(now when.Instant) error {
	if m.Resends >= mostResends {
		return fault.Conflictf("sent_often", "This mail was sent again %d times, the most there may be.", mostResends)
	}
	if wait := m.SettledAt.Add(resendPause); m.State == Sent && now < wait {
		seconds := int((wait - now + 999) / 1000)
		return fault.Conflictf("sent_lately", "This mail was sent less than a minute ago. Wait %d seconds.", seconds).
			With("retryAfter", seconds)
	}
	return nil
}

// stillTrue reports whether the booking is where and what the facts say.
func (f *Facts) stillTrue(b *booking.Booking) bool {
	return f.Start == b.Start && f.End == b.End && b.With(f.Host) && f.Status.Live() == b.Status.Live() &&
		(f.Status == booking.Pending) == (b.Status == booking.Pending)
}
