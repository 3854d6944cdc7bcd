package app

import (
	"context"
	"crypto/hmac"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// VisitURL returns the page where the invitee sees, moves and cancels all of a visit.
func (s *Service) VisitURL(setup *catalog.Setup, visit booking.VisitID) string {
	return s.baseURL + "/visit/" + catalog.Signed(setup, catalog.VisitPurpose, visit)
}

// presentVisit makes a stored visit the one that the actor sees; all says that it has all of the visit's bookings.
func (s *Service) presentVisit(setup *catalog.Setup, a Actor, v *booking.Visit, all bool) {
	for i := range v.Items {
		s.Present(setup, a, &v.Items[i])
	}
	if all {
		v.Payment = v.PaidOnline()
	}
	if !all || !a.SeesLinks() {
		return
	}
	v.ManageURL = s.VisitURL(setup, v.ID)
	for i := range v.Items {
		if p := v.Payment; p != nil && v.Items[i].NeedsPay && p.Status != string(booking.PaymentProcessing) {
			p.URL = v.ManageURL + "/pay"
		}
	}
}

// VisitByToken returns the visit of an invitee's link, as the invitee sees it, and the actor that the link stands for,
// who reaches its bookings and its series. Errors: not_found, also for a token that was altered; forbidden while
// the workspace is suspended.
func (s *Service) VisitByToken(ctx context.Context, token string) (booking.Visit, Actor, error) {
	missing := fault.New(fault.NotFound, "", "This link leads to no booking. Use the link of your latest mail.")
	id, ok := catalog.Unsigned[booking.VisitIDKind](token)
	if !ok {
		return booking.Visit{}, Actor{}, missing
	}
	first, err := s.Reader(ctx).BookingByID(booking.FirstOf(id))
	if err != nil {
		return booking.Visit{}, Actor{}, fault.OrMissing(err, missing)
	}
	setup, err := s.Setup(first.WorkspaceID)
	if err != nil {
		return booking.Visit{}, Actor{}, fault.OrMissing(err, missing)
	}
	if !hmac.Equal([]byte(catalog.Signed(setup, catalog.VisitPurpose, id)), []byte(token)) || first.Visit == nil ||
		first.Visit.ID != id {
		return booking.Visit{}, Actor{}, missing
	}
	if err := setup.Workspace.Open(); err != nil {
		return booking.Visit{}, Actor{}, err
	}
	actor := Actor{Kind: booking.ByInvitee, Workspace: first.WorkspaceID, Booking: first.ID, Visit: first.Visit}.withSeries(&first)
	v, all, err := s.seenOf(s.Reader(ctx), actor, first.Visit)
	if err != nil {
		return booking.Visit{}, Actor{}, fault.OrMissing(err, missing)
	}
	s.presentVisit(setup, actor, &v, all)
	return v, actor, nil
}

// VisitOf returns the stored bookings of the visit that b is a part of, in its order, but for those that were deleted. It
// asks for no rights.
func (s *Service) VisitOf(ctx context.Context, b *booking.Booking) ([]booking.Booking, error) {
	if b.Visit == nil {
		return nil, nil
	}
	return bookingsOf(s.Reader(ctx), b.WorkspaceID, b.Visit)
}
