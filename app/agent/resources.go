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

// bookingModel is a booking as the tools answer it.
var bookingModel = describe(reflect.TypeFor[booking.Booking](), "").after("end",
	must("local", instant("Start in timeZone, with its offset: what to tell people at the business.")),
	must("timeZone", text("IANA time zone of local: the business's.")),
).only("id", "eventType", "start", "end", "local", "timeZone", "status", "pendingReason", "host.id", "host.name",
	"hostChanged", "invitee.name", "invitee.email", "invitee.phone", "price.amount", "price.currency", "due.amount",
	"payment.status", "payment.url", "cancellation.fee.status", "noShow.fee.status",
	"seats", "visit.id", "manageUrl")

// markedModel is a booking whose marks were changed.
var markedModel = describe(reflect.TypeFor[booking.Booking](), "").only("id", "start", "status", "arrivedAt", "doneAt", "invitee.name",
	"noShow.fee.status")

var eventType = describe(reflect.TypeFor[catalog.EventType](), "").only("slug", "title", "active", "durationMinutes",
	"price.amount", "price.currency", "seats", "requiresApproval", "payment", "hosts.id", "hosts.name", "questions.key",
	"questions.label", "questions.type", "questions.required", "questions.options", "addOns.id", "addOns.title",
	"addOns.group", "addOnGroups.id", "addOnGroups.required")

var contact = describe(reflect.TypeFor[booking.Contact](), "").only("id", "name", "email", "phone", "notes", "noShows",
	"pastVisits", "lastVisitAt", "upcomingBookings", "nextBookingAt", "tags", "birthday", "tellBy")

var slot = object("",
	may("eventType", text("")),
	must("start", text("UTC: give it as start.")),
	must("end", text("")),
	must("local", text("Tell people this one.")),
	may("atBusiness", text("")),
	may("items", list("With services: who does what and when.", object("", must("eventType", text("")), must("host", text("")),
		must("start", text("")), must("end", text(""))))),
	must("hosts", list("Ids.", text(""))),
	must("hostNames", list("In the same order.", text(""))),
	may("seatsRemaining", number("")),
	may("offers", list("Where length or price depend on the host.", object("", must("host", text("")), must("end", text("")),
		must("price", moneyModel("").only("amount", "currency").orNull())))),
)

// figures returns the sums of analytics_overview over a set of bookings.
func figures() []property {
	var totals []property
	for _, s := range booking.Statuses {
		totals = append(totals, must(string(s), number("")))
	}
	return []property{
		must("totals", object("Bookings by status.", append(totals, must("total", number("")))...)),
		must("revenue", list("Money received, less what was given back, by currency; empty is zero.", sum())),
		must("value", list("Prices of what took place or will, by currency.", sum())),
		must("showRate", (&schema{Type: "number", Description: "0 to 1; null when no visit is over."}).orNull()),
	}
}

// sum is an amount of one currency, which may be below zero.
func sum() *schema { return moneyModel("").only("amount", "currency") }
