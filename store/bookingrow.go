package store

import (
	"encoding/json"
	"fmt"
	"slices"

	"daybook/app"
)

const bookingColumns = `id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms,
	name, email, location, price, no_show_fee, currency, needs, expires_ms, created_ms, updated_ms, details`

// statuses are the states by their stored code; those below 3 are live.
var statuses = [...]app.Status{app.Pending, app.Confirmed, app.Rescheduled, app.Cancelled, app.NoShow}

func statusCode(s app.Status) int { return slices.Index(statuses[:], s) }

const (
	needsPayment  = 1
	needsApproval = 2
)

// details are the parts of a booking that most bookings do not have and no query asks for: a NULL when there are none.
type details struct {
	Phone        string            `json:"phone,omitempty"`
	TimeZone     string            `json:"timeZone,omitempty"`
	Locale       string            `json:"locale,omitempty"`
	Notes        string            `json:"notes,omitempty"`
	Answers      map[string]any    `json:"answers,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	Previous     app.Instant       `json:"previousStart,omitzero"`
	Moves        int               `json:"moves,omitempty"`
	Cancellation *app.Cancellation `json:"cancellation,omitempty"`
	NoShow       *app.NoShowRecord `json:"noShow,omitempty"`
	Payment      *app.Payment      `json:"payment,omitempty"`
}

// encodeDetails is the column's value: JSON, or nil when there is nothing in it.
func encodeDetails(b *app.Booking) (any, error) {
	text, err := json.Marshal(details{
		Phone: b.Invitee.Phone, TimeZone: b.Invitee.TimeZone, Locale: b.Invitee.Locale, Notes: b.Notes, Answers: b.Answers,
		Metadata: b.Metadata, Previous: b.PreviousStart, Moves: b.RescheduleCount, Cancellation: b.Cancellation, NoShow: b.NoShow, Payment: b.Payment,
	})
	if err != nil || string(text) == "{}" {
		return nil, err
	}
	return string(text), nil
}

func (d *details) into(b *app.Booking) {
	b.Invitee.Phone, b.Invitee.TimeZone, b.Invitee.Locale = d.Phone, d.TimeZone, d.Locale
	b.Notes, b.PreviousStart, b.RescheduleCount = d.Notes, d.Previous, d.Moves
	b.Cancellation, b.NoShow, b.Payment = d.Cancellation, d.NoShow, d.Payment
	if d.Answers != nil {
		b.Answers = d.Answers
	}
	if d.Metadata != nil {
		b.Metadata = d.Metadata
	}
}

func scanBooking(scan func(...any) error) (b app.Booking, err error) {
	var status, needs int
	var location, currency *string
	var price, fee *int64
	var expires, updated *int64
	var raw []byte
	err = scan(&b.ID, &b.WorkspaceID, &b.EventTypeID, &b.Host.ID, &b.ContactID, &status, &b.Start, &b.End, &b.BusyStart, &b.BusyEnd,
		&b.Invitee.Name, &b.Invitee.Email, &location, &price, &fee, &currency, &needs, &expires, &b.CreatedAt, &updated, &raw)
	if err != nil {
		return b, err
	}
	if status < 0 || status >= len(statuses) {
		return b, fmt.Errorf("booking %s has the unknown status %d", b.ID, status)
	}
	b.Status, b.NeedsPay, b.NeedsOK = statuses[status], needs&needsPayment != 0, needs&needsApproval != 0
	if b.UpdatedAt = b.CreatedAt; updated != nil {
		b.UpdatedAt = app.Instant(*updated)
	}
	if location != nil {
		b.Location = *location
	}
	if currency != nil {
		b.Price, b.NoShowFee = money(price, *currency), money(fee, *currency)
	}
	if expires != nil {
		b.ExpiresAt = app.Instant(*expires)
		reason := app.ForApproval
		if b.NeedsPay {
			reason = app.ForPayment
		}
		b.PendingReason = &reason
	}
	b.Answers, b.Metadata = map[string]any{}, map[string]string{}
	if raw == nil {
		return b, nil
	}
	var d details
	if err := json.Unmarshal(raw, &d); err != nil {
		return b, fmt.Errorf("booking %s: %w", b.ID, err)
	}
	d.into(&b)
	return b, nil
}

func money(amount *int64, currency string) *app.Money {
	if amount == nil {
		return nil
	}
	return &app.Money{Amount: *amount, Currency: currency}
}

// columns are the values of the columns that may change, in the order of the statements below.
func bookingValues(b *app.Booking) ([]any, error) {
	d, err := encodeDetails(b)
	if err != nil {
		return nil, err
	}
	var price, fee, currency any
	for _, m := range []struct {
		money *app.Money
		to    *any
	}{{b.Price, &price}, {b.NoShowFee, &fee}} {
		if m.money != nil {
			*m.to, currency = m.money.Amount, m.money.Currency
		}
	}
	needs := 0
	if b.NeedsPay {
		needs |= needsPayment
	}
	if b.NeedsOK {
		needs |= needsApproval
	}
	return []any{
		b.Host.ID, statusCode(b.Status), b.Start, b.End, b.BusyStart, b.BusyEnd, b.Invitee.Name, b.Invitee.Email,
		orNull(b.Location), price, fee, currency, needs, orNull(b.ExpiresAt), updatedMillis(b), d,
	}, nil
}

// updatedMillis is NULL for a booking that was never changed.
func updatedMillis(b *app.Booking) any {
	if b.UpdatedAt == b.CreatedAt {
		return nil
	}
	return b.UpdatedAt
}

func (t tx) insertBooking(b *app.Booking) error {
	values, err := bookingValues(b)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO bookings (host_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, location, price, no_show_fee,
		currency, needs, expires_ms, updated_ms, details, id, workspace_id, event_type_id, contact_id, created_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(values, b.ID, b.WorkspaceID, b.EventTypeID, b.ContactID, b.CreatedAt)...)
	return err
}

func (t tx) updateBooking(b *app.Booking) error {
	values, err := bookingValues(b)
	if err != nil {
		return err
	}
	_, err = t.exec(`UPDATE bookings SET host_id = ?, status = ?, start_ms = ?, end_ms = ?, busy_start_ms = ?, busy_end_ms = ?, name = ?, email = ?,
		location = ?, price = ?, no_show_fee = ?, currency = ?, needs = ?, expires_ms = ?, updated_ms = ?, details = ? WHERE id = ?`,
		append(values, b.ID)...)
	return err
}
