package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var createContact = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts", ID: "createContact", Tag: "Contacts",
	Summary: "Create a contact",
	Text: "Creates a contact, or returns the one that has the e-mail address already, unchanged: for that the " +
		"address alone is enough. Without an address the telephone number takes its place. Nobody is told.",
	Body:        booking.ContactInput{},
	BodyType:    openapi.Type{Name: "ContactRequest", Fields: &booking.ContactInputFields},
	BodyExample: map[string]any{"name": "Bo Berg", "email": "bo@example.com", "phone": "+49 30 901820"},
	Errors: []openapi.Error{{Code: fault.BadRequest,
		Text: "The body is malformed, or has neither `email` nor `phone`: `details.reason` is then `contact_missing`."}},
	Successes: []openapi.Success{
		{Status: 201, Text: "The new contact.", Body: booking.Contact{}, Location: "The new contact."},
		{Status: 200, Body: booking.Contact{},
			Text: "The contact that has this e-mail address already, or without one this telephone number, as it was."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in booking.ContactInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	contact, created, err := d.People.CreateContact(c.ctx, c.actor, in)
	answer, err := encoded(contact, err)
	if created && err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/contacts/"+contact.ID.String()
	}
	return answer, err
},
}
