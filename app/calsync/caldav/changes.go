package caldav

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"daybook/app/calendar/busy"
	"daybook/app/calsync"
)

// The cursor of a calendar is one of these with what follows: the server's token, or what its events' ETags were.
const (
	byToken = "sync:"
	byETags = "etag:"
)

const (
	step     = 100     // events that are asked for at once
	maxToken = 4 << 10 // bytes
	maxSpans = 100_000 // of all events of one reading; package busy allows a file as many
)

// reading is one call of Changes.
type reading struct {
	*source
	asked    calsync.Asked
	calendar *url.URL
	self     func() ([]string, error)
}

// Changes reads everything, or what has changed since the cursor. All events are read, whenever they are: which of a
// series are in the window, servers often get wrong.
func (s *source) Changes(ctx context.Context, of calsync.Asked) (none calsync.Changes, err error) {
	at, err := s.calendar(of.Calendar)
	if err != nil {
		return none, err
	}
	r := &reading{s, of, at, sync.OnceValues(func() ([]string, error) { return s.self(ctx, at) })}
	token, tokens := strings.CutPrefix(of.Cursor, byToken)
	etags, compares := strings.CutPrefix(of.Cursor, byETags)
	switch {
	case of.Cursor == "":
		return r.everything(ctx)
	case tokens && token != "":
		return r.since(ctx, token)
	case compares:
		return r.compare(ctx, etags)
	}
	return none, calsync.ErrCursor
}

// everything reads all events, by a first sync-collection if the server has that.
func (r *reading) everything(ctx context.Context) (none calsync.Changes, err error) {
	p, _, err := r.properties(ctx, r.calendar, ofCalendar)
	if err != nil {
		return none, err
	}
	if p.Type == nil || p.Type.Calendar == nil {
		return none, calsync.ErrNotOne
	}
	syncs := p.SyncToken != ""
	for i := 0; p.Reports != nil && i < len(p.Reports.Supported); i++ {
		syncs = syncs || p.Reports.Supported[i].Report.Sync != nil
	}
	if syncs {
		all, err := r.since(ctx, "")
		if !lacks(err) {
			all.All, all.Gone = true, nil
			return all, err
		}
	}
	return r.compare(ctx, "")
}

// lacks reports whether an error says that the server doesn't have what it was asked for.
func lacks(err error) bool {
	if later := (*calsync.Later)(nil); err == nil || errors.As(err, &later) {
		return false
	}
	switch c := code(err); c {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests:
		return false
	case http.StatusNotImplemented, http.StatusInsufficientStorage:
		return true
	default:
		return c >= 400 && c < 500
	}
}

// errNoToken is of a server that has sync-collection but gives no token to go on with.
var errNoToken = &refusal{http.StatusNotImplemented, &calsync.Status{Code: http.StatusNotImplemented}, nil}

// since reads what has changed since a token, all events for "". The error for a token that the server doesn't take is
// calsync.ErrCursor.
func (r *reading) since(ctx context.Context, token string) (none calsync.Changes, err error) {
	changed, gone := map[string]string{}, map[string]bool{}
	for more := true; more; {
		before, seen := token, len(changed)+len(gone)
		more = false
		q := request{method: "REPORT", to: r.calendar, depth: "0", body: syncCollection(token)}
		token, err = r.multistatus(ctx, q, func(at *url.URL, x *response) error {
			key := keyOf(at)
			switch {
			case same(at, r.calendar):
				more = more || status(x.Status) == http.StatusInsufficientStorage // there is more than this
			case strings.HasSuffix(key, "/"): // a collection
			case status(x.Status) == http.StatusNotFound, status(x.Status) == http.StatusGone:
				delete(changed, key)
				gone[key] = true
			default:
				delete(gone, key)
				changed[key] = x.found().ETag
			}
			if len(changed)+len(gone) > 2*calsync.MaxItems {
				return calsync.ErrTooMuch
			}
			return nil
		})
		switch {
		case err != nil && before != "" && (lacks(err) || code(err) == http.StatusInternalServerError):
			// Some servers break on a token that they don't know. If it is something else, reading everything says so.
			return none, fmt.Errorf("%w: %w", calsync.ErrCursor, err)
		case err != nil:
			return none, err
		case token == "" || len(token) > maxToken:
			if before != "" {
				return none, calsync.ErrCursor
			}
			return none, errNoToken
		case more && (token == before || len(changed)+len(gone) == seen):
			return none, &calsync.Status{Code: http.StatusInsufficientStorage} // it would never end
		}
	}
	all, err := r.fetch(ctx, changed)
	if err != nil {
		return none, err
	}
	for key := range gone {
		all.Gone = append(all.Gone, key)
	}
	slices.Sort(all.Gone)
	all.Cursor = byToken + token
	return all, nil
}

// same reports whether two addresses are of one collection.
func same(a, b *url.URL) bool {
	return strings.TrimSuffix(a.Path, "/") == strings.TrimSuffix(b.Path, "/")
}

