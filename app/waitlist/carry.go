package waitlist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
)

// Run finds who gets what came free, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	work.Every(ctx, time.Second, s.CarryOut, func(err error, repeated int) {
		s.Core.Log().Error("times that came free can't be offered", "error", err, "repeated", repeated)
	})
	return nil
}

// CarryOut does what is due for the waitlists of this server's share. What another process left unfinished is done: each step
// is one transaction, behind the lock of its workspace, that is undone as a whole or done. If one job fails, the others are
// still done, and the next call tries that one again; the error joins all failures.
func (s *Service) CarryOut(ctx context.Context) error {
	mine := s.Share().Buckets
	if mine == 0 {
		return nil
	}
	const step = 50
	var failed []error
	due, err := s.Reader(ctx).DueWaitJobs(mine, when.At(s.Now()), step)
	if err != nil {
		return err
	}
	for i := range due {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.work(ctx, &due[i]); err != nil {
			failed = append(failed, fmt.Errorf("waitlist job %s: %w", due[i].ID, err))
		}
	}
	looks, err := s.Reader(ctx).HoursToLook(mine, when.At(s.Now()), step)
	failed = append(failed, err)
	for i := range looks {
		if err := s.lookAtHours(ctx, &looks[i]); err != nil {
			failed = append(failed, fmt.Errorf("hours of %s: %w", looks[i].Workspace, err))
		}
	}
	return errors.Join(failed...)
}

// work does a job that is due.
func (s *Service) work(ctx context.Context, j *app.WaitJob) error {
	switch {
	case j.Kind == app.WaitBooked:
		return s.booked(ctx, j)
	case j.Kind == app.WaitEnded:
		return s.displaced(ctx, j)
	case j.Kind != app.WaitFreed:
		return nil
	case j.Entry != 0:
		return s.overdue(ctx, j)
	}
	return s.give(ctx, j)
}

// behind runs do with a job as it is behind the lock of its workspace. One that is gone, or not due any more, is left.
func (s *Service) behind(ctx context.Context, j *app.WaitJob, do func(tx Tx, j *app.WaitJob, now when.Instant) error) error {
	err := s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(j.Workspace); err != nil {
			return err
		}
		now := when.At(s.Now())
		again, err := tx.WaitJob(j.Workspace, j.ID)
		if err != nil {
			return err
		}
		if again.Due > now || again.Entry != j.Entry {
			return nil
		}
		return do(tx, &again, now)
	})
	if errors.Is(err, fault.ErrNotFound) { // another server was faster, or the workspace is deleted
		return nil
	}
	return err
}

// overdue ends an offer that was not answered, or looks whether the booking that it became is paid.
func (s *Service) overdue(ctx context.Context, j *app.WaitJob) error {
	return s.behind(ctx, j, func(tx Tx, j *app.WaitJob, now when.Instant) error {
		e, err := tx.WaitEntry(j.Workspace, j.Entry)
		if errors.Is(err, fault.ErrNotFound) || err == nil && (e.Status != Offered || e.Offer == nil || e.Offer.Job != j.ID) {
			j.Entry = 0 // the person was erased
			return tx.UpdateWaitJob(j)
		}
		if err != nil {
			return err
		}
		lapsed := e.Taken()
		if lapsed {
			first := e.BookingID
			if first == 0 {
				first = booking.FirstOf(e.VisitID)
			}
			b, err := tx.Booking(j.Workspace, first)
			switch {
			case err != nil && !errors.Is(err, fault.ErrNotFound):
				return err
			case err == nil && b.Status == booking.Pending:
				j.Due = now.Add(pendingAgain)
				return tx.UpdateWaitJob(j)
			case err == nil && b.Status != booking.Cancelled:
				return s.hasBooked(tx, &e, now)
			}
			e.BookingID, e.VisitID = 0, 0 // what it freed is looked at by itself
		} else if e.Offer.Until > now {
			j.Due = e.Offer.Until
			return tx.UpdateWaitJob(j)
		}
		e.refuses(e.Offer.Start)
		if err := s.letOffer(tx, &e, now, !lapsed); err != nil {
			return err
		}
		if e.Silences++; e.Silences >= endsAtSilences {
			return s.end(tx, &e, BySilence, now)
		}
		return tx.UpdateWaitEntry(&e)
	})
}

