package privacy

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/app/work"
)

// A night goes through three lists in small transactions. Each transaction saves the position together with what it
// erased, so that the next one continues from there, also after a kill.
const (
	bookingWalk = iota
	contactWalk
	paymentWalk
	walks
)

const (
	nightHour = 3                     // when nights begin, in the zone of the business
	look      = time.Minute           // how often is looked for work
	stepTime  = 10 * time.Millisecond // a step erases nothing more after that time
	stepRows  = 250                   // that a step looks at
	atOnce    = 100                   // workspaces that are taken up together
	longest   = 8 * when.Day          // more than any booking lasts
	anew      = 30 * when.Day         // nights begin at the very first row so often, for what came behind their place
)

// RunNights removes the names from old contacts and bookings, every night until ctx ends. Each server of a database
// does so for its share of the workspaces. Between two steps it rests as long as the last step took.
func (s *Service) RunNights(ctx context.Context) error {
	night := func(ctx context.Context) error {
		return s.Due(ctx, func(took time.Duration) {
			select {
			case <-ctx.Done():
			case <-time.After(took):
			}
		})
	}
	work.Every(ctx, look, night, func(err error, repeated int) {
		s.Core.Log().Error("old contacts and bookings can't be anonymised", "error", err, "repeated", repeated)
	})
	return nil
}

// Due runs the nights that are due until they or ctx end. It calls rest after each step with the time that the step
// took. If one workspace fails, the others still get their night.
func (s *Service) Due(ctx context.Context, rest func(took time.Duration)) (failed error) {
	mine := s.Share().Buckets
	if mine == 0 {
		return nil
	}
	due, err := s.Reader(ctx).RetentionsDue(mine, when.At(s.Now()), atOnce)
	if err != nil {
		return err
	}
	for i := range due {
		for more := true; more && ctx.Err() == nil; {
			begun := time.Now()
			if more, err = s.Step(ctx, due[i].Workspace); err != nil {
				failed, more = err, false
			}
			rest(time.Since(begun))
		}
	}
	return failed
}

