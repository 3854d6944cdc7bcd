package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/enginetest"
)

// Large is a PostgreSQL database with many workspaces. Each has 2 hosts, an event type a host, an endpoint, and for
// every 10 bookings a contact, an event that was delivered, and a mail that was sent. Half of its bookings are over.
type Large struct {
	Service    *rooms.Set
	Raw        *sql.DB
	Now        time.Time
	Each       int // bookings of a workspace
	Workspaces []catalog.WorkspaceID
	store      *store.Store
	slot       int
}

const largeHosts = 2

var indexName = regexp.MustCompile(`INDEX (\w+) ON`)

// NewLarge makes the database on the server of DAYBOOK_TEST_DB, or on one that is thrown away; a million bookings take
// it about two minutes.
func NewLarge(t testing.TB, workspaces, each int) *Large {
	t.Helper()
	db := enginetest.OpenAt(t, enginetest.PlaceOnPostgres(t))
	now := time.Date(2027, 1, 4, 8, 0, 0, 0, time.UTC)
	l := &Large{store: store.New(db), Raw: enginetest.Raw(t, db), Each: each, Now: now}
	l.Service = rooms.New(rooms.Config{Config: app.Config{Store: l.store, Clock: func() time.Time { return l.Now }}})
	if err := l.fill(workspaces); err != nil {
		t.Fatal(err)
	}
	return l
}

// Actor may do everything in the w-th workspace.
func (l *Large) Actor(w int) app.Actor {
	return app.Actor{Kind: record.ByOwner, Role: app.OwnerRole, Workspace: l.Workspaces[w]}
}

// EventType is the one that the i-th host of the w-th workspace serves; the host's id is the same number.
func (l *Large) EventType(w, i int) catalog.EventTypeID {
	return catalog.EventTypeID(l.few() + int64(w*largeHosts+i))
}

// Booking is the i-th booking of the w-th workspace.
func (l *Large) Booking(w, i int) record.BookingID {
	return record.BookingID(l.base() + int64(w*l.Each+i))
}

// base is the first id of the bookings, contacts, events, deliveries and mails, few that of hosts, event types and
// endpoints. Both are of the size that real ids have.
func (l *Large) base() int64 { return l.Now.AddDate(0, 0, -1).UnixMilli() << 21 }

func (l *Large) few() int64 { return l.Now.AddDate(0, 0, -1).UnixMilli() << 5 }

// Book books a time that is free, in one of the first ten workspaces.
func (l *Large) Book(w int) error {
	l.slot++
	in := l.slot / largeHosts / 10 // each of the ten comes as often
	day := l.Now.AddDate(0, 0, 40+in/16)
	start := time.Date(day.Year(), day.Month(), day.Day(), 8, 30*(in%16), 0, 0, time.UTC)
	_, err := l.Service.Book(context.Background(), l.Actor(w%10), record.BookInput{
		EventType: l.EventType(w%10, l.slot/10%largeHosts).String(), Start: start.Format(time.RFC3339),
		Invitee: record.Invitee{Name: "New", Email: fmt.Sprintf("new%d@mail.example", l.slot)},
	})
	return err
}

