package booking

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/money"
)

// BookingFields describes bookings.
var BookingFields = field.Resource{
	Text: "One invitee's time with one host. `end`, the buffers, price and fee are fixed when it is " +
		"booked: a later change of the event type touches no booking.",
	Agents: "A booking.",
	Fields: slices.Concat([]field.Field{
		{Name: "id", Public: true, Guests: "id", Text: "Identifier of the booking.", Agents: "Id, bk_…; the other tools take it as id.",
			Example: "bk_1p4s8ywa0g0m3"},
		{Name: "eventType", Public: true, Guests: "service", Text: "Slug of the event type.", Example: "haircut"},
		{Name: "eventTypeId", Text: "Id of the event type.", Agents: "Id of the event type, et_….",
			Example: "et_1p4s8yvz04k2c"},
		{Name: "start", Public: true, Guests: "start", Text: "When it begins, ISO 8601, UTC.", Agents: "Start, UTC."},
		{Name: "end", Public: true, Guests: "end", Text: "When it ends, ISO 8601, UTC.", Agents: "End, UTC."},
	}, TakenFields(false), []field.Field{
		{Name: "status", Public: true, Guests: "status", Text: StatusesText("`"), Enum: field.Values(Statuses...),
			Agents: StatusesText("") + " What a pending one waits for is its pendingReason."},
		{Name: "invitee", Text: "Who comes."},
		{Name: "contact", Of: &ContactRefFields, Text: "The contact that it belongs to, who may have another name or number by now; left out where the " +
			"caller may not see contacts, once their data was deleted, and of who walked in.", NotForAgents: true},
		{Name: "host", Public: true, Guests: "host", Of: &catalog.HostRefFields, Text: "Who is booked.", Agents: "Whose time it is."},
		{Name: "location", Public: true, Guests: "where,omitempty", Text: "Where it takes place; empty when that was not set.",
			Agents: "Where it takes place; empty when not said."},
		{Name: "notes", Text: "What the invitee wrote.",
			Agents: "What the invitee wants the host to know; empty when nothing."},
		{Name: "internalNote", Text: "What only the business reads: present for full keys, when there is one. Invitees, " +
			"mails, calendars, webhooks and read-only keys never get it.",
			NotForAgents: true},
		{Name: "answers", Text: "Answers to the event type's questions, by their keys."},
		{Name: "contactFields", NotForAgents: true, Text: "What the invitee wrote in the workspace's own fields of contacts when they " +
			"booked, by their keys, as texts; whatever the contact has. Left out where the caller may not see the contact's card, of " +
			"fields that were removed, where there is nothing, and of events."},
		{Name: "metadata", Text: "Your own texts, by your own keys.", Agents: "The caller's own labels."},
		{Name: "price", Public: true, Guests: "price", Of: &money.MoneyFields, Text: "The price when it was booked; null is free.", Agents: "Price as booked; null is free."},
		{Name: "payment", Text: "What became of the price; null where nothing is paid online.",
			Agents: "Of what is paid online; null when nothing is, then a price is paid on site."},
		{Name: "paid",
			Text: "What was paid of the price, online and at the counter, less what was given back; tips don't count. null " +
				"where nothing is to be paid and nothing was.",
			Agents: "Received so far less given back, without tips."},
		{Name: "due", Text: "What is still to be paid, tax included; null for a free booking. 0 for one that is cancelled " +
			"or a no-show. What was refunded online is not due again.",
			Agents: "Still to be paid; null when it is free."},
		{Name: "payments", Text: "What was taken at the counter, the oldest first; what was given back stays in it.",
			Agents: "What was taken at the counter.", Each: "Money that was taken."},
		{Name: "pendingReason", Public: true, Guests: "pendingReason,omitempty", Text: "What a pending booking waits for next.", Enum: field.Values(PendingReasons...),
			Agents: "What a pending booking waits for: the invitee's payment or the business's approval; else null."},
		{Name: "expiresAt", Public: true, Text: "When a pending booking lapses.", Null: true,
			Agents: "When a pending booking is cancelled by itself, UTC; else null."},
		{Name: "previousStart", Text: "Where it was before its last move.", Null: true,
			Agents: "Start before the latest move, UTC; null when never moved."},
		{Name: "rescheduleCount", Text: "How often it was moved.", Counts: true},
		{Name: "cancellation", Text: "Why it was cancelled; null unless it was.",
			Agents: "Why it was cancelled; else null."},
		{Name: "noShow", Text: "Set when the invitee did not come.",
			Agents: "That the invitee did not come; else null."},
		{Name: "arrivedAt", Text: "When the invitee was marked as arrived; null until then.", Null: true,
			Agents: "When the business marked that the invitee had arrived, UTC; else null."},
		{Name: "doneAt", Null: true,
			Text: "When the booking was marked as done; null until then. The invitee came, even where nobody marked the " +
				"arrival.",
			Agents: "When the business marked the booking as done, UTC; else null."},
		{Name: "hostNamed",
			Text: "Whether this host was asked for, when booking or by a move: a move keeps such a host, or is 409. " +
				"In bookings made before this was kept it is true only where their history shows that choice.",
			Agents: "true where somebody chose this host: a move keeps the host or is refused."},
		{Name: "ignored", NotForAgents: true, Text: "What of the request was not kept, such as `answers.colour` for an answer to a question " +
			"that the event type hasn't got. Only in the answer to the booking."},
		{Name: "hostChanged", Guests: "hostChanged,omitempty",
			Text:   "Only in the answer to a move, and in its event: true where another host has the booking now.",
			Agents: "true where this move gave the booking to another host than previousHost: tell the person."},
		{Name: "previousHost", Text: "Who had the booking before a move that changed its host.",
			Agents: "Who had it before, where hostChanged."},
		{Name: "manageUrl", Public: true, Guests: "link", Format: "uri",
			Blank: true, // in events of contacts that were deleted before it was left out there
			Text: "Where the invitee sees, moves and cancels the booking. Whoever has it may do so: it is absent for " +
				"read-only keys.",
			Agents: "The invitee's own page to move or cancel the booking: for them only. Absent for read-only keys."},
		{Name: "addOns", Text: "The add-ons that were booked; their minutes and prices are in the booking's.",
			Agents: "Add-ons that were booked; price and end contain them.", Each: "An add-on."},
		{Name: "seats", Public: true, Text: "How many seats of the session it takes; the price is for all of them.",
			Agents: "Seats that it takes; the price is for all of them."},
		{Name: "participants", Text: "Names of those who come, where they were given.",
			Agents: "Names of those who come, where given.", Each: "A name."},
		{Name: "discount", Text: "What a sale takes off the price; left out when nothing is. What is `due` is less by it."},
		{Name: "deposit", Text: "What of the price is paid online when it is booked; left out when nothing is.",
			Agents: "Part of the price that is paid online when it is booked."},
		{Name: "lateCancellationFee", Text: "What cancelling within the notice costs; left out when nothing.",
			Agents: "What cancelling late costs the invitee, if they saved a card."},
		{Name: "freeCancellationUntil",
			Text: "The last moment at which cancelling costs no `lateCancellationFee`; left out where there is none. " +
				"Invitees who cancel later pay it; the business decides.",
			Agents: "Until then cancelling costs nothing, UTC; absent where it never costs anything."},
		{Name: "where", Text: "Where it takes place; left out when only the location says.",
			Agents: "Where it takes place."},
		{Name: "series", Of: &SeriesRefFields, Text: "The series that it is of; left out when none.", Agents: "The series that it is of; absent when none."},
		{Name: "payLink", Of: &PayLinkFields,
			Text: "What the invitee can pay online ahead, though it is due on site and stands without that: of a later date of a series " +
				"with `seriesPayment` `each`. Left out once it was paid, has begun or is paid on site.",
			Agents: "What the invitee can pay online ahead, if they like; absent where nothing can be."},
		{Name: "visit", Of: &VisitRefFields, Text: "The visit that it is a part of; left out when none.",
			Agents: "The visit of several services that it is a part of; absent when none."},
		{Name: "imported", Of: &ImportedRefFields,
			Text:   "Which appointment of another program it was; left out of a booking that was made here.",
			Agents: "Which appointment of another program it was; absent when it was made here."},
		{Name: "coming", Of: &ComingFields, NotForAgents: true,
			Text: "Whether the invitee says that they come, see `asksComing` of event types; left out until somebody asked or said it, and " +
				"after a move to another start."},
		{Name: "confirmedAt", Text: "When the invitee said that they come; left out unless their last answer was yes.",
			Agents: "When the invitee said that they come, UTC; absent unless they did."},
		{Name: "createdAt", Text: "When it was created.", Agents: "When it was created, UTC."},
		{Name: "updatedAt", Text: "When it was last changed.", Agents: "When it last changed, UTC."},
	}),
}

