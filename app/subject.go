package app

import (
	"context"
	"time"

	"daybook/app/when"
	"daybook/app/work"
)

// Subject is the base of every subject's Service: the core, and the subject's own view of the same store and the same
// transactions. R and T are the subject's reader and transaction; storage implements those of every subject
// (store/subjects.go).
type Subject[R Reader, T Tx] struct{ Core *Service }

// Write is Service.Write with the subject's view of the transaction.
func (r Subject[R, T]) Write(ctx context.Context, change func(tx T) error) error {
	return r.Core.Write(ctx, func(tx Tx) error { return change(tx.(T)) })
}

// Quietly is Service.Quietly with the subject's view of the transaction.
func (r Subject[R, T]) Quietly(ctx context.Context, change func(tx T) error) error {
	return r.Core.Quietly(ctx, func(tx Tx) error { return change(tx.(T)) })
}

// Reader is Service.Reader with the subject's view.
func (r Subject[R, T]) Reader(ctx context.Context) R { return r.Core.Reader(ctx).(R) }

// Every is the limit of a list that is to hold everything.
const Every = 1 << 30

// ExportStep is how many rows an export reads at a time.
const ExportStep = 500

// Duties are what a subject does for the server as a whole. Nil functions are skipped.
type Duties struct {
	// Secrets calls look with every secret that the subject stores, and saves with tx those that look changed.
	Secrets func(r Reader, tx Tx, look LookAtSecret) error
	// Release gives up what a dead server, known by the number in its Share, had taken besides its leases (see
	// WorkKeeper). With 0 it gives up what any server had taken: this is then the only server of the database.
	Release func(tx Tx, server int64, now when.Instant) error
	// Hasten makes what waits outside the queues due earlier by that much, but not before now, after the clock was set
	// back.
	Hasten func(tx Tx, now when.Instant, by time.Duration) error
	// ReleaseLost ends what would last beyond that time, because it was made before the clock was set back.
	ReleaseLost func(tx Tx, now, beyond when.Instant) error
	// Ready reports whether the subject can work. It is called often.
	Ready func() error
	// Sweep deletes what was marked as gone, soon after it was marked.
	Sweep func(ctx context.Context)
	// Tend runs every minute, and twice when the server stops: at the beginning, and after its last response.
	Tend func(ctx context.Context) error
	// Prune deletes what is no longer needed. It runs every minute on one server of the database.
	Prune func(ctx context.Context) error
}

// LookAtSecret looks at a stored secret, and reports whether it changed it.
type LookAtSecret func(stored *string) (changed bool, err error)

// Duties returns the duties of all subjects.
func (s *Service) Duties() []Duties { return s.duties }

// SweepSoon starts to delete what was marked as gone. It does nothing if the Service is bound to a transaction, which
// must end first.
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

// AddDuties adds a subject's duties. It must be called before the Service is used.
func (s *Service) AddDuties(d Duties) { s.duties = append(s.duties, d) }

// Now returns the core's time.
func (r Subject[R, T]) Now() time.Time { return r.Core.Now() }

// DataVersion changes whenever this or another process commits something.
func (r Subject[R, T]) DataVersion() (int64, error) { return r.Core.DataVersion() }

// Share returns this server's share of the work, see Service.Share.
func (r Subject[R, T]) Share() work.Share { return r.Core.Share() }
