package invitation_test

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/mail"
	"daybook/app/when"
)

// sent sends the mails that wait, and returns to whom.
func (w *world) sent() (to []string) {
	w.T.Helper()
	claimed, err := w.Mail.ClaimMails(w.T.Context(), 0, time.Minute, 10)
	w.Must(err)
	for _, m := range claimed {
		w.Must(w.Mail.SettleMail(w.T.Context(), mail.Outcome{ID: m.ID, Lease: m.Lease, State: mail.Sent}))
		to = append(to, m.To)
	}
	return to
}

// A link with a recipient is mailed again, not too often, by who may invite, and only while it can be used; also when
// the log has forgotten the mail.
func TestResendInvitation(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	again := func(l invitation.Invitation) error {
		q, err := w.Invitation.ResendInvitation(ctx, w.Owner, l.ID.String())
		if err == nil && (q.To != "mia@mail.example" || q.Invitation != l.ID || q.Kind != "invitation" || q.DueAt != when.At(w.Clock.Now())) {
			t.Errorf("queued %+v", q)
		}
		return err
	}
	anybody, _ := w.invite(invitation.Input{EventType: "vip"})
	w.Refused(again(anybody), fault.Conflict, "no_email")
	l, token := w.invite(invitation.Input{EventType: "vip", Email: "mia@mail.example"})
	if to := w.sent(); len(to) != 1 {
		t.Fatalf("sent to %v", to)
	}
	if e := w.Refused(again(l), fault.Conflict, "sent_lately"); e.Details["retryAfter"] != 60 {
		t.Errorf("%v", e.Details)
	}
	for n := range 10 {
		w.Clock.Advance(time.Minute)
		w.Must(again(l))
		if to := w.sent(); len(to) != 1 {
			t.Errorf("the %d. time, sent to %v", n+2, to)
		}
	}
	w.Clock.Advance(time.Hour)
	w.Refused(again(l), fault.Conflict, "sent_often")

	w.Clock.Advance(time.Hour)
	w.Must(w.SQL(`DELETE FROM mails`)) // as after 90 days; ids of this process may lie behind the clock of another test
	w.Must(again(l))
	w.sent()
	w.Refused(again(l), fault.Conflict, "sent_lately") // the new mail counts from now on
	w.Clock.Advance(time.Hour)
	w.Must(again(l))

	staff := app.Actor{Kind: booking.ByOwner, User: 3, Role: app.StaffRole, Host: bob, Workspace: w.Workspace.ID}
	_, err := w.Invitation.ResendInvitation(ctx, staff, l.ID.String())
	w.Refused(err, fault.NotFound, "")
	_, err = w.Invitation.ResendInvitation(ctx, w.Beside("other", "cyd").Owner, l.ID.String())
	w.Refused(err, fault.NotFound, "")

	_, err = w.by(w.Set, token, "vip", "20T09:00", "mia")
	w.Must(err)
	w.Refused(again(l), fault.Conflict, "overtaken") // it is used up
	revoked, _ := w.invite(invitation.Input{EventType: "vip", Email: "mia@mail.example"})
	w.Must(w.Invitation.RevokeInvitation(ctx, w.Owner, revoked.ID.String()))
	w.Refused(again(revoked), fault.Conflict, "overtaken")
	soon := w.Clock.Now().Add(time.Hour).Format(time.RFC3339)
	expired, _ := w.invite(invitation.Input{EventType: "vip", Email: "mia@mail.example", ExpiresAt: soon})
	w.Clock.Advance(time.Hour)
	w.Refused(again(expired), fault.Conflict, "overtaken")
}
