package app

import (
	"sync"

	"daybook/app/catalog"
)

// slugs is what is remembered: a slug for each workspace that was found, and those that they had before. The zero value
// is ready, for all goroutines.
type slugs struct{ found sync.Map }

// Find returns the workspace of the slug: from its set-up, which is as new as setup's are, or from read, whose errors
// it returns.
func (s *slugs) Find(slug string, setup func(catalog.WorkspaceID) (*catalog.Setup, error),
	read func(string) (catalog.Workspace, error)) (catalog.Workspace, error) {
	if id, ok := s.found.Load(slug); ok {
		if now, err := setup(id.(catalog.WorkspaceID)); err == nil && now.Workspace.Slug == slug {
			return now.Workspace, nil
		}
	}
	w, err := read(slug)
	if err == nil {
		s.found.Store(slug, w.ID)
	}
	return w, err
}