// InviteeFields describes the invitee of a booking.
var InviteeFields = field.Resource{
	Text: "The person who comes.",
	Fields: []field.Field{
		{Name: "name", Text: "Name of the invitee.", Agents: "Name."},
		{Name: "email", Text: "E-mail address of the invitee; empty when there is none, and a phone then.",
			Agents: "E-mail address; empty when there is none: then nobody is mailed.", Format: "email", Blank: true},
		{Name: "phone", Text: "Telephone number, when given; in E.164 where it could be read.",
			Agents: "Telephone number."},
		{Name: "timeZone", Text: "IANA time zone, when given.", Agents: "IANA time zone."},
		{Name: "locale", Text: "Language tag, when given.", Agents: "Language, such as de-AT."},
	},
}

// ContactRefFields describes ContactRef.
var ContactRefFields = field.Resource{
	Text: "The contact that a booking belongs to.",
	Fields: []field.Field{
		{Name: "id", Text: "Id of the contact, as `GET /api/v1/contacts/{id}` takes it.", Agents: "Id of the contact, ct_….",
			Example: "ct_1p4s8ywa0g0m3"},
	},
}

// PaymentFields describes what a booking shows of its payment.
var PaymentFields = field.Resource{
	Text: "What became of the price paid online.",
	Fields: []field.Field{
		{Name: "kind", Enum: field.Values(PaymentKinds...),
			Text: "`price`: what the booking costs. `deposit`: a part of it; the rest is paid on site. `card`: nothing is to " +
				"be paid; the invitee saves a card at `url`, which a fee for a no-show or a late cancellation can be " +
				"charged to.",
			Agents: "price: what the booking costs. deposit: a part of it, the rest is paid on site. card: nothing is to be " +
				"paid; a card is saved at url, which a fee for a no-show or a late cancellation can be charged to."},
		{Name: "for", Enum: field.Values(Purposes...), NotForAgents: true,
			Text: "What the money is for, in the words of every payment: the `price`, a `deposit` on it, or the `fee` that a saved " +
				"card is for."},
		{Name: "status", Enum: field.Values(PaymentStates...),
			Text: "Where the payment stands: `unpaid`, `processing` (the invitee has paid, the money is on its way), `paid`, " +
				"`refunded`, `partially_refunded`, `failed` or `requires_action` (the invitee must confirm it with their bank).",
			Agents: "unpaid: the invitee must pay, or save a card, at url. processing: paid, and the money is on its way."},
		{Name: "amount", Text: "In minor units.", Agents: money.MinorUnits},
		{Name: "currency", Text: "ISO 4217 code."},
		{Name: "refundedAmount", Text: "How much went back, when any did.", Agents: "How much went back, in minor units."},
		{Name: "url", Text: "Where the invitee pays, while that is due.", Format: "uri",
			Agents: "Where the invitee pays; pass it on to them."},
	},
}

