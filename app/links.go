package app

import (
	"cmp"
	"crypto/hmac"
	"net/url"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
)

// manageURL is where the invitee sees, moves and cancels the booking.
func (s *Service) manageURL(setup *catalog.Setup, id record.BookingID) string {
	return s.baseURL + "/booking/" + record.LinkToken(setup, id)
}

// BookingByToken finds the booking of an invitee's link, as that invitee sees it, and the actor that the link makes
// its holder. A token that was altered names nothing.
func (s *Service) BookingByToken(token string) (record.Booking, Actor, error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "This link leads to no booking. Use the link of your latest mail."}
	n := id.Digits(record.BookingIDKind{})
	if len(token) <= n {
		return record.Booking{}, Actor{}, missing
	}
	id, err := id.Parse[record.BookingIDKind](record.BookingIDKind{}.Prefix() + token[:n])
	if err != nil {
		return record.Booking{}, Actor{}, missing
	}
	b, err := s.store.BookingByID(id)
	if err != nil {
		return record.Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	setup, err := s.Setup(b.WorkspaceID)
	if err != nil { // a deleted workspace is gone before its bookings are
		return record.Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	if !hmac.Equal([]byte(record.LinkToken(setup, id)), []byte(token)) {
		return record.Booking{}, Actor{}, missing
	}
	actor := Actor{Kind: record.ByInvitee, Workspace: b.WorkspaceID, Booking: id}
	s.Present(setup, actor, &b)
	return b, actor, nil
}

// Present fills in what a stored booking does not hold: names, and the links that the actor may see.
func (s *Service) Present(setup *catalog.Setup, a Actor, b *record.Booking) {
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		b.EventType = e.Slug
	}
	if h := setup.Host(b.Host.ID); h != nil {
		b.Host.Name = h.Name
	}
	if p := b.Payment; p != nil {
		shown := *p
		shown.Kind = p.For()
		b.Payment = &shown
	}
	if !a.SeesLinks() {
		return
	}
	b.ManageURL = s.manageURL(setup, b.ID)
	if p := b.Payment; p != nil && b.PendingReason != nil && *b.PendingReason == record.ForPayment && p.Status != string(record.PaymentProcessing) {
		shown := *p // what is stored has no link
		shown.URL = b.ManageURL + "/pay"
		b.Payment = &shown
	}
	if n := b.NoShow; n != nil && n.Fee != nil && (n.Fee.Status == string(record.PaymentFailed) || n.Fee.Status == string(record.PaymentNeedsYou)) {
		fee := *n.Fee
		fee.URL = b.ManageURL + "/pay"
		b.NoShow = &record.NoShowRecord{At: n.At, Fee: &fee}
	}
}

// CalendarUID names a booking in calendars: the same in mails, files and feeds, so that each updates the event of the
// others, and for good, whatever becomes of the base URL. A host's event is one of its own, because a booking may pass
// from one host's calendar to another's; host is zero for the invitee's and the business's.
func (s *Service) CalendarUID(b *record.Booking, host catalog.HostID) string {
	name := b.ID.String()
	if host != 0 {
		name += "-" + host.String()
	}
	return name + "@" + cmp.Or(b.UIDDomain, s.UidDomain())
}

// UidDomain is what the names of new bookings in calendars end with: the host of the base URL.
func (s *Service) UidDomain() string {
	if u, err := url.Parse(s.BaseURL()); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "daybook.invalid"
}
