package calsync

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

const (
	behind    = when.Day                   // of the past that is read
	horizon   = (730 + 60) * when.Day      // of the future: the widest booking window, and two months to grow into
	margin    = (730 + 7) * when.Day       // when less than that is left everything is read again
	fullEvery = when.Day                   // everything is read at least that often
	readEvery = 5 * time.Minute            // changes are
	readLease = 2 * time.Minute            // that a reading has
	readTime  = readLease - 15*time.Second // that it may take
)

// pauses are how long a connection waits after its first, second, … failure.
var pauses = []time.Duration{30 * time.Second, 2 * time.Minute, readEvery, 15 * time.Minute, time.Hour}

// read reads a connection; while somebody else does so it waits for that. What goes wrong with its server is kept in
// the connection; the error is the database's. It reads nothing where that was done since then, nor while the server
// wants to be left alone; 0 reads it anyhow. The server may take until most is over: ctx must last longer, since what
// came of it is saved then.
func (s *Service) read(ctx context.Context, id ConnectionID, since when.Instant, most time.Duration) error {
	var c Connection
	var lease when.Instant
	mine, fresh := false, false
	err := s.Quietly(ctx, func(tx Tx) (err error) {
		now := when.At(s.Now())
		lease = now.Add(readLease)
		if c, err = tx.CalendarConnection(0, id); err != nil {
			return err
		}
		if fresh = since != 0 && (!c.older(since, now) || c.Problem == SlowDown && c.DueAt > now); fresh {
			return nil
		}
		mine, err = tx.ClaimCalendarConnection(max(1, s.Core.Share().Server), id, now, lease)
		return err
	})
	switch {
	case err != nil || fresh:
		return ignoreMissing(err)
	case mine:
		return s.readClaimed(ctx, &c, lease, most)
	}
	return s.awaitReading(ctx, &c, most)
}

// older reports whether a calendar that blocks wasn't read since then, or could not be read, or isn't known yet. What
// was read later than now was read before the clock was set back.
func (c *Connection) older(since, now when.Instant) bool {
	old := func(k Calendar) bool { return k.Blocks && (k.ReadAt < since || k.ReadAt > now || k.Problem != "") }
	return c.unknown() || slices.ContainsFunc(c.Calendars, old)
}

// awaitReading waits until the reading under way has ended, at most for that time.
func (s *Service) awaitReading(ctx context.Context, c *Connection, most time.Duration) error {
	within, stop := context.WithTimeout(ctx, most)
	defer stop()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-within.Done():
			return nil
		case <-look.C:
		}
		if now, err := s.Reader(ctx).CalendarConnection(0, c.ID); err != nil {
			return ignoreMissing(err)
		} else if now.DueAt != c.DueAt {
			return nil
		}
	}
}

func ignoreMissing(err error) error {
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	return err
}

// readClaimed reads the calendars of a claimed connection that block or are written, saves what was read, and settles
// the claim.
func (s *Service) readClaimed(ctx context.Context, c *Connection, lease when.Instant, most time.Duration) error {
	within, stop := context.WithTimeout(ctx, most)
	defer stop()
	setup, err := s.Core.Setup(c.WorkspaceID)
	if err != nil {
		return ignoreMissing(err)
	}
	zone := zoneOf(setup, c.CalendarOwner)
	if zone == nil {
		return nil
	}
	source, problem := s.open(within, c)
	within, r := s.reading(within, c.WorkspaceID)
	defer r.end()
	if source != nil && c.Listed != nil && c.Listed.Wanted {
		if problem, err = s.discover(ctx, within, source, c); err != nil {
			return err
		}
	}
	for i := range c.Calendars {
		k := &c.Calendars[i]
		if source == nil || !k.Blocks && !k.Target {
			continue
		}
		before, err := s.versions(ctx, k)
		if err != nil {
			return err
		}
		changes, err := s.changes(within, source, k, zone)
		k.Problem = ProblemOf(err)
		if err != nil {
			if problem == nil || errors.Is(problem, ErrBusy) { // which says the least
				problem = err
			}
			r.end()
			continue // the others may be read
		}
		err = s.save(ctx, c, k, changes, before)
		if r.end(); err != nil {
			return err
		}
	}
	return s.settle(ctx, c, problem, lease)
}

// zoneOf returns the zone of the owner's days, or nil if there is no such host or resource.
func zoneOf(setup *catalog.Setup, of catalog.CalendarOwner) *time.Location {
	if h := setup.Host(of.Host); h != nil {
		return h.Location()
	}
	if r := setup.Resource(of.Resource); r != nil {
		return r.Location()
	}
	return nil
}

