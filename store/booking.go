package store

import (
	"fmt"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/row"
)

func (q queries) Booking(ws catalog.WorkspaceID, id app.BookingID) (app.Booking, error) {
	b, err := scanBooking(q.One(`SELECT `+bookingColumns+` FROM bookings WHERE id = ?`, id))
	if err == nil && b.WorkspaceID != ws {
		return app.Booking{}, fault.ErrNotFound
	}
	return b, row.Found(err)
}

func (q queries) BookingByID(id app.BookingID) (app.Booking, error) {
	b, err := scanBooking(q.One(`SELECT `+bookingColumns+` FROM bookings WHERE id = ?`, id))
	return b, row.Found(err)
}

// Bookings implements app.Reader. The text has one shape per set of filters in use, so few are ever prepared.
func (q queries) Bookings(ws catalog.WorkspaceID, f app.BookingFilter) ([]app.Booking, error) {
	query, args := listBookings(ws, f)
	all := make([]app.Booking, 0, min(f.Limit, 128))
	err := q.Each(query, args, func(scan func(...any) error) error {
		b, err := scanBooking(scan)
		all = append(all, b)
		return err
	})
	return all, err
}

// listBookings writes the SELECT of a list. The narrowest filter leads, so that its index is read in the order of the
// answer; a unary + keeps SQLite from choosing another one.
func listBookings(ws catalog.WorkspaceID, f app.BookingFilter) (string, []any) {
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
	if len(f.Contacts) > 0 {
		add(`contact_id IN (?` + strings.Repeat(`, ?`, len(f.Contacts)-1) + `)`)
		for _, id := range f.Contacts {
			args = append(args, id)
		}
	}
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
	query := `SELECT ` + bookingColumns + ` FROM bookings WHERE ` + strings.Join(where, ` AND `) + ` ORDER BY ` + order + ` LIMIT ?`
	return query, append(args, f.Limit)
}

// sameStart selects the live bookings of an event type that start at one time: as many as its hosts have seats.
const sameStart = `SELECT id, email FROM bookings WHERE event_type_id = ? AND start_ms = ? AND status < 3`

func (q queries) LiveDuplicate(ws catalog.WorkspaceID, email string, e catalog.EventTypeID, start when.Instant) (contact app.ContactID, id app.BookingID, err error) {
	const query = `SELECT c.id, COALESCE((SELECT b.id FROM bookings b WHERE b.contact_id = c.id AND b.start_ms = ? AND +b.event_type_id = ? AND b.status < 3 LIMIT 1), 0)
		FROM contacts c WHERE c.workspace_id = ? AND c.email_key = ?`
	key := fault.EmailKey(email)
	err = q.Scan(query, []any{start, e, ws, key}, &contact, &id)
	if err = row.Found(err); err != nil && err != fault.ErrNotFound || id != 0 {
		return contact, id, err
	}
	// The booking keeps the e-mail that it was made with when its contact gets another one, or is merged.
	err = q.Each(sameStart, []any{e, start}, func(scan func(...any) error) error {
		var b app.BookingID
		var email string
		err := scan(&b, &email)
		if fault.EmailKey(email) == key {
			id = b
		}
		return err
	})
	return contact, id, err
}

func (q queries) LiveStarts(host catalog.HostID, from, to when.Instant) (n int, err error) {
	const query = `SELECT COUNT(*) FROM bookings WHERE host_id = ? AND start_ms >= ? AND start_ms < ? AND status < 3`
	err = q.Scan(query, []any{host, from, to}, &n)
	return n, err
}

func (q queries) Lapsing(now when.Instant, limit int) (all []app.Booking, err error) {
	const query = `SELECT ` + bookingColumns + ` FROM bookings WHERE status = 0 AND expires_ms <= ? AND ` + ofNoneGone + ` ORDER BY expires_ms LIMIT ?`
	err = q.Each(query, []any{now, limit}, func(scan func(...any) error) error {
		b, err := scanBooking(scan)
		all = append(all, b)
		return err
	})
	return all, err
}

func (q queries) History(id app.BookingID) (all []app.HistoryEntry, err error) {
	const query = `SELECT at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, amount, currency FROM booking_history WHERE booking_id = ? ORDER BY seq LIMIT 1000`
	err = q.Each(query, []any{id}, func(scan func(...any) error) error {
		var h app.HistoryEntry
		var from *int
		var to int
		var amount *int64
		var currency *string
		if err := scan(&h.At, &h.Actor, &h.By, &h.Action, &from, &to, &h.Start, &h.Reason, &amount, &currency); err != nil {
			return err
		}
		h.Amount = amountOf(amount, currency)
		if from != nil {
			h.From = statuses[*from]
		}
		h.To = statuses[to]
		all = append(all, h)
		return nil
	})
	return all, err
}

func (t tx) SaveBooking(b *app.Booking, insert bool, steps []app.Step) error {
	save := t.updateBooking
	if insert {
		save = t.insertBooking
	}
	if err := save(b); err != nil {
		return err
	}
	for i, step := range steps {
		if err := t.insertHistory(b.ID, insert && i == 0, step.History); err != nil {
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

func (t tx) insertHistory(id app.BookingID, first bool, h app.HistoryEntry) error {
	if first {
		_, err := t.Exec(`INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason, host_id, told) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, h.At, h.Actor, h.By, h.Action, statusCode(h.To), h.Start, h.Reason, row.OrNull(h.Host), told(h))
		return err
	}
	var amount, currency any
	if h.Amount != nil {
		amount, currency = h.Amount.Amount, h.Amount.Currency
	}
	_, err := t.Exec(`INSERT INTO booking_history
		(booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, told, amount, currency)
		SELECT ?, COALESCE(MAX(seq), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM booking_history WHERE booking_id = ?`,
		id, h.At, h.Actor, h.By, h.Action, statusCode(h.From), statusCode(h.To), h.Start, h.Reason, row.OrNull(h.Host), told(h), amount, currency, id)
	return err
}

// amountOf is the amount of two columns, or nil.
func amountOf(amount *int64, currency *string) *catalog.Money {
	if amount == nil || currency == nil {
		return nil
	}
	return &catalog.Money{Amount: *amount, Currency: *currency}
}

// told is the column of whether mails have been written of a change.
func told(h app.HistoryEntry) any {
	if h.WriteMails {
		return 0
	}
	return nil
}
