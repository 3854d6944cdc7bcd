package payment

import "daybook/app"

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Service holds the rules of the subject: what is due, what was paid, what is refunded.
type Service struct {
	app.Subject[Reader, Tx]
	*state
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct {
	provider Provider
	others   Others // nil: nothing else is sold
}

// NewService returns the Service over a core, and becomes the core's Till.
func NewService(core *app.Service) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, new(state)}
	core.SetTill(Till{s})
	core.AddDuties(app.Duties{Secrets: s.eachAccountSecret})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.state}
}

// tx returns this subject's view of the transaction of a change.
func tx(ch *app.Change) Tx { return ch.Tx.(Tx) }
