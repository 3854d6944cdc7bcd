package agent

import (
	"reflect"

	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/record"
)

// The resources as the tools answer them: those of the REST API (app/contract.md, Resources).

func money(description string) *schema {
	return object(description,
		must("amount", minor().atLeast(0)),
		must("currency", text("ISO 4217 code.").form("^[A-Z]{3}$")),
	)
}

// minor is a number of minor units.
func minor() *schema {
	return number("In minor units of the currency: 4500 EUR is 45.00 euros, 4500 JPY is 4500 yen.")
}

// words are the values of a choice.
func words[T ~string](of []T) (all []any) {
	for _, word := range of {
		all = append(all, string(word))
	}
	return all
}

func hostRef(description string) *schema {
	return object(description,
		must("id", text("Id of the host, hs_….")),
		must("name", text("Name of the host.")),
	)
}

var booking = object("A booking.",
	must("id", text("Id, bk_…; the other tools take it as id.")),
	must("eventType", text("Slug of the event type.")),
	must("eventTypeId", text("Id of the event type, et_….")),
	must("start", instant("Start, UTC.")),
	must("end", instant("End, UTC.")),
	must("local", instant("Start in timeZone, with its offset: what to tell people at the business.")),
	must("timeZone", text("IANA time zone of local: the business's.")),
	must("status", choice(record.StatusesText("")+" What a pending one waits for is its pendingReason.",
		words(record.Statuses)...)),
	must("invitee", object("Who comes.",
		must("name", text("Name.")),
		must("email", text("E-mail address.").kind("email")),
		may("phone", text("Telephone number.")),
		may("timeZone", text("IANA time zone.")),
		may("locale", text("Language, such as de-AT.")),
	)),
	must("host", hostRef("Whose time it is.")),
	must("location", text("Where it takes place; empty when not said.")),
	must("notes", text("What the invitee wants the host to know; empty when nothing.")),
	must("answers", &schema{Type: "object", Description: "Answers to the event type's questions, by their keys."}),
	must("metadata", values("The caller's own labels.", "string")),
	must("price", money("Price as booked; null is free.").orNull()),
	must("payment", object("Of what is paid online; null when nothing is, then a price is paid on site.",
		must("kind", choice("price: what the booking costs. card: nothing is to be paid; a card is saved at url, which a "+
			"no-show fee can be charged to.", record.ForPrice, record.ForCard)),
		must("status",
			choice("unpaid: the invitee must pay, or save a card, at url. processing: paid, and the money is on its way.",
				words(payment.States(payment.PaysBooking))...)),
		must("amount", minor()),
		must("currency", text("ISO 4217 code.")),
		may("refundedAmount", number("How much went back, in minor units.")),
		may("url", text("Where the invitee pays; pass it on to them.").kind("uri")),
	).orNull()),
	must("pendingReason",
		choice("What a pending booking waits for: the invitee's payment or the business's approval; else null.", "payment",
			"approval").orNull()),
	must("expiresAt", instant("When a pending booking is cancelled by itself, UTC; else null.").orNull()),
	must("previousStart", instant("Start before the latest move, UTC; null when never moved.").orNull()),
	must("rescheduleCount", number("How often it was moved.").atLeast(0)),
	must("cancellation", object("Why it was cancelled; else null.",
		must("reason", text("As given; may be empty.")),
		must("by", choice("Who cancelled.", "invitee", "owner", "api", "agent", "system")),
		must("at", instant("When, UTC.")),
	).orNull()),
	must("noShow", object("That the invitee did not come; else null.",
		must("at", instant("When it was recorded, UTC.")),
		must("fee", object("What became of the no-show fee; null when there is none.",
			must("status", choice("Of the charge. failed, requires_action: the invitee can pay at url.",
				words(payment.States(payment.PaysFee))...)),
			must("amount", minor()),
			must("currency", text("ISO 4217 code.")),
			may("url", text("Where the invitee pays it, after the charge has failed; pass it on to them.").kind("uri")),
		).orNull()),
	).orNull()),
	may("hostChanged", truth("true where this move gave the booking to another host than previousHost: tell the person.")),
	may("previousHost", hostRef("Who had it before, where hostChanged.")),
	may("manageUrl",
		text("The invitee's own page to move or cancel the booking: for them only. Absent for read-only keys.").kind("uri")),
	must("createdAt", instant("When it was made, UTC.")),
	must("updatedAt", instant("When it last changed, UTC.")),
)

var eventType = describe(reflect.TypeFor[catalog.EventType]())

var contact = describe(reflect.TypeFor[record.Contact]())

var slot = object("An open time.",
	must("start", instant("Start, UTC: what create_booking and reschedule_booking take.")),
	must("end", instant("End, UTC.")),
	must("local", instant("Start in timeZone, with its offset: what to tell people.")),
	must("hosts", list("Ids of the hosts that are free then.", text("hs_…."))),
	may("seatsRemaining", number("Seats left, of event types with several.").atLeast(1)),
)

// figures are what analytics_overview sums up, over whatever bookings.
func figures() []property {
	count := func(description string) *schema { return number(description).atLeast(0) }
	var totals []property
	for _, s := range record.Statuses {
		totals = append(totals, must(string(s), count(s.Such())))
	}
	return []property{
		must("totals", object("Bookings by status.", append(totals, must("total", count("All of them.")))...)),
		must("revenue",
			list("Money taken online (prices and no-show fees, less refunds), by currency; empty is zero: nothing was paid "+
				"online. What is paid on site is in value alone.", signedMoney("Of one currency."))),
		must("value",
			list("What the bookings are worth: prices of the "+record.NamesOf(record.StandingStatuses, "",
				" and ")+" ones, paid online or on site, by currency. No-shows and fees are not in it.",
				money("Of one currency."))),
		must("showRate",
			(&schema{Type: "number",
				Description: "Held ÷ (held + no-shows) over past bookings, 0 to 1; null when there are none."}).between(0,
				1).orNull()),
	}
}

func signedMoney(description string) *schema {
	m := money(description)
	m.Properties[0].schema.Minimum = nil
	return m
}
