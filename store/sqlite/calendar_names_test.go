package sqlite

import (
	"io/fs"
	"path/filepath"
	"testing"
	"testing/fstest"

	"daybook/app/booking"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/migrations"
)

// Bookings from before the migration are named after the base URL that their first event holds, or, without one, after
// the latest of them.
func TestBookingsOfBeforeKeepTheirMailedNames(t *testing.T) {
	const last = "202611211632_calendar_names.sql"
	old, now := fstest.MapFS{}, fstest.MapFS{}
	names, err := fs.Glob(migrations.SQLite(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations.SQLite(), name)
		if err != nil {
			t.Fatal(err)
		}
		now[name] = &fstest.MapFile{Data: text}
		if name < last {
			old[name] = now[name]
		}
	}
	path := filepath.Join(t.TempDir(), "t.db")
	before := at(t, path, old)
	if _, err := before.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	links := map[booking.BookingID]string{
		1: "https://old.example/booking/abc", 2: "https://new.example:8443/salon/booking/abc", 3: "", 4: "http://[::1]:8080/booking/abc",
		5: "http://last.example/booking/abc",
	}
	err = before.Write(t.Context(), func(q *engine.Transaction) error {
		for _, query := range []string{
			`INSERT INTO workspaces (id, slug, name, time_zone, currency, settings, link_key, created_ms) VALUES (1, 'salon', 'Salon', 'UTC', 'EUR', '{}', '', 1)`,
			`INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, created_ms) VALUES (1, 1, 'a', 'a', 'Ana', 'UTC', 1, '{}', 1)`,
			`INSERT INTO event_types (id, workspace_id, slug, position, definition, created_ms) VALUES (1, 1, 'cut', 1, '{}', 1)`,
			`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms) VALUES (1, 1, 'i', 'i', 'Ida', '', '', '', 1)`,
		} {
			if _, err := q.Exec(query); err != nil {
				return err
			}
		}
		for id := range booking.BookingID(6) {
			if id == 0 {
				continue
			}
			start := 1000 * int64(id)
			if _, err := q.Exec(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms,
				busy_end_ms, name, email, created_ms) VALUES (?, 1, 1, 1, 1, 1, ?, ?, ?, ?, 'Ida', 'i@x.example', 1)`, id, start, start+9, start, start+9); err != nil {
				return err
			}
			if links[id] == "" {
				continue
			}
			for n, kind := range []string{"booking.created", "booking.rescheduled"} { // the second was told under another address
				body := `{"data":{"manageUrl":"` + links[id] + `"}}`
				if n == 1 {
					body = `{"data":{"manageUrl":"https://later.example/booking/abc"}}`
				}
				if _, err := q.Exec(`INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body) VALUES (?, 1, ?, ?, 1, ?)`,
					int64(id)+10*int64(n), kind, id, []byte(body)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shut(t, before)
	db := at(t, path, now)
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[booking.BookingID]string{1: "old.example", 2: "new.example", 3: "last.example", 4: "::1", 5: "last.example"} {
		b, err := store.New(db).BookingByID(id)
		if err != nil || b.UIDDomain != want {
			t.Errorf("booking %d: %q %v, want %s", id, b.UIDDomain, err, want)
		}
	}
}
