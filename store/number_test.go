package store

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/migrations"
	"daybook/store/pgtest"
	"daybook/store/postgres"
	"daybook/store/sqlite"
)

// atBooking puts a booking and what it belongs to into each of the workspaces 1 and 2, with the id of the workspace, and
// an endpoint into the first one.
func atBooking(tx *engine.Transaction) (err error) {
	exec := func(query string, args ...any) {
		if err == nil {
			_, err = tx.Exec(query, args...)
		}
	}
	for _, ws := range []int{1, 2} {
		exec(`INSERT INTO workspaces (id, slug, name, time_zone, currency, settings, link_key, created_ms)
			VALUES (?, ?, 'Salon', 'UTC', 'EUR', '{}', '', 1)`, ws, fmt.Sprint("salon", ws))
		exec(`INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, created_ms)
			VALUES (?, ?, 'a', 'a@salon.example', 'Ana', 'UTC', 1, '{}', 1)`, ws, ws)
		exec(`INSERT INTO event_types (id, workspace_id, slug, position, definition, created_ms)
			VALUES (?, ?, 'cut', 1, '{}', 1)`, ws, ws)
		exec(`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms)
			VALUES (?, ?, 'i', 'i', 'Ida', '', '', '', 1)`, ws, ws)
		exec(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms,
			busy_start_ms, busy_end_ms, name, email, created_ms) VALUES (?, ?, ?, ?, ?, 1, 1, 2, 1, 2, 'Ida', 'i', 1)`,
			ws, ws, ws, ws, ws)
	}
	exec(`INSERT INTO webhook_endpoints (id, workspace_id, url, kinds, secret, enabled, created_ms)
		VALUES (1, 1, 'https://x.example', '*', '', 1, 1)`)
	return err
}

// bookedStore is a store with one booking.
func bookedStore(t *testing.T) *Store {
	t.Helper()
	s := open(t)
	if err := s.Engine.Write(t.Context(), atBooking); err != nil {
		t.Fatal(err)
	}
	return s
}

// tell saves an event of the booking, and its delivery.
func tell(t *testing.T, s *Store, id booking.EventID) {
	t.Helper()
	e := booking.Event{ID: id, WorkspaceID: 1, Kind: catalog.BookingCreated, BookingID: 1, CreatedAt: 1, Body: []byte("{}"),
		To: []booking.Recipient{{Delivery: booking.DeliveryID(id), Endpoint: 1}}}
	if err := s.Write(t.Context(), func(tx app.Tx) error { return tx.(webhookWrites).InsertEvent(&e) }); err != nil {
		t.Fatal(err)
	}
}

type webhookWrites interface {
	InsertEvent(e *booking.Event) error
}

// wantAfter checks which events are listed behind one.
func wantAfter(t *testing.T, s *Store, after booking.EventID, want ...booking.EventID) {
	t.Helper()
	all, err := s.Reader(t.Context()).(queries).EventsAfter(1, after, 100)
	if err != nil {
		t.Fatal(err)
	}
	got := []booking.EventID{}
	for _, e := range all {
		got = append(got, e.ID)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after %d: %v, want %v", after, got, want)
	}
}

// before is the engine's steps before the one with that name.
func before(t *testing.T, all fs.FS, step string) fs.FS {
	t.Helper()
	names, err := fs.Glob(all, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	old := fstest.MapFS{}
	for _, name := range names {
		if strings.HasSuffix(name, step) {
			return old
		}
		text, err := fs.ReadFile(all, name)
		if err != nil {
			t.Fatal(err)
		}
		old[name] = &fstest.MapFile{Data: text}
	}
	t.Fatalf("there is no step %s", step)
	return nil
}

// A cursor that a client holds from before events had numbers leads to the same events as then, and to all that came
// since, also those with smaller ids. So does one whose event is forgotten, or never was the workspace's.
func TestCursorsFromBeforeTheNumbers(t *testing.T) {
	const step = "_event_numbers.sql"
	opened := func(steps fs.FS, path string) (engine.Engine, error) {
		if enginetest.OnPostgres() {
			return postgres.Open(t.Context(), postgres.Options{URL: path, Migrations: steps})
		}
		return sqlite.Open(t.Context(), sqlite.Options{Path: path, Create: true, Migrations: steps})
	}
	path, all := filepath.Join(t.TempDir(), "t.db"), migrations.SQLite()
	if enginetest.OnPostgres() {
		path, all = pgtest.Fresh(t, pgtest.Shared(t), ""), migrations.Postgres()
	}
	db, err := opened(before(t, all, step), path)
	if err == nil {
		_, err = db.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *engine.Transaction) error {
		err := atBooking(tx)
		for _, e := range [][]int{{30, 1}, {15, 2}, {10, 1}, {45, 2}, {20, 1}, {40, 1}} {
			if err == nil {
				_, err = tx.Exec(`INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body)
					VALUES (?, ?, 'booking.created', ?, 1, ?)`, e[0], e[1], e[1], []byte("{}"))
			}
		}
		return err
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if db, err = opened(all, path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := New(db)
	wantAfter(t, s, 0, 10, 20, 30, 40)
	wantAfter(t, s, 20, 30, 40)
	wantAfter(t, s, 40)
	tell(t, s, 25) // its id was made long before its commit
	wantAfter(t, s, 40, 25)
	wantAfter(t, s, 25)
	tell(t, s, 50)
	wantAfter(t, s, 20, 30, 40, 25, 50)
	wantAfter(t, s, 25, 50)

	wantAfter(t, s, 15, 20, 30, 40, 25, 50) // of the other workspace
	wantAfter(t, s, 35, 40, 25, 50)         // of none
	wantAfter(t, s, 60)
	err = s.Write(t.Context(), func(tx app.Tx) error {
		_, err := tx.(interface {
			PruneEvents(before booking.EventID, limit int) (int, error)
		}).PruneEvents(26, 3)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	wantAfter(t, s, 20, 30, 40, 25, 50)
}

// A server that stops while it numbers, and keeps the row, holds up who reads by 2 s at most: the database ends its
// transaction. When the server goes on, it does its work anew.
func TestAServerThatStopsWhileItNumbers(t *testing.T) {
	s := bookedStore(t)
	if s.numbering == nil {
		t.Skip("only where transactions write side by side")
	}
	tell(t, s, 1)
	holds, goOn := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	runs := 0
	go func() {
		ended <- s.Engine.Write(context.Background(), func(tx *engine.Transaction) error {
			err := newTx(tx).number(10)
			if runs++; runs == 1 {
				close(holds)
				<-goOn
			}
			return err
		})
	}()
	<-holds
	other := New(enginetest.Again(t, s.Engine))
	tell(t, other, 2)
	began := time.Now()
	wantAfter(t, other, 0, 1, 2)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	close(goOn)
	if err := <-ended; err != nil || runs != 2 {
		t.Errorf("%d runs, %v", runs, err)
	}
	wantAfter(t, s, 0, 1, 2)
}

// Writers and webhooks don't wait for who numbers.
func TestDeliveriesDontWaitForNumbers(t *testing.T) {
	s := bookedStore(t)
	if s.numbering == nil {
		t.Skip("only where transactions write side by side")
	}
	tx, err := enginetest.Raw(t, s.Engine).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(lockNumbers); err != nil {
		t.Fatal(err)
	}
	tell(t, s, 1)
	err = s.Engine.Write(t.Context(), func(tx *engine.Transaction) error {
		all, err := newTx(tx).ClaimDeliveries(1, 1, 1, when.Instant(2), when.Instant(3), 10)
		if len(all) != 1 || string(all[0].Body) != "{}" {
			t.Errorf("claimed %+v", all)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var number *int64
	if err := s.Scan(`SELECT number FROM events WHERE id = 1`, nil, &number); err != nil || number != nil {
		t.Errorf("the number is %v, %v", number, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	wantAfter(t, s, 0, 1)
}
