package health

import (
	"context"
	"errors"
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/views/finding"
)

// Report is the state of the server, as far as the reader may see it.
type Report struct {
	Keeps    bool // the actor looks after the server; others see only what concerns their workspace
	Findings []finding.Finding
	Replicas upkeep.Replicas
	Keys     Keys
}

// Report checks everything now. The owners of the oldest workspace and the operator see the whole server; owners of
// other workspaces see only their own queues. The mails and webhooks of the reader's workspace are never said to be well
// where Today says that they are not. Errors: forbidden.
func (s *Service) Report(ctx context.Context, a app.Actor) (r Report, err error) {
	if err := a.May(app.MaySeeHealth); err != nil {
		return r, err
	}
	if r.Keeps, err = s.keeps(s.Reader(ctx), a); err != nil {
		return r, err
	}
	if !r.Keeps {
		if r.Findings, err = s.queues(ctx, a.Workspace); err != nil {
			return r, err
		}
		return r, s.ownTrouble(ctx, a, r.Findings)
	}
	if r.Findings, err = s.look(ctx); err != nil {
		return r, err
	}
	if a.Workspace != 0 {
		if err := s.ownTrouble(ctx, a, r.Findings); err != nil {
			return r, err
		}
	}
	if r.Keys, _, err = s.keys(ctx, s.Reader(ctx)); err != nil {
		return r, err
	}
	r.Replicas, err = s.upkeep.Replicas(ctx)
	return r, err
}

// keeps tells whether the actor looks after the server.
func (s *Service) keeps(r Reader, a app.Actor) (bool, error) {
	if a.Operator {
		return true, nil
	}
	first, err := r.OldestWorkspace()
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	return err == nil && first == a.Workspace, err
}

// fresh is how long what Step found last stands for how the server is.
const fresh = 2 * time.Minute

// Trouble returns the problems of the server of which the owners who look after it should be told; nothing for others,
// whatever their role. It costs next to nothing while Watch runs.
func (s *Service) Trouble(ctx context.Context, a app.Actor) (all []finding.Finding, err error) {
	if a.May(app.MaySeeHealth) != nil {
		return nil, nil
	}
	if keeps, err := s.keeps(s.Reader(ctx), a); err != nil || !keeps {
		return nil, err
	}
	found, err := s.freshFindings(ctx, when.At(s.Core.Now()))
	if err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].State != finding.OK && found[i].Audience >= finding.OnToday {
			all = append(all, found[i])
		}
	}
	return all, nil
}

// ownTrouble has the findings of mails and webhooks say what Today says of those of the actor's workspace, where they
// found nothing.
func (s *Service) ownTrouble(ctx context.Context, a app.Actor, all []finding.Finding) error {
	mails, err := s.mails.Trouble(ctx, a)
	if err != nil {
		return err
	}
	hooks, err := s.hooks.Endpoints(ctx, a)
	if err != nil {
		return err
	}
	now := when.At(s.Core.Now())
	for i := range all {
		f := &all[i]
		switch {
		case f.State != finding.OK:
		case f.Check == "mail":
			*f = mailFinding(&mails, *f, now)
		case f.Check == "webhooks":
			for j := range hooks {
				if e := &hooks[j]; e.Fails() || e.SwitchedOff() {
					*f = wrong(finding.Warning, finding.OnPage, f.Check, "webhooks_failing", finding.Words("Name", hostOf(e.URL)))
				}
			}
		}
	}
	return nil
}

// mailFinding returns what keeps mails from arriving, or else what there is besides.
func mailFinding(t *mail.Trouble, besides finding.Finding, now when.Instant) finding.Finding {
	warning := func(said string, facts ...finding.Fact) finding.Finding {
		return wrong(finding.Warning, finding.OnPage, "mail", said, facts...)
	}
	switch {
	case t.NoServer:
		return warning("mail_unset")
	case t.Stuck.Count > 0:
		return warning("mail_stuck", finding.Span("For", time.Duration(now-t.Stuck.Since)*time.Millisecond), finding.At("Since", t.Stuck.Since))
	case t.Unconfirmed:
		return warning("mail_unconfirmed")
	case len(t.Failed) > 0:
		return warning("mail_failed", finding.Words("Email", t.Failed[0].To))
	}
	return besides
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}
