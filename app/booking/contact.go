package booking

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// ErasedEmail replaces the invitee's address in the bookings of a deleted contact. It is no valid address.
const ErasedEmail = "deleted@invalid"

// Erased reports whether the invitee's contact was deleted, so that nobody can be told or charged.
func (i *Invitee) Erased() bool { return i.Email == ErasedEmail }

// MaxContactNotes is the most characters of the notes on a contact.
const MaxContactNotes = 5000

// ContactRef names the contact of a booking.
type ContactRef struct {
	ID ContactID `json:"id"`
}

// Contact is a person in the workspace's list. The e-mail, compared without case, is the key; without one it is the
// phone. A deleted contact has neither.
type Contact struct {
	ID            ContactID           `json:"id"`
	WorkspaceID   catalog.WorkspaceID `json:"-"`
	Name          string              `json:"name"`
	Email         string              `json:"email"`
	Phone         string              `json:"phone"`
	TimeZone      string              `json:"timeZone"`
	Notes         string              `json:"notes"`
	Bookings      int                 `json:"bookings"`      // all that were ever made
	NoShows       int                 `json:"noShows"`       // how many of them were no-shows
	LastBookingAt when.Instant        `json:"lastBookingAt"` // start of the latest one
	CreatedAt     when.Instant        `json:"createdAt"`

	// The fields below are filled in by ContactCounter.CountBookingsOf.
	PastVisits       int          `json:"pastVisits"`
	LastVisitAt      when.Instant `json:"lastVisitAt"`
	UpcomingBookings int          `json:"upcomingBookings"`
	NextBookingAt    when.Instant `json:"nextBookingAt"`

	// Those below are filled in for those who may see the contact's card, and otherwise left out.
	Tags     []string `json:"tags,omitzero"`      // as they were written, by name
	Birthday *string  `json:"birthday,omitempty"` // 1990-05-03, or --05-03 without a year; "" is unknown
	TellBy   *string  `json:"tellBy,omitempty"`   // email, text, both, call, or "" where they didn't say
	// Fields are the values of the workspace's own fields, by their keys.
	Fields map[string]string `json:"fields,omitzero"`
	Texts  *Texts            `json:"texts,omitempty"` // whether they want texts at Phone

	ChangedAt when.Instant `json:"-"` // the last time; 0 is never
}

// Gone reports whether the contact was deleted. Its row is kept for its bookings, which still count in figures.
func (c *Contact) Gone() bool { return c.Email == "" && c.Phone == "" }

// ContactFields describes contacts.
var ContactFields = field.Resource{
	Text: "A person in the workspace's list. The e-mail address, compared without case, is the key; of a person " +
		"without one it is the telephone number.",
	Agents: "A contact: a person in the workspace's list.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the contact.", Agents: "Id, ct_…."},
		{Name: "name", Text: "Name of the person.", Agents: "Name."},
		{Name: "email", Text: "E-mail address, the key, or empty.",
			Agents: "E-mail address, which tells contacts apart; may be empty where there is a phone.", Format: "email",
			Blank: true},
		{Name: "phone", Text: "Telephone number, in E.164 where it could be read, or empty.",
			Agents: "Telephone number; may be empty where there is an e-mail address."},
		{Name: "timeZone", Text: "IANA time zone, or empty.", Agents: "IANA time zone; may be empty."},
		{Name: "notes", Text: "The business's own notes.", Agents: "The business's own notes; may be empty."},
		{Name: "bookings", Text: "How many bookings the person ever made.", Counts: true,
			Agents: "How many bookings were ever made: those to come and cancelled ones included."},
		{Name: "noShows", Text: "To how many of them the person did not come.", Counts: true,
			Agents: "How many of them they missed."},
		{Name: "lastBookingAt", Text: "Start of the latest one.", Null: true,
			Agents: "Start of the latest booking, UTC; it may lie ahead. null when there is none."},
		{Name: "pastVisits", Text: "How many bookings took place and are over: neither cancelled ones nor no-shows.",
			Counts: true, Agents: "How often they were here: bookings that are over, neither cancelled nor missed."},
		{Name: "lastVisitAt", Text: "Start of the latest of those.", Null: true,
			Agents: "Start of the latest of those, UTC. null when they were never here."},
		{Name: "upcomingBookings", Text: "How many bookings that are not over are to take place, pending ones included.",
			Counts: true, Agents: "How many bookings they have ahead, pending ones included."},
		{Name: "nextBookingAt", Text: "Start of the earliest of those.", Null: true,
			Agents: "Start of the earliest of those, UTC. null when nothing is booked ahead."},
		{Name: "createdAt", Text: "When the contact was created.", Agents: "When it was created, UTC."},
		{Name: "tags", Text: "Tags of the business, by name. Left out, as those below, where the caller may not see the card.",
			Agents: "Tags of the business."},
		{Name: "birthday", Text: "Birthday, `1990-05-03`, or `--05-03` without a year, or empty.", Agents: "1990-05-03, --05-03 or empty.",
			Example: "--05-03"},
		{Name: "tellBy", Text: "How the person likes to be told: `email`, `text`, `both`, `call`, or empty.", Agents: "email, text, both, call or empty: how they like to be told."},
		{Name: "fields", Text: "The values of the workspace's own fields, by their keys, as texts: a number such as `39.5`, a date such as " +
			"`2026-05-03`. A field without a value is left out.", NotForAgents: true, Example: map[string]string{"shoe-size": "39"}},
		{Name: "texts", Of: &TextsFields, Text: "Whether they agreed to get texts at `phone`.", NotForAgents: true},
	},
}

