package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var listContacts = route{
	method: http.MethodGet, path: "/v1/contacts", id: "listContacts", tag: "Contacts",
	summary: "List or search contacts",
	text:    "Lists the workspace's contacts, newest first; `q` searches them, `email` finds one.",
	params: []param{
		{name: "q", text: "Each word must begin a word of the name, the e-mail address or the telephone number.", example: "berg"},
		{name: "email", maxLength: 254, text: "Only the contact with this e-mail address, compared without case. Not together with `q`.", example: "bo@example.com"},
		limitParam(50), cursorParam,
	},
	answers: []answerText{{status: 200, text: "A page of contacts.", body: fault.Page[app.Contact]{}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		if email := c.query.text("email"); email != "" {
			if c.query.text("q") != "" {
				return app.Answer{}, fault.Invalid("email", "must not be given together with q")
			}
			return encoded(d.ContactsByEmail(c.ctx, c.actor, email))
		}
		return encoded(d.Contacts(c.ctx, c.actor, c.query.text("q"), c.query.number("limit"), c.query.text("cursor")))
	},
}
