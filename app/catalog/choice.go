package catalog

import "strings"

// MaxSeats is how many seats a booking may ask for; the event type's seats bound it further.
const MaxSeats = 1000

// ReadChoice returns a choice as a query or a tool has it: ids with commas between them, and a number of seats or nil.
func ReadChoice(addOns string, seats *int) (c Choice) {
	if addOns != "" {
		c.AddOns = strings.Split(addOns, ",")
	}
	if seats != nil {
		c.Seats = *seats
	}
	return c
}

// Fit returns the choice as far as it can be chosen: without what the event type has not and what is too many of a
// group, and with the first add-on of a group of which one must be chosen and none is. Chosen takes what it returns.
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
