package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/enginetest"
	"daybook/store/pgtest"
)

// BenchmarkEngines measures the product at 32 clients on SQLite and on a PostgreSQL server of its own on this machine,
// round by round, both durable: bookings with every rule, and open times over 30 and 60 days of a host who has many
// bookings. It reports the medians, PostgreSQL's part of SQLite's, and the CPU time of a call, that of PostgreSQL's
// processes included: where nothing waits but for a core, and beside other work, the times compare better than the
// rates. DAYBOOK_TEST_DB may name another server of this machine. -benchtime 5x is five rounds.
//
//	go test ./store -run XXX -bench BenchmarkEngines -benchtime 5x
func BenchmarkEngines(b *testing.B) {
	server := durable(b)
	places := []func(*testing.B) string{
		func(b *testing.B) string { return enginetest.PlaceOnSQLite(b) },
		func(b *testing.B) string { return enginetest.PlaceOn(b, server) },
	}
	b.Run("book", func(b *testing.B) {
		compare(b, server, places, func(x *bench) func(int) error { return x.book })
	})
	for _, days := range []int{30, 60} {
		b.Run(fmt.Sprint("availability", days), func(b *testing.B) {
			compare(b, server, places, func(x *bench) func(int) error {
				x.fillWeeks()
				return x.availability(days)
			})
		})
	}
}

// durable is the server that DAYBOOK_TEST_DB names, or a new one that loses nothing.
var startDurable = sync.OnceValues(pgtest.StartDurable)

func durable(b *testing.B) string {
	b.Helper()
	if enginetest.OnPostgres() {
		return pgtest.Shared(b)
	}
	s, err := startDurable()
	if errors.Is(err, pgtest.ErrNotInstalled) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	return s.URL("postgres")
}

// compare runs one round per engine in turn, b.N times, each engine on a database of its own, and reports the medians.
func compare(b *testing.B, server string, places []func(*testing.B) string, prepare func(*bench) func(int) error) {
	const clients, span = 32, 2 * time.Second
	cpuTime := processes(b, server)
	calls := make([]int, len(places))
	ops := make([]func(int) error, len(places))
	for i, place := range places {
		ops[i] = prepare(newBenchAt(b, place(b)))
	}
	tps, cpu, p99 := make([][]float64, len(places)), make([][]float64, len(places)), make([][]float64, len(places))
	for range b.N {
		for i, op := range ops {
			runtime.GC()
			before, done := cpuTime(), calls[i]
			m := load(clients, span, func(n int) error { return op(done + n) })
			calls[i] += m.calls
			tps[i] = append(tps[i], m.tps)
			p99[i] = append(p99[i], m.p99.Seconds()*1e3)
			cpu[i] = append(cpu[i], float64((cpuTime()-before).Microseconds())/float64(m.calls))
		}
	}
	sqlite, postgres := mid(tps[0]), mid(tps[1])
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(sqlite, "sqlite/s")
	b.ReportMetric(postgres, "postgres/s")
	b.ReportMetric(postgres/sqlite, "x-sqlite")
	b.ReportMetric(mid(p99[0]), "sqlite-p99-ms")
	b.ReportMetric(mid(p99[1]), "postgres-p99-ms")
	b.ReportMetric(mid(cpu[0]), "sqlite-cpu-µs")
	b.ReportMetric(mid(cpu[1]), "postgres-cpu-µs")
	b.ReportMetric(mid(cpu[0])/mid(cpu[1]), "x-sqlite-by-cpu")
}

func mid(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// processes is the CPU time that this process and those of a PostgreSQL server have used.
func processes(b *testing.B, server string) func() time.Duration {
	b.Helper()
	conn, err := sql.Open("pgx", server)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	var pid int
	if err := conn.QueryRow("SELECT pg_backend_pid()").Scan(&pid); err != nil {
		b.Fatal(err)
	}
	postmaster := stat(fmt.Sprintf("/proc/%d/stat", pid)).parent
	return func() time.Duration {
		total := stat("/proc/self/stat").used
		found, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
		for _, path := range found {
			if p := stat(path); p.parent == postmaster {
				total += p.used
			}
		}
		return total
	}
}

type process struct {
	parent int
	used   time.Duration
}

// stat reads of a process what proc(5) tells; one that has ended has used nothing.
func stat(path string) (p process) {
	text, err := os.ReadFile(path)
	if err != nil {
		return p
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	p.parent, _ = strconv.Atoi(fields[1])
	for _, i := range []int{11, 12} { // user and system, in hundredths of a second
		n, _ := strconv.Atoi(fields[i])
		p.used += time.Duration(n) * 10 * time.Millisecond
	}
	return p
}

// fillWeeks makes a host who works eight hours on weekdays, with three bookings a day for 60 days.
func (x *bench) fillWeeks() {
	x.b.Helper()
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays[1:6] {
		weekly[day] = []string{"09:00-17:00"}
	}
	h := catalog.Host{ID: 1000, WorkspaceID: x.ws.ID, Name: "w", Email: "w@x.example", TimeZone: "Europe/Berlin", Active: true,
		Hours: catalog.Hours{Weekly: weekly}}
	e := catalog.NewEventType()
	e.ID, e.WorkspaceID, e.Slug, e.Title, e.BookingWindowDays, e.Hosts = 1000, x.ws.ID, "week", "W", 730, []catalog.HostRef{{ID: h.ID}}
	e.DurationMinutes, e.SlotStepMinutes = 30, 30
	err := x.store.Write(context.Background(), func(tx app.Tx) error { return errors.Join(tx.InsertHost(&h), tx.InsertEventType(&e)) })
	if err != nil {
		x.b.Fatal(err)
	}
	for day := range 60 {
		for _, hour := range []int{10, 12, 15} {
			at := x.start.AddDate(0, 0, day).Add(time.Duration(hour) * time.Hour)
			if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
				continue
			}
			_, err := x.service.Book(context.Background(), x.actor, booking.BookInput{EventType: "week", Start: at.Format(time.RFC3339),
				Invitee: booking.Invitee{Name: "Someone Bench", Email: "p1@mail.example"}})
			if err != nil {
				x.b.Fatal(err)
			}
		}
	}
}

// availability asks for all open times of that host.
func (x *bench) availability(days int) func(int) error {
	in := availability.OpenTimesInput{EventType: "week", From: when.At(x.start), To: when.At(x.start.AddDate(0, 0, days))}
	return func(int) error {
		open, _, err := x.service.OpenTimes(context.Background(), x.actor, in)
		if err == nil && len(open) < days*5 {
			err = fmt.Errorf("only %d open times in %d days", len(open), days)
		}
		return err
	}
}
