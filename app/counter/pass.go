package counter

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/when"
)

// isPass reports whether the line sells a pass or a voucher.
func (l *SaleLine) isPass() bool { return l.Kind == PassLine || l.Kind == VoucherLine }

// addVoucher adds the line of a voucher. One that is taxed now isn't when it is used (a single-purpose voucher by Article 30a of
// directive 2006/112/EC); else its use is taxed.
func (w *saleWork) addVoucher(l *SaleLineInput, at string) (err error) {
	if err := w.sale.priced(w.setup.Workspace.Currency, at+".amount"); err != nil {
		return err
	}
	line := SaleLine{Kind: VoucherLine, Quantity: 1, Amount: *l.Amount, Discount: l.Discount, For: l.For}
	if rate, now, err := w.voucherRate(); err != nil {
		return err
	} else if now {
		line.setTaxed(money.Taxed{Mode: money.TaxIncluded, Rate: rate})
	}
	if line.HostID, err = w.host(at+".hostId", l.HostID); err != nil {
		return err
	}
	w.sale.add(line)
	return nil
}

// voucherRate returns the rate of tax at which a voucher is sold, and whether it is taxed then: as the workspace says, else
// if all that it could pay for has one rate, which prices contain.
func (w *saleWork) voucherRate() (money.Rate, bool, error) {
	tax := w.setup.Workspace.Tax
	if tax == nil || tax.Mode != money.TaxIncluded || tax.Vouchers == money.VouchersUsed {
		return 0, false, nil
	}
	if tax.Vouchers == money.VouchersSold {
		return tax.Rate, true, nil
	}
	for i := range w.setup.EventTypes {
		if e := &w.setup.EventTypes[i]; e.Active && e.TaxRate != nil && *e.TaxRate != tax.Rate {
			return 0, false, nil
		}
	}
	other, err := w.tx.HasOtherRate(w.actor.Workspace, tax.Rate)
	return tax.Rate, !other, err
}

// resolve looks up the passes of payments, before a transaction begins: each try of a stranger counts.
func (s *Service) resolve(ctx context.Context, a app.Actor, payments []SalePaymentInput) error {
	for i := range payments {
		if payments[i].Pass == "" {
			continue
		}
		p, err := s.passes.Resolve(ctx, a, payments[i].Pass)
		if err != nil {
			return refusedPass(err, fmt.Sprintf("payments[%d].pass", i))
		}
		payments[i].known = p.ID
	}
	return nil
}

func refusedPass(err error, at string) error {
	if e := fault.As(err); e != nil {
		return e.About(at)
	}
	return err
}

// ledger returns the ledger of passes of the transaction.
func (w *saleWork) ledger() *pass.Ledger {
	return &pass.Ledger{Tx: w.tx, Workspace: w.actor.Workspace, Actor: w.actor, Now: w.now}
}

func ledger(ch *app.Change) *pass.Ledger {
	return &pass.Ledger{Tx: tx(ch), Workspace: ch.Booking.WorkspaceID, Actor: ch.Actor, Now: ch.Now}
}

// lockPasses locks the passes that pay.
func (w *saleWork) lockPasses(payments []SalePaymentInput) error {
	var all []booking.PassID
	for i := range payments {
		if payments[i].known != 0 {
			all = append(all, payments[i].known)
		}
	}
	return w.ledger().Lock(all...)
}

// usablePass returns a pass that can pay now for somebody who is one of these, 0 for unknown ones.
func usablePass(l *pass.Ledger, which booking.PassID, currency string, whose ...booking.ContactID) (p pass.Pass, err error) {
	if p, err = l.Tx.Pass(l.Workspace, which); err != nil {
		return p, fault.OrMissing(err, fault.Missing("pass", which.String()))
	}
	if err := p.Usable(when.At(l.Now)); err != nil {
		return p, err
	}
	if p.Kind == pass.Amount && p.Currency != currency {
		return p, fault.Conflictf("pass_not_for_this", "%s is in %s.", p.Name(), p.Currency)
	}
	if p.ContactID != nil && !slices.Contains(whose, *p.ContactID) {
		return p, fault.Conflictf("pass_not_theirs", "%s belongs to another customer.", p.Name()).With("contactId", *p.ContactID)
	}
	return p, nil
}

func notForThis(p *pass.Pass) error {
	return fault.Conflictf("pass_not_for_this", "%s doesn't pay for any of this, or nothing of that is due.", p.Name())
}

