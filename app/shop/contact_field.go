package shop

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// ContactFields returns the fields that the workspace keeps of its contacts besides the usual ones, in their order. Errors:
// forbidden.
func (s *Service) ContactFields(a app.Actor) ([]catalog.ContactField, error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	return append([]catalog.ContactField{}, setup.Workspace.Settings.ContactFields...), nil
}

// SetContactFields replaces these fields. The values of one that is left out are deleted, but only if deleteValues names
// its key: nobody sees them from then on. checks get the fields as they are, and change nothing unless all return nil.
// Errors: forbidden, bad_request, conflict field_values with details.values, those of checks.
func (s *Service) SetContactFields(ctx context.Context, a app.Actor, fields []catalog.ContactField, deleteValues []string,
	checks ...func([]catalog.ContactField) error) ([]catalog.ContactField, error) {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return nil, err
	}
	removes := false
	w, err := s.updateWorkspace(ctx, a, func(w *catalog.Workspace) error {
		removes = false
		if err := fault.Agree(append([]catalog.ContactField{}, w.Settings.ContactFields...), checks); err != nil {
			return err
		}
		w.Settings.ContactFields = slices.Clone(fields) // what a transaction checks that runs again is what was given
		for i := range w.Settings.ContactFields {
			f := &w.Settings.ContactFields[i]
			f.Options = slices.Clone(f.Options)
		}
		return nil
	}, func(f *app.LostField) (bool, error) {
		if !slices.Contains(deleteValues, f.Key) {
			return false, nil
		}
		removes = true
		return true, a.May(app.MayManageContacts)
	})
	if err == nil && removes {
		s.Core.SweepSoon(ctx)
	}
	return append([]catalog.ContactField{}, w.Settings.ContactFields...), err
}
