package catalog

import "strings"

// MaxSeats is the most seats of one booking; the event type may have fewer.
const MaxSeats = 1000

// ReadChoice returns the choice in a query or in the arguments of a tool: ids separated by commas, and a number of
// seats or nil.
func ReadChoice(addOns string, seats *int) (c Choice) {
	if addOns != "" {
		c.AddOns = strings.Split(addOns, ",")
	}
	if seats != nil {
		c.Seats = *seats
	}
	return c
}

// Fit returns the nearest choice that Chosen accepts: it drops unknown add-ons and those over a group's maximum, and
// adds the first add-on of each required group of which none is chosen.
func (e *EventType) Fit(c Choice) Choice {
	fits := Choice{AddOns: e.extras().Fit(c.AddOns), Seats: min(max(1, c.Seats), max(1, e.Seats))}
	for fits.Seats > 1 { // together they may cost more than can be charged at once
		if _, err := e.Chosen(fits); err == nil {
			break
		}
		fits.Seats--
	}
	return fits
}

// HasChoice reports whether anything can be chosen of the event type.
func (e *EventType) HasChoice() bool { return len(e.AddOns) > 0 || e.Seats > 1 }
