package agent

import (
	"bytes"
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
	"daybook/app/fault"
)

// maxStreams is the most streams that a key may have open.
const maxStreams = 1000

// keyCheck is how often the keys of open streams are checked: a stream ends that soon after any process has revoked or
// replaced its key.
const keyCheck = 250 * time.Millisecond

// openWork is the running tool calls and the open streams of a door.
type openWork struct {
	mu       sync.Mutex
	running  int           // tool calls
	owed     int           // answers that SSE streams have still to send
	idle     chan struct{} // closed when both are zero; nil if nothing waits
	streams  map[*openStream]bool
	sessions map[string]*openStream // the SSE streams
	ofKey    map[app.KeyID]int
	watched  bool // watchKeys is running
	ending   context.Context
	endsNow  context.CancelFunc
}

// openStream is one open stream.
type openStream struct {
	key     app.KeyID
	value   string // of the API key that opened it
	session string // SSE only
	owed    int    // answers that it has still to send
	cancel  context.CancelFunc
}

func (l *openWork) open() {
	l.streams, l.sessions, l.ofKey = map[*openStream]bool{}, map[string]*openStream{}, map[app.KeyID]int{}
	l.ending, l.endsNow = context.WithCancel(context.Background())
}

func (l *openWork) endStreams() { l.endsNow() }

func (l *openWork) begin() {
	l.mu.Lock()
	l.running++
	l.mu.Unlock()
}

func (l *openWork) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	l.signalIdle()
}

func (l *openWork) signalIdle() {
	if l.running+l.owed == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// wait returns when no call is running and every answer has been written to its stream, or ctx ends.
func (l *openWork) wait(ctx context.Context) {
	l.mu.Lock()
	if l.running+l.owed == 0 {
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

// add adds a stream; it returns false if its key has too many.
func (l *openWork) add(s *openStream) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ofKey[s.key] >= maxStreams {
		return false
	}
	l.ofKey[s.key]++
	l.streams[s] = true
	return true
}

// remove removes a stream; its unsent answers are no longer waited for.
func (l *openWork) remove(s *openStream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.streams, s)
	delete(l.sessions, s.session)
	if l.ofKey[s.key]--; l.ofKey[s.key] == 0 {
		delete(l.ofKey, s.key)
	}
	l.owed -= s.owed
	s.owed = 0
	l.signalIdle()
}

// setSession notes which session the stream belongs to.
func (l *openWork) setSession(s *openStream, session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams[s] {
		s.session, l.sessions[session] = session, s
	}
}

// expect notes that the stream of the session has an answer to send.
func (l *openWork) expect(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sessions[session]; s != nil {
		s.owed++
		l.owed++
	}
}

// sent notes that the stream has sent an answer.
func (l *openWork) sent(s *openStream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.owed > 0 {
		s.owed--
		l.owed--
		l.signalIdle()
	}
}

// watchKeys starts ending streams whose key is no longer valid, until no stream is open.
func (d *Door) watchKeys() {
	l := &d.open
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watched {
		return
	}
	l.watched = true
	go func() {
		tick := time.NewTicker(keyCheck)
		defer tick.Stop()
		for range tick.C {
			if !d.endRevoked() {
				return
			}
		}
	}()
}

// endRevoked ends the streams whose key is no longer valid, and reports whether any stream is open.
func (d *Door) endRevoked() bool {
	l := &d.open
	works := map[string]bool{}
	l.mu.Lock()
	for s := range l.streams {
		works[s.value] = true
	}
	l.mu.Unlock()
	for value := range works {
		err := access.CheckAgent(d.service, value)
		e := fault.As(err)
		works[value] = e == nil || e.Code != fault.Unauthorized && e.Reason != "workspace_suspended" // an error of the database ends no stream
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.streams {
		if ok, asked := works[s.value]; asked && !ok {
			s.cancel()
		}
	}
	l.watched = len(l.streams) > 0
	return l.watched
}

type streamOfRequest struct{}

// stream serves a stream until the client disconnects, its key is revoked or replaced, or the door closes.
func (d *Door) stream(h http.Handler) http.Handler {
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(d.open.ending, cancel)()
		s := &openStream{key: access.Key(ctx).ID, value: access.Token(r), cancel: cancel}
		if !d.open.add(s) {
			access.WriteError(w, fault.New(fault.RateLimited, "too_many_streams",
				"Too many streams are open with this key. Close some before opening another.").
				With("retryAfter", 60), d.log)
			return
		}
		defer d.open.remove(s)
		d.watchKeys()
		h.ServeHTTP(&streamWriter{ResponseWriter: w, open: &d.open, stream: s},
			r.WithContext(context.WithValue(ctx, streamOfRequest{}, s)))
	})
	wrap := d.options.Stream
	if wrap == nil {
		wrap = liftDeadlines
	}
	return wrap(inner)
}

// streamWriter counts the answers that a stream sends: the SSE server writes each event at once and flushes it.
type streamWriter struct {
	http.ResponseWriter
	open    *openWork
	stream  *openStream
	answers int // written, not yet flushed
}

func (w *streamWriter) Write(b []byte) (int, error) {
	if isAnswer(b) {
		w.answers++
	}
	return w.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (w *streamWriter) Flush() {
	http.NewResponseController(w.ResponseWriter).Flush() //nolint:errcheck // the client may be gone
	for ; w.answers > 0; w.answers-- {
		w.open.sent(w.stream)
	}
}

// Unwrap is for http.ResponseController.
func (w *streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// isAnswer reports whether an event is a JSON-RPC answer, and not a ping or a notification.
func isAnswer(event []byte) bool {
	data, ok := bytes.CutPrefix(event, []byte("event: message\ndata:"))
	if !ok {
		return false
	}
	method, result, failure := bytes.Index(data, []byte(`"method"`)), bytes.Index(data, []byte(`"result"`)),
		bytes.Index(data, []byte(`"error"`))
	first := func(i, j int) bool { return i >= 0 && (j < 0 || i < j) }
	return first(result, method) || first(failure, method)
}

func liftDeadlines(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		c.SetReadDeadline(time.Time{})  //nolint:errcheck // a writer without deadlines needs none lifted
		c.SetWriteDeadline(time.Time{}) //nolint:errcheck
		h.ServeHTTP(w, r)
	})
}

// newSession makes the id of an SSE session: a random text, and the MAC of it and the id of the key that opens it.
func (d *Door) newSession(ctx context.Context, _ *http.Request) (string, error) {
	nonce := rand.Text()
	session := nonce + "." + d.bind(nonce, access.Key(ctx).ID)
	if s, ok := ctx.Value(streamOfRequest{}).(*openStream); ok {
		d.open.setSession(s, session)
	}
	return session, nil
}

func (d *Door) bind(nonce string, k app.KeyID) string {
	mac := hmac.New(sha256.New, d.secret)
	mac.Write([]byte(nonce + " " + k.String()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// checkSession lets a key post only to the sessions that it opened; others are not found.
func (d *Door) checkSession(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session := r.URL.Query().Get("sessionId")
		nonce, mac, _ := strings.Cut(session, ".")
		if !hmac.Equal([]byte(mac), []byte(d.bind(nonce, access.Key(r.Context()).ID))) {
			access.WriteError(w,
				fault.New(fault.NotFound, "",
					"This key has no such session. Open one with GET /api/sse and post to the address that it names."), d.log)
			return
		}
		if wants, _ := r.Context().Value(wantsAnswer{}).(bool); wants {
			d.open.expect(session)
		}
		h.ServeHTTP(w, r)
	})
}
