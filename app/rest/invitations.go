package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/rest/openapi"
)

var createInvitation = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/invitations", ID: "createInvitation", Tag: "Invitations",
	Summary: "Make an invitation link",
	Text: "Makes a link by which one event type can be booked, a hidden one, too. The link is in the answer this once. " +
		"With an `email` it is mailed to that address instead, works with that address only, and the answer doesn't show " +
		"it. Because of the link the answer is not kept for an Idempotency-Key: a repetition makes another link.",
	Body:        invitation.Input{},
	BodyType:    openapi.Type{Name: "InvitationRequest", Fields: &invitation.InputFields},
	BodyExample: map[string]any{"eventType": "haircut", "uses": 1, "expiresAt": "2026-12-24T18:00:00Z"},
	Unstored:    true,
	Successes: []openapi.Success{{Status: 201, Text: "The new invitation, with its link.", Body: invitation.Invitation{},
		Location: "The new invitation."}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "The event type or the host is unknown."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `too_many_invitations`: the workspace has as many as there may be."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in invitation.Input
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	l, err := d.Invitation.CreateInvitation(c.ctx, c.actor, in)
	answer, err := encoded(l, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/invitations/"+l.ID.String()
	}
	return answer, err
},
}

var listInvitations = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/invitations", ID: "listInvitations", Tag: "Invitations",
	Summary: "List invitation links",
	Text:    "Lists invitation links, newest first, without the links themselves.",
	Params: []openapi.Param{
		{Name: "eventType", Text: "Only invitations to this event type: its slug or id.", MaxLength: booking.MaxRef,
			Example: "haircut"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of invitations.", Body: fault.Page[invitation.Invitation]{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Invitation.Invitations(c.ctx, c.actor, invitation.ListInput{EventType: c.query.text("eventType"),
		Limit: c.query.number("limit"), Cursor: c.query.text("cursor")}))
},
}

var getInvitation = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/invitations/{id}", ID: "getInvitation", Tag: "Invitations",
	Summary:   "Retrieve an invitation link",
	Text:      "Answers one invitation: how often its link was used, and whether it still works.",
	Successes: []openapi.Success{{Status: 200, Text: "The invitation.", Body: invitation.Invitation{}}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such invitation in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Invitation.Invitation(c.ctx, c.actor, c.id()))
},
}

var revokeInvitation = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/invitations/{id}", ID: "revokeInvitation", Tag: "Invitations",
	Summary:   "Revoke an invitation link",
	Text:      "Ends the link at once. What was booked by it stays. Revoking it again changes nothing.",
	Successes: []openapi.Success{{Status: 204, Text: "It works no more."}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such invitation in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return app.Response{Status: http.StatusNoContent}, d.Invitation.RevokeInvitation(c.ctx, c.actor, c.id())
},
}

var resendInvitation = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/invitations/{id}/resend", ID: "resendInvitation", Tag: "Invitations",
	Summary: "Mail an invitation link again",
	Text: "Queues the mail with the link again, as a new message to the invitation's `email`. The answer is there " +
		"before the mail is: it goes out as other mails do, and waits while there is no mail server.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 202, Text: "The mail that is sent.", Body: invitation.Queued{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such invitation in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `no_email`: the link has no recipient; `overtaken`: it was used " +
			"up or revoked, or has expired; `in_progress`: the mail is being sent right now; `sent_lately`: it went out less " +
			"than a minute ago, wait `details.retryAfter` seconds; or `sent_often`: it was sent again 10 times."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	answer, err := encoded(d.Invitation.ResendInvitation(c.ctx, c.actor, c.id()))
	if err == nil {
		answer.Status = http.StatusAccepted
	}
	return answer, err
},
}
