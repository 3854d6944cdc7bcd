// package edit is the room of corrections of a booking: its service, host, length, names and notes.
package edit

import "daybook/app"

type (
	// Reader is what the room reads from the store: no more than the core does.
	Reader = app.Reader
	// Tx is the room's view of a transaction.
	Tx = app.Tx
)

// Settle closes the receipt of a booking that has nothing due any more, in the transaction of its change.
type Settle func(ch *app.Change)

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	settle Settle
}

// New makes the room beside its core.
func New(core *app.Service, settle Settle) *Service {
	return &Service{app.Room[Reader, Tx]{Core: core}, settle}
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.settle) }
