// Package report holds the rules of figures and exports: the figures of bookings, and everything in a workspace as
// files. It writes nothing but sums of days (sums.go), from which figures of years are made, and when hosts were at work
// on days that are over (hostday.go).
package report

import "daybook/app"

// Figured is what figures are computed from.
type Figured interface {
	FigureReader
	SumReader
	HostDayReader
}

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Figured
	// FrozenFigures runs do with a snapshot as of its first read: a booking that is moved meanwhile is seen once, at
	// its old time. do should be short.
	FrozenFigures(do func(Figured) error) error
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Figured
	FrozenFigures(do func(Figured) error) error // it is the transaction
	SumWriter
	HostDayWriter
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	parts []Part
	sums  *wanted
}

// New returns the Service over a core. parts are the files that other subjects add to an export.
func New(core *app.Service, parts ...Part) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, parts, newWanted()}
	core.AddDuties(app.Duties{Prune: s.pruneSums})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.parts, s.sums}
}
