package shop

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// SetConsents replaces the kinds of consents that customers are asked for. checks get the kinds as they are, and change
// nothing unless all return nil. Errors: forbidden, bad_request, those of checks.
func (s *Service) SetConsents(ctx context.Context, a app.Actor, kinds []catalog.ConsentKind,
	checks ...func([]catalog.ConsentKind) error) error {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return err
	}
	_, err := s.updateWorkspace(ctx, a, func(w *catalog.Workspace) error {
		if err := fault.Agree(w.Settings.Consents, checks); err != nil {
			return err
		}
		w.Settings.Consents = slices.Clone(kinds) // what a transaction checks that runs again is what was given
		return nil
	}, func(*app.LostField) (bool, error) { return false, nil })
	return err
}
