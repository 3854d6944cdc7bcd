package agent

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/subjects"
)

var approveBooking = tool{
	name: "approve_booking", title: "Approve or decline a request",
	description: "Decides on a booking that is pending until the business approves it. approve confirms it, decline cancels it, frees " +
		"its time and gives back what was paid; both for good. The invitee is told.",
	destroys: true, reachesOut: true,
	confirms: telling{},
	input: object("", idArg(), must("decision", choice("What the business wants.", "approve", "decline")),
		may("reason", text("Of decline: what the invitee reads.").length(0, fault.MaxReason)),
		may("override", list("requirement: though the invitee lacks a consent that the service requires.", choice("", "requirement")))),
	output: markedModel,
	run: reading(readDecision, func(ctx context.Context, s *subjects.Set, a app.Actor, in decision) (any, error) {
		if in.declines {
			b, err := s.Decline(ctx, a, in.id, in.reason)
			return booked(s, a, b, err)
		}
		b, err := s.Confirm(ctx, a, in.id, in.override...)
		return booked(s, a, b, err)
	}),
}

type decision struct {
	id, reason string
	declines   bool
	override   []string
}

func readDecision(in *args) decision {
	d := decision{id: in.bookingID(), reason: in.text("reason"), override: in.list("override")}
	switch say := in.needed("decision", "approve or decline"); say {
	case "decline":
		d.declines = true
	case "approve", "":
	default:
		in.wrong("decision", "must be approve or decline, got %q", shortened(say, 50))
	}
	if d.reason != "" && !d.declines {
		in.wrong("reason", "is for decline")
	}
	return d
}
