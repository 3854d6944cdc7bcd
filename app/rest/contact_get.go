package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var getContact = route{
	method: http.MethodGet, path: "/v1/contacts/{id}", id: "getContact", tag: "Contacts",
	summary: "Retrieve a contact",
	text:    "Answers one contact.",
	answers: []answerText{{status: 200, text: "The contact.", body: app.Contact{}}},
	errors:  []errorText{{fault.NotFound, "There is no such contact in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.Contact(c.ctx, c.actor, c.id()))
	},
}
