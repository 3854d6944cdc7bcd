// package setup is the room of the set-up file: a workspace's hosts, hours and event types as one YAML or JSON
// document, read with the places of mistakes, compared, applied and written. It imports no other room.
package setup

import "daybook/app"

type (
	// Reader is what the room asks of the store: no more than the core does.
	Reader = app.Reader
	// Tx is the room's view of a transaction.
	Tx = app.Tx
)

// Service holds the room's rules.
type Service struct{ app.Room[Reader, Tx] }

// New makes the room beside its core.
func New(core *app.Service) *Service { return &Service{app.Room[Reader, Tx]{Core: core}} }

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx)) }