// Claimed is a connection that no other server reads until its lease ends.
type Claimed struct {
	connection Connection
	lease      when.Instant
}

// ClaimDue claims at most limit connections in this server's share that are due to be read.
func (s *Service) ClaimDue(ctx context.Context, limit int) (all []Claimed, err error) {
	mine := s.Core.Share()
	if mine.Server == 0 {
		return nil, nil
	}
	if due, err := s.Reader(ctx).HasDueCalendarConnections(mine.Buckets, when.At(s.Now())); err != nil || !due {
		return nil, err
	}
	var claimed []Connection
	var lease when.Instant
	err = s.Quietly(ctx, func(tx Tx) (err error) {
		now := when.At(s.Now())
		lease = now.Add(readLease)
		claimed, err = tx.ClaimCalendarConnections(mine, now, lease, limit)
		return err
	})
	for _, c := range claimed {
		all = append(all, Claimed{c, lease})
	}
	return all, err
}

// ReadDue reads a claimed connection, as read does.
func (s *Service) ReadDue(ctx context.Context, c *Claimed) error {
	return s.readClaimed(ctx, &c.connection, c.lease, readTime)
}

// versions returns the ETags of what is known of a calendar, by key.
func (s *Service) versions(ctx context.Context, k *Calendar) (map[string]string, error) {
	all, err := s.Reader(ctx).CalendarItems(k.WorkspaceID, k.ID)
	known := make(map[string]string, len(all))
	for i := range all {
		known[all[i].Key] = all[i].ETag
	}
	return known, err
}

// changes asks the source, from the beginning where the cursor is too old or unknown there.
func (s *Service) changes(ctx context.Context, source Source, k *Calendar, zone *time.Location) (Changes, error) {
	now := when.At(s.Now())
	asked := Asked{Calendar: k.Remote, Cursor: k.Cursor, From: int64(now.Add(-behind)), To: int64(now.Add(horizon)),
		Zone: zone}
	if k.ReadTo < now.Add(margin) || k.FullAt < now.Add(-fullEvery) || k.FullAt > now {
		asked.Cursor = ""
	}
	got, err := source.Changes(ctx, asked)
	if errors.Is(err, ErrCursor) && asked.Cursor != "" {
		asked.Cursor = ""
		got, err = source.Changes(ctx, asked)
	}
	if err == nil && len(got.Items) > MaxItems {
		err = ErrTooMuch
	}
	k.ReadAt = now
	if asked.Cursor == "" {
		k.FullAt, k.ReadTo = now, when.Instant(asked.To)
	}
	return got, err
}

// save keeps what was read of a calendar, and makes the owner's busy times anew.
// before are the versions that were known when it was asked for: what a copy was written of since is newer than the
// answer, and stays.
func (s *Service) save(ctx context.Context, c *Connection, k *Calendar, got Changes, before map[string]string) error {
	return s.Quietly(ctx, func(tx Tx) error {
		if _, err := tx.LockTaken(c.WorkspaceID, c.Locks()); err != nil {
			return err
		}
		now, err := tx.CalendarConnection(c.WorkspaceID, c.ID)
		if err != nil {
			return ignoreMissing(err) // disconnected meanwhile
		}
		i := slices.IndexFunc(now.Calendars, func(o Calendar) bool { return o.ID == k.ID })
		if i < 0 {
			return nil
		}
		stored := &now.Calendars[i]
		stored.Cursor, stored.ReadTo, stored.ReadAt, stored.FullAt, stored.Problem = got.Cursor, k.ReadTo, k.ReadAt,
			k.FullAt, ""
		known, err := tx.CalendarItems(c.WorkspaceID, k.ID)
		if err != nil {
			return err
		}
		fresh, gone := differences(known, &got)
		written := map[string]bool{}
		for i := range known {
			if etag, there := before[known[i].Key]; !there || etag != known[i].ETag {
				written[known[i].Key] = true
			}
		}
		fresh = slices.DeleteFunc(fresh, func(x Item) bool { return written[x.Key] })
		gone = slices.DeleteFunc(gone, func(x Item) bool { return written[x.Key] })
		if err := s.own(tx, c, k, fresh, gone); err != nil {
			return err
		}
		if err := tx.SaveCalendarItems(c.WorkspaceID, k.ID, fresh); err != nil {
			return err
		}
		keys := make([]string, len(gone))
		for i := range gone {
			keys[i] = gone[i].Key
		}
		if err := tx.DeleteCalendarItems(c.WorkspaceID, k.ID, keys); err != nil {
			return err
		}
		if err := tx.UpdateCalendar(stored); err != nil {
			return err
		}
		if len(fresh) == 0 && len(gone) == 0 {
			return nil
		}
		return merge(tx, c.WorkspaceID, c.CalendarOwner)
	})
}

