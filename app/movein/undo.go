package movein

import (
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
)

// undoStep is the most bookings of which an import is undone in one transaction.
const undoStep = 20

// undo undoes some of what an import did with bookings, then with services and people, and reports whether nothing is left.
// It may run many times at once.
func (s *Service) undo(ctx context.Context, im contact.Import) (done bool, err error) {
	items, err := s.Reader(ctx).OpenImportedBookings(im.Workspace, im.ID, 0, undoStep)
	if err != nil {
		return false, err
	}
	if len(items) == 0 {
		return true, s.undoMade(ctx, im)
	}
	var bookings []booking.Booking // as they are before the lock
	var moves []booking.ImportInput
	for i := range items {
		b, err := s.Reader(ctx).Booking(im.Workspace, items[i].Booking)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		bookings = append(bookings, b)
		if items[i].Found != 0 {
			moves = append(moves, items[i].back())
		}
	}
	return false, s.Write(ctx, func(tx Tx) error {
		var un *app.Importing
		if len(bookings) > 0 {
			var err error
			if un, err = s.Core.In(tx).Unimporting(ctx, app.Operator(im.Workspace), bookings, moves); err != nil {
				return err
			}
		}
		now, err := tx.LockImport(im.Workspace, im.ID)
		if errors.Is(err, fault.ErrNotFound) || err == nil && now.State != contact.Undoing { // somebody else has done it
			return nil
		}
		if err != nil {
			return err
		}
		open, err := tx.OpenImportedBookings(im.Workspace, im.ID, 0, undoStep)
		if err != nil {
			return err
		}
		for i := range open {
			if !slices.ContainsFunc(items, func(x Item) bool { return x.Booking == open[i].Booking }) {
				continue // it isn't locked
			}
			if err := s.undoBooking(tx, un, &open[i], &now); err != nil {
				return err
			}
		}
		return tx.SaveImport(&now)
	})
}

// back returns what a moved booking was before.
func (i *Item) back() booking.ImportInput {
	return booking.ImportInput{Host: i.Before.Host, EventType: i.Before.EventType, Start: i.Before.Start, End: i.Before.End}
}

// undoBooking removes a booking that the import made, or moves it back, unless it was changed since or something hangs on it.
func (s *Service) undoBooking(tx Tx, un *app.Importing, i *Item, im *contact.Import) error {
	outcome, err := s.takeBack(tx, un, i)
	if err != nil {
		return err
	}
	i.Outcome = outcome
	count(im, outcome)
	return tx.SettleImportedBooking(i)
}

func (s *Service) takeBack(tx Tx, un *app.Importing, i *Item) (contact.Outcome, error) {
	b, err := tx.Booking(i.Workspace, i.Booking)
	if errors.Is(err, fault.ErrNotFound) {
		return contact.StaysGone, nil
	}
	if err != nil {
		return 0, err
	}
	if i.Found == 0 {
		if why, err := tx.HangsOn(i.Workspace, b.ID); err != nil || why != 0 {
			return why, err
		}
	}
	if b.UpdatedAt != i.Updated || un == nil || !un.Holds(&b) {
		return contact.StaysEdited, nil
	}
	if i.Found == 0 {
		return contact.Removed, un.Remove(b)
	}
	if !b.Status.Stands() {
		return contact.StaysEnded, nil
	}
	in := i.back()
	in.Invitee = b.Invitee
	moved, err := un.MoveBack(b.ID, in)
	if fault.As(err) != nil {
		return contact.StaysTaken, nil
	}
	if err != nil {
		return 0, err
	}
	return contact.Restored, tx.MovedBack(i, moved.UpdatedAt)
}

// undoMade removes the services and the people that the import made, unless they were changed or something refers to them.
func (s *Service) undoMade(ctx context.Context, im contact.Import) error {
	services, err := s.Reader(ctx).OpenImportedServices(im.Workspace, im.ID)
	if err != nil {
		return err
	}
	people, err := s.Reader(ctx).OpenImportedHosts(im.Workspace, im.ID)
	if err != nil || len(services)+len(people) == 0 {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		err := tx.LockWorkspace(im.Workspace)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		setup, err := tx.Setup(im.Workspace)
		if err != nil {
			return err
		}
		var taken catalog.Locks = catalog.SubjectsOf(people) // who books waits, and finds them gone
		for _, id := range services {
			if e := setup.EventTypeByID(id); e != nil {
				taken = taken.And(setup.Locks(e))
			}
		}
		if _, err := tx.LockTaken(im.Workspace, taken.Without(catalog.Locks{})); err != nil {
			return err
		}
		now, err := tx.LockImport(im.Workspace, im.ID)
		if errors.Is(err, fault.ErrNotFound) || err == nil && now.State != contact.Undoing {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.undoServices(tx, setup, &now); err != nil {
			return err
		}
		if setup, err = tx.Setup(im.Workspace); err != nil {
			return err
		}
		if err := s.undoPeople(tx, setup, &now); err != nil {
			return err
		}
		return tx.SaveImport(&now)
	})
}

func (s *Service) undoServices(tx Tx, setup *catalog.Setup, im *contact.Import) error {
	open, err := tx.OpenImportedServices(im.Workspace, im.ID)
	if err != nil {
		return err
	}
	for _, id := range open {
		outcome := contact.StaysGone
		if setup.EventTypeByID(id) != nil {
			if outcome, err = tx.RemoveUnusedEventType(im.Workspace, id); err != nil {
				return err
			}
		}
		count(im, outcome)
		if err := tx.SettleImportedService(im.Workspace, im.ID, id, outcome); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) undoPeople(tx Tx, setup *catalog.Setup, im *contact.Import) error {
	open, err := tx.OpenImportedHosts(im.Workspace, im.ID)
	if err != nil {
		return err
	}
	for _, id := range open {
		outcome := contact.StaysGone
		switch {
		case setup.Host(id) == nil:
		case slices.ContainsFunc(setup.EventTypes, func(e catalog.EventType) bool { return slices.Contains(setup.Locks(&e), catalog.OfHost(id)) }):
			outcome = contact.StaysUsed
		default:
			if outcome, err = tx.RemoveUnusedHost(im.Workspace, id); err != nil {
				return err
			}
		}
		count(im, outcome)
		if err := tx.SettleImportedHost(im.Workspace, im.ID, id, outcome); err != nil {
			return err
		}
	}
	return nil
}

func count(im *contact.Import, outcome contact.Outcome) {
	if outcome > contact.Restored {
		im.Stays++
	} else {
		im.Undone++
	}
}
