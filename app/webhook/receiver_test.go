package webhook_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
)

// receiver keeps what it is sent.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []received
}

type received struct {
	at     time.Time
	header http.Header
	body   []byte
}

func newReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.got = append(r.got, received{time.Now(), req.Header, body})
		r.mu.Unlock()
		if answer != nil {
			answer(w, req)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

func (r *receiver) wait(t testing.TB, n int) []received {
	t.Helper()
	apptest.Eventually(t, strconv.Itoa(n)+" requests", func() bool { return len(r.all()) >= n })
	return r.all()
}

func eventOf(t testing.TB, body []byte) (id, kind, booking string) {
	t.Helper()
	var e struct {
		ID, Event string
		Data      struct{ ID string }
	}
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatal(err)
	}
	return e.ID, e.Event, e.Data.ID
}
