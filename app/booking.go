package app

import (
	"context"
	"errors"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
)

// Booking returns one booking. The error is not_found.
func (s *Service) Booking(ctx context.Context, a Actor, id string) (booking.Booking, error) {
	if err := a.May(MaySeeBooking); err != nil {
		return booking.Booking{}, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return booking.Booking{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return booking.Booking{}, err
	}
	if seesWritten(a, setup) {
		one := []booking.Booking{b}
		if err := s.Reader(ctx).ReadWritten(setup.Workspace.ID, one); err != nil {
			return booking.Booking{}, err
		}
		b = one[0]
	}
	s.Present(setup, a, &b)
	return b, nil
}

// History returns everything that happened to a booking, oldest first. The error is not_found.
func (s *Service) History(ctx context.Context, a Actor, id string) ([]booking.HistoryEntry, error) {
	if err := a.May(MaySeeBookings); err != nil {
		return nil, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return nil, err
	}
	return s.Reader(ctx).History(b.WorkspaceID, b.ID)
}

// Find returns the stored booking with the id. An invitee's link finds its own booking, and those of its visit or series. Errors: not_found.
func (s *Service) Find(ctx context.Context, a Actor, ref string) (booking.Booking, error) {
	if err := a.May(MaySeeBooking); err != nil {
		return booking.Booking{}, err
	}
	id, err := id.Parse[booking.BookingIDKind](ref)
	if err != nil || !a.reaches(id) && a.Series == 0 {
		return booking.Booking{}, fault.Missing("booking", ref)
	}
	b, err := s.Reader(ctx).Booking(a.Workspace, id)
	if errors.Is(err, fault.ErrNotFound) || err == nil && !a.SeesBooking(&b) {
		return booking.Booking{}, fault.Missing("booking", ref)
	}
	return b, err
}

// FindContact returns the contact of that id. The error is not_found.
func FindContact(r Reader, a Actor, ref string) (booking.Contact, error) {
	id, err := id.Parse[booking.ContactIDKind](ref)
	if err != nil {
		return booking.Contact{}, fault.Missing("contact", ref)
	}
	c, err := r.Contact(a.Workspace, id)
	if err == nil && c.Gone() {
		err = fault.ErrNotFound
	}
	return c, fault.OrMissing(err, fault.Missing("contact", ref))
}
