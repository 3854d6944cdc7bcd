package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var cancelBooking = route{
	method: http.MethodPost, path: "/v1/bookings/{id}/cancel", id: "cancelBooking", tag: "Bookings",
	summary: "Cancel a booking",
	text: "Cancels a live booking, past ones too, and frees its time. The invitee is told; `booking.cancelled` is sent unless the booking was still pending. " +
		"What was paid online is refunded unless `refund` is false. Cancelling again is 200 and changes nothing.",
	body: cancelBody{}, bodyOptional: true, bodyExample: map[string]any{"reason": "The salon is closed that day."},
	answers: []answerText{{status: 200, text: "The cancelled booking.", body: app.Booking{}}},
	errors: []errorText{
		{fault.NotFound, "There is no such booking in the workspace."},
		{fault.Conflict, "`details.reason` is `wrong_state`, `details.status` the booking's: a no-show can't be cancelled."},
	},
	handle: func(d *door, c *call) (app.Answer, error) {
		var in cancelBody
		if err := c.decode(&in); err != nil {
			return app.Answer{}, err
		}
		return c.booking(d.Cancel(c.ctx, c.actor, c.id(), app.CancelInput(in)))
	},
}

// cancelBody is the body of cancelBooking.
type cancelBody struct {
	Reason string `json:"reason"`
	Refund *bool  `json:"refund"`
}
