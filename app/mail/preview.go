package mail

import (
	"context"
	"net/mail"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/record"
	"daybook/app/when"
)

// ending is the kind of mail that tells an invitee that the business cancelled a booking, or declined a request.
func ending(declined bool) catalog.MailKind {
	if declined {
		return catalog.MailDeclined
	}
	return catalog.MailCancelled
}

// PreviewEnding writes the mail that the booking's invitee would get if the business cancelled it now, or declined it
// while it is pending, with that message. Nothing is queued. Errors: forbidden, not_found.
func (s *Service) PreviewEnding(ctx context.Context, a app.Actor, ref, message string) (*smtp.Message, error) {
	if err := a.May(app.MayCancel); err != nil {
		return nil, err
	}
	b, err := s.Core.Find(ctx, a, ref)
	if err != nil {
		return nil, err
	}
	m := Mail{WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: ending(b.Status == record.Pending), To: b.Invitee.Email,
		CreatedAt: when.At(s.Core.Now()), Facts: Facts{For: ToInvitee, Start: b.Start, End: b.End, Host: b.Host.ID,
			Status: record.Cancelled, By: record.ByOwner, Reason: message}}
	return Compose(ctx, s, &m, mail.Address{})
}

// TellsOfEnding reports whether the booking's invitee gets a mail when the business cancels it, or declines it.
func (s *Service) TellsOfEnding(ctx context.Context, b *record.Booking, declined bool) (bool, error) {
	if b.Invitee.Email == record.ErasedEmail {
		return false, nil
	}
	return s.mailsGoOut(ctx, b, ending(declined))
}
