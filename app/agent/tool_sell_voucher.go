package agent

import (
	"context"
	"encoding/json"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/subjects"
)

var sellVoucher = tool{
	view: confirmView, name: "sell_voucher", title: "Sell a gift voucher",
	description: "Sells a voucher that pays for bookings later, paid now at the desk; nothing is charged by this call. The answer of the call " +
		"itself has its code, which is shown this once: tell it to the person, or have it printed in the dashboard.",
	confirms: always{},
	input: object("", must("amount", number("What it is worth, in minor units.").atLeast(1)),
		must("method", choice("How it was paid.", field.Values(booking.Methods...)...)),
		may("tendered", number("The cash that was handed over, in minor units: the answer says the change.").atLeast(0)),
		may("for", text("Whom it is for, as it is printed.").length(0, counter.MaxFor)),
		may("contact", text("Id of the buyer, ct_…, if they are in the contact list.")),
		may("host", text("Id or name of who sold it."))),
	output: object("", must("saleId", text("")), must("paid", sum()), may("change", sum()), may("receipt", text("")),
		may("voucherId", text("")), may("code", text("Shown this once."))),
	run: reading(readVoucher, func(ctx context.Context, s *subjects.Set, a app.Actor, in counter.SaleInput) (any, error) {
		if in.HostID != "" {
			id, err := namedHost(s, a, in.HostID)
			if err != nil {
				return nil, err
			}
			in.HostID = id
		}
		sale, err := s.Counter.Sell(ctx, a, in)
		if err != nil {
			return nil, ofPayment(err)
		}
		told := soldVoucher{SaleID: sale.ID.String(), Paid: money.Money{Amount: sale.Paid, Currency: sale.Currency}}
		if given := in.Payments[0].Tendered; given != nil {
			told.Change = &money.Money{Amount: *given - sale.Paid, Currency: sale.Currency}
		}
		if sale.ReceiptID != nil {
			told.Receipt = sale.ReceiptID.String()
		}
		if id := sale.Lines[0].PassID; id != nil {
			told.VoucherID = id.String()
		}
		return told, nil
	}),
	after: func(ctx context.Context, s *subjects.Set, a app.Actor, answer []byte) (any, error) {
		var told soldVoucher
		if err := json.Unmarshal(answer, &told); err != nil || told.VoucherID == "" {
			return json.RawMessage(answer), err
		}
		code, _, err := s.Pass.PassCode(ctx, a, told.VoucherID)
		if err != nil { // it is sold all the same, and the dashboard prints it
			return told, nil //nolint:nilerr
		}
		told.Code = code
		return told, nil
	},
}

// soldVoucher is what is told of a voucher that was sold.
type soldVoucher struct {
	SaleID    string       `json:"saleId"`
	Paid      money.Money  `json:"paid"`
	Change    *money.Money `json:"change,omitempty"`
	Receipt   string       `json:"receipt,omitempty"`
	VoucherID string       `json:"voucherId,omitempty"`
	Code      string       `json:"code,omitempty"`
}

func readVoucher(in *args) counter.SaleInput {
	var amount int64
	switch n := in.whole("amount"); {
	case n == nil:
		in.wrong("amount", "is required: what the voucher is worth, in minor units")
	default:
		amount = int64(*n)
	}
	pay := counter.SalePaymentInput{Method: booking.Method(in.needed("method", "how it was paid, such as cash or card")), Amount: amount}
	if n := in.whole("tendered"); n != nil {
		given := int64(*n)
		pay.Tendered = &given
	}
	return counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &amount, For: in.text("for")}},
		ContactID: in.short("contact"), HostID: in.short("host"), Payments: []counter.SalePaymentInput{pay}}
}
