package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var createBooking = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings", ID: "createBooking", Tag: "Bookings",
	Summary: "Create a booking",
	Text: "Books a time for an invitee. `start` must be one that `GET /api/v1/availability` offers, but for the rules " +
		"that `override` waives. The contact with the " +
		"invitee's e-mail, or without one the telephone number, is matched, " +
		"or created. The booking is `confirmed`, or `pending` where the event type wants payment or approval first; " +
		"`booking.created` is sent once " +
		"it is confirmed. A retry can't book twice: the same event type, start and e-mail (or phone) again is 409 with " +
		"`details.bookingId`.",
	Body:     bookBody{},
	BodyType: openapi.Type{Name: "BookingRequest", Fields: &booking.BookInputFields},
	BodyExample: map[string]any{
		"eventType": "haircut", "start": "2026-12-01T09:00:00Z",
		"invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com", "timeZone": "Europe/Berlin"},
	},
	Successes: []openapi.Success{{Status: 201, Text: "The booking.", Body: booking.Booking{}, Location: "The new booking.",
		Example: openapi.ExampleBooking}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest,
			Text: "The body is malformed, or `start` can never be booked: `details.reason` is then `inactive`, `in_past`, " +
				"`too_soon`, `too_far`, `outside_hours`, `off_grid`, `day_full`, `host_week_full` or `week_full`. " +
				"`details.reasons` is all that stands against it: pass it as `override` to book anyway. It is " +
				"`contact_missing` for an invitee with neither `email` nor `phone`."},
		{Code: fault.NotFound, Text: "The event type or the host is unknown."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `slot_taken`, also of a room or thing that the event type needs, with `details.reasons` and, as `details.alternatives`, up to 3 next open " +
				"slots; or " +
				"`already_booked`, with `details.bookingId`, when the invitee has that very booking (the id only " +
				"where the key may see it); or " +
				"`person_upcoming`, `person_day_full` or `person_week_full` when the event type's `limits` allow the " +
				"invitee no more; or `hold_expired` when the `hold` has ended."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in bookBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Invitee == nil && in.WalkIn {
		in.Invitee = &invitee{}
	}
	if in.Invitee == nil {
		_, err := in.CheckRest()
		return app.Response{}, fault.Join(noInvitee(), err)
	}
	in.BookInput.Invitee = booking.Invitee(*in.Invitee)
	b, err := d.Book(c.ctx, c.actor, in.BookInput)
	if err != nil {
		return app.Response{}, err
	}
	if c.out, err = b.AppendJSON(c.out[:0]); err != nil {
		return app.Response{}, err
	}
	return app.Response{Status: http.StatusCreated, Location: d.BaseURL() + prefix + "/v1/bookings/" + b.ID.String(),
		Body: c.out}, nil
},
}

func noInvitee() error {
	return fault.Invalid("invitee", "is required: an object with name, and email or phone")
}

// bookBody is the body of createBooking. Its invitee is nil when it was left out.
type bookBody struct {
	booking.BookInput
	Invitee *invitee `json:"invitee"`
}

// invitee is booking.Invitee as a body has it: a type of its own, because the document describes it in another way.
type invitee booking.Invitee
