package agent

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

var updateBooking = tool{
	name: "update_booking", title: "Correct a booking",
	description: "Changes what is given of a booking, and leaves the rest. Another service, host or end is checked as a move is, and the " +
		"invitee and the host are told; its start is moved by reschedule_booking. The other fields tell nobody. A text that " +
		"replaces one is all of it.",
	repeatable: true, destroys: true, reachesOut: true,
	confirms: telling{},
	input:    object("", append([]property{idArg()}, arguments(reflect.TypeFor[booking.EditInput]())...)...),
	output:   markedModel,
	run: reading(readEdit, func(ctx context.Context, s *subjects.Set, a app.Actor, in edit) (any, error) {
		if in.Host != nil {
			id, err := namedHost(s, a, *in.Host)
			if err != nil {
				return nil, err
			}
			in.Host = &id
		}
		b, err := s.Edit(ctx, a, in.id, in.EditInput, "")
		return booked(s, a, b, err)
	}),
}

type edit struct {
	id string
	booking.EditInput
}

func readEdit(in *args) (e edit) {
	e.id = in.bookingID()
	in.into(&e.EditInput)
	return e
}

// namedHost returns the id of the host whom an id or a name means, of those that the actor may know.
func namedHost(s *subjects.Set, a app.Actor, ref string) (string, error) {
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return "", err
	}
	h, err := setup.HostNamed(ref, func(h catalog.HostID) bool { return a.Limits.Knows(setup, h) })
	if err != nil {
		return "", err
	}
	return h.ID.String(), nil
}
