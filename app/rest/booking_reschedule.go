package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var rescheduleBooking = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/reschedule", ID: "rescheduleBooking", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Move a booking",
	Text: "Moves a live booking to a new start. It keeps its id, length and price, and its host when that one is free " +
		"then; its status becomes " +
		"`rescheduled` (a pending one stays pending). Its own old time doesn't count as taken. The invitee is told; " +
		"`booking.rescheduled` is sent unless " +
		"the booking is pending. The same start and host again is 200 and changes nothing.",
	Body:        app.RescheduleInput{},
	BodyType:    openapi.Type{Name: "RescheduleRequest", Fields: &booking.RescheduleInputFields},
	BodyExample: map[string]any{"start": "2026-12-01T10:30:00Z"},
	Successes:   []openapi.Success{{Status: 200, Text: "The moved booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `start` can never be booked: see createBooking."},
		{Code: fault.NotFound, Text: "There is no such booking, or host, in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `slot_taken` (see createBooking), or `wrong_state` with `details.status`."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in app.RescheduleInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Reschedule(c.ctx, c.actor, c.id(), in))
},
}
