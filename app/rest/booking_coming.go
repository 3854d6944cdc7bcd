package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
)

// comingBody is the body of answerComing.
type comingBody struct {
	Answer booking.ComingAnswer `json:"answer"`
}

var comingBodyFields = field.Resource{
	Text: "What the invitee said.",
	Fields: []field.Field{{Name: "answer", Required: true, Text: "Whether they come: `yes` or `no`.",
		Enum: field.Values(booking.ComingAnswers...)}},
}

var answerComing = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/coming", ID: "answerComing", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Note whether the invitee comes",
	Text: "Notes what the invitee said, of this booking alone, in `coming`. The last answer counts until the start; the same again changes " +
		"nothing. After `no` the booking stands and takes its time until it is cancelled or moved: nothing is refunded, and nobody " +
		"who waits is offered it. The team is told of a `no` once. Sends `booking.confirmed_by_invitee` or `booking.not_coming` to " +
		"endpoints that name them; the invitee gets no mail.",
	Body:        comingBody{},
	BodyType:    openapi.Type{Name: "ComingRequest", Fields: &comingBodyFields},
	BodyExample: map[string]any{"answer": "yes"},
	Successes:   []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `wrong_state`: it has begun, or is not live; `details.status` is its status."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in comingBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Answer != booking.ComingYes && in.Answer != booking.ComingNo {
		return app.Response{}, fault.Invalid("answer", "must be yes or no")
	}
	return c.booking(d.AnswerComing(c.ctx, c.actor, c.id(), in.Answer == booking.ComingYes, booking.ComingSpoken))
},
}
