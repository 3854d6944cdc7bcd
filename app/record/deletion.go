package record

import (
	"daybook/app/catalog"
	"daybook/app/when"
)

// DeletionWriter deletes contacts and workspaces. Large ones are deleted in steps.
type DeletionWriter interface {
	// Anonymise empties the contact. SweepErasure removes it from other rows; its bookings stay, for the figures.
	Anonymise(c *Contact) error
	// SweepErasure removes an anonymised contact from at most limit rows, and reports whether there was one.
	SweepErasure(limit int) (more bool, err error)
	// MarkWorkspaceGone hides a workspace: its slug, keys, users and links no longer find it, and its slug and its users'
	// e-mails are free again. SweepWorkspace deletes its rows.
	MarkWorkspaceGone(id catalog.WorkspaceID, now when.Instant) error
	// SweepWorkspace deletes about limit rows of a workspace that is gone, and reports whether there was one.
	SweepWorkspace(limit int) (more bool, err error)
}
