package app

import (
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
)

// DeletionWriter deletes what somebody wanted gone. What is large goes in steps.
type DeletionWriter interface {
	// Anonymise empties the contact. What names it elsewhere goes with SweepErasure; its bookings stay as figures.
	Anonymise(c *record.Contact) error
	// SweepErasure takes a contact that was anonymised out of at most limit rows, and says whether there was one.
	SweepErasure(limit int) (more bool, err error)
	// MarkWorkspaceGone makes a workspace not found from now on, by its slug, its keys, its users or its links, and
	// its slug and its users' e-mails free. Its rows go with SweepWorkspace.
	MarkWorkspaceGone(id catalog.WorkspaceID, now when.Instant) error
	// SweepWorkspace deletes about limit rows of a workspace that is gone, and says whether there was one.
	SweepWorkspace(limit int) (more bool, err error)
}
