package app

import (
	"context"
	"crypto/rand"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// These are the operator's doings: the command line and the dashboard call them for somebody who may.

// WorkspaceInput is what the operator says of a new workspace.
type WorkspaceInput struct {
	ID                             catalog.WorkspaceID // 0 makes one
	Slug, Name, TimeZone, Currency string              // Currency "" is EUR
}

// Workspace has what the operator said, and the defaults.
func (in WorkspaceInput) Workspace() catalog.Workspace {
	w := catalog.Workspace{ID: in.ID, Slug: in.Slug, Name: in.Name, TimeZone: in.TimeZone, Currency: in.Currency}
	if w.Currency == "" {
		w.Currency = "EUR"
	}
	return w
}

// CreateWorkspace makes an empty workspace. Errors: bad_request, conflict slug_taken.
func (s *Service) CreateWorkspace(ctx context.Context, in WorkspaceInput) (w catalog.Workspace, err error) {
	err = s.Write(ctx, func(tx Tx) (err error) {
		w, err = s.InsertWorkspace(tx, in)
		return err
	})
	return w, err
}

func (s *Service) InsertWorkspace(tx Tx, in WorkspaceInput) (catalog.Workspace, error) {
	now := s.clock()
	linkKey := make([]byte, 32)
	rand.Read(linkKey)
	w := in.Workspace()
	w.CreatedAt, w.LinkKey, w.Revision = when.At(now), s.vault.Seal(linkKey), 1
	if w.ID == 0 {
		w.ID = id.New[catalog.WorkspaceIDKind](now)
	}
	if err := w.Check(); err != nil {
		return w, err
	}
	if err := tx.InsertWorkspace(&w); err == fault.ErrTaken {
		return w, fault.Conflictf("slug_taken", "There is a workspace %q already; choose another slug.", w.Slug)
	} else if err != nil {
		return w, err
	}
	return w, nil
}

// Workspaces are all workspaces by slug, at most 1000.
func (s *Service) Workspaces() ([]catalog.Workspace, error) { return s.store.Workspaces(1000) }

// WorkspaceBySlug finds a workspace. The error is not_found.
func (s *Service) WorkspaceBySlug(slug string) (catalog.Workspace, error) {
	w, err := s.store.WorkspaceBySlug(slug)
	return w, fault.OrMissing(err, &fault.Error{Code: fault.NotFound, Message: "There is no workspace \"" + slug + "\"; list them with: daybook workspace list"})
}
