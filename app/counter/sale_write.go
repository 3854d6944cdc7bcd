package counter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// Sell makes a sale, which is open, or paid at once if the input has payments. Errors: bad_request, also with the reasons
// overpaid and discount_too_high; not_found, forbidden; conflict in_sale, wrong_state, too_many_payments.
func (s *Service) Sell(ctx context.Context, a app.Actor, in SaleInput) (sale Sale, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return sale, err
	}
	refs, err := s.admit(ctx, a, &in)
	if err != nil {
		return sale, err
	}
	err = s.Core.WithBookings(ctx, a, refs, func(of app.Tx, setup *catalog.Setup, now time.Time, all []booking.Booking) error {
		w := saleWork{s.In(of), of.(Tx), a, setup, now, &sale, 0}
		sale = Sale{ID: id.New[booking.SaleIDKind](now), Status: SaleOpen, Payments: []SalePayment{}, By: a.Kind, CreatedAt: when.At(now),
			WorkspaceID: a.Workspace}
		if err := w.fill(in, refs, all); err != nil {
			return err
		}
		if err := w.tx.InsertSale(&sale); err != nil {
			return err
		}
		if err := w.join(ctx, all); err != nil {
			return err
		}
		if in.Payments == nil {
			return nil
		}
		return w.pay(ctx, all, in.Payments)
	})
	return sale, err
}

// ChangeSale replaces the lines and the discount of an open sale for which nothing was paid yet. Errors: those of Sell;
// conflict sale_fixed.
func (s *Service) ChangeSale(ctx context.Context, a app.Actor, ref string, in SaleInput) (sale Sale, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return sale, err
	}
	refs, err := s.admit(ctx, a, &in)
	if err != nil {
		return sale, err
	}
	err = s.withSale(ctx, a, ref, refs, func(w *saleWork, all []booking.Booking) error {
		sale = *w.sale
		w.sale = &sale
		if err := w.unpaid(); err != nil {
			return err
		}
		if err := w.leave(ctx); err != nil {
			return err
		}
		if err := w.tx.SaleHas(a.Workspace, sale.ID, nil); err != nil {
			return err
		}
		sale.Discount, sale.Lines = nil, nil
		for i := range all { // their discounts are gone
			if all[i], err = w.tx.Booking(a.Workspace, all[i].ID); err != nil {
				return err
			}
			all[i].ShowMoney(w.setup)
		}
		if err := w.fill(in, refs, all); err != nil {
			return err
		}
		if err := w.join(ctx, all); err != nil {
			return err
		}
		if in.Payments == nil {
			return nil
		}
		return w.pay(ctx, all, in.Payments)
	})
	return sale, err
}

// VoidSale gives an open sale up for which nothing was paid, or all was given back; its discounts are gone. Errors: not_found, forbidden, conflict
// sale_fixed.
func (s *Service) VoidSale(ctx context.Context, a app.Actor, ref string) (sale Sale, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return sale, err
	}
	err = s.withSale(ctx, a, ref, nil, func(w *saleWork, _ []booking.Booking) error {
		sale = *w.sale
		w.sale = &sale
		if sale.Status != SaleOpen || sale.Paid > 0 {
			return w.fixed()
		}
		if err := w.leave(ctx); err != nil {
			return err
		}
		if err := w.tx.SettleSale(a.Workspace, sale.ID); err != nil {
			return err
		}
		sale.Status = SaleVoid
		return w.tx.UpdateSale(&sale)
	})
	return sale, err
}

// admit checks the input, and returns the bookings that it names. Errors: bad_request, forbidden (a discount), not_found.
func (s *Service) admit(ctx context.Context, a app.Actor, in *SaleInput) ([]booking.BookingID, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	if in.discounts() {
		if err := a.May(app.MayGiveDiscount); err != nil {
			return nil, err
		}
	}
	if err := s.resolve(ctx, a, in.Payments); err != nil {
		return nil, err
	}
	return s.named(ctx, a, in.Lines)
}

