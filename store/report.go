// The SQL of figures: what bookings add up to, and the sums of days that are kept.

package store

import (
	"encoding/json"
	"fmt"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/money"
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
		var currency, discounted *string
		if err := scan(&b.Start, &b.End, &b.EventType, &b.Host, &status, &price, &currency, &discounted); err != nil {
			return err
		}
		b.Status, b.Price, b.Currency = All[status], 0, ""
		if price != nil {
			b.Price, b.Currency = max(0, *price-discountOf(discounted)), *currency
		}
		add(&b)
		return nil
	})
}

// discounted are the details of a booking with a discount; null of all others.
const discounted = `CASE WHEN details LIKE '%"discount":%' THEN details END`

func discountOf(details *string) int64 {
	if details == nil {
		return 0
	}
	var d struct{ Discount *money.Money }
	_ = json.Unmarshal([]byte(*details), &d) // it is read as a booking elsewhere, where that would fail
	return d.Discount.Units()
}

func tally(ws catalog.WorkspaceID, from, to when.Instant) (string, []any) {
	const query = `SELECT start_ms, end_ms, event_type_id, host_id, status, price, currency, ` + discounted + ` FROM bookings
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

// received begins with the entries of the days. Of those without a booking the sale says what was sold.
const received = `SELECT c.at_ms, COALESCE(b.host_id, c.host_id, 0), c.currency, c.amount + c.tip, c.tip, c.method,
	c.booking_id IS NULL, COALESCE(c.gives_back, c.id), COALESCE(c.sale_id, 0), CASE WHEN c.booking_id IS NULL THEN s.content END
	FROM counter_entries c LEFT JOIN bookings b ON b.id = c.booking_id LEFT JOIN sales s ON s.id = c.sale_id
	WHERE c.workspace_id = ? AND c.at_ms >= ? AND c.at_ms < ? ORDER BY c.at_ms, c.id`

// receivedOnline begins with the payments of the days.
const receivedOnline = `SELECT p.paid_ms, b.host_id, p.currency, p.amount - p.refunded FROM payments p
	JOIN bookings b ON b.id = p.booking_id
	WHERE p.workspace_id = ? AND p.paid_ms >= ? AND p.paid_ms < ? AND p.status = 2 AND p.amount > p.refunded`

// paidLines returns for what the payments of a sale were, by their ids in the ledger.
func paidLines(content []byte) (map[booking.PaymentID]counter.LineKind, error) {
	var s struct {
		Lines []struct {
			ID   int
			Kind counter.LineKind
		}
		Payments []struct {
			Parts []struct {
				Line      int
				PaymentID booking.PaymentID
			}
		}
	}
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, err
	}
	kinds, paid := map[int]counter.LineKind{}, map[booking.PaymentID]counter.LineKind{}
	for _, l := range s.Lines {
		kinds[l.ID] = l.Kind
	}
	for _, p := range s.Payments {
		for _, part := range p.Parts {
			paid[part.PaymentID] = kinds[part.Line]
		}
	}
	return paid, nil
}

// Received implements report.FigureReader.
func (q queries) Received(ws catalog.WorkspaceID, from, to when.Instant, add func(*report.Received)) error {
	if to == 0 {
		to = 1<<63 - 1
	}
	r := report.Received{Method: report.Online}
	err := q.Each(receivedOnline, []any{ws, from, to}, func(scan func(...any) error) error {
		if err := scan(&r.At, &r.Host, &r.Currency, &r.Amount); err != nil {
			return err
		}
		add(&r)
		return nil
	})
	if err != nil {
		return err
	}
	var of counter.SaleID // whose lines are known, by the payments of the ledger
	var lines map[booking.PaymentID]counter.LineKind
	return q.Each(received, []any{ws, from, to}, func(scan func(...any) error) error {
		var method int
		var payment booking.PaymentID
		var sale counter.SaleID
		var content *string
		err := scan(&r.At, &r.Host, &r.Currency, &r.Amount, &r.Tip, &method, &r.Alone, &payment, &sale, &content)
		if err != nil {
			return err
		}
		if r.Method, r.Product = booking.Methods[method], false; content != nil {
			if of != sale {
				if lines, err = paidLines([]byte(*content)); err != nil {
					return fmt.Errorf("sale %s: %w", sale, err)
				}
				of = sale
			}
			r.Product = lines[payment] == counter.ProductLine
		}
		add(&r)
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
	if err != nil {
		return all, err
	}
	query, args = discounts, []any{ws, from, to}
	if host != 0 {
		query, args = hostDiscounts, []any{host, from, to, ws}
	}
	err = q.Each(query, args, func(scan func(...any) error) error {
		var status int
		var price int64
		var currency string
		var details *string
		err := scan(&status, &price, &currency, &details)
		for i := range all {
			if all[i].Status == All[status] && all[i].Currency == currency {
				all[i].Amount -= min(price, discountOf(details))
			}
		}
		return err
	})
	return all, err
}

const (
	discounts = `SELECT status, price, currency, details FROM bookings WHERE workspace_id = ? AND start_ms >= ?
		AND start_ms < ? AND price IS NOT NULL AND details LIKE '%"discount":%'`
	hostDiscounts = `SELECT status, price, currency, details FROM bookings WHERE host_id = ? AND start_ms >= ?
		AND start_ms < ? AND +workspace_id = ? AND price IS NOT NULL AND details LIKE '%"discount":%'`
)
