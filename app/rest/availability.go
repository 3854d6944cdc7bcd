package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/when"
)

var getAvailability = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/availability", ID: "getAvailability", Tag: "Availability",
	Summary: "List open slots",
	Text: "Lists the open starts of an event type in [`from`, `to`), ready to book, earliest first. When there are " +
		"none, `nextAvailable` is the first open " +
		"start after the range, if the booking window has one. A search that would cost too much ends early: the rest of " +
		"the range is on the next page, and " +
		"`searchedUntil` says up to when nothing is open. With `explain`, `closed` tells which times of the hosts' grids " +
		"are not open, and why, and after them the spans in which a host does not work (`outside_hours`); `usualHours` are " +
		"the hosts' weekly hours.",
	Params: []openapi.Param{
		{Name: "eventType", MaxLength: booking.MaxRef, Text: "The event type: its slug or id. Required unless `items` is given.",
			Example: "haircut", Sampled: true},
		{Name: "items", List: true, Example: "colour,haircut",
			Text: "The event types of a visit, 1 to 6 slugs or ids joined by commas, in place of `eventType`: the slots are those " +
				"at which all of them can be done one after the other, and have `items`, which `POST /api/v1/visits` takes as they are. " +
				"Only the first begins on a grid."},
		{Name: "hosts", List: true, Example: "," + openapi.ExampleHost,
			Text: "The hosts of `items`, joined by commas, with nothing for anybody."},
		{Name: "order", Enum: []string{string(booking.OrderGiven), string(booking.OrderAny)}, Example: string(booking.OrderAny),
			Text: "Of `items`: " + booking.OrderText},
		{Name: "samePerson", Enum: []string{string(booking.PreferSamePerson), string(booking.MustSamePerson)},
			Example: string(booking.PreferSamePerson), Text: "Of `items`: " + booking.SamePersonText},
		{Name: "maxGap", Kind: "integer", Min: 0, Max: booking.MaxVisitGap, Default: 0, Example: 30,
			Text: "Of `items`: " + booking.MaxGapText},
		{Name: "from",
			Text: "Where the range begins: an ISO 8601 time, UTC when it has no zone, or a date, which is 00:00 in " +
				"`timeZone`. Now when it is not given; a past one counts as now.", Example: "2026-12-01"},
		{Name: "to", Text: "Where the range ends, at most 62 days after `from`; written as `from`. Not together with `days`.",
			Example: "2026-12-08"},
		{Name: "days", Kind: "integer", Min: 1, Max: 62, Default: 7,
			Text: "How many times 24 hours the range has. Not together with `to`.", Example: 14},
		timeZoneParam("The IANA time zone in which `local` is written and bare dates are read; without it, `local` is in " +
			"the workspace's zone and dates are UTC."),
		{Name: "host", MaxLength: booking.MaxRef, Text: "Only this host's slots: an id of one of the event type's hosts.",
			Example: openapi.ExampleHost},
		{Name: "addOns", List: true,
			Text: "Ids of the add-ons to be booked with it, joined by commas: the slots have their length and price. Of `items`, " +
				"those of each item are joined by `;`, with a comma between items.",
			Example: "beard,wash"},
		{Name: "seats", Kind: "integer", Min: 1, Max: catalog.MaxSeats, Default: 1,
			Text: "How many seats of one session are to be booked: only slots with as many left with one host.", Example: 2},
		{Name: "excludeBooking", MaxLength: booking.MaxRef,
			Text:    "Answers where this booking may be moved: its own time doesn't count as taken, and its length counts.",
			Example: openapi.ExampleID},
		{Name: "excludeVisit", MaxLength: booking.MaxRef,
			Text: "In place of `items`: answers where this visit may be moved as a whole. It keeps its services, their order and " +
				"lengths, and the hosts who were asked for; its own times don't count as taken.",
			Example: "vi_1p4s8yvz04k2c"},
		{Name: "explain", Kind: "boolean", Default: false, Example: true,
			Text: "`1` or `true` adds `closed` and `usualHours`."},
		{Name: "weekdays", List: true, Enum: catalog.Weekdays[:], Example: "sat,sun",
			Text: "Only slots on these days of the week, in the zone of `local`."},
		{Name: "firstPerDay", Kind: "boolean", Default: false, Example: true,
			Text: "`1` or `true` lists only the first open slot of each day, in the zone of `local`."},
		limitParam(100), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of open slots.", Body: openSlots{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest,
			Text: "A parameter is missing or malformed, `to` and `days` are both given, or the range is longer than 62 days."},
		{Code: fault.NotFound, Text: "The event type, the host or the booking to exclude is unknown."},
		{Code: fault.Unavailable, Text: "Too many searches are running, or the database can't be reached: " +
			"wait `Retry-After` seconds, then try again."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	in := availability.Input{
		EventType: c.query.text("eventType"), From: c.query.text("from"), To: c.query.text("to"),
		Days:     c.query.number("days"),
		TimeZone: c.query.text("timeZone"), Host: c.query.text("host"), ExcludeBooking: c.query.text("excludeBooking"),
		Explain: c.query.flag("explain"), Limit: c.query.number("limit"), Cursor: c.query.text("cursor"),
		Weekdays: c.query.text("weekdays"), FirstPerDay: c.query.flag("firstPerDay"),
		Choice: catalog.ReadChoice(c.query.text("addOns"), c.query.number("seats")),
	}
	if c.query.text("items") != "" || c.query.text("excludeVisit") != "" {
		return visitSlots(d, c, in)
	}
	for _, name := range []string{"hosts", "order", "samePerson"} {
		if c.query.text(name) != "" {
			return app.Response{}, fault.Invalid(name, "goes with items")
		}
	}
	if c.query.number("maxGap") != nil {
		return app.Response{}, fault.Invalid("maxGap", "goes with items")
	}
	slots, err := d.Availability(c.ctx, c.actor, in)
	if err != nil {
		return app.Response{}, err
	}
	c.out = slots.AppendJSON(c.out)
	return found(c.out)
},
}

// openSlots is the shape of availability.Result's JSON, for the document.
type openSlots struct {
	Data          []availability.Slot       `json:"data"`
	HasMore       bool                      `json:"hasMore"`
	NextCursor    *string                   `json:"nextCursor"`
	TimeZone      string                    `json:"timeZone"`
	DatesTimeZone string                    `json:"datesTimeZone,omitempty"`
	NextAvailable when.Instant              `json:"nextAvailable"`
	SearchedUntil when.Instant              `json:"searchedUntil,omitempty"`
	Closed        []availability.ClosedSlot `json:"closed,omitempty"`
	UsualHours    []availability.UsualHours `json:"usualHours,omitempty"`
}
