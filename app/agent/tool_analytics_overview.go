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
		"of what took place or will, paid or not) and show rate; the same by service, day and host. " +
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
	output: object("", append([]property{
		must("from", text("")), must("to", text("null is no end.").orNull()), must("timeZone", text("")),
	}, append(figures(),
		must("revenueByMethod", list("", sum().after("currency", must("method", text(""))))),
		must("tips", list("How much of the revenue are tips.", sum())),
		must("byEventType", list("The same of each service, the one with the most bookings first.",
			object("", must("eventType", text("")), must("title", text(""))))),
		must("byDay", list("The same of each day that has bookings, the latest 400.", object("", must("date", text(""))))),
		must("byHost", list("Each host: the same figures, products and tips, by the day of payment; in minutes open (at work; null is unknown), "+
			"booked of it, bookedOutside; utilisation.", object("", must("name", text(""))))),
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
