package counter

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/fault"
)

// DayCloses returns how days before a day were closed, the latest first and at most n. For a day that was counted
// several times it returns the last count. Errors: forbidden.
func (s *Service) DayCloses(ctx context.Context, a app.Actor, before string, n int) (all []DayClose, err error) {
	if err := a.May(app.MaySeeTill); err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	for len(all) < n {
		x, err := r.LastClose(a.Workspace, before)
		if errors.Is(err, fault.ErrNotFound) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all, before = append(all, x), x.Day
	}
	return all, nil
}
