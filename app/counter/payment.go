package counter

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

const (
	maxPayments = 50         // of a booking
	maxAmount   = 99_999_999 // of one payment, as of a price
	MaxNote     = 500
)

// Input describes a payment at the counter.
type Input struct {
	Amount   int64          `json:"amount"` // of what is due, in minor units
	Tip      int64          `json:"tip"`
	Currency string         `json:"currency"` // "" is the booking's
	Method   booking.Method `json:"method"`
	Note     string         `json:"note"`
	Pass     string         `json:"pass"` // the code or id of the pass that pays, in place of money; "" is none

	known booking.PassID // that Pass means
}

// InputFields describes what is said of money that was taken.
var InputFields = field.Resource{
	Text: "Money that was taken at the counter.",
	Fields: []field.Field{
		{Name: "amount", Text: "Of what is due, in minor units, without the tip. 0 where it is a tip only; of a pass, as much as it " +
			"can pay.", Required: true},
		{Name: "currency", Text: "ISO 4217 code; the booking's currency, which it has to be."},
		{Name: "method", Text: "How it was paid.", Enum: field.Values(booking.Methods...), Required: true},
		{Name: "tip", Text: "What was given on top, in minor units."},
		{Name: "note", Text: "For the business.", Most: MaxNote},
		{Name: "pass", Text: "The code or the id of a pass or voucher that pays in place of money; `method` is `voucher` then.", Most: booking.MaxPassRef},
	},
}

func (in *Input) check() (err error) {
	var p fault.Problems
	if in.Pass != "" {
		if in.Method != booking.ByVoucher {
			p.Add(fault.Invalid("method", "must be voucher for a pass"))
		}
		if in.Tip != 0 {
			p.Add(fault.Invalid("tip", "can't be paid by a pass"))
		}
		if len(in.Pass) > booking.MaxPassRef {
			p.Add(fault.Invalid("pass", "is the code or the id of a pass"))
		}
	}
	for name, n := range map[string]int64{"amount": in.Amount, "tip": in.Tip} {
		if n < 0 || n > maxAmount {
			p.Add(fault.Invalid(name, "must lie between 0 and %d minor units", maxAmount))
		}
	}
	if in.Amount == 0 && in.Tip == 0 && in.Pass == "" {
		p.Add(fault.Invalid("amount", "is required: how much was taken, in minor units"))
	}
	if !slices.Contains(booking.Methods, in.Method) {
		p.Add(fault.Invalid("method", "must be cash, card, transfer, voucher or other"))
	}
	in.Note, err = fault.CheckText("note", in.Note, MaxNote)
	p.Add(err)
	return p.Err()
}

// Record records a payment at the counter for a booking; it becomes the last of the booking's Payments. If nothing is
// due after that, a receipt is made for everything that is on no receipt yet. Errors: not_found, forbidden,
// bad_request, also with the reason overpaid; conflict wrong_state, conflict too_many_payments.
func (s *Service) Record(ctx context.Context, a app.Actor, id string, in Input) (booking.Booking, error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return booking.Booking{}, err
	}
	if err := in.check(); err != nil {
		return booking.Booking{}, err
	}
	b, err := s.Core.Find(ctx, a, id)
	if err != nil {
		return b, err
	}
	if in.Pass != "" {
		p, err := s.passes.Resolve(ctx, a, in.Pass)
		if err != nil {
			return b, refusedPass(err, "pass")
		}
		in.known = p.ID
	}
	for range 5 { // it may join or leave a sale before it is locked
		sale, err := openSale(s.Reader(ctx), a.Workspace, b.ID)
		if err != nil {
			return b, err
		}
		if sale != 0 && b.Status.Stands() {
			if err := s.recordInSale(ctx, a, sale, b.ID, in); err != nil {
				return b, err
			}
			return s.Core.Booking(ctx, a, id)
		}
		after, err := s.Core.Change(ctx, a, id, func(ch *app.Change) error { return s.take(ch, in) })
		if !errors.Is(err, errInSale) {
			return after, err
		}
	}
	return b, fault.New(fault.Conflict, "setup_changed", "The booking's sale is being changed by others. Try again.")
}

// errInSale says that a booking has joined a sale.
var errInSale = errors.New("the booking is in an open sale")

