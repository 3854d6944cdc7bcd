package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

func (q queries) Booking(ws catalog.WorkspaceID, id booking.BookingID) (booking.Booking, error) {
	b, err := scanBooking(q.One(`SELECT `+bookingColumns+` FROM bookings WHERE id = ? AND workspace_id = ?`, id, ws))
	return b, engine.Found(err)
}

func (q queries) BookingByID(id booking.BookingID) (booking.Booking, error) {
	b, err := scanBooking(q.One(`SELECT `+bookingColumns+` FROM bookings WHERE id = ?`, id))
	return b, engine.Found(err)
}

// Bookings implements app.Reader. The text has one shape per set of filters in use, so few are ever prepared.
func (q queries) Bookings(ws catalog.WorkspaceID, f booking.BookingFilter) ([]booking.Booking, error) {
	query, args := listBookings(ws, f)
	all := make([]booking.Booking, 0, min(f.Limit, 128))
	if f.Brief {
		r := bookingRows.New().(*bookingRow)
		err := q.Each(query, args, func(scan func(...any) error) error {
			b, err := r.scan(scan, brief)
			b.WorkspaceID = ws
			all = append(all, b)
			return err
		})
		return all, err
	}
	err := q.Each(query, args, func(scan func(...any) error) error {
		b, err := scanBooking(scan)
		all = append(all, b)
		return err
	})
	return all, err
}

// listBookings writes the SELECT of a list. The narrowest filter leads, so that its index is read in the order of the
// answer; a unary + keeps SQLite from choosing another one.
func listBookings(ws catalog.WorkspaceID, f booking.BookingFilter) (string, []any) {
	var where []string
	var args []any
	add := func(term string, values ...any) {
		where = append(where, term)
		args = append(args, values...)
	}
	switch {
	case f.Contact != 0:
		add(`contact_id = ?`, f.Contact)
	case f.EventType != 0:
		add(`event_type_id = ?`, f.EventType)
	case f.Host != 0:
		add(`host_id = ?`, f.Host)
	}
	if len(where) == 0 {
		add(`workspace_id = ?`, ws)
	} else {
		add(`+workspace_id = ?`, ws)
	}
	if f.Contact != 0 && f.EventType != 0 {
		add(`+event_type_id = ?`, f.EventType)
	}
	if f.Host != 0 && (f.Contact != 0 || f.EventType != 0) {
		add(`+host_id = ?`, f.Host)
	}
	engine.AddAny(&where, &args, `contact_id`, f.Contacts)
	engine.AddAny(&where, &args, `+event_type_id`, f.EventTypes)
	engine.AddAny(&where, &args, `+host_id`, f.Hosts)
	if f.From != 0 {
		add(`start_ms >= ?`, f.From)
	}
	if f.To != 0 {
		add(`start_ms < ?`, f.To)
	}
	if f.EndsAfter != 0 {
		add(`start_ms > ? AND end_ms > ?`, f.EndsAfter.Add(-f.LongestLookup), f.EndsAfter)
	}
	if f.EndsBy != 0 {
		add(`start_ms <= ? AND end_ms <= ?`, f.EndsBy, f.EndsBy)
	}
	if len(f.Statuses) > 0 {
		add(`status IN (?` + strings.Repeat(`, ?`, len(f.Statuses)-1) + `)`)
		for _, s := range f.Statuses {
			args = append(args, statusCode(s))
		}
	}
	behind, order := `>`, `start_ms, id`
	if f.Descending {
		behind, order = `<`, `start_ms DESC, id DESC`
	}
	if f.AfterID != 0 {
		add(fmt.Sprintf(`(start_ms, id) %s (?, ?)`, behind), f.After, f.AfterID)
	}
	columns := bookingColumns
	if f.Brief {
		columns = briefColumns
	}
	query := `SELECT ` + columns + ` FROM bookings WHERE ` + strings.Join(where, ` AND `) + ` ORDER BY ` + order +
		` LIMIT ?`
	return query, append(args, f.Limit)
}

// bookedAlready is a contact's live booking of an event type that starts at one time, or 0.
var bookedAlready = `COALESCE((SELECT id FROM bookings WHERE contact_id = c.id AND start_ms = ? AND +event_type_id = ?
	AND ` + live + ` LIMIT 1), 0)`

// sameContact selects the contact of an e-mail and what it has booked already.
var sameContact = `SELECT c.id, ` + bookedAlready + `, '' FROM contacts c WHERE c.workspace_id = ? AND c.email_key = ?`

// sameStart selects the live bookings of an event type that start at one time: as many as its hosts have seats.
var sameStart = `SELECT 0, id, email FROM bookings WHERE event_type_id = ? AND start_ms = ? AND ` + live

var liveDuplicate = sameContact + ` UNION ALL ` + sameStart

func (q queries) LiveDuplicate(ws catalog.WorkspaceID, r booking.Identity, e catalog.EventTypeID,
	start when.Instant) (contact booking.ContactID, id booking.BookingID, err error) {
	if r.ByPhone() {
		return q.liveDuplicateByPhone(ws, r, e, start)
	}
	key := r.Key()
	err = q.Each(liveDuplicate, []any{start, e, ws, key, e, start}, func(scan func(...any) error) error {
		var c booking.ContactID
		var b booking.BookingID
		var email string
		if err := scan(&c, &b, &email); err != nil {
			return err
		}
		if c != 0 {
			contact = c
			if b != 0 {
				id = b
			}
			return nil
		}
		// The booking keeps the e-mail that it was made with when its contact gets another one, or is merged.
		if id == 0 && email != "" && fault.EmailKey(email) == key {
			id = b
		}
		return nil
	})
	return contact, id, err
}

