package calsync

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// follower is this subject's name among those who follow the history of all bookings.
const follower = "calendars"

// QueueCopies queues the copies for at most limit changes of bookings, and returns how many changes it looked at.
func (s *Service) QueueCopies(ctx context.Context, limit int) (int, error) {
	f := app.Follower{Name: follower, Batch: limit, Plan: s.planCopies}
	return f.Step(ctx, s.Core)
}

// planCopies queues those of workspaces with a connected host. A booking that was only just made has no copy yet, and
// gets none unless one of those who do it is connected.
func (s *Service) planCopies(_ context.Context, changes []app.Followed) (func(app.Tx) error, error) {
	var changed []booking.BookingID
	known := app.Memo{}
	for i := range changes {
		c := &changes[i]
		setup, err := app.AskOnce(known, c.Workspace, func() (*catalog.Setup, error) { return s.Core.Setup(c.Workspace) })
		if err != nil {
			if errors.Is(err, fault.ErrNotFound) {
				continue
			}
			return nil, err
		}
		connected := func(h catalog.Host) bool {
			return h.Connected && (c.Seq > 1 || c.Host == 0 || h.ID == c.Host || slices.Contains(c.Others, h.ID))
		}
		if slices.ContainsFunc(setup.Hosts, connected) && !slices.Contains(changed, c.Booking) {
			changed = append(changed, c.Booking)
		}
	}
	return func(tx app.Tx) error {
		for _, id := range changed {
			if err := s.queue(tx.(Tx), id); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// queue has the calendars hold what the booking is now: those that get the bookings of whoever does it have a copy, others
// have none. Nothing is queued where a copy is as the booking; a wish of somebody in the calendar ends when the booking gets
// another time.
func (s *Service) queue(tx Tx, id booking.BookingID) error {
	b, err := tx.BookingByID(id)
	if err != nil {
		return ignoreMissing(err)
	}
	if b.Imported != nil && !b.ImportMarks.Has(booking.ImportCalendar) { // a calendar may have had it from where it came
		return nil
	}
	copies, err := tx.CalendarCopies(b.WorkspaceID, id)
	if err != nil {
		return err
	}
	var targets []CalendarID
	if b.Status.Copied() {
		for _, h := range b.AllHosts() {
			target, err := tx.CalendarTarget(b.WorkspaceID, h.ID)
			if err != nil {
				return err
			}
			if target != 0 {
				targets = append(targets, target)
			}
		}
	}
	now := when.At(s.Now())
	for _, target := range targets {
		if b.End > now && !slices.ContainsFunc(copies, func(p Copy) bool { return p.Calendar == target }) {
			copies = append(copies, Copy{Booking: id, Calendar: target, WorkspaceID: b.WorkspaceID,
				UID: b.CopyUID(s.Core.UIDDomain())})
		}
	}
	for i := range copies {
		p := &copies[i]
		if !slices.Contains(targets, p.Calendar) {
			p.Remove, p.Wish, p.WishStart, p.WishEnd = true, "", 0, 0
		} else {
			moved := p.Start != b.Start || p.End != b.End
			if p.Remove = false; p.Wish != "" && !moved {
				continue
			}
			p.Wish, p.WishStart, p.WishEnd = "", 0, 0
		}
		p.DueAt, p.Tries, p.Problem = now, 0, ""
		if err := tx.SaveCalendarCopy(p); err != nil {
			return err
		}
	}
	return nil
}

// queueAll queues all bookings of the host from now on: after another calendar was chosen for them.
func (s *Service) queueAll(tx Tx, host catalog.HostID) error {
	now := when.At(s.Now())
	rows, err := tx.Occupied(nil, host, now, now.Add(horizon), 0)
	if err != nil {
		return err
	}
	for _, o := range rows {
		if o.ID == 0 {
			continue
		}
		if err := s.queue(tx, o.ID); err != nil {
			return err
		}
	}
	return nil
}

const copyLease = time.Minute

// WriteCopies writes at most limit due copies, one after the other, and returns how many were due.
func (s *Service) WriteCopies(ctx context.Context, limit int) (n int, err error) {
	mine := s.Core.Share()
	for ; n < limit && mine.Server != 0; n++ {
		if due, err := s.Reader(ctx).HasDueCalendarCopies(mine.Buckets, when.At(s.Now())); err != nil || !due {
			return n, err
		}
		var claimed []Copy
		var lease when.Instant
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := when.At(s.Now())
			lease = now.Add(copyLease)
			claimed, err = tx.ClaimCalendarCopies(mine, now, lease, 1)
			return err
		})
		if err == nil && len(claimed) > 0 {
			err = s.writeCopy(ctx, &claimed[0], lease)
		}
		if err != nil || len(claimed) == 0 {
			return n, err
		}
	}
	return n, nil
}

// copyPauses are how long a copy waits after its first, second, … failure.
var copyPauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// writeCopy makes the calendar hold what the booking says, and settles the claim.
func (s *Service) writeCopy(ctx context.Context, p *Copy, lease when.Instant) error {
	within, stop := context.WithTimeout(ctx, copyLease/2)
	defer stop()
	was := p.Key
	failed := s.put(within, p)
	now := when.At(s.Now())
	switch {
	case failed == nil:
		p.DueAt, p.Tries, p.Problem = 0, 0, ""
		return s.Quietly(ctx, func(tx Tx) error { return settleWritten(tx, p, was, lease) })
	case errors.Is(failed, ErrGone):
		p.Wish, p.Key, p.ETag, p.DueAt = WishDeleted, "", "", 0
	default:
		pause := copyPauses[min(p.Tries, len(copyPauses)-1)]
		var later *Later
		if errors.As(failed, &later) {
			pause = min(max(pause, later.After), when.Day)
		}
		p.DueAt, p.Problem = now.Add(jitter(pause)), ProblemOf(failed)
		p.Tries++
	}
	conflict := errors.Is(failed, ErrConflict)
	err := s.Quietly(ctx, func(tx Tx) error {
		mine, err := tx.SettleCalendarCopy(p, lease)
		if err != nil || !mine || p.DueAt == 0 || conflict || p.Problem == ServerFailed {
			return err
		}
		return tx.PostponeCalendarCopies(p, now) // the others would fail as this one did
	})
	if err == nil && conflict { // what was changed there must be read first
		s.readSoon(ctx, p)
	}
	return err
}

// settleWritten notes what was done in the calendar: was is the key before. If the copy was queued again meanwhile, or
// the lease is over, it keeps what is to be done, and what is there is known all the same.
func settleWritten(tx Tx, p *Copy, was string, lease when.Instant) error {
	mine, err := tx.SettleCalendarCopy(p, lease)
	if err != nil {
		return err
	}
	if !mine {
		all, err := tx.CalendarCopies(p.WorkspaceID, p.Booking)
		i := slices.IndexFunc(all, func(o Copy) bool { return o.Calendar == p.Calendar && o.Key == was })
		if i < 0 || err != nil {
			return err
		}
		all[i].Key, all[i].ETag, all[i].Start, all[i].End = p.Key, p.ETag, p.Start, p.End
		if err := tx.SaveCalendarCopy(&all[i]); err != nil {
			return err
		}
		p.Remove = all[i].Remove
	}
	if p.Key != "" {
		return tx.SaveCalendarItems(p.WorkspaceID, p.Calendar, []Item{{Key: p.Key, ETag: p.ETag, UID: p.UID,
			Start: int64(p.Start), End: int64(p.End)}})
	}
	if err := tx.DeleteCalendarItems(p.WorkspaceID, p.Calendar, []string{was}); err != nil || !p.Remove {
		return err
	}
	return tx.DeleteCalendarCopy(p.WorkspaceID, p.Booking, p.Calendar)
}

// readSoon reads the connection that the copy's calendar is of.
func (s *Service) readSoon(ctx context.Context, p *Copy) {
	c, err := s.Reader(ctx).ConnectionOfCalendar(p.WorkspaceID, p.Calendar)
	if err == nil {
		err = s.read(ctx, c.ID, 0, readTime)
	}
	if err != nil {
		s.Core.Log().Error("a calendar could not be read", "booking", p.Booking, "error", err)
	}
}

// put writes or removes a copy. What is in the calendar is then in p.
func (s *Service) put(ctx context.Context, p *Copy) error {
	c, err := s.Reader(ctx).ConnectionOfCalendar(p.WorkspaceID, p.Calendar)
	if err != nil {
		return err
	}
	k := c.Calendar(p.Calendar)
	source, err := s.open(ctx, &c)
	if err != nil {
		return err
	}
	w, ok := source.(Writer)
	if !ok {
		return ErrReadOnly
	}
	if p.Remove {
		return s.remove(ctx, w, k, p)
	}
	b, err := s.Reader(ctx).BookingByID(p.Booking)
	if errors.Is(err, fault.ErrNotFound) { // its import was undone as the copy was queued
		p.Remove = true
		return s.remove(ctx, w, k, p)
	}
	if err != nil {
		return err
	}
	setup, err := s.Core.Setup(p.WorkspaceID)
	if err != nil {
		return err
	}
	key, etag, err := w.Put(ctx, k.Remote, p.Key, p.ETag, s.entry(setup, &b, k.Details, p.UID))
	if err != nil {
		return err
	}
	p.Key, p.ETag, p.Start, p.End = key, etag, b.Start, b.End
	return nil
}

// remove removes a copy. One without a key may have been written all the same, and its answer lost.
func (s *Service) remove(ctx context.Context, w Writer, k *Calendar, p *Copy) (err error) {
	key, etag := p.Key, p.ETag
	if key == "" {
		key, etag, err = w.Find(ctx, k.Remote, p.UID)
	}
	if key != "" && err == nil {
		err = w.Remove(ctx, k.Remote, key, etag)
	}
	if errors.Is(err, ErrConflict) { // somebody has changed it, but the booking doesn't take place there
		err = w.Remove(ctx, k.Remote, key, "")
	}
	if err == nil {
		p.Key, p.ETag = "", ""
	}
	return err
}

// entry returns the booking as it is written: the service and the first name, and what was ticked.
func (s *Service) entry(setup *catalog.Setup, b *booking.Booking, d Details, uid string) Entry {
	zone := setup.Zone
	if h := setup.Host(b.Host.ID); h != nil {
		zone = h.Location()
	}
	title := "Daybook"
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		title = b.Titled(e.Title)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(b.Invitee.Name), " ")
	var lines []string
	add := func(on bool, text string) {
		if on && text != "" {
			lines = append(lines, text)
		}
	}
	add(d.Name, b.Invitee.Name)
	add(d.Phone, b.Invitee.Phone)
	add(d.Notes, b.Notes)
	if first != "" {
		title += " – " + first
	}
	x := Entry{UID: uid, Title: title, Start: b.Start.Time().In(zone), End: b.End.Time().In(zone),
		Sequence: b.RescheduleCount, Stamp: b.UpdatedAt.Time(), Location: b.Spot()}
	if b.Where != nil && b.Where.Kind == catalog.HostCalls && !d.Phone {
		x.Location = ""
	}
	if d.Link {
		x.URL = s.Core.BaseURL() + "/dashboard/bookings/" + b.ID.String()
		lines = append(lines, x.URL)
	}
	x.Description = strings.Join(lines, "\n")
	return x
}

