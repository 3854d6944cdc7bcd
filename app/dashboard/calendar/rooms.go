package calendar

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/views/dash"
)

// hasRooms reports whether the calendar can show a column for each room and thing. Staff, who see their own bookings
// only, would take for free what others have booked.
func (b *board) hasRooms() bool {
	return !b.Actor.Own() && slices.ContainsFunc(b.Setup.Resources, func(r catalog.Resource) bool { return r.Active })
}

// roomDays returns the day of each room and thing that is active or has bookings.
func (b *board) roomDays() (all []hostDay) {
	var found []*booking.Booking
	for _, list := range b.of {
		found = append(found, list...)
	}
	slices.SortFunc(found, func(x, y *booking.Booking) int {
		if x.Start != y.Start {
			return int(min(1, max(-1, x.Start-y.Start)))
		}
		return int(min(1, max(-1, x.ID-y.ID)))
	})
	found = slices.Compact(found) // one that several do stands in each of their lists
	for _, kind := range catalog.ResourceKinds {
		for i := range b.Setup.Resources {
			r := &b.Setup.Resources[i]
			if r.Kind != kind {
				continue
			}
			var takes, works []*booking.Booking // all the while, and while the host works
			for _, k := range found {
				at := slices.IndexFunc(k.Resources, func(ref catalog.ResourceRef) bool { return ref.ID == r.ID })
				switch {
				case at < 0:
				case k.Resources[at].During == catalog.DuringWork:
					works = append(works, k)
				default:
					takes = append(takes, k)
				}
			}
			if !r.Active && len(takes)+len(works) == 0 {
				continue
			}
			if len(all) == maxColumns {
				b.view.TooMany = true
				return all
			}
			all = append(all, b.roomDay(r, takes, works))
		}
	}
	return all
}

func (b *board) roomDay(r *catalog.Resource, takes, works []*booking.Booking) hostDay {
	next := when.AddDays(b.day, 1)
	d := hostDay{name: r.Name, room: r.ID, day: b.day, away: r.Away(b.day, next), busy: spansOn(b.full[r.ID], b.day),
		items: itemsOn(b.Setup, takes, b.day)}
	d.items = append(d.items, inParts(itemsOn(b.Setup, works, b.day), b.day)...)
	slices.SortStableFunc(d.items, func(a, b item) int { return a.from - b.from })
	for _, x := range r.OpenBetween(b.day, next) {
		if s, on := spanOn(b.day, x.From, x.To); on {
			d.open = append(d.open, s)
		}
	}
	return d
}

// roomHours returns the hours that the hosts work on the day, which say what of it the rooms' columns show: a room that
// can be used at any time would have them show all of it.
func (b *board) roomHours(day time.Time) (open []span) {
	for _, h := range b.columns() {
		open = append(open, openOn(h, day)...)
	}
	return open
}

// columnTabs leads from the columns of people to those of rooms, and back.
func (b *board) columnTabs() []dash.Tab {
	t := b.Locale.T
	return []dash.Tab{{Label: t("rooms_people"), URL: b.at("view", ""), Current: !b.rooms},
		{Label: t("rooms_columns"), URL: b.at("view", roomsView, "host", ""), Current: b.rooms}}
}