// Step does the next small part of a workspace's night, in one transaction, and reports whether there is more to do
// now. If no night is due, it does nothing.
func (s *Service) Step(ctx context.Context, ws catalog.WorkspaceID) (more bool, err error) {
	r := s.Reader(ctx)
	w, err := r.Workspace(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rule := w.Settings.Retention
	if rule == nil { // chosen no more by a server that doesn't know of rules
		return false, s.Quietly(ctx, func(tx Tx) error { return tx.ForgetRetention(ws) })
	}
	n, err := r.Retention(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	now := s.Now()
	if err != nil || n.Next > when.At(now) {
		return false, err
	}
	zone, err := catalog.CheckZone("timeZone", w.TimeZone)
	if err != nil {
		return false, err
	}
	st := step{s: s, r: r, was: n, n: n, now: now, next: nextNight(now, zone), before: rule.Before(now),
		taxed: rule.TaxedFrom(now, zone, w.PhoneCountry())}
	if n.Next == 0 { // chosen a while ago: the first night is still to come
		return false, st.plan(ctx)
	}
	if n.State.Began == 0 {
		st.begin()
	}
	return st.do(ctx)
}

// nextNight returns when the first night after now begins.
func nextNight(now time.Time, zone *time.Location) when.Instant {
	local := now.In(zone)
	for day := 0; ; day++ {
		at := when.DayStart(local.Year(), local.Month(), local.Day()+day, zone).Add(nightHour * time.Hour)
		if at.After(now) {
			return when.At(at)
		}
	}
}

// step is one transaction of a night.
type step struct {
	s             *Service
	r             Reader
	was, n        Retention // as it is in the database, and as it is kept next
	saves         int
	now           time.Time
	next          when.Instant // the night after this one
	before, taxed when.Instant // what ended before is old; the tax law wants what ended since
}

func (st *step) plan(ctx context.Context) error {
	st.n.Next = st.next
	return st.save(ctx, func(Tx, *Retention) error { return nil })
}

// begin begins a night: behind what the last one has looked at, but for bookings that were not over then.
func (st *step) begin() {
	state := &st.n.State
	now := when.At(st.now)
	state.Began, state.Walk, state.Now = now, bookingWalk, Counts{}
	state.Bookings = Position{At: state.Bookings.At.Add(-longest)}
	if now >= state.Whole.Add(anew) {
		state.Whole, state.Bookings, state.Contacts, state.Payments = now, Position{}, Position{}, Position{}
	}
}

func (st *step) do(ctx context.Context) (more bool, err error) {
	state := &st.n.State
	found := 0
	switch ws := st.n.Workspace; state.Walk {
	case bookingWalk:
		rows, err := st.r.OldBookings(ws, state.Bookings, st.before, stepRows)
		if err != nil {
			return false, err
		}
		if found = len(rows); found > 0 {
			return true, st.through(ctx, found, func(tx Tx, n *Retention, from int) (int, error) {
				return st.bookings(tx, n, rows, from)
			})
		}
	case contactWalk:
		rows, err := st.r.OldContacts(ws, state.Contacts, st.before, stepRows)
		if err != nil {
			return false, err
		}
		if found = len(rows); found > 0 {
			return true, st.through(ctx, found, func(tx Tx, n *Retention, from int) (int, error) {
				return st.contacts(tx, n, rows, from)
			})
		}
	case paymentWalk:
		rows, err := st.r.OldPayments(ws, state.Payments, st.taxed, stepRows)
		if err != nil {
			return false, err
		}
		if found = len(rows); found > 0 {
			return true, st.through(ctx, found, func(tx Tx, n *Retention, from int) (int, error) {
				return st.payments(tx, n, rows, from)
			})
		}
	}
	if state.Walk++; state.Walk < walks {
		return true, st.save(ctx, func(Tx, *Retention) error { return nil })
	}
	state.Began, state.Walk, state.Ended, state.Last = 0, 0, when.At(st.now), state.Now
	st.n.Next = st.next
	if err := st.save(ctx, func(tx Tx, n *Retention) error {
		count := n.State.Last.Contacts + n.State.Last.Bookings
		if count == 0 {
			return nil
		}
		return audit.Note(tx, st.now, app.Actor{Kind: booking.BySystem, Workspace: n.Workspace},
			audit.Entry{Action: audit.ContactsForgot, Count: count})
	}); err != nil {
		return false, err
	}
	st.s.Core.Log().Info("old contacts and bookings were anonymised", "workspace", st.n.Workspace.String(),
		"contacts", state.Last.Contacts, "bookings", state.Last.Bookings)
	return false, nil
}

// through goes through so many rows in small transactions. change begins with the row from, and returns the one to go
// on with.
func (st *step) through(ctx context.Context, rows int, change func(tx Tx, n *Retention, from int) (int, error)) error {
	for from := 0; from < rows && ctx.Err() == nil; {
		next, saved := from, st.saves
		err := st.save(ctx, func(tx Tx, n *Retention) (err error) {
			next, err = change(tx, n, from)
			return err
		})
		if err != nil || st.saves == saved {
			return err
		}
		from = next
	}
	return nil
}

// save erases by change and keeps how far that came, both or neither. Where another rule was chosen meanwhile, or
// another server has gone on, it does nothing: the next step begins with what is there.
func (st *step) save(ctx context.Context, change func(tx Tx, n *Retention) error) error {
	var n Retention
	did := false
	err := st.s.Quietly(ctx, func(tx Tx) error {
		did = false
		if err := tx.LockWorkspace(st.n.Workspace); err != nil { // no host is added, and no other rule chosen
			return err
		}
		is, err := tx.Retention(st.n.Workspace)
		if err != nil || is != st.was {
			return err
		}
		n = st.n
		if err := change(tx, &n); err != nil {
			return err
		}
		did = true
		return tx.SaveRetention(&n)
	})
	if err == nil && did {
		st.was, st.n, st.saves = n, n, st.saves+1
	}
	if errors.Is(err, fault.ErrNotFound) { // the workspace is deleted, or the rule
		return nil
	}
	return err
}

// lock makes everybody who books with one of the hosts wait for the end of tx; without any named, with all hosts.
func (st *step) lock(tx Tx, hosts []catalog.HostID) error {
	if len(hosts) == 0 {
		setup, err := tx.Setup(st.n.Workspace)
		if err != nil {
			return err
		}
		for i := range setup.Hosts {
			hosts = append(hosts, setup.Hosts[i].ID)
		}
	}
	_, err := tx.LockHosts(st.n.Workspace, hosts...)
	return err
}

// bookings anonymises a booking alone where its contact has later ones, else the contact.
func (st *step) bookings(tx Tx, n *Retention, rows []OldBooking, from int) (int, error) {
	var hosts []catalog.HostID
	for i := from; i < len(rows); i++ {
		b := &rows[i]
		if b.Erased || b.End >= st.before {
			continue
		}
		if !b.Recent { // whoever might book for the contact has to wait
			hosts = nil
			break
		}
		if !slices.Contains(hosts, b.Host) {
			hosts = append(hosts, b.Host)
		}
	}
	if slices.ContainsFunc(rows[from:], func(b OldBooking) bool { return !b.Erased && b.End < st.before }) {
		if err := st.lock(tx, hosts); err != nil {
			return 0, err
		}
	}
	nobody, begun := booking.ContactID(0), time.Now()
	for i := from; i < len(rows); i++ {
		b := &rows[i]
		if i > from && time.Since(begun) > stepTime {
			return i, nil
		}
		n.State.Bookings = Position{b.Start, int64(b.ID)}
		if b.Erased || b.End >= st.before {
			continue
		}
		if !b.Recent {
			if gone, err := st.contact(tx, n, b.Contact); err != nil {
				return 0, err
			} else if gone {
				continue
			}
		}
		again, err := tx.BookingByID(b.ID)
		if err != nil {
			return 0, err
		}
		if again.End >= st.before || again.Invitee.Erased() ||
			len(hosts) > 0 && !slices.Contains(hosts, again.Host.ID) {
			continue // it was moved or erased meanwhile; what has another host now waits for the next whole walk
		}
		if again.ContactID != 0 {
			if c, err := tx.Contact(n.Workspace, again.ContactID); err != nil || c.Gone() {
				if err != nil {
					return 0, err
				}
				continue // the contact was deleted, and the sweep gets to the booking
			}
		}
		if nobody == 0 {
			nobody, err = tx.Nobody(n.Workspace, id.New[booking.ContactIDKind](st.now), when.At(st.now))
			if err != nil {
				return 0, err
			}
		}
		if err := tx.AnonymiseBooking(n.Workspace, b.ID, nobody); err != nil {
			return 0, err
		}
		n.State.Now.Bookings++
	}
	return len(rows), nil
}

// contact deletes a contact that has no booking that is not old, behind the locks of all hosts. It reports whether the
// contact is gone, also if it was before.
func (st *step) contact(tx Tx, n *Retention, id booking.ContactID) (gone bool, err error) {
	if err := tx.LockContact(id); err != nil {
		return false, err
	}
	c, err := tx.Contact(n.Workspace, id)
	if errors.Is(err, fault.ErrNotFound) || err == nil && c.Gone() {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	young, err := tx.Bookings(n.Workspace, booking.BookingFilter{Contact: id, EndsAfter: st.before - 1,
		LongestLookup: longest, Limit: 1})
	if err != nil || len(young) > 0 {
		return false, err
	}
	if waits, err := tx.ContactWaits(&c, when.At(st.now)); err != nil || waits {
		return false, err
	}
	n.State.Now.Contacts++
	return true, tx.Anonymise(&c)
}

// contacts deletes contacts that never booked.
func (st *step) contacts(tx Tx, n *Retention, rows []OldContact, from int) (int, error) {
	if slices.ContainsFunc(rows[from:], func(c OldContact) bool { return !c.Erased && !c.Booked }) {
		if err := st.lock(tx, nil); err != nil {
			return 0, err
		}
	}
	begun := time.Now()
	for i := from; i < len(rows); i++ {
		c := &rows[i]
		if i > from && time.Since(begun) > stepTime {
			return i, nil
		}
		n.State.Contacts = Position{c.At, int64(c.ID)}
		if c.Erased || c.Booked {
			continue
		}
		now, err := tx.Contact(n.Workspace, c.ID)
		if errors.Is(err, fault.ErrNotFound) || err == nil && (now.Bookings > 0 || max(now.CreatedAt, now.ChangedAt) != c.At) {
			continue // merged, booked or changed meanwhile
		}
		if err != nil {
			return 0, err
		}
		if _, err := st.contact(tx, n, c.ID); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// payments forgets what finds payments at the provider once the tax law wants them no more.
func (st *step) payments(tx Tx, n *Retention, rows []OldPayment, from int) (int, error) {
	begun := time.Now()
	for i := from; i < len(rows); i++ {
		p := &rows[i]
		if i > from && time.Since(begun) > stepTime {
			return i, nil
		}
		n.State.Payments = Position{ID: p.ID}
		if p.End >= min(st.before, st.taxed) {
			continue
		}
		if err := tx.ForgetPayments(n.Workspace, p.Booking); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}