// compare lists the ETags of all events and reads those that aren't as they were. Where an event is gone, everything is
// read, because the cursor doesn't know its key any more. was is "" for no cursor.
func (r *reading) compare(ctx context.Context, was string) (none calsync.Changes, err error) {
	known, err := prints(was)
	if err != nil {
		return none, err
	}
	now := map[string]string{}
	q := request{method: "PROPFIND", to: r.calendar, depth: "1", body: ofItems}
	_, err = r.multistatus(ctx, q, func(at *url.URL, x *response) error {
		p := x.found()
		if same(at, r.calendar) || p.Type != nil && p.Type.Collection != nil || strings.HasSuffix(at.Path, "/") {
			return nil
		}
		if now[keyOf(at)] = p.ETag; len(now) > calsync.MaxItems {
			return calsync.ErrTooMuch
		}
		return nil
	})
	if err != nil {
		return none, err
	}
	changed, there := map[string]string{}, 0
	for key, etag := range now {
		p := printOf(key, etag)
		before, had := known[p.key]
		if had {
			there++
		}
		if !had || before != p.etag || etag == "" {
			changed[key] = etag
		}
	}
	everything := was == "" || there < len(known)
	if everything {
		changed = now
	}
	all, err := r.fetch(ctx, changed)
	if err != nil {
		return none, err
	}
	all.Cursor = byETags + cursorOf(now)
	if everything {
		all.All, all.Gone = true, nil
	}
	return all, nil
}

// print is what a cursor keeps of an event: the beginnings of hashes of its key and ETag.
type print struct {
	key  [6]byte
	etag [4]byte
}

func printOf(key, etag string) (p print) {
	k, e := sha256.Sum256([]byte(key)), sha256.Sum256([]byte(etag))
	copy(p.key[:], k[:])
	copy(p.etag[:], e[:])
	return p
}

const printSize = len(print{}.key) + len(print{}.etag)

// cursorOf returns the prints of the events, by key.
func cursorOf(events map[string]string) string {
	raw := make([]byte, 0, len(events)*printSize)
	for _, key := range slices.Sorted(maps.Keys(events)) {
		p := printOf(key, events[key])
		raw = append(append(raw, p.key[:]...), p.etag[:]...)
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// prints returns the ETags' prints of a cursor, by those of the keys.
func prints(cursor string) (map[[6]byte][4]byte, error) {
	raw, err := base64.RawStdEncoding.DecodeString(cursor)
	if err != nil || len(raw)%printSize != 0 {
		return nil, calsync.ErrCursor
	}
	all := make(map[[6]byte][4]byte, len(raw)/printSize)
	for p := range slices.Chunk(raw, printSize) {
		all[[6]byte(p)] = [4]byte(p[6:])
	}
	return all, nil
}

// fetch reads events, by their keys. Those that are gone meanwhile are in Gone.
func (r *reading) fetch(ctx context.Context, events map[string]string) (all calsync.Changes, err error) {
	if len(events) > calsync.MaxItems {
		return all, calsync.ErrTooMuch
	}
	all.Items = make([]calsync.Item, 0, len(events))
	spans := 0
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(events)), step) {
		left := map[string]bool{}
		for _, k := range keys {
			left[k] = true
		}
		err := r.get(ctx, r.calendar, keys, func(key string, p *properties) error {
			if !left[key] {
				return nil // nobody asked
			}
			delete(left, key)
			if p == nil {
				all.Gone = append(all.Gone, key)
				return nil
			}
			x, err := r.item(ctx, key, p)
			all.Items = append(all.Items, x)
			if spans += len(x.Spans); spans > maxSpans && err == nil {
				err = calsync.ErrTooMuch
			}
			return err
		})
		if err != nil {
			return all, err
		}
		for key := range left { // it is there, and nobody knows when
			return all, fmt.Errorf("%w: the server doesn't show %s", calsync.ErrUnclear, key)
		}
	}
	return all, nil
}

// get asks for events of a calendar by their keys, and visits each that the server answers; p is nil for one that is
// gone.
func (s *source) get(ctx context.Context, calendar *url.URL, keys []string,
	visit func(key string, p *properties) error) error {
	q := request{method: "REPORT", to: calendar, depth: "1", body: multiget(keys)}
	_, err := s.multistatus(ctx, q, func(at *url.URL, x *response) error {
		key, p := keyOf(at), x.found()
		switch {
		case p.Data != "":
			return visit(key, &p)
		case x.missing():
			return visit(key, nil)
		}
		return nil
	})
	return err
}

// missing reports whether the resource isn't there.
func (r *response) missing() bool {
	gone := func(line string) bool { c := status(line); return c == http.StatusNotFound || c == http.StatusGone }
	for i := range r.Propstat {
		if !gone(r.Propstat[i].Status) {
			return false
		}
	}
	return gone(r.Status) || r.Status == "" && len(r.Propstat) > 0
}

// item returns an event as it is kept.
func (r *reading) item(ctx context.Context, key string, p *properties) (x calsync.Item, err error) {
	if err := ctx.Err(); err != nil {
		return x, err
	}
	o := busy.Options{From: r.asked.From, To: r.asked.To, Zone: r.asked.Zone}
	if strings.Contains(p.Data, "DECLINED") || strings.Contains(p.Data, "declined") {
		if o.Self, err = r.self(); err != nil {
			return x, err
		}
	}
	events, err := busy.Read(strings.NewReader(p.Data), o)
	if err != nil {
		return x, calsync.Unread(err)
	}
	x = calsync.Item{Key: key, ETag: p.ETag}
	for i := range events {
		e := &events[i]
		if i == 0 {
			x.UID, x.Start, x.End = calsync.OneLine(e.UID, maxUID), e.Start, e.End
		}
		x.Spans = append(x.Spans, e.Spans...)
	}
	if len(events) > 1 {
		slices.SortFunc(x.Spans, func(a, b calsync.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return x, nil
}

const maxUID = 250