func (s *Service) take(ch *app.Change, in Input) error {
	b := ch.Booking
	if !b.Status.Stands() {
		return app.WrongState(b, "paid at the counter")
	}
	if len(b.Payments) >= maxPayments {
		return fault.Conflictf("too_many_payments", "A booking has at most %d payments.", maxPayments)
	}
	if sale, err := openSale(tx(ch), b.WorkspaceID, b.ID); err != nil || sale != 0 {
		return cmp.Or(err, errInSale)
	}
	currency := b.Currency(ch.Setup)
	if in.Currency != "" && in.Currency != currency {
		return fault.Invalid("currency", "must be the booking's, %s", currency)
	}
	b.ShowMoney(ch.Setup)
	if in.Pass != "" {
		p, err := s.payByPass(ch, in.known, in.Amount, in.Note)
		if err != nil {
			return err
		}
		return s.taken(ch, p)
	}
	if err := refuseOverpaid(b, in.Amount); err != nil {
		return err
	}
	if !b.Keeps() { // later changes of the workspace's tax don't change what is due
		taxed := ch.Setup.Taxed(ch.Setup.EventTypeByID(b.EventTypeID))
		b.Taxed = &taxed
	}
	p := booking.CounterPayment{ID: id.New[booking.PaymentIDKind](ch.Now), Amount: in.Amount, Tip: in.Tip,
		Currency: currency, Method: in.Method, Note: in.Note, By: ch.Actor.Kind, CreatedAt: when.At(ch.Now)}
	b.Payments = append(slices.Clone(b.Payments), p)
	e := Entry{ID: p.ID, Method: p.Method, Amount: p.Amount, Tip: p.Tip, Currency: currency}
	if err := insertEntry(ch, e); err != nil {
		return err
	}
	return s.taken(ch, &p)
}

// taken tells of a payment that was taken, the last of the booking's, and makes the receipt if nothing is due.
func (s *Service) taken(ch *app.Change, p *booking.CounterPayment) error {
	b := ch.Booking
	ch.NoteAmount(booking.TookBy[p.Method], money.Money{Amount: p.Amount + p.Tip, Currency: p.Currency})
	if err := s.online.CloseAhead(ch); err != nil {
		return err
	}
	if err := s.Settle(ch); err != nil {
		return err
	}
	return emit(ch, catalog.PaymentRecorded, &b.Payments[len(b.Payments)-1])
}

// Settle makes a receipt for everything that was paid and is on no receipt yet, if nothing is due for the booking after
// its change. Of one in an open sale it brings the discount up to date: the sale has the receipt.
func (s *Service) Settle(ch *app.Change) error {
	b := ch.Booking
	if len(b.Payments) > 0 || b.Discount != nil {
		if sale, err := s.follow(ch); err != nil || sale != 0 {
			b.ShowMoney(ch.Setup)
			return err
		}
	}
	b.ShowMoney(ch.Setup)
	if b.Due == nil || b.Due.Amount == 0 {
		b.Payments = slices.Clone(b.Payments)
		s.closeReceipt(ch, func(p *booking.CounterPayment) bool { return p.Receipt == nil && p.Stays() })
	}
	return nil
}

func refuseOverpaid(b *booking.Booking, amount int64) error {
	due := int64(0)
	if b.Due != nil {
		due = b.Due.Amount
	}
	if amount <= due {
		return nil
	}
	if due == 0 {
		return fault.New(fault.BadRequest, "overpaid",
			"Nothing is due for this booking. What is given on top is a tip: send it as tip.").About("amount")
	}
	return fault.New(fault.BadRequest, "overpaid",
		"Only %s is due for this booking. What is given on top is a tip: send it as tip.", b.Due.Text()).About("amount")
}

// GiveBack gives a payment back, or with nil everything that is left of it, including the tip. If it was taken at the
// counter, the amount is due again, its receipt is reversed, and a new receipt lists what is left. A payment made
// online is refunded by the payment provider, which takes a while. Staff may only give back money taken on the same day
// for their own host. Errors: not_found, forbidden, bad_request (amount), conflict nothing_to_refund.
func (s *Service) GiveBack(ctx context.Context, a app.Actor, ref string, amount *int64) (booking.Booking, error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return booking.Booking{}, err
	}
	missing := fault.Missing("payment", ref)
	payment, err := id.Parse[booking.PaymentIDKind](ref)
	if err != nil {
		return booking.Booking{}, missing
	}
	e, err := s.Reader(ctx).CounterEntry(a.Workspace, payment)
	if errors.Is(err, fault.ErrNotFound) {
		if e, err = s.passPayment(ctx, a, payment); errors.Is(err, fault.ErrNotFound) {
			return s.online.RefundPayment(ctx, a, payment, amount)
		}
	}
	if err != nil {
		return booking.Booking{}, err
	}
	if e.GivesBack != 0 {
		return booking.Booking{}, missing
	}
	b, err := s.giveBackEntry(ctx, a, e, amount)
	if fault.Is(err, fault.NotFound) {
		err = missing
	}
	return b, err
}

