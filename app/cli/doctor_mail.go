package cli

import (
	"context"
	"fmt"
	"time"

	post "daybook/app/mail"
)

// checkMail signs in to every mail server, and looks for mails that could not be sent.
func checkMail(ctx context.Context, p *patient) (all []finding) {
	servers, err := p.mailServers()
	if err != nil {
		return []finding{fail("mail", err.Error(), "")}
	}
	if len(servers) == 0 {
		all = append(all, warn("mail", "No mail server is set up: mails wait in the log.", "Give --smtp-url smtp://user:password@host:587?from=address, or set one by daybook mail server --set."))
	}
	for _, s := range servers {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		err := post.Check(ctx, s, nil)
		cancel()
		if err != nil {
			all = append(all, fail("mail", err.Error(), "Check host, port, user and password; then: daybook mail test ADDRESS"))
			continue
		}
		all = append(all, fine("mail", "%s takes mails from %s", s.Address(), s.From.Address))
	}
	return append(all, p.failedMails(ctx)...)
}

func (p *patient) mailServers() (all []*post.Server, err error) {
	if f := p.server.flags.Lookup("smtp-url"); f != nil {
		u := f.Value.(*smtpURL)
		if err := u.check(); err != nil {
			return nil, err
		}
		if u.Server != nil {
			all = append(all, u.Server)
		}
	}
	workspaces, err := p.Set.Workspaces()
	for _, w := range workspaces {
		own, err := p.Set.Mail.MailServer(w.ID)
		if err != nil {
			return nil, fmt.Errorf("the mail server of %s can't be read: %w", w.Slug, err)
		}
		if own != nil {
			all = append(all, own)
		}
	}
	return all, err
}

// failedMails tells of mails that were given up.
func (p *patient) failedMails(ctx context.Context) []finding {
	d := &desk{Set: p.Set}
	failed, err := d.mails(ctx, "", post.ListInput{State: string(post.Failed)}, 1)
	if err != nil {
		return []finding{fail("mail", err.Error(), "")}
	}
	if len(failed) == 0 {
		return nil
	}
	m := failed[0]
	return []finding{warn("mail", fmt.Sprintf("The latest mail that was given up was for %s: %s", m.To, m.Answer), "See daybook mail log --state failed, and send them again by daybook mail send ID.")}
}
