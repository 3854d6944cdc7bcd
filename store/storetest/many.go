package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/sqlite"
)

// Many is a file with many bookings: 500 a host, 100 hosts a workspace, an event type a host, made over two years,
// each for the days after. The same n gives the same rows.
type Many struct {
	Store      *store.Store
	Service    *subjects.Set
	Now        time.Time
	Bookings   int
	Workspaces []catalog.WorkspaceID

	db *sqlite.DB
}

// NewMany makes the file; it takes about 20 s a million.
func NewMany(t testing.TB, bookings int) *Many {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(t.TempDir(), "many.db"), Create: true,
		Serving: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	m := &Many{db: db, Store: store.New(db), Bookings: bookings, Now: time.Date(2027, 1, 4, 8, 0, 0, 0, time.UTC)}
	m.Service = subjects.New(subjects.Config{Config: app.Config{Store: m.Store, Clock: func() time.Time { return m.Now }}})
	if err := m.fill(); err != nil {
		t.Fatal(err)
	}
	return m
}

// Actor may do everything in the w-th workspace.
func (m *Many) Actor(w int) app.Actor {
	return app.Actor{Kind: booking.ByAPI, Workspace: m.Workspaces[w]}
}

// HostsEach returns how many hosts, and event types, a workspace has.
func (m *Many) HostsEach() int { return min(100, m.Bookings/500) }

// EventType returns the one that the i-th host of the w-th workspace serves; the host's id is the same number.
func (m *Many) EventType(w, i int) catalog.EventTypeID {
	return catalog.EventTypeID(m.Now.UnixMilli()<<5 + int64(w*1000+i)) // of the size that real ids have
}

// Booking returns the i-th booking, and the workspace that it is in.
func (m *Many) Booking(i int) (id booking.BookingID, workspace int) {
	before := m.Now.UnixMilli() - 1 - int64(m.Bookings>>21) // ids of now are for new ones
	return booking.BookingID(before<<21 + int64(i)), i % m.hosts() / m.HostsEach()
}

// Warm has each reader look at all rows of the bookings once, so that what it maps of the file is in its page table: a
// page that it meets for the first time costs a fault of some 10 µs. SQLite maps the file anew after a commit.
func (m *Many) Warm(ctx context.Context) error {
	q := engine.NewQuerier(ctx, m.db.Readers())
	for range m.db.Readers().Size() { // who was given back first is lent first
		var latest int64
		if err := q.Scan(`SELECT MAX(end_ms) FROM bookings NOT INDEXED`, nil, &latest); err != nil {
			return err
		}
	}
	return nil
}

func (m *Many) hosts() int { return len(m.Workspaces) * m.HostsEach() }

func (m *Many) fill() error {
	for w := range max(1, m.Bookings/50_000) {
		ws, err := m.Service.Shop.CreateWorkspace(context.Background(), app.Operator(0),
			catalog.WorkspaceInput{Slug: fmt.Sprint("w", w), Name: "W", TimeZone: "Europe/Berlin"})
		if err != nil {
			return err
		}
		m.Workspaces = append(m.Workspaces, ws.ID)
		if err := m.Store.Write(context.Background(), func(tx app.Tx) error { return m.insertHosts(tx, w) }); err != nil {
			return err
		}
	}
	return m.insertBookings()
}

func (m *Many) insertHosts(tx app.Tx, w int) error {
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"09:00-17:00"}
	}
	for i := range m.HostsEach() {
		h := catalog.Host{
			ID: catalog.HostID(m.EventType(w,
				i)), WorkspaceID: m.Workspaces[w], Name: "Host", Email: fmt.Sprintf("h%d@x.example", i),
			TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly},
		}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = m.EventType(w,
			i), m.Workspaces[w], fmt.Sprint("e", i), "E", 30, 30
		e.Hosts = []catalog.HostRef{{ID: h.ID}}
		if err := tx.InsertEventType(&e); err != nil {
			return err
		}
	}
	return nil
}

// insertBookings fills the table in the order in which bookings are made, a transaction for all, past the Service:
// a million of them would take it ten minutes. Contacts are not made: nothing here reads them.
func (m *Many) insertBookings() error {
	db, err := sql.Open("sqlite",
		"file:"+m.Store.Path()+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status,
		start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, location, price, currency, created_ms, details)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Someone Usual', ?, 'Main Street 1', ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range m.Bookings {
		if _, err := insert.Exec(m.row(i, random)...); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.Exec(`ANALYZE`)
	return err
}

// row returns the i-th booking: of each host one a day or so, until forty days from now; some cancelled, some not come
// to, some with a price, some with a remark.
func (m *Many) row(i int, random *rand.Rand) []any {
	id, w := m.Booking(i)
	host, turn := i%m.hosts(), i/m.hosts()
	made := m.Now.AddDate(0, 0, turn-500+40-random.IntN(3))
	start := when.At(time.Date(made.Year(), made.Month(), made.Day()+3+turn%2, 8+turn%7, 0, 0, 0, time.UTC))
	status := 1
	switch {
	case i%17 == 0:
		status = 3
	case i%23 == 0 && start < when.At(m.Now):
		status = 4
	}
	var price, currency, details any
	if i%5 == 0 {
		price, currency = 4500, "EUR"
	}
	if i%10 == 0 {
		details = `{"notes":"A remark of about the usual length, as people write them."}`
	}
	e := m.EventType(w, host%m.HostsEach())
	end := start.Add(30 * time.Minute)
	return []any{
		id, m.Workspaces[w], e, e, int64(id) - int64(i) + int64(i/5), status, start, end, start, end,
		fmt.Sprintf("someone%d@mail.example", i/5), price, currency, when.At(made), details,
	}
}
