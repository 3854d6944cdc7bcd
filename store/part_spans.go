package store

import (
	"daybook/app/booking"
	"daybook/app/when"
)

// A booking that takes its host all the while has no span of the host's time: its row has its time. One in parts takes
// nothing by its own row, and has a span for each work. Whoever does a booking beside its host has the same spans, also
// where it isn't in parts.

// The time that bookings and holds in parts take of their hosts, and any of whoever does them beside the host: three
// sources, as of resources. Their event types are below zero, so that nobody joins them as a session, and so are the starts
// of spans that aren't the first of their booking or aren't of its host, so that it counts once, and as one of the host.
var (
	bufferedParts = partSpans("busy_end_ms - busy_start_ms > end_ms - start_ms", "start_ms", "end_ms")
	bareParts     = partSpans("busy_end_ms - busy_start_ms = end_ms - start_ms", "busy_start_ms", "busy_end_ms")
	heldParts     = spanSource{table: "hold_spans", of: "kind = 0 AND subject_id = ?",
		inner: "-1 - COALESCE(waits, 0) * 100000, -event_type_id, " + unlessLater("holds", "hold_spans.hold_id", "hold_spans", "start_ms") + ", end_ms",
		place: "COALESCE((SELECT o.place FROM holds o WHERE o.id = hold_spans.hold_id), 0)", held: true}
)

func partSpans(which, start, end string) spanSource {
	return spanSource{table: "booking_spans", of: "kind = 0 AND subject_id = ?", live: which,
		inner: "booking_id, -event_type_id, " + unlessLater("bookings", "booking_spans.booking_id", "booking_spans", start) +
			", " + end,
		place: "COALESCE((SELECT o.place FROM bookings o WHERE o.id = booking_spans.booking_id), 0)"}
}

// unlessLater is the start of a span, below zero unless it is of its owner's host, and the owner begins with it.
func unlessLater(owners, owner, spans, start string) string {
	start = spans + "." + start
	return start + " * CASE WHEN " + spans + ".host_id = " + spans + ".subject_id AND EXISTS (SELECT 1 FROM " + owners +
		" o WHERE o.id = " + owner + " AND o.start_ms = " + start + ") THEN 1 ELSE -1 END"
}

// ownTime is the condition of bookings that take their host's time by their own row.
const ownTime = "needs < 8"

// ownBusy returns what the row of a hold says of the time that it takes of its host: an empty span where it is in parts.
func ownBusy(t *booking.Taken) (start, end when.Instant) {
	if len(t.Parts) > 0 {
		return t.Start, t.Start
	}
	return t.BusyStart, t.BusyEnd
}
