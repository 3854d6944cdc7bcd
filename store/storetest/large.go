package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/enginetest"
)

// Large is a PostgreSQL database with many workspaces. Each has 2 hosts, an event type a host, an endpoint, and for
// every 10 bookings a contact, an event that was delivered, and a mail that was sent. Half of its bookings are over.
type Large struct {
	Service    *subjects.Set
	Raw        *sql.DB
	Now        time.Time
	Each       int // bookings of a workspace
	Workspaces []catalog.WorkspaceID
	store      *store.Store
	slot       int
}

const (
	largeHosts = 2
	largeFree  = 40 // days from the begin: then Book's bookings begin, after all others
)

// largeBegin is the middle of the bookings that are made in SQL.
var largeBegin = time.Date(2027, 1, 4, 8, 0, 0, 0, time.UTC)

// NewLarge makes the database on the server of DAYBOOK_TEST_DB, or on one that is thrown away. With
// DAYBOOK_BENCH_KEEP=1 it stays on the server, and is used again with its schema as it is.
func NewLarge(t testing.TB, workspaces, each int) *Large {
	t.Helper()
	place := ""
	keep := os.Getenv("DAYBOOK_BENCH_KEEP") != ""
	if !keep {
		place = enginetest.PlaceOnPostgres(t)
	} else {
		place = enginetest.KeptOnPostgres(t, fmt.Sprintf("large_%d_%d", workspaces, each))
	}
	db := enginetest.OpenAt(t, place)
	l := &Large{store: store.New(db), Raw: enginetest.Raw(t, db), Each: each, Now: largeBegin}
	l.Service = subjects.New(subjects.Config{Config: app.Config{Store: l.store, Clock: func() time.Time { return l.Now }}})
	found, err := l.find()
	if err == nil && !found {
		err = l.fill(workspaces, t.Logf)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// find reports whether the database was made before.
func (l *Large) find() (bool, error) {
	rows, err := l.Raw.Query("SELECT id FROM workspaces ORDER BY id")
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var id catalog.WorkspaceID
		if err := rows.Scan(&id); err != nil {
			return false, err
		}
		l.Workspaces = append(l.Workspaces, id)
	}
	if err := rows.Err(); err != nil || len(l.Workspaces) == 0 {
		return false, err
	}
	err = l.Raw.QueryRow("SELECT COUNT(*) FROM bookings WHERE start_ms >= $1",
		largeBegin.AddDate(0, 0, largeFree).UnixMilli()).Scan(&l.slot)
	l.slot += 20 - l.slot%20                                    // the hours of the last bookings are left to them
	l.Now = largeBegin.Add(time.Duration(l.slot) * time.Second) // ids made now differ from those made before
	return true, err
}

// Actor may do everything in the w-th workspace.
func (l *Large) Actor(w int) app.Actor {
	return app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: l.Workspaces[w]}
}

// EventType returns the one that the i-th host of the w-th workspace serves; the host's id is the same number.
func (l *Large) EventType(w, i int) catalog.EventTypeID {
	return catalog.EventTypeID(l.few() + int64(w*largeHosts+i))
}

// Booking returns the i-th booking of the w-th workspace.
func (l *Large) Booking(w, i int) booking.BookingID {
	return booking.BookingID(l.base() + int64(i*len(l.Workspaces)+w))
}

// base returns the first id of the bookings, contacts, events, deliveries and mails, few that of hosts, event types and
// endpoints. Both are of the size that real ids have.
func (l *Large) base() int64 { return largeBegin.AddDate(0, 0, -1).UnixMilli() << 21 }

func (l *Large) few() int64 { return largeBegin.AddDate(0, 0, -1).UnixMilli() << 5 }

// Book books a time that is free, in one of the first ten workspaces.
func (l *Large) Book(w int) error {
	l.slot++
	in := l.slot / largeHosts / 10 // each of the ten comes as often
	day := largeBegin.AddDate(0, 0, largeFree+in/16)
	start := time.Date(day.Year(), day.Month(), day.Day(), 8, 30*(in%16), 0, 0, time.UTC)
	_, err := l.Service.Book(context.Background(), l.Actor(w%10), booking.BookInput{
		EventType: l.EventType(w%10, l.slot/10%largeHosts).String(), Start: start.Format(time.RFC3339),
		Invitee: booking.Invitee{Name: "New", Email: fmt.Sprintf("new%d@mail.example", l.slot)},
	})
	return err
}

