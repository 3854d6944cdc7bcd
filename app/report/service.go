// package report is the room of figures and exports: what the bookings add up to, and everything in a workspace as
// files. It writes nothing but sums of days (sums.go), from which figures of years are made.
package report

import "daybook/app"

// Figured is what figures are made of.
type Figured interface {
	FigureReader
	SumReader
}

// Reader is what the room reads from the store.
type Reader interface {
	app.Reader
	Figured
	// FrozenFigures runs do with what was committed at its first question: a booking that is moved meanwhile is seen
	// once, where it was. do is short.
	FrozenFigures(do func(Figured) error) error
}

// Tx is the room's view of a transaction.
type Tx interface {
	app.Tx
	Figured
	FrozenFigures(do func(Figured) error) error // it is the transaction
	SumWriter
}

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	parts []Part
	sums  *wanted
}

// New makes the room beside its core. parts are the files that other rooms add to an export.
func New(core *app.Service, parts ...Part) *Service {
	s := &Service{app.Room[Reader, Tx]{Core: core}, parts, newWanted()}
	core.AddDuties(app.Duties{Prune: s.pruneSums})
	return s
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}, s.parts, s.sums}
}
