// package guest is the room of people's AI assistants: which workspaces they find, and what they may ask for there
// without a key. Its doors are in package endpoint. It imports no other room.
package guest

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// Reader is what the room reads from the store.
type Reader interface {
	app.Reader
	// OpenToAssistants are the workspaces that assistants may find and book at, by slug.
	OpenToAssistants(limit int) ([]catalog.WorkspaceID, error)
}

// Tx is the room's view of a transaction: no more than the core has.
type Tx = app.Tx

// Service holds the room's rules.
type Service struct{ app.Room[Reader, Tx] }

// New makes the room beside its core.
func New(core *app.Service) *Service { return &Service{app.Room[Reader, Tx]{Core: core}} }

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx)) }

// Open is the set-up of the workspace with that slug, if assistants may book there: one that has not switched it on is
// not_found, exactly as one that isn't there.
func (s *Service) Open(ctx context.Context, slug string) (*catalog.Setup, error) {
	nobody := &fault.Error{Code: fault.NotFound, Message: "Assistants can't book at this address."}
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

// Listed are the set-ups of all workspaces where assistants may book, by slug, the first thousand.
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

// Offered are the event types of a workspace that strangers may know of, in the owner's order.
func Offered(s *catalog.Setup) (all []*catalog.EventType) {
	for i := range s.EventTypes {
		if e := &s.EventTypes[i]; e.Active && !e.Hidden {
			all = append(all, e)
		}
	}
	return all
}
