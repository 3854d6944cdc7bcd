package counter

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// PaySale records money that was taken for a sale, all of the payments or none. Each goes to the open lines in proportion to
// what is due of them, to tips last; what goes to a service is a payment of its booking. Once nothing is due the sale has its
// receipt. Errors: not_found, forbidden, bad_request, also with the reason overpaid; conflict wrong_state, too_many_payments.
func (s *Service) PaySale(ctx context.Context, a app.Actor, ref string, payments []SalePaymentInput) (sale Sale, err error) {
	return s.paySale(ctx, a, ref, payments, 0)
}

// paySale is PaySale, or takes the money for one booking only.
func (s *Service) paySale(ctx context.Context, a app.Actor, ref string, payments []SalePaymentInput,
	only booking.BookingID) (sale Sale, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return sale, err
	}
	if err := checkPayments(payments); err != nil {
		return sale, err
	}
	if err := s.resolve(ctx, a, payments); err != nil {
		return sale, err
	}
	err = s.withSale(ctx, a, ref, nil, func(w *saleWork, all []booking.Booking) error {
		sale = *w.sale
		w.sale = &sale
		w.only = only
		return w.pay(ctx, all, payments)
	})
	return sale, err
}

// pay takes payments for the sale, which reckon has brought up to date.
func (w *saleWork) pay(ctx context.Context, all []booking.Booking, payments []SalePaymentInput) error {
	sale := w.sale
	if sale.Status != SaleOpen {
		return fault.Conflictf("wrong_state", "A sale that is %s can't be paid.", sale.Status).With("status", sale.Status)
	}
	if len(payments) == 0 && sale.Due > 0 {
		return fault.Invalid("payments", "must have a payment: %s is due", money.Money{Amount: sale.Due, Currency: sale.Currency}.Text())
	}
	if len(sale.Payments)+len(payments) > maxPayments {
		return fault.Conflictf("too_many_payments", "A sale has at most %d payments.", maxPayments)
	}
	if err := w.discount(ctx, all); err != nil {
		return err
	}
	if err := w.lockPasses(payments); err != nil {
		return err
	}
	due, from := w.due(), len(sale.Payments)
	for i, in := range payments {
		var p SalePayment
		if in.Pass != "" {
			var err error
			if p, err = w.byPass(&in, all); err != nil {
				return refusedPass(err, fmt.Sprintf("payments[%d].pass", i))
			}
		} else {
			if in.Amount > w.due() {
				return fault.New(fault.BadRequest, "overpaid", "Only %s is due. What is given on top is a tip: make it a line of the sale.",
					money.Money{Amount: due, Currency: sale.Currency}.Text()).About("payments")
			}
			p = SalePayment{ID: id.New[booking.PaymentIDKind](w.now), Method: in.Method, Amount: in.Amount, Tendered: in.Tendered,
				Note: in.Note, Parts: w.split(in.Amount), By: w.actor.Kind, CreatedAt: when.At(w.now)}
		}
		if in.Tendered != nil {
			change := *in.Tendered - in.Amount
			p.Change = &change
		}
		sale.Payments = append(sale.Payments, p)
		sale.count()
	}
	sale.Due = max(0, sale.Total-sale.Paid)
	if sale.Due == 0 {
		at := when.At(w.now)
		sale.Status, sale.PaidAt = SalePaid, &at
	}
	if err := w.take(ctx, sale.Payments[from:]); err != nil {
		return err
	}
	if sale.Status == SalePaid {
		if err := w.settle(ctx); err != nil {
			return err
		}
	}
	return w.tx.UpdateSale(sale)
}

// due returns what is due of the lines that are paid now.
func (w *saleWork) due() (sum int64) {
	for i := range w.sale.Lines {
		if l := &w.sale.Lines[i]; w.pays(l) {
			sum += l.Due()
		}
	}
	return sum
}

// pays reports whether the money that is taken now may be for the line.
func (w *saleWork) pays(l *SaleLine) bool {
	return w.only == 0 || l.BookingID != nil && *l.BookingID == w.only
}

// split divides a payment among the open lines.
func (w *saleWork) split(amount int64) (parts []SalePart) {
	sale := w.sale
	dues := make([]int64, len(sale.Lines))
	sum := int64(0)
	for i := range sale.Lines {
		if l := &sale.Lines[i]; l.Kind != TipLine && w.pays(l) {
			dues[i] = l.Due()
			sum += dues[i]
		}
	}
	for i, n := range share(min(amount, sum), dues) {
		if l := &sale.Lines[i]; n > 0 {
			part := SalePart{Line: l.ID, BookingID: l.BookingID, Amount: n}
			if l.BookingID == nil {
				part.HostID = l.seller(sale)
			}
			parts = append(parts, part)
		}
	}
	for rest, i := amount-min(amount, sum), 0; i < len(sale.Lines); i++ {
		if l := &sale.Lines[i]; l.Kind == TipLine && rest > 0 {
			n := min(rest, l.Due())
			parts = append(parts, sale.tipParts(l, n)...)
			rest -= n
		}
	}
	for i := range parts {
		parts[i].PaymentID = id.New[booking.PaymentIDKind](w.now)
	}
	return parts
}

