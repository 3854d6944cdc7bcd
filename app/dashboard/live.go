package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"daybook/app/dashboard/web"
)

// hub wakes the open pages after a commit. It does not know what was committed: a page loads itself again and changes
// only where it differs. A page is woken at most once a second.
type hub struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next wake
	version int64         // another one after each wake, and in each process
	ended   chan struct{}
	once    sync.Once
}

func newHub() *hub {
	return &hub{changed: make(chan struct{}), version: time.Now().UnixNano(), ended: make(chan struct{})}
}

func (h *hub) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.changed)
	h.changed = make(chan struct{})
	h.version++
}

// seen names what a page shows that begins to read now. A page that gives it to after misses nothing that is committed
// before its stream is open.
func (h *hub) seen() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strconv.FormatInt(h.version, 36)
}

// livePoll is how soon a commit of another process is noticed.
const livePoll = 250 * time.Millisecond

// watch wakes the pages when the version has changed.
func (h *hub) watch(ctx context.Context, version func() (int64, error)) error {
	tick := time.NewTicker(livePoll)
	defer tick.Stop()
	last, err := version()
	for {
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		var v int64
		if v, err = version(); err == nil && v != last {
			last = v
			h.wake()
		}
	}
}

func (h *hub) next() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

// after is next, but closed already where there was a wake since the page that has seen this. "" is none.
func (h *hub) after(seen string) <-chan struct{} {
	next := h.next()
	if seen == "" || seen == h.seen() {
		return next
	}
	closed := make(chan struct{})
	close(closed)
	return closed
}

func (h *hub) close() { h.once.Do(func() { close(h.ended) }) }

const (
	liveEvery = time.Second
	liveBeat  = 25 * time.Second
	liveLife  = 10 * time.Minute // after that the browser connects again, and its session is checked again
)

// serveLive is the stream of events that a page listens to while it is visible.
func (d *Door) serveLive(w http.ResponseWriter, r *http.Request) {
	c := &web.Call{ResponseWriter: w, Request: r, Subjects: d.Set, Secure: d.secure}
	if _, err := d.Account.SessionOf(r.Context(), c.Token()); err != nil {
		w.WriteHeader(http.StatusNoContent) // tells the browser not to connect again
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	send := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && out.Flush() == nil
	}
	beat, life := time.NewTicker(liveBeat), time.NewTimer(liveLife)
	defer beat.Stop()
	defer life.Stop()
	changed := d.live.after(r.URL.Query().Get("seen"))
	for ok := send("retry: 3000\n\n"); ok; {
		select {
		case <-r.Context().Done():
			return
		case <-d.live.ended:
			return
		case <-life.C:
			return
		case <-beat.C:
			ok = send(": still here\n\n")
		case <-changed:
			changed = d.live.next()
			ok = send("event: change\ndata: \n\n")
			select {
			case <-time.After(liveEvery):
			case <-r.Context().Done():
				return
			case <-d.live.ended:
				return
			}
		}
	}
}
