package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var listConsents = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/consents", ID: "listContactConsents", Tag: "Contacts",
	Summary: "List a customer's consents",
	Text: "Lists what a customer agreed to, as it was worded then, withdrawn ones, too: those that were recorded last first. No " +
		"restricted key may, and no agent.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of consents.", Body: fault.Page[contact.Consent]{}, Lists: "consents"}},
	Errors:    []openapi.Error{missing("contact"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.People.Consents(c.ctx, c.actor, c.id(), c.query.number("limit"), c.query.text("cursor")))
},
}

var createConsent = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts/{id}/consents", ID: "createContactConsent", Tag: "Contacts",
	Summary: "Record a consent",
	Text: "Writes down that a customer agreed to what a kind of the workspace's consents says now. It ends as its kind says. " +
		"Health entries that hang on older consents of the kind hang on it from then on, if it is the newest. Nobody is told.",
	Body:        contact.ConsentInput{},
	BodyType:    openapi.Type{Name: "ContactConsentRequest", Fields: &contact.ConsentInputFields},
	BodyExample: map[string]any{"kind": "patch-test", "date": "2026-11-30", "signer": "Mia Brandt"}, Unstored: true,
	Successes: []openapi.Success{{Status: 201, Text: "The new consent.", Body: contact.Consent{}}},
	Errors: []openapi.Error{missing("contact"), lacks("contacts"),
		{Code: fault.Conflict, Text: "`details.reason` is `too_many_consents`."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in contact.ConsentInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	answer, err := encoded(d.People.RecordConsent(c.ctx, c.actor, c.id(), in))
	answer.Status = http.StatusCreated
	return answer, err
},
}

var withdrawConsent = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts/{id}/consents/{consent}/withdraw", ID: "withdrawContactConsent", Tag: "Contacts",
	Summary: "Withdraw a consent",
	Text: "Writes down that a customer withdrew a consent, and deletes the health entries that hang on it, at once. That it was " +
		"given and withdrawn stays. Again, it changes nothing.",
	Unstored:  true,
	Successes: []openapi.Success{{Status: 200, Text: "The consent as it is now.", Body: contact.Consent{}}},
	Errors:    []openapi.Error{missing("contact or consent"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.People.WithdrawConsent(c.ctx, c.actor, c.id(), c.part("consent")))
},
}

var listHealth = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/health", ID: "listContactHealth", Tag: "Contacts",
	Summary: "List a customer's health entries",
	Text: "Lists allergies, results of patch tests and what else matters of a customer's health, the latest first. No restricted " +
		"key may, and no agent.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of health entries.", Body: fault.Page[contact.HealthEntry]{}, Lists: "health entries"}},
	Errors:    []openapi.Error{missing("contact"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.People.HealthEntries(c.ctx, c.actor, c.id(), c.query.number("limit"), c.query.text("cursor")))
},
}

var createHealth = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts/{id}/health", ID: "createContactHealth", Tag: "Contacts",
	Summary: "Write a health entry",
	Text: "Keeps something of a customer's health, encrypted, with a valid consent of theirs, of a kind with `health`. It is " +
		"deleted when that is withdrawn. Nobody is told.",
	Body:        contact.HealthInput{},
	BodyType:    openapi.Type{Name: "ContactHealthRequest", Fields: &contact.HealthInputFields},
	BodyExample: map[string]any{"kind": "allergy", "text": "PPD"}, Unstored: true,
	Successes: []openapi.Success{{Status: 201, Text: "The new entry.", Body: contact.HealthEntry{}}},
	Errors: []openapi.Error{missing("contact or consent"), lacks("contacts"),
		{Code: fault.Conflict, Text: "`details.reason` is `consent_missing`: the customer has no valid consent to that; " +
			"`no_secret_key`: the server has no key to encrypt it with; or `too_many_health_entries`."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in contact.HealthInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	answer, err := encoded(d.People.AddHealth(c.ctx, c.actor, c.id(), in))
	answer.Status = http.StatusCreated
	return answer, err
},
}

var deleteHealth = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/contacts/{id}/health/{health}", ID: "deleteContactHealth", Tag: "Contacts",
	Summary:   "Delete a health entry",
	Text:      "Deletes a health entry. The audit log keeps that it was deleted, not what it said.",
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors:    []openapi.Error{missing("contact or health entry"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return gone, d.People.DeleteHealth(c.ctx, c.actor, c.id(), c.part("health"))
},
}
