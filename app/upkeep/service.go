// Package upkeep keeps a database and its servers in order: sealed secrets, certificates, what the
// servers of one database share, leases taken over, deletion in steps, and the duties of every
// minute.
package upkeep

import (
	"math/rand/v2"
	"sync/atomic"

	"daybook/app"
)

type (
	// Reader is what the Service reads from the store: no more than the core does.
	Reader = app.Reader
	// Tx is what the Service uses of a transaction.
	Tx = app.Tx
)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	*state
}

// state is shared by every Service of one server, bound to a transaction or not.
type state struct {
	opened opened
	orders orders
	seen   atomic.Pointer[Replicas] // by this process, which replicates
}

// New returns the Service over a core.
func New(core *app.Service) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, &state{}}
	s.orders.server = rand.Int64()
	core.AddDuties(app.Duties{Ready: s.secretsOpen, Sweep: s.sweepSoon})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.state}
}
