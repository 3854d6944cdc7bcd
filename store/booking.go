package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	all, err := q.listed(ws, f, false)
	if err != nil || !f.HasOthers || f.Host == 0 || f.Contact != 0 || f.EventType != 0 || f.ChangedSince != 0 {
		return all, err
	}
	beside, err := q.listed(ws, f, true)
	if err != nil || len(beside) == 0 {
		return all, err
	}
	all = append(all, beside...)
	slices.SortFunc(all, func(a, b booking.Booking) int {
		order := cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID))
		if f.Descending {
			return -order
		}
		return order
	})
	return all[:min(len(all), f.Limit)], nil
}

// listed lists the bookings of a filter; beside lists, of one by a host, those that they do beside another one.
func (q queries) listed(ws catalog.WorkspaceID, f booking.BookingFilter, beside bool) ([]booking.Booking, error) {
	query, args := listBookings(ws, f, beside)
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
// answer; a unary + keeps SQLite from choosing another one. For what beside is, see listed: it is read in the order of its
// own table.
func listBookings(ws catalog.WorkspaceID, f booking.BookingFilter, beside bool) (string, []any) {
	var where []string
	var args []any
	add := func(term string, values ...any) {
		where = append(where, term)
		args = append(args, values...)
	}
	from, start, by, id := "bookings", "start_ms", "start_ms", "id"
	ofSeries := f.Series != 0 && f.ChangedSince == 0 && !beside // leads: there are few, and they are sorted
	switch {
	case f.ChangedSince != 0:
		start, by = "+start_ms", changed
		add(changed+` >= ?`, f.ChangedSince)
	case beside:
		from, start, by, id = othersFirst, "other_start_ms", "other_start_ms", "other_booking"
		add(`other_host = ? AND other_workspace = ? AND id = other_booking`, f.Host, ws)
	case ofSeries:
		add(bookingsOfSeries, ws, f.Series)
	case f.Contact != 0:
		add(`contact_id = ?`, f.Contact)
	case f.EventType != 0:
		add(`event_type_id = ?`, f.EventType)
	case f.Host != 0:
		add(`host_id = ?`, f.Host)
	}
	if len(where) == 0 || f.ChangedSince != 0 {
		add(`workspace_id = ?`, ws)
	} else {
		add(`+workspace_id = ?`, ws)
	}
	behindAnother := f.ChangedSince != 0 || ofSeries
	if f.Contact != 0 && behindAnother {
		add(`+contact_id = ?`, f.Contact)
	}
	if f.EventType != 0 && (f.Contact != 0 || behindAnother) {
		add(`+event_type_id = ?`, f.EventType)
	}
	if f.Host != 0 && (f.Contact != 0 || f.EventType != 0 || behindAnother) {
		addHosts(add, f.HasOthers, f.Host)
	}
	if f.Series != 0 && !ofSeries {
		add(`+`+bookingsOfSeries, ws, f.Series)
	}
	engine.AddAny(&where, &args, `contact_id`, f.Contacts)
	engine.AddAny(&where, &args, `+event_type_id`, f.EventTypes)
	addHosts(add, f.HasOthers, f.Hosts...)
	if f.From != 0 {
		add(start+` >= ?`, f.From)
	}
	if f.To != 0 {
		add(start+` < ?`, f.To)
	}
	if f.EndsAfter != 0 {
		add(start+` > ? AND end_ms > ?`, f.EndsAfter.Add(-f.LongestLookup), f.EndsAfter)
	}
	if f.EndsBy != 0 {
		add(start+` <= ? AND end_ms <= ?`, f.EndsBy, f.EndsBy)
	}
	if len(f.Statuses) > 0 {
		add(`status IN (?` + strings.Repeat(`, ?`, len(f.Statuses)-1) + `)`)
		for _, s := range f.Statuses {
			args = append(args, statusCode(s))
		}
	}
	behind, order := `>`, by+`, `+id
	if f.Descending {
		behind, order = `<`, by+` DESC, `+id+` DESC`
	}
	if f.AfterID != 0 {
		add(fmt.Sprintf(`(%s, %s) %s (?, ?)`, by, id, behind), f.After, f.AfterID)
	}
	columns := bookingColumns
	if f.Brief {
		columns = briefColumns
	}
	query := `SELECT ` + columns + ` FROM ` + from + ` WHERE ` + strings.Join(where, ` AND `) + ` ORDER BY ` + order +
		` LIMIT ?`
	return query, append(args, f.Limit)
}

// changed is when a booking was last changed or, if it never was, made.
const changed = `COALESCE(updated_ms, created_ms)`

// othersFirst is what listBookings reads from for what somebody does beside a host.
const othersFirst = `(SELECT workspace_id AS other_workspace, booking_id AS other_booking, host_id AS other_host,
	start_ms AS other_start_ms FROM booking_others) s CROSS JOIN bookings`

// addHosts adds the term for bookings that one of the hosts leads or, if there are such, does beside another one.
func addHosts(add func(string, ...any), hasOthers bool, hosts ...catalog.HostID) {
	if len(hosts) == 0 {
		return
	}
	in := ` IN (?` + strings.Repeat(`, ?`, len(hosts)-1) + `)`
	var args []any
	for _, h := range hosts {
		args = append(args, h)
	}
	if !hasOthers {
		add(`+host_id`+in, args...)
		return
	}
	add(`(+host_id`+in+` OR EXISTS (SELECT 1 FROM booking_others o WHERE o.workspace_id = bookings.workspace_id
		AND o.booking_id = bookings.id AND o.host_id`+in+`))`, append(args, args...)...)
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
		if err := scan(&c.ID, &c.Host, &c.Start, engine.OrZero(&c.Contact), &email, &text); err != nil {
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

// GiveContact implements app.BookingWriter. Other saves leave the contact alone, which merging changes without the host.
func (t tx) GiveContact(b *booking.Booking) error {
	_, err := t.Exec(`UPDATE bookings SET contact_id = ? WHERE id = ? AND workspace_id = ? AND contact_id IS NULL`,
		b.ContactID, b.ID, b.WorkspaceID)
	return err
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
	if err := errors.Join(t.saveSpans(b, insert), t.saveOthers(b, insert)); err != nil {
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
