package health

import (
	"context"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/fault"
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
// other workspaces see only their own queues. Errors: forbidden.
func (s *Service) Report(ctx context.Context, a app.Actor) (r Report, err error) {
	if err := a.May(app.MaySeeHealth); err != nil {
		return r, err
	}
	if r.Keeps, err = s.keeps(s.Reader(ctx), a); err != nil {
		return r, err
	}
	if !r.Keeps {
		r.Findings, err = s.queues(ctx, a.Workspace)
		return r, err
	}
	if r.Findings, err = s.look(ctx); err != nil {
		return r, err
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