func useOf(p *pass.Pass, credits int64) *booking.PassUse {
	return &booking.PassUse{ID: p.ID, Title: p.Title, Credits: credits, TaxedWhenSold: p.TaxedWhenSold}
}

// byPass returns the payment that a pass makes of what is due of the open lines that it covers: credits of each booking in the
// order of the lines, an amount in proportion to what is due.
func (w *saleWork) byPass(in *SalePaymentInput, all []booking.Booking) (pay SalePayment, err error) {
	sale, l := w.sale, w.ledger()
	var whose []booking.ContactID
	if sale.ContactID != nil {
		whose = append(whose, *sale.ContactID)
	}
	of := func(l *SaleLine) *booking.Booking {
		i := slices.IndexFunc(all, func(b booking.Booking) bool { return l.BookingID != nil && b.ID == *l.BookingID })
		if i < 0 {
			return nil
		}
		return &all[i]
	}
	for i := range sale.Lines {
		if b := of(&sale.Lines[i]); b != nil {
			whose = append(whose, b.ContactID)
		}
	}
	p, err := usablePass(l, in.known, sale.Currency, whose...)
	if err != nil {
		return pay, err
	}
	amounts, credits := make([]int64, len(sale.Lines)), make([]int64, len(sale.Lines))
	for i := range sale.Lines {
		line := &sale.Lines[i]
		if !w.pays(line) || line.Kind == TipLine || line.isPass() {
			continue
		}
		switch b := of(line); {
		case b != nil && b.Status.Stands():
			now := *b
			if now.Payments, err = w.paymentsNow(b.ID); err != nil {
				return pay, err
			}
			now.Discount = &money.Money{Amount: line.DiscountBefore + line.off()}
			amounts[i], credits[i] = p.Pays(&now, line.taxed(), line.Due())
			p.Balance -= credits[i]
		case line.BookingID == nil && p.Voucher:
			amounts[i] = line.Due()
		}
	}
	sum := int64(0)
	for _, n := range amounts {
		sum += n
	}
	if p.Kind == pass.Amount {
		sum = min(sum, p.Balance)
		if in.Amount > sum {
			return pay, fault.New(fault.BadRequest, "overpaid", "%s can pay %s here.", p.Name(),
				money.Money{Amount: sum, Currency: sale.Currency}.Text()).About("payments")
		}
		if in.Amount > 0 {
			sum = in.Amount
		}
		amounts = share(sum, amounts)
	} else if in.Amount != 0 && in.Amount != sum {
		return pay, fault.Invalid("payments", "must leave amount out, or say %d: credits pay for whole seats", sum)
	}
	if sum == 0 {
		return pay, notForThis(&p)
	}
	pay = SalePayment{ID: id.New[booking.PaymentIDKind](w.now), Method: booking.ByVoucher, Amount: sum, Note: in.Note, By: w.actor.Kind,
		CreatedAt: when.At(w.now), Pass: useOf(&p, 0)}
	for i, n := range amounts {
		if n == 0 {
			continue
		}
		line := &sale.Lines[i]
		part := SalePart{Line: line.ID, PaymentID: id.New[booking.PaymentIDKind](w.now), BookingID: line.BookingID, Amount: n, Credits: credits[i]}
		if line.BookingID == nil {
			part.HostID = line.seller(sale)
		}
		pay.Pass.Credits += credits[i]
		pay.Parts = append(pay.Parts, part)
	}
	return pay, nil
}

// paymentsNow returns what was paid for a booking, with what this sale takes and hasn't written yet.
func (w *saleWork) paymentsNow(ref booking.BookingID) ([]booking.CounterPayment, error) {
	b, err := w.tx.Booking(w.actor.Workspace, ref)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(b.Payments)
	w.sale.parts(func(p *SalePayment, part *SalePart) {
		if p.Pass != nil && part.BookingID != nil && *part.BookingID == ref &&
			!slices.ContainsFunc(all, func(c booking.CounterPayment) bool { return c.ID == part.PaymentID }) {
			all = append(all, booking.CounterPayment{Amount: part.Amount, Pass: &booking.PassUse{Credits: part.Credits}})
		}
	})
	return all, nil
}

// spend writes the part of a payment by a pass to its ledger.
func (w *saleWork) spend(p *SalePayment, part *SalePart) error {
	e := pass.Entry{ID: part.PaymentID, PassID: p.Pass.ID, Delta: -part.Amount, Amount: part.Amount, SaleID: w.sale.ID}
	if part.Credits > 0 {
		e.Delta = -part.Credits
	}
	if part.BookingID != nil {
		e.BookingID = *part.BookingID
	}
	return w.ledger().Spend(e)
}

