package contact

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
)

// Entries lists the entries of a contact whose card the actor may see, the pinned ones first and of these the latest
// first. Errors: forbidden, not_found, bad_request (the cursor).
func (s *Service) Entries(ctx context.Context, a app.Actor, contact string, limit *int, cursor string) (fault.Page[Entry], error) {
	return fault.Page[Entry]{}, a.May(app.MaySeeCard)
}

// AddEntry writes an entry. One that corrects another is of that one's kind, takes its place and its pin. Errors:
// forbidden, not_found, bad_request (of a booking that isn't this contact's, too), conflict corrected (somebody else has
// corrected it) and too_many_entries.
func (s *Service) AddEntry(ctx context.Context, a app.Actor, contact string, in EntryInput) (Entry, error) {
	return Entry{}, a.May(app.MayWriteCard)
}

// PinEntry pins an entry, or unpins it. Errors: forbidden, not_found.
func (s *Service) PinEntry(ctx context.Context, a app.Actor, contact, entry string, pinned bool) (Entry, error) {
	return Entry{}, a.May(app.MayWriteCard)
}

// DeleteEntry deletes an entry, with those that it corrects. Errors: forbidden (staff never may), not_found.
func (s *Service) DeleteEntry(ctx context.Context, a app.Actor, contact, entry string) error {
	return a.May(app.MayManageContacts)
}