// seller returns who sold what is no service.
func (l *SaleLine) seller(s *Sale) *catalog.HostID {
	if l.HostID != nil {
		return l.HostID
	}
	return s.HostID
}

// tipParts says whose a part of the tip is: the host's whom it is for, else that of the hosts of the services, in proportion
// to what these cost, else the seller's. What a booking's host gets is a tip of that booking.
func (s *Sale) tipParts(tip *SaleLine, amount int64) (parts []SalePart) {
	var of []*SaleLine
	var costs []int64
	for i := range s.Lines {
		if l := &s.Lines[i]; l.BookingID != nil && (tip.HostID == nil || l.HostID != nil && *l.HostID == *tip.HostID) {
			of, costs = append(of, l), append(costs, l.Amount-l.off()) // whoever was paid before has a part of the tip, too
		}
	}
	if len(of) > 0 && !slices.ContainsFunc(costs, func(n int64) bool { return n > 0 }) {
		costs[0] = 1 // all cost nothing
	}
	for i, n := range share(amount, costs) {
		if n > 0 {
			parts = append(parts, SalePart{Line: tip.ID, BookingID: of[i].BookingID, Amount: n})
		}
	}
	if len(of) == 0 {
		parts = append(parts, SalePart{Line: tip.ID, HostID: tip.seller(s), Amount: amount})
	}
	return parts
}

