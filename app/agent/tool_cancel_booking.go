package agent

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rooms"
)

var cancelBooking = tool{
	name: "cancel_booking", title: "Cancel a booking",
	description: "Cancels a live booking for good: it can't be taken back, only booked anew, and its time is open to " +
		"others at once. The invitee and the host are told by e-mail, the business's systems by webhook. What was paid " +
		"online is refunded unless refund is false. Confirm with the person first. Cancelling again changes nothing and " +
		"tells nobody.",
	repeatable: true, destroys: true, reachesOut: true,
	input: object("",
		idArg(),
		may("reason", text("Why, for the invitee and the record.").length(0, fault.MaxReason)),
		may("refund", truth("Whether what was paid online goes back to the invitee.").byDefault(true)),
	),
	output: booking,
	run: reading(readCancel, func(ctx context.Context, s *rooms.Set, a app.Actor, in cancel) (any, error) {
		b, err := s.Cancel(ctx, a, in.id, in.CancelInput)
		return booked(s, a, b, err)
	}),
}

type cancel struct {
	id string
	app.CancelInput
}

func readCancel(in *args) cancel {
	return cancel{in.needed("id", bookingIDHint), app.CancelInput{Reason: in.text("reason"), Refund: in.truth("refund")}}
}
