package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/rest/openapi"
)

var listContacts = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts", ID: "listContacts", Tag: "Contacts",
	Summary: "List or search contacts",
	Text:    "Lists the workspace's contacts, newest first; `q` searches them, `email` finds one.",
	Params: []openapi.Param{
		{Name: "q", Text: "Each word must begin a word of the name, the e-mail address or the telephone number.",
			Example: "berg"},
		{Name: "email", MaxLength: fault.MaxEmail,
			Text:    "Only the contact with this e-mail address, compared without case. Not together with `q`.",
			Example: "bo@example.com"},
		limitParam(50), cursorParam,
	},
	Answers: []openapi.Answer{{Status: 200, Text: "A page of contacts.", Body: fault.Page[record.Contact]{}}},
}, handle: func(d *door, c *call) (app.Answer, error) {
	if email := c.query.text("email"); email != "" {
		if c.query.text("q") != "" {
			return app.Answer{}, fault.Invalid("email", "must not be given together with q")
		}
		return encoded(d.ContactsByEmail(c.ctx, c.actor, email))
	}
	return encoded(d.Contacts(c.ctx, c.actor, c.query.text("q"), c.query.number("limit"), c.query.text("cursor")))
},
}
