package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var markNoShow = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/no-show", ID: "markNoShow", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Record a no-show",
	Text: "Records, from the booking's start on, that the invitee did not come. A no-show fee is charged where the " +
		"event type had one when it was booked " +
		"and a card was saved; what became of it is in `noShow.fee`. `booking.no_show` is sent.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `wrong_state`: the booking has not begun, or is not confirmed; `details.status` is its " +
				"status. `has_come`: it is marked as arrived or done."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.MarkNoShow(c.ctx, c.actor, c.id()))
},
}

// emptyBody is the body of an operation without fields: {}, or none at all.
type emptyBody struct{}
