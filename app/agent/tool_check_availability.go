package agent

import (
	"context"
	"strings"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/subjects"
)

var checkAvailability = tool{
	view: timesView, name: "check_availability", title: "Find open times",
	description: "The open times of a service, or of several in one list, ready to book, in UTC and in the asked zone. " +
		"From now on for 7 days unless from, to or days say otherwise, 62 days at most. " +
		"When the span has none, nextAvailable is the first " +
		"open start after it; explain says why the other times are closed. Holds nothing: a time can be taken until it is " +
		"booked. Changes nothing.",
	reads: true, repeatable: true,
	input: object("",
		may("eventType", text("The service: slug, from list_event_types, or title; either this, eventTypes or services.").
			length(1, booking.MaxRef)),
		may("eventTypes", list("Slugs or titles of several services, at most 20, side by side: the first open times of any one of them in one "+
			"call: each time then names its eventType. Not together with eventType, addOns, explain or excludeBooking.",
			text("Slug or title of a service."))),
		servicesArg("Several services of one person, one after the other: the starts at which all of them fit, each with the "+
			"items as they would be done. In place of eventType, host, addOns, seats and explain."),
		may("weekdays", list("Only times on these days of the week, in timeZone.",
			choice("A day.", field.Values(catalog.Weekdays[:]...)...))),
		may("firstPerDay", truth("Only the first open time of each day, in timeZone: enough to choose a day.").
			byDefault(false)),
		may("from", dayArg("Start of the span; the default, and the earliest, is now.")),
		may("to", dayArg("End of the span, itself not included; not together with days.")),
		may("days", number("Length of the span in days; not together with to.").between(1, 62).byDefault(7)),
		may("timeZone",
			zoneArg("IANA time zone of the person who asks: of local in the answer, and of bare dates. The default "+
				"is the business's.")),
		may("host", text("Id or name of a host, to see their times only.").length(1, booking.MaxRef)),
		may("addOns", list("Ids or titles of the add-ons to be booked with it, from list_event_types: times are as long as with "+
			"them.", text("Id or title of an add-on."))),
		may("seats", number("How many seats of one session are needed.").between(1, catalog.MaxSeats).byDefault(1)),
		may("excludeBooking",
			text("Id of a booking that is to be moved: its own time counts as free, its length as needed, and only the host whom the "+
				"customer asked for is searched unless host names one. Of a visit, vi_…, without "+
				"eventType or services: where all of it can move to.")),
		may("limit", number("Slots at most; more than 100 count as 100.").atLeast(1).byDefault(100)),
		cursorArg(),
		may("explain", truth("Also list the times that are not open, with the reason of each.").byDefault(false)),
	),
	output: envelope("Earliest first.", slot,
		must("timeZone", text("Of local.")),
		may("businessTimeZone", text("Of atBusiness.")),
		may("hint", text("What to do where nothing is open.")),
		must("nextAvailable", text("First open start after a span without any.").orNull()),
		may("searchedUntil", text("The search ended there: ask again from it.")),
		may("usualHours", list("With explain.", object("", must("host", text("")), must("name", text("")),
			must("timeZone", text("")), must("weekly", &schema{Type: "object"})))),
		may("closed", list("With explain.", object("", must("start", text("")), must("end", text("")), must("host", text("")),
			must("reason", choice("", "booked", "held", "offered", "buffer", "time_off", "busy", "resource_taken", "hosts_taken", "inactive",
				"in_past", "too_soon", "too_far", "outside_hours", "off_grid", "day_full", "host_week_full", "week_full"))))),
	),
	run: reading(readAvailability,
		func(ctx context.Context, s *subjects.Set, a app.Actor, in asked) (any, error) {
			setup, err := s.Setup(a.Workspace)
			if err != nil {
				return nil, err
			}
			v, err := in.openTimes(ctx, s, a, setup)
			if err != nil {
				return nil, err
			}
			fits, err := fitting(v.Data, func(t *openTime) any { return t })
			if err == nil && fits < len(v.Data) {
				in.Limit = &fits
				v, err = in.openTimes(ctx, s, a, setup)
			}
			return v, err
		}),
}

