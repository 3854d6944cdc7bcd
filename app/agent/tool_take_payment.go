package agent

import (
	"context"
	"encoding/json"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/subjects"
)

var takePayment = tool{
	view: confirmView, name: "take_payment", title: "Take a payment at the desk",
	description: "Records money that the person has handed over, or paid at the card terminal, for a booking or with the id of a " +
		"visit for all of it; nothing is charged by this call. Left out, amount is all that is due. A discount lowers what is " +
		"due first, and stands on the receipt with its reason. Once nothing is due there is a receipt. Taking it back is " +
		"possible in the dashboard only.",
	confirms: always{},
	input: object("", idArg(),
		may("amount", number("Of what is due, in minor units, without the tip; left out, all of it, and 0 for a tip alone.").atLeast(0)),
		may("tip", number("On top, in minor units.").atLeast(0)),
		must("method", choice("How it was paid; voucher goes with pass.", field.Values(booking.Methods...)...)),
		may("tendered", number("The cash that was handed over, in minor units: the answer says the change.").atLeast(0)),
		may("pass", text("Code or id of a pass or voucher that pays.").length(1, booking.MaxPassRef)),
		discountArg("Taken off the price: percent or amount."),
		may("note", text("For the business.").length(0, counter.MaxNote)),
	),
	output: object("", must("id", text("")), must("paid", sum()), may("tip", sum()), must("due", sum().orNull()),
		may("change", sum()), may("discounted", sum()), may("receipt", text("Its id, once nothing is due.")), may("sale", text(""))),
	run: reading(readPaying, func(ctx context.Context, s *subjects.Set, a app.Actor, in paying) (any, error) {
		if err := a.May(app.MayTakeMoney); err != nil { // before what is due is looked up
			return nil, err
		}
		due, currency, err := in.due(ctx, s, a)
		if err != nil {
			return nil, err
		}
		if in.discount != nil || in.tendered != nil || in.pass != "" && ofVisit(in.id) {
			return in.sell(ctx, s, a)
		}
		amount := due
		if in.amount != nil {
			amount = int64(*in.amount)
		}
		one := counter.Input{Amount: amount, Tip: in.tip, Method: in.method, Note: in.note, Pass: in.pass}
		told := paidAnswer{ID: in.id, Paid: money.Money{Amount: amount, Currency: currency}}
		if in.tip > 0 {
			told.Tip = &money.Money{Amount: in.tip, Currency: currency}
		}
		if ofVisit(in.id) {
			v, err := s.Counter.RecordVisit(ctx, a, in.id, one)
			if err != nil {
				return nil, err
			}
			told.Due, _ = counter.Due(v.Items)
			return told, nil
		}
		b, err := s.Counter.Record(ctx, a, in.id, one)
		if err != nil {
			return nil, err
		}
		told.Due = b.Due
		if n := len(b.Payments); n > 0 {
			last := b.Payments[n-1]
			told.Paid.Amount = last.Amount // of a pass, as much as it could pay
			if last.Receipt != nil {
				told.Receipt = last.Receipt.String()
			}
		}
		return told, nil
	}),
}

// paidAnswer is what is told of money that was taken.
type paidAnswer struct {
	ID         string       `json:"id"`
	Paid       money.Money  `json:"paid"`
	Tip        *money.Money `json:"tip,omitempty"`
	Due        *money.Money `json:"due"`
	Change     *money.Money `json:"change,omitempty"`
	Discounted *money.Money `json:"discounted,omitempty"`
	Receipt    string       `json:"receipt,omitempty"`
	Sale       string       `json:"sale,omitempty"`
}

// paying is what take_payment is asked for.
type paying struct {
	id               string
	amount, tendered *int
	tip              int64
	method           booking.Method
	pass, note       string
	discount         *counter.Discount
}

func readPaying(in *args) (p paying) {
	p.id, p.amount, p.tendered = in.bookingID(), in.whole("amount"), in.whole("tendered")
	if tip := in.whole("tip"); tip != nil {
		p.tip = int64(*tip)
	}
	p.method, p.pass, p.note = booking.Method(in.needed("method", "how it was paid, such as cash or card")), in.short("pass"), in.text("note")
	p.discount = in.discount()
	return p
}

