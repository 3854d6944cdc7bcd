package bench

import (
	"slices"
	"time"
)

// Report is what came of a run. Times are in milliseconds.
type Report struct {
	URL      string   `json:"url"`
	Clients  int      `json:"clients"`
	Seconds  float64  `json:"seconds"`
	Bookings int      `json:"bookings"` // that were made, and are removed
	Network  Spread   `json:"networkMs"`
	Commit   Spread   `json:"commitMs"`
	Paths    []Row    `json:"paths"`
	Bound    Bound    `json:"bound"`    // of bookings
	Guests   int      `json:"guests"`   // whose visits the server takes in a minute; 0 is unknown
	Verdict  []string `json:"verdict"`  // sentences
	Database string   `json:"database"` // as --db names it
}

// Spread is how long something took that was done a few times.
type Spread struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// Row is what came of a path.
type Row struct {
	Name      string   `json:"name"`
	Requests  int      `json:"requests"` // that were answered well, after the warm-up
	PerSecond float64  `json:"perSecond"`
	P50       float64  `json:"p50Ms"`
	P95       float64  `json:"p95Ms"`
	P99       float64  `json:"p99Ms"`
	Max       float64  `json:"maxMs"`
	Server    *float64 `json:"serverP50Ms"`    // of P50, for how long the server had the request; null is unknown
	Processor *float64 `json:"processorMs"`    // of the server, for one request and what follows it; null is unknown
	Busy      *float64 `json:"processorsBusy"` // which part of the processors that it may use, from 0 to 1
	Errors    int      `json:"errors"`
	Error     string   `json:"error,omitempty"` // the first one

	weight int
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// at is a percentile of what is sorted; 0 of nothing.
func at(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// rowOf is the row of the answers that came within took.
func rowOf(p path, all []sample, took time.Duration, errs int, why error) *Row {
	var whole, server []time.Duration
	for _, s := range all {
		whole = append(whole, s.took)
		if s.server > 0 {
			server = append(server, s.server)
		}
	}
	slices.Sort(whole)
	slices.Sort(server)
	row := &Row{Name: p.name, Requests: len(all), P50: ms(at(whole, 50)), P95: ms(at(whole, 95)), P99: ms(at(whole, 99)),
		Max: ms(at(whole, 100)), Errors: errs, weight: p.weight}
	if took > 0 {
		row.PerSecond = float64(len(all)) / took.Seconds()
	}
	if len(server) > 0 && len(server) == len(whole) {
		half := ms(at(server, 50))
		row.Server = &half
	}
	if why != nil {
		row.Error = why.Error()
	}
	return row
}

// processor adds what so many processors of the server did in that time for so many requests.
func (r *Row) processor(used, took time.Duration, processors float64, requests int) {
	each, busy := ms(used)/float64(requests), used.Seconds()/took.Seconds()/processors
	r.Processor, r.Busy = &each, &busy
}
