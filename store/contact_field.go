// The SQL of the fields that a workspace keeps of its contacts besides the usual ones.

package store

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	// notRemoved leaves out the values of removed fields, which wait to be deleted.
	notRemoved = ` AND NOT EXISTS (SELECT 1 FROM removed_fields r WHERE r.workspace_id = f.workspace_id AND r.field_id = f.field_id)`

	// These look at as many rows as they count: whoever removes a field is told how many values go.
	fieldValues   = `SELECT COUNT(*) FROM contact_fields WHERE workspace_id = ? AND field_id = ?`
	fieldWritten  = `SELECT COUNT(*) FROM booking_fields WHERE workspace_id = ? AND field_id = ?`
	writtenFields = `SELECT f.booking_id, f.field_key, f.value FROM booking_fields f WHERE f.workspace_id = ?` + notRemoved +
		` AND f.booking_id IN `
	// writtenBy begins with the latest booking of the contact; each has few rows.
	writtenBy = `SELECT b.id, b.start_ms, f.field_key, f.value FROM bookings b CROSS JOIN booking_fields f
		WHERE b.contact_id = ? AND +b.workspace_id = ? AND f.booking_id = b.id AND +f.workspace_id = b.workspace_id` + notRemoved +
		` ORDER BY b.id DESC LIMIT ?`

	setField = `INSERT INTO contact_fields (workspace_id, contact_id, field_id, field_key, value) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, contact_id, field_id) DO UPDATE SET value = excluded.value`
	clearField    = `DELETE FROM contact_fields WHERE workspace_id = ? AND contact_id = ? AND field_id = ?`
	writeField    = `INSERT INTO booking_fields (workspace_id, booking_id, field_id, field_key, value) VALUES (?, ?, ?, ?, ?)`
	dropFields    = `DELETE FROM contact_fields WHERE workspace_id = ? AND contact_id = ?`
	dropWritten   = `DELETE FROM booking_fields WHERE workspace_id = ? AND booking_id = ?`
	removeField   = `INSERT INTO removed_fields (workspace_id, field_id, removed_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
	removedFields = `SELECT workspace_id, field_id FROM removed_fields ORDER BY removed_ms LIMIT ?`
)

// dropValues delete some values of a removed field.
var dropValues = []string{
	`DELETE FROM contact_fields WHERE (workspace_id, contact_id, field_id) IN (SELECT workspace_id, contact_id, field_id
		FROM contact_fields WHERE workspace_id = ? AND field_id = ? LIMIT ?)`,
	`DELETE FROM booking_fields WHERE (workspace_id, booking_id, field_id) IN (SELECT workspace_id, booking_id, field_id
		FROM booking_fields WHERE workspace_id = ? AND field_id = ? LIMIT ?)`,
}

// FieldValues implements booking.FieldReader, as the methods below do.
func (q queries) FieldValues(ws catalog.WorkspaceID, field catalog.ContactFieldID) (n int, err error) {
	written := 0
	if err = q.Scan(fieldValues, []any{ws, field}, &n); err == nil {
		err = q.Scan(fieldWritten, []any{ws, field}, &written)
	}
	return n + written, err
}

func (q queries) ReadWritten(ws catalog.WorkspaceID, of []booking.Booking) error {
	at := make(map[booking.BookingID]*booking.Booking, len(of))
	ids := make([]booking.BookingID, len(of))
	for i := range of {
		ids[i], at[of[i].ID] = of[i].ID, &of[i]
		of[i].ContactFields = nil
	}
	for part := range engine.Few(ids) {
		args := []any{ws}
		for _, b := range part {
			args = append(args, b)
		}
		err := q.Each(writtenFields+engine.Placeholders(len(part)), args, func(scan func(...any) error) error {
			var one booking.BookingID
			var key, value string
			err := scan(&one, &key, &value)
			if b := at[one]; b != nil {
				if b.ContactFields == nil {
					b.ContactFields = map[string]string{}
				}
				b.ContactFields[key] = value
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// WrittenBy implements contact.CardReads.
func (q queries) WrittenBy(ws catalog.WorkspaceID, c booking.ContactID, limit int) ([]contact.Written, error) {
	return engine.List(q, func(scan func(...any) error) (w contact.Written, err error) {
		err = scan(&w.Booking, &w.Start, &w.Key, &w.Value)
		return w, err
	}, writtenBy, c, ws, limit)
}

// SetField implements booking.FieldWriter, as the methods below do.
func (t tx) SetField(ws catalog.WorkspaceID, c booking.ContactID, field catalog.ContactFieldID, key, value string) error {
	if value == "" {
		_, err := t.Exec(clearField, ws, c, field)
		return err
	}
	return t.Later(setField, ws, c, field, key, value)
}

func (t tx) WriteField(ws catalog.WorkspaceID, b booking.BookingID, field catalog.ContactFieldID, key, value string) error {
	return t.Later(writeField, ws, b, field, key, value)
}

func (t tx) RemoveField(ws catalog.WorkspaceID, field catalog.ContactFieldID, now when.Instant) error {
	_, err := t.Exec(removeField, ws, field, now)
	return err
}

// RemovedFields implements contact.CardReads.
func (q queries) RemovedFields(limit int) ([]contact.RemovedField, error) {
	return engine.List(q, func(scan func(...any) error) (f contact.RemovedField, err error) {
		err = scan(&f.Workspace, &f.ID)
		return f, err
	}, removedFields, limit)
}

// DropValues implements contact.CardWrites.
func (t tx) DropValues(f contact.RemovedField, limit int) (dropped int, err error) {
	for _, query := range dropValues {
		n, err := t.Exec(query, f.Workspace, f.ID, limit-dropped)
		if dropped += int(n); err != nil || dropped >= limit {
			return dropped, err
		}
	}
	return dropped, nil
}

// ForgetRemoved implements contact.CardWrites.
func (t tx) ForgetRemoved(f contact.RemovedField) error {
	_, err := t.Exec(`DELETE FROM removed_fields WHERE workspace_id = ? AND field_id = ?`, f.Workspace, f.ID)
	return err
}
