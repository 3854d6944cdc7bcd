package app

import (
	"cmp"
	"net/url"

	"daybook/app/catalog"
	"daybook/app/record"
)

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
