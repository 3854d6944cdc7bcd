package store

import (
	"encoding/json"
	"fmt"

	"daybook/app"
)

func (q queries) BookingSums(ws app.WorkspaceID, host app.HostID, from, to app.Instant) (all []app.BookingSum, err error) {
	query, args := `SELECT status, COALESCE(currency, ''), COUNT(*), COALESCE(SUM(price), 0) FROM bookings
		WHERE workspace_id = ? AND start_ms >= ? AND start_ms < ? GROUP BY 1, 2`, []any{ws, from, to}
	if host != 0 {
		query, args = `SELECT status, COALESCE(currency, ''), COUNT(*), COALESCE(SUM(price), 0) FROM bookings
			WHERE host_id = ? AND start_ms >= ? AND start_ms < ? AND +workspace_id = ? GROUP BY 1, 2`, []any{host, from, to, ws}
	}
	err = q.each(query, args, func(scan func(...any) error) error {
		var s app.BookingSum
		var status int
		err := scan(&status, &s.Currency, &s.Count, &s.Amount)
		s.Status = statuses[status]
		all = append(all, s)
		return err
	})
	return all, err
}

func (q queries) EventByID(id app.EventID) (e app.Event, err error) {
	err = q.scan(`SELECT id, workspace_id, kind, COALESCE(booking_id, 0), created_ms, body FROM events WHERE id = ?`, []any{id},
		&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
	return e, found(err)
}

func (t tx) UpdateContact(c *app.Contact) error {
	_, err := t.exec(`UPDATE contacts SET email_key = ?, email = ?, name = ?, phone = ?, time_zone = ?, notes = ? WHERE id = ? AND workspace_id = ?`,
		app.EmailKey(c.Email), c.Email, c.Name, c.Phone, c.TimeZone, c.Notes, c.ID, c.WorkspaceID)
	if err != nil {
		return free(err)
	}
	if _, err := t.exec(`DELETE FROM contact_terms WHERE contact_id = ?`, c.ID); err != nil {
		return err
	}
	return t.insertTerms(c)
}

func (t tx) MoveBookings(from, to app.ContactID) error {
	for _, query := range []string{`UPDATE bookings SET contact_id = ? WHERE contact_id = ?`} {
		if _, err := t.exec(query, to, from); err != nil {
			return err
		}
	}
	if _, err := t.exec(`DELETE FROM contact_terms WHERE contact_id = ?`, from); err != nil {
		return err
	}
	_, err := t.exec(`DELETE FROM contacts WHERE id = ?`, from)
	return err
}

// Anonymise implements app.DashWriter. The row of the contact stays, without anything in it, for its bookings to refer to.
func (t tx) Anonymise(c *app.Contact) error {
	var bookings []app.BookingID
	addresses := map[string]bool{app.EmailKey(c.Email): true} // a merged contact booked with others too
	err := t.each(`SELECT id, email FROM bookings WHERE contact_id = ?`, []any{c.ID}, func(scan func(...any) error) error {
		var id app.BookingID
		var email string
		err := scan(&id, &email)
		bookings = append(bookings, id)
		addresses[app.EmailKey(email)] = true
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range bookings {
		if err := t.anonymiseBooking(id); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		query string
		arg   any
	}{
		{`DELETE FROM contact_terms WHERE contact_id = ?`, c.ID},
		{`UPDATE checkouts SET request = json_set(request, '$.email', 'deleted@invalid') WHERE booking_id IN (SELECT id FROM bookings WHERE contact_id = ?)`, c.ID},
		{`UPDATE payment_cards SET customer = NULL, source = NULL, consent_ms = NULL WHERE booking_id IN (SELECT id FROM bookings WHERE contact_id = ?)`, c.ID},
		{`UPDATE contacts SET email_key = 'deleted:' || id, email = '', name = '', phone = '', time_zone = '', notes = '' WHERE id = ?`, c.ID},
	} {
		if _, err := t.exec(part.query, part.arg); err != nil {
			return err
		}
	}
	for address := range addresses {
		if err := t.forgetAddress(c.WorkspaceID, address); err != nil {
			return err
		}
	}
	return nil
}

// forgetAddress removes what is kept by an e-mail address, as it is compared.
func (t tx) forgetAddress(ws app.WorkspaceID, address string) error {
	if _, err := t.exec(`DELETE FROM answers WHERE key_id IN (SELECT id FROM api_keys WHERE workspace_id = ?) AND instr(lower(CAST(body AS TEXT)), ?) > 0`, ws, address); err != nil {
		return err
	}
	if _, err := t.exec(`DELETE FROM mails WHERE workspace_id = ? AND lower(recipient) = ?`, ws, address); err != nil {
		return err
	}
	_, err := t.exec(`DELETE FROM mail_refusals WHERE workspace_id = ? AND email_key = ?`, ws, address)
	return err
}

func (t tx) anonymiseBooking(id app.BookingID) error {
	b, err := t.BookingByID(id)
	if err != nil {
		return err
	}
	b.Invitee = app.Invitee{Name: "Deleted contact", Email: "deleted@invalid"}
	b.Notes, b.Answers, b.Metadata = "", nil, nil
	if b.Cancellation != nil {
		b.Cancellation.Reason = ""
	}
	if err := t.updateBooking(&b); err != nil {
		return err
	}
	if _, err := t.exec(`UPDATE bookings SET name = ?, email = ? WHERE id = ?`, b.Invitee.Name, b.Invitee.Email, id); err != nil {
		return err
	}
	if _, err := t.exec(`UPDATE booking_history SET reason = '' WHERE booking_id = ?`, id); err != nil {
		return err
	}
	if _, err := t.exec(`DELETE FROM mails WHERE booking_id = ?`, id); err != nil {
		return err
	}
	return t.anonymiseEvents(id)
}

// anonymiseEvents takes the person out of what receivers were told, so that it can still be sent again.
func (t tx) anonymiseEvents(id app.BookingID) error {
	bodies := map[app.EventID][]byte{}
	err := t.each(`SELECT id, body FROM events WHERE booking_id = ?`, []any{id}, func(scan func(...any) error) error {
		var e app.EventID
		var body []byte
		err := scan(&e, &body)
		bodies[e] = body
		return err
	})
	if err != nil {
		return err
	}
	for e, body := range bodies {
		var told map[string]any
		if err := json.Unmarshal(body, &told); err != nil {
			return fmt.Errorf("event %s: %w", e, err)
		}
		if data, ok := told["data"].(map[string]any); ok {
			data["invitee"] = map[string]any{"name": "Deleted contact", "email": "deleted@invalid"}
			for key, empty := range map[string]any{"notes": "", "reason": "", "answers": map[string]any{}, "metadata": map[string]any{}, "manageUrl": ""} {
				if _, has := data[key]; has {
					data[key] = empty
				}
			}
			if c, ok := data["cancellation"].(map[string]any); ok {
				c["reason"] = ""
			}
		}
		clean, err := json.Marshal(told)
		if err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE events SET body = ? WHERE id = ?`, clean, e); err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE deliveries SET response = NULL WHERE event_id = ?`, e); err != nil {
			return err
		}
	}
	return nil
}

// ofWorkspace empties every table of a workspace's rows, what refers before what is referred to (TestDeleteWorkspace
// knows all tables).
var ofWorkspace = []string{
	`DELETE FROM answers WHERE key_id IN (SELECT id FROM api_keys WHERE workspace_id = ?)`,
	`DELETE FROM api_keys WHERE workspace_id = ?`,
	`DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE workspace_id = ?)`,
	`DELETE FROM invitations WHERE user_id IN (SELECT id FROM users WHERE workspace_id = ?)`,
	`DELETE FROM users WHERE workspace_id = ?`,
	`DELETE FROM deliveries WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE workspace_id = ?)`,
	`DELETE FROM events WHERE workspace_id = ?`,
	`DELETE FROM webhook_endpoints WHERE workspace_id = ?`,
	`DELETE FROM mails WHERE workspace_id = ?`,
	`DELETE FROM mail_servers WHERE workspace_id = ?`,
	`DELETE FROM mail_refusals WHERE workspace_id = ?`,
	`DELETE FROM calendar_feeds WHERE workspace_id = ?`,
	`DELETE FROM payment_jobs WHERE workspace_id = ?`,
	`DELETE FROM checkouts WHERE workspace_id = ?`,
	`DELETE FROM payments WHERE workspace_id = ?`,
	`DELETE FROM payment_cards WHERE workspace_id = ?`,
	`DELETE FROM provider_events WHERE workspace_id = ?`,
	`DELETE FROM payment_accounts WHERE workspace_id = ?`,
	`DELETE FROM booking_history WHERE booking_id IN (SELECT id FROM bookings WHERE workspace_id = ?)`,
	`DELETE FROM bookings WHERE workspace_id = ?`,
	`DELETE FROM contact_terms WHERE workspace_id = ?`,
	`DELETE FROM contacts WHERE workspace_id = ?`,
	`DELETE FROM event_types WHERE workspace_id = ?`,
	`DELETE FROM hosts WHERE workspace_id = ?`,
	`DELETE FROM workspaces WHERE id = ?`,
}

func (t tx) DeleteWorkspace(id app.WorkspaceID) error {
	for _, query := range ofWorkspace {
		if _, err := t.exec(query, id); err != nil {
			return err
		}
	}
	return nil
}
