package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var getContact = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}", ID: "getContact", Tag: "Contacts",
	Summary:   "Retrieve a contact",
	Text:      "Answers one contact.",
	Successes: []openapi.Success{{Status: 200, Text: "The contact.", Body: booking.Contact{}, ETag: true}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such contact in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	contact, err := d.People.ContactByID(c.ctx, c.actor, c.id())
	answer, err := encoded(contact, err)
	answer.ETag = ContactVersion(&contact)
	return answer, err
},
}
