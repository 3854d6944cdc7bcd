package page_test

import (
	"testing"

	"daybook/app"
	"daybook/app/page"
	"daybook/app/when"
)

// Once a workspace is marked as gone none of its pages is there, though its rows still are.
func TestPagesOfADeletedWorkspace(t *testing.T) {
	w := newWorld(t, page.Options{})
	at := path(w.book("cut", "3T08:00", "mia").ManageURL)
	paths := []string{"/salon", "/salon/cut", at, at + "/cancel", at + "/calendar.ics"}
	for _, p := range paths {
		if got := w.get(p); got.StatusCode != 200 {
			t.Errorf("%s before: %d", p, got.StatusCode)
		}
	}
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.MarkWorkspaceGone(w.Workspace.ID, when.At(w.Clock.Now())) }))
	for _, p := range paths {
		if got := w.get(p); got.StatusCode != 404 {
			t.Errorf("%s after: %d", p, got.StatusCode)
		}
	}
}
