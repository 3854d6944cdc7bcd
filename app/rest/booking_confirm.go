package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var confirmBooking = route{
	method: http.MethodPost, path: "/v1/bookings/{id}/confirm", id: "confirmBooking", tag: "Bookings",
	summary:      "Approve a pending booking",
	text:         "Confirms a booking that waits for approval. The invitee is told; `booking.created` is sent.",
	bodyOptional: true,
	answers:      []answerText{{status: 200, text: "The confirmed booking.", body: app.Booking{}}},
	errors: []errorText{
		{fault.NotFound, "There is no such booking in the workspace."},
		{fault.Conflict, "`details.reason` is `payment_due` while the booking waits for its payment, else `wrong_state` with `details.status`."},
	},
	handle: func(d *door, c *call) (app.Answer, error) {
		if err := c.decode(&emptyBody{}); err != nil {
			return app.Answer{}, err
		}
		return c.booking(d.Confirm(c.ctx, c.actor, c.id()))
	},
}
