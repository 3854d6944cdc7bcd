package agent

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/access"
)

// maxStreams is how many streams a key may have open.
const maxStreams = 1000

// life is what is open at a door.
type life struct {
	mu      sync.Mutex
	calls   int
	ended   time.Time     // the latest call
	idle    chan struct{} // closed when calls falls to zero; nil when nobody waits
	streams map[app.KeyID]int
	ending  context.Context
	endsNow context.CancelFunc
}

func (l *life) open() {
	l.streams = map[app.KeyID]int{}
	l.ending, l.endsNow = context.WithCancel(context.Background())
}

func (l *life) endStreams() { l.endsNow() }

func (l *life) begin() {
	l.mu.Lock()
	l.calls++
	l.mu.Unlock()
}

func (l *life) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = time.Now()
	if l.calls--; l.calls == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// waitCalls waits until no call is running, or ctx ends.
func (l *life) waitCalls(ctx context.Context) {
	l.mu.Lock()
	if l.calls == 0 {
		l.mu.Unlock()
		return
	}
	if l.idle == nil {
		l.idle = make(chan struct{})
	}
	idle := l.idle
	l.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

func (l *life) latestEnd() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// take counts a stream of the key, or refuses it.
func (l *life) take(k app.KeyID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams[k] >= maxStreams {
		return false
	}
	l.streams[k]++
	return true
}

func (l *life) give(k app.KeyID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams[k]--; l.streams[k] == 0 {
		delete(l.streams, k)
	}
}

// stream serves an answer that stays open until the client leaves or the door closes.
func (d *Door) stream(h http.Handler) http.Handler {
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(d.life.ending, cancel)()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
	wrap := d.options.Stream
	if wrap == nil {
		wrap = liftDeadlines
	}
	open := wrap(inner)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k := access.Key(r.Context()).ID
		if !d.life.take(k) {
			access.WriteError(w, &app.Error{Code: app.RateLimited, Reason: "too_many_streams",
				Message: "Too many streams are open with this key. Close some before opening another.", Details: map[string]any{"retryAfter": 60}}, d.log)
			return
		}
		defer d.life.give(k)
		open.ServeHTTP(w, r)
	})
}

func liftDeadlines(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		c.SetReadDeadline(time.Time{})  //nolint:errcheck // a writer without deadlines needs none lifted
		c.SetWriteDeadline(time.Time{}) //nolint:errcheck
		h.ServeHTTP(w, r)
	})
}

// newSession names an SSE session: a random text and its MAC with the id of the key that opened it.
func (d *Door) newSession(ctx context.Context, _ *http.Request) (string, error) {
	nonce := rand.Text()
	return nonce + "." + d.bind(nonce, access.Key(ctx).ID), nil
}

func (d *Door) bind(nonce string, k app.KeyID) string {
	mac := hmac.New(sha256.New, d.secret)
	mac.Write([]byte(nonce + " " + k.String()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// ownSession lets a key post to the sessions that it opened, and to no other's: those are unknown to it.
func (d *Door) ownSession(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce, mac, _ := strings.Cut(r.URL.Query().Get("sessionId"), ".")
		if !hmac.Equal([]byte(mac), []byte(d.bind(nonce, access.Key(r.Context()).ID))) {
			access.WriteError(w, &app.Error{Code: app.NotFound, Message: "This key has no such session. Open one with GET /api/sse and post to the address that it names."}, d.log)
			return
		}
		h.ServeHTTP(w, r)
	})
}
