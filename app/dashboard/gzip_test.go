package dashboard

import (
	"net/http"
	"testing"
)

// The pages are the heaviest that a browser loads from here: they leave packed, in a third of their size or less.
func TestPagesArePacked(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	size := func(accept string) int {
		r, err := http.NewRequest("GET", w.server.URL+"/dashboard/bookings/calendar", nil)
		w.Must(err)
		r.Header.Set("Accept-Encoding", accept)
		res := b.do(r)
		if packed := res.header.Get("Content-Encoding") == "gzip"; res.status != 200 || packed != (accept == "gzip") {
			t.Fatalf("Accept-Encoding %q: %d %v", accept, res.status, res.header)
		}
		return len(res.body)
	}
	if plain, packed := size("identity"), size("gzip"); packed*3 > plain {
		t.Errorf("%d bytes packed of %d", packed, plain)
	}
}
