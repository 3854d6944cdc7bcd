// The SQL of figures: what bookings add up to, and the sums of days that are kept.

package store

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package report reads and writes is here.
var (
	_ report.Reader = queries{}
	_ report.Reader = tx{}
	_ report.Tx     = tx{}
)

// FrozenFigures implements report.Reader.
func (q queries) FrozenFigures(do func(report.Figured) error) error {
	return q.Querier.Frozen(func(of *engine.Querier) error { return do(queries{&reading{Querier: of}}) })
}

// Tally reads one index in one pass.
func (q queries) Tally(ws catalog.WorkspaceID, from, to when.Instant, add func(*report.Tallied)) error {
	query, args := tally(ws, from, to)
	var b report.Tallied
	return q.Each(query, args, func(scan func(...any) error) error {
		var status int
		var price *int64
		var currency *string
		if err := scan(&b.Start, &b.End, &b.EventType, &b.Host, &status, &price, &currency); err != nil {
			return err
		}
		b.Status, b.Price, b.Currency = All[status], 0, ""
		if price != nil {
			b.Price, b.Currency = *price, *currency
		}
		add(&b)
		return nil
	})
}

func tally(ws catalog.WorkspaceID, from, to when.Instant) (string, []any) {
	const query = `SELECT start_ms, end_ms, event_type_id, host_id, status, price, currency FROM bookings
		WHERE workspace_id = ? AND start_ms >= ?`
	if to == 0 {
		return query + ` ORDER BY start_ms`, []any{ws, from}
	}
	return query + ` AND start_ms < ? ORDER BY start_ms`, []any{ws, from, to}
}

// revenue begins with the payments that were made online: those who make them are few next to all who book.
const revenue = `SELECT b.start_ms, b.event_type_id, b.host_id, p.currency, p.amount - p.refunded FROM payments p
	JOIN bookings b ON b.id = p.booking_id
	WHERE p.workspace_id = ? AND p.status = 2 AND p.amount > p.refunded AND b.start_ms >= ? AND b.start_ms < ?`

// shortRevenue begins with the bookings of the span, which are few.
const shortRevenue = `SELECT b.start_ms, b.event_type_id, b.host_id, p.currency, p.amount - p.refunded
	FROM bookings b CROSS JOIN payments p
	WHERE b.workspace_id = ? AND b.start_ms >= ? AND b.start_ms < ? AND p.booking_id = b.id AND p.status = 2
		AND p.amount > p.refunded`

// short is the longest span that is.
const short = 62 * 24 * time.Hour

// counterRevenue begins with the bookings of the span: at many counters nearly all of them are paid.
const counterRevenue = `SELECT b.start_ms, b.event_type_id, b.host_id, c.currency, c.amount + c.tip, c.method, c.tip
	FROM bookings b CROSS JOIN counter_entries c
	WHERE b.workspace_id = ? AND b.start_ms >= ? AND b.start_ms < ? AND c.booking_id = b.id`

// Revenue implements report.FigureReader.
func (q queries) Revenue(ws catalog.WorkspaceID, from, to when.Instant, add func(*report.Earned)) error {
	if to == 0 {
		to = 1<<63 - 1
	}
	e, online := report.Earned{Method: report.Online}, revenue
	if to <= from.Add(short) {
		online = shortRevenue
	}
	err := q.Each(online, []any{ws, from, to}, func(scan func(...any) error) error {
		if err := scan(&e.Start, &e.EventType, &e.Host, &e.Currency, &e.Amount); err != nil {
			return err
		}
		add(&e)
		return nil
	})
	if err != nil {
		return err
	}
	return q.Each(counterRevenue, []any{ws, from, to}, func(scan func(...any) error) error {
		var method int
		if err := scan(&e.Start, &e.EventType, &e.Host, &e.Currency, &e.Amount, &method, &e.Tip); err != nil {
			return err
		}
		e.Method = booking.Methods[method]
		add(&e)
		return nil
	})
}

func (q queries) BookingSums(ws catalog.WorkspaceID, host catalog.HostID, from,
	to when.Instant) (all []report.BookingSum, err error) {
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
		s.Status = All[status]
		all = append(all, s)
		return err
	})
	return all, err
}
