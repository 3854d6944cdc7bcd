package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// BenchmarkBook measures a booking at 32 clients with synchronous=FULL in three ways, round by round on files of their
// own: the product (Service.Book, every rule), the bare group commit of the same rows through the same writer, and a
// transaction per request. It reports the product's throughput and p99 as ratios to both.
//
//	go test ./store -run XXX -bench BenchmarkBook$ -benchtime 1x
func BenchmarkBook(b *testing.B) {
	const clients, rounds, span = 32, 5, 1200 * time.Millisecond
	for b.Loop() {
		var product, group, single []measured
		for range rounds {
			group = append(group, load(clients, span, newBench(b).bare))
			product = append(product, load(clients, span, newBench(b).book))
			single = append(single, load(clients, span, newBench(b).alone))
		}
		p, g, s := median(product), median(group), median(single)
		b.ReportMetric(p.tps, "book/s")
		b.ReportMetric(g.tps, "group-floor/s")
		b.ReportMetric(s.tps, "tx-per-request/s")
		b.ReportMetric(p.tps/g.tps, "x-group-floor")
		b.ReportMetric(p.tps/s.tps, "x-tx-per-request")
		b.ReportMetric(p.p99.Seconds()*1e3, "p99-ms")
		b.ReportMetric(float64(p.p99)/float64(g.p99), "p99-x-floor")
	}
}

type measured struct {
	tps   float64
	p99   time.Duration
	calls int
}

func median(all []measured) measured {
	tps, p99 := make([]float64, len(all)), make([]time.Duration, len(all))
	for i, m := range all {
		tps[i], p99[i] = m.tps, m.p99
	}
	slices.Sort(tps)
	slices.Sort(p99)
	return measured{tps: tps[len(all)/2], p99: p99[len(all)/2]}
}

