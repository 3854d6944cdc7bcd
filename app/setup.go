package app

import (
	"context"

	"daybook/app/catalog"
)

// cachedSetup is a set-up that the Service keeps.
type cachedSetup struct {
	setup   *catalog.Setup
	version int64 // SetupVersion at which it was last known to be current
}

// Setup returns the set-up of a workspace as last committed. Callers share it and must not change it.
//
// It takes no context: nearly every call finds the set-up in memory, and one that has to read it reads for all the
// requests that follow.
func (s *Service) Setup(id catalog.WorkspaceID) (*catalog.Setup, error) {
	version, err := s.store.SetupVersion()
	if err != nil {
		return nil, err
	}
	held, _ := s.setups.Load(id)
	c, _ := held.(*cachedSetup)
	if c != nil && c.version == version {
		return c.setup, nil
	}
	r := s.store.Reader(context.Background())
	revision, err := r.SetupRevision(id)
	if err != nil {
		return nil, err
	}
	setup, err := s.setupOf(r, id, revision)
	if err != nil {
		return nil, err
	}
	s.setups.Store(id, &cachedSetup{setup, version})
	return setup, nil
}

// ForgetSetup drops the cached set-up of a deleted workspace.
func (s *Service) ForgetSetup(id catalog.WorkspaceID) { s.setups.Delete(id) }

// SetupFor returns the set-up as it was when the actor's request was authenticated, or a later one.
func (s *Service) SetupFor(a Actor) (*catalog.Setup, error) {
	if a.Revision != 0 {
		if held, ok := s.setups.Load(a.Workspace); ok {
			if c := held.(*cachedSetup); c.setup.Workspace.Revision == a.Revision {
				return a.Limits.Setup(c.setup, nil)
			}
		}
	}
	return a.Limits.Setup(s.Setup(a.Workspace))
}

// cachedSetup returns the cached set-up of the workspace, which may be out of date: the caller checks its revision behind a
// lock.
func (s *Service) cachedSetup(id catalog.WorkspaceID) (*catalog.Setup, error) {
	if c, ok := s.setups.Load(id); ok {
		return c.(*cachedSetup).setup, nil
	}
	return s.Setup(id)
}

// setupOf returns the set-up as r sees it: the cached one if it has the revision.
func (s *Service) setupOf(r Reader, id catalog.WorkspaceID, revision int64) (*catalog.Setup, error) {
	if held, ok := s.setups.Load(id); ok {
		if c := held.(*cachedSetup); c.setup.Workspace.Revision == revision {
			return c.setup, nil
		}
	}
	setup, err := r.Setup(id)
	if err != nil {
		return nil, err
	}
	linkKey, err := s.vault.Open(setup.Workspace.LinkKey)
	if err != nil {
		return nil, err
	}
	setup.SetLinkKey(linkKey)
	if setup.TakesCards, err = s.till.Takes(r, id); err != nil {
		return nil, err
	}
	for i := range setup.EventTypes {
		e := &setup.EventTypes[i]
		e.BookingURL = s.baseURL + "/" + setup.Workspace.Slug + "/" + e.Slug
	}
	return setup, nil
}
