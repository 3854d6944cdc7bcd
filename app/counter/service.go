package counter

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/id"
)

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

// Online refunds a payment that was made online, by its id; nil is all that is left of it.
type Online func(ctx context.Context, a app.Actor, payment booking.PaymentID, amount *int64) (booking.Booking, error)

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	online Online
	post   Post
}

// New makes the room beside its core.
func New(core *app.Service, online Online, post Post) *Service {
	return &Service{app.Room[Reader, Tx]{Core: core}, online, post}
}

// In is the room within a transaction, see app.Service.In; online is bound to the same transaction.
func (s *Service) In(tx app.Tx, online Online) *Service {
	return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}, online, s.post}
}

// tx returns the room's view of the transaction of a change.
func tx(ch *app.Change) Tx { return ch.Tx.(Tx) }

// CloseID identifies a count of a day's cash.
type (
	CloseID   = id.ID[closeKind]
	closeKind struct{ id.Many }
)

func (closeKind) Prefix() string { return "dc_" }
