package mail

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// mailLife is how long a mail may wait, from when it was due: for a mail server that is down or is still to be set up.
// Reminders wait only as long as they are of use (reminderUntil).
const mailLife = 48 * time.Hour

// mailKept is how long settled mails stay in the log.
const mailKept = 90 * when.Day

// WriteMails queues the mails about at most limit changes, one for each recipient, and returns how many changes it
// looked at. The mails about a change are queued once, even if this is called on several servers at the same time.
func (s *Service) WriteMails(ctx context.Context, limit int) (int, error) {
	f := app.Follower{Name: "mail", Batch: limit, Plan: s.plan}
	return f.Step(ctx, s.Core)
}

// ClaimMails claims due mails for the length of the lease: nobody else gets them before it ends. It claims mails of the
// workspace, or for 0 of all workspaces in this server's share that have no mail server of their own.
func (s *Service) ClaimMails(
	ctx context.Context, ws catalog.WorkspaceID, lease time.Duration, limit int,
) (mails []Mail, err error) {
	mine := s.Share()
	if mine.Server == 0 {
		return nil, nil
	}
	err = s.Quietly(ctx, func(tx Tx) (err error) {
		now := when.At(s.Core.Now())
		mails, err = tx.ClaimMails(mine, ws, now, now.Add(lease), limit)
		return err
	})
	return mails, err
}

// HasDueMails reports whether any mail in this server's share is due.
func (s *Service) HasDueMails(ctx context.Context) (bool, error) {
	return s.Reader(ctx).HasDueMails(s.Share().Buckets, when.At(s.Core.Now()))
}

// DueMailServers returns the workspaces with a mail server of their own that have due mails, in this server's share.
func (s *Service) DueMailServers(ctx context.Context) ([]catalog.WorkspaceID, error) {
	return s.Reader(ctx).DueMailServers(s.Share().Buckets, when.At(s.Core.Now()))
}

// ClaimMail claims one mail of the log, whatever its state, to send it as a new message. Errors:
// not_found, conflict in_progress.
func (s *Service) ClaimMail(ctx context.Context, ref string, lease time.Duration) (m Mail, err error) {
	id, err := id.Parse[MailIDKind](ref)
	if err != nil {
		return m, missingMail(ref)
	}
	server := s.Share().Server
	if server == 0 {
		return m, errors.New("this server has lost touch with the database; try again shortly")
	}
	err = s.Quietly(ctx, func(tx Tx) error {
		if m, err = tx.Mail(id); err != nil {
			return fault.OrMissing(err, missingMail(ref))
		}
		now := when.At(s.Core.Now())
		if err := s.requeue(ctx, tx, &m, now); err != nil {
			return err
		}
		var ok bool
		if m, ok, err = tx.ClaimMail(server, id, now, now.Add(lease)); err == nil && !ok {
			return fault.Conflictf("in_progress", "This mail is being sent right now.")
		}
		return err
	})
	return m, err
}

// SettleMail saves the outcome of a claim, unless the mail has been claimed again meanwhile.
func (s *Service) SettleMail(ctx context.Context, o Outcome) error {
	return s.settle(ctx, []Outcome{o})
}

func (s *Service) settle(ctx context.Context, all []Outcome) error {
	saved := make([]bool, len(all))
	err := s.Quietly(ctx, func(tx Tx) (err error) {
		for i := 0; i < len(all) && err == nil; i++ {
			saved[i], err = tx.SettleMail(&all[i], when.At(s.Core.Now()))
			if err == nil && saved[i] && all[i].State == Sent && all[i].gave != nil {
				err = tx.SealCodeAgain(all[i].gave.workspace, all[i].gave.code)
			}
		}
		return err
	})
	for i := 0; i < len(all) && err == nil; i++ {
		if saved[i] {
			s.counted.add(&all[i])
		}
		if saved[i] && all[i].State == Sent && all[i].asked != nil {
			s.noteAsked(ctx, all[i].asked)
		}
	}
	return err
}

// TidyMails gives up mails that could not be sent in time and deletes old ones, in small steps.
func (s *Service) TidyMails(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		expired := 0
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := when.At(s.Core.Now())
			if expired, err = tx.ExpireMails(now, "given up: no mail server could be used in time", step); err != nil {
				return err
			}
			pruned, err := tx.PruneMails(id.First[MailIDKind](now.Add(-mailKept).Time()), step)
			n = max(expired, pruned)
			return err
		})
		if err != nil {
			return err
		}
		s.counted.GivenUp.Add(int64(expired))
	}
	return nil
}

// Subject is what a mail is about, as it is now, or the reason why the mail must no longer be sent.
type Subject struct {
	Setup    *catalog.Setup
	Booking  booking.Booking   // with its links; zero for a mail of no booking
	Event    catalog.EventType // of the booking
	Locale   string            // of the reader, where it is known
	Visit    *visit            // of a mail about a visit, else nil: Booking is then the first that takes place
	Team     []booking.Booking // that the mail is about
	Series   []seriesDate      // that the mail is about, by their starts
	Told     *Facts            // the mail's, with the bookings that are left out marked, if any; kept once it is sent
	VisitURL string
	wait     *waitlist.Entry   // of a mail to who is on the waitlist
	older    []booking.Booking // that they have of what is offered
	mails    []Mail            // to the invitee about the series, where it was read
	Dropped  string            // why not to send it; "" to send it
	gave     *gaveCode         // the code that the mail gives away
	Sends    bool              // it is written to be sent, not for a reader of the log
	Later    when.Instant      // when to look at it again, because it can't be decided now; 0 otherwise
}

