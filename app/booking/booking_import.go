package booking

import (
	"bytes"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/when"
)

// ImportedRef says which appointment of another program a booking was.
type ImportedRef struct {
	From string `json:"from"`         // the program, or "file"
	ID   string `json:"id,omitempty"` // that it had there; "" where the file has none
}

// ImportedRefFields describes ImportedRef.
var ImportedRefFields = field.Resource{
	Text: "Which appointment of another program the booking was.",
	Fields: []field.Field{
		{Name: "from", Text: "The program, or `file`.", Agents: "The program, or file.", Example: "acuity"},
		{Name: "id", Text: "Id that it had there; left out where there was none.", Agents: "Id that it had there.",
			Example: "1204417745"},
	},
}

// ImportMarks say what was chosen of an imported booking. The numbers are stored.
type ImportMarks int

const (
	ImportSettled  ImportMarks = 1 << iota // it was over when it was imported: nothing is due
	ImportReminds                          // its reminders are sent
	ImportCalendar                         // it is written to connected calendars
)

// Has reports whether all of those are set.
func (m ImportMarks) Has(all ImportMarks) bool { return m&all == all }

// ImportInput is an appointment that another program has kept.
type ImportInput struct {
	EventType    catalog.EventTypeID
	Host         catalog.HostID
	Start, End   when.Instant
	Invitee      Invitee
	Contact      ContactID
	Price        *money.Money
	Notes        string
	InternalNote string
	Answers      map[string]any // to the questions of its event type
	NoShow       bool           // of one that is over
	Pending      bool           // of one that is to come: it waits for approval, until its start
	CreatedAt    when.Instant   // 0: not known
	Imported     ImportedRef
	Marks        ImportMarks // without ImportSettled
	Tell         bool        // its event goes to endpoints
}

// MarkImported returns the body of an event with a member that says that it tells of an imported booking.
func MarkImported(body []byte) []byte {
	return bytes.Replace(body, []byte(`,"data":`), []byte(`,"imported":true,"data":`), 1)
}
