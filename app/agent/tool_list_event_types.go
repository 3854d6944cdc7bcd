package agent

import (
	"context"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/subjects"
)

var listEventTypes = tool{
	name: "list_event_types", title: "List services",
	description: "The bookable services (event types) with their lengths, prices, hosts, questions and rules. Start " +
		"here: the other tools take their slugs. Only those with active true can be booked. Changes nothing.",
	reads: true, repeatable: true,
	input:  object("", limitArg(), cursorArg()),
	output: envelope("", eventType),
	run: reading(readPage, func(_ context.Context, s *subjects.Set, a app.Actor, in page) (any, error) {
		return sized(in.limit, func(limit *int) (fault.Page[catalog.EventType], error) {
			return s.EventTypes(a, limit, in.cursor)
		}, func(e *catalog.EventType) any { return e })
	}),
}

type page struct {
	limit  *int
	cursor string
}

func readPage(in *args) page { return page{in.whole("limit"), in.short("cursor")} }
