package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var markNoShow = tool{
	name: "mark_no_show", title: "Record a no-show",
	description: "Records that the invitee did not come to a " + booking.NamesOf(booking.StatusesBefore(booking.NoShow), "",
		" or ") + " booking; possible from its start on. If the service has a no-show fee and the invitee's card is saved, " +
		"that fee is charged to it, and noShow.fee says what became of the charge. The business's systems are told by " +
		"webhook. Can't be undone here; the business can in its dashboard. Do it only when the business says that the " +
		"person did not come.",
	destroys: true, reachesOut: true,
	input:  object("", idArg()),
	output: bookingModel,
	run: reading((*args).bookingID, func(ctx context.Context, s *subjects.Set, a app.Actor, id string) (any, error) {
		b, err := s.MarkNoShow(ctx, a, id)
		return booked(s, a, b, err)
	}),
}