// DisconnectCalendars ends a connection. With remove, the copies in its calendars are removed first; it gives up after
// a while, and returns how many are left. Errors: forbidden, not_found.
func (s *Service) DisconnectCalendars(ctx context.Context, a app.Actor, ref string, remove bool) (left int, err error) {
	c, err := s.CalendarConnection(ctx, a, ref)
	if err != nil {
		return 0, err
	}
	if remove {
		if left, err = s.removeCopies(ctx, &c); err != nil {
			return left, err
		}
	}
	if source, err := s.open(ctx, &c); err == nil {
		s.endWatches(ctx, &c, source)
		r, ok := source.(Revoker)
		others, err := s.sharesAccount(ctx, &c)
		if err != nil {
			return left, err
		}
		if ok && !others {
			within, stop := context.WithTimeout(ctx, connectTime)
			defer stop()
			if err := r.Revoke(within); err != nil {
				s.Core.Log().Warn("a sign-in at a calendar could not be revoked", "connection", c.ID, "error", err)
			}
		}
	}
	return left, s.Write(ctx, func(tx Tx) error {
		if _, err := tx.LockTaken(a.Workspace, c.Locks()); err != nil {
			return err
		}
		if err := Forget(tx, &c); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CalendarDisconnected, Subject: c.ID.String(),
			From: string(c.Kind)})
	})
}

