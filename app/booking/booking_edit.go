package booking

import (
	"maps"
	"strconv"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// ETag returns the version of the booking as the value of an HTTP header. Every change of the booking gives it another
// one.
func (b *Booking) ETag() string { return `"` + strconv.FormatInt(int64(b.UpdatedAt), 36) + `"` }

// EditInput says what to correct in a booking. Fields that are nil stay as they are.
type EditInput struct {
	EventType    *string            `json:"eventType"`
	Host         *string            `json:"host"`
	End          *string            `json:"end"`
	Notes        *string            `json:"notes"`
	InternalNote *string            `json:"internalNote"`
	Invitee      *EditInvitee       `json:"invitee"`
	Metadata     map[string]*string `json:"metadata"` // nil or "" removes the key
	AddOns       *[]string          `json:"addOns"`
	Seats        *int               `json:"seats"`
	Participants *[]string          `json:"participants"`
	Override     []string           `json:"override"` // rules to waive, see package waive
}

// EditInvitee says what to correct in the invitee of a booking.
type EditInvitee struct {
	Name  *string `json:"name"`
	Email *string `json:"email"` // of somebody who walked in
	Phone *string `json:"phone"` // likewise
}

// EditedEmail is the name of that field in the history.
const EditedEmail = "invitee.email"

// EditInputFields describes what can be corrected in a booking.
var EditInputFields = field.Resource{
	Text: "What to correct in a booking: a JSON merge patch. What is left out stays.",
	Fields: []field.Field{
		{Name: "eventType", Text: "Slug or id of another event type. It brings its length, unless `end` is given, its " +
			"buffers, location and price.", Example: "colour", Least: 1, Most: MaxRef},
		{Name: "host", Text: "Id of another host. Without it the booking keeps its host.", Most: MaxRef, Pattern: "^hs_"},
		{Name: "end", Text: "The new end, an ISO 8601 time with a zone, on the minute; the start stays.",
			Format: "date-time", Example: "2026-12-01T10:15:00Z"},
		{Name: "notes", Null: true, Text: "What the invitee wants to say; null or an empty text clears it.", Most: MaxNotes},
		{Name: "internalNote", Null: true, Most: MaxNotes, NotForAgents: true, // who can't read it would overwrite it
			Text: "What only the business reads; null or an empty text clears it."},
		{Name: "invitee", Text: "The name of the invitee, of this booking only: the contact keeps theirs. Of somebody who " +
			"walked in, also who it was."},
		{Name: "metadata", Text: "Your own texts by your own keys: those that are named are set, or removed with null.",
			Entries: MaxMetadata, Most: MaxMetadataValue},
		{Name: "addOns", Text: "Ids of all add-ons that it is to have: others than before bring the length and the " +
			"price of now.", Each: "Id of an add-on."},
		{Name: "seats", Text: "How many seats of its session it takes; each costs what it did.", Least: 1,
			Most: catalog.MaxSeats},
		{Name: "participants", Text: "Names of those who come, at most as many as seats.", Each: "A name."},
		OverrideField,
	},
}

// EditInviteeFields describes what can be corrected in the invitee.
var EditInviteeFields = field.Resource{
	Text: "What to correct in the invitee of a booking.",
	Fields: []field.Field{
		{Name: "name", Text: "Name of the invitee.", Least: 1, Most: fault.MaxName, Example: "Bo Berg"},
		{Name: "email", Text: "E-mail address of somebody who walked in. The booking gets the contact that a new booking " +
			"with it would get. An invitee who has an address or a number keeps both.", Format: "email", Least: 1,
			Most: fault.MaxEmail, Example: "bo@example.com"},
		{Name: "phone", Text: "Telephone number of somebody who walked in, like `email`.", Least: 1, Most: fault.MaxPhone,
			Example: "+49 30 901820"},
	},
}

// Check returns one bad_request for everything that is wrong in any booking, and the end, or 0 if none is given.
func (in *EditInput) Check() (end when.Instant, err error) {
	var p fault.Problems
	line := func(name string, text **string, least, most int) {
		if *text != nil {
			checked, err := fault.CheckLine(name, **text, least, most)
			p.Add(err)
			*text = &checked
		}
	}
	text := func(name string, text **string) {
		if *text != nil {
			checked, err := fault.CheckText(name, **text, MaxNotes)
			p.Add(err)
			*text = &checked
		}
	}
	line("eventType", &in.EventType, 1, MaxRef)
	line("host", &in.Host, 1, MaxRef)
	if in.End != nil {
		if end, err = when.ParseISO(*in.End); err != nil {
			p.Add(fault.Invalid("end", "%v", err))
		} else if end%when.Instant(time.Minute.Milliseconds()) != 0 {
			p.Add(fault.Invalid("end", "must be a whole minute"))
		}
	}
	text("notes", &in.Notes)
	text("internalNote", &in.InternalNote)
	if in.Invitee != nil {
		line("invitee.name", &in.Invitee.Name, 1, fault.MaxName)
		line(EditedEmail, &in.Invitee.Email, 1, fault.MaxEmail)
		line("invitee.phone", &in.Invitee.Phone, 1, fault.MaxPhone)
	}
	for key, value := range in.Metadata {
		switch {
		case !fault.KeyForm.MatchString(key):
			p.Add(fault.Invalid("metadata", "the key %q must have 1 to 40 letters, digits, - and _", key))
		case value != nil:
			checked, err := fault.CheckText("metadata."+key, *value, MaxMetadataValue)
			p.Add(err)
			in.Metadata[key] = &checked
		}
	}
	_, err = ParseOverride(in.Override)
	p.Add(err)
	return end, p.Err()
}

// MergedMetadata returns old with the changes of the input; old itself is not changed.
func (in *EditInput) MergedMetadata(old map[string]string) map[string]string {
	merged := maps.Clone(old)
	if merged == nil {
		merged = map[string]string{}
	}
	for key, value := range in.Metadata {
		if value == nil || *value == "" {
			delete(merged, key)
		} else {
			merged[key] = *value
		}
	}
	return merged
}

// SameMetadata reports whether both have the same entries.
func SameMetadata(a, b map[string]string) bool { return maps.Equal(a, b) }