// MailSubject returns the Subject of a mail.
func (s *Service) MailSubject(ctx context.Context, m *Mail) (about Subject, err error) {
	about.Setup, err = s.Core.Setup(m.WorkspaceID)
	if err == nil && m.Facts.For != ToInvitee { // an invitee's stands in the booking
		about.Locale, err = s.Reader(ctx).LocaleOf(m.WorkspaceID, m.To)
	}
	if m.Facts.Guest != nil {
		about.Booking.Invitee, about.Dropped = m.Facts.Guest.Subject(when.At(s.Core.Now()))
	}
	if err == nil && m.Facts.Own != nil {
		err = s.aboutOwn(s.Reader(ctx), m, &about)
	}
	if err == nil && m.Facts.Voucher != nil {
		err = s.aboutVoucher(s.Reader(ctx), m, &about)
	}
	if err == nil && m.Facts.Waits != nil {
		err = s.aboutWait(ctx, m, &about)
	}
	if err == nil && m.Facts.Member != nil {
		err = s.aboutMember(s.Reader(ctx), m.Facts.Member, &about)
	}
	if err == nil && m.Kind == catalog.MailInvitation {
		err = s.aboutInvitation(s.Reader(ctx), m, &about)
	}
	if err != nil || m.BookingID == 0 {
		return about, err
	}
	all, err := bookingsOf(s.Reader(ctx), m)
	if err != nil {
		return about, err
	}
	for i := range all {
		s.Core.Present(about.Setup, app.Actor{Kind: booking.BySystem}, &all[i])
	}
	b := toDecide(m, all)
	about.Booking, about.Team = b, all
	if len(m.Facts.Series) == 0 {
		about.Dropped = overtaken(m, &b, when.At(s.Core.Now()))
	}
	switch {
	case len(m.Facts.Series) > 0:
		if err := s.aboutSeries(ctx, m, &about); err != nil {
			return about, err
		}
		b = about.Booking
	case m.Facts.Visit != nil:
		if err := s.aboutVisit(ctx, m, &about); err != nil {
			return about, err
		}
		b = about.Booking
	case about.Dropped == "" && m.Facts.For != ToInvitee:
		if about.Dropped, about.Later, err = s.settledTeam(ctx, m, &about); err != nil {
			return about, err
		}
	case about.Dropped == "":
		if err := s.settled(ctx, m, &about); err != nil {
			return about, err
		}
	}
	e := about.Setup.EventTypeByID(b.EventTypeID)
	if m.movesNobody() {
		if known := about.Setup.EventTypeByID(m.Facts.EventType); known != nil {
			e = known
		}
	}
	if e != nil {
		about.Event = *e
	}
	if about.Dropped != "" || m.Kind != catalog.MailReminder {
		return about, nil
	}
	refused, err := s.Reader(ctx).RefusedMails([]Subscription{m.subscription()})
	if len(refused) > 0 {
		about.Dropped = "the recipient wants no reminders"
	}
	return about, err
}

// bookingsOf returns the stored bookings that a mail is about: one, or for somebody of the team those of a visit that are
// still there and weren't left out. The error is not_found.
func bookingsOf(r Reader, m *Mail) (all []booking.Booking, err error) {
	if len(m.Facts.Team) == 0 {
		b, err := r.BookingByID(m.BookingID)
		return []booking.Booking{b}, err
	}
	for i := range m.Facts.Team {
		if m.Facts.Team[i].Untold {
			continue
		}
		b, err := r.BookingByID(m.Facts.Team[i].Booking)
		switch {
		case err == nil:
			all = append(all, b)
		case !errors.Is(err, fault.ErrNotFound):
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fault.ErrNotFound
	}
	return all, nil
}

// toDecide returns the booking that a mail's link leads to: the first, or where somebody has to decide the first that
// still waits for that.
func toDecide(m *Mail, all []booking.Booking) booking.Booking {
	i := slices.IndexFunc(all, func(b booking.Booking) bool { return b.Status == booking.Pending })
	if i < 0 || m.Kind != catalog.MailTeamDecision {
		return all[0]
	}
	return all[i]
}

// overtaken returns why a mail would mislead now, or "".
func overtaken(m *Mail, b *booking.Booking, now when.Instant) string {
	switch {
	case m.Kind == catalog.MailReminder && (b.Start != m.Facts.Start || !b.Status.Stands()):
		return "the booking has changed"
	case m.Kind == catalog.MailReminder && now >= m.Facts.Start:
		return "the booking's time has passed"
	case m.Kind == catalog.MailReminder && m.Resends == 0 && now >= m.Until:
		return "too late to remind"
	case m.tellsOfTime() && m.Resends == 0 && m.CreatedAt < m.Facts.End && now >= m.Facts.End:
		return "the booking's time has passed"
	case m.Kind == catalog.MailTeamNotComing && (!b.Status.Live() || b.Start != m.Facts.Start):
		return "the booking has changed"
	case m.Kind == catalog.MailTeamNotComing && now >= m.Facts.End:
		return "the booking's time has passed"
	case m.Kind == catalog.MailTeamDecision && (b.Status != booking.Pending || b.ExpiresAt <= now):
		return "it is decided"
	case m.Kind == catalog.MailPaymentDue && m.Facts.Visit == nil && (b.Status != booking.Pending || !b.NeedsPay):
		return "it is paid, or over"
	}
	return ""
}

// tellsOfBooking reports whether a mail to an invitee says how the booking stands.
func (m *Mail) tellsOfBooking() bool {
	return m.Kind != catalog.MailReminder && m.Kind != catalog.MailRefunded && m.Kind != catalog.MailReceipt
}

// tellsOfTime reports whether the mail tells an invitee when to come.
func (m *Mail) tellsOfTime() bool {
	kinds := []catalog.MailKind{catalog.MailConfirmed, catalog.MailApproved, catalog.MailMoved, catalog.MailWaiting}
	return slices.Contains(kinds, m.Kind)
}
