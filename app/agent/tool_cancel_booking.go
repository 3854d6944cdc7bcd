package agent

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var cancelBooking = tool{
	name: "cancel_booking", title: "Cancel a booking",
	description: "Cancels a live booking, or with the id of a visit all of it, for good: it can't be taken back, only booked anew, and its time is open to " +
		"others at once. The invitee and the host are told by e-mail, the business's systems by webhook. What was paid " +
		"online is refunded unless refund is false. Cancelling late may cost the booking's lateCancellationFee: it is " +
		"charged only where chargeLateFee is true, and the result's cancellation.fee says what became of it. Confirm with " +
		"the person first. Cancelling again changes nothing and tells nobody.",
	repeatable: true, destroys: true, reachesOut: true,
	input:  object("", append([]property{idArg(), scopeArg("cancels this date, this and the following ones, or all that are ahead.")}, arguments(reflect.TypeFor[app.CancelInput]())...)...),
	output: bookingModel, visits: true,
	run: reading(readCancel, func(ctx context.Context, s *subjects.Set, a app.Actor, in cancel) (any, error) {
		if in.scope != booking.SeriesThis {
			return changeSeries(ctx, s, a, in.id, in.scope, func(series, from string) (booking.Series, error) {
				return s.CancelSeries(ctx, a, series, booking.SeriesCancelInput{From: from, Scope: in.scope, CancelInput: in.CancelInput})
			})
		}
		if ofVisit(in.id) {
			v, err := s.CancelVisit(ctx, a, in.id, in.CancelInput)
			return visited(s, a, v, err)
		}
		b, err := s.Cancel(ctx, a, in.id, in.CancelInput)
		return booked(s, a, b, err)
	}),
}

type cancel struct {
	id    string
	scope booking.SeriesScope
	app.CancelInput
}

func readCancel(in *args) (c cancel) {
	c.id, c.scope = in.bookingID(), in.scope()
	in.into(&c.CancelInput)
	return c
}