// asked is a question about one service, or several.
type asked struct {
	availability.Input
	eventTypes []string
	services   []booking.VisitItem // of a visit
	visit      string              // the id of one that is to be moved

	kept     bool // Host is that of the booking to be moved
	keptName string
}

// openTimes answers the question.
func (q *asked) openTimes(ctx context.Context, s *subjects.Set, a app.Actor, setup *catalog.Setup) (v openTimes, err error) {
	if len(q.services) > 0 || q.visit != "" {
		answer, err := s.VisitAvailability(ctx, a, availability.VisitInput{Input: q.Input, Items: q.services,
			ExcludeVisit: q.visit})
		if err != nil {
			return v, ofServices(err)
		}
		return q.told(answer, setup)
	}
	if len(q.eventTypes) == 0 {
		if err := q.keepHost(ctx, s, a, setup); err != nil {
			return v, err
		}
		answer, err := s.Availability(ctx, a, q.Input)
		if err != nil {
			return v, err
		}
		if v, err = q.told(answer, setup); err == nil && len(v.Data) == 0 && q.ExcludeBooking == "" {
			err = q.orWait(ctx, s, setup, &v)
		}
		return v, err
	}
	q.EventTypes = strings.Join(q.eventTypes, ",")
	answers := make([]*availability.Result, len(q.eventTypes))
	for i, ref := range q.eventTypes {
		var err error
		q.EventType = ref
		if answers[i], err = s.Availability(ctx, a, q.Input); err != nil {
			return v, err
		}
	}
	return q.told(availability.Merge(answers), setup)
}

// keepHost asks for the times of the host of the booking that is to be moved, if that host is kept in a move where no
// other is named: the booking can't move to others' times then.
func (q *asked) keepHost(ctx context.Context, s *subjects.Set, a app.Actor, setup *catalog.Setup) error {
	if q.ExcludeBooking == "" || q.Host != "" {
		return nil
	}
	e, err := setup.EventTypeNamed(q.EventType, a.SeesEventType)
	if err != nil { // the search says so better
		return nil
	}
	b, err := s.Booking(ctx, a, q.ExcludeBooking)
	if fault.Refusal(err) != nil { // likewise
		return nil
	}
	if err == nil && b.EventTypeID == e.ID && a.Sees(b.Host.ID) {
		if q.Host = app.HostKept(setup, e, &b); q.Host != "" {
			q.kept, q.keptName = true, b.Host.Name
		}
	}
	return err
}

const maxServices = 20 // of one question

func readAvailability(in *args) asked {
	q := asked{Input: availability.Input{
		EventType: in.short("eventType"), From: in.short("from"), To: in.short("to"), Days: in.whole("days"),
		TimeZone: in.short("timeZone"),
		Host:     in.short("host"), ExcludeBooking: in.booking("excludeBooking"), Limit: in.whole("limit"),
		Cursor:  in.short("cursor"),
		Explain: in.flag("explain"), Spoken: true,
		Choice:   catalog.ReadChoice(in.texts("addOns"), in.whole("seats")),
		Weekdays: in.texts("weekdays"), FirstPerDay: in.flag("firstPerDay"),
	}, eventTypes: in.list("eventTypes"), services: in.services()}
	if ofVisit(q.ExcludeBooking) {
		q.visit, q.ExcludeBooking = q.ExcludeBooking, ""
	}
	switch {
	case in.given("services") != nil || q.visit != "":
		name := "services"
		if q.visit != "" {
			name = "excludeBooking"
		}
		if q.EventType != "" || len(q.eventTypes) > 0 || q.Host != "" || len(q.Choice.AddOns) > 0 || q.Choice.Seats != 0 ||
			q.Explain || q.ExcludeBooking != "" || len(q.services) > 0 && q.visit != "" {
			in.wrong(name, "of a visit must not be given together with eventType, eventTypes, host, addOns, seats, explain or "+
				"another of services and excludeBooking")
		}
	case len(q.eventTypes) > maxServices:
		in.wrong("eventTypes", "must name at most %d services", maxServices)
	case len(q.eventTypes) > 0 && (q.EventType != "" || len(q.Choice.AddOns) > 0 || q.Explain || q.ExcludeBooking != ""):
		in.wrong("eventTypes", "must not be given together with eventType, addOns, explain or excludeBooking: ask for one "+
			"service then")
	}
	return q
}
