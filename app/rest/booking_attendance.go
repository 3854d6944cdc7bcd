package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var markArrived = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/arrived", ID: "markArrived", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Record that the invitee has arrived",
	Text: "Sets `arrivedAt`, from the day of the booking on in the business's time zone. Again it changes nothing. No " +
		"event is sent and no mail goes out; the history has it.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `wrong_state`: its day has not come, it is done already, or it is pending, " +
				"cancelled or a no-show; `details.status` is its status."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.MarkArrived(c.ctx, c.actor, c.id()))
},
}

var markDone = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/done", ID: "markDone", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Record that a booking is done",
	Text: "Sets `doneAt`, from the booking's start on, or earlier once the invitee has arrived. `status` stays, and an " +
		"`arrivedAt` that nobody set stays null. Again it changes nothing. No event is sent and no mail goes out; the " +
		"history has it.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `wrong_state`: it has not begun and nobody has arrived, or its `status`, in " +
				"`details.status`, is one that has no visit."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.MarkDone(c.ctx, c.actor, c.id()))
},
}

var undoMark = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/undo", ID: "undoMark", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Take back the last of arrived, done and no-show",
	Text: "Takes back what was marked last: `doneAt`, else `arrivedAt`; or a no-show, which returns the booking to the " +
		"status that it had and gives the fee back. Each call takes one back: send an `Idempotency-Key` with it.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `nothing_to_undo`: nothing is marked; or `slot_taken`: the time of the no-show was " +
				"booked meanwhile, by `details.bookingId`."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.UndoMark(c.ctx, c.actor, c.id(), ""))
},
}