// CounterPaymentFields describes payments at the counter.
var CounterPaymentFields = field.Resource{
	Text: "Money that was taken at the counter for a booking.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the payment.", Agents: "Id, pay_….", Example: "pay_1p4s8ywa0g0m3"},
		{Name: "amount", Text: "Of the price, in minor units, without the tip.", Agents: money.MinorUnits, Counts: true},
		{Name: "tip", Text: "What was given on top, in minor units.", Agents: "In minor units.", Counts: true},
		{Name: "currency", Text: "ISO 4217 code."},
		{Name: "method", Text: "How it was paid; `card` is at a terminal of the business's own.",
			Agents: "How it was paid.", Enum: field.Values(Methods...)},
		{Name: "note", Text: "What the business noted."},
		{Name: "refundedAmount", Text: "What was given back of amount and tip, in minor units.",
			Agents: "What was given back, in minor units.", Counts: true},
		{Name: "receipt", Text: "Id of the receipt that it stands on; null until then, and again once that is reversed.",
			Agents: "Id of its receipt, rc_…; null when there is none."},
		{Name: "by", Text: "Who took it.", Enum: field.Values(ActorKinds...)},
		{Name: "createdAt", Text: "When it was recorded.", Agents: "When it was recorded, UTC."},
		{Name: "pass", Text: "The pass or voucher that paid; left out for money.", Agents: "The pass that paid."},
	},
}

