package rest

import (
	"net/http"

	"daybook/app"
)

var listContacts = route{
	method: http.MethodGet, path: "/v1/contacts", id: "listContacts", tag: "Contacts",
	summary: "List or search contacts",
	text:    "Lists the workspace's contacts, newest first; `q` searches them.",
	params: []param{
		{name: "q", text: "Each word must begin a word of the name, the e-mail address or the telephone number.", example: "berg"},
		limitParam(50), cursorParam,
	},
	answers: []answerText{{status: 200, text: "A page of contacts.", body: app.Page[app.Contact]{}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.Contacts(c.ctx, c.actor, c.query.text("q"), c.query.number("limit"), c.query.text("cursor")))
	},
}
