// Package feed is the door of the private calendar addresses, /calendar/<token>.ics, that Google, Outlook and Apple
// subscribe to. It knows app and app/calendar, and neither the store nor another door.
package feed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"daybook/app/booking"
	"daybook/app/calendar"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// Door serves the calendars.
type Door struct {
	service *Service
	log     *slog.Logger

	mu   sync.Mutex
	seen map[string]version // by token
}

// version is a feed's last content, and since when it has had it.
type version struct {
	tag   string
	since time.Time
}

// maxSeen bounds what is remembered; beyond it a feed's Last-Modified begins anew.
const maxSeen = 10_000

// New makes the door.
func New(s *Service, log *slog.Logger) *Door {
	return &Door{service: s, log: log, seen: map[string]version{}}
}

// Routes adds the door's paths.
func (d *Door) Routes(mux *http.ServeMux) { mux.HandleFunc("GET /calendar/{file}", d.serve) }

// serve sends the calendar, or 304 if the client has it. Anybody who knows the address may read it, so it is never
// cached by a proxy.
func (d *Door) serve(w http.ResponseWriter, r *http.Request) {
	token, ok := strings.CutSuffix(r.PathValue("file"), ".ics")
	h := w.Header()
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	var c Calendar
	var err error
	if ok {
		c, err = d.service.CalendarByToken(r.Context(), token)
	}
	switch {
	case !ok || fault.Is(err, fault.NotFound):
		http.Error(w, "This calendar address has ended.", http.StatusNotFound)
		return
	case fault.Is(err, fault.Forbidden):
		http.Error(w, fault.As(err).Error(), http.StatusForbidden)
		return
	case errors.Is(err, context.Canceled): // the caller hung up
		d.log.DebugContext(r.Context(), "calendar not finished", "error", err)
		return
	case fault.Is(err, fault.Unavailable):
		if !fault.IsLogged(err) {
			d.log.WarnContext(r.Context(), "calendar not available", "error", err)
		}
		h.Set("Retry-After", "1")
		http.Error(w, "That doesn't work just now. Please try again in a moment.", http.StatusServiceUnavailable)
		return
	case err != nil:
		d.log.ErrorContext(r.Context(), "calendar failed", "error", err)
		http.Error(w, "Something went wrong.", http.StatusInternalServerError)
		return
	}
	text := d.textOf(&c)
	sum := sha256.Sum256([]byte(text))
	v := d.version(token, hex.EncodeToString(sum[:16]))
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `inline; filename="calendar.ics"`)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+v.tag+`"`)
	http.ServeContent(w, r, "", v.since, strings.NewReader(text))
}

// version returns when the feed first said what it says now, as far as this process knows.
func (d *Door) version(token, tag string) version {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.seen[token]
	if !ok || v.tag != tag {
		if len(d.seen) >= maxSeen {
			clear(d.seen)
		}
		v = version{tag, d.service.Core.Now().Truncate(time.Second)}
		if ok { // a second that was answered for already said something else
			v.since = v.since.Add(time.Second)
		}
		d.seen[token] = v
	}
	return v
}

func (d *Door) textOf(c *Calendar) string {
	f := calendar.Feed{Name: c.Setup.Workspace.Name, Zone: c.Setup.Zone}
	if c.Host != nil {
		f.Name = c.Host.Name + " · " + c.Setup.Workspace.Name
		f.Zone = c.Host.Location()
	}
	f.Events = make([]calendar.FeedEvent, len(c.Bookings))
	for i := range c.Bookings {
		f.Events[i] = d.eventOf(c, &c.Bookings[i])
	}
	return f.Text()
}

func (d *Door) eventOf(c *Calendar, b *booking.Booking) calendar.FeedEvent {
	title, host := b.Invitee.Name, catalog.HostID(0)
	if c.Host != nil {
		host = c.Host.ID // as in the mails to them
	}
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil {
		title += " · " + b.Titled(e.Title)
	}
	var lines []string
	for _, text := range []string{b.Invitee.Email, b.Invitee.Phone} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	if c.Host == nil {
		for _, h := range b.AllHosts() {
			title += " · " + h.Name
		}
	}
	if b.Notes != "" {
		lines = append(lines, "", b.Notes)
	}
	return calendar.FeedEvent{
		UID: d.service.Core.CalendarUID(b, host), Title: title, Description: strings.Join(lines, "\n"), Location: b.Spot(),
		Conference: b.Conference(),
		Start:      b.Start.Time(), End: b.End.Time(), Tentative: b.Status == booking.Pending, Changed: b.UpdatedAt.Time(),
	}
}
