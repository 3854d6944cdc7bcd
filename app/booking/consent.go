package booking

import (
	"daybook/app/catalog"
	"daybook/app/id"
)

type (
	// ConsentID is the id of what a contact has consented to.
	ConsentID = id.ID[ConsentIDKind]
	// ConsentIDKind gives the ids of consents their prefix.
	ConsentIDKind struct{ id.Many }
)

// Prefix implements id.Kind.
func (ConsentIDKind) Prefix() string { return "cs_" }

// Given is a consent as far as bookings ask for it: days on the clock of the business, such as 2026-12-24.
type Given struct {
	ID   ConsentID
	Date string
	End  string // the last day on which it is valid; "" without an end
}

// ConsentReader finds consents.
type ConsentReader interface {
	// LatestConsent returns the newest consent of a contact of a kind that wasn't withdrawn. Errors: ErrNotFound.
	LatestConsent(ws catalog.WorkspaceID, c ContactID, kind string) (Given, error)
}
