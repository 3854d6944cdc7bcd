package page

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
)

// shop returns what the workspace says of itself. It has opening hours where people come to it.
func (c *call) shop(offered []*catalog.EventType) views.Shop {
	t := &c.setup.Workspace.Settings
	s := views.Shop{About: t.About, Address: t.Address, Phone: t.Phone, ReviewsURL: t.ReviewsURL}
	if s.Address != "" {
		s.MapURL = views.MapURL(s.Address)
	}
	if s.Phone != "" {
		s.PhoneURL = "tel:" + Dialled(s.Phone, c.setup.Workspace.PhoneCountry())
	}
	if c.visited(offered) {
		at := Visitor{Locale: c.locale, Clock: c.query.Clock}
		if c.query.TimeZone != "" {
			at.Zone = c.zone
		}
		c.profile(offered).AddHours(&s, at)
	}
	return s
}

// profile returns what the page says of the business.
func (c *call) profile(offered []*catalog.EventType) Business {
	return Business{Setup: c.setup, BaseURL: c.service.BaseURL(), Now: c.service.Now(),
		Visited: c.visited(offered)}
}

// visited reports whether people come to the business: it has an address, or something takes place there.
func (c *call) visited(offered []*catalog.EventType) bool {
	return c.setup.Workspace.Settings.Address != "" || slices.ContainsFunc(offered, inPerson)
}

// inPerson reports whether people come to an event type: it says so, or its location is no call.
func inPerson(e *catalog.EventType) bool {
	if e.Where != nil {
		return e.Where.Kind == catalog.InPerson
	}
	return atPlace(e.Location)
}

// bookedInPerson is the same of a booking.
func bookedInPerson(b *booking.Booking) bool {
	if b.Where != nil {
		return b.Where.Kind == catalog.InPerson
	}
	return atPlace(b.Location)
}

func atPlace(location string) bool { return location != "" && !booking.Online(location) }

// atShop shows times in the workspace's zone, wherever the visitor is: they come to the place.
func (c *call) atShop() {
	c.elsewhere = c.query.TimeZone != "" && Differ(c.zone, c.setup.Zone, c.service.Now())
	c.zone, c.zoneWrong, c.fixed = c.setup.Zone, false, true
}
