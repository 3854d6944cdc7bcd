package invitation

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reads are the subject's own reads.
type Reads interface {
	// InvitationLinkByHash returns the invitation whose token has that hash, of the workspace, or for 0 of any. The
	// error is ErrNotFound.
	InvitationLinkByHash(ws catalog.WorkspaceID, hash []byte) (Invitation, error)
	// InvitationLink returns an invitation of the workspace. Errors: ErrNotFound.
	InvitationLink(ws catalog.WorkspaceID, id booking.InvitationID) (Invitation, error)
	// InvitationLinks returns the invitations that the filter selects, the newest first.
	InvitationLinks(ws catalog.WorkspaceID, f Filter) ([]Invitation, error)
	// CountInvitationLinks counts the links of the workspace from that id on, up to most; with mailed only those that
	// go to a recipient.
	CountInvitationLinks(ws catalog.WorkspaceID, from booking.InvitationID, mailed bool, most int) (int, error)
}

// Writes are the subject's own writes.
type Writes interface {
	InsertInvitationLink(l *Invitation, hash []byte) error
	// SetInvitationMail saves which mail a link is sent in.
	SetInvitationMail(ws catalog.WorkspaceID, id booking.InvitationID, mail int64) error
	// RevokeInvitationLink ends a link unless it was revoked before, and sets when it is deleted.
	RevokeInvitationLink(ws catalog.WorkspaceID, id booking.InvitationID, now, forget when.Instant) error
	// ClaimInvitationLink counts a use, unless the link is revoked, has been used as often as it may be, or expires at
	// or before open; it reports whether it counted one. A link that is used up is deleted at forget at the earliest.
	ClaimInvitationLink(ws catalog.WorkspaceID, id booking.InvitationID, open, forget when.Instant) (bool, error)
	// ReturnInvitationLink takes back one use. It is no error if the link was deleted.
	ReturnInvitationLink(ws catalog.WorkspaceID, id booking.InvitationID, kept when.Instant) error
	// PruneInvitationLinks deletes at most limit links that are to be deleted by now, and returns how many.
	PruneInvitationLinks(now when.Instant, limit int) (int, error)
}

// Filter says which invitations are listed. A field that is zero filters nothing.
type Filter struct {
	EventType   catalog.EventTypeID
	Host        catalog.HostID
	Before      booking.InvitationID // only older ones
	After       booking.InvitationID // only newer ones, and OldestFirst
	OldestFirst bool
	Limit       int
}

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}
