// package bulk is the room of several bookings at once: it finds those of a day, an hour or a time off, and cancels
// those that were chosen.
package bulk

import (
	"context"

	"daybook/app"
	"daybook/app/record"
)

type (
	// Reader is what the room reads from the store: no more than the core does.
	Reader = app.Reader
	// Tx is the room's view of a transaction.
	Tx = app.Tx
)

// Decline refuses a pending booking in a transaction, and returns it.
type Decline func(ctx context.Context, tx app.Tx, a app.Actor, id, reason string) (record.Booking, error)

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	decline Decline
}

// New makes the room beside its core.
func New(core *app.Service, decline Decline) *Service {
	return &Service{app.Room[Reader, Tx]{Core: core}, decline}
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.decline) }
