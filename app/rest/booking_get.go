package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var getBooking = route{
	method: http.MethodGet, path: "/v1/bookings/{id}", id: "getBooking", tag: "Bookings",
	summary: "Retrieve a booking",
	text:    "Answers one booking. `manageUrl` is absent for read-only keys: who has it may cancel.",
	answers: []answerText{{status: 200, text: "The booking.", body: app.Booking{}, example: exampleBooking}},
	errors:  []errorText{{fault.NotFound, "There is no such booking in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return c.booking(d.Booking(c.ctx, c.actor, c.id()))
	},
}

// booking answers a booking, or the error in its stead.
func (c *call) booking(b app.Booking, err error) (app.Answer, error) {
	if err != nil {
		return app.Answer{}, err
	}
	c.out = appendBooking(c.out, &b)
	return found(c.out)
}