// PassUseFields describes what a pass or voucher has paid.
var PassUseFields = field.Resource{
	Text: "A pass or voucher that has paid. It is no money: that was received when it was sold.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the pass.", Agents: "Id of the pass, pass_….", Example: "pass_1p4s8ywa0g0m3"},
		{Name: "title", Text: "What it is called."},
		{Name: "credits", Text: "How many it took; left out of one with an amount.", Agents: "How many it took.", Counts: true},
		{Name: "taxedWhenSold", Text: "Whether its use carries no tax again; left out for no.", Agents: "Its use carries no tax again."},
	},
}

// CancellationFields describes the cancellation of a booking.
var CancellationFields = field.Resource{
	Text: "Why a booking won't take place.",
	Fields: []field.Field{
		{Name: "reason", Text: "As it was given.", Agents: "As given; may be empty."},
		{Name: "by", Text: "Who cancelled.", Enum: field.Values(ActorKinds...)},
		{Name: "at", Text: "When.", Agents: "When, UTC."},
		{Name: "fee", Text: "What became of the fee for cancelling late, where it was charged.",
			Agents: "What became of the fee for cancelling late; absent when none was charged."},
	},
}

// NoShowFields describes what a booking shows of a no-show.
var NoShowFields = field.Resource{
	Text: "That the invitee did not come, and what it cost.",
	Fields: []field.Field{
		{Name: "at", Text: "When it was recorded.", Agents: "When it was recorded, UTC."},
		{Name: "fee", Text: "The fee, where one is configured.",
			Agents: "What became of the no-show fee; null when there is none."},
	},
}

// FeeFields describes a fee for a no-show or a late cancellation.
var FeeFields = field.Resource{
	Text: "What became of a fee for a no-show or a late cancellation.",
	Fields: []field.Field{
		{Name: "status", Enum: field.Values(FeeStates...),
			Text: "Where the charge stands: `pending`, `succeeded`, `failed`, `requires_action`, `refunded` or " +
				"`partially_refunded`.",
			Agents: "Of the charge. failed, requires_action: the invitee can pay at url."},
		{Name: "amount", Text: "In minor units.", Agents: money.MinorUnits},
		{Name: "currency", Text: "ISO 4217 code."},
		{Name: "url", Format: "uri",
			Text: "Where the invitee can pay it, once the charge has failed or needs their authentication: send it to " +
				"them.",
			Agents: "Where the invitee pays it, after the charge has failed; pass it on to them."},
	},
}

// BookedAddOnFields describes booked add-ons.
var BookedAddOnFields = field.Resource{
	Text: "An add-on as it was booked.", Agents: "An add-on as it was booked.",
	Fields: []field.Field{
		{Name: "id", Text: "Its id in the event type.", Example: "beard"},
		{Name: "title", Text: "Its name.", Agents: "Name for people."},
		{Name: "minutes", Text: "What it adds to the length.", Counts: true},
		{Name: "price", Text: "What it adds to the price; null is nothing."},
	},
}

// BookedWhereFields describes where a booking takes place.
var BookedWhereFields = field.Resource{
	Text: "Where a booking takes place.",
	Fields: []field.Field{
		{Name: "kind", Text: "In person, by telephone, by video, or as the text says.",
			Enum: field.Values(catalog.WhereKinds...)},
		{Name: "text", Text: "The place, or the number to call."},
		{Name: "url", Text: "Address of the video room.", Format: "uri"},
	},
}