// issuePasses puts the passes and vouchers of the sale on the books. A pass is its customer's where one is known; everything else
// has a code.
func (w *saleWork) issuePasses() error {
	l := w.ledger()
	for i := range w.sale.Lines {
		line := &w.sale.Lines[i]
		if !line.isPass() {
			continue
		}
		p := pass.Pass{Title: line.Text, Voucher: line.Kind == VoucherLine, Kind: pass.Amount, Face: line.Amount, Currency: w.sale.Currency,
			EventTypes: []catalog.EventTypeID{}, For: line.For, Price: line.Total, TaxedWhenSold: line.TaxRate != nil, SaleID: w.sale.ID,
			ProductID: line.ProductID}
		if line.Kind == PassLine {
			terms := line.Terms // as they were when it was put into the sale
			p.ContactID, p.EventTypes, p.TaxedWhenSold = w.sale.ContactID, terms.EventTypes, true
			if p.Face = terms.Amount; terms.Credits > 0 {
				p.Kind, p.Face = pass.Credits, terms.Credits
			}
			if terms.Days > 0 {
				p.EndsAt = when.At(when.DayOf(w.now.In(w.setup.Zone)).AddDate(0, 0, terms.Days))
			}
		}
		if err := l.Issue(&p); err != nil {
			return err
		}
		if p.ContactID == nil {
			if err := w.s.passes.GiveCode(l, &p); err != nil {
				return err
			}
		}
		line.PassID = &p.ID
	}
	return nil
}

// blockPasses blocks the sold passes whose lines are given back. More than what is left of them isn't: conflict pass_used.
func (w *saleWork) blockPasses(back []backed) error {
	l := w.ledger()
	for i := range w.sale.Lines {
		line, amount := &w.sale.Lines[i], int64(0)
		for _, x := range back {
			if x.part.Line == line.ID {
				amount += x.amount
			}
		}
		if amount == 0 || line.PassID == nil {
			continue
		}
		if err := l.Lock(*line.PassID); err != nil {
			return err
		}
		p, err := w.tx.Pass(w.actor.Workspace, *line.PassID)
		if err != nil {
			return err
		}
		if left := max(0, p.Left()-line.Refunded); amount > left {
			return fault.Conflictf("pass_used", "%s was used: at most %s of it can be given back.", p.Name(),
				money.Money{Amount: left, Currency: p.Currency}.Text()).With("left", left).With("passId", p.ID)
		}
		if err := l.Block(&p); err != nil {
			return err
		}
	}
	return nil
}

// payByPass pays for a booking with a pass, as much as it can or as much as the input says.
func (s *Service) payByPass(ch *app.Change, which booking.PassID, want int64, note string) (*booking.CounterPayment, error) {
	b, l := ch.Booking, ledger(ch)
	b.ShowMoney(ch.Setup)
	if err := l.Lock(which); err != nil {
		return nil, err
	}
	p, err := usablePass(l, which, b.Currency(ch.Setup), b.ContactID)
	if err != nil {
		return nil, err
	}
	taxed := ch.Setup.Taxed(ch.Setup.EventTypeByID(b.EventTypeID))
	if b.Taxed != nil && b.Keeps() {
		taxed = *b.Taxed
	}
	due := int64(0)
	if b.Due != nil {
		due = b.Due.Amount
	}
	amount, credits := p.Pays(b, taxed, due)
	switch {
	case amount == 0:
		return nil, notForThis(&p)
	case want > amount, want != 0 && want != amount && p.Kind == pass.Credits:
		return nil, fault.New(fault.BadRequest, "overpaid", "%s can pay %s here.", p.Name(),
			money.Money{Amount: amount, Currency: b.Currency(ch.Setup)}.Text()).About("amount")
	case want != 0:
		amount = want
	}
	if !b.Keeps() {
		b.Taxed = &taxed
	}
	paid := booking.CounterPayment{ID: id.New[booking.PaymentIDKind](ch.Now), Amount: amount, Currency: b.Currency(ch.Setup),
		Method: booking.ByVoucher, Note: note, By: ch.Actor.Kind, CreatedAt: when.At(ch.Now), Pass: useOf(&p, credits)}
	b.Payments = append(slices.Clone(b.Payments), paid)
	e := pass.Entry{ID: paid.ID, PassID: p.ID, Delta: -amount, Amount: amount, BookingID: b.ID}
	if credits > 0 {
		e.Delta = -credits
	}
	ch.After(func() error { return l.Spend(e) }) // a new booking has its row then
	b.ShowMoney(ch.Setup)
	return &b.Payments[len(b.Payments)-1], nil
}

