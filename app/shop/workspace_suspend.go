package shop

import (
	"context"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/when"
)

// SuspendWorkspace closes the doors of the actor's workspace: its pages say so, keys and members are refused with the
// reason workspace_suspended, and nothing is sent for it. Its data stays, payments that are under way end, and calendars
// are still read. It is no error if that is so already; the time stays then. Errors: forbidden, ErrNotFound.
func (s *Service) SuspendWorkspace(ctx context.Context, a app.Actor) (catalog.Workspace, error) {
	return s.setSuspended(ctx, a, when.At(s.Now()), audit.WorkspaceSuspended)
}

// ResumeWorkspace opens a suspended workspace again: all works as before, and what waited to be sent goes out, however long
// that was, unless it is too late for it, as for reminders and notifications. It is no error if the workspace is open. Errors: forbidden, ErrNotFound.
func (s *Service) ResumeWorkspace(ctx context.Context, a app.Actor) (catalog.Workspace, error) {
	return s.setSuspended(ctx, a, 0, audit.WorkspaceResumed)
}

func (s *Service) setSuspended(ctx context.Context, a app.Actor, since when.Instant,
	action audit.Action) (w catalog.Workspace, err error) {
	if err := a.May(app.MayOperate); err != nil {
		return w, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if w, err = tx.Workspace(a.Workspace); err != nil || (w.SuspendedAt != 0) == (since != 0) {
			return err
		}
		w.SuspendedAt = since
		if err := tx.SetSuspended(w.ID, since, when.At(s.Now())); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: action})
	})
	return w, err
}
