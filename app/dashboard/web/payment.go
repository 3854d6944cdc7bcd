package web

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/views/dash"
)

// PaymentName returns what a payment is for.
func (c *Call) PaymentName(p *payment.Record) string {
	switch p.Kind {
	case payment.PaysFee:
		return c.T("dash_pay_fee")
	case payment.PaysLateFee:
		return c.T("deposit_late_fee")
	case payment.PaysDeposit:
		return c.T("deposit_name")
	}
	return c.T("dash_price")
}

// PaymentText returns the amount, what was refunded or is being refunded, and what is wrong.
func (c *Call) PaymentText(p *payment.Record) string {
	money := func(amount int64) string { return c.Money(&money.Money{Amount: amount, Currency: p.Currency}) }
	text := money(p.Amount)
	if p.RefundedAmount > 0 {
		text += ", " + c.T("dash_pay_back", "Amount", money(p.RefundedAmount))
	}
	if p.Refunding > 0 {
		text += ", " + c.T("dash_pay_going_back", "Amount", money(p.Refunding))
	}
	if p.Dispute != "" {
		text += ", " + c.T("dash_pay_dispute", "State", strings.ReplaceAll(p.Dispute, "_", " "))
	}
	if p.Error != "" {
		text += ". " + p.Error
	}
	return text
}

// PaymentBadge returns a payment's status in a word or two.
func (c *Call) PaymentBadge(p *payment.Record) dash.Badge {
	switch p.Status {
	case booking.PaymentPaid:
		switch {
		case p.Dispute != "" && p.Dispute != "won":
			return dash.Badge{Text: c.T("dash_pay_disputed"), Tone: "bad"}
		case p.RefundedAmount >= p.Amount:
			return dash.Badge{Text: c.T("dash_pay_refunded")}
		case p.RefundedAmount > 0:
			return dash.Badge{Text: c.T("dash_pay_partly"), Tone: "good"}
		}
		return dash.Badge{Text: c.T("dash_pay_paid"), Tone: "good"}
	case booking.PaymentProcessing:
		return dash.Badge{Text: c.T("dash_pay_processing"), Tone: "warn"}
	case booking.PaymentFailed:
		return dash.Badge{Text: c.T("dash_pay_failed"), Tone: "bad"}
	case booking.PaymentNeedsYou:
		return dash.Badge{Text: c.T("dash_pay_holder"), Tone: "warn"}
	case booking.PaymentVoid:
		return dash.Badge{Text: c.T("dash_pay_void")}
	}
	if p.Kind.Fee() {
		return dash.Badge{Text: c.T("dash_pay_charging"), Tone: "warn"}
	}
	return dash.Badge{Text: c.T("dash_pay_unpaid"), Tone: "warn"}
}
