package agent

import (
	"reflect"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
)

// The resources as the tools answer them: those of the REST API (/api/docs/fields).

func moneyModel(description string) *schema {
	return describe(reflect.TypeFor[money.Money](), description)
}

var bookingModel = describe(reflect.TypeFor[booking.Booking](), "").after("end",
	must("local", instant("Start in timeZone, with its offset: what to tell people at the business.")),
	must("timeZone", text("IANA time zone of local: the business's.")),
)

var eventType = describe(reflect.TypeFor[catalog.EventType](), "")

var contact = describe(reflect.TypeFor[booking.Contact](), "")

var slot = object("An open time.",
	may("eventType", text("With eventTypes: slug of the service that is open then.")),
	must("start", instant("Start, UTC: what create_booking and reschedule_booking take.")),
	must("end", instant("End, UTC; the earliest where it depends on the host.")),
	must("local", instant("Start in timeZone, with its offset: what to tell people.")),
	may("atBusiness", instant("Start in businessTimeZone, with its offset; only where local is in another zone.")),
	may("items", list("With services: who does what and when, in order.", object("A service of the visit.",
		must("eventType", text("Slug of the service.")), must("host", text("Id of the host.")),
		must("start", instant("Start, UTC.")), must("end", instant("End, UTC.")),
		may("addOns", list("Ids of its add-ons.", text("Id of an add-on.")))))),
	must("hosts", list("Ids of the hosts that are free then.", text("hs_…."))),
	may("seatsRemaining", number("Seats left, of a session that several people share: book them with seats, in one "+
		"call.").atLeast(1)),
	may("offers", list("What it takes with each of hosts, only where length or price depend on the host: give the id of "+
		"the one that was chosen as host to create_booking.", object("What one host takes.",
		must("host", text("Id of the host.")),
		must("end", instant("End with this host, UTC.")),
		must("price", moneyModel("Price with this host; null is free.").orNull()),
	))),
)

// figures returns the sums of analytics_overview over a set of bookings.
func figures() []property {
	count := func(description string) *schema { return number(description).atLeast(0) }
	var totals []property
	for _, s := range booking.Statuses {
		totals = append(totals, must(string(s), count(s.Such())))
	}
	return []property{
		must("totals", object("Bookings by status.", append(totals, must("total", count("All of them.")))...)),
		must("revenue",
			list("Money received (prices and no-show fees online, prices and tips at the counter) less what was given back, "+
				"by currency; empty is zero.", signedMoney("Of one currency."))),
		must("value",
			list("What the bookings are worth: prices of the "+booking.NamesOf(booking.StandingStatuses, "",
				" and ")+" ones, paid online or on site, by currency. No-shows and fees are not in it.",
				moneyModel("Of one currency."))),
		must("showRate",
			(&schema{Type: "number",
				Description: "Held ÷ (held + no-shows) over past bookings, 0 to 1; null when there are none."}).between(0,
				1).orNull()),
	}
}

func signedMoney(description string) *schema {
	m := moneyModel(description)
	m.Properties[0].schema.Minimum = nil
	return m
}
