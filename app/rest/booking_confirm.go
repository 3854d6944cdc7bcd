package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
)

// confirmBody is the body of a confirmation.
type confirmBody struct {
	Override []string `json:"override"`
}

var confirmFields = field.Resource{
	Text: "How to confirm a booking.",
	Fields: []field.Field{{Name: "override", Enum: booking.OverrideField.Enum, Each: booking.OverrideField.Each,
		Text: "Rules to set aside. Only `requirement` stands against a confirmation."}},
}

var confirmBooking = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/confirm", ID: "confirmBooking", Tag: "Bookings",
	IfMatch:     bookingMatch,
	Summary:     "Approve a pending booking",
	Text:        "Confirms a booking that waits for approval. The invitee is told; `booking.created` is sent.",
	Body:        confirmBody{},
	BodyType:    openapi.Type{Name: "ConfirmRequest", Fields: &confirmFields},
	BodyExample: map[string]any{"override": []string{"requirement"}}, BodyOptional: true,
	Successes: []openapi.Success{{Status: 200, Text: "The confirmed booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `payment_due` while the booking waits for its payment, else `wrong_state` with " +
				"`details.status`; or `requirement`, with `details.requires`: the invitee lacks a consent that the event type " +
				"requires, unless `override` has that."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in confirmBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Confirm(c.ctx, c.actor, c.id(), in.Override...))
},
}
