package mail

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/views"
)

// question says of a mail that was sent which booking it asked about, and at which start: of a visit, the one that its day
// begins with.
type question struct {
	workspace catalog.WorkspaceID
	booking   booking.BookingID
	start     when.Instant
}

// asks reports whether the mail asks the invitee if they come: a reminder of what asks, or that somebody has sent to ask, until
// the start.
func (m *Mail) asks(about *Subject, now when.Instant) bool {
	if m.Kind != catalog.MailReminder || m.Facts.Start <= now {
		return false
	}
	if m.Facts.Asks || about.Visit == nil {
		return m.Facts.Asks || about.Event.AsksComing
	}
	return slices.ContainsFunc(about.Visit.Live(), func(b booking.Booking) bool {
		e := about.Setup.EventTypeByID(b.EventTypeID)
		return e != nil && e.AsksComing && m.Facts.Visit.on(&b, about.Setup.Zone)
	})
}

// asked returns the question that the mail puts, nil for none.
func (m *Mail) asked(about *Subject, now when.Instant) *question {
	if !m.asks(about, now) {
		return nil
	}
	return &question{m.WorkspaceID, m.BookingID, m.Facts.Start}
}

// noteAsked notes of the bookings that were asked about that they were. What can't be noted is noted with the answer.
func (s *Service) noteAsked(ctx context.Context, q *question) {
	a := app.Actor{Kind: booking.BySystem, Workspace: q.workspace}
	err := s.Core.AskedComing(ctx, a, q.booking.String(), q.start)
	if err != nil && !fault.Is(err, fault.NotFound) {
		s.Core.Log().Warn("that an invitee was asked whether they come can't be noted", "booking", q.booking.String(), "error", err)
	}
}

// AskComing sends the invitee of a booking a reminder that asks whether they come, now and whatever its event type asks: one
// that was sent so before is sent again, as a new message. In a visit it is about the day of the booking. Errors: forbidden,
// not_found, conflict wrong_state (it has begun, or is not live), no_email, unsubscribed (the invitee wants no reminders),
// in_progress, sent_lately, sent_often.
func (s *Service) AskComing(ctx context.Context, a app.Actor, ref string) (m Mail, err error) {
	if err := a.May(app.MayAskComing); err != nil {
		return m, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		in := s.In(tx)
		b, err := in.Core.Find(ctx, a, ref)
		if err != nil {
			return err
		}
		if err := app.CheckOnlyIf(ctx, ref, &b); err != nil {
			return err
		}
		m, err = in.askComing(ctx, tx, &b)
		return err
	})
	return m, err
}

// askComing is AskComing within a transaction.
func (s *Service) askComing(ctx context.Context, tx Tx, b *booking.Booking) (Mail, error) {
	now := when.At(s.Core.Now())
	if err := app.MayAnswerComing(b, now); err != nil {
		return Mail{}, err
	}
	m, err := s.comingMail(ctx, tx, b, now)
	if err != nil {
		return m, err
	}
	none := fault.Conflictf("no_email", "The booking has no e-mail address that a mail could go to.")
	if b.Invitee.Erased() {
		return m, none
	}
	setup, err := s.Core.Setup(b.WorkspaceID)
	if err != nil {
		return m, err
	}
	if s.divides(setup) {
		left, told, err := s.channel.Divide(tx, &Planned{Setup: setup, Event: setup.EventTypeByID(b.EventTypeID), Booking: b, Contact: b.ContactID,
			Invitee: b.Invitee, Mails: []Mail{m}})
		if err == nil && len(told) > 0 {
			m.To, err = told[0].To, tx.InsertMails(left...)
		}
		if err != nil || len(told) > 0 {
			return m, err
		}
	}
	if m.To == "" {
		return m, none
	}
	refused, err := tx.RefusedMails([]Subscription{m.subscription()})
	if err != nil {
		return m, err
	}
	if len(refused) > 0 {
		return m, fault.Conflictf("unsubscribed", "The invitee has unsubscribed from reminders.")
	}
	all, err := s.mailsOf(ctx, b)
	if err != nil {
		return m, err
	}
	all = slices.DeleteFunc(all, func(e Mail) bool {
		return e.Kind != catalog.MailReminder || e.BookingID != m.BookingID || e.Facts.Start != m.Facts.Start || e.State == Dropped
	})
	for i := range all { // one that was planned was sent just now
		if err := all[i].mayGoAgain(now); err != nil {
			return m, err
		}
	}
	if i := slices.IndexFunc(all, func(e Mail) bool { return e.Facts.Asks }); i >= 0 {
		return s.again(ctx, tx, all[i])
	}
	if err := tx.InsertMails(m); err != nil {
		return m, err
	}
	return tx.Mail(m.ID)
}

// Asks reports whether the mail asks the invitee if they come, for a channel that tells it in place of a mail.
func (m *Mail) Asks(about *Subject, now when.Instant) bool { return m.asks(about, now) }

// NoteAsked notes that another channel has asked what the mail asks.
func (s *Service) NoteAsked(ctx context.Context, m *Mail) {
	s.noteAsked(ctx, &question{m.WorkspaceID, m.BookingID, m.Facts.Start})
}

// comingMail returns the reminder of a booking, or of the day of its visit, that asks, with an id of its own.
func (s *Service) comingMail(ctx context.Context, tx Tx, b *booking.Booking, now when.Instant) (Mail, error) {
	m := Mail{ID: id.New[MailIDKind](s.Core.Now()), WorkspaceID: b.WorkspaceID, Kind: catalog.MailReminder, DueAt: now}
	m.Facts = Facts{For: ToInvitee, Asks: true}
	v, err := s.visitOf(ctx, b)
	if err != nil {
		return m, err
	}
	if v != nil {
		setup, err := s.Core.Setup(b.WorkspaceID)
		if err != nil {
			return m, err
		}
		m.Facts.Visit = &VisitNews{}
		v.tell(&m.Facts)
		for _, one := range v.Live() {
			if dayOf(one.Start, setup.Zone) == dayOf(b.Start, setup.Zone) && one.Start > now {
				b = &one
				break
			}
		}
		m.Facts.Start = b.Start
	} else {
		history, err := tx.History(b.WorkspaceID, b.ID)
		if err != nil {
			return m, err
		}
		m.Facts.Start, m.Facts.End, m.Facts.Host, m.Facts.Status = b.Start, b.End, b.Host.ID, b.Status
		m.Facts.Sequence = len(history) - 1
	}
	m.BookingID, m.To, m.Until = b.ID, b.Invitee.Email, min(now.Add(mailLife), b.Start)
	return m, nil
}

// comingLinks returns the link to the page on which the invitee says whether they come, below that of the booking or the
// visit; none where the mail doesn't ask.
func (c *composer) comingLinks(page string) []views.Link {
	if !c.asks() {
		return nil
	}
	return []views.Link{{Label: c.t("coming_mail_answer"), URL: page + views.ComingSegment}}
}

// asks reports whether the mail asks the invitee if they come.
func (c *composer) asks() bool { return c.mail.asks(c.about, when.At(c.service.Core.Now())) }
