package mail

import (
	"context"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Outlook says whether an invitee gets the mail about their booking as it is now.
type Outlook string

const (
	OutlookNone Outlook = ""     // none is sent, or what has been tried failed
	OutlookSoon Outlook = "soon" // it is about to be sent
	OutlookSent Outlook = "sent" // the mail server has taken it
)

// toldBy returns the kind of mail that tells an invitee of a booking in this state.
func toldBy(b *booking.Booking) catalog.MailKind {
	switch {
	case b.Status == booking.Pending && b.NeedsPay:
		return catalog.MailPaymentDue
	case b.Status == booking.Pending:
		return catalog.MailWaiting
	case b.Status == booking.Rescheduled:
		return catalog.MailMoved
	}
	return catalog.MailConfirmed
}

// MailOutlook says whether the mail about the booking as it is now was sent to the invitee, or will be.
func (s *Service) MailOutlook(ctx context.Context, b *booking.Booking) (Outlook, error) {
	all, err := s.mailsOf(ctx, b)
	if err != nil {
		return OutlookNone, err
	}
	changed, err := s.lastTold(ctx, b)
	if err != nil {
		return OutlookNone, err
	}
	i := slices.IndexFunc(all, func(m Mail) bool {
		return m.Facts.For == ToInvitee && m.tellsOfBooking() &&
			(m.Facts.Visit != nil && m.CreatedAt >= changed || m.Facts.Start == b.Start && m.Facts.Status == b.Status)
	})
	if i >= 0 && (all[i].State != Waiting || all[i].Attempts > 0) {
		if all[i].State == Sent {
			return OutlookSent, nil
		}
		return OutlookNone, nil
	}
	kind := toldBy(b)
	if i >= 0 {
		kind = all[i].Kind
	}
	comes, err := s.mailsGoOut(ctx, b, kind)
	if err != nil || !comes || i < 0 && s.Core.Now().Sub(changed.Time()) > mailWritten {
		return OutlookNone, err
	}
	return OutlookSoon, nil
}

// lastTold returns when the booking last changed in a way of which its invitee is told: an answer to whether they come, or an
// arrival, is none.
func (s *Service) lastTold(ctx context.Context, b *booking.Booking) (when.Instant, error) {
	if !b.InVisit() {
		return b.UpdatedAt, nil
	}
	history, err := s.Reader(ctx).History(b.WorkspaceID, b.ID)
	for i := len(history) - 1; i >= 0; i-- {
		if h := &history[i]; h.Action != booking.ActNotComing && concernsPeople(h) {
			return h.At, err
		}
	}
	return b.CreatedAt, err
}

// mailWritten is how long it takes at most until the mails of a change are in the queue.
const mailWritten = time.Minute

// mailsGoOut reports whether mails of the kind are sent to the booking's invitee, and there is a server for them.
func (s *Service) mailsGoOut(ctx context.Context, b *booking.Booking, k catalog.MailKind) (bool, error) {
	if b.Invitee.Email == "" {
		return false, nil
	}
	setup, err := s.Core.Setup(b.WorkspaceID)
	if err != nil {
		return false, err
	}
	return s.goesOut(ctx, setup, setup.EventTypeByID(b.EventTypeID), k)
}

func (s *Service) goesOut(
	ctx context.Context, setup *catalog.Setup, e *catalog.EventType, k catalog.MailKind,
) (bool, error) {
	if !setup.Wants(k, e) {
		return false, nil
	}
	route, err := s.MailRoute(ctx, setup.Workspace.ID)
	return route != nil, err
}

// MailsConfirmation reports whether those who book e will get a mail that confirms it.
func (s *Service) MailsConfirmation(ctx context.Context, setup *catalog.Setup, e *catalog.EventType) (bool, error) {
	return s.goesOut(ctx, setup, e, catalog.MailConfirmed)
}

// TellsOfApproval reports whether the invitee of a request gets a mail once it is approved.
func (s *Service) TellsOfApproval(ctx context.Context, b *booking.Booking) (bool, error) {
	return s.mailsGoOut(ctx, b, catalog.MailApproved)
}

// Stuck holds a workspace's mails that could not be sent yet.
type Stuck struct {
	Count int
	More  bool         // there are more than were counted
	Since when.Instant // when the first of them should have gone out
	Until when.Instant // when the first of them is given up
	Why   string       // what the latest attempt said; "" when there is no mail server
}

const (
	mostStuck = 100
	slowMail  = 2 * time.Minute // a mail that is due for longer is not just about to be sent
)

// StuckMails returns the workspace's mails that are due, or were tried, and have not been sent. Errors: forbidden.
func (s *Service) StuckMails(ctx context.Context, a app.Actor) (stuck Stuck, err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return stuck, err
	}
	route, err := s.MailRoute(ctx, a.Workspace)
	if err != nil {
		return stuck, err
	}
	now := when.At(s.Core.Now())
	due := now
	if route != nil {
		due = now.Add(-slowMail)
	}
	all, err := s.Reader(ctx).StuckMails(a.Workspace, due, now.Add(longestMailPause), mostStuck+1)
	stuck.More = len(all) > mostStuck
	stuck.Count = min(len(all), mostStuck)
	for i := range all {
		m := &all[i]
		if since := m.DueSince(); stuck.Since == 0 || since < stuck.Since {
			stuck.Since = since
		}
		if stuck.Until == 0 || m.Until < stuck.Until {
			stuck.Until = m.Until
		}
		if route != nil && m.Answer != "" {
			stuck.Why = m.Answer
		}
	}
	return stuck, err
}

// OldestUnsent returns since when the mail that waits longest has been due, in a workspace or for 0 in all, among the
// first ones waiting; 0 if none waits.
func (s *Service) OldestUnsent(ctx context.Context, ws catalog.WorkspaceID) (since when.Instant, err error) {
	now := when.At(s.Core.Now())
	all, err := s.Reader(ctx).StuckMails(ws, now.Add(-slowMail), now.Add(longestMailPause), mostStuck)
	for i := range all {
		if due := all[i].DueSince(); since == 0 || due < since {
			since = due
		}
	}
	return since, err
}

// longestMailPause is the longest wait between two attempts of the mail loop.
const longestMailPause = 5 * time.Hour

// DueSince returns when the mail should first have been sent.
func (m *Mail) DueSince() when.Instant {
	if m.Kind == catalog.MailReminder {
		return m.Facts.Start.Add(-time.Duration(m.Facts.Lead) * time.Minute)
	}
	return m.Until.Add(-mailLife)
}
