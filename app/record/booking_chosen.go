package record

import (
	"strconv"
	"strings"
)

// Titled is the title of what was booked, with its add-ons and how often: "Haircut + Beard × 2".
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
