package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/rest/openapi"
)

// contactCard is contact.Card as the API shows it.
type contactCard struct {
	LastVisit      *booking.Booking `json:"lastVisit"`
	NextVisit      *booking.Booking `json:"nextVisit"`
	Spent          []money.Money    `json:"spent"`
	UsualHost      *catalog.HostRef `json:"usualHost"`
	UsualEventType *usualEventType  `json:"usualEventType"`
	EveryDays      *int             `json:"everyDays"`
	Formula        *contact.Entry   `json:"formula"`
}

// usualEventType names an event type.
type usualEventType struct {
	ID    catalog.EventTypeID `json:"id"`
	Slug  string              `json:"slug"`
	Title string              `json:"title"`
}

var contactCardFields = field.Resource{
	Text: "What the person at the chair needs to know of a customer, besides the contact: made from the bookings, payments " +
		"and entries when it is asked for.",
	Fields: []field.Field{
		{Name: "lastVisit", Text: "The latest booking that took place and is over; null where there is none.", Null: true},
		{Name: "nextVisit", Text: "The earliest booking that is to take place; null where there is none.", Null: true},
		{Name: "spent", Text: "All money that was received less what was given back, tips and sales included, for each currency; null " +
			"for keys that may not see money.", Null: true},
		{Name: "usualHost", Text: "Who did most visits of the last 24 months; of several the latest. null below two visits.",
			Null: true},
		{Name: "usualEventType", Text: "The service of most visits of the last 24 months; of several the latest. null below two " +
			"visits.", Null: true},
		{Name: "everyDays", Text: "The median of the days between the last five visits; null below two visits.", Null: true},
		{Name: "formula", Text: "The latest formula that no other entry corrects; null where there is none.", Null: true},
	},
}

var usualEventTypeFields = field.Resource{
	Text: "An event type by its names.",
	Fields: []field.Field{
		{Name: "id", Text: "Its id.", Example: "et_1p4s8yvz04k2c"},
		{Name: "slug", Text: "Its name in addresses.", Example: "haircut"},
		{Name: "title", Text: "Its title.", Example: "Haircut"},
	},
}

var getContactCard = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/card", ID: "getContactCard", Tag: "Contacts",
	Summary:   "Retrieve a customer's card",
	Text:      "Answers the figures of a customer, their last and next visit and the latest formula.",
	Successes: []openapi.Success{{Status: 200, Text: "The card.", Body: contactCard{}}},
	Errors:    []openapi.Error{missing("contact"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	card, err := d.People.Card(c.ctx, c.actor, c.id())
	if err != nil {
		return app.Response{}, err
	}
	setup, err := d.Setup(c.actor.Workspace)
	if err != nil {
		return app.Response{}, err
	}
	shown := contactCard{LastVisit: card.LastVisit, NextVisit: card.NextVisit, Spent: card.Spent,
		Formula: card.Formula}
	if h := setup.Host(card.UsualHost); h != nil {
		shown.UsualHost = &catalog.HostRef{ID: h.ID, Name: h.Name}
	}
	if e := setup.EventTypeByID(card.UsualEventType); e != nil {
		shown.UsualEventType = &usualEventType{e.ID, e.Slug, e.Title}
	}
	if card.EveryDays > 0 {
		shown.EveryDays = &card.EveryDays
	}
	return encoded(shown, nil)
},
}

var listEntries = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/entries", ID: "listContactEntries", Tag: "Contacts",
	Summary:   "List a customer's entries",
	Text:      "Lists what the team wrote down about a customer: the pinned entries first, then the latest.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of entries.", Body: fault.Page[contact.Entry]{}, Lists: "entries"}},
	Errors:    []openapi.Error{missing("contact"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.People.Entries(c.ctx, c.actor, c.id(), c.query.number("limit"), c.query.text("cursor")))
},
}

var createEntry = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts/{id}/entries", ID: "createContactEntry", Tag: "Contacts",
	Summary: "Write an entry",
	Text: "Writes something down about a customer. Texts never change: to correct one, write another entry that names it in " +
		"`corrects`. Nobody is told.",
	Body:        contact.EntryInput{},
	BodyType:    openapi.Type{Name: "ContactEntryRequest", Fields: &contact.EntryInputFields},
	BodyExample: map[string]any{"kind": "formula", "text": "6/0 + 6 % 30 min"},
	Successes:   []openapi.Success{{Status: 201, Text: "The new entry.", Body: contact.Entry{}}},
	Errors: []openapi.Error{missing("contact"), lacks("contacts"),
		{Code: fault.Conflict, Text: "`details.reason` is `corrected`: another entry stands in the place of the one that " +
			"`corrects` names; or `too_many_entries`."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in contact.EntryInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	answer, err := encoded(d.People.AddEntry(c.ctx, c.actor, c.id(), in))
	answer.Status = http.StatusCreated
	return answer, err
},
}

// entryPatch says what to change about an entry.
type entryPatch struct {
	Pinned *bool `json:"pinned"`
}

var entryPatchFields = field.Resource{
	Text:   "What to change about an entry: its text never changes.",
	Fields: []field.Field{{Name: "pinned", Text: "Whether it stands before the others.", Required: true, Example: true}},
}

var pinEntry = route{Route: openapi.Route{
	Method: http.MethodPatch, Path: "/v1/contacts/{id}/entries/{entry}", ID: "pinContactEntry", Tag: "Contacts",
	Summary:     "Pin an entry, or unpin it",
	Text:        "Puts an entry before the others, or back among them.",
	Body:        entryPatch{},
	BodyType:    openapi.Type{Name: "ContactEntryPatchRequest", Fields: &entryPatchFields},
	BodyExample: map[string]any{"pinned": true},
	Successes:   []openapi.Success{{Status: 200, Text: "The entry as it is now.", Body: contact.Entry{}}},
	Errors:      []openapi.Error{missing("contact or entry"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in entryPatch
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Pinned == nil {
		return app.Response{}, fault.Invalid("pinned", "is required")
	}
	return encoded(d.People.PinEntry(c.ctx, c.actor, c.id(), c.part("entry"), *in.Pinned))
},
}

var deleteEntry = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/contacts/{id}/entries/{entry}", ID: "deleteContactEntry", Tag: "Contacts",
	Summary:   "Delete an entry",
	Text:      "Deletes an entry with those that it corrects. The audit log keeps that it was deleted, not what it said.",
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors:    []openapi.Error{missing("contact or entry"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return gone, d.People.DeleteEntry(c.ctx, c.actor, c.id(), c.part("entry"))
},
}
