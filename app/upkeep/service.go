// package upkeep is the room that keeps a database and its servers in order: sealed secrets, certificates, what the
// servers of one database share, leases taken over, deletion in steps, and the duties of every
// minute.
package upkeep

import (
	"math/rand/v2"
	"sync/atomic"

	"daybook/app"
)

type (
	// Reader is what the room reads from the store: no more than the core does.
	Reader = app.Reader
	// Tx is the room's view of a transaction.
	Tx = app.Tx
)

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	*state
}

// state is shared by every Service of one server, bound to a transaction or not.
type state struct {
	opened opened
	orders orders
	seen   atomic.Pointer[Replicas] // by this process, which replicates
}

// New makes the room beside its core.
func New(core *app.Service) *Service {
	s := &Service{app.Room[Reader, Tx]{Core: core}, &state{}}
	s.orders.server = rand.Int64()
	core.AddDuties(app.Duties{Ready: s.secretsOpen, Sweep: s.sweepSoon})
	return s
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}, s.state}
}
