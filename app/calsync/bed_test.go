package calsync_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// server is a calendar server with one account that has a calendar "home", and that can fail.
type server struct {
	mu     sync.Mutex
	items  map[string]calsync.Item // by key
	wrote  map[string]calsync.Entry
	fails  error
	hangs  chan struct{} // closed when it goes on; nil doesn't hang
	late   chan struct{} // the same, but the answer is of when it was asked
	two    bool          // there is a second calendar, "work"
	loses  error         // what the caller of a Put gets though it was done
	delays chan struct{} // closed when a Remove that was done is answered
	since  int64         // events that end before are not listed, ms
	reads  int           // begun
	told   int           // answers made
	puts   int           // begun
	serial int

	openings []calsync.Opening
}

func (s *server) Calendars(context.Context) ([]calsync.Remote, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []calsync.Remote{{ID: "home", Name: "Home", Primary: true}, {ID: "feast", Name: "Feasts", ReadOnly: true}}
	if s.two {
		all = append(all, calsync.Remote{ID: "work", Name: "Work"})
	}
	return all, s.fails
}

func (s *server) Changes(ctx context.Context, of calsync.Asked) (calsync.Changes, error) {
	s.mu.Lock()
	hangs := s.hangs
	s.reads++
	s.mu.Unlock()
	if hangs != nil {
		select {
		case <-hangs:
		case <-ctx.Done():
			return calsync.Changes{}, ctx.Err()
		}
	}
	c, late, err := s.answer(of)
	if late != nil {
		<-late
	}
	return c, err
}

func (s *server) answer(of calsync.Asked) (c calsync.Changes, late chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told++
	c = calsync.Changes{All: true, Cursor: fmt.Sprint(s.serial)}
	if of.Calendar == "home" {
		for _, x := range s.items {
			if x.End == 0 || x.End > s.since {
				c.Items = append(c.Items, x)
			}
		}
	}
	return c, s.late, s.fails
}

func (s *server) Put(_ context.Context, _, key, etag string, e calsync.Entry) (string, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	was, there := s.items[e.UID]
	switch {
	case s.fails != nil:
		return "", "", s.fails
	case key == "" && there, key != "" && there && was.ETag != etag:
		return "", "", calsync.ErrConflict
	case key != "" && !there:
		return "", "", calsync.ErrGone
	}
	s.serial++
	x := calsync.Item{Key: e.UID, UID: e.UID, ETag: fmt.Sprint(s.serial), Start: e.Start.UnixMilli(), End: e.End.UnixMilli(),
		Spans: []calsync.Span{{Start: e.Start.UnixMilli(), End: e.End.UnixMilli()}}}
	s.items[x.Key], s.wrote[x.Key] = x, e
	if s.loses != nil {
		return "", "", s.loses
	}
	return x.Key, x.ETag, nil
}

func (s *server) Find(_ context.Context, _, uid string) (string, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.items[uid]
	return x.Key, x.ETag, s.fails
}

func (s *server) Remove(_ context.Context, _, key, etag string) error {
	if err := s.remove(key, etag); err != nil {
		return err
	}
	s.mu.Lock()
	delays := s.delays
	s.mu.Unlock()
	if delays != nil {
		<-delays
	}
	return nil
}

func (s *server) remove(key, etag string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return s.fails
	}
	if was, there := s.items[key]; there && etag != "" && was.ETag != etag {
		return calsync.ErrConflict
	}
	delete(s.items, key)
	return nil
}

// busy puts an event of somebody into the calendar; times are in UTC.
func (s *server) busy(key, start, end string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	s.items[key] = calsync.Item{Key: key, UID: key, ETag: fmt.Sprint(s.serial), Spans: []calsync.Span{{Start: ms(start), End: ms(end)}}}
}

func (s *server) with(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func ms(text string) int64 {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t.UnixMilli()
}

// bed is a salon whose first host has connected the server.
type bed struct {
	*apptest.Salon
	server     *server
	connection calsync.Connection
}

func newBed(t *testing.T, with ...func(*subjects.Config)) *bed {
	t.Helper()
	b := &bed{server: &server{items: map[string]calsync.Item{}, wrote: map[string]calsync.Entry{}}}
	b.Salon = apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		for _, change := range with {
			change(c)
		}
		c.Calendars.Sources = map[calsync.Kind]calsync.Opener{
			calsync.CalDAV: func(o calsync.Opening) calsync.Source {
				b.server.with(func() { b.server.openings = append(b.server.openings, o) })
				return b.server
			},
		}
	}})
	b.Offer("cut", 60, func(e *catalog.EventType) { e.Hosts = e.Hosts[:1] })
	return b
}

func (b *bed) connect() {
	b.T.Helper()
	var err error
	b.connection, err = b.Calendars.ConnectCalendars(b.T.Context(), b.Owner, calsync.Input{Host: catalog.HostID(1).String(),
		Kind: calsync.CalDAV, Address: "https://8.8.8.8/dav", User: "ana", Password: "secret"})
	b.Must(err)
}

// read reads the connection, half a minute before what was read counts as old.
func (b *bed) read() {
	b.T.Helper()
	var err error
	b.connection, err = b.Calendars.ReadCalendars(b.T.Context(), b.Owner, b.connection.ID.String())
	b.Must(err)
}

func (b *bed) target(details calsync.Details) {
	b.T.Helper()
	for _, k := range b.connection.Calendars {
		if k.Remote == "home" {
			b.Must(b.Calendars.ChooseCalendars(b.T.Context(), b.Owner, b.connection.ID.String(),
				map[calsync.CalendarID]calsync.Choice{k.ID: {Blocks: true, Target: true, Details: details}}))
		}
	}
}

// write queues and writes copies until nothing is due.
func (b *bed) write() {
	b.T.Helper()
	for {
		n, err := b.Calendars.QueueCopies(b.T.Context(), 100)
		b.Must(err)
		m, err := b.Calendars.WriteCopies(b.T.Context(), 10)
		b.Must(err)
		if n == 0 && m == 0 {
			return
		}
	}
}

// open are the open starts of a day in UTC, with the reasons of those that are closed.
func (b *bed) starts(day string) (open []string, reasons map[string]string) {
	b.T.Helper()
	one := 1
	answer, err := b.Availability(b.T.Context(), b.API, availability.Input{EventType: "cut", From: day, Days: &one, Explain: true})
	b.Must(err)
	reasons = map[string]string{}
	for _, s := range answer.Slots() {
		open = append(open, s.Start.String()[11:16])
	}
	for _, c := range answer.Closed() {
		reasons[c.Start.String()[11:16]] = string(c.Reason)
	}
	return open, reasons
}
