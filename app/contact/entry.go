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
	Booking   booking.BookingID `json:"booking"`   // the visit that it tells of; null
	Corrects  EntryID           `json:"corrects"`  // the entry in whose place it stands; null
	Corrected bool              `json:"corrected"` // another one stands in its place
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
var EntryFields = field.Resource{}

// EntryInputFields describes the fields of EntryInput.
var EntryInputFields = field.Resource{}