// ResolvePass implements app.Passes.
func (s *Service) ResolvePass(ctx context.Context, a app.Actor, ref string) (booking.PassID, error) {
	p, err := s.passes.Resolve(ctx, a, ref)
	return p.ID, err
}

// PayNew implements app.Passes.
func (s *Service) PayNew(ch *app.Change, which booking.PassID) error {
	_, err := s.payByPass(ch, which, 0, "")
	return err
}

// GiveBackPasses implements app.Passes.
func (s *Service) GiveBackPasses(ch *app.Change) error {
	return s.returnPasses(ch, func(*booking.CounterPayment) bool { return true })
}

// returnPasses gives those payments of passes back that were made for the booking alone. What was paid in a sale goes back with
// that sale.
func (s *Service) returnPasses(ch *app.Change, of func(*booking.CounterPayment) bool) error {
	b := ch.Booking
	b.Payments = slices.Clone(b.Payments)
	var receipts []booking.ReceiptID
	for i := range b.Payments {
		p := &b.Payments[i]
		if p.Pass == nil || !p.Stays() || !of(p) {
			continue
		}
		e, err := tx(ch).PassEntry(b.WorkspaceID, p.ID)
		if err != nil {
			return err
		}
		if e.SaleID != 0 {
			continue
		}
		left, _ := p.Left()
		p.RefundedAmount += left
		if err := ledger(ch).GiveBack(p.ID, left); err != nil {
			return err
		}
		if p.Receipt != nil && !slices.Contains(receipts, *p.Receipt) {
			receipts = append(receipts, *p.Receipt)
		}
	}
	for _, r := range receipts {
		if err := s.reverse(ch, r); err != nil {
			return err
		}
	}
	b.ShowMoney(ch.Setup)
	return nil
}

// SettleEdited is Settle after an edit of the booking. What a pass paid that doesn't cover it any more goes back; credits cover what
// it costs now.
func (s *Service) SettleEdited(ch *app.Change) error {
	b := ch.Booking
	b.ShowMoney(ch.Setup)
	more := b.Due != nil && b.Due.Amount > 0
	var again []booking.PassID
	var failed error
	if err := s.returnPasses(ch, func(p *booking.CounterPayment) bool {
		of, err := tx(ch).Pass(b.WorkspaceID, p.Pass.ID)
		if failed = cmp.Or(failed, err); err != nil || !of.Covers(b.EventTypeID) {
			return err == nil
		}
		if more && p.Pass.Credits > 0 && of.Usable(when.At(ch.Now)) == nil {
			again = append(again, of.ID)
			return true
		}
		return false
	}); err != nil || failed != nil {
		return cmp.Or(failed, err)
	}
	for _, which := range again {
		if b.Due == nil || b.Due.Amount == 0 {
			break
		}
		// Where it can't pay any more, such as for another customer, the price is due.
		if _, err := s.payByPass(ch, which, 0, ""); err != nil && fault.Refusal(err) == nil {
			return err
		}
	}
	return s.Settle(ch)
}

// passPayment returns the ledger's entry of a payment by a pass as one of money, so that it is given back as money is. Errors:
// ErrNotFound.
func (s *Service) passPayment(ctx context.Context, a app.Actor, ref booking.PaymentID) (Entry, error) {
	e, err := s.Reader(ctx).PassEntry(a.Workspace, ref)
	if err == nil && (e.TakesBack != 0 || e.Delta >= 0) {
		err = fault.ErrNotFound
	}
	return Entry{ID: e.ID, WorkspaceID: e.WorkspaceID, BookingID: e.BookingID, SaleID: e.SaleID}, err
}

// wholeCredits refuses to give back a part of what credits paid.
func wholeCredits(use *booking.PassUse, amount, left int64) error {
	if use != nil && use.Credits > 0 && amount != left {
		return fault.Invalid("amount", "must be all that the credits paid, %d, or be left out", left)
	}
	return nil
}

// passes returns the passes that parts of payments go back to, and those that are given back.
func (s *Sale) passes(back []backed) (all []booking.PassID) {
	for _, x := range back {
		if x.payment.Pass != nil {
			all = append(all, x.payment.Pass.ID)
		}
		if l := s.line(x.part.Line); l != nil && l.PassID != nil {
			all = append(all, *l.PassID)
		}
	}
	return all
}
