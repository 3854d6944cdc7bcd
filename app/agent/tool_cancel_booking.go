package agent

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var cancelBooking = tool{
	view: confirmView, name: "cancel_booking", title: "Cancel a booking",
	description: "Cancels a live booking, or with the id of a visit all of it, for good: it can't be taken back, only booked anew, and its time is open to " +
		"others at once. The invitee and the host are told by e-mail, the business's systems by webhook. What was paid " +
		"online is refunded unless refund is false. Cancelling late may cost the booking's lateCancellationFee: it is " +
		"charged only where chargeLateFee is true, and the result's cancellation.fee says what became of it. Confirm with " +
		"the person first. Cancelling again changes nothing and tells nobody.",
	repeatable: true, destroys: true, reachesOut: true,
	confirms: several{"ids"}, stepwise: true,
	input:  object("", append([]property{optionalID(), may("ids", list("Several at once, in place of id.", text(""))), scopeArg("cancels this date, this and the following ones, or all that are ahead.")}, arguments(reflect.TypeFor[app.CancelInput]())...)...),
	output: bookingModel, visits: true,
	run: reading(readCancel, func(ctx context.Context, s *subjects.Set, a app.Actor, in cancel) (any, error) {
		if in.ids != nil {
			return batched(s, a, in.ids, func(i int) (booking.Booking, error) {
				return ofVisitOr(in.ids[i], func() (booking.Visit, error) { return s.CancelVisit(ctx, a, in.ids[i], in.CancelInput) },
					func() (booking.Booking, error) { return s.Cancel(ctx, a, in.ids[i], in.CancelInput) })
			})
		}
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
	ids   []string
	scope booking.SeriesScope
	app.CancelInput
}

func readCancel(in *args) (c cancel) {
	c.ids = in.ids("ids", "id", "scope")
	if c.scope = in.scope(); c.ids == nil {
		c.id = in.bookingID()
	}
	in.into(&c.CancelInput)
	return c
}