// load runs op from several clients at once for a span.
func load(clients int, span time.Duration, op func(i int) error) measured {
	var wg sync.WaitGroup
	var n atomic.Int64
	times := make([][]time.Duration, clients)
	start := time.Now()
	for c := range clients {
		wg.Go(func() {
			for time.Since(start) < span {
				began := time.Now()
				if err := op(int(n.Add(1))); err != nil {
					panic(err)
				}
				times[c] = append(times[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	all := slices.Concat(times...)
	slices.Sort(all)
	return measured{float64(len(all)) / time.Since(start).Seconds(), all[len(all)*99/100], len(all)}
}

const benchHosts = 64

// bench is a file with many hosts who work round the clock, an event type each, and contacts.
type bench struct {
	b       testing.TB
	db      engine.Engine
	store   *store.Store
	service *subjects.Set
	ws      catalog.Workspace
	actor   app.Actor
	start   time.Time
	plain   *sql.DB
}

func newBench(b *testing.B) *bench {
	b.Helper()
	x := newBenchAt(b, enginetest.PlaceOnSQLite(b))
	var err error
	if x.plain, err = sql.Open("sqlite", "file:"+x.db.Path()+"?_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate"); err != nil {
		b.Fatal(err)
	}
	x.plain.SetMaxOpenConns(1)
	b.Cleanup(func() { x.plain.Close() })
	return x
}

// newBenchAt fills a fresh database.
func newBenchAt(b testing.TB, place string) *bench {
	b.Helper()
	db := enginetest.OpenAt(b, place)
	x := &bench{b: b, db: db, store: store.New(db), start: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
	x.service = subjects.New(subjects.Config{Config: app.Config{Store: x.store, Clock: func() time.Time { return x.start }}})
	var err error
	if x.ws, err = x.service.Shop.CreateWorkspace(context.Background(), app.Operator(0), catalog.WorkspaceInput{Slug: "bench", Name: "Bench", TimeZone: "UTC"}); err != nil {
		b.Fatal(err)
	}
	x.actor = app.Actor{Kind: booking.ByAPI, Workspace: x.ws.ID}
	if err := x.store.Write(context.Background(), x.fill); err != nil {
		b.Fatal(err)
	}
	return x
}

func (x *bench) fill(tx app.Tx) error {
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	for i := range benchHosts {
		id := int64(i + 1)
		h := catalog.Host{ID: catalog.HostID(id), WorkspaceID: x.ws.ID, Name: "h", Email: fmt.Sprintf("h%d@x.example", i), TimeZone: "UTC", Active: true, Hours: catalog.Hours{Weekly: weekly}}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes, e.BookingWindowDays = catalog.EventTypeID(id), x.ws.ID, fmt.Sprint("e", i), "E", 15, 15, 730
		e.Hosts = []catalog.HostRef{{ID: h.ID}}
		if err := tx.InsertEventType(&e); err != nil {
			return err
		}
		c := booking.Contact{ID: booking.ContactID(id), WorkspaceID: x.ws.ID, Name: "Someone Bench", Email: fmt.Sprintf("p%d@mail.example", i)}
		if err := tx.InsertContact(&c); err != nil {
			return err
		}
	}
	return nil
}

// spot is the host and the start of the i-th booking: a free one.
func (x *bench) spot(i int) (host int, start time.Time) {
	return i % benchHosts, x.start.Add(time.Duration(i/benchHosts+8) * 15 * time.Minute)
}

func (x *bench) book(i int) error {
	host, start := x.spot(i)
	_, err := x.service.Book(context.Background(), x.actor, booking.BookInput{
		EventType: fmt.Sprint("e", host), Start: start.Format(time.RFC3339),
		Invitee: booking.Invitee{Name: "Someone Bench", Email: fmt.Sprintf("p%d@mail.example", host)},
	})
	return err
}

// bare writes what a booking writes, through the group-commit writer, with the one check that matters.
func (x *bench) bare(i int) error {
	b, c := x.row(i)
	return x.store.Write(context.Background(), func(tx app.Tx) error {
		if _, err := tx.LockHosts(x.ws.ID, b.Host.ID); err != nil {
			return err
		}
		rows, err := tx.Occupied(nil, b.Host.ID, b.BusyStart, b.BusyEnd, 0)
		if err != nil || len(rows) > 0 {
			return fmt.Errorf("%d rows, %w", len(rows), err)
		}
		return tx.SaveBooking(b, true, []booking.Step{c})
	})
}

func (x *bench) row(i int) (*booking.Booking, booking.Step) {
	host, start := x.spot(i)
	at, id := when.At(start), int64(host+1)
	b := &booking.Booking{
		ID: booking.BookingID(i), WorkspaceID: x.ws.ID, EventTypeID: catalog.EventTypeID(id), Host: catalog.HostRef{ID: catalog.HostID(id)},
		ContactID: booking.ContactID(id), Status: booking.Confirmed,
		Taken:   booking.Taken{Start: at, End: at.Add(15 * time.Minute), BusyStart: at, BusyEnd: at.Add(15 * time.Minute)},
		Invitee: booking.Invitee{Name: "Someone Bench", Email: fmt.Sprintf("p%d@mail.example", host)}, CreatedAt: when.At(x.start), UpdatedAt: when.At(x.start),
	}
	return b, booking.Step{
		History: booking.HistoryEntry{At: b.CreatedAt, Actor: booking.ByAPI, Action: "created", To: booking.Confirmed, Start: at, Host: b.Host.ID},
		Events:  []booking.Event{{ID: booking.EventID(i), WorkspaceID: x.ws.ID, Kind: catalog.BookingCreated, BookingID: b.ID, CreatedAt: b.CreatedAt, Body: eventBody[:]}},
	}
}

var eventBody [880]byte // as long as the product's

// alone writes the same in a transaction of its own, as database/sql is used everywhere.
func (x *bench) alone(i int) error {
	b, c := x.row(i)
	tx, err := x.plain.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if _, err := tx.Exec(`UPDATE hosts SET lock = lock + 1 WHERE id = ?`, b.Host.ID); err != nil {
		return err
	}
	if err := tx.QueryRow(`SELECT COUNT(*) FROM bookings WHERE host_id = ? AND status < 3 AND busy_end_ms - busy_start_ms = end_ms - start_ms AND busy_start_ms < ? AND busy_end_ms > ? AND busy_start_ms > ?`,
		b.Host.ID, b.BusyEnd, b.BusyStart, b.BusyStart-86400_000).Scan(&n); err != nil || n > 0 {
		return fmt.Errorf("%d rows, %w", n, err)
	}
	if _, err := tx.Exec(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, created_ms, updated_ms)
		VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`, b.ID, b.WorkspaceID, b.EventTypeID, b.Host.ID, b.ContactID, b.Start, b.End, b.BusyStart, b.BusyEnd,
		b.Invitee.Name, b.Invitee.Email, b.CreatedAt, b.UpdatedAt); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason, host_id) VALUES (?, 1, ?, 'api', '', 'created', 1, ?, '', ?)`,
		b.ID, b.CreatedAt, b.Start, b.Host.ID); err != nil {
		return err
	}
	e := c.Events[0]
	if _, err := tx.Exec(`INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body, number)
		VALUES (?, ?, ?, ?, ?, ?, COALESCE((SELECT MAX(number) FROM events WHERE workspace_id = ?), 0) + 1)`,
		e.ID, e.WorkspaceID, e.Kind, e.BookingID, e.CreatedAt, e.Body, e.WorkspaceID); err != nil {
		return err
	}
	return tx.Commit()
}
