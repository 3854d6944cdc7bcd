// Package bulk holds the rules of several bookings at once: it finds those of a day, an hour or a time off, and cancels
// those that were chosen, a minute after that was confirmed.
package bulk

import (
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/app/work"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	// DueCancellations lists those of workspaces in these buckets that are due at or before now and not done, the
	// longest overdue first.
	DueCancellations(of work.Buckets, now when.Instant, limit int) ([]Cancellation, error)
}

// Reads finds cancellations.
type Reads interface {
	// Cancellation returns a cancellation with its items. Errors: ErrNotFound.
	Cancellation(ws catalog.WorkspaceID, id CancellationID) (Cancellation, error)
	// CancellationOfForm returns the cancellation that was made by the form with that key. Errors: ErrNotFound.
	CancellationOfForm(ws catalog.WorkspaceID, form string) (CancellationID, error)
	// UnseenCancellations lists the cancellations since then that were neither marked as seen nor undone, the latest
	// first.
	UnseenCancellations(ws catalog.WorkspaceID, since when.Instant, limit int) ([]Cancellation, error)
	// OpenItems returns the bookings that are still to be cancelled.
	OpenItems(ws catalog.WorkspaceID) (map[booking.BookingID]Waiting, error)
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	InsertCancellation(c *Cancellation) error
	// BeginCancellation begins a cancellation that waits and is due; it reports false if it does not wait.
	BeginCancellation(ws catalog.WorkspaceID, id CancellationID, now when.Instant) (bool, error)
	// UndoCancellation undoes a waiting cancellation with all its items; it reports false if it does not wait.
	UndoCancellation(ws catalog.WorkspaceID, id CancellationID, now when.Instant) (bool, error)
	// SettleItem saves the outcome of an open item; it reports false if the item is not open.
	SettleItem(ws catalog.WorkspaceID, id CancellationID, i Item) (bool, error)
	// EndCancellation ends a cancellation that is being carried out, unless an item is still open.
	EndCancellation(ws catalog.WorkspaceID, id CancellationID, now when.Instant) error
	// SeeCancellation marks the result as seen.
	SeeCancellation(ws catalog.WorkspaceID, id CancellationID) error
	// HastenCancellations makes waiting cancellations due earlier by that much, but not before now.
	HastenCancellations(now when.Instant, byMS int64) error
	// PruneCancellations deletes at most limit cancellations from before that time, and returns how many.
	PruneCancellations(before when.Instant, limit int) (int, error)
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	shop *shop.Service
}

// New returns the Service over a core, and the one of time off.
func New(core *app.Service, times *shop.Service) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, times}
	core.AddDuties(app.Duties{
		Prune: s.prune,
		Hasten: func(tx app.Tx, now when.Instant, by time.Duration) error {
			return tx.(Tx).HastenCancellations(now, by.Milliseconds())
		},
	})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.shop}
}
