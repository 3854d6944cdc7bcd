package ics

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// Six files of 15 MB are asked for at once, and two are read at a time: a server that sends the rest of one late keeps
// the others waiting, and in the end all are read.
func TestTwoFilesAreReadAtOnce(t *testing.T) {
	const files, places = 6, 2
	var large atomic.Bool
	var mu sync.Mutex
	asked, open, most := 0, 0, 0 // open are files of which all but the end has been read
	count := func(change func()) {
		mu.Lock()
		defer mu.Unlock()
		change()
		most = max(most, open)
	}
	end := make(chan struct{})
	part := bytes.Repeat([]byte("X-A:"+string(bytes.Repeat([]byte("a"), 994))+"\r\n"), 64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if large.Load() {
			count(func() { asked++ })
			io.WriteString(w, "BEGIN:VCALENDAR\r\n")
			for range 15_000_000 / len(part) {
				w.Write(part)
			}
			count(func() { open++ })
			select {
			case <-end:
			case <-r.Context().Done():
			}
			count(func() { open-- })
			io.WriteString(w, "END:VCALENDAR\r\n")
			return
		}
		io.WriteString(w, file())
	}))
	t.Cleanup(server.Close)
	b := apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.Calendars = calsync.Config{Patience: time.Minute, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Sources: map[calsync.Kind]calsync.Opener{calsync.ICS: Open}}
	}})
	var all []calsync.Connection
	for i := range files {
		c, err := b.Calendars.ConnectCalendars(t.Context(), b.Owner, calsync.Input{Host: catalog.HostID(1).String(),
			Kind: calsync.ICS, Address: fmt.Sprintf("%s/%d.ics", server.URL, i)})
		b.Must(err)
		all = append(all, c)
	}
	large.Store(true)
	var reading sync.WaitGroup
	for _, c := range all {
		reading.Go(func() {
			got, err := b.Calendars.ReadCalendars(t.Context(), b.Owner, c.ID.String())
			if err != nil || got.State != calsync.OK {
				t.Errorf("%s: %v", got.Problem, err)
			}
		})
	}
	for i := range files {
		now := func() (is string) {
			count(func() { is = fmt.Sprintf("%d asked, %d open", asked, open) })
			return is
		}
		wanted := fmt.Sprintf("%d asked, %d open", files, min(places, files-i))
		apptest.Eventually(t, wanted, func() bool { return now() == wanted })
		end <- struct{}{}
	}
	reading.Wait()
	if most != places {
		t.Errorf("%d were read at once", most)
	}
}
