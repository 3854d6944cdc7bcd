// The SQL of what other programs said of imported bookings, of what imports did with them, and of how that is undone.

package store

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	ids "daybook/app/id"
	"daybook/app/movein"
	"daybook/app/when"
	"daybook/store/engine"
)

var (
	_ movein.Reader = queries{}
	_ movein.Tx     = tx{}
)

const (
	importedBooking = `SELECT booking_id, host_id, event_type_id, start_ms, end_ms FROM imported_bookings
		WHERE workspace_id = ? AND source = ? AND foreign_id = ?`
	saveImportedBooking = `INSERT INTO imported_bookings (workspace_id, source, foreign_id, booking_id, host_id,
		event_type_id, start_ms, end_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, source, foreign_id) DO UPDATE SET booking_id = excluded.booking_id,
		host_id = excluded.host_id, event_type_id = excluded.event_type_id, start_ms = excluded.start_ms,
		end_ms = excluded.end_ms`
)

// ImportedBooking implements movein.Reader.
func (q queries) ImportedBooking(ws catalog.WorkspaceID, source, foreign string) (movein.Known, error) {
	k := movein.Known{Workspace: ws, Source: source, Foreign: foreign}
	err := q.Scan(importedBooking, []any{ws, source, foreign}, &k.Booking, &k.Host, &k.EventType, &k.Start, &k.End)
	return k, engine.Found(err)
}

// SaveImportedBooking implements movein.Tx.
func (t tx) SaveImportedBooking(k *movein.Known) error {
	_, err := t.Exec(saveImportedBooking, k.Workspace, k.Source, k.Foreign, k.Booking, k.Host, k.EventType, k.Start, k.End)
	return err
}

const (
	importedParts    = `SELECT kind, foreign_id, part_id FROM imported_parts WHERE workspace_id = ? AND source = ?`
	saveImportedPart = `INSERT INTO imported_parts (workspace_id, source, kind, foreign_id, part_id) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, source, kind, foreign_id) DO UPDATE SET part_id = excluded.part_id`
	// The kinds of imported_parts.
	partHost    = 0
	partService = 1
)

// ImportedParts implements movein.Reader.
func (q queries) ImportedParts(ws catalog.WorkspaceID, source string) (movein.Parts, error) {
	p := movein.Parts{Hosts: map[string]catalog.HostID{}, Services: map[string]catalog.EventTypeID{}}
	return p, q.Each(importedParts, []any{ws, source}, func(scan func(...any) error) error {
		var kind int
		var foreign string
		var id int64
		err := scan(&kind, &foreign, &id)
		switch kind {
		case partHost:
			p.Hosts[foreign] = catalog.HostID(id)
		case partService:
			p.Services[foreign] = catalog.EventTypeID(id)
		}
		return err
	})
}

// SaveImportedHost implements movein.Tx.
func (t tx) SaveImportedHost(ws catalog.WorkspaceID, source, foreign string, id catalog.HostID) error {
	_, err := t.Exec(saveImportedPart, ws, source, partHost, foreign, id)
	return err
}

// SaveImportedService implements movein.Tx.
func (t tx) SaveImportedService(ws catalog.WorkspaceID, source, foreign string, id catalog.EventTypeID) error {
	_, err := t.Exec(saveImportedPart, ws, source, partService, foreign, id)
	return err
}

