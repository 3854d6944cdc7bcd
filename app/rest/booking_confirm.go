package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var confirmBooking = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/confirm", ID: "confirmBooking", Tag: "Bookings",
	IfMatch:      bookingMatch,
	Summary:      "Approve a pending booking",
	Text:         "Confirms a booking that waits for approval. The invitee is told; `booking.created` is sent.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The confirmed booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `payment_due` while the booking waits for its payment, else `wrong_state` with " +
				"`details.status`."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Confirm(c.ctx, c.actor, c.id()))
},
}
