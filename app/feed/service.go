package feed

import (
	"daybook/app"
	"daybook/app/catalog"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Reads finds calendar addresses.
type Reads interface {
	Feed(id FeedID) (Feed, error)
	FeedOf(ws catalog.WorkspaceID, host catalog.HostID) (Feed, error) // host 0: of the workspace
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Writes saves calendar addresses.
type Writes interface {
	// ReplaceFeed makes this the only address of its calendar.
	ReplaceFeed(f *Feed) error
	DeleteFeed(ws catalog.WorkspaceID, host catalog.HostID) error
}

// Service holds the rules of the subject.
type Service struct{ app.Subject[Reader, Tx] }

// NewService returns the Service over a core.
func NewService(core *app.Service) *Service { return &Service{app.Subject[Reader, Tx]{Core: core}} }

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return NewService(s.Core.In(tx)) }