// named returns the bookings that the lines name, each once, those of visits in their order.
func (s *Service) named(ctx context.Context, a app.Actor, lines []SaleLineInput) (refs []booking.BookingID, err error) {
	for i := range lines {
		l, at := &lines[i], fmt.Sprintf("lines[%d].bookingId", i)
		var of []booking.BookingID
		switch {
		case l.BookingID != "":
			b, err := s.Core.Find(ctx, a, l.BookingID)
			if err != nil {
				return nil, err
			}
			of = append(of, b.ID)
		case l.VisitID != "":
			v, err := s.Core.Visit(ctx, a, l.VisitID)
			if err != nil {
				return nil, err
			}
			for i := range v.Items {
				if v.Items[i].Status.Stands() {
					of = append(of, v.Items[i].ID)
				}
			}
		}
		for _, b := range of {
			if slices.Contains(refs, b) {
				return nil, fault.Invalid(at, "names a booking that another line has")
			}
			refs = append(refs, b)
		}
	}
	if len(refs) > maxLines {
		return nil, fault.Invalid("lines", "must have 1 to %d lines", maxLines)
	}
	return refs, nil
}

// saleWork is a change of one sale in a transaction that has locked its bookings.
type saleWork struct {
	s     *Service // within the transaction
	tx    Tx
	actor app.Actor
	setup *catalog.Setup
	now   time.Time
	sale  *Sale
	only  booking.BookingID // 0, or the one booking that is paid now
}

// withSale runs do in a transaction that has locked the sale and its bookings, and more bookings, with all of these. Errors:
// not_found, and those of do.
func (s *Service) withSale(ctx context.Context, a app.Actor, ref string, more []booking.BookingID,
	do func(*saleWork, []booking.Booking) error) error {
	for range 5 { // its bookings may become others before they are locked
		sale, err := s.findSale(s.Reader(ctx), a, ref)
		if err != nil {
			return err
		}
		refs := sale.bookings()
		for _, b := range more {
			if !slices.Contains(refs, b) {
				refs = append(refs, b)
			}
		}
		err = s.Core.WithBookings(ctx, a, refs, func(of app.Tx, setup *catalog.Setup, now time.Time, all []booking.Booking) error {
			tx := of.(Tx)
			if err := tx.LockSale(a.Workspace, sale.ID); err != nil {
				return err
			}
			if sale, err = s.In(of).findSale(tx, a, ref); err != nil {
				return err
			}
			for _, b := range sale.bookings() {
				if !slices.Contains(refs, b) {
					return errOtherBookings
				}
			}
			w := &saleWork{s.In(of), tx, a, setup, now, &sale, 0}
			if sale.Status == SaleOpen {
				if err := w.catchUp(ctx, all); err != nil {
					return err
				}
			}
			return do(w, all)
		})
		if !errors.Is(err, errOtherBookings) {
			return err
		}
	}
	return fault.New(fault.Conflict, "setup_changed", "The sale is being changed by others. Try again.")
}

// catchUp brings an open sale up to date with its bookings. One that leaves it costs what it did before, and may join another.
func (w *saleWork) catchUp(ctx context.Context, all []booking.Booking) error {
	before := slices.Clone(w.sale.Lines)
	if err := w.sale.reckon(w.setup, all, false); err != nil {
		return err
	}
	for i := range before {
		l := &before[i]
		if l.BookingID == nil || slices.Contains(w.sale.bookings(), *l.BookingID) {
			continue
		}
		if err := w.change(ctx, *l.BookingID, func(ch *app.Change) error {
			setDiscount(ch, l.DiscountBefore, w.sale.Currency, "")
			return nil
		}); err != nil {
			return err
		}
		if err := w.tx.LeaveSale(w.actor.Workspace, w.sale.ID, *l.BookingID); err != nil {
			return err
		}
	}
	return nil
}

var errOtherBookings = errors.New("the sale has other bookings now")

// unpaid returns conflict sale_fixed where the lines of the sale can't be changed any more.
func (w *saleWork) unpaid() error {
	if w.sale.Status != SaleOpen || len(w.sale.Payments) > 0 {
		return w.fixed()
	}
	return nil
}

func (w *saleWork) fixed() error {
	return fault.Conflictf("sale_fixed", "Something was paid for this sale, or it is over: its lines stay as they are. "+
		"Give money back instead, or make another sale.").With("status", w.sale.Status)
}

