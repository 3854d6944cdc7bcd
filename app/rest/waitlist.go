package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/waitlist"
)

var listWaitlist = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/waitlist", ID: "listWaitlist", Tag: "Waitlist",
	Summary: "List who waits",
	Text:    "Lists the entries of the waitlist, newest first; those that have ended are kept for 30 days.",
	Params: []openapi.Param{
		{Name: "status", Text: "Only entries with this status.", Enum: waitlist.States, Example: "waiting"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of entries.", Body: fault.Page[waitlist.Entry]{}, Lists: "entries"}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Waitlist.Waitlist(c.ctx, c.actor, waitlist.ListInput{Status: c.query.text("status"),
		Limit: c.query.number("limit"), Cursor: c.query.text("cursor")}))
},
}

var joinWaitlist = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/waitlist", ID: "joinWaitlist", Tag: "Waitlist",
	Summary: "Put somebody on the waitlist",
	Text: "Notes that somebody waits for a time of these services that fits one of their wishes. From a key it counts at once; the " +
		"person is mailed nothing now. At most 3 entries of a person count at a time.",
	Body:     waitBody{},
	BodyType: openapi.Type{Name: "WaitlistRequest", Fields: &waitlist.InputFields},
	BodyExample: map[string]any{
		"items":   []any{map[string]any{"eventType": "haircut"}},
		"wishes":  []any{map[string]any{"from": "2026-12-01", "to": "2026-12-04", "days": []any{"tue", "fri"}, "hours": []any{"09:00-12:00"}}},
		"invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com"},
	},
	Successes: []openapi.Success{{Status: 201, Text: "The entry.", Body: waitlist.Entry{}, Location: "The new entry."}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed."},
		{Code: fault.NotFound, Text: "An event type or a host is unknown."},
		{Code: fault.Conflict, Text: "`details.reason` is `too_many_waiting`: 3 entries of this person count already; or `waitlist_full`."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in waitBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Invitee == nil {
		return app.Response{}, noInvitee()
	}
	in.Input.Invitee = booking.Invitee(*in.Invitee)
	made, err := d.Waitlist.Join(c.ctx, c.actor, in.Input)
	answer, err := encoded(made, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/waitlist/"+made.ID.String()
	}
	return answer, err
},
}

// waitBody is the body of joinWaitlist. Its invitee is nil when it was left out.
type waitBody struct {
	waitlist.Input
	Invitee *invitee `json:"invitee"`
}

var getWaitlistEntry = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/waitlist/{id}", ID: "getWaitlistEntry", Tag: "Waitlist",
	Summary:   "Retrieve who waits",
	Text:      "Answers one entry of the waitlist.",
	Successes: []openapi.Success{{Status: 200, Text: "The entry.", Body: waitlist.Entry{}}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such entry in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Waitlist.WaitlistEntry(c.ctx, c.actor, c.id()))
},
}

var endWaitlistEntry = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/waitlist/{id}", ID: "endWaitlistEntry", Tag: "Waitlist",
	Summary:   "Take somebody off the waitlist",
	Text:      "Ends an entry, which stays in the list as `ended` for 30 days. The person is not told. Ending it again changes nothing.",
	Successes: []openapi.Success{{Status: 204, Text: "They wait no more."}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such entry in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return app.Response{Status: http.StatusNoContent}, d.Waitlist.EndEntry(c.ctx, c.actor, c.id())
},
}

var offerWaitlistEntry = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/waitlist/{id}/offer", ID: "offerWaitlistEntry", Tag: "Waitlist",
	Summary: "Offer somebody a time",
	Text: "Holds an open time for somebody who waits, whether they wish for it or not, and sends them the link by which they take or " +
		"refuse it: for as long as the workspace's `waitlistOfferMinutes` says, at most half of the time that is left until the start. A " +
		"person is offered one time at once. Without an answer it is open to all again.",
	Body:        waitlist.OfferTime{},
	BodyType:    openapi.Type{Name: "WaitlistOfferRequest", Fields: &waitlist.OfferTimeFields},
	BodyExample: map[string]any{"start": "2026-12-01T09:00:00Z"},
	Successes:   []openapi.Success{{Status: 200, Text: "The entry, with its `offer`.", Body: waitlist.Entry{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `start` can never be booked: see createBooking."},
		{Code: fault.NotFound, Text: "There is no such entry in the workspace, or the host is unknown."},
		{Code: fault.Conflict, Text: "`details.reason` is `wrong_state`: it doesn't wait, or its person is offered another time; `slot_taken`; " +
			"`too_soon`: no time is left to answer; `page_only`: the business sends no mails, or to a number alone no texts; or what stands against the person, as in createBooking."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in waitlist.OfferTime
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return encoded(d.Waitlist.OfferEntry(c.ctx, c.actor, c.id(), in))
},
}
