package rest_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// walk reads all pages of a list and answers what stands under key in each row.
func (w *world) walk(path, key string) []string {
	w.T.Helper()
	var all []string
	cursor := ""
	for range 1000 {
		page := w.do(w.full, "GET", path+cursor, "").json(w.T)
		for _, row := range page["data"].([]any) {
			all = append(all, object(row)[key].(string))
		}
		next, more := page["nextCursor"].(string)
		if more != page["hasMore"] {
			w.T.Fatalf("hasMore %v, nextCursor %q", page["hasMore"], next)
		}
		if !more {
			return all
		}
		cursor = "&cursor=" + next
	}
	w.T.Fatal("pages without end")
	return nil
}

// TestPages walks every list in pages of every size: nothing is lost, nothing comes twice, the order stays.
func TestPages(t *testing.T) {
	w := newWorld(t)
	// Three invitees share each start of class, so that pages break between rows of the same start.
	for day := 1; day <= 4; day++ {
		for hour := 8; hour < 16; hour += 2 {
			for seat := range 3 {
				w.book("class", fmt.Sprintf("2026-12-%02dT%02d:00:00Z", day, hour), fmt.Sprintf("c%d-%d-%d@x.example", day, hour, seat))
			}
		}
	}
	lists := map[string]string{
		"/api/v1/bookings?from=2026-12-01": "id", "/api/v1/bookings?scope=upcoming": "id", "/api/v1/bookings?status=confirmed&eventType=class": "id",
		"/api/v1/bookings?host=" + ana.String(): "id", "/api/v1/contacts?q=c1": "id", "/api/v1/contacts?": "id", "/api/v1/event-types?": "id",
		"/api/v1/availability?eventType=wash&days=3": "start", "/api/v1/availability?eventType=color&days=30": "start",
	}
	check := func() {
		t.Helper()
		for path, key := range lists {
			whole := w.walk(path+"&limit=100", key)
			if len(whole) == 0 || len(slices.Compact(slices.Sorted(slices.Values(whole)))) != len(whole) {
				t.Errorf("%s: %d rows, some twice or none", path, len(whole))
			}
			for _, size := range []int{1, 2, 3, 5, 7, 10} {
				if got := w.walk(path+"&limit="+itoa(size), key); !slices.Equal(got, whole) {
					t.Errorf("%s in pages of %d: %d rows of %d, or in another order", path, size, len(got), len(whole))
				}
			}
		}
	}
	check()
	w.Clock.Advance(3 * day)
	lists = map[string]string{"/api/v1/bookings?scope=past": "id", "/api/v1/bookings?scope=upcoming": "id"}
	check()
	past, upcoming := w.walk("/api/v1/bookings?scope=past", "start"), w.walk("/api/v1/bookings?", "start")
	if !slices.IsSorted(upcoming) || !slices.IsSortedFunc(past, func(a, b string) int { return cmp.Compare(b, a) }) || len(past)+len(upcoming) != 48 {
		t.Errorf("past %v, upcoming %v", past, upcoming)
	}
}

const day = 24 * time.Hour

// TestPagesUnderChange: a booking that is made while pages are read does not shift the others.
func TestPagesUnderChange(t *testing.T) {
	w := newWorld(t)
	for hour := 8; hour < 14; hour++ {
		w.book("class", fmt.Sprintf("2026-12-02T%02d:00:00Z", hour), "bo@x.example")
	}
	first := w.do(w.full, "GET", "/api/v1/bookings?limit=3", "").json(t)
	w.book("class", "2026-12-01T08:00:00Z", "bo@x.example")
	second := w.do(w.full, "GET", "/api/v1/bookings?limit=3&cursor="+first["nextCursor"].(string), "").json(t)
	var starts []string
	for _, row := range append(first["data"].([]any), second["data"].([]any)...) {
		starts = append(starts, object(row)["start"].(string))
	}
	if len(starts) != 6 || len(slices.Compact(starts)) != 6 || starts[5] != "2026-12-02T13:00:00Z" {
		t.Error(starts)
	}
}