// fill gives the sale the lines of the input. refs are the bookings that it names, all their rows.
func (w *saleWork) fill(in SaleInput, refs []booking.BookingID, all []booking.Booking) error {
	sale := w.sale
	host, err := w.host("hostId", in.HostID)
	if err != nil {
		return err
	}
	if sale.HostID = host; host == nil && w.actor.Host != 0 {
		own := w.actor.Host
		sale.HostID = &own
	}
	sale.Lines, sale.Discount, sale.Currency = []SaleLine{}, in.Discount, ""
	var open []booking.Booking
	for _, ref := range refs {
		i := slices.IndexFunc(all, func(b booking.Booking) bool { return b.ID == ref })
		open = append(open, all[i])
	}
	for i := range in.Lines {
		l := &in.Lines[i]
		var err error
		switch {
		case l.Kind == TipLine:
			line := SaleLine{Kind: TipLine, Quantity: 1, Amount: *l.Amount}
			line.HostID, err = w.host(fmt.Sprintf("lines[%d].hostId", i), l.HostID)
			sale.add(line)
		case l.Kind == ProductLine || l.Kind == PassLine:
			err = w.addProduct(l, fmt.Sprintf("lines[%d]", i))
		case l.Kind == VoucherLine:
			err = w.addVoucher(l, fmt.Sprintf("lines[%d]", i))
		case l.BookingID != "":
			err = w.addBooking(l, &open[0])
			open = open[1:]
		default:
			for len(open) > 0 && open[0].Visit != nil && open[0].Visit.ID.String() == l.VisitID && err == nil {
				err = w.addBooking(l, &open[0])
				open = open[1:]
			}
		}
		if err != nil {
			return err
		}
	}
	if len(sale.Lines) == 0 {
		return fault.Invalid("lines", "has no booking that can be paid")
	}
	if sale.Currency == "" {
		sale.Currency = w.setup.Workspace.Currency
	}
	if err := w.whose(in.ContactID, all); err != nil {
		return err
	}
	return sale.reckon(w.setup, all, true)
}

// add appends a line with the next id.
func (s *Sale) add(l SaleLine) {
	l.ID = len(s.Lines) + 1
	s.Lines = append(s.Lines, l)
}

// priced returns bad_request for a line in another currency than those before it.
func (s *Sale) priced(currency, at string) error {
	if s.Currency == "" {
		s.Currency = currency
	}
	if s.Currency != currency {
		return fault.Invalid(at, "is in %s, and the lines before it are in %s: a sale has one currency", currency, s.Currency)
	}
	return nil
}

func (w *saleWork) addBooking(l *SaleLineInput, b *booking.Booking) error {
	if !b.Status.Stands() {
		return app.WrongState(b, "paid at the counter")
	}
	other, err := w.tx.OpenSale(b.WorkspaceID, b.ID)
	if err == nil && other != w.sale.ID {
		return inSale(other)
	}
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if err := w.sale.priced(b.Currency(w.setup), "lines"); err != nil {
		return err
	}
	line := SaleLine{Kind: ServiceLine, BookingID: &b.ID, Discount: l.Discount, DiscountBefore: b.Discount.Units()}
	w.sale.add(line)
	return nil
}

// inSale says that a booking is in an open sale.
func inSale(which SaleID) error {
	return fault.Conflictf("in_sale", "This booking is in a sale that is open: pay that one, or void it.").With("saleId", which)
}

func (w *saleWork) addProduct(l *SaleLineInput, at string) error {
	missing := fault.Missing("product", l.ProductID)
	ref, err := id.Parse[catalog.ProductIDKind](l.ProductID)
	if err != nil {
		return missing
	}
	p, err := w.tx.Product(w.actor.Workspace, ref)
	if err != nil {
		return fault.OrMissing(err, missing)
	}
	if !p.Active {
		return fault.Invalid(at+".productId", "is not on sale any more")
	}
	if err := w.sale.priced(p.Price.Currency, at+".productId"); err != nil {
		return err
	}
	n := 1
	if l.Quantity != nil {
		n = *l.Quantity
	}
	if (p.Pass != nil) != (l.Kind == PassLine) {
		if p.Pass != nil {
			return fault.Invalid(at+".kind", "must be pass: %s is one", p.Name)
		}
		return fault.Invalid(at+".kind", "must be product: %s is no pass", p.Name)
	}
	line := SaleLine{Kind: l.Kind, ProductID: &p.ID, Text: p.Name, Quantity: n, Amount: p.Price.Amount * int64(n),
		Discount: l.Discount}
	line.Terms = p.Pass
	line.setTaxed(w.setup.TaxedProduct(&p))
	if line.HostID, err = w.host(at+".hostId", l.HostID); err != nil {
		return err
	}
	w.sale.add(line)
	return nil
}

