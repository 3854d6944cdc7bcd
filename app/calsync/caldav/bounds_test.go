package caldav

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"daybook/app/calsync"
)

// What a server answers about accounts is refused long before it costs what it could: 24 answers of 16 MB at once take
// no more memory than their first 256 KiB.
func TestDiscoveryIsBounded(t *testing.T) {
	head := xmlHead + `<multistatus xmlns="DAV:">`
	for name, body := range map[string]string{
		"propstats": head + `<response><href>/x</href>` + strings.Repeat(`<propstat/>`, 1_400_000),
		"depth":     head + strings.Repeat(`<a>`, 5_000_000),
		"responses": head + strings.Repeat(`<response><href>/x</href></response>`, 400_000),
		"texts":     head + strings.Repeat(`<response><href>/x</href><status>`+strings.Repeat("x", 1000)+`</status></response>`, 15_000),
	} {
		w := answers{"PROPFIND /": always(207, body)}.account(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var all sync.WaitGroup
		for range 24 {
			all.Go(func() {
				if _, err := w.Calendars(t.Context()); !errors.Is(err, calsync.ErrTooMuch) && !errors.Is(err, calsync.ErrNotOne) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		all.Wait()
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 24*16 { // of which nearly all is garbage soon
			t.Errorf("%s: %d MiB were allocated", name, took)
		}
	}
}

// Each bound of an answer about events holds by itself, and an ordinary answer of 20,000 events stays below all.
func TestReportsAreBounded(t *testing.T) {
	for name, answer := range map[string]string{
		"propstats": `<d:response><d:href>/cal/1.ics</d:href>` + strings.Repeat(`<d:propstat/>`, maxPropstats+1) + `</d:response>`,
		"depth":     `<d:response>` + strings.Repeat(`<d:a>`, maxDepth) + strings.Repeat(`</d:a>`, maxDepth) + `</d:response>`,
		"elements":  `<d:response>` + strings.Repeat(`<d:a/>`, maxElements) + `</d:response>`,
		"texts":     `<d:response>` + strings.Repeat(`<d:a>`+strings.Repeat("x", 10_000)+`</d:a>`, maxText/10_000+1) + `</d:response>`,
	} {
		w := answers{"PROPFIND /cal/": always(207, many(one("/cal/", syncs))),
			"REPORT /cal/": reports(func(*http.Request, string) said { return said{207, many(answer), ""} }, nil)}.account(t)
		if _, err := changes(t, w, ""); !errors.Is(err, calsync.ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
