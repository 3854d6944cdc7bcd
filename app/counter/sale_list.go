package counter

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
)

// Sale returns a sale; an open one as its bookings are now. Errors: not_found, forbidden.
func (s *Service) Sale(ctx context.Context, a app.Actor, ref string) (Sale, error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return Sale{}, err
	}
	r := s.Reader(ctx)
	sale, err := s.findSale(r, a, ref)
	if err != nil {
		return sale, err
	}
	return sale, s.show(r, a, &sale)
}

// findSale returns the stored sale if the actor sees it.
func (s *Service) findSale(r Reads, a app.Actor, ref string) (Sale, error) {
	missing := fault.Missing("sale", ref)
	which, err := id.Parse[booking.SaleIDKind](ref)
	if err != nil {
		return Sale{}, missing
	}
	sale, err := r.Sale(a.Workspace, which)
	if err != nil {
		return Sale{}, fault.OrMissing(err, missing)
	}
	if !sees(a, &sale) {
		return Sale{}, missing
	}
	return sale, nil
}

// show brings an open sale up to date.
func (s *Service) show(r Reader, a app.Actor, sale *Sale) error {
	if sale.Status != SaleOpen {
		return nil
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	var all []booking.Booking
	for _, ref := range sale.bookings() {
		b, err := r.Booking(a.Workspace, ref)
		if err != nil {
			return err
		}
		all = append(all, b)
	}
	return sale.reckon(setup, all, false)
}

// SaleQuery says which sales are listed. Its fields hold the query parameters, as text.
type SaleQuery struct {
	Status, Booking, Contact string // "" is all
	Cursor                   string
	Limit                    *int
}

// SaleFilter says which sales are read. Zero fields don't filter.
type SaleFilter struct {
	Status  *SaleStatus
	Booking booking.BookingID
	Contact booking.ContactID
	Before  SaleID
	Limit   int
}

// Sales lists sales, the latest first. Errors: bad_request, forbidden.
func (s *Service) Sales(ctx context.Context, a app.Actor, q SaleQuery) (page fault.Page[Sale], err error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return page, err
	}
	f := SaleFilter{}
	if f.Limit, err = fault.PageLimit(q.Limit, 50); err != nil {
		return page, err
	}
	list := fault.List{"sales", q.Status, q.Booking, q.Contact}
	if q.Status != "" {
		for i := range SaleStatuses {
			if string(SaleStatuses[i]) == q.Status {
				f.Status = &SaleStatuses[i]
			}
		}
		if f.Status == nil {
			return page, fault.Invalid("status", "must be open, paid, partially_refunded, refunded or void")
		}
	}
	if q.Booking != "" {
		if f.Booking, err = id.Parse[booking.BookingIDKind](q.Booking); err != nil {
			f.Booking = -1 // of no booking
		}
	}
	if q.Contact != "" {
		if f.Contact, err = id.Parse[booking.ContactIDKind](q.Contact); err != nil {
			f.Contact = -1
		}
	}
	if q.Cursor != "" {
		var last int64
		if err := list.Read(q.Cursor, &last); err != nil {
			return page, err
		}
		f.Before = SaleID(last)
	}
	n := f.Limit
	r := s.Reader(ctx)
	var all []Sale
	for f.Limit++; len(all) <= n; { // staff see some of them
		rows, err := r.Sales(a.Workspace, f)
		if err != nil {
			return page, err
		}
		for i := range rows {
			if sees(a, &rows[i]) {
				all = append(all, rows[i])
			}
		}
		if len(rows) < f.Limit {
			break
		}
		f.Before = rows[len(rows)-1].ID
	}
	page = fault.PageOf(all[:min(len(all), n+1)], n, func(x *Sale) string { return list.Cursor(int64(x.ID)) })
	for i := range page.Data {
		if err := s.show(r, a, &page.Data[i]); err != nil {
			return page, err
		}
	}
	return page, nil
}
