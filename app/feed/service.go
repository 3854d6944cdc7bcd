package feed

import (
	"daybook/app"
	"daybook/app/catalog"
)

// Reader is what the room asks of the store.
type Reader interface {
	app.Reader
	Reads
}

// Reads finds calendar addresses.
type Reads interface {
	Feed(id FeedID) (Feed, error)
	FeedOf(ws catalog.WorkspaceID, host catalog.HostID) (Feed, error) // host 0: of the workspace
}

// Tx is the room's view of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Writes saves calendar addresses.
type Writes interface {
	// ReplaceFeed leaves this one as the only address of its calendar.
	ReplaceFeed(f *Feed) error
	DeleteFeed(ws catalog.WorkspaceID, host catalog.HostID) error
}

// Service holds the room's rules.
type Service struct{ app.Room[Reader, Tx] }

// NewService makes the room beside its core.
func NewService(core *app.Service) *Service { return &Service{app.Room[Reader, Tx]{Core: core}} }

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return NewService(s.Core.In(tx)) }
