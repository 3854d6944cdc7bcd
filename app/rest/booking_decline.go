package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var declineBooking = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/decline", ID: "declineBooking", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Decline a pending booking",
	Text: "Refuses a pending booking, frees its time and refunds what was paid. The invitee is told; no webhook is " +
		"sent, because it was never confirmed.",
	Body:         declineBody{},
	BodyType:     openapi.Type{Name: "DeclineRequest", Fields: &booking.DeclineInputFields},
	BodyOptional: true,
	BodyExample:  map[string]any{"reason": "We are fully staffed that evening."},
	Successes:    []openapi.Success{{Status: 200, Text: "The booking, cancelled.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `wrong_state`, `details.status` the booking's: only a pending booking can be declined."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in declineBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Decline(c.ctx, c.actor, c.id(), in.Reason))
},
}

// declineBody is the body of declineBooking.
type declineBody struct {
	Reason string `json:"reason"`
}
