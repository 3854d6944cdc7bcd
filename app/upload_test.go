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
	if !free(1) || !free(1) || free(1) {
		t.Error("a workspace has not two places")
	}
	if !free(2) || !free(2) || free(3) {
		t.Error("the process has not four places")
	}
	leave[0]()
	leave[0]() // once is enough
	if !free(3) || free(3) {
		t.Error("one place was given back")
	}
	for _, done := range leave {
		done()
	}
	if !free(1) || !free(1) {
		t.Error("all places were given back")
	}
}
