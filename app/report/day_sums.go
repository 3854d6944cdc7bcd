package report

import (
	"context"
	"errors"
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

const (
	// manyPassed is how many bookings a question passes one by one before sums are made for the next one.
	manyPassed = 1000
	// wantPause is the least time between two askings for the sums of a workspace.
	wantPause = time.Minute
	// stepBookings is about how many bookings one transaction sums, and stepDays the most days: some milliseconds.
	stepBookings, stepDays = 1000, 31
	stepPause              = 5 * time.Millisecond
	// unasked is after how long sums are forgotten that nobody asks for.
	unasked = 60 * 24 * time.Hour
	// dropDays is how many days are forgotten in one transaction, and dropSpaces of how many workspaces in a minute.
	dropDays, dropSpaces = 1000, 200
)

// wanted are the workspaces whose sums are to be made. All Services of a server share one.
type wanted struct {
	mu    sync.Mutex
	asked map[catalog.WorkspaceID]when.Instant
	queue chan catalog.WorkspaceID
}

func newWanted() *wanted {
	return &wanted{asked: map[catalog.WorkspaceID]when.Instant{}, queue: make(chan catalog.WorkspaceID, 64)}
}

// want asks for the sums of a workspace, unless that was done just now.
func (w *wanted) want(ws catalog.WorkspaceID, now when.Instant) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last, ok := w.asked[ws]; ok && last <= now && now < last.Add(wantPause) {
		return
	}
	if len(w.asked) >= 10_000 {
		clear(w.asked)
	}
	select {
	case w.queue <- ws:
		w.asked[ws] = now
	default: // the next question asks again
	}
}

// KeepSums makes the sums of days for workspaces whose figures were asked for and took long, until ctx ends.
func (s *Service) KeepSums(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case ws := <-s.sums.queue:
			if err := s.SumDays(ctx, ws); err != nil && ctx.Err() == nil {
				s.Core.Log().Error("days can't be summed", "workspace", ws.String(), "error", err)
			}
		}
	}
}

// SumDays sums every day of the workspace, in its zone, whose sums are not stored or no longer exact, some days in each
// transaction.
func (s *Service) SumDays(ctx context.Context, ws catalog.WorkspaceID) error {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return err
	}
	zone := setup.Zone
	r := s.Reader(ctx)
	marks, err := s.marks(r, ws)
	if err != nil {
		return err
	}
	fresh := map[when.Instant]when.Instant{} // the kept days that are exact: from → to
	err = r.DaySums(ws, 0, 0, func(d DaySums) {
		if aDay(d.From, d.To, zone) && !marks.in(d.From, d.To) && (&reading{in: d.Sums}).known() {
			fresh[d.From] = d.To
		}
	})
	if err != nil {
		return err
	}
	at, days := when.Instant(0), 1
	for ctx.Err() == nil {
		if to, ok := fresh[at]; ok {
			at = to
			continue
		}
		first, err := r.FirstStart(ws, at)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		// Days without bookings are kept, too, so that they need not be asked for; a long time without any is left out.
		if start := when.At(when.DayOf(first.Time().In(zone))); at == 0 || start > nthDay(at, stepDays, zone) {
			at = start
		}
		n := 0
		for n < days && (n == 0 || fresh[nthDay(at, n, zone)] == 0) {
			n++
		}
		if fresh[at] != 0 {
			continue
		}
		passed, touched, err := s.sumStep(ctx, ws, zone, at, n)
		if err != nil {
			return err
		}
		for from, to := range fresh {
			if from < touched.to && to > touched.from {
				delete(fresh, from)
			}
		}
		at = nthDay(at, n, zone)
		days = min(stepDays, max(1, n*stepBookings/max(1, passed)))
		if passed > stepBookings/10 {
			pause(ctx, stepPause)
		}
	}
	return ctx.Err()
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// nthDay returns where the n-th day after the one that begins at from begins.
func nthDay(from when.Instant, n int, zone *time.Location) when.Instant {
	return when.At(when.AddDays(from.Time().In(zone), n))
}

// sumStep sums n days from one that begins at from. It returns how many bookings they have, and the time in which sums
// were replaced, which is more where a mark was taken away that stood for other days, too: these are read booking by
// booking until they are summed again.
func (s *Service) sumStep(ctx context.Context, ws catalog.WorkspaceID, zone *time.Location, from when.Instant,
	n int) (passed int, touched span, err error) {
	now := when.At(s.Core.Now())
	err = s.Quietly(ctx, func(tx Tx) error {
		passed, touched = 0, span{from, nthDay(from, n, zone)}
		if err := tx.TakeSums(ws, now); err != nil {
			return err
		}
		unmarked, err := tx.ForgetMarks(ws, int64(touched.from)/dayMillis, int64(touched.to-1)/dayMillis)
		if err != nil {
			return err
		}
		for _, day := range unmarked {
			begin, end := day*dayMillis, (day+1)*dayMillis
			if day <= 0 { // a division of what lies before 1970 cuts off
				begin -= dayMillis
			}
			touched = span{min(touched.from, when.Instant(begin)), max(touched.to, when.Instant(end))}
		}
		if err := tx.ForgetSums(ws, touched.from, touched.to); err != nil {
			return err
		}
		for i := range n {
			d := DaySums{From: nthDay(from, i, zone), To: nthDay(from, i+1, zone)}
			if d.From == d.To { // a date that the zone skipped
				continue
			}
			t := newTally(0, zone)
			if err := t.read(tx, ws, []span{{d.From, d.To}}); err != nil {
				return err
			}
			passed += t.passed
			d.Sums = sumsOf(t)
			if err := tx.InsertSums(ws, d); err != nil {
				return err
			}
		}
		return nil
	})
	return passed, touched, err
}

// dropSums forgets the sums of a workspace; they are made anew when somebody asks.
func (s *Service) dropSums(ctx context.Context, ws catalog.WorkspaceID) error {
	for more := true; more; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			if err = tx.TakeSums(ws, when.At(s.Core.Now())); err == nil {
				more, err = tx.DropSums(ws, dropDays)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pruneSums forgets sums that nobody has asked for in a long time, and marks in workspaces without sums.
func (s *Service) pruneSums(ctx context.Context) error {
	r := s.Reader(ctx)
	old, err := r.SumsUnasked(when.At(s.Core.Now()).Add(-unasked), dropSpaces)
	if err != nil {
		return err
	}
	without, err := r.MarksUnsummed(dropSpaces)
	if err != nil {
		return err
	}
	for _, ws := range append(old, without...) {
		if err := s.dropSums(ctx, ws); err != nil {
			return err
		}
	}
	return nil
}
