package pass

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Query says which passes are listed. Its fields hold the query parameters, as text.
type Query struct {
	Contact string // "" is all
	Sale    string // "" is all
	Owed    bool   // only with something left that can be used
	Cursor  string
	Limit   *int
}

// Passes lists passes, the latest first. Errors: bad_request, forbidden.
func (s *Service) Passes(ctx context.Context, a app.Actor, q Query) (page fault.Page[Pass], err error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return page, err
	}
	f := Filter{Owed: q.Owed}
	if f.Limit, err = fault.PageLimit(q.Limit, 50); err != nil {
		return page, err
	}
	if q.Contact != "" {
		if f.Contact, err = id.Parse[booking.ContactIDKind](q.Contact); err != nil {
			f.Contact = -1 // of nobody
		}
	}
	if q.Sale != "" {
		if f.Sale, err = id.Parse[booking.SaleIDKind](q.Sale); err != nil {
			f.Sale = -1
		}
	}
	owed := ""
	if q.Owed {
		owed = "owed"
	}
	list := fault.List{"passes", q.Contact, q.Sale, owed}
	if q.Cursor != "" {
		var last int64
		if err := list.Read(q.Cursor, &last); err != nil {
			return page, err
		}
		f.Before = booking.PassID(last)
	}
	n := f.Limit
	f.Limit++
	rows, err := s.Reader(ctx).Passes(a.Workspace, f)
	if err != nil {
		return page, err
	}
	for i := range rows {
		rows[i].Show(when.At(s.Now()))
	}
	return fault.PageOf(rows, n, func(p *Pass) string { return list.Cursor(int64(p.ID)) }), nil
}

// Pass returns one pass. Errors: not_found, forbidden.
func (s *Service) Pass(ctx context.Context, a app.Actor, ref string) (Pass, error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return Pass{}, err
	}
	return s.find(s.Reader(ctx), a, ref)
}

func (s *Service) find(r Reads, a app.Actor, ref string) (Pass, error) {
	missing := fault.Missing("pass", ref)
	which, err := id.Parse[booking.PassIDKind](ref)
	if err != nil {
		return Pass{}, missing
	}
	p, err := r.Pass(a.Workspace, which)
	p.Show(when.At(s.Now()))
	return p, fault.OrMissing(err, missing)
}

// PassEntries lists what was put on a pass and taken from it, the oldest first. Errors: not_found, forbidden, bad_request.
func (s *Service) PassEntries(ctx context.Context, a app.Actor, ref, cursor string, limit *int) (page fault.Page[Entry], err error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return page, err
	}
	r := s.Reader(ctx)
	p, err := s.find(r, a, ref)
	if err != nil {
		return page, err
	}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return page, err
	}
	list := fault.List{"pass entries", ref}
	var after int64
	if cursor != "" {
		if err := list.Read(cursor, &after); err != nil {
			return page, err
		}
	}
	rows, err := r.PassEntries(a.Workspace, p.ID, booking.PaymentID(after), n+1)
	if err != nil {
		return page, err
	}
	return fault.PageOf(rows, n, func(e *Entry) string { return list.Cursor(int64(e.ID)) }), nil
}

// Owed is what is owed to the holders of passes in one currency.
type Owed struct {
	Currency string `json:"currency"`
	Passes   int    `json:"passes"`
	Amount   int64  `json:"amount"` // minor units: the balance, or of one with credits what was paid for those left
}

// Owed returns what is owed to the holders of all passes that can be used, by currency. Errors: forbidden.
func (s *Service) Owed(ctx context.Context, a app.Actor) (all []Owed, err error) {
	if err := a.May(app.MaySeeTill); err != nil {
		return nil, err
	}
	f := Filter{Owed: true, Limit: app.ExportStep}
	for {
		rows, err := s.Reader(ctx).Passes(a.Workspace, f)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			p := &rows[i]
			if p.Show(when.At(s.Now())); p.Status != Active {
				continue
			}
			at := len(all)
			for j := range all {
				if all[j].Currency == p.Currency {
					at = j
				}
			}
			if at == len(all) {
				all = append(all, Owed{Currency: p.Currency})
			}
			all[at].Passes++
			all[at].Amount += p.Owes()
		}
		if len(rows) < f.Limit {
			return all, nil
		}
		f.Before = rows[len(rows)-1].ID
	}
}
