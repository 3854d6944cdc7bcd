// Package guest holds the rules for guests, who are people that book through an AI assistant without a key: which
// workspaces assistants find, and what they may ask for there. Its door is package assistant.
//
// A guest asks for a time, which is held until the person confirms it by the link or code in a mail (request.go: Ask,
// Confirm). With the booking's own link they may do what its invitee may: see, move and cancel it.
package guest

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/when"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	// OpenToAssistants returns the workspaces that assistants may find and book at, by slug.
	OpenToAssistants(limit int) ([]catalog.WorkspaceID, error)
}

// Reads finds requests of guests.
type Reads interface {
	// GuestRequest returns a request of the workspace, or for 0 of any workspace. Errors: ErrNotFound.
	GuestRequest(ws catalog.WorkspaceID, id booking.GuestID) (Request, error)
	// GuestWaits returns the request of that e-mail address that waits to be confirmed. Errors: ErrNotFound.
	GuestWaits(ws catalog.WorkspaceID, email string, now when.Instant) (Request, error)
	// CountGuestRequests counts the requests since day with the e-mail and with the network address, in all workspaces,
	// and the requests since hour in the workspace.
	CountGuestRequests(ws catalog.WorkspaceID, email, address string, day, hour when.Instant) (Counted, error)
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	InsertGuestRequest(r *Request) error
	// TryGuestRequest counts an attempt at the code of a waiting request; it reports false if the request does not
	// wait, or after most attempts.
	TryGuestRequest(ws catalog.WorkspaceID, id booking.GuestID, most int, now when.Instant) (bool, error)
	// TakeGuestRequest locks a waiting request, to book it; it reports false if the request does not wait.
	TakeGuestRequest(ws catalog.WorkspaceID, id booking.GuestID, now when.Instant) (bool, error)
	SetGuestBooking(ws catalog.WorkspaceID, id booking.GuestID, b booking.BookingID) error
	// ForgetGuestRequests deletes personal data from requests that have ended, and deletes the requests made before
	// old, at most limit of each, and returns the greater of both numbers.
	ForgetGuestRequests(now, old when.Instant, limit int) (int, error)
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	mails  Mails
	gate   *gate.Service
	ticked Ticked
}

// Ticked notes, in the transaction of a booking, that its invitee has agreed to texts, with the wording.
type Ticked func(tx app.Tx, b *booking.Booking, wording string) error

// New returns the Service over a core. g knows from where the assistants of many people call.
func New(core *app.Service, mails Mails, g *gate.Service, ticked Ticked) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, mails, g, ticked}
	core.AddDuties(app.Duties{Prune: s.forget})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.mails, s.gate.In(tx), s.ticked}
}

// Open returns the set-up of the workspace with that slug, if assistants may book there. The error is not_found,
// whether the workspace has not switched this on, is suspended or does not exist.
func (s *Service) Open(ctx context.Context, slug string) (*catalog.Setup, error) {
	nobody := fault.New(fault.NotFound, "", "Assistants can't book at this address.")
	w, err := s.Reader(ctx).WorkspaceBySlug(slug)
	if err != nil {
		return nil, fault.OrMissing(err, nobody)
	}
	if !w.AssistantsMayBook || w.SuspendedAt != 0 {
		return nil, nobody
	}
	return s.Core.Setup(w.ID)
}

// maxListed is how many workspaces the lists of the whole server have.
const maxListed = 1000

// Listed returns the set-ups of the workspaces where assistants may book, by slug, at most a thousand.
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

// Listed returns the event types of a workspace that strangers may see, in the owner's order.
func Listed(s *catalog.Setup) (all []*catalog.EventType) {
	for i := range s.EventTypes {
		if e := &s.EventTypes[i]; e.Active && !e.Hidden {
			all = append(all, e)
		}
	}
	return all
}
