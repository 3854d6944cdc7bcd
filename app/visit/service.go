// package visit is the room of what becomes of a booking on its day: the invitee arrives, the service is done, or
// nobody comes. Each can be taken back. It imports no other room.
package visit

import (
	"daybook/app"
	"daybook/app/record"
)

type (
	// Reader is what the room reads from the store: no more than the core does.
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

// Mark is what the business says became of a booking on its day.
type Mark string

const (
	Arrived Mark = "arrived"
	Done    Mark = "done"
	NoShow  Mark = "no_show"
)

// Last returns the mark that Undo takes back, or "" when there is none.
func Last(b *record.Booking) Mark {
	switch {
	case b.Status == record.NoShow:
		return NoShow
	case !b.Status.Stands():
		return ""
	case b.DoneAt != 0:
		return Done
	case b.ArrivedAt != 0:
		return Arrived
	}
	return ""
}
