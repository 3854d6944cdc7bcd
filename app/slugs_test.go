package app

import (
	"errors"
	"testing"

	"daybook/app/catalog"
)

// A slug is answered from the set-up as long as that has it, and asked for again when it has another or is gone.
func TestSlugs(t *testing.T) {
	var s slugs
	gone := errors.New("gone")
	now, reads := catalog.Workspace{ID: 7, Slug: "salon"}, 0
	setup := func(id catalog.WorkspaceID) (*catalog.Setup, error) {
		if id != now.ID {
			return nil, gone
		}
		return &catalog.Setup{Workspace: now}, nil
	}
	read := func(slug string) (catalog.Workspace, error) {
		if reads++; slug != now.Slug {
			return catalog.Workspace{}, gone
		}
		return now, nil
	}
	find := func(slug string, wanted catalog.WorkspaceID, atReads int) {
		t.Helper()
		w, err := s.Find(slug, setup, read)
		if w.ID != wanted || (err == nil) != (wanted != 0) || reads != atReads {
			t.Errorf("%s: %d %v after %d reads", slug, w.ID, err, reads)
		}
	}
	find("none", 0, 1)
	find("salon", 7, 2)
	find("salon", 7, 2)
	now.Slug = "ana" // renamed
	find("salon", 0, 3)
	find("ana", 7, 4)
	find("ana", 7, 4)
	now = catalog.Workspace{ID: 8, Slug: "ana"} // deleted, and made anew
	find("ana", 8, 5)
	find("ana", 8, 5)
}