// liveDuplicateByPhone selects who has a telephone number and no e-mail, and who may have it beside an e-mail, with
// what they have booked already; then, of the bookings of an event type that start at one time, those of people without
// any e-mail.
var liveDuplicateByPhone = `SELECT c.id, ` + bookedAlready + `, '' FROM contacts c
	WHERE c.workspace_id = ? AND c.email_key = ?
	UNION ALL SELECT c.id, ` + bookedAlready + `, c.phone FROM contacts c WHERE c.workspace_id = ? AND c.email <> '' AND
	c.phone <> '' AND c.id IN (` + byForms + `)
	UNION ALL SELECT 0, b.id, COALESCE(b.details, '') FROM bookings b JOIN contacts c ON c.id = b.contact_id
	WHERE b.event_type_id = ? AND b.start_ms = ? AND ` + live + ` AND b.email = '' AND c.email = ''`

func (q queries) liveDuplicateByPhone(ws catalog.WorkspaceID, r booking.Identity, e catalog.EventTypeID,
	start when.Instant) (contact booking.ContactID, id booking.BookingID, err error) {
	args := append([]any{start, e, ws, r.Key(), start, e, ws}, formsOf(ws, r)...)
	var ofContact booking.BookingID
	var only bool // the contact has no e-mail
	err = q.Each(liveDuplicateByPhone, append(args, e, start), func(scan func(...any) error) error {
		var c booking.ContactID
		var b booking.BookingID
		var text string
		if err := scan(&c, &b, &text); err != nil {
			return err
		}
		switch {
		case c == 0:
			var d details
			if text != "" {
				if err := json.Unmarshal([]byte(text), &d); err != nil {
					return fmt.Errorf("booking %s: %w", b, err)
				}
			}
			if id == 0 && d.Phone == r.Phone {
				id = b
			}
		case text == "":
			contact, ofContact, only = c, b, true
		case !only && r.HasPhone(text) && (contact == 0 || c < contact):
			contact, ofContact = c, b
		}
		return nil
	})
	if ofContact != 0 {
		id = ofContact
	}
	return contact, id, err
}

var liveStarts = `SELECT COUNT(*) FROM bookings WHERE host_id = ? AND start_ms >= ? AND start_ms < ? AND ` + live

func (q queries) LiveStarts(host catalog.HostID, from, to when.Instant) (n int, err error) {
	err = q.Scan(liveStarts, []any{host, from, to}, &n)
	return n, err
}

// counted selects the live bookings of an event type in a time. The JSON of those without an e-mail has the number.
var counted = `SELECT id, host_id, start_ms, contact_id, email,
	CASE WHEN email = '' THEN COALESCE(details, '') ELSE '' END FROM bookings
	WHERE event_type_id = ? AND start_ms >= ? AND start_ms < ? AND ` + live + ` ORDER BY start_ms`

func (q queries) Counted(e catalog.EventTypeID, r booking.Identity, from, to when.Instant) (all []availability.Counted,
	err error) {
	err = q.Each(counted, []any{e, from, to}, func(scan func(...any) error) error {
		var c availability.Counted
		var email, text string
		if err := scan(&c.ID, &c.Host, &c.Start, &c.Contact, &email, &text); err != nil {
			return err
		}
		switch {
		case email != "":
			c.Theirs = r.Email != "" && fault.EmailKey(email) == r.Key()
		case text != "" && r.ByPhone():
			var d details
			if err := json.Unmarshal([]byte(text), &d); err != nil {
				return fmt.Errorf("booking %s: %w", c.ID, err)
			}
			c.Theirs = d.Phone == r.Phone
		}
		all = append(all, c)
		return nil
	})
	return all, err
}

var lapsing = `SELECT ` + bookingColumns + ` FROM bookings WHERE ` + is(booking.Pending) + ` AND expires_ms <= ?
	AND ` + NoneGone

const lapsingOrder = ` ORDER BY expires_ms LIMIT ?`

func (q queries) Lapsing(of work.Buckets, now when.Instant, limit int) (all []booking.Booking, err error) {
	mine, buckets := In(of, `workspace_id`)
	args := append(append([]any{now}, buckets...), limit)
	err = q.Each(lapsing+mine+lapsingOrder, args, func(scan func(...any) error) error {
		b, err := scanBooking(scan)
		all = append(all, b)
		return err
	})
	return all, err
}

func (t tx) SaveBooking(b *booking.Booking, insert bool, steps []booking.Step) error {
	t.Show(booking.Saved{Booking: *b, Steps: len(steps)})
	save := t.updateBooking
	if insert {
		save = t.insertBooking
	}
	if err := save(b); err != nil {
		return err
	}
	if err := t.saveSpans(b, insert); err != nil {
		return err
	}
	for i, step := range steps {
		if err := t.insertHistory(b, insert && i == 0, step.History); err != nil {
			return err
		}
		for i := range step.Events {
			if err := t.InsertEvent(&step.Events[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
