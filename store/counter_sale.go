package store

import (
	"encoding/json"
	"fmt"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/store/engine"
)

const (
	saleColumns = `id, workspace_id, host_id, contact_id, state, customer, content`
	oneSale     = `SELECT ` + saleColumns + ` FROM sales WHERE id = ? AND workspace_id = ?`
	openSale    = `SELECT sale_id FROM sale_bookings WHERE workspace_id = ? AND booking_id = ? AND open = 1`
)

func scanSale(scan func(...any) error) (s counter.Sale, err error) {
	var content []byte
	var customer string
	var host catalog.HostID
	var contact booking.ContactID
	var id counter.SaleID
	var ws catalog.WorkspaceID
	var state int
	err = scan(&id, &ws, engine.OrZero(&host), engine.OrZero(&contact), &state, engine.OrZero(&customer), &content)
	if err != nil {
		return s, engine.Found(err)
	}
	if err := json.Unmarshal(content, &s); err != nil {
		return s, fmt.Errorf("sale %s: %w", id, err)
	}
	s.ID, s.WorkspaceID, s.Status, s.Customer = id, ws, counter.SaleStatuses[state], customer
	s.HostID, s.ContactID = nil, nil
	if host != 0 {
		s.HostID = &host
	}
	if contact != 0 {
		s.ContactID = &contact
	}
	return s, nil
}

// saleRow returns the columns of a sale but for its id and workspace.
func saleRow(s *counter.Sale) ([]any, error) {
	stored := *s
	stored.Customer, stored.ContactID, stored.HostID = "", nil, nil
	content, err := json.Marshal(&stored)
	var host, contact any
	if s.HostID != nil {
		host = *s.HostID
	}
	if s.ContactID != nil {
		contact = *s.ContactID
	}
	return []any{host, contact, slices.Index(counter.SaleStatuses, s.Status), engine.OrNull(s.Customer), string(content)}, err
}

// Sale implements counter.Reads, as the methods below do.
func (q queries) Sale(ws catalog.WorkspaceID, id counter.SaleID) (counter.Sale, error) {
	return scanSale(q.One(oneSale, id, ws))
}

func (q queries) Sales(ws catalog.WorkspaceID, f counter.SaleFilter) ([]counter.Sale, error) {
	query, args := listSales(ws, f)
	return engine.List(q, scanSale, query, args...)
}

// listSales writes the SELECT of a list; the narrowest filter leads.
func listSales(ws catalog.WorkspaceID, f counter.SaleFilter) (query string, args []any) {
	query = `SELECT ` + saleColumns + ` FROM sales WHERE `
	add := func(term string, values ...any) { query, args = query+term, append(args, values...) }
	switch {
	case f.Booking != 0:
		add(`id IN (SELECT sale_id FROM sale_bookings WHERE workspace_id = ? AND booking_id = ?) AND +workspace_id = ?`, ws, f.Booking, ws)
	case f.Contact != 0:
		add(`contact_id = ? AND +workspace_id = ?`, f.Contact, ws)
	default:
		add(`workspace_id = ?`, ws)
	}
	if f.Status != nil {
		add(` AND state = ?`, slices.Index(counter.SaleStatuses, *f.Status))
	}
	if f.Before != 0 {
		add(` AND id < ?`, f.Before)
	}
	add(` ORDER BY id DESC LIMIT ?`, f.Limit)
	return query, args
}

func (q queries) OpenSale(ws catalog.WorkspaceID, of booking.BookingID) (id counter.SaleID, err error) {
	return id, engine.Found(q.Scan(openSale, []any{ws, of}, &id))
}

// InsertSale implements counter.Writes, as the methods below do.
func (t tx) InsertSale(s *counter.Sale) error {
	row, err := saleRow(s)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO sales (`+saleColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?)`, append([]any{s.ID, s.WorkspaceID}, row...)...)
	return err
}

