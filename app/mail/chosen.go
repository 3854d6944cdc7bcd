package mail

import (
	"strconv"
	"strings"

	"daybook/views"
)

// chosen are the lines of what was booked besides, and for how many.
func (c *composer) chosen() (rows []views.MailFact) {
	b := &c.about.Booking
	var extras []string
	for _, a := range b.AddOns {
		extras = append(extras, a.Title)
	}
	if len(extras) > 0 {
		rows = append(rows, views.MailFact{Label: c.t("choice_extras"), Value: strings.Join(extras, ", ")})
	}
	if b.Seats > 1 {
		text := strconv.Itoa(b.Seats)
		if len(b.Participants) > 0 {
			text += " (" + strings.Join(b.Participants, ", ") + ")"
		}
		rows = append(rows, views.MailFact{Label: c.t("choice_seats"), Value: text})
	}
	return rows
}