// differences returns the items that are to be saved and those that are gone.
func differences(known []Item, got *Changes) (fresh, gone []Item) {
	by := make(map[string]*Item, len(known))
	for i := range known {
		by[known[i].Key] = &known[i]
	}
	seen := make(map[string]bool, len(got.Items))
	for _, x := range got.Items {
		seen[x.Key] = true
		was := by[x.Key]
		if was == nil || was.ETag != x.ETag || was.UID != x.UID || !was.says(&x) || x.ETag == "" {
			fresh = append(fresh, x)
		}
	}
	if got.All {
		for i := range known {
			if !seen[known[i].Key] {
				gone = append(gone, known[i])
			}
		}
		return fresh, gone
	}
	for _, key := range got.Gone {
		if by[key] != nil && !seen[key] {
			gone = append(gone, *by[key])
		}
	}
	return fresh, gone
}

// says reports whether the kept item says what was read of it. Of events of ours no busy spans are kept.
func (x *Item) says(read *Item) bool {
	return slices.Equal(x.Spans, read.Spans) ||
		len(x.Spans) == 0 && x.Start != 0 && x.Start == read.Start && x.End == read.End
}

// merge makes the owner's busy times of the spans of all calendars that block.
func merge(tx Tx, ws catalog.WorkspaceID, of catalog.CalendarOwner) error {
	spans, err := tx.BlockingSpans(of)
	if err != nil {
		return err
	}
	return tx.SetBusyTimes(ws, of, Merged(spans))
}

// Merged returns the spans as disjoint spans, by start: spans that overlap or touch are joined, and empty ones are
// dropped.
func Merged(spans []Span) []Span {
	return slot.Merge(slices.DeleteFunc(spans, func(s Span) bool { return s.Start >= s.End }))
}

// settle ends a claim: with how the reading went, and when the next one is due.
func (s *Service) settle(ctx context.Context, c *Connection, failed error, lease when.Instant) error {
	now, busy := when.At(s.Now()), errors.Is(failed, ErrBusy)
	if !busy || c.State == OK {
		c.Problem = ProblemOf(failed)
	}
	if failed == nil {
		c.State, c.FailedAt, c.ToldAt, c.Tries, c.ReadAt = OK, 0, 0, 0, now
		c.DueAt = now.Add(jitter(readEvery))
	} else if busy { // which says nothing of its server: it is tried again soon, and counts as no failure
		c.DueAt = now.Add(jitter(pauses[0]))
	} else {
		c.State = Failing
		if c.Problem == SignIn {
			c.State = Refused
		}
		if c.FailedAt == 0 {
			c.FailedAt = now
		}
		pause := pauses[min(c.Tries, len(pauses)-1)]
		var later *Later
		if errors.As(failed, &later) {
			pause = min(max(pause, later.After), 24*time.Hour)
		}
		c.DueAt = now.Add(jitter(pause))
		c.Tries++
	}
	told := c.ToldAt
	err := s.Quietly(ctx, func(tx Tx) error {
		for i := range c.Calendars {
			k := &c.Calendars[i]
			if failed == nil || k.Problem == "" || k.Problem == Crowded {
				continue
			}
			if err := tx.SetCalendarProblem(k.ID, k.Problem); err != nil {
				return err
			}
		}
		if c.ToldAt = told; c.State == Refused && told == 0 {
			some, err := s.tell(tx, c)
			if err != nil {
				return err
			}
			if some {
				c.ToldAt = now
			}
		}
		mine, err := tx.SettleCalendarConnection(c, lease)
		if err == nil && !mine {
			err = errLost
		}
		return err
	})
	if err == errLost {
		return nil
	}
	return err
}

// errLost says that a claim's lease was over: what the reading came to isn't kept.
var errLost = errors.New("the lease of a calendar connection is over")

// jitter returns a time within a fifth of d, so that many connections aren't read at once.
func jitter(d time.Duration) time.Duration { return d - d/10 + rand.N(d/5+1) }
