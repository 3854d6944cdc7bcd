package store

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// makeBlocks is another kind of span: a table as one for blocked times would be.
func makeBlocks(t *testing.T, s *Store, spans ...slot.Span) spanSource {
	t.Helper()
	err := s.Write(t.Context(), func(change app.Tx) error {
		q := change.(tx)
		for _, query := range []string{
			`CREATE TABLE blocks (id BIGINT PRIMARY KEY, host_id BIGINT NOT NULL, busy_start_ms BIGINT NOT NULL, busy_end_ms BIGINT NOT NULL, ended INT NOT NULL)`,
			`CREATE INDEX blocks_busy ON blocks (host_id, busy_start_ms, busy_end_ms) WHERE ended = 0`,
		} {
			if _, err := q.Exec(query); err != nil {
				return err
			}
		}
		for i, span := range spans {
			if _, err := q.Exec(`INSERT INTO blocks VALUES (?, 1, ?, ?, 0)`, 100+i, span.Start, span.End); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return spanSource{table: "blocks", of: "host_id = ?", live: "ended = 0", inner: "0, 0, busy_start_ms, busy_end_ms"}
}

func insertSalon(t *testing.T, s *Store, bookings ...slot.Span) {
	t.Helper()
	err := s.Write(t.Context(), func(q app.Tx) error {
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug = 1, 1, "cut"
		for _, insert := range []func() error{
			func() error { return q.InsertWorkspace(&catalog.Workspace{ID: 1, Slug: "salon"}) },
			func() error { return q.InsertHost(&catalog.Host{ID: 1, WorkspaceID: 1, Email: "ana@salon.example"}) },
			func() error { return q.InsertEventType(&e) },
			func() error {
				return q.InsertContact(&booking.Contact{ID: 1, WorkspaceID: 1, Email: "ida@mail.example"})
			},
		} {
			if err := insert(); err != nil {
				return err
			}
		}
		for i, span := range bookings {
			start, end := when.Instant(span.Start), when.Instant(span.End)
			b := booking.Booking{
				ID: booking.BookingID(i + 1), WorkspaceID: 1, EventTypeID: 1, Host: catalog.HostRef{ID: 1}, ContactID: 1, Status: booking.Confirmed,
				Taken: booking.Taken{Start: start, End: end, BusyStart: start, BusyEnd: end}, CreatedAt: 1, UpdatedAt: 1,
			}
			if err := q.SaveBooking(&b, true, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// inOrder sorts the spans by their start.
func inOrder(spans []slot.Span) {
	slices.SortFunc(spans, func(a, b slot.Span) int { return cmp.Compare(a.Start, b.Start) })
}

// Another kind of span is a row source of the same query: its spans come among the bookings, and those
// that end before the time asked for are left out.
func TestReachTakesAnotherSource(t *testing.T) {
	s := open(t)
	insertSalon(t, s, slot.Span{Start: 100, End: 200}, slot.Span{Start: 300, End: 400}, slot.Span{Start: 900, End: 950})
	both := newSpanQuery(
		bareSpans,
		makeBlocks(t, s, slot.Span{Start: 50, End: 90}, slot.Span{Start: 180, End: 320}, slot.Span{Start: 500, End: 600}),
	)
	for _, c := range []struct {
		from, to when.Instant
		want     string
	}{
		{150, 450, "[{100 200} {180 320} {300 400}]"},
		{0, 1000, "[{50 90} {100 200} {180 320} {300 400} {500 600} {900 950}]"},
		{319, 320, "[{180 320} {300 400}]"},
		{400, 500, "[]"},
		{599, 601, "[{500 600}]"},
	} {
		all, err := s.occupiedSpans(&both, []catalog.HostID{1}, c.from, c.to, 0)
		spans := all[0]
		inOrder(spans)
		if got := fmt.Sprint(spans); err != nil || got != c.want {
			t.Errorf("%d to %d: %s, %v, want %s", c.from, c.to, got, err, c.want)
		}
		whole, err := s.occupied(&both, nil, 1, c.from, c.to, 0)
		if err != nil || len(whole) != len(spans) {
			t.Errorf("%d to %d: %v, %v", c.from, c.to, whole, err)
		}
		for i, o := range whole {
			if o.Occupied != spans[i] || (o.ID == 0) != (o.EventType == 0) {
				t.Errorf("%d to %d: %+v", c.from, c.to, o)
			}
		}
	}
	spans, err := s.OccupiedSpans([]catalog.HostID{2, 1, 1}, 150, 450, 0)
	for _, of := range spans {
		inOrder(of)
	}
	if err != nil || fmt.Sprint(spans) != "[[] [{100 200} {300 400}] [{100 200} {300 400}]]" {
		t.Errorf("bookings alone: %v, %v", spans, err)
	}
	for _, placed := range []bool{false, true} {
		each := make([][]booking.Occupation, 3)
		err := s.EachOccupied([]catalog.HostID{2, 1, 1}, placed, 150, 450, 0, func(host int, o booking.Occupation) {
			each[host] = append(each[host], o)
		})
		one, again := s.OccupiedPlaces(nil, 1, 150, 450, 0)
		if err != nil || again != nil || len(one) < 2 || !reflect.DeepEqual(each, [][]booking.Occupation{nil, one, one}) {
			t.Errorf("of each: %v, %v; of one: %v, %v", each, err, one, again)
		}
	}
}

// A booking without buffers may lie in the buffer of another, before or behind it. Neither hides the other, whatever
// span is asked for.
func TestReachFindsWhatLiesInBuffers(t *testing.T) {
	s := open(t)
	insertSalon(t, s, slot.Span{Start: 820, End: 880}, slot.Span{Start: 880, End: 890}, slot.Span{Start: 1210, End: 1250},
		slot.Span{Start: 100, End: 150})
	err := s.Write(t.Context(), func(q app.Tx) error {
		b := booking.Booking{ID: 9, WorkspaceID: 1, EventTypeID: 1, Host: catalog.HostRef{ID: 1}, ContactID: 1,
			Status: booking.Confirmed, Taken: booking.Taken{BusyStart: 800, Start: 900, End: 1200, BusyEnd: 1300},
			CreatedAt: 1, UpdatedAt: 1}
		return q.SaveBooking(&b, true, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	stored := []slot.Span{{Start: 100, End: 150}, {Start: 800, End: 1300}, {Start: 820, End: 880}, {Start: 880, End: 890},
		{Start: 1210, End: 1250}}
	for from := when.Instant(40); from < 1400; from += 10 {
		for _, to := range []when.Instant{from + 5, from + 100, from + 900} {
			var want []slot.Span
			for _, o := range stored {
				if o.Start < int64(to) && o.End > int64(from) {
					want = append(want, o)
				}
			}
			whole, err := s.Occupied(nil, 1, from, to, 0)
			if err != nil {
				t.Fatal(err)
			}
			var found []slot.Span
			for _, o := range whole {
				found = append(found, o.Occupied)
			}
			spans, err := s.OccupiedSpans([]catalog.HostID{1}, from, to, 0)
			if err != nil {
				t.Fatal(err)
			}
			inOrder(spans[0])
			if !slices.Equal(found, want) || !slices.Equal(spans[0], want) {
				t.Errorf("%d to %d: %v and %v, want %v", from, to, found, spans[0], want)
			}
		}
	}
}

func anys(values []int64) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}

// Each source is read by its index alone, bounded at both ends, and the sources are merged rather than sorted.
func TestReachUsesIndexes(t *testing.T) {
	s := open(t)
	both := newSpanQuery(bufferedSpans, makeBlocks(t, s))
	const bare = "USING INDEX bookings_bare (host_id=? AND busy_start_ms>? AND busy_start_ms<?)"
	const bookings = "USING INDEX bookings_busy (host_id=? AND busy_start_ms>? AND busy_start_ms<?)"
	const holds = "INDEX holds_of (host_id=? AND busy_start_ms<?)"
	const rooms = "INDEX booking_spans_busy (kind=? AND subject_id=? AND busy_start_ms>? AND busy_start_ms<?)"
	const bareRooms = "INDEX booking_spans_bare (kind=? AND subject_id=? AND busy_start_ms>? AND busy_start_ms<?)"
	const heldRooms = "INDEX hold_spans_busy (kind=? AND subject_id=? AND busy_start_ms<?)"
	const blocks = "INDEX blocks_busy (host_id=? AND busy_start_ms>? AND busy_start_ms<?)"
	for name, c := range map[string]struct {
		r     spanQuery
		query string
		want  []string
	}{
		"spans":      {hostTime[0], hostTime[0].spans, []string{bookings, bare}},
		"whole":      {hostTime[0], hostTime[0].whole, []string{bookings, bare}},
		"held spans": {hostTime[1], hostTime[1].spans, []string{bookings, bare, holds}},
		"held whole": {hostTime[1], hostTime[1].whole, []string{bookings, bare, holds}},
		"resources":  {resourcesTime[0], resourcesTime[0].whole, []string{rooms, bareRooms}},
		"held rooms": {resourcesTime[1], resourcesTime[1].spans, []string{rooms, bareRooms, heldRooms}},
		"both spans": {both, both.spans, []string{bookings, blocks}},
	} {
		got := plan(t, s, c.query, anys(c.r.args(1, 2, 3, 4)))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: want %s, got\n%s", name, want, got)
			}
		}
		if strings.Contains(got, "SCAN") || strings.Contains(got, "TEMP B-TREE") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