func (t tx) UpdateSale(s *counter.Sale) error {
	row, err := saleRow(s)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE sales SET host_id = ?, contact_id = ?, state = ?, customer = ?, content = ? WHERE id = ? AND workspace_id = ?`,
		append(row, s.ID, s.WorkspaceID)...)
	return err
}

func (t tx) LockSale(ws catalog.WorkspaceID, id counter.SaleID) error {
	_, err := t.Exec(`UPDATE sales SET state = state WHERE id = ? AND workspace_id = ?`, id, ws)
	return err
}

func (t tx) SaleHas(ws catalog.WorkspaceID, id counter.SaleID, all []booking.BookingID) error {
	if _, err := t.Exec(`DELETE FROM sale_bookings WHERE sale_id = ? AND workspace_id = ?`, id, ws); err != nil {
		return err
	}
	for _, b := range all {
		if _, err := t.Exec(`INSERT INTO sale_bookings (workspace_id, booking_id, sale_id, open) VALUES (?, ?, ?, 1)`, ws, b, id); err != nil {
			return engine.Free(err)
		}
	}
	return nil
}

func (t tx) LeaveSale(ws catalog.WorkspaceID, id counter.SaleID, b booking.BookingID) error {
	_, err := t.Exec(`UPDATE sale_bookings SET open = NULL WHERE sale_id = ? AND booking_id = ? AND workspace_id = ?`, id, b, ws)
	return err
}

func (t tx) SettleSale(ws catalog.WorkspaceID, id counter.SaleID) error {
	_, err := t.Exec(`UPDATE sale_bookings SET open = NULL WHERE sale_id = ? AND workspace_id = ?`, id, ws)
	return err
}

const (
	salesOfContact = `SELECT ` + saleColumns + ` FROM sales WHERE contact_id = ? AND workspace_id = ? LIMIT ?`
	salesOfBooking = `SELECT ` + saleColumns + ` FROM sales WHERE id IN (SELECT sale_id FROM sale_bookings
		WHERE workspace_id = ? AND booking_id = ?) AND workspace_id = ?`
)

// eraseSales takes a deleted contact out of at most limit of their sales, and reports whether there were any.
func (t tx) eraseSales(ws catalog.WorkspaceID, of booking.ContactID, limit int) (some bool, err error) {
	all, err := engine.List(t.queries, scanSale, salesOfContact, of, ws, limit)
	if err != nil {
		return false, err
	}
	return len(all) > 0, t.eraseFrom(all, of)
}

// eraseFrom takes a person out of sales, with what was written about them: of a sale to another contact, who paid for their
// booking, the customer stays. What was sold and paid stays, as tax law wants it.
func (t tx) eraseFrom(all []counter.Sale, person booking.ContactID) error {
	for i := range all {
		ref := all[i]
		if err := t.LockSale(ref.WorkspaceID, ref.ID); err != nil { // it may be being paid
			return err
		}
		now, err := t.Sale(ref.WorkspaceID, ref.ID)
		if err != nil {
			return err
		}
		s, theirs := &now, now.ContactID == nil || *now.ContactID == person
		if theirs {
			s.Customer, s.ContactID = "", nil
		}
		if s.Discount != nil {
			s.Discount.Reason = ""
		}
		for j := range s.Lines {
			l := &s.Lines[j]
			if l.Discount != nil {
				l.Discount.Reason = ""
			}
			if l.For = ""; l.PassID != nil {
				if err := t.erasePass(s.WorkspaceID, *l.PassID, person); err != nil {
					return err
				}
			}
		}
		for j := range s.Payments {
			s.Payments[j].Note = ""
		}
		if err := t.UpdateSale(s); err != nil {
			return err
		}
		if !theirs {
			continue
		}
		if _, err := t.Exec(`UPDATE receipts SET customer = NULL WHERE sale_id = ? AND workspace_id = ?`, s.ID, s.WorkspaceID); err != nil {
			return err
		}
	}
	return nil
}
