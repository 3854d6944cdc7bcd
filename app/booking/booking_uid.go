package booking

import (
	"cmp"
	"net/url"
	"strings"

	"daybook/app/catalog"
	"daybook/app/id"
)

// CalendarUID returns a booking's UID in calendars. It is the same in mails, files and feeds, so that they update one
// event, and never changes, even if the base URL does: domain is used only if the booking has none of its own. Each
// host has a separate event, because a booking may move from one host's calendar to another's; host is zero for the
// invitee's and the business's calendars.
func (b *Booking) CalendarUID(host catalog.HostID, domain string) string {
	name := b.ID.String()
	if host != 0 {
		name += "-" + host.String()
	}
	return name + "@" + cmp.Or(b.UIDDomain, domain)
}

// InVisit reports whether the booking is one of several of a visit.
func (b *Booking) InVisit() bool { return b.Visit != nil && b.Visit.Of > 1 }

// EndsDeclined reports whether the business declines the booking when it ends that one alone. One of a visit is cancelled:
// declining it would end the others that are pending.
func (b *Booking) EndsDeclined() bool { return b.Status == Pending && !b.InVisit() }

// VisitUID returns the UID of the one entry that a visit has in its invitee's calendar, by any of its bookings. It never
// changes, as CalendarUID.
func (b *Booking) VisitUID(domain string) string {
	return b.Visit.ID.String() + "@" + cmp.Or(b.UIDDomain, domain)
}

// UIDDomain returns the end of the UIDs of new bookings: the host of the base URL.
func UIDDomain(base *url.URL) string {
	if base != nil && base.Hostname() != "" {
		return base.Hostname()
	}
	return "daybook.invalid"
}

// CopyUID returns the UID of a booking's copies in hosts' other calendars.
func (b *Booking) CopyUID(domain string) string { return copyPrefix + b.CalendarUID(0, domain) }

const copyPrefix = "daybook-"

// OfUID returns the id of the booking in a UID: that of a copy, or of an event of our invitations and feeds, which a
// host may have imported into a calendar; of a visit, its first. The caller must look up whether the booking exists.
func OfUID(uid string) (BookingID, bool) {
	name, _, ok := strings.Cut(strings.TrimPrefix(uid, copyPrefix), "@")
	if !ok {
		return 0, false
	}
	name, _, _ = strings.Cut(name, "-")
	b, err := id.Parse[BookingIDKind](name)
	if err != nil {
		visit, err := id.Parse[VisitIDKind](name)
		return FirstOf(visit), err == nil
	}
	return b, err == nil
}
