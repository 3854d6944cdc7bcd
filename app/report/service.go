// package report is the room of figures and exports: what the bookings add up to, and everything in a workspace as
// files. It only reads, and imports no other room.
package report

import "daybook/app"

// Reader is what the room reads from the store.
type Reader interface {
	app.Reader
	FigureReader
}

// Tx is the room's view of a transaction.
type Tx interface {
	app.Tx
	FigureReader
}

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	parts []Part
}

// New makes the room beside its core. parts are the files that other rooms add to an export.
func New(core *app.Service, parts ...Part) *Service {
	return &Service{app.Room[Reader, Tx]{Core: core}, parts}
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}, s.parts}
}
