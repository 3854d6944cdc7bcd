package app

import (
	"context"
	"crypto/hmac"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// manageURL returns the page where the invitee sees, moves and cancels the booking.
func (s *Service) manageURL(setup *catalog.Setup, id booking.BookingID) string {
	return s.baseURL + "/booking/" + booking.LinkToken(setup, id)
}

// UIDDomain returns the end of the calendar UIDs of new bookings.
func (s *Service) UIDDomain() string { return s.uidDomain }

// CalendarUID returns a booking's UID in the host's calendar, or in the invitee's and the business's if host is zero.
func (s *Service) CalendarUID(b *booking.Booking, host catalog.HostID) string {
	return b.CalendarUID(host, s.uidDomain)
}

// withSeries lets the actor of a link reach the other bookings of the same person in the series of its booking.
func (a Actor) withSeries(b *booking.Booking) Actor {
	if b.Series != nil && b.ContactID != 0 {
		a.Series, a.SeriesOf = b.Series.ID, b.ContactID
	}
	return a
}

// BookingByToken returns the booking of an invitee's link, as the invitee sees it, and the actor that the link stands
// for, who reaches its series, too. Errors: not_found, also for a token that was altered; forbidden while the workspace is suspended.
func (s *Service) BookingByToken(ctx context.Context, token string) (booking.Booking, Actor, error) {
	missing := fault.New(fault.NotFound, "", "This link leads to no booking. Use the link of your latest mail.")
	id, ok := booking.LinkedBooking(token)
	if !ok {
		return booking.Booking{}, Actor{}, missing
	}
	b, err := s.Reader(ctx).BookingByID(id)
	if err != nil {
		return booking.Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	setup, err := s.Setup(b.WorkspaceID)
	if err != nil { // a workspace is deleted before its bookings
		return booking.Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	if !hmac.Equal([]byte(booking.LinkToken(setup, id)), []byte(token)) {
		return booking.Booking{}, Actor{}, missing
	}
	if err := setup.Workspace.Open(); err != nil {
		return booking.Booking{}, Actor{}, err
	}
	actor := Actor{Kind: booking.ByInvitee, Workspace: b.WorkspaceID, Booking: id}.withSeries(&b)
	s.Present(setup, actor, &b)
	return b, actor, nil
}
