package app

import (
	"context"
	"time"

	"daybook/app/when"
)

// Room is what a room beside the core stands on: the core, and the room's own view of the same store and the same
// transactions. R and T are the room's reader and transaction; the store implements those of every room.
type Room[R Reader, T Tx] struct{ Core *Service }

// Write is Service.Write with the room's view of the transaction.
func (r Room[R, T]) Write(ctx context.Context, change func(tx T) error) error {
	return r.Core.Write(ctx, func(tx Tx) error { return change(tx.(T)) })
}

// Quietly is Service.Quietly with the room's view of the transaction.
func (r Room[R, T]) Quietly(ctx context.Context, change func(tx T) error) error {
	return r.Core.Quietly(ctx, func(tx Tx) error { return change(tx.(T)) })
}

// Reader is Service.Reader with the room's view.
func (r Room[R, T]) Reader(ctx context.Context) R { return r.Core.Reader(ctx).(R) }

// Every is a limit for those who want all there are.
const Every = 1 << 30

// ExportStep is how many rows an export reads at once.
const ExportStep = 500

// Duties are what a room does whenever the core does it for all. Nil ones are none.
type Duties struct {
	// Secrets shows every secret that the room stores to look, and saves by tx those that look changed.
	Secrets func(r Reader, tx Tx, look LookAtSecret) error
	// Release ends every lease: this is the only server of the database.
	Release func(tx Tx, now when.Instant) error
	// Hasten has what waits for its time due that much earlier, but not before now: the clock was set back by as much.
	// What waits for a time that people know, such as a reminder, stays.
	Hasten func(tx Tx, now when.Instant, by time.Duration) error
	// ReleaseLost ends the leases that would last beyond that time: they are of before the clock was set back.
	ReleaseLost func(tx Tx, now, beyond when.Instant) error
	// Ready says whether the room can work. It is asked often.
	Ready func() error
	// Sweep goes on deleting, soon after something was marked as gone.
	Sweep func(ctx context.Context)
	// Tend runs every minute, and once when the server stops.
	Tend func(ctx context.Context) error
}

// LookAtSecret looks at a stored secret, and reports whether it changed it.
type LookAtSecret func(stored *string) (changed bool, err error)

// Duties are those of all rooms.
func (s *Service) Duties() []Duties { return s.duties }

// SweepSoon has what was marked as gone deleted, unless the Service is bound to a transaction: that must end first.
func (s *Service) SweepSoon(ctx context.Context) {
	if s.tx != nil {
		return
	}
	for _, d := range s.duties {
		if d.Sweep != nil {
			d.Sweep(ctx)
		}
	}
}

// Takes adds a room's duties. It must be called before the Service is used.
func (s *Service) Takes(d Duties) { s.duties = append(s.duties, d) }

// Now is the core's time.
func (r Room[R, T]) Now() time.Time { return r.Core.Now() }

// DataVersion changes whenever anybody has committed something.
func (r Room[R, T]) DataVersion() (int64, error) { return r.Core.DataVersion() }
