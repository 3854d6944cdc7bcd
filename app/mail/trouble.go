package mail

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/when"
)

// Trouble is what keeps a workspace's mails from arriving. The zero Trouble is none.
type Trouble struct {
	NoServer    bool
	Stuck       Stuck
	Unconfirmed bool   // nobody has shown yet that the mails of its server arrive
	Failed      []Mail // those of the last week that were given up, the newest first, at most mostStuck
}

// Trouble returns what keeps the workspace's mails from arriving. Today and Health both say it by this. Errors:
// forbidden.
func (s *Service) Trouble(ctx context.Context, a app.Actor) (t Trouble, err error) {
	if t.Stuck, err = s.StuckMails(ctx, a); err != nil {
		return t, err
	}
	route, err := s.MailRoute(ctx, a.Workspace)
	if err != nil {
		return t, err
	}
	unchecked, err := s.ServerCheck(ctx, a.Workspace)
	if err != nil {
		return t, err
	}
	t.NoServer, t.Unconfirmed = route == nil, route != nil && unchecked != nil
	n := mostStuck
	failed, err := s.Mails(ctx, a, ListInput{State: string(Failed), Limit: &n})
	week := when.At(s.Core.Now().AddDate(0, 0, -7))
	t.Failed = slices.DeleteFunc(failed.Data, func(m Mail) bool { return m.CreatedAt <= week })
	return t, err
}
