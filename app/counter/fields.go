package counter

import (
	"daybook/app/booking"
	"daybook/app/field"
	"daybook/app/money"
)

const minorUnits = "In minor units."

// RefundInput says how much of a payment is given back.
type RefundInput struct {
	Amount *int64 `json:"amount"` // nil is all that is left
}

// The descriptions of what callers see.
var (
	RefundInputFields = field.Resource{
		Text: "How much goes back. The body is optional.",
		Fields: []field.Field{
			{Name: "amount", Text: "In minor units; all that is left of the payment, tip included, when left out."},
		},
	}
	ReceiptFields = field.Resource{
		Text: "A receipt for money that was received for a booking or a sale, or the reversal of one. It never changes, but for the customer, who " +
			"may be erased. Amounts are in minor units and contain the tax.",
		Fields: []field.Field{
			{Name: "id", Text: "Identifier of the receipt.", Example: "rc_1p4s8ywa0g0m3"},
			{Name: "number", Text: "The year in the workspace's time zone and a number, without gaps in a workspace and year.",
				Example: "2026-17"},
			{Name: "kind", Text: "`reversal` takes another receipt back: its amounts are below zero.",
				Enum: field.Values(Kinds...)},
			{Name: "bookingId", Text: "Id of the booking; empty on the receipt of a sale that has none, or several."},
			{Name: "saleId", Text: "Id of the sale; null where there was none."},
			{Name: "reverses", Text: "The receipt that this reversal takes back; null for a receipt."},
			{Name: "reversedBy", Text: "The reversal that takes this receipt back; null while it stands."},
			{Name: "business", Text: "Who issued it, as it was then."},
			{Name: "customer", Text: "Who paid; empty once the contact is erased."},
			{Name: "start", Text: "When the booking begins, as it was then; of a sale, its first one, or else when it was issued."},
			{Name: "lines", Text: "What was paid for; they add up to the total."},
			{Name: "taxes", Text: "The tax by rate, rounded to the minor unit once for each rate; empty where there is none."},
			{Name: "total", Text: minorUnits},
			{Name: "currency", Text: "ISO 4217 code."},
			{Name: "payments", Text: "How it was paid; they add up to the total."},
			{Name: "deposit", Text: "What was paid online as a deposit; it is not in the total, nor taxed here. Left out " +
				"where there is none."},
			{Name: "taxRounding", Text: "`line`: the tax was rounded for each line; left out where it was rounded once for each rate.",
				Enum: field.Values(money.TaxRoundings...)},
			{Name: "notice", Text: "That this is no receipt of a certified cash register."},
			{Name: "issuedAt", Text: "When it was issued."},
		},
	}
	RefFields = field.Resource{
		Text: "Another receipt.",
		Fields: []field.Field{
			{Name: "id", Text: "Identifier of the receipt."}, {Name: "number", Text: "Its number."},
		},
	}
	BusinessFields = field.Resource{
		Text: "Who issues receipts.",
		Fields: []field.Field{
			{Name: "name", Text: "Of the workspace."}, {Name: "address", Text: "Empty when not set."},
			{Name: "phone", Text: "Empty when not set."}, {Name: "taxNumber", Text: "Empty when not set."},
		},
	}
	LineFields = field.Resource{
		Text: "What was paid for.",
		Fields: []field.Field{
			{Name: "kind", Text: "A tip is not taxed; the amount of a discount is below zero.", Enum: field.Values(LineKinds...)},
			{Name: "text", Text: "Title of the service or of an add-on, name of the product, or why the discount; empty for a tip. A part of the " +
				"price is one line, with the titles of all."},
			{Name: "quantity", Text: "How many seats or products the amount is for, where it is more than one and the line is for one " +
				"title; left out otherwise."},
			{Name: "amount", Text: minorUnits},
			{Name: "taxRate", Text: "In percent; null where it is not taxed."},
			{Name: "bookingId", Text: "On the receipt of a sale, the booking that the line is for; left out where there is none."},
		},
	}
	TaxLineFields = field.Resource{
		Text: "The tax of all lines with a rate: net and tax are gross.",
		Fields: []field.Field{
			{Name: "name", Text: "What the workspace calls it."}, {Name: "rate", Text: "In percent."},
			{Name: "net", Text: minorUnits}, {Name: "tax", Text: minorUnits}, {Name: "gross", Text: minorUnits},
		},
	}
	PaymentFields = field.Resource{
		Text: "How a part of a receipt was paid.",
		Fields: []field.Field{
			{Name: "method", Text: "How it was paid.", Enum: field.Values(booking.Methods...)},
			{Name: "amount", Text: "In minor units, with the tip."}, {Name: "at", Text: "When it was recorded."},
			{Name: "passId", Text: "The voucher that paid; left out for money."},
		},
	}
	DayFields = field.Resource{
		Text: "What a day brought in at the counter, and how its cash was counted. Amounts are in minor units.",
		Fields: []field.Field{
			{Name: "day", Text: "In the workspace's time zone.", Format: "date"},
			{Name: "currency", Text: "Of the cash: the workspace's."},
			{Name: "takings", Text: "What came in, by method and currency."},
			{Name: "opening", Text: "The cash that was there when the day began, as last said."},
			{Name: "cash", Text: "Taken in cash less given back, tips included."},
			{Name: "expected", Text: "`opening` and `cash`."},
			{Name: "closes", Text: "How the cash was counted, the earliest first; the last one counts."},
		},
	}
	TakingFields = field.Resource{
		Text: "What came in by one method.",
		Fields: []field.Field{
			{Name: "method", Text: "How it was paid.", Enum: field.Values(booking.Methods...)},
			{Name: "currency", Text: "ISO 4217 code."},
			{Name: "amount", Text: "Received less given back, tips included."},
			{Name: "tips", Text: "How much of the amount are tips."},
			{Name: "givenBack", Text: "What the amount is less by."},
		},
	}
	CloseFields = field.Resource{
		Text: "A count of the cash in the drawer.",
		Fields: []field.Field{
			{Name: "id", Text: "Identifier of the count."}, {Name: "opening", Text: minorUnits},
			{Name: "cash", Text: "Taken in cash until then."}, {Name: "expected", Text: "`opening` and `cash`."},
			{Name: "counted", Text: "What was there."}, {Name: "difference", Text: "`counted` less `expected`."},
			{Name: "currency", Text: "ISO 4217 code."}, {Name: "note", Text: "Such as why the difference."},
			{Name: "by", Text: "Who counted.", Enum: field.Values(booking.ActorKinds...)}, {Name: "at", Text: "When."},
		},
	}
)
