package store

import "daybook/app"

// Tally implements app.Reader in one pass over an index.
func (q queries) Tally(ws app.WorkspaceID, from, to app.Instant, add func(*app.Tallied)) error {
	query, args := tally(ws, from, to)
	var b app.Tallied
	return q.each(query, args, func(scan func(...any) error) error {
		var status int
		var price *int64
		var currency *string
		if err := scan(&b.Start, &b.End, &b.EventType, &b.Host, &status, &price, &currency); err != nil {
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

func tally(ws app.WorkspaceID, from, to app.Instant) (string, []any) {
	const query = `SELECT start_ms, end_ms, event_type_id, host_id, status, price, currency FROM bookings WHERE workspace_id = ? AND start_ms >= ?`
	if to == 0 {
		return query + ` ORDER BY start_ms`, []any{ws, from}
	}
	return query + ` AND start_ms < ? ORDER BY start_ms`, []any{ws, from, to}
}