// Forget deletes a connection, whose busy times then no longer block, in a transaction that has locked the owner.
func Forget(tx Tx, c *Connection) error {
	if err := tx.DeleteCalendarConnection(c); err != nil {
		return err
	}
	return merge(tx, c.WorkspaceID, c.CalendarOwner)
}

// removeCopies removes what was written into the connection's calendars, for as long as a person waits, and says how
// many copies are left.
func (s *Service) removeCopies(ctx context.Context, c *Connection) (left int, err error) {
	within, stop := context.WithTimeout(ctx, connectTime)
	defer stop()
	within, r := s.reading(within, c.WorkspaceID)
	defer r.end()
	for _, k := range c.Calendars {
		const step = 500
		for after, more := booking.BookingID(0), true; more; {
			copies, err := s.Reader(ctx).CalendarCopiesIn(k.ID, after, step)
			if err != nil {
				return left, err
			}
			for i := range copies {
				p := &copies[i]
				after, p.Remove = p.Booking, true
				if within.Err() != nil || s.put(within, p) != nil {
					left++
				}
				r.end()
			}
			more = len(copies) == step
		}
	}
	return left, nil
}

// CopyWish is a copy that somebody changed in the calendar, with the calendar.
type CopyWish struct {
	Copy
	Calendar Calendar
}

