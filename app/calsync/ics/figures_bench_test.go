package ics

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// figures is a salon whose hosts have so many files connected, each with 500 events.
func figures(b *testing.B, sources, hosts int) (*apptest.Salon, []calsync.Connection) {
	b.Helper()
	names := make([]string, max(1, hosts))
	for i := range names {
		names[i] = fmt.Sprint("host", i)
	}
	s := apptest.New(b, apptest.Options{Hosts: names, With: func(c *subjects.Config) {
		c.Calendars = calsync.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Sources: map[calsync.Kind]calsync.Opener{calsync.ICS: Open}}
	}})
	s.Offer("cut", 30, func(e *catalog.EventType) { e.Hosts = e.Hosts[:1] })
	var all []calsync.Connection
	for n := range sources {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked++
			io.WriteString(w, busyFile(s.Clock.Now(), n, asked))
		}))
		b.Cleanup(server.Close)
		c, err := s.Calendars.ConnectCalendars(b.Context(), s.Owner, calsync.Input{Kind: calsync.ICS, Address: server.URL,
			Host: catalog.HostID(1 + n%len(names)).String(), Name: fmt.Sprint("file ", n)})
		s.Must(err)
		all = append(all, c)
	}
	return s, all
}

// busyFile has 500 events of an hour on the weekdays from then on, one or two a day, another version each time.
func busyFile(now time.Time, n, asked int) string {
	day := now.UTC().Truncate(24 * time.Hour)
	var events []string
	for i := range 500 {
		start := day.AddDate(0, 0, i*3/4+i/4/5*2).Add(time.Duration(7+(i*3+n*2)%9) * time.Hour)
		events = append(events, fmt.Sprintf("UID:%d-%d@test\r\nSEQUENCE:%d\r\nDTSTART:%s\r\nDURATION:PT%dM", n, i, asked,
			start.Format("20060102T150405Z"), 30+i%4*15))
	}
	return file(events...)
}

// BenchmarkReads10000Events reads 20 files of 500 events each through calsync, four at a time, when each event has
// changed. It reports the most memory that was live beyond what was before.
func BenchmarkReads10000Events(b *testing.B) {
	s, all := figures(b, 20, 20)
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	round := func() {
		slots := make(chan struct{}, 4)
		var reading sync.WaitGroup
		for _, c := range all {
			reading.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				read, err := s.Calendars.ReadCalendars(b.Context(), s.Owner, c.ID.String())
				if err != nil || read.State != calsync.OK {
					b.Error(read.Problem, err)
				}
			})
		}
		reading.Wait()
	}
	for b.Loop() {
		round()
	}
	// Once more, with a look at the memory now and again, which takes its time.
	before, most := live(), uint64(0)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		round()
	}()
	for look := time.NewTicker(10 * time.Millisecond); ; {
		select {
		case <-ended:
			look.Stop()
			b.ReportMetric(float64(most-min(most, before))/(1<<20), "MB-live")
			return
		case <-look.C:
			most = max(most, live())
		}
	}
}

// BenchmarkAvailability searches 60 days of a host without and with ten other calendars of 500 events each.
func BenchmarkAvailability(b *testing.B) {
	for _, sources := range []int{0, 10} {
		b.Run(fmt.Sprint(sources, " calendars"), func(b *testing.B) {
			s, _ := figures(b, sources, 1)
			days := 60
			for b.Loop() {
				if _, err := s.Availability(b.Context(), s.API, availability.Input{EventType: "cut",
					From: s.Clock.Now().Format(time.DateOnly), Days: &days}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAsk is what a booking asks of a host's calendars before, without any and with ten that have just been read.
func BenchmarkAsk(b *testing.B) {
	for _, sources := range []int{0, 10} {
		b.Run(fmt.Sprint(sources, " calendars"), func(b *testing.B) {
			s, _ := figures(b, sources, 1)
			for b.Loop() {
				if _, err := s.AskCalendars(b.Context(), s.API, "cut", ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
