package mail_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/migrations"
	"daybook/store/sqlite"
)

// In a database from when each change had a mark of its own, what was written about is not written about again, and
// what was not is written about once, in the order of the changes.
func TestMailsAreWrittenOnceOverTheMigration(t *testing.T) {
	const marks = "_followers.sql"
	names, err := fs.Glob(migrations.SQLite(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	old := fstest.MapFS{}
	for _, name := range names {
		if strings.HasSuffix(name, marks) {
			break
		}
		text, err := fs.ReadFile(migrations.SQLite(), name)
		if err != nil {
			t.Fatal(err)
		}
		old[name] = &fstest.MapFile{Data: text}
	}
	if len(old) == len(names) {
		t.Fatal("there is no such migration")
	}
	path := filepath.Join(t.TempDir(), "t.db")
	before, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Create: true, Migrations: old})
	if err == nil {
		_, err = before.Migrate(t.Context())
	}
	if err == nil {
		err = before.Write(t.Context(), marked)
	}
	if err == nil {
		err = before.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	st := store.New(db)
	x := &bed{&apptest.Salon{T: t, Store: st, Clock: apptest.Standing(apptest.Monday), Workspace: catalog.Workspace{ID: 1}}}
	x.Actors()
	x.Set = subjects.New(subjects.Config{Config: app.Config{Store: st, Clock: x.Clock.Now}})
	want := func(want ...string) {
		t.Helper()
		var got []string
		for n := 1; n > 0; {
			n, err = x.Mail.WriteMails(t.Context(), 2)
			x.Must(err)
		}
		for _, m := range x.log() {
			got = append(got, fmt.Sprintf("%s %s %d", m.Kind, m.To, m.Facts.Sequence))
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("mails\n got %q\nwant %q", got, want)
		}
	}
	missed := []string{
		"confirmed p3@mail.example 0", "refunded p2@mail.example 1", "confirmed p5@mail.example 0", "cancelled p1@mail.example 1",
	}
	want(missed...)
	want(missed...)
	x.book("new", 99)
	want(append(missed, "confirmed new@mail.example 0")...)
}

// marked fills a database from before: five bookings, of which the entries of 3, 5, and the second ones of 1 and 2 wait
// for their mails, in the order 3, 2, 5, 1. Booking 4 has an entry that nobody is to be told of.
func marked(q *engine.Transaction) error {
	e := catalog.NewEventType()
	e.Title, e.DurationMinutes, e.SlotStepMinutes, e.Hosts = "Haircut", 45, 15, []catalog.HostRef{{ID: 1}}
	e.ReminderMinutes, e.MailsOff = []int{}, []catalog.MailKind{catalog.MailTeamNew, catalog.MailTeamCancelled}
	definition, err := json.Marshal(e)
	if err != nil {
		return err
	}
	hours := `{"weekly":{"thu":["00:00-24:00"],"fri":["00:00-24:00"]}}`
	exec := func(query string, args ...any) {
		if err == nil {
			_, err = q.Exec(query, args...)
		}
	}
	exec(`INSERT INTO workspaces (id, slug, name, time_zone, currency, settings, link_key, created_ms)
		VALUES (1, 'salon', 'Salon', 'UTC', 'EUR', '{}', ?, 1)`, new(vault.Vault).Seal(make([]byte, 32)))
	exec(`INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, created_ms)
		VALUES (1, 1, 'a', 'a@salon.example', 'Ana', 'UTC', 1, ?, 1)`, hours)
	exec(`INSERT INTO event_types (id, workspace_id, slug, position, definition, created_ms) VALUES (1, 1, 'cut', 1, ?, 1)`, string(definition))
	exec(`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms) VALUES (1, 1, 'i', 'i', 'Ida', '', '', '', 1)`)
	now := when.At(apptest.Monday)
	entry := func(booking, seq int, at when.Instant, action booking.Action, from, to any, told any) {
		exec(`INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, told)
			VALUES (?, ?, ?, 'api', '', ?, ?, ?, ?, '', 1, ?)`, booking, seq, at, action, from, to, now.Add(when.Day), told)
	}
	const confirmed, cancelled, noShow = 1, 3, 4
	for b, told := range map[int]int{1: 1, 2: 1, 3: 0, 4: 1, 5: 0} {
		start := now.Add(when.Day).Time().AddDate(0, 0, b).UnixMilli()
		exec(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms,
			name, email, created_ms) VALUES (?, 1, 1, 1, 1, 1, ?, ?, ?, ?, 'Ida', ?, 1)`,
			b, start, start+9, start, start+9, fmt.Sprintf("p%d@mail.example", b))
		entry(b, 1, now+when.Instant(b), booking.ActCreated, nil, confirmed, told)
	}
	entry(1, 2, now+9, booking.ActCancelled, confirmed, cancelled, 0)
	entry(2, 2, now+4, booking.ActRefunded, confirmed, confirmed, 0)
	entry(4, 2, now+3, booking.ActNoShow, confirmed, noShow, nil)
	return err
}
