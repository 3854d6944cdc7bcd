package app_test

import (
	"context"
	"errors"
	"testing"

	"daybook/app/apptest"
	"daybook/app/catalog"
)

// Of files that are read at once a workspace has two and the process four, whoever waits.
func TestPlacesForUploads(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var leave []func()
	take := func(ws catalog.WorkspaceID) error {
		done, err := s.Service.Upload(gone, ws)
		if err == nil {
			leave = append(leave, done)
		}
		return err
	}
	// A place that is free is taken or not by chance where the wait has ended already: try until it is.
	free := func(ws catalog.WorkspaceID) bool {
		for range 100 {
			if err := take(ws); err == nil {
				return true
			} else if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		return false
	}
	wants := func(ws catalog.WorkspaceID, places int) {
		t.Helper()
		for i := range places + 1 {
			if free(ws) != (i < places) {
				t.Errorf("place %d of workspace %d", i+1, ws)
			}
		}
	}
	wants(1, 2)
	wants(2, 2)
	wants(3, 0) // the process has four
	leave[0]()
	leave[0]() // once is enough
	wants(3, 1)
	for _, done := range leave {
		done()
	}
	wants(1, 2)
}