const (
	importBookingColumns = `import_id, workspace_id, booking_id, outcome, updated_ms, found_ms, host_id, event_type_id,
		start_ms, end_ms`
	openBookings = `SELECT ` + importBookingColumns + ` FROM import_bookings
		WHERE workspace_id = ? AND import_id = ? AND outcome = 0 AND booking_id > ? ORDER BY booking_id LIMIT ?`
	rebaseBookings = `UPDATE import_bookings SET updated_ms = ? WHERE booking_id = ? AND outcome = 0 AND +workspace_id = ?
		AND updated_ms = ?`
	openServices = `SELECT event_type_id FROM import_services WHERE workspace_id = ? AND import_id = ? AND outcome = 0
		ORDER BY event_type_id`
	openPeople = `SELECT host_id FROM import_people WHERE workspace_id = ? AND import_id = ? AND outcome = 0 ORDER BY host_id`
	// hostAsMade is what is remembered of a host h.
	hostAsMade   = `h.name || ' ' || h.email || ' ' || h.time_zone || ' ' || h.active || ' ' || h.hours || ' ' || h.profile`
	moveImported = `UPDATE imported_bookings SET host_id = ?, event_type_id = ?, start_ms = ?, end_ms = ?
		WHERE booking_id = ? AND +workspace_id = ?`
	// hangsOn says what hangs on a booking, the gravest first.
	hangsOn = `SELECT CASE WHEN
		EXISTS (SELECT 1 FROM payments WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM checkouts WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM payment_jobs WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM payment_cards WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM counter_entries WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM pass_entries WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM sale_bookings WHERE booking_id = b.id AND workspace_id = b.workspace_id) OR
		EXISTS (SELECT 1 FROM receipts WHERE booking_id = b.id AND workspace_id = b.workspace_id) THEN CAST(? AS BIGINT)
		WHEN EXISTS (SELECT 1 FROM mails WHERE booking_id = b.id AND workspace_id = b.workspace_id
			AND (state IN (1, 2) OR attempts > 0 OR sending <> 0)) THEN CAST(? AS BIGINT)
		WHEN EXISTS (SELECT 1 FROM calendar_copies WHERE booking_id = b.id AND workspace_id = b.workspace_id
			AND wish IS NOT NULL) OR
		EXISTS (SELECT 1 FROM cancellation_items WHERE workspace_id = b.workspace_id AND booking_id = b.id AND outcome = 0) OR
		EXISTS (SELECT 1 FROM contact_entries WHERE workspace_id = b.workspace_id AND booking_id = b.id) OR
		EXISTS (SELECT 1 FROM contact_files WHERE workspace_id = b.workspace_id AND booking_id = b.id)
		THEN CAST(? AS BIGINT) ELSE 0 END FROM bookings b WHERE b.id = ? AND b.workspace_id = ?`
)

// InsertImportedBooking implements movein.Tx, as the methods below do.
func (t tx) InsertImportedBooking(i *movein.Item) error {
	return t.Later(`INSERT INTO import_bookings (`+importBookingColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, i.Import,
		i.Workspace, i.Booking, int(i.Outcome), i.Updated, i.Found, i.Before.Host, i.Before.EventType, i.Before.Start,
		i.Before.End)
}

// OpenImportedBookings implements movein.Reader.
func (q queries) OpenImportedBookings(ws catalog.WorkspaceID, im contact.ImportID, after booking.BookingID,
	limit int) ([]movein.Item, error) {
	return engine.List(q, func(scan func(...any) error) (i movein.Item, err error) {
		err = scan(&i.Import, &i.Workspace, &i.Booking, &i.Outcome, &i.Updated, &i.Found, &i.Before.Host, &i.Before.EventType,
			&i.Before.Start, &i.Before.End)
		return i, err
	}, openBookings, ws, im, after, limit)
}

func (t tx) SettleImportedBooking(i *movein.Item) error {
	_, err := t.Exec(`UPDATE import_bookings SET outcome = ? WHERE workspace_id = ? AND import_id = ? AND booking_id = ?`,
		int(i.Outcome), i.Workspace, i.Import, i.Booking)
	return err
}

func (t tx) MovedBack(i *movein.Item, updated when.Instant) error {
	b := &i.Before
	if _, err := t.Exec(moveImported, b.Host, b.EventType, b.Start, b.End, i.Booking, i.Workspace); err != nil {
		return err
	}
	_, err := t.Exec(rebaseBookings, updated, i.Booking, i.Workspace, i.Found)
	return err
}

