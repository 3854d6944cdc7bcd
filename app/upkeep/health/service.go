// Package health finds out how the server is: its disk, clock, certificates, copies and queues. It remembers the sizes
// of the last days, and tells the owners of the workspace that looks after the server before something hurts, once. The
// words of what it finds are in views/finding.
package health

import (
	"context"
	"sync"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/views/finding"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	// SwapServerValue replaces the value under a name, and reports false if it was not the old one; "" is none.
	SwapServerValue(name, old, value string) (bool, error)
}

// Reads finds out what is late.
type Reads interface {
	// OldestWorkspace returns the workspace that was made first of those that are there. The error is ErrNotFound.
	OldestWorkspace() (catalog.WorkspaceID, error)
	// FirstDueDelivery returns when the first of the pending webhook deliveries is due that nobody sends at the moment,
	// of a workspace, or with 0 of all; 0 for none.
	FirstDueDelivery(ws catalog.WorkspaceID) (when.Instant, error)
}

// Mails is what the Service asks of mails.
type Mails interface {
	// OldestUnsent is since when the mail should have gone out that waits longest, of a workspace, or with 0 of all; 0
	// for none.
	OldestUnsent(ctx context.Context, ws catalog.WorkspaceID) (when.Instant, error)
	// ServerTrouble queues mails to the owners of a workspace that say what is wrong with the server.
	ServerTrouble(tx app.Tx, ws catalog.WorkspaceID, all []finding.Finding) error
}

// Factors is what the Service asks of second factors.
type Factors interface {
	// HasPasskeys reports whether there are passkeys that belong to the host of a base URL, and others.
	HasPasskeys(ctx context.Context, base string) (here, elsewhere bool, err error)
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	upkeep *upkeep.Service
	*state
}

// state is shared by every Service of one server, bound to a transaction or not.
type state struct {
	machine Machine
	mails   Mails
	factors Factors

	mu     sync.Mutex
	failed map[string][]when.Instant // of loops, the last times at which they failed
	last   []finding.Finding         // of the last Step
	lastAt when.Instant
}

// New returns the Service over a core and upkeep's.
func New(core *app.Service, u *upkeep.Service, m Machine, mails Mails, factors Factors) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: core}, u,
		&state{machine: m.withDefaults(), mails: mails, factors: factors, failed: map[string][]when.Instant{}}}
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.upkeep.In(tx), s.state}
}
