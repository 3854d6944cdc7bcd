// package pending is the room of bookings that wait for an approval or a payment: they are approved, declined, or they
// lapse. It imports no other room.
package pending

import (
	"daybook/app"
	"daybook/app/record"
	"daybook/app/share"
	"daybook/app/when"
)

// Reader is what the room reads from the store.
type Reader interface {
	app.Reader
	// Lapsing lists pending bookings of workspaces in those buckets that expire at or before now, the longest overdue
	// first.
	Lapsing(of share.Buckets, now when.Instant, limit int) ([]record.Booking, error)
}

// Tx is the room's view of a transaction: no more than the core has.
type Tx = app.Tx

// Service holds the room's rules.
type Service struct{ app.Room[Reader, Tx] }

// New makes the room beside its core.
func New(core *app.Service) *Service { return &Service{app.Room[Reader, Tx]{Core: core}} }

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx)) }
