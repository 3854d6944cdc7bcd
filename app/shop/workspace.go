package shop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// CreateWorkspace creates an empty workspace. Errors: forbidden, bad_request, conflict slug_taken.
func (s *Service) CreateWorkspace(ctx context.Context, a app.Actor,
	in catalog.WorkspaceInput) (w catalog.Workspace, err error) {
	if err := a.May(app.MayOperate); err != nil {
		return w, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if w, err = s.Core.InsertWorkspace(tx, in); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.WorkspaceCreated, Workspace: w.ID})
	})
	return w, err
}

// UpdateWorkspace changes name, slug, zone, currency and settings of the actor's workspace. A new slug changes the
// addresses of all its booking pages. Errors: forbidden, bad_request, conflict slug_taken.
func (s *Service) UpdateWorkspace(ctx context.Context, a app.Actor,
	change func(*catalog.Workspace)) (w catalog.Workspace, err error) {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return w, err
	}
	return s.updateWorkspace(ctx, a, func(w *catalog.Workspace) error {
		change(w)
		return nil
	}, func(*app.LostField) (bool, error) { return false, nil })
}

// updateWorkspace is UpdateWorkspace for a change that may fail. may says of a field of contacts that the change removes
// whether its values may go, see app.Service.KeepFields.
func (s *Service) updateWorkspace(ctx context.Context, a app.Actor, change func(*catalog.Workspace) error,
	may func(*app.LostField) (bool, error)) (w catalog.Workspace, err error) {
	err = s.Write(ctx, func(tx Tx) (err error) {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if w, err = tx.Workspace(a.Workspace); err != nil {
			return err
		}
		before := w
		if err := change(&w); err != nil {
			return err
		}
		if w.TimeZone != before.TimeZone {
			old, err := catalog.CheckZone("workspace.timeZone", before.TimeZone)
			if err != nil {
				return err
			}
			zone, err := catalog.CheckZone("timeZone", w.TimeZone)
			if err != nil {
				return err
			}
			w.TimeOff = catalog.TimeOffOnNewClock(w.TimeOff, old, zone)
		}
		w.ID = a.Workspace
		if err := w.Check(); err != nil {
			return err
		}
		if err := w.Settings.Check(); err != nil {
			return err
		}
		if _, err := s.Core.KeepFields(tx, "settings.contactFields", &before.Settings, &w, may); err != nil {
			return err
		}
		if len(before.Settings.Consents) > 0 {
			setup, err := tx.Setup(w.ID)
			if err != nil {
				return err
			}
			if err := w.Settings.CheckConsentsUsed("settings.consents", setup.EventTypes); err != nil {
				return err
			}
		}
		if err := catalog.CheckPicture(tx, w.ID, "settings.logo", w.Settings.Logo); err != nil {
			return err
		}
		for i, p := range w.Settings.Photos {
			if err := catalog.CheckPicture(tx, w.ID, fmt.Sprintf("settings.photos[%d].picture", i), p.Picture); err != nil {
				return err
			}
		}
		if err := tx.UpdateWorkspace(&w); errors.Is(err, fault.ErrTaken) {
			return fault.New(fault.Conflict, "slug_taken", "Another workspace has this address; choose another one.").At("workspace.slug")
		} else if err != nil {
			return err
		}
		return noteSettings(tx, s.Now(), a, &before, &w)
	})
	return w, err
}

// noteSettings logs the names of the fields that differ, if there are any.
func noteSettings(tx Tx, at time.Time, a app.Actor, before, w *catalog.Workspace) error {
	own, err := audit.Changed("", before, w)
	if err != nil {
		return err
	}
	was, now := before.Settings, w.Settings
	was.ContactFieldIDs, now.ContactFieldIDs = nil, nil // they follow from the fields
	settings, err := audit.Changed("settings.", was, now)
	if fields := append(own, settings...); err == nil && len(fields) > 0 {
		return audit.Note(tx, at, a, audit.Entry{Action: audit.SettingsChanged, Fields: fields})
	}
	return err
}

// DeleteWorkspace removes the actor's workspace and everything in it, for good. confirm must be its slug. When this
// returns, the workspace can no longer be found; the rows of a large one are deleted by upkeep.Maintain in the minutes
// after that. Errors: forbidden, bad_request.
func (s *Service) DeleteWorkspace(ctx context.Context, a app.Actor, confirm string) error {
	if err := a.May(app.MayDeleteWorkspace); err != nil {
		return err
	}
	err := s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		w, err := tx.Workspace(a.Workspace)
		if err != nil {
			return err
		}
		if strings.TrimSpace(confirm) != w.Slug {
			return fault.Invalid("confirm", "type %s to delete the workspace", w.Slug)
		}
		if err := tx.MarkWorkspaceGone(w.ID, when.At(s.Core.Now())); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.WorkspaceDeleted})
	})
	if err != nil {
		return err
	}
	s.Core.ForgetSetup(a.Workspace)
	s.Core.SweepSoon(ctx)
	return nil
}
