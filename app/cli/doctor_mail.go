package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
)

// checkMail signs in to every mail server, and looks for mails that could not be sent.
func checkMail(ctx context.Context, t *target) (all []result) {
	servers, err := t.mailServers(ctx)
	if err != nil {
		return []result{fail("mail", err.Error(), "")}
	}
	if len(servers) == 0 {
		all = append(all, warn("mail", "No mail server is set up: mails wait in the log.",
			"Give --smtp-url smtp://user:password@host:587?from=address, or set one by daybook mail server --set."))
	}
	for _, s := range servers {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		err := smtp.Check(ctx, s, nil)
		cancel()
		if err != nil {
			all = append(all, fail("mail", err.Error(), "Check host, port, user and password; then: daybook mail test ADDRESS"))
			continue
		}
		all = append(all, fine("mail", "%s takes mails from %s", s.Address(), s.From.Address))
	}
	return append(all, t.failedMails(ctx)...)
}

func (t *target) mailServers(ctx context.Context) (all []*smtp.Server, err error) {
	if f := t.server.Flags.Lookup("smtp-url"); f != nil {
		u := f.Value.(*console.SMTPURL)
		if err := u.Check(); err != nil {
			return nil, err
		}
		if u.Server != nil {
			all = append(all, u.Server)
		}
	}
	workspaces, err := t.Set.Workspaces(ctx, app.Operator(0))
	for _, w := range workspaces {
		own, err := t.Set.Mail.MailServer(ctx, app.Operator(w.ID))
		if err != nil {
			return nil, fmt.Errorf("the mail server of %s can't be read: %w", w.Slug, err)
		}
		if own != nil {
			all = append(all, own)
		}
	}
	return all, err
}

// failedMails warns about mails that were given up.
func (t *target) failedMails(ctx context.Context) []result {
	workspaces, err := t.Set.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return []result{fail("mail", err.Error(), "")}
	}
	var failed []mail.Mail // the latest of each workspace
	one := 1
	for _, w := range workspaces {
		page, err := t.Set.Mail.Mails(ctx, app.Operator(w.ID), mail.ListInput{State: string(mail.Failed), Limit: &one})
		if err != nil {
			return []result{fail("mail", err.Error(), "")}
		}
		failed = append(failed, page.Data...)
	}
	if len(failed) == 0 {
		return nil
	}
	m := slices.MaxFunc(failed, func(a, b mail.Mail) int { return cmp.Compare(a.ID, b.ID) })
	return []result{warn("mail", fmt.Sprintf("The latest mail that was given up was for %s: %s", m.To, m.Answer),
		"See daybook mail log --state failed, and send them again by daybook mail send ID.")}
}
