package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var getBooking = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/bookings/{id}", ID: "getBooking", Tag: "Bookings",
	Summary: "Retrieve a booking",
	Text: "Answers one booking. `manageUrl` is absent for read-only keys: who has it may cancel. `ETag` names the " +
		"version of the booking, for `If-Match` of a PATCH, and of each POST below it.",
	Successes: []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}, Example: openapi.ExampleBooking,
		ETag: true}},
	Errors: []openapi.Error{{Code: fault.NotFound, Text: "There is no such booking in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return c.booking(d.Booking(c.ctx, c.actor, c.id()))
},
}

// bookingMatch is If-Match of every POST below a booking.
const bookingMatch = "The `ETag` of the booking as you know it: one that has changed since is left as it is, 412."

// booking answers a booking with its ETag, or the error in its stead.
func (c *call) booking(b booking.Booking, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, err
	}
	if c.out, err = b.AppendJSON(c.out[:0]); err != nil {
		return app.Response{}, err
	}
	return app.Response{Status: http.StatusOK, Body: c.out, ETag: b.ETag()}, nil
}
