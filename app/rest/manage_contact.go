package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

// ContactPatch says what to change about a contact; what is nil stays.
type ContactPatch struct {
	Name     *string `json:"name"`
	Email    *string `json:"email"`
	Phone    *string `json:"phone"`
	TimeZone *string `json:"timeZone"`
	Notes    *string `json:"notes"`

	Tags     *clearable `json:"tags"`
	Birthday *string    `json:"birthday"`
	TellBy   *string    `json:"tellBy"`

	Texts *booking.TextsInput `json:"texts"`

	Fields map[string]any `json:"fields"`
}

// clearable is a list that null clears.
type clearable []string

// contactPatchFields are those of a new contact, each of which may be cleared but for the name.
var contactPatchFields = func() field.Resource {
	r := field.Resource{Text: "What to change about a contact: a JSON merge patch. What is left out stays, null and an " +
		"empty text clear."}
	for _, f := range booking.ContactInputFields.Fields {
		f.Null = f.Name != "name" && f.Name != "fields" && f.Name != "texts"
		r.Fields = append(r.Fields, f)
	}
	return r
}()

// over returns the contact's input with what the patch says.
func (p *ContactPatch) over(c *booking.Contact) booking.ContactInput {
	in := booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, TimeZone: c.TimeZone, Notes: c.Notes}
	for to, given := range map[*string]*string{&in.Name: p.Name, &in.Email: p.Email, &in.Phone: p.Phone,
		&in.TimeZone: p.TimeZone, &in.Notes: p.Notes} {
		if given != nil {
			*to = *given
		}
	}
	if p.Tags != nil {
		in.Tags = append([]string{}, *p.Tags...)
	}
	in.Birthday, in.TellBy, in.Texts, in.Fields = p.Birthday, p.TellBy, p.Texts, p.Fields
	return in
}

// ContactVersion returns the version of what can be changed about a contact: bookings don't change it.
func ContactVersion(c *booking.Contact) string {
	var fields map[string]any
	for key, value := range c.Fields {
		if fields == nil {
			fields = map[string]any{}
		}
		fields[key] = value
	}
	in := booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, TimeZone: c.TimeZone, Notes: c.Notes,
		Tags: c.Tags, Birthday: c.Birthday, TellBy: c.TellBy, Fields: fields}
	if c.Texts != nil && c.Texts.State != booking.TextsUnknown {
		in.Texts = &booking.TextsInput{State: c.Texts.State}
	}
	return fault.ETag(in)
}

var changeContact = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/contacts/{id}", ID: "changeContact", Tag: "Contacts",
	Summary: "Change a contact",
	Text: "Changes what the body names, and leaves the rest. Bookings keep the name that they were made with. " +
		"Nobody is told.",
	IfMatch:     ifMatch,
	Body:        ContactPatch{},
	BodyType:    openapi.Type{Name: "ContactPatchRequest", Fields: &contactPatchFields},
	BodyExample: map[string]any{"phone": "+49 30 901820", "notes": "Prefers mornings"},
	Successes: []openapi.Success{{Status: 200, Text: "The contact as it is now.", Body: booking.Contact{},
		ETag: true}},
	Errors: []openapi.Error{missing("contact"), lacks("contacts"), changed("contact"),
		{Code: fault.Conflict, Text: "`details.reason` is `email_taken` or `phone_taken`: another contact has it. Merge " +
			"the two instead. Or `texts_stopped`: somebody has sent STOP from the number."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in ContactPatch
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	contact, err := s.People.ChangeContact(c.Context(), c.Actor(), c.Path("id"),
		func(was *booking.Contact) (booking.ContactInput, error) {
			return in.over(was), fault.CheckETag(c.Match(), ContactVersion(was), "contact")
		})
	return tagged(contact, ContactVersion(&contact), err)
}}

var deleteContact = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/contacts/{id}", ID: "deleteContact", Tag: "Contacts",
	Summary: "Delete a contact",
	Text: "Deletes the contact and everything that names the person: in bookings, their history, events and mails. The " +
		"bookings still count in the figures. It can't be undone.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors: []openapi.Error{missing("contact"), lacks("contacts"), changed("contact"),
		{Code: fault.Conflict, Text: "`details.reason` is `has_upcoming`: the contact has a booking ahead."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	return gone, s.People.DeleteContact(c.Context(), c.Actor(), c.Path("id"), func(was *booking.Contact) error {
		return fault.CheckETag(c.Match(), ContactVersion(was), "contact")
	})
}}

// mergeBody is the body of a merge.
type mergeBody struct {
	Into string `json:"into"`
}

var mergeFields = field.Resource{
	Text: "With which contact to merge this one.",
	Fields: []field.Field{{Name: "into", Text: "Id of the contact that stays.", Example: "ct_1p4s8yvz04k2c",
		Required: true}},
}

var mergeContacts = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts/{id}/merge", ID: "mergeContacts", Tag: "Contacts",
	Summary: "Merge two contacts",
	Text: "Moves all bookings of this contact to the contact `into`, which takes over what it lacks: address, number, " +
		"zone, birthday, way to tell and the workspace's own fields. Their notes are joined. This contact is gone then. Nobody is told.",
	Body:        mergeBody{},
	BodyType:    openapi.Type{Name: "MergeRequest", Fields: &mergeFields},
	BodyExample: map[string]any{"into": "ct_1p4s8yvz04k2c"},
	Successes:   []openapi.Success{{Status: 200, Text: "The contact that stays.", Body: booking.Contact{}, ETag: true}},
	Errors:      []openapi.Error{missing("contact"), lacks("contacts")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in mergeBody
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	contact, err := s.People.MergeContacts(c.Context(), c.Actor(), c.Path("id"), in.Into)
	return tagged(contact, ContactVersion(&contact), err)
}}
