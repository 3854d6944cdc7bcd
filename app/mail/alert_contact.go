package mail

import (
	"strings"

	"daybook/app/booking"
)

// ContactText returns the customer's name, contact details and message, for mails to the team, a line each.
func ContactText(b *booking.Booking) string {
	lines := []string{b.Invitee.Name}
	for _, text := range []string{b.Invitee.Email, b.Invitee.Phone} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	if b.Notes != "" {
		lines = append(lines, "", b.Notes)
	}
	return strings.Join(lines, "\n")
}