// ContactInput describes a new contact.
type ContactInput struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	TimeZone string `json:"timeZone"`
	Notes    string `json:"notes"`

	// Only for those who may see the contact's card; nil stays as it is.
	Tags     []string `json:"tags,omitzero"`
	Birthday *string  `json:"birthday,omitzero"`
	TellBy   *string  `json:"tellBy,omitzero"`
	// Texts is what they said about texts; only for a contact with a number.
	Texts *TextsInput `json:"texts,omitzero"`
	// Fields are the own fields of the workspace that change: a text or a number, null or "" to remove the value.
	Fields map[string]any `json:"fields,omitzero"`
}

// ContactInputFields describes the fields of ContactInput.
var ContactInputFields = field.Resource{
	Text: "A contact to be made.",
	Fields: []field.Field{
		{Name: "name", Text: "Name of the person; required for a new contact.", Least: 1, Most: fault.MaxName,
			Agents: "Full name; required for a new contact.", Example: "Bo Berg"},
		{Name: "email", Text: "E-mail address, the key. It may be left out where there is a phone.", Most: fault.MaxEmail,
			Agents: "E-mail address, or empty; it tells contacts apart, in whatever case.", Format: "email", Blank: true,
			Example: "bo@example.com"},
		{Name: "phone", Text: "Telephone number, international or as it is dialled within the workspace's country; " +
			"required without an e-mail address, and then the key.", Most: fault.MaxPhone, Example: "+49 30 901820",
			Agents: "Telephone number; required without an e-mail address, and then it tells contacts apart."},
		{Name: "timeZone", Text: "IANA time zone.", Least: 1, Most: catalog.MaxZone, Example: "Europe/Berlin",
			ExampleForAgents: true},
		{Name: "notes", Text: "The business's own notes.", Agents: "Notes of the business.", Most: MaxContactNotes},
		{Name: "tags", Text: "Tags, at most 20 of 40 characters, in place of those that it has. They are compared without case and " +
			"accents. Only for those who may see the card, as those below.", NotForAgents: true, Example: []string{"vip", "colour"}},
		{Name: "birthday", Text: "Birthday, `1990-05-03`, or `--05-03` without a year.", NotForAgents: true, Most: 10,
			Example: "--05-03"},
		{Name: "tellBy", Text: "How the person likes to be told: `email`, `text`, `both`, `call`, or empty.", NotForAgents: true,
			Most: 10, Example: "text"},
		{Name: "texts", Of: &TextsInputFields, NotForAgents: true, Text: "What the person said about texts at `phone`, spoken to the " +
			"business. Whether they ticked it themselves, or stopped texts, is noted without it, and `stopped` can't be changed."},
		{Name: "fields", Text: "Values of the workspace's own fields, by their keys: a text, or a number; null or an empty text removes " +
			"the value. Fields that aren't named stay.", NotForAgents: true, Entries: catalog.MaxContactFields,
			Example: map[string]any{"shoe-size": "39"}},
	},
}

// Check normalises the input. Errors: bad_request. nameFrom is the least number of characters of the name. Telephone
// numbers without a country code are of country.
func (in *ContactInput) Check(nameFrom int, country string) error {
	var p fault.Problems
	var err error
	in.Name, err = fault.CheckLine("name", in.Name, nameFrom, fault.MaxName)
	p.Add(err)
	p.Add(checkIdentity("", &in.Email, &in.Phone, country))
	if in.TimeZone != "" {
		_, err = catalog.CheckZone("timeZone", in.TimeZone)
		p.Add(err)
	}
	in.Notes, err = fault.CheckText("notes", in.Notes, MaxContactNotes)
	p.Add(err)
	return p.Err()
}

// Unlike returns the names of the fields in which the input differs from the contact.
func (in ContactInput) Unlike(c *Contact, country string) (names []string) {
	in.Check(0, country) //nolint:errcheck // it brings the texts into the form in which contacts have them
	for _, f := range []struct{ name, given, has string }{{"name", in.Name, c.Name}, {"email", in.Email, c.Email},
		{"phone", in.Phone, c.Phone}, {"timeZone", in.TimeZone, c.TimeZone}, {"notes", in.Notes, c.Notes}} {
		if f.given != "" && !strings.EqualFold(f.given, f.has) {
			names = append(names, f.name)
		}
	}
	if in.Tags != nil && c.Tags != nil && !slices.Equal(in.Tags, c.Tags) {
		names = append(names, "tags")
	}
	for _, f := range []struct {
		name       string
		given, has *string
	}{{"birthday", in.Birthday, c.Birthday}, {"tellBy", in.TellBy, c.TellBy}} {
		if f.given != nil && f.has != nil && *f.given != *f.has {
			names = append(names, f.name)
		}
	}
	if in.Texts != nil && c.Texts != nil && in.Texts.State != c.Texts.State {
		names = append(names, "texts")
	}
	if c.Fields != nil {
		for _, key := range slices.Sorted(maps.Keys(in.Fields)) {
			if given, err := catalog.FieldText("", in.Fields[key]); err == nil && given != c.Fields[key] {
				names = append(names, "fields."+key)
			}
		}
	}
	return names
}

// TakeOver copies from gone what c lacks, and adds its notes: left are those for which there is no room. Errors:
// bad_request (both are the same).
func (c *Contact) TakeOver(gone *Contact) (left string, err error) {
	if gone.ID == c.ID {
		return "", fault.Invalid("into", "choose another contact")
	}
	if c.Email == "" {
		c.Email = gone.Email
	}
	if c.Phone == "" {
		c.Phone = gone.Phone
	}
	if c.TimeZone == "" {
		c.TimeZone = gone.TimeZone
	}
	together := strings.TrimSpace(c.Notes + "\n\n" + gone.Notes)
	if utf8.RuneCountInString(together) > MaxContactNotes {
		return gone.Notes, nil
	}
	c.Notes = together
	return "", nil
}