// HangsOn implements movein.Tx.
func (t tx) HangsOn(ws catalog.WorkspaceID, id booking.BookingID) (why contact.Outcome, err error) {
	for _, query := range []string{ // no other transaction sends or wishes now what is looked at
		`UPDATE mails SET state = state WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE calendar_copies SET wish = wish WHERE booking_id = ? AND workspace_id = ?`,
	} {
		if _, err := t.Exec(query, id, ws); err != nil {
			return 0, err
		}
	}
	err = t.Scan(hangsOn, []any{int(contact.StaysPaid), int(contact.StaysWritten), int(contact.StaysEdited), id, ws}, &why)
	return why, engine.Found(err)
}

func (t tx) InsertImportedService(ws catalog.WorkspaceID, im contact.ImportID, made catalog.EventTypeID) error {
	_, err := t.Exec(`INSERT INTO import_services (workspace_id, import_id, event_type_id, outcome, definition)
		SELECT workspace_id, ?, id, 0, definition FROM event_types WHERE id = ? AND workspace_id = ?`, im, made, ws)
	return err
}

// OpenImportedServices implements movein.Reader.
func (q queries) OpenImportedServices(ws catalog.WorkspaceID, im contact.ImportID) ([]catalog.EventTypeID, error) {
	return engine.List(q, func(scan func(...any) error) (made catalog.EventTypeID, err error) {
		err = scan(&made)
		return made, err
	}, openServices, ws, im)
}

func (t tx) SettleImportedService(ws catalog.WorkspaceID, im contact.ImportID, made catalog.EventTypeID, o contact.Outcome) error {
	_, err := t.Exec(`UPDATE import_services SET outcome = ? WHERE workspace_id = ? AND import_id = ? AND event_type_id = ?`,
		int(o), ws, im, made)
	return err
}

func (t tx) RemoveUnusedEventType(ws catalog.WorkspaceID, id catalog.EventTypeID) (contact.Outcome, error) {
	asMade := false
	err := t.Scan(`SELECT EXISTS (SELECT 1 FROM event_types e JOIN import_services i ON i.workspace_id = e.workspace_id
		AND i.event_type_id = e.id AND i.definition = e.definition AND i.outcome = 0 WHERE e.id = ? AND e.workspace_id = ?)`,
		[]any{id, ws}, &asMade)
	if err != nil {
		return 0, err
	}
	if !asMade {
		return contact.StaysEdited, nil
	}
	n, err := t.Exec(`DELETE FROM event_types WHERE id = ? AND workspace_id = ?
		AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.event_type_id = event_types.id)
		AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.workspace_id = event_types.workspace_id AND h.event_type_id = event_types.id)
		AND NOT EXISTS (SELECT 1 FROM guest_requests g WHERE g.workspace_id = event_types.workspace_id
			AND g.event_type_id = event_types.id)
		AND NOT EXISTS (SELECT 1 FROM invitation_links l WHERE l.event_type_id = event_types.id)`, id, ws)
	if err != nil || n == 0 {
		return contact.StaysUsed, err
	}
	return contact.Removed, Touch(t.Transaction, ws)
}

func (t tx) InsertImportedHost(ws catalog.WorkspaceID, im contact.ImportID, made catalog.HostID) error {
	_, err := t.Exec(`INSERT INTO import_people (workspace_id, import_id, host_id, outcome, definition)
		SELECT h.workspace_id, ?, h.id, 0, `+hostAsMade+` FROM hosts h WHERE h.id = ? AND h.workspace_id = ?`, im, made, ws)
	return err
}

// OpenImportedHosts implements movein.Reader.
func (q queries) OpenImportedHosts(ws catalog.WorkspaceID, im contact.ImportID) ([]catalog.HostID, error) {
	return engine.List(q, func(scan func(...any) error) (made catalog.HostID, err error) {
		err = scan(&made)
		return made, err
	}, openPeople, ws, im)
}

func (t tx) SettleImportedHost(ws catalog.WorkspaceID, im contact.ImportID, made catalog.HostID, o contact.Outcome) error {
	_, err := t.Exec(`UPDATE import_people SET outcome = ? WHERE workspace_id = ? AND import_id = ? AND host_id = ?`,
		int(o), ws, im, made)
	return err
}

