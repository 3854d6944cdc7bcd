package store

import (
	"fmt"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/store/engine"
)

// thingSpans are the bookings that take the time of a thing of the kind: two sources, as of a host's time, see bufferedSpans.
func thingSpans(kind catalog.SubjectKind) (buffered, bare spanSource) {
	of := func(which, times string) spanSource {
		return spanSource{table: "booking_spans", of: thing(kind), live: which,
			inner: "booking_id, event_type_id, " + times, place: "host_id"}
	}
	return of("busy_end_ms - busy_start_ms > end_ms - start_ms", "start_ms, end_ms"),
		of("busy_end_ms - busy_start_ms = end_ms - start_ms", "busy_start_ms AS start_ms, busy_end_ms AS end_ms")
}

// heldThings are the holds that do, of which all are looked at: where a bounded scan met one that has ended, it would miss
// the live one before it.
func heldThings(kind catalog.SubjectKind) spanSource {
	return spanSource{table: "hold_spans", of: thing(kind), inner: "-1 - COALESCE(waits, 0) * 100000, event_type_id, start_ms, end_ms",
		place: "host_id", held: true}
}

func thing(kind catalog.SubjectKind) string { return fmt.Sprintf("kind = %d AND subject_id = ?", kind) }

// busyResources are when resources are busy by their calendars.
var busyResources = spanSource{table: "resource_busy_times", of: "resource_id = ?", live: "busy_end_ms > busy_start_ms",
	inner: "0, 0, 0, 0", place: "0"}

// resourcesTime is all that takes a resource's time, with holds in [1].
var resourcesTime = thingsTime(catalog.SubjectResource, busyResources)

// timeOf is all that takes the time of a thing, by its kind.
var timeOf = map[catalog.SubjectKind]*[2]spanQuery{catalog.SubjectResource: &resourcesTime}

// thingsTime is all that takes the time of a thing of the kind, with holds in [1]; busy is what does besides bookings.
func thingsTime(kind catalog.SubjectKind, busy ...spanSource) [2]spanQuery {
	buffered, bare := thingSpans(kind)
	all := append([]spanSource{buffered, bare}, busy...)
	return [2]spanQuery{newSpanQuery(all...), newSpanQuery(append(all, heldThings(kind))...)}
}

