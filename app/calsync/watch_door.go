package calsync

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"daybook/app/fault"
)

// doors are the paths that accounts of a kind call.
var doors = map[Kind]string{
	Google:    "/api/calendars/hints/google",
	Microsoft: "/api/calendars/hints/microsoft",
}

const (
	maxBody  = 256 << 10 // bytes
	maxCalls = 100       // of one body
	maxName  = 200       // characters of a watch's id, and of a token
	maxEcho  = 2000      // characters of what Microsoft wants to have back
	burst    = 200       // requests at once
	perTime  = 100       // requests a second
)

// WatchDoor takes the calls of accounts. Callers learn nothing: neither whether there is such a watch nor whether the
// token was right.
type WatchDoor struct {
	service *Service
	log     *slog.Logger

	mu   sync.Mutex
	left float64 // requests that may come now
	at   time.Time
}

// NewWatchDoor makes the door.
func NewWatchDoor(s *Service, log *slog.Logger) *WatchDoor {
	return &WatchDoor{service: s, log: log, left: burst}
}

// Routes adds the door's paths.
func (d *WatchDoor) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST "+doors[Google], d.guarded(d.google))
	mux.HandleFunc("POST "+doors[Microsoft], d.guarded(d.microsoft))
}

// guarded bounds bodies and how many requests are looked at; accounts call again later.
func (d *WatchDoor) guarded(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !d.admits(d.service.Now()) {
			d.refuse(w)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		serve(w, r)
	}
}

func (d *WatchDoor) admits(now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = min(burst, d.left+max(0, now.Sub(d.at).Seconds())*perTime)
	if d.at = now; d.left < 1 {
		return false
	}
	d.left--
	return true
}

func (d *WatchDoor) refuse(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "10")
	w.WriteHeader(http.StatusServiceUnavailable)
}

// google takes a message of a channel, which has no body. The first one, "sync", says that the channel is made:
// https://developers.google.com/workspace/calendar/api/guides/push
func (d *WatchDoor) google(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Goog-Resource-State") == "sync" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	d.take(w, r, http.StatusNoContent, Google, WatchCall{Watch: r.Header.Get("X-Goog-Channel-ID"),
		Token: r.Header.Get("X-Goog-Channel-Token")})
}

// microsoft takes the notifications of subscriptions, several in a body, and before a subscription is made a text that
// it wants to have back: https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
func (d *WatchDoor) microsoft(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); q.Has("validationToken") {
		text := q.Get("validationToken")
		if len(text) > maxEcho {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
		io.WriteString(w, text) //nolint:errcheck // the caller may be gone
		return
	}
	var body struct {
		Value []struct {
			SubscriptionID string
			ClientState    string
			LifecycleEvent string // "" of a change
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var calls []WatchCall
	for _, v := range body.Value[:min(len(body.Value), maxCalls)] {
		c := WatchCall{Watch: v.SubscriptionID, Token: v.ClientState}
		// https://learn.microsoft.com/en-us/graph/change-notifications-lifecycle-events
		switch v.LifecycleEvent {
		case "reauthorizationRequired":
			c.Event = Expiring
		case "subscriptionRemoved":
			c.Event = Removed
		case "", "missed":
		default:
			continue
		}
		calls = append(calls, c)
	}
	d.take(w, r, http.StatusAccepted, Microsoft, calls...)
}

// take answers with that status once the calls are taken. Several of one watch are one.
func (d *WatchDoor) take(w http.ResponseWriter, r *http.Request, status int, k Kind, calls ...WatchCall) {
	seen := map[WatchCall]bool{}
	for _, c := range calls {
		if seen[c] || c.Watch == "" || len(c.Watch) > maxName || len(c.Token) > maxName {
			continue
		}
		seen[c] = true
		err := d.service.Hint(r.Context(), k, c)
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled):
			return
		case fault.Is(err, fault.Unavailable):
			d.log.WarnContext(r.Context(), "a calendar's hint could not be taken", "error", err)
			d.refuse(w)
			return
		default:
			d.log.ErrorContext(r.Context(), "a calendar's hint could not be taken", "error", err)
			d.refuse(w)
			return
		}
	}
	w.WriteHeader(status)
}
