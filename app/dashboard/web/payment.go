package web

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/record"
	"daybook/views/dash"
)

// PaymentName is what a payment is for.
func PaymentName(p *payment.Record) string {
	if p.Kind == payment.PaysFee {
		return "No-show fee"
	}
	return "Price"
}

// PaymentText is the amount, what was refunded or is being refunded, and what is wrong.
func (c *Call) PaymentText(p *payment.Record) string {
	money := func(amount int64) string { return c.Money(&catalog.Money{Amount: amount, Currency: p.Currency}) }
	text := money(p.Amount)
	if p.RefundedAmount > 0 {
		text += ", " + money(p.RefundedAmount) + " went back"
	}
	if p.Refunding > 0 {
		text += ", " + money(p.Refunding) + " on its way back"
	}
	if p.Dispute != "" {
		text += ", disputed: " + strings.ReplaceAll(p.Dispute, "_", " ")
	}
	if p.Error != "" {
		text += ". " + p.Error
	}
	return text
}

// PaymentBadge is a payment's status in a word or two.
func PaymentBadge(p *payment.Record) dash.Badge {
	switch p.Status {
	case record.PaymentPaid:
		switch {
		case p.Dispute != "" && p.Dispute != "won":
			return dash.Badge{Text: "Disputed", Tone: "bad"}
		case p.RefundedAmount >= p.Amount:
			return dash.Badge{Text: "Refunded"}
		case p.RefundedAmount > 0:
			return dash.Badge{Text: "Partly refunded", Tone: "good"}
		}
		return dash.Badge{Text: "Paid", Tone: "good"}
	case record.PaymentProcessing:
		return dash.Badge{Text: "Processing", Tone: "warn"}
	case record.PaymentFailed:
		return dash.Badge{Text: "Failed", Tone: "bad"}
	case record.PaymentNeedsYou:
		return dash.Badge{Text: "Needs the cardholder", Tone: "warn"}
	case record.PaymentVoid:
		return dash.Badge{Text: "Void"}
	}
	if p.Kind == payment.PaysFee {
		return dash.Badge{Text: "Being charged", Tone: "warn"}
	}
	return dash.Badge{Text: "Unpaid", Tone: "warn"}
}
