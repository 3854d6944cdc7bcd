package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/store"
)

// BenchmarkGrowth measures reading at 10,000 and at 1,000,000 bookings, in turns in the same run, through the Service,
// and what a booking takes on disk with its indexes.
//
//	go test ./store -run XXX -bench BenchmarkGrowth -benchtime 1x -timeout 20m
func BenchmarkGrowth(b *testing.B) {
	small, large := grow(b, 10_000), grow(b, 1_000_000)
	b.ResetTimer()
	for b.Loop() {
		for _, op := range []struct {
			name string
			run  func(*grown) error
		}{{"get", (*grown).get}, {"page", (*grown).page}, {"availability", (*grown).availability}} {
			was, is := inTurns(b, small, large, op.run)
			b.ReportMetric(was.Seconds()*1e6, op.name+"-10k-µs")
			b.ReportMetric(is.Seconds()*1e6, op.name+"-1M-µs")
			b.ReportMetric(float64(is)/float64(was), op.name+"-x")
		}
		b.ReportMetric(large.bytesPerBooking(b), "B/booking")
	}
}

// inTurns runs op on both files, a batch each in turn, and answers the median time of one run on each.
func inTurns(b *testing.B, small, large *grown, op func(*grown) error) (time.Duration, time.Duration) {
	const batches, runs = 31, 100
	took := [2][]time.Duration{}
	for range batches {
		for i, g := range []*grown{small, large} {
			start := time.Now()
			for range runs {
				if err := op(g); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = append(took[i], time.Since(start)/runs)
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	return took[0][batches/2], took[1][batches/2]
}

// grown is a file with n bookings: 500 a host, 100 hosts a workspace, made over two years, each for the weeks after.
type grown struct {
	service    *app.Service
	path       string
	n          int
	workspaces []app.WorkspaceID
	random     *rand.Rand
	now        time.Time
}

func grow(b *testing.B, n int) *grown {
	b.Helper()
	db, err := store.Open(context.Background(), store.Options{Path: filepath.Join(b.TempDir(), "g.db"), Create: true, Serving: true, Migrations: store.Schema()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(context.Background()); err != nil {
		b.Fatal(err)
	}
	g := &grown{path: db.Path(), n: n, random: rand.New(rand.NewPCG(1, 2)), now: time.Date(2027, 1, 4, 8, 0, 0, 0, time.UTC)}
	st := store.New(db)
	g.service = app.New(app.Config{Store: st, Clock: func() time.Time { return g.now }})
	for i := range max(1, n/50_000) {
		w, err := g.service.CreateWorkspace(context.Background(), app.WorkspaceInput{Slug: fmt.Sprint("w", i), Name: "W", TimeZone: "Europe/Berlin"})
		if err != nil {
			b.Fatal(err)
		}
		g.workspaces = append(g.workspaces, w.ID)
		if err := st.Write(context.Background(), func(tx app.Tx) error { return g.hosts(tx, w.ID, i) }); err != nil {
			b.Fatal(err)
		}
	}
	if err := g.bookings(); err != nil {
		b.Fatal(err)
	}
	return g
}

func (g *grown) hostsEach() int { return min(100, g.n/500) }

func (g *grown) hosts(tx app.Tx, ws app.WorkspaceID, w int) error {
	weekly := map[string][]string{}
	for _, day := range app.Weekdays {
		weekly[day] = []string{"09:00-17:00"}
	}
	for i := range g.hostsEach() {
		id := g.id(w, i)
		h := app.Host{ID: app.HostID(id), WorkspaceID: ws, Name: "Host", Email: fmt.Sprintf("h%d@x.example", i), TimeZone: "Europe/Berlin", Active: true, Hours: app.Hours{Weekly: weekly}}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := app.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = app.EventTypeID(id), ws, fmt.Sprint("e", i), "E", 30, 30
		e.Hosts = []app.HostRef{{ID: h.ID}}
		if err := tx.InsertEventType(&e); err != nil {
			return err
		}
	}
	return nil
}

// id is of the size that real ids of hosts and event types have.
func (g *grown) id(w, host int) int64 { return g.now.UnixMilli()<<5 + int64(w*1000+host) }

// bookings fills the table in the order in which bookings are made, each for a free time of the days after.
func (g *grown) bookings() error {
	db, err := sql.Open("sqlite", "file:"+g.path+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, location, created_ms, details)
		VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 'Main Street 1', ?, ?)`)
	if err != nil {
		return err
	}
	hosts := len(g.workspaces) * g.hostsEach()
	for i := range g.n {
		host, turn := i%hosts, i/hosts // the turn-th booking of each host: one or so a day, until 40 days from now
		made := g.now.AddDate(0, 0, turn-500+40-g.random.IntN(3))
		start := time.Date(made.Year(), made.Month(), made.Day()+3, 8+turn%7, 0, 0, 0, time.UTC).AddDate(0, 0, turn%2)
		at, id := app.At(start), g.id(host/g.hostsEach(), host%g.hostsEach())
		var details any
		if i%10 == 0 {
			details = `{"notes":"A remark of about the usual length, as people write them."}`
		}
		_, err := insert.Exec(g.booking(i), g.workspaces[host/g.hostsEach()], id, id, g.booking(i/5), at, at.Add(30*time.Minute), at, at.Add(30*time.Minute),
			"Someone Usual", fmt.Sprintf("someone%d@mail.example", i/5), app.At(made), details)
		if err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.Exec(`ANALYZE`)
	return err
}

// booking is the id of the i-th booking, of the size that real ones have.
func (g *grown) booking(i int) int64 { return g.now.UnixMilli()<<21 + int64(i) }

func (g *grown) actor() (app.Actor, int) {
	w := g.random.IntN(len(g.workspaces))
	return app.Actor{Kind: app.ByAPI, Workspace: g.workspaces[w]}, w
}

func (g *grown) get() error {
	i := g.random.IntN(g.n)
	host := i % (len(g.workspaces) * g.hostsEach())
	a := app.Actor{Kind: app.ByAPI, Workspace: g.workspaces[host/g.hostsEach()]}
	_, err := g.service.Booking(context.Background(), a, app.BookingID(g.booking(i)).String())
	return err
}

func (g *grown) page() error {
	a, _ := g.actor()
	from := g.now.AddDate(0, 0, -g.random.IntN(300))
	p, err := g.service.Bookings(context.Background(), a, app.ListBookingsInput{From: from.Format(time.RFC3339)})
	if err == nil && len(p.Data) != 50 {
		err = fmt.Errorf("a page of %d", len(p.Data))
	}
	return err
}

func (g *grown) availability() error {
	a, w := g.actor()
	host := g.random.IntN(g.hostsEach())
	limit := 100
	v, err := g.service.Availability(context.Background(), a, app.AvailabilityInput{
		EventType: app.EventTypeID(g.id(w, host)).String(), Days: new(60), Limit: &limit,
	})
	if err == nil && v.Len() != 100 {
		err = fmt.Errorf("%d slots", v.Len())
	}
	return err
}

// bytesPerBooking is what the table and its indexes take, by SQLite's own account of pages.
func (g *grown) bytesPerBooking(b *testing.B) float64 {
	db, err := sql.Open("sqlite", "file:"+g.path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var total float64
	rows, err := db.Query(`SELECT name, SUM(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'bookings') GROUP BY name`)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var size float64
		if err := rows.Scan(&name, &size); err != nil {
			b.Fatal(err)
		}
		b.Logf("%-24s %6.1f B", name, size/float64(g.n))
		total += size
	}
	return total / float64(g.n)
}