func (l *Large) fill(workspaces int) error {
	ctx := context.Background()
	for w := range workspaces {
		ws, err := l.Service.CreateWorkspace(ctx, app.Operator(0), app.WorkspaceInput{
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
	return l.insert()
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

// insert fills the tables that grow, past the Service, without checks of references, and makes their indexes at the
// end. What is written in SQL as made at a time is made so many half hours around now.
func (l *Large) insert() error {
	ctx := context.Background()
	conn, err := l.Raw.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	indexes, err := l.indexes(ctx, conn)
	if err != nil {
		return err
	}
	base, now := l.base(), l.Now.UnixMilli()
	statements := []string{`SET session_replication_role = replica`, `SET synchronous_commit = off`,
		fmt.Sprintf(`CREATE TEMP TABLE w AS SELECT ws, n, %d + %d * n AS host
			FROM (SELECT id AS ws, row_number() OVER (ORDER BY id) - 1 AS n FROM workspaces) o`, l.few(), largeHosts)}
	for _, create := range indexes {
		statements = append(statements, "DROP INDEX "+indexName.FindStringSubmatch(create)[1])
	}
	const halfHour = 30 * 60 * 1000
	b := fmt.Sprintf(`w.ws, %d + w.n * %d + i`, base, l.Each)
	rows := fmt.Sprintf(` FROM w CROSS JOIN generate_series(0, %d) i`, l.Each-1)
	tenth := rows + ` WHERE i % 10 = 0`
	statements = append(statements,
		`INSERT INTO contacts (workspace_id, id, email_key, email, name, phone, time_zone, notes, created_ms)
			SELECT `+b+`, 'someone' || i || '@mail.example', 'someone' || i || '@mail.example', 'Some One', '', '', '', 1`+tenth,
		`INSERT INTO contact_terms (workspace_id, contact_id, term) SELECT `+b+`, 'someone' || i || '@mail.example'`+tenth,
		fmt.Sprintf(`INSERT INTO bookings (workspace_id, id, event_type_id, host_id, contact_id, status,
				start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, created_ms)
			SELECT ws, id, h, h, contact, 1, s, s + %d, s, s + %d, 'Some One', 'someone@mail.example', 1
			FROM (SELECT `+b+` AS id, w.host + i %% %d AS h, %d + w.n * %d + i / 10 * 10 AS contact,
				%d + (i / %d - %d) * %d AS s`+rows+`) b`,
			halfHour, halfHour, largeHosts, base, l.Each, now, largeHosts, l.Each/largeHosts/2, 4*halfHour),
		fmt.Sprintf(`INSERT INTO booking_history
				(number, booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason)
			SELECT i * (SELECT COUNT(*) FROM w) + w.n + 1, %d + w.n * %d + i, 1, 1, 'api', '', 'created', 1, 1, ''`+rows,
			base, l.Each),
		`INSERT INTO events (workspace_id, id, kind, booking_id, created_ms, body, number)
			SELECT `+b+`, 'booking.created', `+strings.TrimPrefix(b, "w.ws, ")+`, 1,
				CAST(repeat('{"type":"booking.created"}', 25) AS BYTEA), i / 10 + 1`+tenth,
		`INSERT INTO deliveries (id, event_id, endpoint_id, state, due_ms, created_ms)
			SELECT `+strings.TrimPrefix(b, "w.ws, ")+`, `+strings.TrimPrefix(b, "w.ws, ")+`, w.host, 1, 1, 1`+tenth,
		`INSERT INTO mails (workspace_id, id, booking_id, kind, recipient, facts, state, due_ms, until_ms)
			SELECT `+b+`, `+strings.TrimPrefix(b, "w.ws, ")+`, 'confirmation', 'someone@mail.example', '{}', 1, 1, 1`+tenth,
		`SELECT setval('booking_history_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM booking_history))`,
		`UPDATE followers SET last_number = (SELECT COALESCE(MAX(number), 0) FROM booking_history)
			WHERE name <> 'numbering'`,
	)
	statements = append(append(statements, indexes...), `ANALYZE`)
	for _, s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%w in %s", err, s)
		}
	}
	return nil
}

// indexes are the texts of the indexes of the tables that grow, but for those of constraints.
func (l *Large) indexes(ctx context.Context, conn *sql.Conn) (all []string, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT indexdef FROM pg_indexes i
		WHERE tablename IN ('bookings', 'booking_history', 'events', 'mails', 'deliveries')
		AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// Due changes n rows of a table that are over, in as many workspaces as there are.
func (l *Large) Due(table, set string, n int) error {
	var ids []string
	for i := range n {
		w := i * max(1, len(l.Workspaces)/n) % len(l.Workspaces)
		ids = append(ids, fmt.Sprint(int64(l.Booking(w, i/len(l.Workspaces)*10))))
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
