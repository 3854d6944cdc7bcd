package caldav

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/calendar/busy"
	"daybook/app/calsync"
)

// Debian's radicale: 1,000 events of every kind of recurrence, and a life with another client.
func TestRadicale(t *testing.T) {
	const n = 1000
	var events []string
	for i := range n {
		events = append(events, event(i))
	}
	p := radicale(t, events)
	names, err := p.writer("right").Calendars(t.Context())
	want := []calsync.Remote{{ID: "/ana/home/", Name: "Ana’s home"}, {ID: "/ana/life/", Name: "Ana’s life"}}
	if err != nil || !slices.Equal(names, want) {
		t.Fatalf("%+v, %v", names, err)
	}
	all, err := p.writer("right").Changes(t.Context(), askedOf(t, "/ana/home/", ""))
	if err != nil {
		t.Fatal(err)
	}
	meant(t, events, all)
	life(t, p, events[:few])
	for name, ask := range map[string]func(calsync.Writer) error{
		"list": func(w calsync.Writer) error { _, err := w.Calendars(t.Context()); return err },
		"read": func(w calsync.Writer) error { _, err := w.Changes(t.Context(), askedOf(t, p.calendar, "")); return err },
		"write": func(w calsync.Writer) error {
			_, _, err := w.Put(t.Context(), p.calendar, "", "", entry(t, 9))
			return err
		},
		"remove": func(w calsync.Writer) error { return w.Remove(t.Context(), p.calendar, p.calendar+"x.ics", "") },
	} {
		if err := ask(p.writer("wrong")); !errors.Is(err, calsync.ErrSignIn) {
			t.Errorf("%s with a wrong password: %v", name, err)
		}
	}
	if _, err := p.writer("right").Changes(t.Context(), askedOf(t, "/ana/none/", "")); !errors.Is(err, calsync.ErrNotFound) {
		t.Error("no such calendar:", err)
	}
	if _, err := p.writer("right").Changes(t.Context(), askedOf(t, "/ana/", "")); !errors.Is(err, calsync.ErrNotOne) {
		t.Error("a collection that is no calendar:", err)
	}
}

// Xandikos forgives less than radicale.
func TestXandikos(t *testing.T) {
	p := xandikos(t)
	names, err := p.writer("any").Calendars(t.Context())
	if err != nil || len(names) != 1 || names[0].ID != p.calendar || names[0].ReadOnly {
		t.Fatalf("%+v, %v", names, err)
	}
	var events []string
	for i := range few {
		events = append(events, event(i))
		p.do("PUT", fmt.Sprintf("%s%d.ics", p.calendar, i), file(event(i)), "Content-Type", "text/calendar")
	}
	life(t, p, events)
}

// entry is a booking's, at an hour of the first Monday.
func entry(t testing.TB, hour int) calsync.Entry {
	start := monday.Add(time.Duration(hour) * time.Hour).In(berlin(t))
	return calsync.Entry{UID: "daybook-bk_1@book.example", Title: "Färben – Bo", Description: strings.Repeat("Zeile; eins, zwei\n", 9),
		Location: "Straße 1", URL: "https://book.example/dashboard/bookings/bk_1", Start: start, End: start.Add(time.Hour),
		Sequence: hour, Stamp: monday}
}

