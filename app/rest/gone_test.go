package rest_test

import (
	"testing"

	"daybook/app"
	"daybook/app/when"
)

// Once a workspace is marked as gone its keys are refused, though its rows still are there; another's go on.
func TestKeysOfADeletedWorkspace(t *testing.T) {
	w := newWorld(t)
	if got := w.do(w.full, "GET", "/api/v1/bookings", ""); got.Code != 200 {
		t.Fatal(got.Code)
	}
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.MarkWorkspaceGone(w.Workspace.ID, when.At(w.Clock.Now())) }))
	for _, key := range []string{w.full, w.readOnly} {
		if got := w.do(key, "GET", "/api/v1/bookings", ""); got.Code != 401 {
			t.Errorf("got %d", got.Code)
		}
	}
	if got := w.do(w.foreign, "GET", "/api/v1/bookings", ""); got.Code != 200 {
		t.Errorf("the other workspace: %d", got.Code)
	}
}
