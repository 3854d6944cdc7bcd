package mail

import (
	"cmp"
	"context"
	"net/mail"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/app/when"
)

// ending returns the kind of mail that tells an invitee that the business cancelled a booking, or declined a request.
func ending(declined bool) catalog.MailKind {
	if declined {
		return catalog.MailDeclined
	}
	return catalog.MailCancelled
}

// PreviewEnding returns the mail that the booking's invitee would get if the business ended it now (see
// booking.Booking.EndsDeclined), with that message. Nothing is queued. To an actor who doesn't see all of its visit, it is the mail
// of that booking alone. Errors: forbidden, not_found.
func (s *Service) PreviewEnding(ctx context.Context, a app.Actor, ref, message string) (*smtp.Message, error) {
	if err := a.May(app.MayCancel); err != nil {
		return nil, err
	}
	b, err := s.Core.Find(ctx, a, ref)
	if err != nil {
		return nil, err
	}
	m := Mail{WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: ending(b.EndsDeclined()), To: b.Invitee.Email,
		CreatedAt: when.At(s.Core.Now()), Facts: Facts{For: ToInvitee, Start: b.Start, End: b.End, Host: b.Host.ID,
			Status: booking.Cancelled, By: booking.ByOwner, Reason: message}}
	v, err := s.visitOf(ctx, &b)
	if err != nil {
		return nil, err
	}
	if v != nil {
		all, err := s.seesAll(ctx, a, v)
		if err != nil {
			return nil, err
		}
		if all {
			m.Facts.Visit = v.ending(&b)
		}
	}
	return Compose(ctx, s, &m, mail.Address{})
}

// seesAll reports whether the actor sees every booking of the visit.
func (s *Service) seesAll(ctx context.Context, a app.Actor, v *visit) (bool, error) {
	for i := range v.Items {
		if _, err := s.Core.Find(ctx, a, v.Items[i].ID.String()); err != nil {
			if fault.Is(err, fault.NotFound) {
				return false, nil
			}
			return false, err
		}
	}
	return true, nil
}

// TellsOfEnding reports whether the booking's invitee gets a mail when the business cancels it, or declines it.
func (s *Service) TellsOfEnding(ctx context.Context, b *booking.Booking, declined bool) (bool, error) {
	if b.Invitee.Erased() {
		return false, nil
	}
	return s.mailsGoOut(ctx, b, ending(declined))
}

// PreviewWords returns a mail of the paragraph's kind and language to a made-up invitee of the event type, which need
// not be saved. Nothing is queued. Errors: forbidden.
func (s *Service) PreviewWords(ctx context.Context, a app.Actor, e catalog.EventType,
	w catalog.MailWords) (*smtp.Message, error) {
	if err := a.May(app.MayManageEventTypes); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	now := s.Core.Now()
	day := now.In(setup.Zone).AddDate(0, 0, 2)
	start := when.At(time.Date(day.Year(), day.Month(), day.Day(), 10, 0, 0, 0, setup.Zone))
	b := booking.Booking{ID: 1, WorkspaceID: setup.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug,
		Taken:  booking.Taken{Start: start, End: start.Add(time.Duration(e.DurationMinutes) * time.Minute)},
		Status: booking.Confirmed, Price: e.Price,
		NoShowFee: e.NoShowFee, Location: e.Location, ExpiresAt: start,
		Invitee: booking.Invitee{Name: "Bo Berg", Email: "bo@example.com", Phone: "+49 30 901820",
			Locale: cmp.Or(w.Locale, setup.Workspace.Settings.Locale)},
		ManageURL: s.Core.BaseURL() + "/booking/…"}
	b.TakePlace(setup, &e)
	m := Mail{ID: 1, WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: cmp.Or(w.Kind, catalog.MailConfirmed),
		To: b.Invitee.Email, CreatedAt: when.At(now),
		Facts: Facts{For: ToInvitee, Start: b.Start, End: b.End, Status: b.Status, By: booking.ByOwner, Amount: e.Price}}
	if len(e.Hosts) > 0 {
		b.Host, m.Facts.Host = e.Hosts[0], e.Hosts[0].ID
	}
	switch w.Kind {
	case catalog.MailMoved:
		m.Facts.Previous = b.Start.Add(-24 * time.Hour)
	case catalog.MailDeclined, catalog.MailCancelled, catalog.MailLapsed:
		b.Status, m.Facts.Status = booking.Cancelled, booking.Cancelled
	case catalog.MailReceipt:
		r := &counter.Receipt{Number: "2026-1", Customer: b.Invitee.Name, Start: b.Start, IssuedAt: b.End,
			Currency: setup.Workspace.Currency, Lines: []counter.Line{{Kind: counter.ServiceLine, Text: e.Title}}}
		if r.Business.Name = setup.Workspace.Name; e.Price != nil {
			r.Total, r.Lines[0].Amount, r.Currency = e.Price.Amount, e.Price.Amount, e.Price.Currency
		}
		m.Facts.Receipt = r
	}
	return ComposeAbout(ctx, s, &m, &Subject{Setup: setup, Booking: b, Event: e}, mail.Address{})
}
