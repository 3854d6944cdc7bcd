package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/store/engine"
)

const (
	receipts = `SELECT r.id, r.workspace_id, r.host_id, r.year, r.number, r.customer, r.content, x.id, x.year, x.number
		FROM receipts r LEFT JOIN receipts x ON x.workspace_id = r.workspace_id AND x.reverses = r.id`
	receiptsOf = receipts + ` WHERE r.booking_id IN `
	// The receipts of sales of several bookings.
	salesOf         = `SELECT sale_id FROM sale_bookings WHERE booking_id IN `
	receiptsOfSales = receipts + ` WHERE r.booking_id IS NULL AND r.sale_id IN `

	oneReceipt = receipts + ` WHERE r.id = ? AND r.workspace_id = ?`
	nextNumber = `INSERT INTO receipt_counters (workspace_id, year, last) VALUES (?, ?, 1)
		ON CONFLICT (workspace_id, year) DO UPDATE SET last = receipt_counters.last + 1 RETURNING last`
)

func scanReceipt(scan func(...any) error) (r counter.Receipt, err error) {
	var content []byte
	var customer string
	var ws catalog.WorkspaceID
	var host catalog.HostID
	var by counter.Ref
	var year, byYear int
	var number, byNumber int64
	var id booking.ReceiptID
	err = scan(&id, &ws, engine.OrZero(&host), &year, &number, engine.OrZero(&customer), &content, engine.OrZero(&by.ID), engine.OrZero(&byYear),
		engine.OrZero(&byNumber))
	if err != nil {
		return r, engine.Found(err)
	}
	if err := json.Unmarshal(content, &r); err != nil {
		return r, fmt.Errorf("receipt %s: %w", id, err)
	}
	r.ID, r.WorkspaceID, r.Host, r.Year, r.NumberInYear, r.Customer = id, ws, host, year, number, customer
	r.Number = counter.NumberOf(year, number)
	if by.ID != 0 {
		by.Number = counter.NumberOf(byYear, byNumber)
		r.ReversedBy = &by
	}
	return r, nil
}

func (q queries) Receipt(ws catalog.WorkspaceID, id booking.ReceiptID) (counter.Receipt, error) {
	return scanReceipt(q.One(oneReceipt, id, ws))
}

func (q queries) Receipts(ws catalog.WorkspaceID, f counter.ReceiptFilter) ([]counter.Receipt, error) {
	query, args := listReceipts(ws, f)
	return engine.List(q, scanReceipt, query, args...)
}

// ReceiptsOf implements own.Reads.
func (q queries) ReceiptsOf(of []booking.BookingID) (all []counter.Receipt, err error) {
	add := func(scan func(...any) error) error {
		r, err := scanReceipt(scan)
		all = append(all, r)
		return err
	}
	if err := engine.EachOf(q, receiptsOf, of, add); err != nil {
		return nil, err
	}
	var sales []counter.SaleID
	err = engine.EachOf(q, salesOf, of, func(scan func(...any) error) error {
		var id counter.SaleID
		err := scan(&id)
		sales = append(sales, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(sales)
	if err := engine.EachOf(q, receiptsOfSales, slices.Compact(sales), add); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b counter.Receipt) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// listReceipts writes the SELECT of a list. The narrowest filter leads, so that its index is read in the order of the
// answer; a unary + keeps SQLite from choosing another one.
func listReceipts(ws catalog.WorkspaceID, f counter.ReceiptFilter) (string, []any) {
	var where []string
	var args []any
	add := func(term string, value any) { where, args = append(where, term), append(args, value) }
	switch {
	case f.Booking != 0:
		add(`r.id IN (SELECT id FROM receipts WHERE booking_id = ? UNION ALL SELECT x.id FROM sale_bookings s
			JOIN receipts x ON x.sale_id = s.sale_id WHERE x.booking_id IS NULL AND s.booking_id = ?)`, f.Booking)
		args = append(args, f.Booking)
		if f.Host != 0 {
			add(`+r.host_id = ?`, f.Host)
		}
		add(`+r.workspace_id = ?`, ws)
	case f.Host != 0:
		add(`r.host_id = ?`, f.Host)
		add(`+r.workspace_id = ?`, ws)
	default:
		add(`r.workspace_id = ?`, ws)
	}
	if f.From != 0 {
		add(`r.id >= ?`, f.From)
	}
	if f.To != 0 {
		add(`r.id < ?`, f.To)
	}
	order := ` ORDER BY r.id DESC LIMIT ?`
	if f.OldestFirst {
		order = ` ORDER BY r.id LIMIT ?`
	}
	return receipts + ` WHERE ` + strings.Join(where, ` AND `) + order, append(args, f.Limit)
}

func (t tx) NextReceiptNumber(ws catalog.WorkspaceID, year int) (n int64, err error) {
	err = t.Scan(nextNumber, []any{ws, year}, &n)
	return n, err
}

func (t tx) InsertReceipt(r *counter.Receipt) error {
	stored := *r
	stored.Customer, stored.ReversedBy = "", nil
	content, err := json.Marshal(&stored)
	if err != nil {
		return err
	}
	var reverses any
	if r.Reverses != nil {
		reverses = r.Reverses.ID
	}
	_, err = t.Exec(`INSERT INTO receipts (id, workspace_id, booking_id, host_id, year, number, reverses, customer,
		content, sale_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.WorkspaceID, engine.OrNull(r.BookingID), engine.OrNull(r.Host), r.Year, r.NumberInYear, reverses, engine.OrNull(r.Customer), string(content),
		engine.OrNull(r.Sale()))
	return engine.Free(err)
}