func (l *Large) fill(workspaces int, log func(string, ...any)) error {
	ctx := context.Background()
	begun := time.Now()
	for w := range workspaces {
		ws, err := l.Service.Shop.CreateWorkspace(ctx, app.Operator(0), catalog.WorkspaceInput{
			Slug: fmt.Sprint("w", w), Name: "W", TimeZone: "Etc/UTC",
		})
		if err != nil {
			return err
		}
		l.Workspaces = append(l.Workspaces, ws.ID)
	}
	for w := 0; w < workspaces; w += 50 {
		err := l.Service.Write(ctx, func(tx app.Tx) error {
			for i := w; i < min(w+50, workspaces); i++ {
				if err := l.setUp(tx, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	log("%d workspaces: %v", workspaces, time.Since(begun).Round(time.Second/10))
	return l.insert(log)
}

func (l *Large) setUp(tx app.Tx, w int) error {
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"08:00-18:00"}
	}
	for i := range largeHosts {
		h := catalog.Host{
			ID: catalog.HostID(l.EventType(w, i)), WorkspaceID: l.Workspaces[w],
			Name: "Host", Email: fmt.Sprintf("h%d@x.example", i),
			TimeZone: "Etc/UTC", Active: true, Hours: catalog.Hours{Weekly: weekly},
		}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title = l.EventType(w, i), l.Workspaces[w], fmt.Sprint("e", i), "E"
		e.DurationMinutes, e.SlotStepMinutes, e.BookingWindowDays = 30, 30, 400
		e.Hosts = []catalog.HostRef{{ID: h.ID}}
		if err := tx.InsertEventType(&e); err != nil {
			return err
		}
	}
	return tx.(webhook.Tx).InsertEndpoint(&webhook.Endpoint{
		ID: catalog.EndpointID(l.EventType(w, 0)), WorkspaceID: l.Workspaces[w], URL: "https://x.example/hook",
		Events: []catalog.EventKind{catalog.BookingCreated}, Secret: "x",
	})
}

// growing are the tables that insert fills.
const growing = `('bookings', 'booking_history', 'contacts', 'contact_terms', 'events', 'deliveries', 'mails')`

// insert fills the tables that grow, past the Service: without indexes, constraints and triggers, which come after the
// rows, and in several sessions. Rows lie in the order in which they would have been made: the i-th of each workspace,
// then the next of each. What is written in SQL as made at a time is made so many half hours around now.
func (l *Large) insert(log func(string, ...any)) error {
	ctx := context.Background()
	var drop, indexes, constraints, vacuum []string
	err := errors.Join(
		l.texts(ctx, &drop, `SELECT text FROM (
			SELECT 1, contype, format('ALTER TABLE %s DROP CONSTRAINT %I', CAST(conrelid AS regclass), conname)
			FROM pg_constraint WHERE `+ofGrowing+`
			UNION ALL SELECT 2, 'i', format('DROP INDEX %s', CAST(indexrelid AS regclass))
			FROM pg_index i JOIN pg_class c ON c.oid = indrelid WHERE relname IN `+growing+`
				AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)) d (step, kind, text)
			ORDER BY step, kind`), // references go before the keys that they need
		l.texts(ctx, &indexes, `SELECT pg_get_indexdef(indexrelid)
			FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE relname IN `+growing+`
			ORDER BY relname <> 'bookings', relname <> 'booking_history'`), // the largest first
		// That all references hold is known, so they are not checked once more.
		l.texts(ctx, &constraints, `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I ', CAST(conrelid AS regclass), conname) ||
				CASE contype WHEN 'f' THEN pg_get_constraintdef(oid) || ' NOT VALID'
				WHEN 'p' THEN format('PRIMARY KEY USING INDEX %I', conname)
				ELSE format('UNIQUE USING INDEX %I', conname) END
			FROM pg_constraint WHERE `+ofGrowing+` ORDER BY contype = 'f'`),
		l.texts(ctx, &vacuum, `SELECT 'VACUUM (ANALYZE) ' || relname FROM pg_class
			WHERE relkind = 'r' AND relname IN `+growing+` ORDER BY relname`),
	)
	if err != nil {
		return err
	}
	begin := append([]string{fmt.Sprintf(`CREATE UNLOGGED TABLE numbered AS
		SELECT ws, n, %d + %d * n AS host
		FROM (SELECT id AS ws, row_number() OVER (ORDER BY id) - 1 AS n FROM workspaces) o`, l.few(), largeHosts)}, drop...)
	end := []string{`DROP TABLE numbered`,
		`SELECT setval('booking_history_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM booking_history))`,
		`UPDATE followers SET last_number = (SELECT COALESCE(MAX(number), 0) FROM booking_history)
			WHERE name <> 'numbering'`, `ANALYZE`}
	both := runtime.NumCPU()
	for _, step := range []struct {
		name       string
		sessions   int
		statements []string
	}{
		{"drop", 1, begin}, {"rows", both, l.rows()}, {"indexes", both, indexes}, {"constraints", 1, constraints},
		{"vacuum", both, vacuum}, {"end", 1, end},
	} {
		begun := time.Now()
		if err := l.run(ctx, step.sessions, step.statements); err != nil {
			return err
		}
		log("%s: %v", step.name, time.Since(begun).Round(time.Second/10))
	}
	return nil
}

// ofGrowing is the condition on the keys of the tables that grow, and on references from and to them.
const ofGrowing = `(conrelid IN (SELECT oid FROM pg_class WHERE relname IN ` + growing + `)
	OR confrelid IN (SELECT oid FROM pg_class WHERE relname IN ` + growing + `)) AND contype IN ('p', 'u', 'f')`

// rows returns the statements that insert the rows, each some bookings of every workspace.
func (l *Large) rows() (statements []string) {
	const halfHour = 30 * 60 * 1000
	base, all, now := l.base(), len(l.Workspaces), largeBegin.UnixMilli()
	const perStatement = 200_000
	step := max(10, perStatement/all/10*10)
	for from := 0; from < l.Each; from += step {
		rows := fmt.Sprintf(` FROM (SELECT ws, n, host, i, %d + i * %d + n AS id
			FROM generate_series(%d, %d) i CROSS JOIN numbered ORDER BY i, n) r`,
			base, all, from, min(from+step, l.Each)-1)
		tenth := rows + ` WHERE i % 10 = 0`
		statements = append(statements,
			fmt.Sprintf(`INSERT INTO bookings (workspace_id, id, event_type_id, host_id, contact_id, status,
					start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, created_ms)
				SELECT ws, id, h, h, contact, 1, s, s + %d, s, s + %d, 'Some One', 'someone@mail.example', 1
				FROM (SELECT ws, id, host + i %% %d AS h, id - i %% 10 * %d AS contact, %d + (i / %d - %d) * %d AS s`+rows+`) b`,
				halfHour, halfHour, largeHosts, all, now, largeHosts, l.Each/largeHosts/2, 4*halfHour),
			fmt.Sprintf(`INSERT INTO booking_history
					(number, workspace_id, booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason)
				SELECT id - %d, ws, id, 1, 1, 'api', '', 'created', 1, 1, ''`+rows, base-1),
			`INSERT INTO contacts (workspace_id, id, email_key, email, name, phone, time_zone, notes, created_ms, terms)
				SELECT ws, id, 'someone' || i || '@mail.example', 'someone' || i || '@mail.example', 'Some One', '', '', '', 1, 1`+
				tenth,
			`INSERT INTO contact_terms (workspace_id, contact_id, term) SELECT ws, id, 'someone' || i || '@mail.example'`+tenth,
			`INSERT INTO events (workspace_id, id, kind, booking_id, created_ms, body, number)
				SELECT ws, id, 'booking.created', id, 1, CAST(repeat('{"type":"booking.created"}', 25) AS BYTEA), i / 10 + 1`+tenth,
			`INSERT INTO deliveries (workspace_id, id, event_id, endpoint_id, state, due_ms, created_ms)
				SELECT ws, id, id, host, 1, 1, 1`+tenth,
			`INSERT INTO mails (workspace_id, id, booking_id, kind, recipient, facts, state, due_ms, until_ms)
				SELECT ws, id, id, 'confirmation', 'someone@mail.example', '{}', 1, 1, 1`+tenth,
		)
	}
	return statements
}

// run executes statements in so many sessions at once, which begin them in order.
func (l *Large) run(ctx context.Context, sessions int, statements []string) error {
	next := make(chan string, len(statements))
	for _, s := range statements {
		next <- s
	}
	close(next)
	failed := make(chan error, sessions)
	for range sessions {
		go func() { failed <- l.session(ctx, next) }()
	}
	var err error
	for range sessions {
		err = errors.Join(err, <-failed)
	}
	return err
}

func (l *Large) session(ctx context.Context, statements <-chan string) error {
	conn, err := l.Raw.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, setting := range []string{"session_replication_role = replica", "synchronous_commit = off",
		"maintenance_work_mem = '512MB'", "max_parallel_maintenance_workers = 0", "work_mem = '64MB'"} {
		if _, err := conn.ExecContext(ctx, "SET "+setting); err != nil {
			return err
		}
	}
	for s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%w in %s", err, s)
		}
	}
	return nil
}

// texts appends what a query returns in its only column.
func (l *Large) texts(ctx context.Context, to *[]string, query string) error {
	rows, err := l.Raw.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		*to = append(*to, text)
	}
	return rows.Err()
}

// Due changes n rows of a table that are over, in ten workspaces whatever the size.
func (l *Large) Due(table, set string, n int) error {
	var ids []string
	for i := range n {
		w := i % 10 * (len(l.Workspaces) / 10)
		ids = append(ids, fmt.Sprint(int64(l.Booking(w, i/10*10))))
	}
	done, err := l.Raw.Exec(`UPDATE ` + table + ` SET ` + set + ` WHERE id IN (` + strings.Join(ids, ", ") + `)`)
	if err != nil {
		return err
	}
	if rows, err := done.RowsAffected(); err != nil || int(rows) != n {
		return fmt.Errorf("%d of %d rows of %s are due: %w", rows, n, table, err)
	}
	return nil
}

// Over changes the rows of a table that wait.
func (l *Large) Over(table, set string) error {
	_, err := l.Raw.Exec(`UPDATE ` + table + ` SET ` + set + ` WHERE state = 0`)
	return err
}

// Number numbers the events and the history that are committed.
func (l *Large) Number(ctx context.Context) error { return l.store.Number(ctx) }
