package caldav

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/calsync"
	"daybook/app/calsync/ics"
)

// BenchmarkSources reads 10,000 events of 20 accounts, half of them files and half on CalDAV servers, four at a time. It
// reports the most memory that was in use for it.
func BenchmarkSources(b *testing.B) {
	const accounts, each = 20, 500
	var sources []calsync.Source
	for n := range accounts {
		var events, listed, objects []string
		for i := range each {
			events = append(events, event(n*each+i))
			listed = append(listed, one(fmt.Sprintf("/cal/%04d.ics", i), tagged))
			objects = append(objects, one(fmt.Sprintf("/cal/%04d.ics", i), tagged+`<c:calendar-data>`+escaped(file(event(n*each+i)))+`</c:calendar-data>`))
		}
		if n%2 == 0 {
			text := file(events...)
			address := in(b, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
			sources = append(sources, ics.Open(calsync.Opening{Connection: &calsync.Connection{},
				Credentials: calsync.Credentials{Address: address}, HTTP: http.DefaultClient}))
			continue
		}
		list := many(append(listed, token("t"))...)
		sources = append(sources, answers{"PROPFIND /cal/": always(207, many(one("/cal/", syncs))), "REPORT /cal/": reports(
			func(*http.Request, string) said { return said{207, list, ""} },
			func(_ *http.Request, body string) said {
				var some []string
				for i := range each {
					if strings.Contains(body, fmt.Sprintf("/%04d.ics<", i)) {
						some = append(some, objects[i])
					}
				}
				return said{207, many(some...), ""}
			})}.account(b))
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	ended := make(chan struct{})
	go func() {
		for tick := time.NewTicker(10 * time.Millisecond); ; {
			select {
			case <-ended:
				tick.Stop()
				return
			case <-tick.C:
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				most.Store(max(most.Load(), now.HeapInuse+now.StackInuse-min(before.HeapInuse+before.StackInuse, now.HeapInuse+now.StackInuse)))
			}
		}
	}()
	for b.Loop() {
		var wait sync.WaitGroup
		var got atomic.Int64
		limit := make(chan struct{}, 4)
		for n, s := range sources {
			wait.Go(func() {
				limit <- struct{}{}
				defer func() { <-limit }()
				calendar := ""
				if n%2 == 1 {
					calendar = "/cal/"
				}
				c, err := s.Changes(context.Background(), askedOf(b, calendar, ""))
				if err != nil {
					b.Error(err)
				}
				got.Add(int64(len(c.Items)))
			})
		}
		wait.Wait()
		if got.Load() != accounts*each {
			b.Fatalf("%d events", got.Load())
		}
	}
	close(ended)
	b.ReportMetric(float64(most.Load())/(1<<20), "MB-in-use")
}
