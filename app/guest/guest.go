// Package guest holds the rules of people's AI assistants: which workspaces they find, and what they may ask for there
// without a key. Its door is package assistant.
package guest

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	// OpenToAssistants returns the workspaces that assistants may find and book at, by slug.
	OpenToAssistants(limit int) ([]catalog.WorkspaceID, error)
}

// Reads finds requests.
type Reads interface {
	// GuestRequest finds a request; workspace 0 is any. ErrNotFound.
	GuestRequest(ws catalog.WorkspaceID, id booking.GuestID) (Request, error)
	// GuestWaits returns the request of that e-mail address that waits. ErrNotFound: none.
	GuestWaits(ws catalog.WorkspaceID, email string, now when.Instant) (Request, error)
	// CountGuestRequests counts those since day by the e-mail and the network address, in all workspaces, and those
	// since hour of the workspace.
	CountGuestRequests(ws catalog.WorkspaceID, email, address string, day, hour when.Instant) (Counted, error)
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	InsertGuestRequest(r *Request) error
	// TryGuestRequest counts an attempt at the code of a request that waits; it reports false where none does, or after
	// so many attempts.
	TryGuestRequest(ws catalog.WorkspaceID, id booking.GuestID, most int, now when.Instant) (bool, error)
	// TakeGuestRequest locks a request that waits, for whoever books it; it reports false where none waits.
	TakeGuestRequest(ws catalog.WorkspaceID, id booking.GuestID, now when.Instant) (bool, error)
	SetGuestBooking(ws catalog.WorkspaceID, id booking.GuestID, b booking.BookingID) error
	// ForgetGuestRequests deletes what requests that are over say of a person, and those that were made before old, at
	// most limit of each, and returns the most it changed of one.
	ForgetGuestRequests(now, old when.Instant, limit int) (int, error)
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	mails Mails
}

// New returns the Service over a core.
func New(core *app.Service, mails Mails) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, mails}
	core.AddDuties(app.Duties{Prune: s.forget})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.mails}
}

// Open returns the set-up of the workspace with that slug, if assistants may book there: one that has not switched it
// on is not_found, exactly as one that isn't there.
func (s *Service) Open(ctx context.Context, slug string) (*catalog.Setup, error) {
	nobody := fault.New(fault.NotFound, "", "Assistants can't book at this address.")
	w, err := s.Reader(ctx).WorkspaceBySlug(slug)
	if err != nil {
		return nil, fault.OrMissing(err, nobody)
	}
	if !w.AssistantsMayBook {
		return nil, nobody
	}
	return s.Core.Setup(w.ID)
}

// maxListed is how many workspaces the lists of the whole server have.
const maxListed = 1000

// Listed returns the set-ups of all workspaces where assistants may book, by slug, the first thousand.
func (s *Service) Listed(ctx context.Context) (all []*catalog.Setup, err error) {
	ids, err := s.Reader(ctx).OpenToAssistants(maxListed)
	for _, id := range ids {
		setup, err := s.Core.Setup(id)
		switch {
		case err == nil:
			all = append(all, setup)
		case !errors.Is(err, fault.ErrNotFound): // else it was deleted meanwhile
			return nil, err
		}
	}
	return all, err
}

// Listed returns the event types of a workspace that strangers may know of, in the owner's order.
func Listed(s *catalog.Setup) (all []*catalog.EventType) {
	for i := range s.EventTypes {
		if e := &s.EventTypes[i]; e.Active && !e.Hidden {
			all = append(all, e)
		}
	}
	return all
}
