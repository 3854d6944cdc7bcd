package rest

import (
	"net/http"

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
		"are worth, and how many came; in total, by service and by day. Without `from` and `to`: the last 30 days and all " +
		"that is booked ahead.",
	Params: []openapi.Param{
		{Name: "from", Text: "Only bookings that start at or after it, a day or a time.", Example: "2026-11-01"},
		{Name: "to", Text: "Only bookings that start strictly before it, a day or a time.", Example: "2026-12-01"},
		openapi.TimeZone("The zone of the days, and of bare days in `from` and `to`; without it days are the workspace's, " +
			"and bare ones UTC's."),
		{Name: "byDay", Kind: "boolean", Default: true, Text: "`0` or `false` leaves `byDay` empty.", Example: false},
	},
	Successes: []openapi.Success{{Status: 200, Text: "The figures.", Body: report.Analytics{}}},
	Errors:    []openapi.Error{{Code: fault.Forbidden, Text: "The key may not see the figures."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	a, err := s.Report.Analytics(c.Context(), c.Actor(),
		report.AnalyticsInput{From: c.Text("from"), To: c.Text("to"), TimeZone: c.Text("timeZone"),
			NoDays: c.Text("byDay") == "0" || c.Text("byDay") == "false", Zeros: true})
	return respond(http.StatusOK, a, err)
}}

// totals are report.Totals as JSON has them.
type totals struct {
	Confirmed   int `json:"confirmed"`
	Pending     int `json:"pending"`
	Cancelled   int `json:"cancelled"`
	NoShow      int `json:"no_show"`
	Rescheduled int `json:"rescheduled"`
	Total       int `json:"total"`
}

var totalsFields = field.Resource{
	Text: "How many bookings there are, by status.",
	Fields: []field.Field{
		{Name: "confirmed", Text: "Those that stand as they were made."},
		{Name: "pending", Text: "Those that wait for approval or payment."},
		{Name: "cancelled", Text: "Those that were cancelled."},
		{Name: "no_show", Text: "Those whose invitee did not come."},
		{Name: "rescheduled", Text: "Those that stand and were moved."},
		{Name: "total", Text: "All of them."},
	},
}

// figureFields stand in the figures of everything, of a service and of a day.
var figureFields = []field.Field{
	{Name: "totals", Text: "How many bookings there are, by status."},
	{Name: "revenue", Text: "What was received less what was given back, tips included, by currency; 0 is shown."},
	{Name: "value", Text: "The prices of what took place or will, paid or not, by currency."},
	{Name: "showRate", Text: "How many of those whose time is over came, from 0 to 1; null when there are none."},
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
			{Name: "byDay", Text: "The same by day, the earliest first: days that have bookings, the latest 400."},
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
