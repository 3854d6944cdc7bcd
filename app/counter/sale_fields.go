package counter

import (
	"daybook/app/booking"
	"daybook/app/field"
	"daybook/app/money"
)

// The descriptions of sales.
var (
	SaleFields = field.Resource{
		Text: "What a customer pays together: services, products, a tip. Amounts are in minor units.",
		Fields: []field.Field{
			{Name: "id", Text: "Identifier of the sale.", Example: "sa_1p4s8ywa0g0m3"},
			{Name: "status", Text: "`open` until nothing is due. Lines of a sale stay as they are once anything was paid; a booking " +
				"that is moved or edited meanwhile brings its price along, and a cancelled one leaves.", Enum: field.Values(SaleStatuses...)},
			{Name: "contactId", Text: "The customer; null where nobody is known, or once the contact is erased."},
			{Name: "customer", Text: "Name of the customer; empty likewise."},
			{Name: "hostId", Text: "The host who sold what is no service; null is nobody."},
			{Name: "lines", Text: "What is sold."},
			{Name: "discount", Text: "Of the whole; null is none."},
			{Name: "discounted", Text: "What all discounts take off, as prices are kept."},
			{Name: "total", Text: "What is paid in this sale, with tax and tip."},
			{Name: "paid", Text: "What was paid of it, less what was given back."},
			{Name: "due", Text: "What is still to be paid. Of a sale that was paid nothing is due again: what is given back for a service is " +
				"due for its booking."},
			{Name: "refunded", Text: "What was given back."},
			{Name: "currency", Text: "ISO 4217 code."},
			{Name: "payments", Text: "How it was paid, the oldest first."},
			{Name: "receiptId", Text: "Its receipt that stands; null until nothing is due, and once all was given back."},
			{Name: "by", Text: "Who made it.", Enum: field.Values(booking.ActorKinds...)},
			{Name: "createdAt", Text: "When it was made."}, {Name: "paidAt", Text: "When nothing was due any more; null until then."},
		},
	}
	SaleLineFields = field.Resource{
		Text: "A line of a sale.",
		Fields: []field.Field{
			{Name: "id", Text: "Identifier of the line in its sale, from 1."},
			{Name: "kind", Text: "What it is.", Enum: field.Values(saleLines...)},
			{Name: "bookingId", Text: "Of a service; null else."}, {Name: "productId", Text: "Of a product or a pass; null else."},
			{Name: "passId", Text: "The pass or voucher that was sold; null until the sale is paid, and for what is none."},
			{Name: "for", Text: "Whom a voucher is for, as it is printed; left out for nobody."},
			{Name: "terms", Text: "What a pass pays for, as it is sold; left out of what is none."},
			{Name: "hostId", Text: "Who does the service or sold the product, or whose the tip is. Null of a product is the sale's " +
				"`hostId`; null of a tip is shared over the hosts of the services by what they cost, or the sale's."},
			{Name: "text", Text: "Title of the service with its add-ons, or name of the product; empty for a tip."},
			{Name: "quantity", Text: "How many, or how many seats."},
			{Name: "amount", Text: "Of all of them, as prices are kept, before discounts."},
			{Name: "discount", Text: "Of the line alone; null is none."},
			{Name: "ownDiscount", Text: "What that takes off."},
			{Name: "sharedDiscount", Text: "The line's part of the sale's discount."},
			{Name: "discountBefore", Text: "What an earlier sale took off the booking's price, which isn't in `amount`; left out for nothing."},
			{Name: "taxRate", Text: "In percent; null where it is not taxed."},
			{Name: "taxMode", Text: "Whether `amount` contains the tax; null where it is not taxed.",
				Enum: field.Values(money.TaxModes...)},
			{Name: "total", Text: "What is paid of it in this sale: after discounts, with tax, without what was paid before."},
			{Name: "paid", Text: "What was paid of that, less what was given back."}, {Name: "refunded", Text: "What was given back."},
		},
	}
	SalePaymentFields = field.Resource{
		Text: "Money that was taken for a sale.",
		Fields: []field.Field{
			{Name: "id", Text: "Identifier of the payment."}, {Name: "method", Text: "How it was paid.", Enum: field.Values(booking.Methods...)},
			{Name: "amount", Text: minorUnits}, {Name: "tendered", Text: "The cash that was handed over; left out if that wasn't said."},
			{Name: "change", Text: "`tendered` less `amount`."}, {Name: "note", Text: "For the business."},
			{Name: "refundedAmount", Text: "What was given back of it."},
			{Name: "parts", Text: "What of it went to which line; they add up to `amount`."},
			{Name: "by", Text: "Who took it.", Enum: field.Values(booking.ActorKinds...)}, {Name: "createdAt", Text: "When it was taken."},
			{Name: "pass", Text: "The pass or voucher that paid; left out for money."},
		},
	}
	SalePartFields = field.Resource{
		Text: "What of a payment went to a line; of a tip, to one of those who share it.",
		Fields: []field.Field{
			{Name: "line", Text: "Id of the line."}, {Name: "paymentId", Text: "Of the booking's payment, where there is a booking."},
			{Name: "bookingId", Text: "Whose payment it is; null is no booking's."},
			{Name: "hostId", Text: "Whose it is where there is no booking; null else, or nobody's."},
			{Name: "amount", Text: minorUnits}, {Name: "refundedAmount", Text: "What was given back of it."},
			{Name: "credits", Text: "How many credits of a pass it took; left out for none."},
		},
	}
)
