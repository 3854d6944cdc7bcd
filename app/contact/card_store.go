package contact

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// CardReads find what stands on the cards of contacts.
type CardReads interface {
	booking.CardReader
	// TaggedContacts is booking.ContactReader.Contacts for those who have all of the tags, as FoldTag returns them, and were
	// missing so often.
	TaggedContacts(ws catalog.WorkspaceID, q string, tags []string, missed Missing, after booking.ContactID,
		limit int) ([]booking.Contact, error)
	// TagCounts lists the tags of most contacts first.
	TagCounts(ws catalog.WorkspaceID, limit int) ([]TagCount, error)
	// Spent sums up what was received for the bookings of a contact, less what was given back, by currency.
	Spent(ws catalog.WorkspaceID, c booking.ContactID) ([]money.Money, error)

	// Entries lists those of a contact after a position, in the order of Service.Entries. Their authors have no names.
	Entries(ws catalog.WorkspaceID, c booking.ContactID, after EntryPosition, limit int) ([]Entry, error)
	Entry(ws catalog.WorkspaceID, c booking.ContactID, id EntryID) (Entry, error)
	// LastFormula returns the latest formula that wasn't corrected. Errors: ErrNotFound.
	LastFormula(ws catalog.WorkspaceID, c booking.ContactID) (Entry, error)
	EntriesTotal(ws catalog.WorkspaceID, c booking.ContactID) (int, error)

	// Files lists the complete files of a contact, the latest first, from before that id; 0 begins with the latest.
	Files(ws catalog.WorkspaceID, c booking.ContactID, before FileID, limit int) ([]File, error)
	File(ws catalog.WorkspaceID, c booking.ContactID, id FileID) (File, error) // a complete one
	// FileData returns the bytes of a file, so many as room says. It is empty if the file was deleted.
	FileData(ws catalog.WorkspaceID, id FileID, room int) ([]byte, error)
	// SmallFileData returns the picture made small. It is empty if the file was deleted, or has none.
	SmallFileData(ws catalog.WorkspaceID, id FileID) ([]byte, error)
	// FilesTotal counts the files of a contact, and the bytes of all files of the workspace: incomplete ones, too.
	FilesTotal(ws catalog.WorkspaceID, c booking.ContactID) (count, bytes int, err error)

	// IncompleteFiles lists files of all workspaces that are not complete, with ids below that one.
	IncompleteFiles(before FileID, limit int) ([]IncompleteFile, error)

	// WrittenBy lists what a contact wrote in the workspace's own fields when they booked, the latest booking first.
	WrittenBy(ws catalog.WorkspaceID, c booking.ContactID, limit int) ([]Written, error)
	// RemovedFields lists fields of all workspaces that were removed, the first of them first.
	RemovedFields(limit int) ([]RemovedField, error)

	// AuthorNames returns the names of users and keys, by the ids that Author.By has.
	AuthorNames(ws catalog.WorkspaceID, by []string) (map[string]string, error)
}

// CardWrites save what stands on the cards of contacts.
type CardWrites interface {
	booking.TextsWriter
	// SaveCard saves the tags, the birthday and the way to tell a contact, those of them that aren't nil; the workspace's own
	// fields are saved one by one, see booking.FieldWriter.
	SaveCard(c *booking.Contact) error
	// DropValues deletes at most limit values of a removed field, and returns how many.
	DropValues(f RemovedField, limit int) (int, error)
	ForgetRemoved(f RemovedField) error
	// TouchContact notes that something was written on the card of a contact: it is not an old one.
	TouchContact(ws catalog.WorkspaceID, c booking.ContactID, at when.Instant) error

	InsertEntry(ws catalog.WorkspaceID, c booking.ContactID, e *Entry) error
	PinEntry(ws catalog.WorkspaceID, id EntryID, pinned bool) error
	// CorrectedEntry notes that another entry stands in the place of one.
	CorrectedEntry(ws catalog.WorkspaceID, id EntryID) error
	// DeleteEntry deletes an entry; one that corrects it corrects none then.
	DeleteEntry(ws catalog.WorkspaceID, id EntryID) error

	// InsertFile saves an incomplete file, of which so many bytes are those of a small picture.
	InsertFile(ws catalog.WorkspaceID, c booking.ContactID, f *File, small int) error
	// InsertFilePart adds a part, unless the file was deleted; 0 is the small picture.
	InsertFilePart(ws catalog.WorkspaceID, id FileID, part int, data []byte) error
	CompleteFile(ws catalog.WorkspaceID, id FileID) error // ErrNotFound: it is gone
	DeleteFile(ws catalog.WorkspaceID, id FileID) error
	// DropIncompleteFile deletes a file unless it is complete by now.
	DropIncompleteFile(of IncompleteFile) error

	// MoveCard gives the entries and files of a contact to another one.
	MoveCard(ws catalog.WorkspaceID, from, to booking.ContactID) error
	// MergeTexts gives what is noted of a contact and texts to another one, whose contact's number stands. Of one number the
	// stricter counts, see booking.TextsState.Stricter; shared is the number that both contacts have, or "".
	MergeTexts(ws catalog.WorkspaceID, from, to booking.ContactID, shared string) error
}

// EntryPosition is a place in the list of the entries of a contact: behind that entry. The zero value is before all.
type EntryPosition struct {
	Pinned bool
	ID     EntryID
}

// IncompleteFile is one whose upload isn't over, or never will be.
type IncompleteFile struct {
	Workspace catalog.WorkspaceID
	ID        FileID
}
