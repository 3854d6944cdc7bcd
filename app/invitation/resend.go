package invitation

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// Queued is a mail with an invitation link that is about to be sent.
type Queued struct {
	ID         string               `json:"id"` // of the mail
	Invitation booking.InvitationID `json:"invitationId"`
	Kind       catalog.MailKind     `json:"kind"`
	To         string               `json:"to"`
	DueAt      when.Instant         `json:"dueAt"`

	Mail int64 `json:"-"` // ID as a number
}

// QueuedFields describes the fields of such mails.
var QueuedFields = field.Resource{
	Text: "A mail with an invitation link that is about to be sent.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the mail.", Example: "ml_1p4s8ywa0g0m3"},
		{Name: "invitationId", Text: "Id of the invitation."},
		{Name: "kind", Text: "What it tells: always `invitation`.", Example: "invitation"},
		{Name: "to", Text: "The address that it goes to.", Example: "bo@example.com"},
		{Name: "dueAt", Text: "When it is to be sent."},
	},
}

// ResendInvitation mails a link to its recipient again, as a new message. Errors: forbidden, not_found, conflict
// no_email, overtaken (the link can't be used any more), in_progress, sent_lately, sent_often.
func (s *Service) ResendInvitation(ctx context.Context, a app.Actor, ref string) (q Queued, err error) {
	if err := a.May(app.MayInvite); err != nil {
		return q, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		l, err := find(tx, a, ref)
		if err != nil {
			return err
		}
		if l.Email == "" {
			return fault.Conflictf("no_email", "This invitation link has no recipient that a mail could go to.")
		}
		if l.State(when.At(s.Core.Now())) != Open {
			return fault.Conflictf("overtaken",
				"This invitation link was used up or revoked, or has expired. Make a new one.")
		}
		q, err = s.post.PostLinkAgain(tx, &l)
		if e := fault.As(err); e == nil || e.Code != fault.NotFound {
			return err
		}
		// The log has forgotten the mail, so that it was sent long ago.
		if q, err = s.post.PostLink(tx, &l); err != nil {
			return err
		}
		return tx.SetInvitationMail(l.WorkspaceID, l.ID, q.Mail)
	})
	return q, err
}
