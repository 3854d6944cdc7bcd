package text

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/when"
)

// State is the state of a text.
type State string

// The states of texts.
const (
	Waiting   State = "waiting"   // to be sent, or sent again, when it is due
	Sent      State = "sent"      // the sender has taken it
	Delivered State = "delivered" // and reports that it has arrived
	Perhaps   State = "perhaps"   // the sender may have taken it: nobody knows
	Failed    State = "failed"    // given up, or reported as lost
	Dropped   State = "dropped"   // not sent: it was no longer true, or may not be sent
)

// States lists all states, in the order of their stored codes.
var States = []State{Waiting, Sent, Delivered, Perhaps, Failed, Dropped}

// Text is one text to one telephone, as the log shows it. It is written from its facts when it is sent.
type Text struct {
	ID          TextID              `json:"id"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	BookingID   booking.BookingID   `json:"bookingId,omitzero"`
	ContactID   booking.ContactID   `json:"contactId,omitzero"`
	Kind        catalog.TextKind    `json:"kind"`
	To          string              `json:"to"` // in E.164
	State       State               `json:"state"`
	Attempts    int                 `json:"attempts"`
	Segments    int                 `json:"segments"`  // that count for the month
	Answer      string              `json:"answer"`    // what became of the last attempt
	DueAt       when.Instant        `json:"dueAt"`     // while it waits
	SettledAt   when.Instant        `json:"settledAt"` // when it was sent, given up or dropped
	CreatedAt   when.Instant        `json:"createdAt"`

	Facts    Facts        `json:"-"`
	Visitor  bool         `json:"-"` // somebody without sign-in or secret key caused it
	Until    when.Instant `json:"-"` // when it is given up
	Begun    when.Instant `json:"-"` // since when the sender may have it; 0: it has not
	Tries    int          `json:"-"` // since it was last asked for
	Resends  int          `json:"-"`
	Lease    when.Instant `json:"-"` // of a claim
	SenderID string       `json:"-"` // the sender's own id of it
}

// Facts holds what was true when the text was queued.
type Facts struct {
	// Mail is the kind of the mail that says the same, and Told what that would hold; "" where there is none.
	Mail catalog.MailKind `json:"mail,omitempty"`
	Told mail.Facts       `json:"told"`
	// Mailed says that that mail goes along. Email is to whom it goes if the text can't; "" where it goes along, or nobody can
	// be mailed.
	Mailed bool   `json:"mailed,omitempty"`
	Email  string `json:"email,omitempty"`
	// Own says that it answers what the person has just done: it is sent in quiet time, too.
	Own bool `json:"own,omitempty"`
	// Asks says that it asks whether the person is coming.
	Asks  bool   `json:"asks,omitempty"`
	Words string `json:"words,omitempty"` // of a reply, as a member wrote it
	// Locale is the person's language, of a text that is about no booking; "" is the workspace's.
	Locale string `json:"locale,omitempty"`
	// Proves is the text whose link goes on with the code that this one brings; 0 for others.
	Proves TextID `json:"proves,omitzero"`
}

// TextID identifies a text.
type TextID = id.ID[TextIDKind]

// TextIDKind gives ids of texts their prefix.
type TextIDKind struct{ id.Many }

// Prefix implements id.Kind.
func (TextIDKind) Prefix() string { return "tx_" }

// MessageID identifies a text that came in.
type MessageID = id.ID[MessageIDKind]

// MessageIDKind gives ids of texts that came in their prefix.
type MessageIDKind struct{ id.Many }

// Prefix implements id.Kind.
func (MessageIDKind) Prefix() string { return "tm_" }

// CallID identifies somebody who is to be called.
type CallID = id.ID[CallIDKind]

// CallIDKind gives ids of calls their prefix.
type CallIDKind struct{ id.Many }

// Prefix implements id.Kind.
func (CallIDKind) Prefix() string { return "tc_" }
