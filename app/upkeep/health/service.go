// Package health checks the server: its disk, clock, certificates, copies and queues. It remembers the sizes of the
// last days, and warns the owners of the workspace that looks after the server, once, before something fails. The words
// of what it finds are in views/finding.
package health

import (
	"context"
	"sync"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/upkeep"
	"daybook/app/webhook"
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

// Reads finds work that is late.
type Reads interface {
	// OldestWorkspace returns the oldest workspace that exists and is not suspended. Errors: ErrNotFound.
	OldestWorkspace() (catalog.WorkspaceID, error)
	// FirstDueDelivery returns when the first of the pending webhook deliveries that no server is sending is due, in a
	// workspace or for 0 in all; 0 if there is none.
	FirstDueDelivery(ws catalog.WorkspaceID) (when.Instant, error)
	// FirstDueText returns when the first of the waiting texts to telephones is due, of a workspace, or with 0 of all; 0 is
	// that none waits.
	FirstDueText(ws catalog.WorkspaceID) (when.Instant, error)
	// WaitingWork tells of every queue what is due, but for deleted workspaces, and where it sends for suspended ones. It
	// counts at most that many of each.
	WaitingWork(now when.Instant, most int) ([]Waiting, error)
	// LastChange returns the number of the last change of a booking, of all workspaces; 0 before the first.
	LastChange() (int64, error)
}

// Mails is what the Service needs from package mail.
type Mails interface {
	// OldestUnsent returns since when the mail that waits longest has been due, in a workspace or for 0 in all; 0 if
	// none waits.
	OldestUnsent(ctx context.Context, ws catalog.WorkspaceID) (when.Instant, error)
	// Trouble returns what keeps the workspace's mails from arriving, as Today says it.
	Trouble(ctx context.Context, a app.Actor) (mail.Trouble, error)
	// ServerTrouble queues mails to the owners of a workspace about the problems of the server.
	ServerTrouble(tx app.Tx, ws catalog.WorkspaceID, all []finding.Finding) error
}

// Webhooks is what the Service needs from package webhook.
type Webhooks interface {
	// Endpoints returns the workspace's endpoints.
	Endpoints(ctx context.Context, a app.Actor) ([]webhook.Endpoint, error)
}

// Factors is what the Service needs from package factor.
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
	hooks   Webhooks
	factors Factors

	mu     sync.Mutex
	failed map[string][]when.Instant // of loops, the last times at which they failed
	last   []finding.Finding         // of the last Step
	lastAt when.Instant
}

// New returns the Service over a core and upkeep's.
func New(core *app.Service, u *upkeep.Service, m Machine, mails Mails, hooks Webhooks, factors Factors) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: core}, u,
		&state{machine: m.withDefaults(), mails: mails, hooks: hooks, factors: factors, failed: map[string][]when.Instant{}}}
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.upkeep.In(tx), s.state}
}
