package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var editBooking = route{Route: openapi.Route{
	Method: http.MethodPatch, Path: "/v1/bookings/{id}", ID: "editBooking", Tag: "Bookings",
	Summary: "Correct a booking",
	Text: "Changes what the body names, a JSON merge patch, and leaves the rest. Another `eventType`, `host` or `end` " +
		"is checked as a move is, but for the rules about the start, which stays: hours, buffers, time off, seats and " +
		"other bookings. The booking is then `rescheduled` (a pending one stays pending), the invitee is told, and " +
		"`booking.rescheduled` is sent unless it is pending. Another event type brings its length, unless `end` is " +
		"given, its buffers, location and price; a payment that was made and the no-show fee stay. The other fields tell " +
		"nobody and may be changed in every status. `internalNote` is for the business: invitees, mails, calendars, " +
		"webhooks and read-only keys never get it. With `If-Match`, the `ETag` of a booking as you know it, the change " +
		"is made only if nobody changed the booking since.",
	IfMatch:     "The `ETag` of the booking as you know it.",
	Body:        booking.EditInput{},
	BodyType:    openapi.Type{Name: "BookingPatchRequest", Fields: &booking.EditInputFields},
	BodyExample: map[string]any{"end": "2026-12-01T10:15:00Z", "internalNote": "Allergic to PPD"},
	Successes: []openapi.Success{{Status: 200, Text: "The booking as it is now.", Body: booking.Booking{},
		Example: openapi.ExampleBooking, ETag: true}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or the time can't be booked: `details.reason` is then " +
			"`inactive`, `outside_hours`, `day_full`, `host_week_full` or `week_full`, and `details.field` the field that " +
			"asked for it."},
		{Code: fault.NotFound, Text: "There is no such booking, event type or host in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `slot_taken`, `already_booked` with `details.bookingId`, " +
			"`payment_due`, or `wrong_state` with `details.status`."},
		{Code: fault.PreconditionFailed, Text: "The booking has changed since the version in `If-Match`, or that is empty."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in booking.EditInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Edit(c.ctx, c.actor, c.id(), in, fault.ETagHeader(c.r.Header.Values("If-Match"))))
},
}