// displaced tells somebody whose offer was ended by a booking of the business, or by another offer to them. They keep their
// place.
func (s *Service) displaced(ctx context.Context, j *app.WaitJob) error {
	entry := j.Entry
	return s.behind(ctx, j, func(tx Tx, j *app.WaitJob, now when.Instant) error {
		e, err := tx.WaitEntry(j.Workspace, entry)
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		if err == nil && e.Status == Offered && !e.Taken() {
			if _, err := tx.Hold(j.Workspace, e.Offer.Hold, now); err == nil { // it was offered another time since
				return tx.DeleteWaitJob(j.Workspace, j.ID)
			} else if !errors.Is(err, fault.ErrNotFound) {
				return err
			}
			if err := s.tell.Over(tx, &e, e.OverAt()); err != nil {
				return err
			}
			if err := s.letOffer(tx, &e, now, j.Start == 0); err != nil {
				return err
			}
			if err := tx.UpdateWaitEntry(&e); err != nil {
				return err
			}
		}
		return tx.DeleteWaitJob(j.Workspace, j.ID)
	})
}

// booked ends the entries of somebody who has booked what they wait for.
func (s *Service) booked(ctx context.Context, j *app.WaitJob) error {
	return s.behind(ctx, j, func(tx Tx, j *app.WaitJob, now when.Instant) error {
		b, err := tx.Booking(j.Workspace, j.Booking)
		switch {
		case err != nil && !errors.Is(err, fault.ErrNotFound):
			return err
		case err == nil && b.Status == booking.Pending: // it isn't sure yet
			j.Due = now.Add(5 * time.Minute)
			return tx.UpdateWaitJob(j)
		case err == nil && b.Status.Live():
			if err := s.endElsewhere(tx, &b, now); err != nil {
				return err
			}
		}
		return tx.DeleteWaitJob(j.Workspace, j.ID)
	})
}

func (s *Service) endElsewhere(tx Tx, b *booking.Booking, now when.Instant) error {
	setup, err := s.Core.Setup(b.WorkspaceID)
	if err != nil {
		return err
	}
	f := Filter{States: []State{Waiting, Offered}, Contact: b.ContactID, Limit: 2 * MostOfPerson}
	if key := personOf(&b.Invitee); key != "" {
		f.Persons = []string{key}
	}
	if f.Contact == 0 && len(f.Persons) == 0 {
		return nil
	}
	entries, err := tx.WaitEntries(b.WorkspaceID, f)
	if err != nil || len(entries) == 0 {
		return err
	}
	upcoming := []booking.Booking{*b}
	if b.ContactID != 0 {
		upcoming, err = tx.Bookings(b.WorkspaceID, booking.BookingFilter{Contact: b.ContactID, EndsAfter: now, LongestLookup: setup.Workspace.LongestBooking,
			Statuses: booking.StandingStatuses, Limit: 100})
		if err != nil {
			return err
		}
	}
	for i := range entries {
		e := &entries[i]
		if e.Taken() || !e.has(setup, upcoming, b.ID) {
			continue
		}
		if err := s.end(tx, e, ByElsewhere, now); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether each service of the entry is among the bookings, at a time that it wishes for. What was booked before it
// counts doesn't end it, but for the one that has been moved now.
func (e *Entry) has(setup *catalog.Setup, all []booking.Booking, now booking.BookingID) bool {
	for _, service := range e.services(setup) {
		if service == nil || !slices.ContainsFunc(all, func(b booking.Booking) bool {
			return b.EventTypeID == service.ID && e.Wants(b.Start, setup.Zone) && (b.CreatedAt >= e.ConfirmedAt || b.ID == now)
		}) {
			return false
		}
	}
	return true
}
