package agent

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var rescheduleBooking = tool{
	view: confirmView, name: "reschedule_booking", title: "Move a booking",
	description: "Moves a live booking, or with the id of a visit all of it, to another start; it keeps its id and price. A host that somebody asked for is " +
		"kept, or the move fails with their next open times and, as details.otherHosts, who else is free then: name one of " +
		"them as host if the person agrees. Where nobody asked for a host, another may take it, and hostChanged says so. " +
		"Its old time is open to others at once and may be gone when you want to move back. The invitee and the host are " +
		"told by e-mail, the business's systems by webhook. Nothing is charged. A taken start fails with the next open " +
		"ones and leaves the booking where it was; the same start again changes nothing and tells nobody. The notice that " +
		"binds invitees does not bind this call.",
	repeatable: true, destroys: true, reachesOut: true,
	confirms: several{"moves"}, stepwise: true,
	input: object("", append([]property{optionalID(), may("moves", list("Several at once, in place of id, start and host.", object("",
		must("id", text("Its id.")), must("start", text("Its new start.")), may("host", text("Id or name."))))), scopeArg("moves this date, or also the following ones or all, each by as much on the clock: " +
		"all of them or none.")}, optional(arguments(reflect.TypeFor[app.RescheduleInput]()), "start")...)...),
	output: bookingModel, visits: true,
	run: reading(readMove, func(ctx context.Context, s *subjects.Set, a app.Actor, in move) (any, error) {
		if in.ids != nil {
			return batched(s, a, in.ids, func(i int) (booking.Booking, error) {
				to := in.moves[i]
				to.Override, to.Reason = in.Override, in.Reason
				return ofVisitOr(in.ids[i], func() (booking.Visit, error) {
					return s.MoveVisit(ctx, a, in.ids[i], booking.VisitMoveInput{Start: to.Start, Override: to.Override, Reason: to.Reason})
				}, func() (booking.Booking, error) { return s.Reschedule(ctx, a, in.ids[i], to) })
			})
		}
		if in.scope != booking.SeriesThis {
			return changeSeries(ctx, s, a, in.id, in.scope, func(series, from string) (booking.Series, error) {
				return s.MoveSeries(ctx, a, series, booking.SeriesMoveInput{From: from, Scope: in.scope, Start: in.Start,
					Override: in.Override, Reason: in.Reason})
			})
		}
		if ofVisit(in.id) {
			v, err := s.MoveVisit(ctx, a, in.id, booking.VisitMoveInput{Start: in.Start, Override: in.Override, Reason: in.Reason})
			return visited(s, a, v, err)
		}
		b, err := s.Reschedule(ctx, a, in.id, in.RescheduleInput)
		return booked(s, a, b, err)
	}),
}

type move struct {
	id    string
	ids   []string // of several, with where each goes
	moves []app.RescheduleInput
	scope booking.SeriesScope
	app.RescheduleInput
}

func readMove(in *args) (m move) {
	m.ids, m.moves = in.moves()
	if m.scope = in.scope(); m.ids == nil {
		m.id = in.bookingID()
	}
	in.into(&m.RescheduleInput)
	m.Spoken = true
	switch {
	case m.scope != booking.SeriesThis && in.given("host") != nil:
		in.wrong("host", "is for one date: each keeps its host where that one is free, so leave it out with this scope")
	case ofVisit(m.id):
		in.notOfVisits("host")
	}
	return m
}