// host returns the host that the input names; nil for "".
func (w *saleWork) host(at, ref string) (*catalog.HostID, error) {
	if ref == "" {
		return nil, nil
	}
	if which, err := id.Parse[catalog.HostIDKind](ref); err == nil {
		if h := w.setup.Host(which); h != nil {
			return &h.ID, nil
		}
	}
	return nil, fault.Invalid(at, "names no host of the workspace")
}

// whose sets the customer of the sale: the contact that the input names, else that of its first booking with one, else the
// first name.
func (w *saleWork) whose(ref string, all []booking.Booking) error {
	sale := w.sale
	sale.ContactID, sale.Customer = nil, ""
	for i := range all {
		b := &all[i]
		if !slices.Contains(sale.bookings(), b.ID) || b.Invitee.Erased() {
			continue
		}
		known := b.ContactID != 0
		if b.Invitee.Name == booking.WalkIn && !known || sale.ContactID != nil || sale.Customer != "" && !known {
			continue
		}
		sale.Customer = ""
		if b.Invitee.Name != booking.WalkIn {
			sale.Customer = b.Invitee.Name
		}
		if known {
			sale.ContactID = &b.ContactID
		}
	}
	if ref == "" {
		return nil
	}
	missing := fault.Missing("contact", ref)
	which, err := id.Parse[booking.ContactIDKind](ref)
	if err != nil {
		return missing
	}
	c, err := w.tx.Contact(w.actor.Workspace, which)
	if err != nil {
		return fault.OrMissing(err, missing)
	}
	if c.Gone() {
		return missing
	}
	sale.ContactID, sale.Customer = &c.ID, c.Name
	return nil
}

// join gives the bookings of the sale their discounts, and says that they are in it.
func (w *saleWork) join(ctx context.Context, all []booking.Booking) error {
	if err := w.discount(ctx, all); err != nil {
		return err
	}
	if err := w.tx.SaleHas(w.actor.Workspace, w.sale.ID, w.sale.bookings()); err != nil {
		return err
	}
	return w.tx.UpdateSale(w.sale)
}

// leave takes the discounts of the sale off its bookings, which are in it no more.
func (w *saleWork) leave(ctx context.Context) error {
	for i := range w.sale.Lines {
		if l := &w.sale.Lines[i]; l.BookingID != nil && l.off() > 0 {
			if err := w.change(ctx, *l.BookingID, func(ch *app.Change) error {
				setDiscount(ch, l.DiscountBefore, w.sale.Currency, "")
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// discount gives the bookings the discounts that the sale has for them now.
func (w *saleWork) discount(ctx context.Context, all []booking.Booking) error {
	for i := range w.sale.Lines {
		l := &w.sale.Lines[i]
		at := slices.IndexFunc(all, func(b booking.Booking) bool { return l.BookingID != nil && b.ID == *l.BookingID })
		if at < 0 || all[at].Discount.Units() == l.DiscountBefore+l.off() || !all[at].Status.Stands() {
			continue
		}
		b := &all[at]
		if err := w.change(ctx, b.ID, func(ch *app.Change) error {
			setDiscount(ch, l.DiscountBefore+l.off(), w.sale.Currency, w.sale.reason(l))
			b.Discount = ch.Booking.Discount
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// change changes a booking of the sale, whoever's it is.
func (w *saleWork) change(ctx context.Context, ref booking.BookingID, do func(*app.Change) error) error {
	_, err := w.s.Core.Change(ctx, w.actor, ref.String(), do)
	return err
}

// reason returns why something is taken off the line.
func (s *Sale) reason(l *SaleLine) string {
	if l.OwnDiscount > 0 && l.Discount.Reason != "" {
		return l.Discount.Reason
	}
	if s.Discount != nil {
		return s.Discount.Reason
	}
	return ""
}

// setDiscount sets what is taken off the booking's price, and notes it in its history.
func setDiscount(ch *app.Change, amount int64, currency, reason string) {
	b := ch.Booking
	if b.Discount.Units() == amount {
		return
	}
	b.Discount = nil
	if amount > 0 {
		b.Discount = &money.Money{Amount: amount, Currency: currency}
	}
	ch.NoteAmountFor(booking.ActDiscounted, money.Money{Amount: amount, Currency: currency}, reason)
}