// giveBackEntry gives back what an entry of the ledger has taken.
func (s *Service) giveBackEntry(ctx context.Context, a app.Actor, e Entry, amount *int64) (b booking.Booking, err error) {
	if e.SaleID != 0 {
		if e.BookingID == 0 { // it goes back with the sale
			return b, fault.Missing("payment", e.ID.String())
		}
		if err := s.giveBackInSale(ctx, a, e, amount); err != nil {
			return b, err
		}
		return s.Core.Booking(ctx, a, e.BookingID.String())
	}
	var of SaleID
	b, err = s.Core.Change(ctx, a, e.BookingID.String(), func(ch *app.Change) (err error) {
		if of, err = saleOfReceipt(ch, e.ID); err != nil || of != 0 {
			return cmp.Or(err, errInSale)
		}
		return s.giveBack(ch, e.ID, amount)
	})
	if !errors.Is(err, errInSale) {
		return b, err
	}
	if err := s.giveBackOnReceiptOf(ctx, a, of, e, amount); err != nil {
		return b, err
	}
	return s.Core.Booking(ctx, a, e.BookingID.String())
}

// saleOfReceipt returns the sale on whose receipt a payment of the booking stands; 0 if there is none.
func saleOfReceipt(ch *app.Change, payment booking.PaymentID) (SaleID, error) {
	for _, p := range ch.Booking.Payments {
		if p.ID != payment || p.Receipt == nil {
			continue
		}
		r, err := tx(ch).Receipt(ch.Booking.WorkspaceID, *p.Receipt)
		if err != nil || r.SaleID == nil {
			return 0, err
		}
		return *r.SaleID, nil
	}
	return 0, nil
}

func (s *Service) giveBack(ch *app.Change, payment booking.PaymentID, amount *int64) error {
	b := ch.Booking
	b.Payments = slices.Clone(b.Payments)
	i := slices.IndexFunc(b.Payments, func(p booking.CounterPayment) bool { return p.ID == payment })
	if i < 0 {
		return fault.Missing("payment", payment.String())
	}
	p := &b.Payments[i]
	if ch.Actor.Own() && p.CreatedAt < today(ch.Now, ch.Setup.Zone) {
		return errNotToday()
	}
	ofPrice, ofTip := p.Left()
	back, err := howMuch(amount, ofPrice+ofTip)
	if err != nil {
		return err
	}
	p.RefundedAmount += back
	leftOfPrice, leftOfTip := p.Left()
	ch.NoteAmount(booking.ActGaveBack, money.Money{Amount: back, Currency: p.Currency})
	e := Entry{ID: id.New[booking.PaymentIDKind](ch.Now), GivesBack: p.ID, Method: p.Method, Amount: leftOfPrice - ofPrice,
		Tip: leftOfTip - ofTip, Currency: p.Currency}
	if err := enterBack(ch, e, p, back, ofPrice+ofTip); err != nil {
		return err
	}
	if p.Receipt != nil {
		if err := s.reverse(ch, *p.Receipt); err != nil {
			return err
		}
	}
	b.ShowMoney(ch.Setup)
	return emit(ch, catalog.PaymentVoided, p)
}

func insertEntry(ch *app.Change, e Entry) error {
	b := ch.Booking
	e.WorkspaceID, e.BookingID, e.Actor, e.At = b.WorkspaceID, b.ID, ch.Actor.Kind, when.At(ch.Now)
	e.By = ch.Actor.ID()
	return tx(ch).InsertCounterEntry(&e)
}

func emit(ch *app.Change, kind catalog.EventKind, p *booking.CounterPayment) error {
	return ch.Emit(kind, func(e *booking.Event) ([]byte, error) {
		return booking.EncodeCounterEvent(e.ID, kind, e.CreatedAt, ch.Booking, p)
	})
}

// today returns the start of the day in the zone.
func today(now time.Time, zone *time.Location) when.Instant {
	return when.At(when.DayOf(now.In(zone)))
}
