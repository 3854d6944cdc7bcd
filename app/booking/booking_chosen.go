package booking

import (
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
)

// Titled returns the title of what was booked, with its add-ons and how often: "Haircut + Beard × 2".
func (b *Booking) Titled(title string) string {
	if len(b.AddOns) == 0 && b.Seats < 2 {
		return title
	}
	var text strings.Builder
	text.WriteString(title)
	for _, a := range b.AddOns {
		text.WriteString(" + " + a.Title)
	}
	if b.Seats > 1 {
		text.WriteString(" × " + strconv.Itoa(b.Seats))
	}
	return text.String()
}

// AddOnsOf returns the ids of the booking's add-ons that the event type still has.
func (b *Booking) AddOnsOf(e *catalog.EventType) (ids []string) {
	for _, a := range b.AddOns {
		if slices.ContainsFunc(e.AddOns, func(o catalog.AddOn) bool { return o.ID == a.ID }) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