// life reads those events of the calendar, and writes beside another client.
func life(t *testing.T, p *program, events []string) {
	t.Helper()
	w := p.writer(p.password)
	ctx := t.Context()
	changes := func(cursor string) calsync.Changes {
		t.Helper()
		c, err := w.Changes(ctx, askedOf(t, p.calendar, cursor))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	first := changes("")
	meant(t, events, first)
	if !strings.HasPrefix(first.Cursor, byToken) {
		t.Errorf("the cursor %q is none of sync-collection", first.Cursor)
	}
	if c := changes(first.Cursor); c.All || len(c.Items) != 0 || len(c.Gone) != 0 {
		t.Errorf("nothing has changed: %+v", c)
	}
	// A new entry, and how it is read.
	key, etag, err := w.Put(ctx, p.calendar, "", "", entry(t, 9))
	must(err)
	second := changes(first.Cursor)
	only := func(c calsync.Changes, hour int, etag string) {
		t.Helper()
		e := entry(t, hour)
		span := calsync.Span{Start: e.Start.UnixMilli(), End: e.End.UnixMilli()}
		if len(c.Items) != 1 || len(c.Gone) != 0 || c.All {
			t.Fatalf("%+v, want one event", c)
		}
		if x := c.Items[0]; x.Key != key || x.ETag != etag || x.UID != e.UID || x.Start != span.Start || x.End != span.End ||
			!slices.Equal(x.Spans, []calsync.Span{span}) {
			t.Fatalf("%+v, want %s %s %+v", x, key, etag, span)
		}
	}
	only(second, 9, etag)
	if key != p.calendar+"daybook-bk_1.ics" {
		t.Errorf("the key is %s", key)
	}
	// The answer was lost: it is found, and the same again is no conflict, and is what it is to be now. Another time is one.
	if k, tag, err := w.Find(ctx, p.calendar, entry(t, 9).UID); err != nil || k != key || tag != etag {
		t.Errorf("found: %s %s, %v", k, tag, err)
	}
	erased, before := entry(t, 9), etag
	erased.Title = "Färben"
	k, etag, err := w.Put(ctx, p.calendar, "", "", erased)
	if err != nil || k != key {
		t.Errorf("again: %s, %v", k, err)
	}
	if got := changes(first.Cursor); len(got.Items) != 1 || got.Items[0].ETag != etag || etag == before {
		t.Errorf("it is as it was: %+v, %s", got, etag)
	}
	if _, _, err := w.Put(ctx, p.calendar, "", "", entry(t, 11)); !errors.Is(err, calsync.ErrConflict) {
		t.Error("a new one where there is one:", err)
	}
	// It is moved, by us and then by somebody.
	_, moved, err := w.Put(ctx, p.calendar, key, etag, entry(t, 10))
	must(err)
	third := changes(second.Cursor)
	only(third, 10, moved)
	body := file(strings.ReplaceAll("BEGIN:VEVENT\nUID:daybook-bk_1@book.example\nDTSTAMP:20260102T000000Z\nSUMMARY:Mine\n"+
		"DTSTART:20260302T140000Z\nDTEND:20260302T150000Z\nEND:VEVENT\n", "\n", "\r\n"))
	p.do("PUT", key, body, "Content-Type", "text/calendar", "If-Match", moved)
	if _, _, err := w.Put(ctx, p.calendar, key, moved, entry(t, 11)); !errors.Is(err, calsync.ErrConflict) {
		t.Error("changed by somebody:", err)
	}
	if err := w.Remove(ctx, p.calendar, key, moved); !errors.Is(err, calsync.ErrConflict) {
		t.Error("changed by somebody, and removed:", err)
	}
	fourth := changes(third.Cursor)
	only(fourth, 14, fourth.Items[0].ETag)
	// It is deleted by somebody.
	p.do("DELETE", key, "")
	if _, _, err := w.Put(ctx, p.calendar, key, fourth.Items[0].ETag, entry(t, 11)); !errors.Is(err, calsync.ErrGone) {
		t.Error("deleted by somebody:", err)
	}
	must(w.Remove(ctx, p.calendar, key, fourth.Items[0].ETag))
	must(w.Remove(ctx, p.calendar, key, ""))
	for _, calendar := range []string{p.calendar, path.Join(p.calendar, "none") + "/"} {
		if k, _, err := w.Find(ctx, calendar, entry(t, 9).UID); err != nil || k != "" {
			t.Errorf("found in %s what was deleted: %s, %v", calendar, k, err)
		}
	}
	fifth := changes(fourth.Cursor)
	if len(fifth.Items) != 0 || !slices.Equal(fifth.Gone, []string{key}) {
		t.Errorf("%+v, want %s gone", fifth, key)
	}
	// Made again, and removed by us.
	_, etag, err = w.Put(ctx, p.calendar, "", "", entry(t, 12))
	must(err)
	sixth := changes(fifth.Cursor)
	only(sixth, 12, etag)
	must(w.Remove(ctx, p.calendar, key, etag))
	// A cursor that nobody knows, or that isn't one.
	for _, cursor := range []string{byToken + "http://radicale.org/ns/sync/" + strings.Repeat("0", 64), byToken + "expired",
		"nonsense", byETags + "?"} {
		if _, err := w.Changes(ctx, askedOf(t, p.calendar, cursor)); !errors.Is(err, calsync.ErrCursor) {
			t.Errorf("cursor %.20q: %v", cursor, err)
		}
	}
	// The same by ETags, as of a server without sync-collection.
	all := changes(byETags)
	meant(t, events, all)
	if c := changes(all.Cursor); c.All || len(c.Items) != 0 {
		t.Errorf("no ETag has changed: %+v", c)
	}
	_, etag, err = w.Put(ctx, p.calendar, "", "", entry(t, 9))
	must(err)
	added := changes(all.Cursor)
	only(added, 9, etag)
	must(w.Remove(ctx, p.calendar, key, etag))
	meant(t, events, changes(added.Cursor)) // who is gone isn't known, so everything is read
}

// meant compares what was read with what the events say.
func meant(t *testing.T, events []string, got calsync.Changes) {
	t.Helper()
	if !got.All || len(got.Items) != len(events) {
		t.Fatalf("%d of %d events, all: %t", len(got.Items), len(events), got.All)
	}
	asked := askedOf(t, "", "")
	want := map[string][]busy.Span{}
	for _, text := range events {
		one, err := busy.Read(strings.NewReader(file(text)), busy.Options{From: asked.From, To: asked.To, Zone: asked.Zone})
		if err != nil || len(one) != 1 {
			t.Fatal(err, text)
		}
		want[one[0].UID] = one[0].Spans
	}
	spans := 0
	for _, x := range got.Items {
		w, there := want[x.UID]
		if !there || x.ETag == "" || !slices.EqualFunc(x.Spans, w, func(a calsync.Span, b busy.Span) bool { return a == calsync.Span(b) }) {
			t.Fatalf("%+v, want %+v", x, w)
		}
		delete(want, x.UID)
		spans += len(x.Spans)
	}
	if spans < 2*len(events) {
		t.Errorf("only %d spans", spans)
	}
}
