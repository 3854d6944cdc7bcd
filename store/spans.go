package store

import (
	"fmt"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// spanSource is a kind of row that takes the time of a host, or of a resource, from busy_start_ms to busy_end_ms. Spans of one subject and source
// are disjoint, or the same (seats of one session).
type spanSource struct {
	table string // with busy_start_ms and busy_end_ms, and an index that begins with the columns of the term and these two
	of    string // the term for whose time it is
	live  string // the term for rows that count, the same as the index has
	inner string // id, event type, start and end without buffers: 0 for a row that has no such thing
	place string // 0 where it has none; of a resource's time, the host
	held  bool   // holds, which are none of this: see heldTimes
}

// Bookings are two sources. Those with buffers are disjoint, because none is booked into another's span. One without
// buffers may lie in the buffer of another booking, where the business has waived that; but the times of bookings
// themselves never meet, and it takes no more.
var (
	bufferedSpans = bookings("busy_end_ms - busy_start_ms > end_ms - start_ms", "start_ms, end_ms")
	bareSpans     = bookings("busy_end_ms - busy_start_ms = end_ms - start_ms",
		"busy_start_ms AS start_ms, busy_end_ms AS end_ms")
)

// bookings returns the live bookings of which the term is true, as an index has it, with where it has their own times.
func bookings(which, times string) spanSource {
	return spanSource{table: "bookings", of: "host_id = ?", live: live + " AND " + ownTime + " AND " + which, inner: "id, event_type_id, " + times,
		place: "COALESCE(place, 0)"}
}

// busyTimes are when hosts are busy by their other calendars.
var busyTimes = spanSource{table: "busy_times", of: "host_id = ?", live: "busy_end_ms > busy_start_ms", inner: "0, 0, 0, 0", place: "0"}

// heldTimes are the holds that have not expired. A host has few of them at a time, so all are looked at. In place of an
// id they have the number of their seats, below zero, with for whom they are in the digits before; see heldAs.
var heldTimes = spanSource{table: "holds", of: "host_id = ?", inner: "-seats - COALESCE(waits, 0) * 100000, event_type_id, start_ms, end_ms",
	place: "COALESCE(place, 0)", held: true}

// hostTime is all that takes a host's time, with holds in [1]. Whatever asks for it asks here: a new kind is one more
// source.
var hostTime = [2]spanQuery{newSpanQuery(bufferedSpans, bareSpans, bufferedParts, bareParts, busyTimes),
	newSpanQuery(bufferedSpans, bareSpans, bufferedParts, bareParts, busyTimes, heldTimes, heldParts)}

// bookedTime is what bookings alone take, and with holds in [1]: of the busy times the set-up knows
// (catalog.Host.Busy).
var bookedTime = [2]spanQuery{newSpanQuery(bufferedSpans, bareSpans, bufferedParts, bareParts),
	newSpanQuery(bufferedSpans, bareSpans, bufferedParts, bareParts, heldTimes, heldParts)}

// with returns the one of two reaches for holds that end after held: 0 is for none.
func with(both *[2]spanQuery, held when.Instant) *spanQuery {
	if held == 0 {
		return &both[0]
	}
	return &both[1]
}

// spanQuery is the one query for what takes a host's time within a span, in two widths.
type spanQuery struct {
	sources int    // but for holds
	held    int    // those of holds, which are the last
	spans   string // busy_start_ms, busy_end_ms, in no order
	whole   string // these behind inner, by busy_start_ms
	placed  string // whole, and the place at the end: it is in no index
}

func newSpanQuery(all ...spanSource) spanQuery {
	texts := func(columns func(spanSource) string) string {
		var parts []string
		for _, s := range all {
			parts = append(parts, s.query(columns(s)))
		}
		return strings.Join(parts, ` UNION ALL `)
	}
	const inOrder = ` ORDER BY busy_start_ms`
	held := 0
	for _, s := range all {
		if s.held {
			held++
		}
	}
	return spanQuery{
		sources: len(all) - held,
		held:    held,
		spans:   texts(func(spanSource) string { return "busy_start_ms, busy_end_ms" }),
		whole:   texts(func(s spanSource) string { return s.inner + ", busy_start_ms, busy_end_ms" }) + inOrder,
		placed: texts(func(s spanSource) string { return s.inner + ", busy_start_ms, busy_end_ms, " + s.place }) +
			inOrder,
	}
}

// query selects the spans that begin before a time and may meet another. Because they are disjoint, none that begins
// before the last one at or before that other time can reach past it: that one bounds the scan from below.
func (s spanSource) query(columns string) string {
	if s.held {
		return fmt.Sprintf(`SELECT %s FROM %s WHERE %s AND busy_start_ms < ? AND busy_end_ms > ? AND expires_ms > ?
			AND busy_end_ms > busy_start_ms`,
			columns, s.table, s.of)
	}
	return fmt.Sprintf(`SELECT %s FROM %s WHERE %s AND %s AND busy_start_ms < ? AND busy_start_ms >=
		COALESCE((SELECT busy_start_ms FROM %[2]s WHERE %[3]s AND %[4]s AND busy_start_ms <= ?
		ORDER BY busy_start_ms DESC LIMIT 1), 0)`,
		columns, s.table, s.of, s.live)
}

// args returns those of a query for what meets [from, to), and of holds for those that end after held.
func (r *spanQuery) args(subject int64, from, to, held when.Instant) []int64 {
	args := make([]int64, 0, 4*(r.sources+r.held))
	for range r.sources {
		args = append(args, subject, int64(to), subject, int64(from))
	}
	for range r.held {
		args = append(args, subject, int64(to), int64(from), int64(held))
	}
	return args
}

// Occupied implements app.Reader.
func (q queries) Occupied(dst []booking.Occupation, host catalog.HostID, from,
	to, held when.Instant) ([]booking.Occupation, error) {
	return q.occupied(with(&hostTime, held), dst, host, from, to, held)
}

// OccupiedPlaces implements app.Reader.
func (q queries) OccupiedPlaces(dst []booking.Occupation, host catalog.HostID, from,
	to, held when.Instant) ([]booking.Occupation, error) {
	r := with(&hostTime, held)
	return q.read(r, r.placed, dst, host, from, to, held)
}

func (q queries) occupied(r *spanQuery, dst []booking.Occupation, host catalog.HostID, from,
	to, held when.Instant) ([]booking.Occupation, error) {
	return q.read(r, r.whole, dst, host, from, to, held)
}

// read runs whole or placed.
func (q queries) read(r *spanQuery, query string, dst []booking.Occupation, host catalog.HostID, from,
	to, held when.Instant) ([]booking.Occupation, error) {
	err := q.each(r, query, []catalog.HostID{host}, from, to, held, func(_ int, o booking.Occupation) { dst = append(dst, o) })
	return dst, err
}

// EachOccupied implements app.Reader.
func (q queries) EachOccupied(hosts []catalog.HostID, placed bool, from, to, held when.Instant,
	row func(host int, o booking.Occupation)) error {
	r := with(&hostTime, held)
	query := r.whole
	if placed {
		query = r.placed
	}
	return q.each(r, query, hosts, from, to, held, row)
}

func (q queries) each(r *spanQuery, query string, hosts []catalog.HostID, from, to, held when.Instant,
	row func(host int, o booking.Occupation)) error {
	sets := make([][]int64, len(hosts))
	for i, host := range hosts {
		sets[i] = r.args(int64(host), from, to, held)
	}
	return q.Integers(query, sets, func(host int, v []int64) {
		if v[5] <= int64(from) {
			return
		}
		var place slot.Place
		if query == r.placed {
			place = slot.Place(v[len(v)-1])
		}
		o := booking.Occupation{
			ID: booking.BookingID(v[0]), EventType: catalog.EventTypeID(v[1]),
			Booking: slot.Booking{Start: v[2], End: v[3], Occupied: slot.Span{Start: v[4], End: v[5]}, Place: place},
		}
		if o.EventType < 0 {
			o.InParts, o.Later, o.EventType, o.Start = true, o.Start < 0, -o.EventType, max(o.Start, -o.Start)
		}
		if o.ID < 0 {
			heldAs(&o)
		}
		row(host, o)
	})
}

// heldAs reads what stands in place of the id of a hold.
func heldAs(o *booking.Occupation) {
	const seats = 100_000
	o.Held, o.Seats, o.For, o.ID = true, int(-o.ID%seats), booking.HeldFor(-o.ID/seats), 0
	o.Offered = o.For == booking.HeldForOffer
}

// OccupiedSpans implements app.Reader.
func (q queries) OccupiedSpans(hosts []catalog.HostID, from, to, held when.Instant) ([][]slot.Span, error) {
	return q.occupiedSpans(with(&bookedTime, held), hosts, from, to, held)
}

func (q queries) occupiedSpans(r *spanQuery, hosts []catalog.HostID, from, to, held when.Instant) ([][]slot.Span, error) {
	sets := make([][]int64, len(hosts))
	for i, host := range hosts {
		sets[i] = r.args(int64(host), from, to, held)
	}
	spans := make([][]slot.Span, len(hosts))
	err := q.Integers(r.spans, sets, func(i int, span []int64) {
		if start, end := span[0], span[1]; end > int64(from) {
			spans[i] = append(spans[i], slot.Span{Start: start, End: end})
		}
	})
	return spans, err
}
