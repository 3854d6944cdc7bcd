package app

import (
	"cmp"
	"crypto/hmac"
	"net/url"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
)

// An invitee's link holds the booking's id and a MAC of it under the workspace's link key (HMAC-SHA256 cut to 128
// bits), so that it can't be guessed and takes no room in the database.

// linkToken names a booking in its invitee's link.
func linkToken(s *catalog.Setup, id BookingID) string {
	text := strings.TrimPrefix(id.String(), BookingIDKind{}.Prefix())
	return text + s.MAC(text)
}

// manageURL is where the invitee sees, moves and cancels the booking.
func (s *Service) manageURL(setup *catalog.Setup, id BookingID) string {
	return s.baseURL + "/booking/" + linkToken(setup, id)
}

// BookingByToken finds the booking of an invitee's link, as that invitee sees it, and the actor that the link makes
// its holder. A token that was altered names nothing.
func (s *Service) BookingByToken(token string) (Booking, Actor, error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "This link leads to no booking. Use the link of your latest mail."}
	n := id.Digits(BookingIDKind{})
	if len(token) <= n {
		return Booking{}, Actor{}, missing
	}
	id, err := id.Parse[BookingIDKind](BookingIDKind{}.Prefix() + token[:n])
	if err != nil {
		return Booking{}, Actor{}, missing
	}
	b, err := s.store.BookingByID(id)
	if err != nil {
		return Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	setup, err := s.Setup(b.WorkspaceID)
	if err != nil { // a deleted workspace is gone before its bookings are
		return Booking{}, Actor{}, fault.OrMissing(err, missing)
	}
	if !hmac.Equal([]byte(linkToken(setup, id)), []byte(token)) {
		return Booking{}, Actor{}, missing
	}
	actor := Actor{Kind: ByInvitee, Workspace: b.WorkspaceID, Booking: id}
	s.Present(setup, actor, &b)
	return b, actor, nil
}

// Present fills in what a stored booking does not hold: names, and the links that the actor may see.
func (s *Service) Present(setup *catalog.Setup, a Actor, b *Booking) {
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		b.EventType = e.Slug
	}
	if h := setup.Host(b.Host.ID); h != nil {
		b.Host.Name = h.Name
	}
	if p := b.Payment; p != nil {
		shown := *p
		shown.Kind = p.kind()
		b.Payment = &shown
	}
	if !a.SeesLinks() {
		return
	}
	b.ManageURL = s.manageURL(setup, b.ID)
	if p := b.Payment; p != nil && b.PendingReason != nil && *b.PendingReason == ForPayment && p.Status != string(PaymentProcessing) {
		shown := *p // what is stored has no link
		shown.URL = b.ManageURL + "/pay"
		b.Payment = &shown
	}
	if n := b.NoShow; n != nil && n.Fee != nil && (n.Fee.Status == string(PaymentFailed) || n.Fee.Status == string(PaymentNeedsYou)) {
		fee := *n.Fee
		fee.URL = b.ManageURL + "/pay"
		b.NoShow = &NoShowRecord{At: n.At, Fee: &fee}
	}
}

// CalendarUID names a booking in calendars: the same in mails, files and feeds, so that each updates the event of the
// others, and for good, whatever becomes of the base URL. A host's event is one of its own, because a booking may pass
// from one host's calendar to another's; host is zero for the invitee's and the business's.
func (s *Service) CalendarUID(b *Booking, host catalog.HostID) string {
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
