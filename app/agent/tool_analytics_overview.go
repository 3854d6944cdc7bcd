package agent

import (
	"context"

	"daybook/app"
	"daybook/app/report"
	"daybook/app/subjects"
)

var analyticsOverview = tool{
	name: "analytics_overview", title: "Revenue, totals and show rate",
	description: "Figures of the bookings that start within a span: totals by status, revenue (received online and at " +
		"the counter, tips included, less what was given back; also by method; 0 where nothing was), value (prices " +
		"of what took place or will, paid or not) and show rate; the same by service and by day. " +
		"Without from and to: the last 30 days and all that is booked ahead. " +
		"Changes nothing.",
	reads: true, repeatable: true,
	input: object("",
		may("from", dayArg("Only bookings that start at or after it; the default is 30 days before today.")),
		may("to", dayArg("Only bookings that start before it; the default is no end.")),
		may("timeZone",
			zoneArg("IANA time zone of the days; the default is the business's. A bare date is a day of it.")),
		may("byDay", truth("false leaves byDay empty, when the days don't matter.").byDefault(true)),
	),
	output: object("The figures.", append([]property{
		must("from", instant("Start of the span, UTC.")),
		must("to", instant("End of the span, UTC; null is no end.").orNull()),
		must("timeZone", text("Time zone of the days.")),
	}, append(append(figures(),
		must("revenueByMethod", list("The revenue by how it was paid: online is through the payment provider, the others "+
			"are at the counter.", withMethod(signedMoney("By one method.")))),
		must("tips", list("How much of the revenue are tips, by currency.", signedMoney("Of one currency."))),
	),
		must("byEventType", list("The same by service, the one with the most bookings first.",
			object("Of one service.", append([]property{
				must("eventType", text("Slug.")),
				must("eventTypeId", text("Id, et_….")),
				must("title", text("Name for people.")),
			}, figures()...)...))),
		must("byDay", list("The same by day, earliest first: days that have bookings, the latest 400.",
			object("Of one day.", append([]property{
				must("date", text("The day.").kind("date")),
			}, figures()...)...))),
	)...)...),
	run: reading(readSpan, func(ctx context.Context, s *subjects.Set, a app.Actor, in report.AnalyticsInput) (any, error) {
		return s.Report.Analytics(ctx, a, in)
	}),
}

func readSpan(in *args) report.AnalyticsInput {
	days := in.truth("byDay")
	return report.AnalyticsInput{From: in.short("from"), To: in.short("to"), TimeZone: in.short("timeZone"),
		NoDays: days != nil && !*days, Zeros: true, Spoken: true}
}

func withMethod(m *schema) *schema {
	m.Properties = append([]property{must("method", text("How it was paid."))}, m.Properties...)
	return m
}
