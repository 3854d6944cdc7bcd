package mail

import (
	"strings"

	"daybook/app/booking"
)

// ContactText returns who comes and how they are reached, a line each, and what they wrote.
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
