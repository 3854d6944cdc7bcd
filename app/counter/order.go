package counter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/payment"
	"daybook/app/when"
)

// What a voucher that is sold online may cost, in whole units of the currency.
const (
	LeastVoucher = 5
	MostVoucher  = 1000
)

const (
	orderLife  = 30 * time.Minute // as long as its payment page is open; the least that Stripe allows
	orderSlack = time.Minute      // the clocks may differ
	orderPause = 5 * time.Minute  // before the provider is asked again
	orderBatch = 20
	// orderAhead is how far ahead the day may lie on which a voucher is mailed.
	orderAhead = 365
)

// Order is a voucher that somebody buys online. Once it is paid it is a sale; unpaid it never was. Its JSON is stored.
type Order struct {
	ID          payment.CheckoutID  `json:"-"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	Session     string              `json:"-"` // what the provider calls its page; "" until it has answered
	Intent      string              `json:"-"` // what it calls the payment; "" until it is paid
	SaleID      SaleID              `json:"-"` // 0 until it is paid
	DueAt       when.Instant        `json:"-"` // when the provider is asked next; 0: it needn't be

	Amount    int64                   `json:"amount"`
	Currency  string                  `json:"currency"`
	For       string                  `json:"for,omitempty"` // as it is printed
	To        string                  `json:"to,omitempty"`  // the address that it is mailed to; "": the buyer prints it
	Day       string                  `json:"day,omitempty"` // on which it is mailed; "" is at once
	Buyer     string                  `json:"buyer"`         // their address; "" once they have their mail
	Locale    string                  `json:"locale"`
	Mailed    bool                    `json:"mailed,omitempty"` // it is mailed to somebody, so that the buyer sees no code
	PassID    booking.PassID          `json:"pass,omitzero"`
	Request   payment.CheckoutRequest `json:"request"`
	Refunds   []OrderRefund           `json:"refunds,omitempty"`
	Dispute   string                  `json:"dispute,omitempty"` // the provider's word for how it stands
	Blocked   bool                    `json:"blocked,omitempty"` // the voucher is, because of what happened at the provider
	CreatedAt when.Instant            `json:"createdAt"`
}

// OrderRefund is money of an order that goes back by the provider.
type OrderRefund struct {
	Key    payment.JobID `json:"key"`
	Amount int64         `json:"amount"`
	Done   bool          `json:"done,omitempty"`
	Error  string        `json:"error,omitempty"` // why it won't go back
}

// OrderInput is what a visitor orders.
type OrderInput struct {
	Amount int64  // in minor units of the workspace's currency
	For    string // whom it is for; may be empty
	To     string // their address; "" has the buyer print it
	Day    string // on which it is mailed, as 2026-12-24; "" is at once
	Buyer  string // the address that the receipt goes to
	Locale string
}

// VoucherMails queues the mails of an order that was paid, in the transaction: the buyer's with the receipt and the way to the
// voucher, and at that time the one to whom it is for, if any.
type VoucherMails func(tx app.Tx, o *Order, r *Receipt, at when.Instant) error

// SellsVouchers reports whether the page sells vouchers.
func (s *Service) SellsVouchers(setup *catalog.Setup) bool {
	return setup.Workspace.Settings.SellsVouchers && setup.TakesCards
}

// VoucherBounds returns what a voucher on the page costs at least and at most, in minor units.
func VoucherBounds(currency string) (least, most int64) {
	unit := money.Unit(currency)
	return LeastVoucher * unit, MostVoucher * unit
}

// check normalises the input. Errors: bad_request.
func (in *OrderInput) check(setup *catalog.Setup, now time.Time) (err error) {
	var p fault.Problems
	currency := setup.Workspace.Currency
	if least, most := VoucherBounds(currency); in.Amount < least || in.Amount > most {
		p.Add(fault.Invalid("amount", "must lie between %s and %s", money.Money{Amount: least, Currency: currency}.Text(),
			money.Money{Amount: most, Currency: currency}.Text()))
	} else if step := money.Step(currency); in.Amount%step != 0 {
		p.Add(fault.Invalid("amount", "must be a multiple of %d", step))
	}
	in.For, err = fault.CheckLine("for", in.For, 0, MaxFor)
	p.Add(err)
	in.Buyer, err = fault.CheckEmail("buyer", in.Buyer)
	p.Add(err)
	if in.To == "" {
		in.Day = ""
	} else {
		in.To, err = fault.CheckEmail("to", in.To)
		p.Add(err)
	}
	if in.Day != "" {
		today := when.DayOf(now.In(setup.Zone))
		if day, err := when.ParseDay(in.Day, setup.Zone); err != nil || day.Before(today) || day.After(when.AddDays(today, orderAhead)) {
			p.Add(fault.Invalid("day", "must be a date within a year from today, such as %s", today.Format(time.DateOnly)))
		}
	}
	return p.Err()
}

// OrderVoucher begins the sale of a voucher by a visitor, and returns the address of the page on which it is paid: within half
// an hour, else it never was. The caller limits how often strangers may. Errors: bad_request, conflict inactive,
// payments_unavailable.
func (s *Service) OrderVoucher(ctx context.Context, ws catalog.WorkspaceID, in OrderInput) (url string, err error) {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return "", err
	}
	if err := setup.Workspace.Open(); err != nil {
		return "", err
	}
	if !s.SellsVouchers(setup) {
		return "", fault.Conflictf("inactive", "No vouchers are sold here.")
	}
	now := s.Core.Now()
	if err := in.check(setup, now); err != nil {
		return "", err
	}
	o := Order{ID: payment.NewCheckoutID(now), WorkspaceID: ws, Amount: in.Amount, Currency: setup.Workspace.Currency, For: in.For, To: in.To,
		Day: in.Day, Buyer: in.Buyer, Locale: in.Locale, Mailed: in.To != "", CreatedAt: when.At(now),
		DueAt: when.At(now.Add(orderLife + 2*orderSlack))}
	page := s.Core.BaseURL() + "/" + setup.Workspace.Slug + VoucherPath
	o.Request = payment.CheckoutRequest{ID: o.ID, Workspace: ws, Money: money.Money{Amount: o.Amount, Currency: o.Currency},
		Title: setup.Workspace.Name, Email: o.Buyer, Locale: o.Locale, SuccessURL: page + "/" + OrderToken(setup, o.ID), CancelURL: page,
		ExpiresAt: when.At(now.Add(orderLife + orderSlack))}
	if err := s.Write(ctx, func(tx Tx) error { return tx.InsertOrder(&o) }); err != nil {
		return "", err
	}
	r, err := s.online.OpenPage(ctx, o.Request)
	if err != nil {
		s.Core.Log().Error("no page for a voucher could be opened", "workspace", ws.String(), "error", providerText(err))
		if refused(err) {
			err := s.Write(ctx, func(tx Tx) error { return tx.DeleteOrder(ws, o.ID) })
			if err != nil {
				return "", err
			}
		}
		return "", fault.Conflictf("payments_unavailable", "The payment page can't be opened right now. Please try again in a minute.")
	}
	return r.URL, s.settleOrder(ctx, ws, o.ID, r)
}

// VoucherPath follows the address of a workspace: the page on which vouchers are sold.
const VoucherPath = "/voucher"

// OrderToken returns the part of an address that shows who bought a voucher what became of it.
func OrderToken(setup *catalog.Setup, id payment.CheckoutID) string {
	return catalog.Signed(setup, "voucher", id)
}

// OrderByToken returns the order of an address. Where it isn't paid yet, the provider is asked. Errors: not_found, also for one
// that was never paid.
func (s *Service) OrderByToken(ctx context.Context, setup *catalog.Setup, token string) (Order, error) {
	missing := fault.New(fault.NotFound, "", "This link leads to no voucher. If you have not paid, nothing was sold: order it again.")
	id, ok := payment.UnsignedCheckout(token)
	if !ok || OrderToken(setup, id) != token {
		return Order{}, missing
	}
	ws := setup.Workspace.ID
	o, err := s.Reader(ctx).Order(ws, id)
	if err == nil && o.SaleID == 0 && o.Session != "" {
		r, asked := s.online.PageState(ctx, ws, o.Session)
		if asked != nil {
			s.Core.Log().Warn("can't look what became of the page for a voucher", "workspace", ws.String(), "error", providerText(asked))
			return o, nil
		}
		if err := s.settleOrder(ctx, ws, id, r); err != nil {
			return o, err
		}
		o, err = s.Reader(ctx).Order(ws, id)
	}
	return o, fault.OrMissing(err, missing)
}

// PrintOrder returns the code of a voucher to who has bought it to print it. Once they have it, another one ends it, as long as
// nothing was paid with it. Errors: those of OrderByToken; conflict pass_blocked, pass_empty, wrong_state where it isn't theirs to
// print.
func (s *Service) PrintOrder(ctx context.Context, setup *catalog.Setup, token string) (code string, p pass.Pass, err error) {
	o, err := s.OrderByToken(ctx, setup, token)
	if err != nil {
		return "", p, err
	}
	if o.PassID == 0 || o.Mailed {
		return "", p, fault.Conflictf("wrong_state", "This voucher can't be printed here.")
	}
	if p, err = s.Reader(ctx).Pass(o.WorkspaceID, o.PassID); err != nil {
		return "", p, err
	}
	if p.Balance != p.Face {
		return "", p, fault.Conflictf("wrong_state", "This voucher was used already: ask at the counter for another print.")
	}
	return s.passes.PassCode(ctx, app.Operator(o.WorkspaceID), o.PassID.String())
}

// OrderedPass returns the voucher of an order that was paid.
func (s *Service) OrderedPass(ctx context.Context, o *Order) (pass.Pass, error) {
	return s.Reader(ctx).Pass(o.WorkspaceID, o.PassID)
}

// settleOrder saves what became of the payment page of an order: paid, it is sold; over, it never was. It may be called more than
// once.
func (s *Service) settleOrder(ctx context.Context, ws catalog.WorkspaceID, id payment.CheckoutID, r payment.CheckoutResult) error {
	return s.Write(ctx, func(tx Tx) error {
		o, err := tx.LockOrder(ws, id)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil || o.Intent != "" {
			return err
		}
		if r.Session != "" {
			o.Session = r.Session
		}
		now := when.At(s.Core.Now())
		switch {
		case r.Stage == payment.CheckoutComplete && !r.Failed:
			return s.In(tx).sellOrder(ctx, tx, &o, r.Intent)
		case r.Failed, r.Stage == payment.CheckoutExpired:
			return tx.DeleteOrder(ws, id)
		case r.Stage == payment.CheckoutProcessing:
			o.DueAt = now.Add(time.Hour)
		default:
			o.DueAt = max(o.DueAt, o.Request.ExpiresAt.Add(orderSlack))
		}
		return tx.UpdateOrder(&o)
	})
}

// sellOrder makes the sale of an order that was paid, or gives the money back where it can't be made any more.
func (s *Service) sellOrder(ctx context.Context, tx Tx, o *Order, intent string) error {
	a, now := app.Operator(o.WorkspaceID), s.Core.Now()
	setup, err := s.Core.Setup(o.WorkspaceID)
	if err != nil {
		return err
	}
	var sale Sale
	err = tx.Try(func() (err error) {
		if setup.Workspace.Currency != o.Currency {
			return fault.Conflictf("setup_changed", "the currency is another one now")
		}
		sale, err = s.Sell(ctx, a, SaleInput{Lines: []SaleLineInput{{Kind: VoucherLine, Amount: &o.Amount, For: o.For}},
			Payments: []SalePaymentInput{{Method: booking.ByCard, Amount: o.Amount, Note: onlineNote}}})
		return err
	})
	o.Intent, o.DueAt = intent, 0
	if fault.Refusal(err) != nil {
		s.Core.Log().Error("a voucher was paid online and can't be sold any more: the money goes back", "workspace", o.WorkspaceID.String(),
			"error", err.Error())
		o.Refunds, o.DueAt, o.Buyer, o.To, o.Request.Email = []OrderRefund{{Key: payment.NewRefundKey(now), Amount: o.Amount}}, when.At(now), "", "", ""
		return tx.UpdateOrder(o)
	}
	if err != nil {
		return err
	}
	o.SaleID, o.PassID = sale.ID, *sale.Lines[0].PassID
	receipt, err := tx.Receipt(o.WorkspaceID, *sale.ReceiptID)
	if err != nil {
		return err
	}
	at := when.At(now)
	if o.Day != "" {
		day, err := when.ParseDay(o.Day, setup.Zone)
		if err != nil {
			return err
		}
		at = max(at, when.At(time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, setup.Zone)))
	}
	if err := s.vouchers(tx, o, &receipt, at); err != nil {
		return err
	}
	o.Buyer, o.To, o.Request.Email = "", "", "" // the mails have them
	return tx.UpdateOrder(o)
}

// onlineNote is the note of a payment that came by the provider.
const onlineNote = "online"

// backOnline has what goes back of a sale that was paid online go back by the provider.
func (w *saleWork) backOnline(back []backed) error {
	o, err := w.tx.OrderOfSale(w.actor.Workspace, w.sale.ID)
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	sum := int64(0)
	for _, x := range back {
		sum += x.amount
	}
	if o, err = w.tx.LockOrder(o.WorkspaceID, o.ID); err != nil {
		return err
	}
	o.Refunds = append(o.Refunds, OrderRefund{Key: payment.NewRefundKey(w.now), Amount: sum})
	o.DueAt = when.At(w.now)
	return w.tx.UpdateOrder(&o)
}

// acceptEvent implements payment.Others.
func (s *Service) acceptEvent(ctx context.Context, ws catalog.WorkspaceID, e *payment.ProviderEvent) (bool, error) {
	r := s.Reader(ctx)
	var o Order
	var err error
	switch {
	case e.Checkout != nil:
		o, err = r.OrderBySession(ws, e.Checkout.Session)
		if errors.Is(err, fault.ErrNotFound) && e.Checkout.Checkout != 0 {
			o, err = r.Order(ws, e.Checkout.Checkout)
		}
	case e.Intent != "":
		o, err = r.OrderByIntent(ws, e.Intent)
	default:
		return false, nil
	}
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if e.Checkout != nil {
		return true, s.settleOrder(ctx, ws, o.ID, *e.Checkout)
	}
	return true, s.Write(ctx, func(tx Tx) error { // to be asked about at once
		o, err := tx.LockOrder(ws, o.ID)
		if err != nil {
			return err
		}
		o.DueAt = when.At(s.Core.Now())
		return tx.UpdateOrder(&o)
	})
}

// tendOrders asks the provider about orders that are due. What fails is tried again in five minutes.
func (s *Service) tendOrders(ctx context.Context) error {
	now := when.At(s.Core.Now())
	due, err := s.Reader(ctx).DueOrders(now, orderBatch)
	if err != nil {
		return err
	}
	for i := range due {
		o := &due[i]
		mine := false
		if err := s.Quietly(ctx, func(tx Tx) (err error) {
			mine, err = tx.ClaimOrder(o, now.Add(orderPause))
			return err
		}); err != nil {
			return err
		}
		if !mine {
			continue
		}
		o.DueAt = now.Add(orderPause)
		if err := s.tendOrder(ctx, o); err != nil && ctx.Err() == nil {
			s.Core.Log().Warn("can't ask about a voucher that was bought online", "workspace", o.WorkspaceID.String(), "order", o.ID.String(),
				"error", providerText(err))
		}
	}
	return nil
}

// tendOrder does what is due of an order: it looks whether it was paid, gives money back, or looks what became of the payment.
func (s *Service) tendOrder(ctx context.Context, o *Order) error {
	ws := o.WorkspaceID
	if o.Intent == "" {
		var r payment.CheckoutResult
		var err error
		look := s.online.PageState
		if o.Request.ExpiresAt <= when.At(s.Core.Now()) {
			look = s.online.ClosePage
		}
		if o.Session == "" { // its opening was never answered: the same request finds it
			r, err = s.online.OpenPage(ctx, o.Request)
			if refused(err) {
				return s.Write(ctx, func(tx Tx) error { return tx.DeleteOrder(ws, o.ID) })
			}
		} else {
			r, err = look(ctx, ws, o.Session)
		}
		if err != nil {
			return err
		}
		return s.settleOrder(ctx, ws, o.ID, r)
	}
	for i := range o.Refunds {
		b := &o.Refunds[i]
		if b.Done || b.Error != "" {
			continue
		}
		err := s.online.PayBack(ctx, ws, payment.RefundRequest{Key: b.Key, Intent: o.Intent, Money: money.Money{Amount: b.Amount, Currency: o.Currency}})
		if err != nil && !refused(err) {
			return err
		}
		if err := s.Write(ctx, func(tx Tx) error {
			now, err2 := tx.LockOrder(ws, o.ID)
			if err2 != nil {
				return err2
			}
			for j := range now.Refunds {
				if x := &now.Refunds[j]; x.Key == b.Key {
					if x.Done = err == nil; err != nil {
						x.Error = providerText(err)
						s.Core.Log().Error("a refund of a voucher was refused", "workspace", ws.String(), "order", o.ID.String(), "error", x.Error)
					}
				}
			}
			return tx.UpdateOrder(&now)
		}); err != nil {
			return err
		}
	}
	r, err := s.online.PaymentState(ctx, ws, o.Intent)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error { return s.In(tx).look(tx, o, &r) })
}

// look blocks the voucher of an order whose payment is disputed, or was refunded at the provider by hand, and frees it once a
// dispute is won.
func (s *Service) look(tx Tx, was *Order, r *payment.ChargeResult) error {
	o, err := tx.LockOrder(was.WorkspaceID, was.ID)
	if err != nil {
		return err
	}
	if o.DueAt == was.DueAt { // nothing has happened since
		o.DueAt = 0
	}
	open, asked := false, int64(0)
	for _, b := range o.Refunds {
		asked += b.Amount
		open = open || !b.Done && b.Error == ""
	}
	if open { // one was asked for meanwhile
		o.DueAt = when.At(s.Core.Now())
	}
	o.Dispute = r.Dispute
	blocks := r.Dispute != "" && r.Dispute != disputeWon || r.Refunded+r.Refunding > asked
	if o.PassID != 0 && blocks != o.Blocked {
		l := pass.Ledger{Tx: tx, Workspace: o.WorkspaceID, Actor: app.Operator(o.WorkspaceID), Now: s.Core.Now()}
		if err := l.Lock(o.PassID); err != nil {
			return err
		}
		p, err := tx.Pass(o.WorkspaceID, o.PassID)
		if err != nil {
			return err
		}
		switch {
		case blocks && !p.Stopped:
			o.Blocked = true
			err = l.Block(&p)
		case !blocks && asked == 0:
			o.Blocked, p.Stopped = false, false
			err = tx.UpdatePass(&p)
		}
		if err != nil {
			return err
		}
	}
	return tx.UpdateOrder(&o)
}

// disputeWon is Stripe's word for a dispute that was decided for the business.
const disputeWon = "won"

// SaleOrder returns the order by which a sale was made online; nil for none. Errors: forbidden, not_found.
func (s *Service) SaleOrder(ctx context.Context, a app.Actor, ref string) (*Order, error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return nil, err
	}
	sale, err := s.findSale(s.Reader(ctx), a, ref)
	if err != nil {
		return nil, err
	}
	o, err := s.Reader(ctx).OrderOfSale(a.Workspace, sale.ID)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	return &o, err
}

// refused reports whether the provider will never do what it was asked for.
func refused(err error) bool {
	var told *payment.ProviderError
	return errors.As(err, &told) && told.Fault == payment.ProviderRefused
}

// providerText returns the part of an error that may stand in the log.
func providerText(err error) string {
	var told *payment.ProviderError
	if errors.As(err, &told) {
		return told.Error()
	}
	return fmt.Sprint(err)
}
