package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var rescheduleBooking = route{
	method: http.MethodPost, path: "/v1/bookings/{id}/reschedule", id: "rescheduleBooking", tag: "Bookings",
	summary: "Move a booking",
	text: "Moves a live booking to a new start. It keeps its id, length and price, and its host when that one is free then; its status becomes " +
		"`rescheduled` (a pending one stays pending). Its own old time doesn't count as taken. The invitee is told; `booking.rescheduled` is sent unless " +
		"the booking is pending. The same start and host again is 200 and changes nothing.",
	body: moveBody{}, bodyExample: map[string]any{"start": "2026-12-01T10:30:00Z"},
	answers: []answerText{{status: 200, text: "The moved booking.", body: app.Booking{}}},
	errors: []errorText{
		{fault.BadRequest, "The body is malformed, or `start` can never be booked: see createBooking."},
		{fault.NotFound, "There is no such booking, or host, in the workspace."},
		{fault.Conflict, "`details.reason` is `slot_taken` (see createBooking), or `wrong_state` with `details.status`."},
	},
	handle: func(d *door, c *call) (app.Answer, error) {
		var in moveBody
		if err := c.decode(&in); err != nil {
			return app.Answer{}, err
		}
		return c.booking(d.Reschedule(c.ctx, c.actor, c.id(), app.RescheduleInput(in)))
	},
}

// moveBody is the body of rescheduleBooking.
type moveBody struct {
	Start  string `json:"start" rule:"required"`
	Host   string `json:"host"`
	Reason string `json:"reason"`
}
