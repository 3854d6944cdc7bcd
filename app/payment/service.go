package payment

import "daybook/app"

// Reader is what the room reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is the room's view of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Service holds the room's rules: what is due, what was paid, what is refunded.
type Service struct {
	app.Room[Reader, Tx]
	*state
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct{ provider Provider }

// NewService returns the room of the core, and becomes the core's Till.
func NewService(core *app.Service) *Service {
	s := &Service{app.Room[Reader, Tx]{Core: core}, new(state)}
	core.SetTill(Till{s})
	core.AddDuties(app.Duties{Secrets: s.eachAccountSecret})
	return s
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}, s.state}
}

// tx returns the room's view of the transaction of a change.
func tx(ch *app.Change) Tx { return ch.Tx.(Tx) }
