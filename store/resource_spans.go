package store

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// resourceTime is the kind of a span that takes a resource's time.
const resourceTime = 1

// Bookings are two sources, as they are of a host's time: see bufferedSpans. Holds are a third, of which all are looked
// at: where a bounded scan met one that has ended, it would miss the live one before it.
var (
	bufferedResources = resourceSpans("busy_end_ms - busy_start_ms > end_ms - start_ms", "start_ms, end_ms")
	bareResources     = resourceSpans("busy_end_ms - busy_start_ms = end_ms - start_ms",
		"busy_start_ms AS start_ms, busy_end_ms AS end_ms")
	// busyResources are when resources are busy by their calendars.
	busyResources = spanSource{table: "resource_busy_times", of: "resource_id = ?", live: "busy_end_ms > busy_start_ms",
		inner: "0, 0, 0, 0", place: "0"}
	heldResources = spanSource{table: "hold_spans", of: "kind = 1 AND subject_id = ?", inner: "-1 - COALESCE(waits, 0) * 100000, event_type_id, start_ms, end_ms",
		place: "host_id", held: true}
)

func resourceSpans(which, times string) spanSource {
	return spanSource{table: "booking_spans", of: "kind = 1 AND subject_id = ?", live: which,
		inner: "booking_id, event_type_id, " + times, place: "host_id"}
}

// resourcesTime is all that takes a resource's time, with holds in [1].
var resourcesTime = [2]spanQuery{newSpanQuery(bufferedResources, bareResources, busyResources),
	newSpanQuery(bufferedResources, bareResources, busyResources, heldResources)}

// OccupiedResources implements availability.Reader.
func (q queries) OccupiedResources(ids []catalog.ResourceID, from, to, held when.Instant) ([][]booking.Occupation, error) {
	r := with(&resourcesTime, held)
	sets := make([][]int64, len(ids))
	for i, id := range ids {
		sets[i] = r.args(int64(id), from, to, held)
	}
	all := make([][]booking.Occupation, len(ids))
	err := q.Integers(r.placed, sets, func(i int, v []int64) {
		if v[5] <= int64(from) {
			return
		}
		o := booking.Occupation{
			ID: booking.BookingID(v[0]), EventType: catalog.EventTypeID(v[1]), Host: catalog.HostID(v[6]),
			Booking: slot.Booking{Start: v[2], End: v[3], Occupied: slot.Span{Start: v[4], End: v[5]}},
		}
		if o.ID < 0 {
			heldAs(&o)
			o.Seats = 0
		}
		all[i] = append(all[i], o)
	})
	return all, err
}

const (
	insertSpan = `INSERT INTO booking_spans (workspace_id, booking_id, kind, subject_id, host_id, event_type_id, start_ms,
		end_ms, busy_start_ms, busy_end_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	insertHoldSpan = `INSERT INTO hold_spans (workspace_id, hold_id, kind, subject_id, host_id, event_type_id, start_ms,
		end_ms, busy_start_ms, busy_end_ms, expires_ms, waits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	forgetSpans = `DELETE FROM booking_spans WHERE workspace_id = ? AND booking_id = ?`
)

// saveSpans keeps what a live booking takes besides the time in its own row; of others nothing is kept.
func (t tx) saveSpans(b *booking.Booking, insert bool) error {
	if !insert && b.KeepsSpans {
		if err := t.Later(forgetSpans, b.WorkspaceID, b.ID); err != nil {
			return err
		}
	}
	if !b.Status.Live() {
		return nil
	}
	b.KeepsSpans = len(b.Resources)+len(b.Parts)+len(b.Hosts) > 0
	return eachSpan(b.Host.ID, &b.Taken, func(kind int, subject int64, w slot.Work) error {
		return t.Later(insertSpan, b.WorkspaceID, b.ID, kind, subject, b.Host.ID, b.EventTypeID, w.Own.Start, w.Own.End,
			w.Occupied.Start, w.Occupied.End)
	})
}

// eachSpan passes the spans that a booking or hold with the host takes besides those of its own row.
func eachSpan(host catalog.HostID, b *booking.Taken, do func(kind int, subject int64, w slot.Work) error) error {
	save := func(kind int, subject int64, works []slot.Work) error {
		for _, w := range works {
			if err := do(kind, subject, w); err != nil {
				return err
			}
		}
		return nil
	}
	if len(b.Parts) > 0 {
		if err := save(hostTimeKind, int64(host), b.Works()); err != nil {
			return err
		}
	}
	for _, other := range b.Others() {
		if err := save(hostTimeKind, int64(other.ID), b.TakesOther(other.ID)); err != nil {
			return err
		}
	}
	for i := range b.Resources {
		r := &b.Resources[i]
		if err := save(resourceTime, int64(r.ID), b.Takes(r)); err != nil {
			return err
		}
	}
	return nil
}
