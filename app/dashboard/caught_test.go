package dashboard

import (
	"context"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/mail"
	"daybook/app/mail/catch"
	"daybook/views/dash"
)

// A demo shows what its mails look like, and the invitations in them. Where mails are sent there is no such page.
func TestMailsOfADemo(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	owner.wants(owner.get(dash.CaughtPath), 404)
	owner.wants(owner.get(dash.TodayPath), 200, "!"+dash.CaughtPath)
	box, err := catch.Open()
	w.Must(err)
	t.Cleanup(func() { box.Close() })
	w.door.caught = box
	owner.wants(owner.get(dash.CaughtPath), 200, "No mails yet")

	server := box.Server("hello@salon.example")
	w.Mail.ShareMailServer(server)
	loop := mail.NewLoop(mail.LoopConfig{Service: w.Mail, Server: server})
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	k := w.begun()
	invitee := k.Invitee.Email
	var found *catch.Mail
	apptest.Eventually(t, "the mail about a booking is caught", func() bool {
		for _, m := range box.Mails() {
			if m.To == invitee && len(m.Invitations) > 0 {
				found = &m
				return true
			}
		}
		return false
	})
	end()
	<-ended
	page := dash.CaughtMailPath(found.ID)
	owner.wants(owner.get(dash.TodayPath), 200, dash.CaughtPath)
	owner.wants(owner.get(dash.CaughtPath), 200, page, invitee)
	owner.wants(owner.get(page), 200, `aria-current="true"`, `src="`+dash.CaughtReadPath(found.ID)+`"`, dash.CaughtInvitePath(found.ID, 0))
	read := owner.get(dash.CaughtReadPath(found.ID))
	owner.wants(read, 200, `<base target="_blank"/>`)
	if policy := read.header.Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox ") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("its policy is %q", policy)
	}
	file := owner.get(dash.CaughtInvitePath(found.ID, 0))
	owner.wants(file, 200, "BEGIN:VEVENT")
	if kind := file.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/calendar") {
		t.Errorf("the invitation is %q", kind)
	}
	for _, path := range []string{dash.CaughtMailPath(9999), dash.CaughtPath + "/x", dash.CaughtInvitePath(found.ID, 7), dash.CaughtInvitePath(found.ID, -1)} {
		owner.wants(owner.get(path), 404)
	}
	staff := w.staff(k.Host.ID)
	staff.wants(staff.get(dash.CaughtPath), 403)
	staff.wants(staff.get(dash.CaughtReadPath(found.ID)), 403)
}
