package caldav

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"daybook/app/calendar"
	"daybook/app/calendar/busy"
	"daybook/app/calsync"
)

// Put implements calsync.Writer. An entry of that UID and time that is there already is taken for one whose answer was
// lost.
func (s *source) Put(ctx context.Context, id, key, etag string, e calsync.Entry) (newKey, newETag string, err error) {
	at, err := s.calendar(id)
	if err != nil {
		return "", "", err
	}
	to, condition, value := at.JoinPath(fileName(e.UID)), "If-None-Match", "*"
	if key != "" {
		if to, err = s.follow(at, key); err != nil {
			return "", "", err
		}
		condition, value = "If-Match", strong(etag)
	}
	text := (&calendar.Entry{UID: e.UID, Title: e.Title, Description: e.Description, Location: e.Location, URL: e.URL,
		Start: e.Start, End: e.End, Sequence: e.Sequence, Stamp: e.Stamp}).Text()
	a, _, err := s.ask(ctx, request{method: http.MethodPut, to: to, body: text,
		header: map[string]string{condition: value, "Content-Type": "text/calendar; charset=utf-8"}})
	if err != nil {
		return s.notPut(ctx, at, to, key == "", &e, err)
	}
	calsync.DropBody(a)
	if etag := a.Header.Get("ETag"); strings.HasPrefix(etag, `"`) {
		return keyOf(to), etag, nil
	}
	// The server keeps another text than it was given. What the ETag of that is it must be asked, and somebody may have
	// been faster.
	return s.adopt(ctx, at, to, &e, calsync.ErrGone)
}

// notPut says what a refused Put means.
func (s *source) notPut(ctx context.Context, at, to *url.URL, fresh bool, e *calsync.Entry,
	refused error) (key, etag string, err error) {
	var r *refusal
	if !errors.As(refused, &r) {
		return "", "", refused
	}
	switch {
	case r.unmet("no-uid-conflict"):
		return "", "", fmt.Errorf("%w: %w", calsync.ErrConflict, refused)
	case r.code == http.StatusPreconditionFailed && fresh:
		if key, etag, err = s.adopt(ctx, at, to, e, calsync.ErrConflict); err != nil {
			return "", "", err
		}
		return s.Put(ctx, at.String(), key, etag, *e) // of what it says something may have changed since
	case r.code == http.StatusPreconditionFailed, !fresh && (r.code == http.StatusNotFound || r.code == http.StatusGone):
		_, there, err := s.look(ctx, at, to)
		if err == nil && there == nil {
			err = calsync.ErrGone
		}
		if err == nil {
			err = calsync.ErrConflict
		}
		return "", "", fmt.Errorf("%w: %w", err, refused)
	case r.code == http.StatusConflict: // the calendar isn't there
		return "", "", fmt.Errorf("%w: %w", calsync.ErrNotFound, refused)
	case r.code == http.StatusForbidden, r.code == http.StatusMethodNotAllowed:
		return "", "", readOnlyError(r)
	}
	return "", "", refused
}

func readOnlyError(r *refusal) error {
	return fmt.Errorf("%w: the server answered %d", calsync.ErrReadOnly, r.code)
}

// adopt takes what is at an address for the entry if it is of its UID and time. The error is calsync.ErrConflict if it
// is something else, and gone if nothing is there.
func (s *source) adopt(ctx context.Context, at, to *url.URL, e *calsync.Entry,
	gone error) (key, etag string, err error) {
	etag, there, err := s.look(ctx, at, to)
	switch {
	case err != nil:
		return "", "", err
	case there == nil:
		return "", "", gone
	case there.UID != e.UID || there.Start != e.Start.UnixMilli() || there.End != e.End.UnixMilli():
		return "", "", calsync.ErrConflict
	}
	return keyOf(to), etag, nil
}

// look reads the event at an address of a calendar. It is nil if there is none; one that can't be understood is one
// without UID.
func (s *source) look(ctx context.Context, at, to *url.URL) (etag string, there *busy.Event, err error) {
	err = s.get(ctx, at, []string{keyOf(to)}, func(key string, p *properties) error {
		if key != keyOf(to) || p == nil {
			return nil
		}
		etag, there = p.ETag, &busy.Event{}
		if events, err := busy.Read(strings.NewReader(p.Data), busy.Options{}); err == nil && len(events) == 1 {
			there = &events[0]
		}
		return nil
	})
	return etag, there, err
}

// Find implements calsync.Writer.
func (s *source) Find(ctx context.Context, id, uid string) (key, etag string, err error) {
	at, err := s.calendar(id)
	if err != nil {
		return "", "", err
	}
	to := at.JoinPath(fileName(uid))
	etag, there, err := s.look(ctx, at, to)
	switch {
	case errors.Is(err, calsync.ErrNotFound): // nor is the calendar
		return "", "", nil
	case err != nil || there == nil || there.UID != uid:
		return "", "", err
	}
	return keyOf(to), etag, nil
}

// Remove implements calsync.Writer. Without an ETag it removes the entry as it is.
func (s *source) Remove(ctx context.Context, id, key, etag string) error {
	at, err := s.calendar(id)
	if err != nil {
		return err
	}
	to, err := s.follow(at, key)
	if err != nil {
		return err
	}
	q := request{method: http.MethodDelete, to: to}
	if etag != "" {
		q.header = map[string]string{"If-Match": strong(etag)}
	}
	a, _, err := s.ask(ctx, q)
	if err == nil {
		calsync.DropBody(a)
		return nil
	}
	var r *refusal
	if !errors.As(err, &r) {
		return err
	}
	switch r.code {
	case http.StatusNotFound, http.StatusGone:
		return nil
	case http.StatusPreconditionFailed:
		_, there, err := s.look(ctx, at, to)
		if err == nil && there != nil {
			err = calsync.ErrConflict
		}
		return err
	case http.StatusForbidden, http.StatusMethodNotAllowed:
		return readOnlyError(r)
	}
	return err
}

// strong returns an ETag as If-Match takes it. A W/ comes from what stands before the server and packs its answers.
func strong(etag string) string {
	if etag == "" {
		return "*"
	}
	return strings.TrimPrefix(etag, "W/")
}

// fileName returns the name of a booking's file: its UID without the domain, which may change.
func fileName(uid string) string {
	name, _, _ := strings.Cut(uid, "@")
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return fmt.Sprintf("daybook-%x.ics", sha256.Sum256([]byte(uid)))
		}
	}
	return name + ".ics"
}
