package contact

import (
	"daybook/app/booking"
	"daybook/app/catalog"
)

// ConsentReads find consents and health entries.
type ConsentReads interface {
	// Consents lists those of a contact, the latest recorded first, from before that id; 0 begins with the latest.
	Consents(ws catalog.WorkspaceID, c booking.ContactID, before ConsentID, limit int) ([]Consent, error)
	Consent(ws catalog.WorkspaceID, c booking.ContactID, id ConsentID) (Consent, error)
	ConsentsTotal(ws catalog.WorkspaceID, c booking.ContactID) (int, error)

	// HealthEntries lists those of a contact, the latest first, from before that id; 0 begins with the latest. Their texts are
	// sealed, and their authors have no names.
	HealthEntries(ws catalog.WorkspaceID, c booking.ContactID, before HealthID, limit int) ([]HealthEntry, error)
	HealthTotal(ws catalog.WorkspaceID, c booking.ContactID) (int, error)

	// CardKey returns the sealed key of what is sealed on the cards of the workspace. Errors: ErrNotFound.
	CardKey(ws catalog.WorkspaceID) (string, error)
}

// sealedReads are what showing consents and health reads.
type sealedReads interface {
	CardReads
	ConsentReads
}

// ConsentWrites save consents and health entries.
type ConsentWrites interface {
	InsertConsent(ws catalog.WorkspaceID, c booking.ContactID, x *Consent) error
	// WithdrawConsent saves when and by whom a consent was withdrawn, and deletes what hangs on it.
	WithdrawConsent(ws catalog.WorkspaceID, x *Consent) error
	// GatherHealth gives the health entries that hang on consents of the kind to one of them.
	GatherHealth(ws catalog.WorkspaceID, c booking.ContactID, kind string, to ConsentID) error
	InsertHealth(ws catalog.WorkspaceID, c booking.ContactID, h *HealthEntry) error
	DeleteHealth(ws catalog.WorkspaceID, c booking.ContactID, id HealthID) error // ErrNotFound

	// AddCardKey saves the key unless the workspace has one.
	AddCardKey(ws catalog.WorkspaceID, sealed string) error
	SaveCardKey(ws catalog.WorkspaceID, sealed string) error
}
