package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var declineBooking = route{
	method: http.MethodPost, path: "/v1/bookings/{id}/decline", id: "declineBooking", tag: "Bookings",
	summary: "Decline a pending booking",
	text:    "Refuses a pending booking, frees its time and refunds what was paid. The invitee is told; no webhook is sent, because it was never confirmed.",
	body:    declineBody{}, bodyOptional: true, bodyExample: map[string]any{"reason": "We are fully staffed that evening."},
	answers: []answerText{{status: 200, text: "The booking, cancelled.", body: app.Booking{}}},
	errors: []errorText{
		{fault.NotFound, "There is no such booking in the workspace."},
		{fault.Conflict, "`details.reason` is `wrong_state`, `details.status` the booking's: only a pending booking can be declined."},
	},
	handle: func(d *door, c *call) (app.Answer, error) {
		var in declineBody
		if err := c.decode(&in); err != nil {
			return app.Answer{}, err
		}
		return c.booking(d.Decline(c.ctx, c.actor, c.id(), in.Reason))
	},
}

// declineBody is the body of declineBooking.
type declineBody struct {
	Reason string `json:"reason"`
}