// take writes payments to the ledger, and those for services to their bookings.
func (w *saleWork) take(ctx context.Context, payments []SalePayment) error {
	sale := w.sale
	for _, ref := range sale.bookings() {
		var mine []booking.CounterPayment
		for i := range payments {
			p := &payments[i]
			for j := range p.Parts {
				part := &p.Parts[j]
				if part.BookingID == nil || *part.BookingID != ref {
					continue
				}
				amount, tip := sale.asTip(part, part.Amount)
				one := booking.CounterPayment{ID: part.PaymentID, Amount: amount, Tip: tip, Currency: sale.Currency,
					Method: p.Method, Note: p.Note, By: p.By, CreatedAt: p.CreatedAt}
				if p.Pass != nil {
					use := *p.Pass
					use.Credits, one.Pass = part.Credits, &use
				}
				mine = append(mine, one)
			}
		}
		if len(mine) == 0 {
			continue
		}
		if err := w.change(ctx, ref, func(ch *app.Change) error { return w.s.takeParts(ch, sale, mine) }); err != nil {
			return err
		}
	}
	for i := range payments {
		p := &payments[i]
		for j := range p.Parts {
			part := &p.Parts[j]
			if p.Pass != nil {
				if err := w.spend(p, part); err != nil {
					return err
				}
			} else if part.BookingID == nil {
				if err := w.enter(part, p.Method, part.Amount, 0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// asTip returns a part's amount as one of a price or of a tip.
func (s *Sale) asTip(part *SalePart, n int64) (amount, tip int64) {
	if l := s.line(part.Line); l != nil && l.Kind == TipLine {
		return 0, n
	}
	return n, 0
}

// enter writes money to the ledger that is for no booking: what was taken, or with givesBack what is given back.
func (w *saleWork) enter(part *SalePart, method booking.Method, n int64, givesBack booking.PaymentID) error {
	e := Entry{ID: part.PaymentID, WorkspaceID: w.actor.Workspace, SaleID: w.sale.ID, GivesBack: givesBack, Method: method,
		Currency: w.sale.Currency, Actor: w.actor.Kind, By: w.actor.ID(), At: when.At(w.now)}
	if part.HostID != nil {
		e.HostID = *part.HostID
	}
	if givesBack != 0 {
		e.ID, n = id.New[booking.PaymentIDKind](w.now), -n
	}
	e.Amount, e.Tip = w.sale.asTip(part, n)
	return w.tx.InsertCounterEntry(&e)
}

// takeParts gives a booking its parts of payments for a sale.
func (s *Service) takeParts(ch *app.Change, sale *Sale, parts []booking.CounterPayment) error {
	b := ch.Booking
	if len(b.Payments)+len(parts) > maxPayments {
		return fault.Conflictf("too_many_payments", "A booking has at most %d payments.", maxPayments)
	}
	if !b.Keeps() {
		taxed := ch.Setup.Taxed(ch.Setup.EventTypeByID(b.EventTypeID))
		b.Taxed = &taxed
	}
	b.Payments = slices.Clone(b.Payments)
	for _, p := range parts {
		b.Payments = append(b.Payments, p)
		ch.NoteAmount(booking.TookBy[p.Method], money.Money{Amount: p.Amount + p.Tip, Currency: p.Currency})
		if p.Pass != nil { // the pass has a ledger of its own
			continue
		}
		e := Entry{ID: p.ID, SaleID: sale.ID, Method: p.Method, Amount: p.Amount, Tip: p.Tip, Currency: p.Currency}
		if err := insertEntry(ch, e); err != nil {
			return err
		}
	}
	if err := s.online.CloseAhead(ch); err != nil {
		return err
	}
	b.ShowMoney(ch.Setup)
	for i := range parts {
		if err := emit(ch, catalog.PaymentRecorded, &b.Payments[len(b.Payments)-len(parts)+i]); err != nil {
			return err
		}
	}
	return nil
}

// settle ends a sale for which nothing is due: it has its receipt, its bookings are free for another, and its products leave
// the stock, and the passes that it sells can be used.
func (w *saleWork) settle(ctx context.Context) error {
	sale := w.sale
	if err := w.tx.SettleSale(w.actor.Workspace, sale.ID); err != nil {
		return err
	}
	if err := w.stock(-1, func(*SaleLine) bool { return true }); err != nil {
		return err
	}
	if err := w.issuePasses(); err != nil {
		return err
	}
	return w.issue(ctx, 0, nil)
}

// stock adds the products of these lines to what there is, or with -1 takes them from it; in the order of their ids, so that sales at
// once wait for each other.
func (w *saleWork) stock(times int64, of func(*SaleLine) bool) error {
	count := map[catalog.ProductID]int64{}
	for i := range w.sale.Lines {
		if l := &w.sale.Lines[i]; l.ProductID != nil && of(l) {
			count[*l.ProductID] += times * int64(l.Quantity)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(count)) {
		if err := w.tx.AddToStock(w.actor.Workspace, p, count[p]); err != nil {
			return err
		}
	}
	return nil
}

// openSale returns the open sale that the booking is in, 0 if there is none.
func openSale(r Reads, ws catalog.WorkspaceID, of booking.BookingID) (SaleID, error) {
	which, err := r.OpenSale(ws, of)
	if errors.Is(err, fault.ErrNotFound) {
		return 0, nil
	}
	return which, err
}

// recordInSale takes money for a booking that is in an open sale: it pays the booking's line. What is given on top is a line
// of its own, so that it has no tip.
func (s *Service) recordInSale(ctx context.Context, a app.Actor, sale SaleID, ref booking.BookingID, in Input) error {
	if in.Tip > 0 {
		return fault.Invalid("tip", "is a line of the sale that this booking is in").With("saleId", sale)
	}
	if in.Currency != "" {
		is, err := s.Reader(ctx).Sale(a.Workspace, sale)
		if err != nil {
			return err
		}
		if in.Currency != is.Currency {
			return fault.Invalid("currency", "must be the booking's, %s", is.Currency)
		}
	}
	_, err := s.paySale(ctx, a, sale.String(), []SalePaymentInput{{Method: in.Method, Amount: in.Amount, Note: in.Note, Pass: in.Pass}}, ref)
	if fault.Is(err, fault.BadRequest) {
		if e := fault.As(err); e.Reason == "overpaid" {
			return e.About("amount")
		}
	}
	return err
}

// follow brings the discount of a booking up to date that has changed in an open sale, and returns that sale; 0 is none.
func (s *Service) follow(ch *app.Change) (SaleID, error) {
	b := ch.Booking
	which, err := openSale(tx(ch), b.WorkspaceID, b.ID)
	if which == 0 || err != nil {
		return 0, err
	}
	sale, err := tx(ch).Sale(b.WorkspaceID, which)
	if err != nil {
		return 0, err
	}
	all := []booking.Booking{*b}
	for _, ref := range sale.bookings() {
		if ref == b.ID {
			continue
		}
		other, err := ch.Tx.Booking(b.WorkspaceID, ref)
		if err != nil {
			return 0, fmt.Errorf("sale %s: %w", which, err)
		}
		all = append(all, other)
	}
	if err := sale.reckon(ch.Setup, all, false); err != nil {
		return 0, err
	}
	for i := range sale.Lines {
		if l := &sale.Lines[i]; l.BookingID != nil && *l.BookingID == b.ID {
			setDiscount(ch, l.DiscountBefore+l.off(), sale.Currency, sale.reason(l))
		}
	}
	return which, nil
}
