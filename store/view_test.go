package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

type valueReader interface {
	ServerValue(name string) (string, error)
}

// valueTx is what a room that keeps values beside the core would ask for.
type valueTx interface {
	app.Tx
	valueReader
	SetServerValue(name, value string) error
}

// A room's part and the core's part of one transaction are kept together, or undone together.
func TestViewSharesTheTransaction(t *testing.T) {
	s := open(t)
	room := Of[valueTx, valueReader](s)
	no := errors.New("no")
	for name, end := range map[string]error{"undone": no, "kept": nil} {
		err := room.Write(t.Context(), func(tx valueTx) error {
			core := app.Tx(tx)
			if err := core.InsertWorkspace(&catalog.Workspace{ID: catalog.WorkspaceID(len(name)), Slug: name}); err != nil {
				return err
			}
			if err := tx.SetServerValue("of", name); err != nil {
				return err
			}
			if v, err := tx.ServerValue("of"); err != nil || v != name {
				t.Errorf("within: %q, %v", v, err)
			}
			return end
		})
		if err != end {
			t.Fatal(err)
		}
	}
	if v, err := room.Reader(t.Context()).ServerValue("of"); err != nil || v != "kept" {
		t.Errorf("after: %q, %v", v, err)
	}
	if _, err := s.Reader(t.Context()).WorkspaceBySlug("undone"); err != fault.ErrNotFound {
		t.Errorf("the core's part was not undone: %v", err)
	}
	if _, err := s.Reader(t.Context()).WorkspaceBySlug("kept"); err != nil {
		t.Errorf("the core's part is gone: %v", err)
	}
}

// A method that the store lacks is found when the program starts, and named.
func TestViewNamesWhatIsMissing(t *testing.T) {
	type unknown interface {
		app.Tx
		SetMoonPhase(int) error
	}
	defer func() {
		err, _ := recover().(error)
		if err == nil || !strings.Contains(err.Error(), "SetMoonPhase") {
			t.Errorf("got %v", err)
		}
	}()
	Of[unknown, app.Reader](open(t))
}

// A reader ends with its context: waiting for a connection, before a statement and between rows.
func TestReaderEndsWithItsContext(t *testing.T) {
	s := open(t)
	err := s.Write(t.Context(), func(tx app.Tx) error {
		for i, slug := range []string{"a", "b"} {
			if err := tx.InsertWorkspace(&catalog.Workspace{ID: catalog.WorkspaceID(i + 1), Slug: slug}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	rows := 0
	err = s.bound(ctx).each(`SELECT id FROM workspaces`, nil, func(func(...any) error) error {
		rows++
		cancel()
		return nil
	})
	if rows != 1 || err != context.Canceled {
		t.Errorf("%d rows, %v", rows, err)
	}
	if _, err := s.Reader(ctx).WorkspaceBySlug("a"); err != context.Canceled {
		t.Errorf("before a statement: %v", err)
	}
	var held []*Session
	for range cap(s.readers.free) {
		held = append(held, <-s.readers.free)
	}
	waiting, stop := context.WithCancel(t.Context())
	got := make(chan error)
	go func() { _, err := s.Reader(waiting).WorkspaceBySlug("a"); got <- err }()
	stop()
	if err := <-got; err != context.Canceled {
		t.Errorf("waiting for a connection: %v", err)
	}
	for _, h := range held {
		s.readers.Give(h)
	}
}
