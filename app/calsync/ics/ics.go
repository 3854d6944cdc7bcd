// Package ics reads the busy times of an iCalendar file that is offered at an address: what most calendars call their
// secret address. Such a file can't be written.
package ics

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"daybook/app/calendar/busy"
	"daybook/app/calsync"
)

// Open returns the calsync.Opener of files. Nothing is asked before a method is called.
func Open(o calsync.Opening) calsync.Source {
	free := func(_, _ *http.Request) error { return nil } // a file's address is all that it takes to read it
	return &source{o.Credentials.Address, o.Connection.Name, calsync.Following(o.HTTP, free)}
}

type source struct {
	address, name string
	http          *http.Client
}

// cursor is what the server said of the file that was read.
type cursor struct {
	ETag     string `json:"e,omitempty"`
	Modified string `json:"m,omitempty"`
}

const (
	maxHeader = 500 // bytes of an ETag or a date
	maxName   = 100
	maxUID    = 250 // of longer ones the hash is kept
)

// get asks for the file. A body of nil says that it hasn't changed since the cursor.
func (s *source) get(ctx context.Context, since cursor) (body *bufio.Reader, now cursor, end func(), err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address, nil)
	if err != nil {
		return nil, since, nil, fmt.Errorf("%w: the address isn't one", calsync.ErrNotFound)
	}
	r.Header.Set("User-Agent", calsync.UserAgent)
	r.Header.Set("Accept", "text/calendar, */*;q=0.5")
	if since.ETag != "" {
		r.Header.Set("If-None-Match", since.ETag)
	}
	if since.Modified != "" {
		r.Header.Set("If-Modified-Since", since.Modified)
	}
	a, err := s.http.Do(r)
	if err != nil {
		return nil, since, nil, calsync.CallFailed(err)
	}
	if a.StatusCode == http.StatusNotModified && since != (cursor{}) {
		calsync.DropBody(a)
		return nil, since, nil, nil
	}
	if err := calsync.StatusError(a); err != nil {
		calsync.DropBody(a)
		return nil, since, nil, err
	}
	now = cursor{kept(a.Header.Get("ETag")), kept(a.Header.Get("Last-Modified"))}
	body = bufio.NewReaderSize(calsync.BoundedBody(a, calsync.MaxResponse), 4<<10)
	if err := isCalendar(body); err != nil {
		a.Body.Close()
		return nil, since, nil, err
	}
	return body, now, func() { a.Body.Close() }, nil
}

// kept returns a header's value if it can be sent back.
func kept(value string) string {
	if len(value) > maxHeader || calsync.OneLine(value, maxHeader) != value {
		return ""
	}
	return value
}

// isCalendar looks at how the file begins.
func isCalendar(body *bufio.Reader) error {
	const begin = "BEGIN:VCALENDAR"
	head, err := body.Peek(1 << 10)
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	if len(head) >= len(begin) && strings.EqualFold(string(head[:len(begin)]), begin) {
		return nil
	}
	if err != nil && err != io.EOF {
		return err
	}
	return calsync.ErrNotOne
}

// Calendars returns the one calendar of the file.
func (s *source) Calendars(ctx context.Context) ([]calsync.Remote, error) {
	body, _, end, err := s.get(ctx, cursor{})
	if err != nil {
		return nil, err
	}
	defer end()
	return []calsync.Remote{{Name: cmp.Or(nameIn(body), s.name), ReadOnly: true, Primary: true}}, nil
}

// unescape reads a text of iCalendar (RFC 5545 §3.3.11) as one line.
var unescape = strings.NewReplacer(`\,`, ",", `\;`, ";", `\n`, " ", `\N`, " ", `\\`, `\`)

// nameIn returns the name that the file gives itself before its first event, or "".
func nameIn(body *bufio.Reader) (name string) {
	head, _ := body.Peek(body.Size()) // what is there is enough; if it can't be read, reading the events says so
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		key, _, _ = strings.Cut(strings.ToUpper(key), ";")
		switch {
		case (key == "X-WR-CALNAME" || key == "NAME") && name == "":
			name = calsync.OneLine(unescape.Replace(value), maxName)
		case key == "BEGIN" && !strings.EqualFold(value, "VCALENDAR"):
			return name
		}
	}
	return name
}

// Changes reads the whole file, unless it hasn't changed since the cursor.
func (s *source) Changes(ctx context.Context, of calsync.Asked) (none calsync.Changes, err error) {
	var since cursor
	if of.Cursor != "" && json.Unmarshal([]byte(of.Cursor), &since) != nil {
		return none, calsync.ErrCursor
	}
	body, now, end, err := s.get(ctx, since)
	if err != nil {
		return none, err
	}
	if body == nil {
		return calsync.Changes{Cursor: of.Cursor}, nil
	}
	defer end()
	events, err := busy.Read(body, busy.Options{From: of.From, To: of.To, Zone: of.Zone})
	if err != nil {
		return none, calsync.Unread(err)
	}
	text, err := json.Marshal(now)
	if err != nil {
		return none, err
	}
	all := calsync.Changes{All: true, Items: make([]calsync.Item, 0, len(events)), Cursor: string(text)}
	unnamed := 0
	for i := range events {
		e := &events[i]
		// The version is the event's SEQUENCE alone: the stamps of many files are of when they were asked for.
		x := calsync.Item{Key: keyOf(e.UID), ETag: strconv.Itoa(e.Seq), UID: e.UID, Spans: e.Spans,
			Start: e.Start, End: e.End}
		if e.UID == "" {
			unnamed++
			x.Key = fmt.Sprintf("#%d", unnamed)
		} else {
			x.UID = x.Key
		}
		all.Items = append(all.Items, x)
	}
	return all, nil
}

// keyOf returns a UID as it is kept.
func keyOf(uid string) string {
	if len(uid) > maxUID || calsync.OneLine(uid, maxUID) != uid {
		return fmt.Sprintf("sha256-%x", sha256.Sum256([]byte(uid)))
	}
	return uid
}
