package record

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// ErasedEmail takes the place of the invitee's address in the bookings of a contact that was deleted. Nobody has it.
const ErasedEmail = "deleted@invalid"

// MaxContactNotes is how many characters the notes on a contact may have.
const MaxContactNotes = 5000

// Contact is a person in the workspace's list; the e-mail, compared without case, is the key.
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
}

// ContactFields describes contacts.
var ContactFields = field.Resource{
	Text:   "A person in the workspace's list. The e-mail address, compared without case, is the key.",
	Agents: "A contact: a person in the workspace's list.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the contact.", Agents: "Id, ct_…."},
		{Name: "name", Text: "Name of the person.", Agents: "Name."},
		{Name: "email", Text: "E-mail address, the key.", Agents: "E-mail address, which tells contacts apart.",
			Format: "email"},
		{Name: "phone", Text: "Telephone number, or empty.", Agents: "Telephone number; may be empty."},
		{Name: "timeZone", Text: "IANA time zone, or empty.", Agents: "IANA time zone; may be empty."},
		{Name: "notes", Text: "The business's own notes.", Agents: "The business's own notes; may be empty."},
		{Name: "bookings", Text: "How many bookings the person ever made.", Counts: true,
			Agents: "How many bookings were ever made: those to come and cancelled ones included."},
		{Name: "noShows", Text: "To how many of them the person did not come.", Counts: true,
			Agents: "How many of them they missed."},
		{Name: "lastBookingAt", Text: "Start of the latest one.", Null: true,
			Agents: "Start of the latest booking, UTC; it may lie ahead. null when there is none."},
		{Name: "createdAt", Text: "When the contact was created.", Agents: "When it was created, UTC."},
	},
}

// ContactInput describes a new contact.
type ContactInput struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	TimeZone string `json:"timeZone"`
	Notes    string `json:"notes"`
}

// ContactInputFields describes what a contact is made of.
var ContactInputFields = field.Resource{
	Text: "A contact to be made.",
	Fields: []field.Field{
		{Name: "name", Text: "Name of the person; required for a new contact.", Least: 1, Most: fault.MaxName,
			Agents: "Full name; required for a new contact.", Example: "Bo Berg"},
		{Name: "email", Text: "E-mail address, the key.", Format: "email", Least: 3, Most: fault.MaxEmail,
			Agents: "E-mail address; it tells contacts apart, in whatever case.", Example: "bo@example.com", Required: true},
		{Name: "phone", Text: "Telephone number.", Most: fault.MaxPhone},
		{Name: "timeZone", Text: "IANA time zone.", Least: 1, Most: catalog.MaxZone, Example: "Europe/Berlin",
			ExampleForAgents: true},
		{Name: "notes", Text: "The business's own notes.", Agents: "Notes of the business.", Most: MaxContactNotes},
	},
}

// Check normalises the input and returns bad_request for what no contact may have. nameFrom is the least number of
// characters of the name.
func (in *ContactInput) Check(nameFrom int) error {
	var p fault.Problems
	var err error
	in.Name, err = fault.CheckLine("name", in.Name, nameFrom, fault.MaxName)
	p.Add(err)
	in.Email, err = fault.CheckEmail("email", in.Email)
	p.Add(err)
	in.Phone, err = fault.CheckPhone("phone", in.Phone)
	p.Add(err)
	if in.TimeZone != "" {
		_, err = catalog.CheckZone("timeZone", in.TimeZone)
		p.Add(err)
	}
	in.Notes, err = fault.CheckText("notes", in.Notes, MaxContactNotes)
	p.Add(err)
	return p.Err()
}

// TakeOver copies from gone what c lacks, and adds its notes.
func (c *Contact) TakeOver(gone *Contact) error {
	if gone.ID == c.ID {
		return fault.Invalid("into", "choose another contact")
	}
	if c.Phone == "" {
		c.Phone = gone.Phone
	}
	if c.TimeZone == "" {
		c.TimeZone = gone.TimeZone
	}
	c.Notes = strings.TrimSpace(c.Notes + "\n\n" + gone.Notes)
	if len([]rune(c.Notes)) > MaxContactNotes {
		return fault.Invalid("into", "together their notes are longer than %d characters; shorten one of them first",
			MaxContactNotes)
	}
	return nil
}
