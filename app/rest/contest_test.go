package rest_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// TestContest has 64 callers book, move and cancel overlapping times of one host over HTTP, through event types of
// different lengths and buffers: no two occupied spans ever overlap, and nobody is answered anything but 200, 201, 409, 400.
func TestContest(t *testing.T) {
	w := newWorld(t)
	srv := httptest.NewServer(w.door)
	defer srv.Close()
	client := srv.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 64
	post := func(path, body string) (int, string) {
		r, _ := http.NewRequest("POST", srv.URL+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+w.full)
		r.Header.Set("Content-Type", "application/json")
		res, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	var mu sync.Mutex
	counts := map[int]int{}
	var wait sync.WaitGroup
	for g := range 64 {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(g)))
			var mine []string
			for i := range 8 {
				types, steps := []string{"cut", "wash", "talk", "color", "class"}, []int{45, 5, 30, 90, 60}
				n := random.IntN(5)
				eventType, minute := types[n], steps[n]*random.IntN(8*60/steps[n])
				if random.IntN(20) == 0 {
					minute = 5 * random.IntN(12*8) // off most grids
				}
				start := fmt.Sprintf("2026-12-01T%02d:%02d:00Z", 8+minute/60, minute%60)
				path, body := "/api/v1/bookings", strings.Replace(bookingBody(eventType, start, fmt.Sprintf("g%d-%d@x.example", g, i)), "{", `{"host":"`+ana.String()+`",`, 1)
				if len(mine) > 0 && random.IntN(3) == 0 {
					path, body = "/api/v1/bookings/"+mine[random.IntN(len(mine))]+"/reschedule", `{"start":"`+start+`"}`
				} else if len(mine) > 0 && random.IntN(6) == 0 {
					path, body = "/api/v1/bookings/"+mine[random.IntN(len(mine))]+"/cancel", ""
				}
				status, text := post(path, body)
				if status == 201 {
					mine = append(mine, strings.SplitN(text, `"`, 5)[3])
				}
				mu.Lock()
				counts[status]++
				mu.Unlock()
				if status != 200 && status != 201 && status != 409 && status != 400 {
					t.Errorf("%s %s: %d %s", path, body, status, text)
				}
			}
		})
	}
	wait.Wait()
	t.Log(counts)
	if counts[201] < 3 || counts[409] < 20 {
		t.Errorf("no contest: %v", counts)
	}
	w.disjoint(ana)
}

// disjoint fails when two occupied spans of the host overlap that are not seats of one session.
func (w *world) disjoint(host catalog.HostID) {
	w.T.Helper()
	rows, err := w.Store.Occupied(nil, host, when.At(apptest.Monday), when.At(apptest.Monday.Add(30*day)), 0)
	w.Must(err)
	if len(rows) == 0 {
		w.T.Error("the host has no booking")
	}
	for i, a := range rows {
		for _, b := range rows[i+1:] {
			session := a.EventType == b.EventType && a.Start == b.Start && a.End == b.End && a.Occupied == b.Occupied
			if overlap(a.Occupied, b.Occupied) && !session {
				w.T.Errorf("%s at %s and %s at %s overlap", a.ID, when.Instant(a.Start), b.ID, when.Instant(b.Start))
			}
		}
	}
}

func overlap(a, b slot.Span) bool { return a.Start < b.End && b.Start < a.End }
