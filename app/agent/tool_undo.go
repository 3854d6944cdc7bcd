package agent

import (
	"context"

	"daybook/app"
	"daybook/app/subjects"
)

var undo = tool{
	name: "undo", title: "Take the last mark of a booking back",
	description: "Takes back what was marked last of a booking: done, else arrived, or a no-show, whose fee is given back. Each " +
		"call takes one back; a cancellation can't be.",
	reachesOut: true,
	confirms:   telling{},
	input:      object("", idArg()),
	output:     markedModel,
	run: reading((*args).bookingID, func(ctx context.Context, s *subjects.Set, a app.Actor, id string) (any, error) {
		b, err := s.UndoMark(ctx, a, id, "")
		return booked(s, a, b, err)
	}),
}
