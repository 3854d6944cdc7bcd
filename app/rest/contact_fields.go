package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

// fieldsVersion returns the version of the workspace's fields of contacts.
func fieldsVersion(all []catalog.ContactField) string { return fault.ETag(all) }

// respondFields answers all fields: there are never more than a page has.
func respondFields(all []catalog.ContactField, err error) (app.Response, error) {
	return tagged(fault.Page[catalog.ContactField]{Data: all}, fieldsVersion(all), err)
}

var listContactFields = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/contact-fields", ID: "listContactFields", Tag: "Contacts",
	Summary: "List the workspace's own fields of contacts",
	Text: "Lists the fields that the workspace keeps of its contacts besides the usual ones, in their order. All of them are in one " +
		"answer. Their values are in `fields` of contacts.",
	Successes: []openapi.Success{{Status: 200, Text: "All fields.", Body: fault.Page[catalog.ContactField]{}, Lists: "fields", ETag: true}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	return respondFields(s.Shop.ContactFields(c.Actor()))
}}

// fieldsBody is the body of a change of these fields.
type fieldsBody struct {
	ContactFields []catalog.ContactField `json:"contactFields"`
	DeleteValues  []string               `json:"deleteValues"`
}

var fieldsBodyFields = field.Resource{
	Text: "The fields as they are to be.",
	Fields: []field.Field{
		{Name: "contactFields", Text: "All fields, at most 20, in their order. One that is left out is removed.", Required: true},
		{Name: "deleteValues", Text: "Keys of fields that are left out and may be removed although there are values of them, of contacts or " +
			"with bookings. These are deleted, and nobody sees them from then on.", Example: []string{"shoe-size"}},
	},
}

var setContactFields = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/contact-fields", ID: "setContactFields", Tag: "Contacts",
	Summary: "Change the workspace's own fields of contacts",
	Text: "Replaces the fields that the workspace keeps of its contacts besides the usual ones. A field is known by its key; its type " +
		"never changes. An option that is left out stays with those who have it. A field that is left out is removed: where there " +
		"are values of it, only if `deleteValues` names it, which needs the area `contacts` besides. A key that was removed may be " +
		"used again, without the values of before.",
	IfMatch:  ifMatch,
	Body:     fieldsBody{},
	BodyType: openapi.Type{Name: "ContactFieldsRequest", Fields: &fieldsBodyFields},
	BodyExample: map[string]any{"contactFields": []any{map[string]any{"key": "shoe-size", "label": "Shoe size", "type": "number",
		"onForm": "asked"}}},
	Successes: []openapi.Success{{Status: 200, Text: "All fields as they are now.", Body: fault.Page[catalog.ContactField]{},
		ETag: true}},
	Errors: []openapi.Error{wrong, lacks("settings"), changed("list of fields"),
		{Code: fault.Conflict, Text: "`details.reason` is `field_values`: a field that is left out has values, of contacts or with bookings; " +
			"`details.values` says how many."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in fieldsBody
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.ContactFields == nil {
		return app.Response{}, fault.Invalid("contactFields", "is required: all fields as they are to be")
	}
	all, err := s.Shop.SetContactFields(c.Context(), c.Actor(), in.ContactFields, in.DeleteValues,
		func(was []catalog.ContactField) error {
			return fault.CheckETag(c.Match(), fieldsVersion(was), "list of fields")
		})
	return respondFields(all, bare(err, "settings."))
}}
