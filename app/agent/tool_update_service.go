package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/setup"
	"daybook/app/subjects"
)

var updateService = tool{
	name: "update_service", title: "Change a service",
	description: "Changes what is given of a service, and leaves the rest: such as its price, length or title. Bookings that there are keep " +
		"what they were made with. active false takes it off the booking page. Nobody is told; customers see it at once.",
	repeatable: true, destroys: true,
	input: object("", append([]property{must("service", text("Slug or title.").length(1, booking.MaxRef))},
		fields(setup.OwnEventType, "title", "description", "price", "durationMinutes", "bufferBeforeMinutes", "bufferAfterMinutes", "seats",
			"requiresApproval", "active")...)...),
	output: eventType,
	run: reading(readService, func(ctx context.Context, s *subjects.Set, a app.Actor, in serviceChange) (any, error) {
		all, err := s.Setup(a.Workspace)
		if err != nil {
			return nil, err
		}
		ref := in.service
		if e, err := all.EventTypeNamed(ref, a.SeesEventType); err == nil {
			ref = e.Slug
		}
		e, err := s.Shop.ChangeEventType(ctx, a, ref, func(all *catalog.Setup, e *catalog.EventType) error { return in.change.Apply(all, e) })
		if err != nil {
			return nil, bare(err, "eventType.")
		}
		return e, nil
	}),
}

type serviceChange struct {
	service string
	change  setup.EventTypeChange
}

func readService(in *args) (c serviceChange) {
	c.service = in.needed("service", "the slug or title of a service")
	if !in.changed(setup.OwnEventType, &c.change) && len(in.faults) == 0 {
		in.wrong("price", "or another field must be given: there is nothing to change")
	}
	return c
}
