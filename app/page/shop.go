package page

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
)

// shop is what the workspace says of itself. It has opening hours where people come to it.
func (v *visit) shop(offered []*catalog.EventType) views.Shop {
	t := &v.setup.Workspace.Settings
	s := views.Shop{About: t.About, Address: t.Address, Phone: t.Phone}
	if s.Address != "" {
		s.MapURL = MapURL(s.Address)
	}
	if s.Phone != "" {
		s.PhoneURL = "tel:" + Dialled(s.Phone, v.setup.Workspace.PhoneCountry())
	}
	if v.visited(offered) {
		at := Visitor{Locale: v.locale, Clock: v.query.Clock}
		if v.query.TimeZone != "" {
			at.Zone = v.zone
		}
		v.profile(offered).AddHours(&s, at)
	}
	return s
}

// profile is what the page says of the business.
func (v *visit) profile(offered []*catalog.EventType) Business {
	return Business{Setup: v.setup, BaseURL: v.service.BaseURL(), Now: v.service.Now(),
		Visited: v.visited(offered)}
}

// visited reports whether people come to the business: it has an address, or something takes place there.
func (v *visit) visited(offered []*catalog.EventType) bool {
	return v.setup.Workspace.Settings.Address != "" || slices.ContainsFunc(offered, inPerson)
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

func atPlace(location string) bool { return location != "" && !Online(location) }

// atShop shows times in the workspace's zone, wherever the visitor is: they come to the place.
func (v *visit) atShop() {
	v.elsewhere = v.query.TimeZone != "" && Differ(v.zone, v.setup.Zone, v.service.Now())
	v.zone, v.zoneWrong, v.fixed = v.setup.Zone, false, true
}
