package store

import (
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

const (
	insertOther  = `INSERT INTO booking_others (workspace_id, booking_id, host_id, start_ms) VALUES (?, ?, ?, ?)`
	forgetOthers = `DELETE FROM booking_others WHERE workspace_id = ? AND booking_id = ?`
	markOthers   = `UPDATE workspaces SET others = 1 WHERE id = ? AND others = 0`
)

// saveOthers keeps who does the booking beside its host, whatever its state.
func (t tx) saveOthers(b *booking.Booking, insert bool) error {
	if !insert && b.KeepsOthers {
		if err := t.Later(forgetOthers, b.WorkspaceID, b.ID); err != nil {
			return err
		}
	}
	others := b.Others()
	b.KeepsOthers = len(others) > 0
	for _, h := range others {
		if err := t.Later(insertOther, b.WorkspaceID, b.ID, h.ID, b.Start); err != nil {
			return err
		}
	}
	return nil
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
	held when.Instant) (s availability.SessionTaken, err error) {
	if held == 0 {
		held = 1<<63 - 1 // there are no holds
	}
	err = q.Each(sessionTaken, []any{e, start, host, host, e, start, held}, func(scan func(...any) error) error {
		var kind, booked int
		var subject int64
		var around booking.Around
		err := scan(&kind, &subject, &booked, &around.BusyStart, &around.BusyEnd)
		if around.Host = catalog.HostID(subject); kind == resourceTime {
			around.Subject = booking.Subject{Resource: catalog.ResourceID(subject)}
		}
		s.Arounds = append(s.Arounds, around)
		switch {
		case kind == resourceTime && booked == 1:
			s.Resources = append(s.Resources, catalog.ResourceID(subject))
		case kind == resourceTime:
			s.HeldResources = append(s.HeldResources, catalog.ResourceID(subject))
		case booked == 1:
			s.Hosts = append(s.Hosts, catalog.HostID(subject))
		default:
			s.HeldHosts = append(s.HeldHosts, catalog.HostID(subject))
		}
		return err
	})
	return s, err
}
