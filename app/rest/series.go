package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var createSeries = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/series", ID: "createSeries", Tag: "Series",
	Summary: "Book something that comes again",
	Text: "Books the same services for one person on several dates, all at once: with `eventType` bookings, with `items` visits. `repeat` " +
		"says on which dates, `start` is the first. Each date must be open as in createBooking, but for the booking window, which counts " +
		"for the first one; the event type's `limits` count all of them. `conflicts` says what becomes of those that aren't. A dry run " +
		"answers each date and what would become of it; send the dates that are wanted back as `dates`, and exactly these are booked, or " +
		"none.\n\nEach date becomes a booking of its own, with its event, which says `series`. Where approval is needed, all are pending, " +
		"and are confirmed, declined or lapse together. Of services that are paid online the price or deposit of the first date is paid " +
		"at its `payment.url`: all wait for that, are confirmed with it, and lapse together; the others are due on site, or are paid at once " +
		"with it where the event type's `seriesPayment` is `all`; where it is `each`, each can be paid ahead at its `payLink.url`. Where a " +
		"card is saved for fees, one serves all dates, and each can cost its own.",
	Body:     seriesBody{},
	BodyType: openapi.Type{Name: "SeriesRequest", Fields: &booking.SeriesInputFields},
	BodyExample: map[string]any{
		"repeat": map[string]any{"every": 6, "unit": "week", "count": 8}, "conflicts": "nearest", "eventType": "haircut",
		"start": "2026-12-01T09:00:00Z", "invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com"},
	},
	Successes: []openapi.Success{{Status: 201, Text: "The series.", Body: booking.Series{}, Location: "The new series."}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `repeat` gives no dates."},
		{Code: fault.NotFound, Text: "An event type or a host is unknown."},
		{Code: fault.Conflict, Text: "`details.reason` is `series_conflict`: dates can't be booked, `details.dates` are all of them; or " +
			"`already_booked`, with `details.seriesId`, when the invitee has all of these dates already."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in seriesBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Invitee == nil {
		return app.Response{}, noInvitee()
	}
	in.SeriesInput.Invitee = booking.Invitee(*in.Invitee)
	made, err := d.BookSeries(c.ctx, c.actor, in.SeriesInput)
	answer, err := encoded(made, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/series/"+made.ID.String()
	}
	return answer, err
},
}

// seriesBody is the body of createSeries. Its invitee is nil when it was left out.
type seriesBody struct {
	booking.SeriesInput
	Invitee *invitee `json:"invitee"`
}

var getSeries = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/series/{id}", ID: "getSeries", Tag: "Series",
	Summary: "Retrieve a series",
	Text: "Answers a series with its bookings, cancelled ones too; of a key of some hosts or services those that it may see. " +
		"`GET /api/v1/bookings?series=` lists them.",
	Successes: []openapi.Success{{Status: 200, Text: "The series.", Body: booking.Series{}}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such series in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Series(c.ctx, c.actor, c.id()))
},
}

var cancelSeries = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/series/{id}/cancel", ID: "cancelSeries", Tag: "Series",
	Summary: "Cancel bookings of a series",
	Text: "Cancels one date of a series, those from it on, or all, as cancelBooking does; all of them or none. Whatever has begun stays as " +
		"it is.",
	Body:        booking.SeriesCancelInput{},
	BodyType:    openapi.Type{Name: "SeriesCancelRequest", Fields: &booking.SeriesCancelInputFields},
	BodyExample: map[string]any{"from": "bk_1p4s8ywa0g0s1", "scope": "following"},
	Successes:   []openapi.Success{{Status: 200, Text: "The series.", Body: booking.Series{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such series in the workspace, or the key may not see all of it."},
		{Code: fault.Conflict, Text: "`details.reason` is `wrong_state`, `details.status` that of a booking."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in booking.SeriesCancelInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return encoded(d.CancelSeries(c.ctx, c.actor, c.id(), in))
},
}

var moveSeries = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/series/{id}/reschedule", ID: "rescheduleSeries", Tag: "Series",
	Summary: "Move bookings of a series",
	Text: "Moves one date of a series to `start`, and with the scope `following` or `all` the others by as much on the workspace's clock, " +
		"each from where it is now; all of them or none. Their own old times don't count as taken. A dry run tells of conflicts first.",
	Body:     booking.SeriesMoveInput{},
	BodyType: openapi.Type{Name: "SeriesMoveRequest", Fields: &booking.SeriesMoveInputFields},
	BodyExample: map[string]any{"from": "bk_1p4s8ywa0g0s1", "scope": "following",
		"start": "2026-12-01T10:30:00Z"},
	Successes: []openapi.Success{{Status: 200, Text: "The series.", Body: booking.Series{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `start` can never be booked: see createBooking."},
		{Code: fault.NotFound, Text: "There is no such series in the workspace, or the key may not see all of it."},
		{Code: fault.Conflict, Text: "`details.reason` is `series_conflict`, and `details.dates` are those that can't move there, each with " +
			"its `bookingId`; with the scope `this` it is as in rescheduleBooking."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in booking.SeriesMoveInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return encoded(d.MoveSeries(c.ctx, c.actor, c.id(), in))
},
}
