package agent

import (
	"context"

	"daybook/app"
	"daybook/app/subjects"
)

var markDone = tool{
	name: "mark_done", title: "Record that a booking is done",
	description: "Records that the visit is over, from its start on or once the invitee has come. Nobody is told; undo takes it back. Again it changes nothing.",
	repeatable:  true,
	input:       object("", idArg()),
	output:      markedModel,
	run: reading((*args).bookingID, func(ctx context.Context, s *subjects.Set, a app.Actor, id string) (any, error) {
		b, err := s.MarkDone(ctx, a, id)
		return booked(s, a, b, err)
	}),
}
