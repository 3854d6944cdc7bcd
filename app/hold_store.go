package app

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// HoldReader finds holds. now is the time at which a hold must not have expired.
type HoldReader interface {
	// Hold returns a live hold of the workspace. Errors: ErrNotFound.
	Hold(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) (Hold, error)
	// HoldsOfVisit returns the live holds of the visit that is held with that id, by start.
	HoldsOfVisit(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) ([]Hold, error)
	// CountHolds counts the live holds of the maker, or those of the person if maker is ""; those of a visit are one.
	CountHolds(ws catalog.WorkspaceID, maker, person string, now when.Instant) (int, error)
	// VisitorHolds returns the total time for which live holds of visitors that start in [from, to) occupy one of the
	// subjects, that which they occupy longest. Where only the holds of the visit do, it is none.
	VisitorHolds(subjects []catalog.Subject, visit booking.HoldID, from, to, now when.Instant) (time.Duration, error)
	// SameHold returns the live hold of that maker, person, event type and start, or of a visit that begins with it. Errors:
	// ErrNotFound.
	SameHold(ws catalog.WorkspaceID, maker, person string, e catalog.EventTypeID, start, now when.Instant) (Hold, error)
}

// HoldWriter saves holds.
type HoldWriter interface {
	// MarkHolds sets catalog.Workspace.HasHolds.
	MarkHolds(ws catalog.WorkspaceID) error
	InsertHold(h *Hold) error
	// EndHold deletes a hold and reports whether it was live.
	EndHold(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) (bool, error)
	// EndVisitHolds deletes the live holds of the visit that is held with that id.
	EndVisitHolds(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) error
	// PruneHolds deletes at most limit holds that have expired by now, and returns how many.
	PruneHolds(now when.Instant, limit int) (int, error)
	// EndLongHolds deletes the holds that would expire after that time; they were made before the clock was set back.
	EndLongHolds(after when.Instant) error
}
