package shop

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
)

// Accounts returns the accounts by which the accountant books, empty ones where none are known. Errors: forbidden.
func (s *Service) Accounts(a app.Actor) (x catalog.Accounts, err error) {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return x, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return x, err
	}
	return accountsOf(&setup.Workspace), nil
}

func accountsOf(w *catalog.Workspace) catalog.Accounts {
	x := catalog.Accounts{}
	if w.Settings.Accounts != nil {
		x = *w.Settings.Accounts
	}
	x.Revenue = append([]catalog.RevenueAccount{}, slices.Clone(x.Revenue)...)
	return x
}

// ChangeAccounts changes them as they are in the same transaction. Errors: forbidden, bad_request and those of change.
func (s *Service) ChangeAccounts(ctx context.Context, a app.Actor, change func(*catalog.Accounts) error) (catalog.Accounts, error) {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return catalog.Accounts{}, err
	}
	w, err := s.updateWorkspace(ctx, a, func(w *catalog.Workspace) error {
		x := accountsOf(w)
		if err := change(&x); err != nil {
			return err
		}
		w.Settings.Accounts = &x
		return nil
	}, func(*app.LostField) (bool, error) { return false, nil })
	return accountsOf(&w), err
}
