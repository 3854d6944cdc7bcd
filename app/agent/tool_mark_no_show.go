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
		"webhook. undo takes it back. Do it only when the business says that the person did not come.",
	destroys: true, reachesOut: true,
	input: object("", idArg(), may("undo", truth("true takes back that somebody did not come: a fee is given back, and the time is theirs again unless it "+
		"was booked since.").byDefault(false))),
	output: bookingModel,
	run: reading(readMissed, func(ctx context.Context, s *subjects.Set, a app.Actor, in missed) (any, error) {
		if in.undo {
			b, err := s.UndoMark(ctx, a, in.id, app.NoShowMark)
			return booked(s, a, b, err)
		}
		b, err := s.MarkNoShow(ctx, a, in.id)
		return booked(s, a, b, err)
	}),
}

type missed struct {
	id   string
	undo bool
}

func readMissed(in *args) missed { return missed{in.bookingID(), in.flag("undo")} }
