package contact

import (
	"daybook/app/booking"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/when"
)

type (
	// EntryID is the id of an Entry.
	EntryID = id.ID[EntryIDKind]
	// EntryIDKind gives the ids of entries their prefix.
	EntryIDKind struct{ id.Many }
)

// Prefix implements id.Kind.
func (EntryIDKind) Prefix() string { return "en_" }

// EntryKind says what an Entry is. The words are stored, so none may be renamed.
type EntryKind string

// The kinds of entries.
const (
	NoteEntry    EntryKind = "note"
	FormulaEntry EntryKind = "formula" // what was mixed: "6/0 + 6 % 30 min"
)

const (
	// MaxEntryText is the most characters of an entry.
	MaxEntryText = 4000
	// MaxEntries is the most entries of a contact.
	MaxEntries = 2000
)

// Entry is something that the team wrote down about a customer. Its text never changes: who corrects it writes another
// one that names it, and it stays readable behind that.
type Entry struct {
	ID        EntryID           `json:"id"`
	Kind      EntryKind         `json:"kind"`
	Text      string            `json:"text"`
	Booking   booking.BookingID `json:"booking,omitzero"`  // the visit that it tells of
	Corrects  EntryID           `json:"corrects,omitzero"` // the entry in whose place it stands
	Corrected bool              `json:"corrected"`         // another one stands in its place
	Pinned    bool              `json:"pinned"`
	Author    Author            `json:"author"`
	CreatedAt when.Instant      `json:"createdAt"`
}

// Author is who wrote an entry or took a photograph: as the history of bookings has it, with a name as it is now.
type Author struct {
	Actor booking.ActorKind `json:"actor"`
	By    string            `json:"by"`   // id of the key or user; "" for none
	Name  string            `json:"name"` // of the person, else their address, or that of the key; "" once they are gone
}

// EntryInput is an entry to be written.
type EntryInput struct {
	Kind     EntryKind `json:"kind"`
	Text     string    `json:"text"`
	Booking  string    `json:"booking"`
	Corrects string    `json:"corrects"`
	Pinned   bool      `json:"pinned"`
}

// EntryFields describes entries.
var EntryFields = field.Resource{
	Text: "Something that the team wrote down about a customer. Its text never changes: a correction is another entry.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the entry.", Example: "en_1p4s8ywa0g0q1"},
		{Name: "kind", Text: "Whether it is a note, or a formula: what was mixed.", Enum: field.Values(NoteEntry, FormulaEntry)},
		{Name: "text", Text: "What was written.", Lines: true},
		{Name: "booking", Text: "Id of the booking that it tells of; left out where it tells of none."},
		{Name: "corrects", Text: "Id of the entry in whose place it stands; left out where it corrects none."},
		{Name: "corrected", Text: "Whether another entry stands in its place."},
		{Name: "pinned", Text: "Whether it stands before the others."},
		{Name: "author", Text: "Who wrote it."},
		{Name: "createdAt", Text: "When it was written."},
	},
}

// AuthorFields describes the authors of entries and files.
var AuthorFields = field.Resource{
	Text: "Who wrote an entry, or uploaded a file.",
	Fields: []field.Field{
		{Name: "actor", Text: "The kind of who did it, as in the history of bookings.", Enum: field.Values(booking.ActorKinds...)},
		{Name: "by", Text: "Id of the key or member, or empty.", Example: "us_1p4s8ywa0g0a1"},
		{Name: "name", Text: "The name as it is now: of the person, else the address of the member, or the name of the key. " +
			"Empty once they are gone.", Example: "Ana Keller"},
	},
}

// EntryInputFields describes the fields of EntryInput.
var EntryInputFields = field.Resource{
	Text: "An entry to be written.",
	Fields: []field.Field{
		{Name: "kind", Text: "Whether it is a note, which it is if nothing is said, or a formula: what was mixed. A correction has " +
			"that of the entry that it corrects.", Enum: field.Values(NoteEntry, FormulaEntry)},
		{Name: "text", Text: "What to write.", Least: 1, Most: MaxEntryText, Lines: true, Required: true,
			Example: "6/0 + 6 % 30 min"},
		{Name: "booking", Text: "Id of the booking that it tells of, one of this contact."},
		{Name: "corrects", Text: "Id of the entry in whose place it stands from now on; that one stays readable behind it."},
		{Name: "pinned", Text: "Whether it stands before the others. A correction is pinned if the corrected one was."},
	},
}
