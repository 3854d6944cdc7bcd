package rest

import (
	"net/http"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var listContacts = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts", ID: "listContacts", Tag: "Contacts",
	Summary: "List or search contacts",
	Text: "Lists the workspace's contacts, newest first; `q` searches them, `email` finds one, `phone` those who " +
		"have it.",
	Params: []openapi.Param{
		{Name: "q", Text: "Each word must begin a word of the name or the e-mail address, or stand within one, from four letters on; or be the beginning of the telephone number, or its end, from three digits on. Accents do not count: Krueger finds Krüger.",
			Example: "berg"},
		{Name: "email", MaxLength: fault.MaxEmail,
			Text:    "Only the contact with this e-mail address, compared without case. Not together with `q`.",
			Example: "bo@example.com"},
		{Name: "phone", MaxLength: fault.MaxPhone,
			Text: "Only the contacts with this telephone number, international or as it is dialled within the workspace's " +
				"country, the oldest first. Not together with `q` or `email`.",
			Example: "+4930901820"},
		{Name: "tags", List: true, MaxLength: fault.MaxSearch, Example: "vip,colour",
			Text: "Only contacts with all of these tags, compared without case and accents. Not together with `email` or `phone`. " +
				"For those who may see cards."},
		{Name: "minNoShows", Kind: "integer", Min: 1, Max: contact.MaxNoShows, Text: "Only contacts who did not come to that many bookings, since `since`. Not together with `email` or `phone`.",
			Example: 2},
		{Name: "since", Example: "2026-09-01", Text: "With `minNoShows`: only no-shows of bookings that started at or after it count. An ISO 8601 date of the " +
			"business, or a time; a year ago when left out."},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of contacts.", Body: fault.Page[booking.Contact]{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	email, phone := c.query.text("email"), c.query.text("phone")
	var tags []string
	if text := c.query.text("tags"); text != "" {
		tags = strings.Split(text, ",")
	}
	switch searched := c.query.text("q") != ""; {
	case email != "" && searched:
		return app.Response{}, fault.Invalid("email", "must not be given together with q")
	case phone != "" && (searched || email != ""):
		return app.Response{}, fault.Invalid("phone", "must not be given together with q or email")
	case len(tags) > 0 && email+phone != "":
		return app.Response{}, fault.Invalid("tags", "must not be given together with email or phone")
	case (c.query.text("minNoShows") != "" || c.query.text("since") != "") && email+phone != "":
		return app.Response{}, fault.Invalid("minNoShows", "must not be given together with email or phone")
	case email != "" || phone != "":
		return encoded(d.People.ContactsWith(c.ctx, c.actor, email, phone))
	}
	return encoded(d.People.Contacts(c.ctx, c.actor, contact.Filter{Q: c.query.text("q"), Tags: tags,
		MinNoShows: c.query.number("minNoShows"), Since: c.query.text("since")}, c.query.number("limit"), c.query.text("cursor")))
},
}
