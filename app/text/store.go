package text

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/when"
	"daybook/app/work"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	ConsentReads
	InboundReads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	mail.Reads
	mail.Writes
	Reads
	Writes
	ConsentReads
	ConsentWrites
	InboundReads
	InboundWrites
}

// Reads finds texts, and the senders that they go through.
type Reads interface {
	// Text returns a text of any workspace. Errors: ErrNotFound.
	Text(id TextID) (Text, error)
	// Texts lists texts, the newest first, beginning after f.After.
	Texts(ws catalog.WorkspaceID, f Filter) ([]Text, error)
	// DueTexts lists the workspaces in those buckets that have due texts.
	DueTexts(of work.Buckets, now when.Instant) ([]catalog.WorkspaceID, error)
	// TextsOfKind counts the texts of a kind, beginning with an id.
	TextsOfKind(ws catalog.WorkspaceID, k catalog.TextKind, from TextID) (int, error)
	// VisitorTexts counts the texts to a number that visitors caused and that were begun since then.
	VisitorTexts(ws catalog.WorkspaceID, phone string, since when.Instant) (int, error)
	// LaterTexts lists the texts of the same booking that are newer than this one, tell how the booking stands, and wait or
	// were sent, the oldest first.
	LaterTexts(t *Text) ([]Text, error)
	// Reach returns by what a contact can be told: at that number, or where it is empty at the contact's own. For no contact
	// it tells what is known of the number. The Country is left out.
	Reach(ws catalog.WorkspaceID, c booking.ContactID, phone string) (Reach, error)
	// VisitsLike counts the changes of visitors since then that came from where the latest one of that booking, visit or series
	// did.
	VisitsLike(ws catalog.WorkspaceID, of int64, since when.Instant) (int, error)
	// VisitsFrom counts the same of that source.
	VisitsFrom(ws catalog.WorkspaceID, source []byte, since when.Instant) (int, error)
	// TextSender returns the workspace's sender, sealed. Errors: ErrNotFound.
	TextSender(ws catalog.WorkspaceID) (string, error)
	// ListedTextSender returns what a set-up file says of the workspace's sender; nil where none does.
	ListedTextSender(ws catalog.WorkspaceID) (*ListedSender, error)
	// TextMonth returns what was sent in a calendar month.
	TextMonth(ws catalog.WorkspaceID, month string) (Month, error)
	// TextByLink returns the text whose link has that hash. Errors: ErrNotFound.
	TextByLink(hash []byte, now when.Instant) (Text, error)
	// Calls lists who is to be called, the oldest first.
	Calls(ws catalog.WorkspaceID, limit int) ([]Call, error)
}

// Month is what was sent in a calendar month.
type Month struct {
	Segments int
	Visitors int // of these, those that visitors caused
	Told     int // 80 or 100: the per cent of which the owners were told
}

// Writes writes texts and the results of sending them.
type Writes interface {
	InsertTexts(all ...Text) error
	// DropTextReminders drops the booking's waiting reminders that are not under way.
	DropTextReminders(b booking.BookingID, why string, now when.Instant) error
	// DropTexts drops texts that wait, also those that are claimed, unless the sender may have them.
	DropTexts(all []TextID, why string, now when.Instant) error
	// ClaimTexts takes at most limit due texts of a workspace until lease: nobody else gets them before.
	ClaimTexts(by work.Share, ws catalog.WorkspaceID, now, lease when.Instant, limit int) ([]Text, error)
	// TextHeld reports whether the claim of the text stands.
	TextHeld(t *Text) (bool, error)
	// BeginText notes that the sender may have the text from now on, with how many segments it counts.
	BeginText(t *Text, segments int, now when.Instant) error
	// CountSegments adds segments to a month, and reports false, adding none, where they would be more than most together,
	// or more than mostVisitors that visitors caused.
	CountSegments(ws catalog.WorkspaceID, month string, n int, visitor bool, most, mostVisitors int) (bool, error)
	SetTextMonthTold(ws catalog.WorkspaceID, month string, percent int) error
	// ReturnSegments takes the segments of a text out of the month in which it was begun.
	ReturnSegments(t *Text, month string) error
	// SettleText saves the outcome of a claim; it reports false when the claim was lost to another.
	SettleText(o *Outcome, now when.Instant) (bool, error)
	// ReportText saves what the sender reports of a text that it has: Delivered or Failed. It returns the text as it is then,
	// and false where that changed nothing. Errors: ErrNotFound.
	ReportText(ws catalog.WorkspaceID, id TextID, senderID string, state State, why string, now when.Instant) (Text, bool, error)
	// RequeueText makes a text due, as a message of its own; false: it is being sent, or was sent since t was read.
	RequeueText(t *Text, now, until when.Instant) (bool, error)
	// ExpireTexts gives up at most limit due texts whose time is over, and returns them as they are then: Failed, or Perhaps
	// where the sender may have them.
	ExpireTexts(now when.Instant, why string, limit int) ([]Text, error)
	// PruneTexts deletes at most limit settled texts and calls older than before, with links that are over and visits of over an
	// hour ago, and says how many.
	PruneTexts(before TextID, now when.Instant, limit int) (int, error)
	// NoteVisit notes from where a visitor has changed a booking, or a visit or series as a whole, as a hash. What is noted of one
	// at the same time is one change.
	NoteVisit(ws catalog.WorkspaceID, of int64, source []byte, at when.Instant) error
	// SetTextSender saves the workspace's sender, sealed, and what a set-up file says of it, if one does; "" deletes it.
	SetTextSender(ws catalog.WorkspaceID, sealed string, listed *ListedSender, at when.Instant) error
	// ResealTextSender saves the same sender, sealed anew.
	ResealTextSender(ws catalog.WorkspaceID, sealed string) error
	SaveTextLink(ws catalog.WorkspaceID, hash []byte, t TextID, until when.Instant) error
	InsertCall(c *Call) error
	// CallDone notes that somebody was called, and reports whether that was still to be done.
	CallDone(ws catalog.WorkspaceID, id CallID, by string, now when.Instant) (bool, error)
}
