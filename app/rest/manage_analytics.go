package rest

import (
	"net/http"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/report"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

var getAnalytics = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/analytics", ID: "getAnalytics", Tag: "Analytics",
	Summary: "Retrieve figures",
	Text: "Answers the figures of the bookings that start within a span: totals by status, what was received, what they " +
		"are worth, and how many came; in total, by service and by day, and what each host worked and earned. Without `from` " +
		"and `to`: the last 30 days and all that is booked ahead.",
	Params: []openapi.Param{
		{Name: "from", Text: "Only bookings that start at or after it, a day or a time.", Example: "2026-11-01"},
		{Name: "to", Text: "Only bookings that start strictly before it, a day or a time.", Example: "2026-12-01"},
		openapi.TimeZone("The zone of the days, and of bare days in `from` and `to`; without it days are the workspace's, " +
			"and bare ones UTC's."),
		{Name: "host", Text: "Id of a host: `byHost` has this one only, with each day.", Example: "hs_1p4s8yvz00n1b"},
		{Name: "byDay", Kind: "boolean", Default: true, Text: "`0` or `false` leaves `byDay` empty.", Example: false},
	},
	Successes: []openapi.Success{{Status: 200, Text: "The figures.", Body: report.Analytics{}}},
	Errors: []openapi.Error{{Code: fault.Forbidden, Text: "The key may not see the figures."},
		{Code: fault.NotFound, Text: "There is no such host."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	a, err := s.Report.Analytics(c.Context(), c.Actor(),
		report.AnalyticsInput{From: c.Text("from"), To: c.Text("to"), TimeZone: c.Text("timeZone"), Host: c.Text("host"),
			NoDays: c.Text("byDay") == "0" || c.Text("byDay") == "false", Zeros: true})
	return respond(http.StatusOK, a, err)
}}

// totals is the type of report.Totals as JSON has them: a number for each status, and total.
var totals = bodies.totals()

func (s shapes) totals() reflect.Type {
	own := &field.Resource{Text: "How many bookings there are, by status."}
	var fields []reflect.StructField
	add := func(name, text string) {
		own.Fields = append(own.Fields, field.Field{Name: name, Text: text})
		fields = append(fields, structField(name, reflect.TypeFor[int](), "Totals"))
	}
	for _, status := range booking.Statuses {
		add(string(status), status.Those())
	}
	add("total", "All of them.")
	t := reflect.StructOf(fields)
	s[t] = openapi.Type{Name: "Totals", Fields: own}
	return t
}

// figureFields stand in the figures of everything, of a service and of a day.
var figureFields = []field.Field{
	{Name: "totals", Text: "How many bookings there are, by status."},
	{Name: "revenue", Text: "What was received less what was given back, tips included, by currency: for bookings on the day of " +
		"the booking, for anything else on that of the payment; 0 is shown."},
	{Name: "value", Text: "The prices less discounts of what took place or will, paid or not, by currency."},
	{Name: "showRate", Text: "How many of those whose time is over came, from 0 to 1; null when there are none."},
}

// personFields stand in the figures of a host and of a host's day.
var personFields = []field.Field{
	{Name: "totals", Text: "How many bookings there are, by status."},
	{Name: "open", Text: "Minutes at work: hours and overrides less times off and holidays, as they were when the day was over; null " +
		"where that is not known.", Null: true},
	{Name: "booked", Text: "Minutes of `open` that were work for bookings that stand, whichever of its hosts one is; buffers and waits " +
		"are none, and a session counts once. Null as `open`.", Null: true},
	{Name: "bookedOutside", Text: "The same outside of `open`.", Null: true},
	{Name: "utilisation", Text: "`booked` of `open`, from 0 to 1; null where `open` is 0 or null.", Null: true},
	{Name: "value", Text: "The prices less discounts of what took place or will, however paid, by currency."},
	{Name: "revenue", Text: "What was received less what was given back, products and tips included, by currency."},
	{Name: "products", Text: "How much of it is for products that the host sold, by currency."},
	{Name: "tips", Text: "How much of it are tips, by currency."},
	{Name: "showRate", Text: "How many of those whose time is over came, from 0 to 1; null when there are none.", Null: true},
}

var (
	analyticsFields = field.Resource{
		Text: "Figures of the bookings that start within a span.",
		Fields: append([]field.Field{
			{Name: "from", Text: "Start of the span."},
			{Name: "to", Text: "End of the span; null is no end.", Null: true},
			{Name: "timeZone", Text: "Zone of the days."},
			{Name: "revenueByMethod", Text: "What was received, by how it was paid."},
			{Name: "tips", Text: "How much of what was received are tips, by currency."},
			{Name: "byEventType", Text: "The same by service, the one with the most bookings first."},
			{Name: "byDay", Text: "The same by day, the earliest first: days that have bookings or money without one, the latest 400."},
			{Name: "byHost", Text: "What each host worked and earned, the one with the most bookings first."},
		}, figureFields...),
	}
	typeFiguresFields = field.Resource{
		Text: "Figures of one service.",
		Fields: append([]field.Field{
			{Name: "eventType", Text: "Its slug."},
			{Name: "eventTypeId", Text: "Its id."},
			{Name: "title", Text: "Its name."},
		}, figureFields...),
	}
	dayFiguresFields = field.Resource{
		Text:   "Figures of one day.",
		Fields: append([]field.Field{{Name: "date", Text: "The day.", Format: "date"}}, figureFields...),
	}
	hostFiguresFields = field.Resource{
		Text: "What a host worked and earned. Bookings count on the day on which they start, for the host who leads; money on the day " +
			"on which it was received; minutes on days of the host's own zone that are over.",
		Fields: append([]field.Field{
			{Name: "hostId", Text: "Id of the host; null is nobody: what was received without saying for whom.", Null: true},
			{Name: "name", Text: "Name of the host."},
			{Name: "openFrom", Text: "The first day of the span of which it is known when the host was at work; null while none is. " +
				"Days are written down once they are over, from the version on that does so.", Format: "date", Null: true},
			{Name: "byDay", Text: "The same by day, the earliest first, the latest 400 days: only where `host` asks for it."},
		}, personFields...),
	}
	hostDayFiguresFields = field.Resource{
		Text:   "What a host worked and earned on a day.",
		Fields: append([]field.Field{{Name: "date", Text: "The day.", Format: "date"}}, personFields...),
	}
	methodFields = field.Resource{
		Text: "What was received by one way of paying.",
		Fields: []field.Field{
			{Name: "method", Text: "`online` is through the payment provider, the others are at the counter.",
				Enum: field.Values(append([]booking.Method{report.Online}, booking.Methods...)...)},
			{Name: "amount", Text: "In minor units."},
			{Name: "currency", Text: "ISO 4217 code."},
		},
	}
)
