package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var cancelBooking = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/cancel", ID: "cancelBooking", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Cancel a booking",
	Text: "Cancels a live booking, past ones too, and frees its time. The invitee is told; `booking.cancelled` is sent " +
		"unless the booking was still pending. " +
		"What was paid online is refunded unless `refund` is false. After `freeCancellationUntil`, `chargeLateFee` charges " +
		"the booking's `lateCancellationFee` to the saved card: `cancellation.fee` says what became of it, and a charge " +
		"that fails leaves the booking cancelled. Cancelling again is 200 and changes nothing.",
	Body: app.CancelInput{}, BodyOptional: true, BodyExample: map[string]any{"reason": "The salon is closed that day."},
	Successes: []openapi.Success{{Status: 200, Text: "The cancelled booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `wrong_state`, `details.status` the booking's: a no-show can't be cancelled."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in app.CancelInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Cancel(c.ctx, c.actor, c.id(), in))
},
}
