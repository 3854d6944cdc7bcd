package rest

import (
	"net/http"

	"daybook/app"
)

var getContact = route{
	method: http.MethodGet, path: "/v1/contacts/{id}", id: "getContact", tag: "Contacts",
	summary: "Retrieve a contact",
	text:    "Answers one contact.",
	answers: []answerText{{status: 200, text: "The contact.", body: app.Contact{}}},
	errors:  []errorText{{app.NotFound, "There is no such contact in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.Contact(c.ctx, c.actor, c.id()))
	},
}
