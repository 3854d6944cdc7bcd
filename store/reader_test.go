package store

import (
	"context"
	"errors"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// The core's part and a subject's part of one transaction are kept together, or undone together.
func TestPartsShareTheTransaction(t *testing.T) {
	s := open(t)
	no := errors.New("no")
	for name, end := range map[string]error{"undone": no, "kept": nil} {
		err := s.Write(t.Context(), func(core app.Tx) error {
			if err := core.InsertWorkspace(&catalog.Workspace{ID: catalog.WorkspaceID(len(name)), Slug: name}); err != nil {
				return err
			}
			part := core.(tx)
			if err := part.SetServerValue("of", name); err != nil {
				return err
			}
			if v, err := part.ServerValue("of"); err != nil || v != name {
				t.Errorf("within: %q, %v", v, err)
			}
			return end
		})
		if err != end {
			t.Fatal(err)
		}
	}
	if v, err := s.ServerValue("of"); err != nil || v != "kept" {
		t.Errorf("after: %q, %v", v, err)
	}
	if _, err := s.Reader(t.Context()).WorkspaceBySlug("undone"); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("the core's part was not undone: %v", err)
	}
	if _, err := s.Reader(t.Context()).WorkspaceBySlug("kept"); err != nil {
		t.Errorf("the core's part is gone: %v", err)
	}
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
	err = s.bound(ctx).Each(`SELECT id FROM workspaces`, nil, func(func(...any) error) error {
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
	var held []*engine.Session
	for range s.Readers().Size() {
		h, err := s.Readers().Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, h)
	}
	waiting, stop := context.WithCancel(t.Context())
	got := make(chan error)
	go func() { _, err := s.Reader(waiting).WorkspaceBySlug("a"); got <- err }()
	stop()
	if err := <-got; err != context.Canceled {
		t.Errorf("waiting for a connection: %v", err)
	}
	for _, h := range held {
		s.Readers().Give(h)
	}
}

// A name in use is ErrTaken, whichever engine tells of it; other broken rules are not; and the transaction goes on.
func TestTakenIsToldByTheEngine(t *testing.T) {
	s := open(t)
	err := s.Write(t.Context(), func(t2 app.Tx) error {
		insert := func(id int, slug string) error {
			return t2.Try(func() error { return t2.InsertWorkspace(&catalog.Workspace{ID: catalog.WorkspaceID(id), Slug: slug}) })
		}
		if err := insert(1, "one"); err != nil {
			return err
		}
		if err := insert(2, "one"); !errors.Is(err, fault.ErrTaken) {
			t.Errorf("slug in use: %v", err)
		}
		if enginetest.OnPostgres() { // runs the change again for an id in use, and a workspace is no foreign key
			return insert(3, "three")
		}
		if err := insert(1, "two"); !errors.Is(err, fault.ErrTaken) {
			t.Errorf("id in use: %v", err)
		}
		err := t2.Try(func() error { return t2.InsertHost(&catalog.Host{ID: 1, WorkspaceID: 99, Email: "a@x.example"}) })
		if err == nil || errors.Is(err, fault.ErrTaken) {
			t.Errorf("a host of no workspace: %v", err)
		}
		return insert(3, "three")
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.WorkspaceBySlug("three"); err != nil {
		t.Error(err)
	}
}

// A request's reader is one object, whichever nouns it can read.
func TestAReaderIsOneObject(t *testing.T) {
	s := open(t)
	var r app.Reader
	if n := testing.AllocsPerRun(100, func() { r = s.Reader(context.Background()) }); n > 1 || r == nil {
		t.Errorf("%v objects", n)
	}
}