func (t tx) RemoveUnusedHost(ws catalog.WorkspaceID, id catalog.HostID) (contact.Outcome, error) {
	asMade := false
	err := t.Scan(`SELECT EXISTS (SELECT 1 FROM hosts h JOIN import_people i ON i.workspace_id = h.workspace_id AND i.host_id = h.id
		AND i.definition = `+hostAsMade+` AND i.outcome = 0 WHERE h.id = ? AND h.workspace_id = ?)`, []any{id, ws}, &asMade)
	if err != nil {
		return 0, err
	}
	if !asMade {
		return contact.StaysEdited, nil
	}
	n, err := t.Exec(`DELETE FROM hosts WHERE id = ? AND workspace_id = ?
		AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM booking_others o WHERE o.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM hold_spans h WHERE h.workspace_id = hosts.workspace_id AND h.kind = 0 AND h.subject_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM guest_requests g WHERE g.workspace_id = hosts.workspace_id AND g.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM invitation_links l WHERE l.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM users u WHERE u.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.workspace_id = hosts.workspace_id AND g.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM calendar_feeds f WHERE f.workspace_id = hosts.workspace_id AND f.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM busy_times t WHERE t.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM calendar_connections c WHERE c.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM calendar_sign_ins c WHERE c.workspace_id = hosts.workspace_id AND c.host_id = hosts.id)
		AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.workspace_id = hosts.workspace_id
			AND k.restriction LIKE ?)`, id, ws, "%"+id.String()+"%")
	if err != nil || n == 0 {
		return contact.StaysUsed, err
	}
	return contact.Removed, Touch(t.Transaction, ws)
}

// ToldOf implements app.BookingWriter. A delivery has an id of the moment of its event: they are few in the log of an
// endpoint, which is in the order of ids.
func (t tx) ToldOf(ws catalog.WorkspaceID, id booking.BookingID, of []catalog.EndpointID) (told []catalog.EndpointID, err error) {
	type event struct {
		id booking.EventID
		at when.Instant
	}
	var events []event
	err = t.Each(`SELECT id, created_ms FROM events WHERE booking_id = ? AND workspace_id = ?`, []any{id, ws},
		func(scan func(...any) error) error {
			var e event
			err := scan(&e.id, &e.at)
			events = append(events, e)
			return err
		})
	for _, endpoint := range of {
		for i := 0; i < len(events) && err == nil && !slices.Contains(told, endpoint); i++ {
			e, was := &events[i], false
			until := max(e.at, when.At(e.id.MadeAt())).Add(time.Second) // where a clock was set back, ids of both are ahead of it
			err = t.Scan(toldOf, []any{endpoint, ids.First[booking.DeliveryIDKind](e.at.Time()),
				ids.First[booking.DeliveryIDKind](until.Time()), e.id, ws}, &was)
			if was {
				told = append(told, endpoint)
			}
		}
	}
	return told, err
}

const toldOf = `SELECT EXISTS (SELECT 1 FROM deliveries WHERE endpoint_id = ? AND id >= ? AND id < ? AND event_id = ?
	AND /* apart workspace_id = */ ? > 0)`

// RemoveBooking implements app.BookingWriter.
func (t tx) RemoveBooking(ws catalog.WorkspaceID, id booking.BookingID, now when.Instant) error {
	if err := t.anonymiseEvents(ws, id); err != nil {
		return err
	}
	for _, query := range []string{
		`UPDATE events SET gone_booking = booking_id, booking_id = NULL WHERE booking_id = ? AND workspace_id = ?`,
		`DELETE FROM mails WHERE booking_id = ? AND workspace_id = ?`,
		`DELETE FROM booking_history WHERE booking_id = ? AND /* apart workspace_id = */ ? > 0`,
	} {
		if _, err := t.Exec(query, id, ws); err != nil {
			return err
		}
	}
	if _, err := t.Exec(`UPDATE calendar_copies SET remove = 1, due_ms = ?, tries = 0, writing = 0, problem = NULL,
		wish = NULL, wish_start_ms = NULL, wish_end_ms = NULL WHERE booking_id = ? AND workspace_id = ?`, now, id, ws); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM bookings WHERE id = ? AND workspace_id = ?`, id, ws)
	return err
}
