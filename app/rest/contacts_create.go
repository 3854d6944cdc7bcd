package rest

import (
	"net/http"

	"daybook/app"
)

var createContact = route{
	method: http.MethodPost, path: "/v1/contacts", id: "createContact", tag: "Contacts",
	summary: "Create a contact",
	text:    "Creates a contact, or returns the one that has the e-mail address already, unchanged: for that the address alone is enough. Nobody is told.",
	body:    contactBody{}, bodyExample: map[string]any{"name": "Bo Berg", "email": "bo@example.com", "phone": "+49 30 901820"},
	answers: []answerText{
		{status: 201, text: "The new contact.", body: app.Contact{}, location: "The new contact."},
		{status: 200, text: "The contact that has this e-mail address already, as it was.", body: app.Contact{}},
	},
	handle: func(d *door, c *call) (app.Answer, error) {
		var in contactBody
		if err := c.decode(&in); err != nil {
			return app.Answer{}, err
		}
		contact, created, err := d.CreateContact(c.ctx, c.actor, app.ContactInput(in))
		answer, err := encoded(contact, err)
		if created && err == nil {
			answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/contacts/"+contact.ID.String()
		}
		return answer, err
	},
}

// contactBody is the body of createContact.
type contactBody struct {
	Name     string `json:"name"`
	Email    string `json:"email" rule:"required"`
	Phone    string `json:"phone"`
	TimeZone string `json:"timeZone"`
	Notes    string `json:"notes"`
}
