package store

import "daybook/app"

// Tally implements app.Reader in one pass over an index.
func (q queries) Tally(ws app.WorkspaceID, from, to app.Instant, add func(*app.Tallied)) error {
	query := `SELECT start_ms, end_ms, event_type_id, status, price, currency FROM bookings WHERE workspace_id = ? AND start_ms >= ?`
	args := []any{ws, from}
	if to != 0 {
		query += ` AND start_ms < ?`
		args = append(args, to)
	}
	var b app.Tallied
	return q.each(query+` ORDER BY start_ms`, args, func(scan func(...any) error) error {
		var status int
		var price *int64
		var currency *string
		if err := scan(&b.Start, &b.End, &b.EventType, &status, &price, &currency); err != nil {
			return err
		}
		b.Status, b.Price, b.Currency = statuses[status], 0, ""
		if price != nil {
			b.Price, b.Currency = *price, *currency
		}
		add(&b)
		return nil
	})
}
