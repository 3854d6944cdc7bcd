package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/record"
	"daybook/app/rest/openapi"
)

var createContact = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts", ID: "createContact", Tag: "Contacts",
	Summary: "Create a contact",
	Text: "Creates a contact, or returns the one that has the e-mail address already, unchanged: for that the " +
		"address alone is enough. Nobody is told.",
	Body:        record.ContactInput{},
	BodyExample: map[string]any{"name": "Bo Berg", "email": "bo@example.com", "phone": "+49 30 901820"},
	Answers: []openapi.Answer{
		{Status: 201, Text: "The new contact.", Body: record.Contact{}, Location: "The new contact."},
		{Status: 200, Text: "The contact that has this e-mail address already, as it was.", Body: record.Contact{}},
	},
}, handle: func(d *door, c *call) (app.Answer, error) {
	var in record.ContactInput
	if err := c.decode(&in); err != nil {
		return app.Answer{}, err
	}
	contact, created, err := d.CreateContact(c.ctx, c.actor, in)
	answer, err := encoded(contact, err)
	if created && err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/contacts/"+contact.ID.String()
	}
	return answer, err
},
}
