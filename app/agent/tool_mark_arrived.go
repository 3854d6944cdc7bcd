package agent

import (
	"context"

	"daybook/app"
	"daybook/app/subjects"
)

var markArrived = tool{
	name: "mark_arrived", title: "Record an arrival",
	description: "Records that the invitee has come, from the day of the booking on. Nobody is told; undo takes it back. Again it changes nothing.",
	repeatable:  true,
	input:       object("", idArg()),
	output:      markedModel,
	run: reading((*args).bookingID, func(ctx context.Context, s *subjects.Set, a app.Actor, id string) (any, error) {
		b, err := s.MarkArrived(ctx, a, id)
		return booked(s, a, b, err)
	}),
}
