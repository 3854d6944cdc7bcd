package agent

import (
	"context"

	"daybook/app"
	"daybook/app/subjects"
	"daybook/app/when"
)

var resend = tool{
	name: "resend", title: "Send the invitee's mail again",
	description: "Sends the latest mail that told the invitee of the booking as it is now again, to the same address: the confirmation, " +
		"the move, the cancellation. Nobody else is told.",
	reachesOut: true,
	input:      object("", idArg()),
	output: object("", must("bookingId", text("")), must("kind", text("What it tells.")), must("to", text("")),
		must("dueAt", text("When it is to be sent."))),
	run: reading((*args).bookingID, func(ctx context.Context, s *subjects.Set, a app.Actor, id string) (any, error) {
		m, err := s.Mail.SendAgain(ctx, a, id)
		if err != nil {
			return nil, err
		}
		return sentAgain{m.BookingID.String(), string(m.Kind), m.To, m.DueAt}, nil
	}),
}

type sentAgain struct {
	BookingID string       `json:"bookingId"`
	Kind      string       `json:"kind"`
	To        string       `json:"to"`
	DueAt     when.Instant `json:"dueAt"`
}