// OccupiedThings implements availability.Reader.
func (q queries) OccupiedThings(things []catalog.Subject, from, to, held when.Instant) ([][]booking.Occupation, error) {
	all := make([][]booking.Occupation, len(things))
	for begin, end := 0, 0; begin < len(things); begin = end {
		kind := things[begin].Kind
		r := with(timeOf[kind], held)
		var sets [][]int64
		for ; end < len(things) && things[end].Kind == kind; end++ {
			sets = append(sets, r.args(things[end].ID, from, to, held))
		}
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
			all[begin+i] = append(all[begin+i], o)
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// sessionTaken selects what the live bookings of a session take besides its host, with 1, and its holds, with 0, and when.
var sessionTaken = `SELECT kind, subject_id, 1, MIN(busy_start_ms), MAX(busy_end_ms) FROM booking_spans WHERE (kind = 1 OR subject_id <> host_id) AND
	booking_id IN (SELECT id FROM bookings WHERE event_type_id = ? AND start_ms = ? AND ` + live + ` AND host_id = ?)
	GROUP BY kind, subject_id
	UNION ALL SELECT kind, subject_id, 0, MIN(busy_start_ms), MAX(busy_end_ms) FROM hold_spans WHERE (kind = 1 OR subject_id <> host_id) AND hold_id IN
	(SELECT id FROM holds WHERE host_id = ? AND event_type_id = ? AND start_ms = ? AND expires_ms > ?)
	GROUP BY kind, subject_id ORDER BY 1, 2, 3 DESC`

// SessionTaken implements availability.Reader.
func (q queries) SessionTaken(e catalog.EventTypeID, host catalog.HostID, start,
	held when.Instant) (all []availability.SessionTaken, err error) {
	if held == 0 {
		held = 1<<63 - 1 // there are no holds
	}
	var ofHolds []availability.SessionTaken
	err = q.Each(sessionTaken, []any{e, start, host, host, e, start, held}, func(scan func(...any) error) error {
		var booked int
		var one availability.SessionTaken
		err := scan(&one.Kind, &one.ID, &booked, &one.BusyStart, &one.BusyEnd)
		if one.Held = booked == 0; !one.Held {
			all = append(all, one)
		} else if len(all) == 0 || all[len(all)-1].Subject != one.Subject { // it would come right before
			ofHolds = append(ofHolds, one)
		}
		return err
	})
	return append(all, ofHolds...), err
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
	b.KeepsSpans = hasSpans(&b.Taken)
	return eachSpan(b.Host.ID, &b.Taken, func(of catalog.Subject, w slot.Work) error {
		return t.Later(insertSpan, b.WorkspaceID, b.ID, of.Kind, of.ID, b.Host.ID, b.EventTypeID, w.Own.Start, w.Own.End,
			w.Occupied.Start, w.Occupied.End)
	})
}

// eachSpan passes the spans that a booking or hold with the host takes besides those of its own row.
func eachSpan(host catalog.HostID, b *booking.Taken, do func(of catalog.Subject, w slot.Work) error) error {
	save := func(of catalog.Subject, works []slot.Work) error {
		for _, w := range works {
			if err := do(of, w); err != nil {
				return err
			}
		}
		return nil
	}
	if len(b.Parts) > 0 {
		if err := save(catalog.OfHost(host), b.Works()); err != nil {
			return err
		}
	}
	for one := range b.Beside() {
		if err := save(one.Subject, b.Takes(one.Subject)); err != nil {
			return err
		}
	}
	return nil
}

// The last event is the workspace's. Where one transaction writes at a time, it is that of all: it is found by the key.
const (
	locked = `SELECT revision, COALESCE((SELECT MAX(id) FROM events WHERE workspace_id = ?), 0)
		FROM workspaces WHERE id = ? AND gone_ms IS NULL`
	lockedOfAll = `SELECT revision, COALESCE((SELECT MAX(id) FROM events), 0) FROM workspaces WHERE id = ?
		AND gone_ms IS NULL`
)

// lockOf locks a subject of the kind.
var lockOf = map[catalog.SubjectKind]string{
	catalog.SubjectHost:     `UPDATE hosts SET lock = lock + 1 WHERE id = ? AND workspace_id = ?`,
	catalog.SubjectResource: `UPDATE resources SET lock = lock + 1 WHERE id = ? AND workspace_id = ?`,
}

// LockTaken implements app.Tx.
func (t tx) LockTaken(ws catalog.WorkspaceID, which catalog.Locks) (l app.Locked, err error) {
	query, args := lockedOfAll, []any{ws} // of which no other transaction can change anything now
	if !t.Serial() {
		query, args = locked, []any{ws, ws}
		which.Sort() // so that two transactions can't wait for each other
		for _, of := range which {
			if err := t.Later(lockOf[of.Kind], of.ID, ws); err != nil {
				return l, err
			}
		}
	}
	err = t.Scan(query, args, &l.SetupRevision, &l.LastEvent)
	return l, engine.Found(err)
}

// storedTaken are the members of a booking's details that say what it takes besides its host, all the while.
type storedTaken struct {
	Resources []catalog.ResourceRef `json:"resources,omitempty"`
	Parts     []storedPart          `json:"parts,omitempty"`
	Others    []catalog.HostRef     `json:"others,omitempty"` // beside the host
	Arounds   []storedAround        `json:"arounds,omitempty"`
}

func storeTaken(t *booking.Taken) storedTaken {
	return storedTaken{Resources: t.Resources, Parts: storedParts(t.Parts), Others: t.Others(), Arounds: storedArounds(t)}
}

// restoreTaken sets what a booking takes whose host, start and end are set.
func restoreTaken(d *storedTaken, b *booking.Booking) {
	b.Resources = d.Resources
	if b.KeepsOthers = len(d.Others) > 0; b.KeepsOthers {
		b.Hosts = append([]catalog.HostRef{b.Host}, d.Others...)
	}
	restoreParts(d.Parts, b)
	restoreArounds(d.Arounds, &b.Taken)
	b.KeepsSpans = hasSpans(&b.Taken)
}

// hasSpans reports whether it takes time besides that in the booking's own row, see eachSpan.
func hasSpans(t *booking.Taken) bool { return len(t.Resources)+len(t.Parts)+len(t.Hosts) > 0 }

// storedPart is a part of a booking in its details: the milliseconds from its start to the end of the part, and of work
// the time that is kept free before and after it. Work and waits take turns.
type storedPart struct {
	End    int64 `json:"end"`
	Before int64 `json:"before,omitempty"`
	After  int64 `json:"after,omitempty"`
}

func storedParts(parts []booking.BookedPart) (stored []storedPart) {
	for i := range parts {
		p := &parts[i]
		s := storedPart{End: int64(p.End - parts[0].Start)}
		if p.Kind == booking.Work {
			s.Before, s.After = int64(p.Start-p.BusyStart), int64(p.BusyEnd-p.End)
		}
		stored = append(stored, s)
	}
	return stored
}

// restoreParts sets the parts of a booking.
func restoreParts(stored []storedPart, b *booking.Booking) {
	if len(stored) == 0 {
		return
	}
	works := make([]slot.Work, 0, len(stored)/2+1)
	for i, s := range stored {
		if i%2 == 1 {
			continue
		}
		w := slot.Work{Own: slot.Span{End: s.End}}
		if i > 0 {
			w.Own.Start = stored[i-1].End
		}
		w.Occupied = slot.Span{Start: w.Own.Start - s.Before, End: w.Own.End + s.After}
		works = append(works, w.At(int64(b.Start)))
	}
	b.Parts = booking.PartsOf(works)
}

// storedAround is a booking.Around in a booking's details: the milliseconds that are kept free before and after it.
type storedAround struct {
	Host     catalog.HostID     `json:"host,omitzero"`
	Resource catalog.ResourceID `json:"resource,omitzero"`
	Before   int64              `json:"before,omitempty"`
	After    int64              `json:"after,omitempty"`
}

func storedArounds(t *booking.Taken) (stored []storedAround) {
	for _, a := range t.Arounds {
		s := storedAround{Before: int64(t.Start - a.BusyStart), After: int64(a.BusyEnd - t.End)}
		switch a.Kind {
		case catalog.SubjectHost:
			s.Host = catalog.HostID(a.ID)
		case catalog.SubjectResource:
			s.Resource = catalog.ResourceID(a.ID)
		}
		stored = append(stored, s)
	}
	return stored
}

// restoreArounds sets what is kept free around a booking whose start and end are set.
func restoreArounds(stored []storedAround, t *booking.Taken) {
	for _, s := range stored {
		of := catalog.OfHost(s.Host)
		if s.Resource != 0 {
			of = catalog.OfResource(s.Resource)
		}
		t.Arounds = append(t.Arounds, booking.Around{Subject: of,
			BusyStart: t.Start - when.Instant(s.Before), BusyEnd: t.End + when.Instant(s.After)})
	}
}
