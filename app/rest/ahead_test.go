package rest_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// A sample can be pasted on any day: its times lie ahead, within the weeks that can be booked, and its lengths of time
// stay as they are.
func TestSamplesLieAhead(t *testing.T) {
	w := newWorld(t)
	from := w.Clock.Now()
	const day = 24 * time.Hour
	starts := regexp.MustCompile(`start(?:&#34;|&quot;|"): ?(?:&#34;|&quot;|")(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)`)
	etag := ""
	for _, later := range []time.Duration{0, 5 * time.Hour, day, 5 * day, 8 * day, 14*day - time.Hour, 200 * day, 800 * day} {
		w.Clock.Set(from.Add(later))
		now := w.Clock.Now()
		document := w.do("", "GET", "/api/v1/openapi.json", "")
		for _, path := range []string{"/api/v1/openapi.json", "/api/docs/reference/create-booking", "/api/docs/reference/create-booking.md",
			"/api/docs/reference/reschedule-booking.md", "/api/docs/reference/create-visit.md"} {
			found := starts.FindAllStringSubmatch(w.do("", "GET", path, "").text, -1)
			if len(found) == 0 {
				t.Fatalf("%s has no start", path)
			}
			for _, f := range found {
				at, err := time.Parse(time.RFC3339, f[1])
				if err != nil || at.Before(now) || at.After(now.Add(8*day)) {
					t.Errorf("on %s %s shows %s %v", now, path, f[1], err)
				}
			}
		}
		open := w.do("", "GET", "/api/docs/reference/list-open-times.md", "").text
		dates := regexp.MustCompile(`from=(\d{4}-\d\d-\d\d)&to=(\d{4}-\d\d-\d\d)`).FindStringSubmatch(open)
		if dates != nil && dates[1] >= dates[2] {
			t.Error(dates)
		}
		if strings.Contains(document.text, "2026-12-01T09:00") != (later < day) {
			t.Errorf("on %s the document has the times of another week", now)
		}
		if got := document.Header().Get("Etag"); (got == etag) != (later == 5*time.Hour || later == 5*day || later == 14*day-time.Hour) {
			t.Errorf("on %s the document's version is %s, and was %s", now, got, etag)
		} else {
			etag = got
		}
	}
}
