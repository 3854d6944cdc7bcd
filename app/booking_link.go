package app

import (
	"context"
	"crypto/hmac"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
)

// manageURL is the page where the invitee sees, moves and cancels the booking.
func (s *Service) manageURL(setup *catalog.Setup, id record.BookingID) string {
	return s.baseURL + "/booking/" + record.LinkToken(setup, id)
}

// UIDDomain is the end of the calendar UIDs of new bookings.
func (s *Service) UIDDomain() string { return s.uidDomain }

// CalendarUID is a booking's UID in the host's calendar, or in the invitee's and the business's if host is zero.
func (s *Service) CalendarUID(b *record.Booking, host catalog.HostID) string {
	return b.CalendarUID(host, s.uidDomain)
}

// BookingByToken returns the booking of an invitee's link, as the invitee sees it, and the actor for whoever holds the
// link. The error is not_found, also for a token that was altered.
func (s *Service) BookingByToken(ctx context.Context, token string) (record.Booking, Actor, error) {
	missing := &fault.Error{Code: fault.NotFound,
		Message: "This link leads to no booking. Use the link of your latest mail."}
	id, ok := record.LinkedBooking(token)
	if !ok {
		return record.Booking{}, Actor{}, missing
	}
	b, err := s.Reader(ctx).BookingByID(id)
	if err != nil {
		return record.Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	setup, err := s.Setup(b.WorkspaceID)
	if err != nil { // a workspace is deleted before its bookings
		return record.Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	if !hmac.Equal([]byte(record.LinkToken(setup, id)), []byte(token)) {
		return record.Booking{}, Actor{}, missing
	}
	actor := Actor{Kind: record.ByInvitee, Workspace: b.WorkspaceID, Booking: id}
	s.Present(setup, actor, &b)
	return b, actor, nil
}