// CalendarWishes lists the copies that somebody changed in calendars, the newest booking first, at most limit. Errors:
// forbidden.
func (s *Service) CalendarWishes(ctx context.Context, a app.Actor, limit int) ([]CopyWish, error) {
	all, err := s.CalendarConnections(ctx, a)
	if err != nil {
		return nil, err
	}
	wishes, err := s.Reader(ctx).CalendarWishes(a.Workspace, limit)
	if err != nil {
		return nil, err
	}
	var seen []CopyWish
	for _, p := range wishes {
		for _, c := range all {
			for _, k := range c.Calendars {
				if k.ID == p.Calendar {
					seen = append(seen, CopyWish{p, k})
				}
			}
		}
	}
	return seen, nil
}

// DropCalendarWish writes a copy again as the booking is, whatever somebody did to it in the calendar. Errors:
// forbidden, not_found.
func (s *Service) DropCalendarWish(ctx context.Context, a app.Actor, booking string) error {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return err
	}
	b, err := s.Core.Find(ctx, a, booking)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		copies, err := tx.CalendarCopies(a.Workspace, b.ID)
		if err != nil {
			return err
		}
		for i := range copies {
			if p := &copies[i]; p.Wish != "" {
				p.Wish, p.WishStart, p.WishEnd, p.DueAt, p.Tries = "", 0, 0, when.At(s.Now()), 0
				if err := tx.SaveCalendarCopy(p); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
