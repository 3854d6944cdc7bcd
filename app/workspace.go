package app

import (
	"context"
	"crypto/rand"
	"errors"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// InsertWorkspace creates an empty workspace without the check of rights: its callers (the command, the set-up link and
// the set-up file) have checked them. Errors: bad_request, conflict slug_taken.
func (s *Service) InsertWorkspace(tx Tx, in catalog.WorkspaceInput) (catalog.Workspace, error) {
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
	if err := tx.InsertWorkspace(&w); errors.Is(err, fault.ErrTaken) {
		return w, fault.Conflictf("slug_taken", "There is a workspace %q already; choose another slug.", w.Slug)
	} else if err != nil {
		return w, err
	}
	return w, nil
}

// Workspaces lists all workspaces by slug, at most 1000. The error is forbidden.
func (s *Service) Workspaces(ctx context.Context, a Actor) ([]catalog.Workspace, error) {
	if err := a.May(MayOperate); err != nil {
		return nil, err
	}
	return s.Reader(ctx).Workspaces(1000)
}

// WorkspaceBySlug finds a workspace by the public name in its addresses. The error is not_found.
func (s *Service) WorkspaceBySlug(ctx context.Context, slug string) (catalog.Workspace, error) {
	w, err := s.slugs.Find(slug, s.Setup, s.Reader(ctx).WorkspaceBySlug)
	return w, fault.OrMissing(err, fault.New(fault.NotFound, "",
		`There is no workspace "%s"; list them with: daybook workspace list`, slug))
}