// discountArg is the argument that takes something off a price.
func discountArg(description string) property {
	return may("discount", object(description,
		may("percent", &schema{Type: "number", Description: "Such as 10 for 10 %."}),
		may("amount", number("In minor units.").atLeast(1)),
		must("reason", text("Why: it stands on the receipt.").length(1, counter.MaxReason))))
}

// discount returns what is to be taken off, nil for nothing.
func (in *args) discount() *counter.Discount {
	raw, o := in.given("discount"), in.object("discount")
	for _, name := range []string{"percent", "amount", "reason"} {
		o.given(name)
	}
	if raw == nil || o.fields == nil {
		return nil
	}
	var d counter.Discount
	if json.Unmarshal(raw, &d) != nil {
		in.wrong("discount", "must have percent or amount, and reason")
		return nil
	}
	return &d
}

// due returns what is due for the booking, or for what the actor sees of the visit.
func (p *paying) due(ctx context.Context, s *subjects.Set, a app.Actor) (amount int64, currency string, err error) {
	var all []booking.Booking
	if ofVisit(p.id) {
		v, err := s.Visit(ctx, a, p.id)
		if err != nil {
			return 0, "", err
		}
		all = v.Items
	} else {
		b, err := s.Booking(ctx, a, p.id)
		if err != nil {
			return 0, "", err
		}
		all = []booking.Booking{b}
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return 0, "", err
	}
	due, _ := counter.Due(all)
	if due == nil {
		return 0, setup.Workspace.Currency, nil
	}
	return due.Amount, due.Currency, nil
}

// sell takes the money by a sale, which has what a payment alone has not: discounts, and change. It is one transaction
// with what calls it.
func (p *paying) sell(ctx context.Context, s *subjects.Set, a app.Actor) (any, error) {
	line := counter.SaleLineInput{Kind: counter.ServiceLine, BookingID: p.id}
	if ofVisit(p.id) {
		line.BookingID, line.VisitID = "", p.id
	}
	in := counter.SaleInput{Lines: []counter.SaleLineInput{line}, Discount: p.discount}
	if p.tip > 0 {
		in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.TipLine, Amount: &p.tip})
	}
	sale, err := s.Counter.Sell(ctx, a, in)
	if err != nil {
		return nil, ofPayment(err)
	}
	pay := counter.SalePaymentInput{Method: p.method, Amount: sale.Due, Note: p.note, Pass: p.pass}
	if p.amount != nil {
		pay.Amount = int64(*p.amount) + p.tip
	}
	if p.tendered != nil {
		given := int64(*p.tendered)
		pay.Tendered = &given
	}
	if sale, err = s.Counter.PaySale(ctx, a, sale.ID.String(), []counter.SalePaymentInput{pay}); err != nil {
		return nil, ofPayment(err)
	}
	in1 := func(n int64) *money.Money { return &money.Money{Amount: n, Currency: sale.Currency} }
	told := paidAnswer{ID: p.id, Paid: *in1(sale.Paid - p.tip), Due: in1(sale.Due), Sale: sale.ID.String()}
	if p.tip > 0 {
		told.Tip = in1(p.tip)
	}
	if sale.Discounted > 0 {
		told.Discounted = in1(sale.Discounted)
	}
	if n := len(sale.Payments); n > 0 && pay.Tendered != nil {
		told.Change = in1(*pay.Tendered - pay.Amount)
	}
	if sale.ReceiptID != nil {
		told.Receipt = sale.ReceiptID.String()
	}
	return told, nil
}

// ofPayment makes an error about the payments or lines of a sale one about the arguments.
func ofPayment(err error) error {
	e := fault.Refusal(err)
	if e == nil {
		return err
	}
	for _, prefix := range []string{"payments[0].", "lines[0].", "lines[1]."} {
		if len(e.Field) > len(prefix) && e.Field[:len(prefix)] == prefix {
			return e.About(e.Field[len(prefix):])
		}
	}
	return err
}
