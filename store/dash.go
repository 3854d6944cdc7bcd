package store

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/store/row"
)

func (q queries) BookingSums(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant) (all []report.BookingSum, err error) {
	query, args := `SELECT status, COALESCE(currency, ''), COUNT(*), COALESCE(SUM(price), 0) FROM bookings
		WHERE workspace_id = ? AND start_ms >= ? AND start_ms < ? GROUP BY 1, 2`, []any{ws, from, to}
	if host != 0 {
		query, args = `SELECT status, COALESCE(currency, ''), COUNT(*), COALESCE(SUM(price), 0) FROM bookings
			WHERE host_id = ? AND start_ms >= ? AND start_ms < ? AND +workspace_id = ? GROUP BY 1, 2`, []any{host, from, to, ws}
	}
	err = q.Each(query, args, func(scan func(...any) error) error {
		var s report.BookingSum
		var status int
		err := scan(&status, &s.Currency, &s.Count, &s.Amount)
		s.Status = statuses[status]
		all = append(all, s)
		return err
	})
	return all, err
}

func (q queries) EventByID(id app.EventID) (e app.Event, err error) {
	err = q.Scan(`SELECT id, workspace_id, kind, COALESCE(booking_id, 0), created_ms, body FROM events WHERE id = ?`, []any{id},
		&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
	return e, row.Found(err)
}

func (t tx) UpdateContact(c *app.Contact) error {
	_, err := t.Exec(`UPDATE contacts SET email_key = ?, email = ?, name = ?, phone = ?, time_zone = ?, notes = ? WHERE id = ? AND workspace_id = ?`,
		fault.EmailKey(c.Email), c.Email, c.Name, c.Phone, c.TimeZone, c.Notes, c.ID, c.WorkspaceID)
	if err != nil {
		return row.Free(err)
	}
	if _, err := t.Exec(`DELETE FROM contact_terms WHERE contact_id = ?`, c.ID); err != nil {
		return err
	}
	return t.insertTerms(c)
}

func (t tx) MoveBookings(from, to app.ContactID, limit int) (int, error) {
	n, err := t.Exec(`UPDATE bookings SET contact_id = ? WHERE id IN (SELECT id FROM bookings WHERE contact_id = ? LIMIT ?)`, to, from, limit)
	return int(n), err
}

func (t tx) ForgetContact(id app.ContactID) error {
	if _, err := t.Exec(`DELETE FROM contact_terms WHERE contact_id = ?`, id); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM contacts WHERE id = ?`, id)
	return err
}
