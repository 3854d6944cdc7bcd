package web

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/contact"
)

// Author is who wrote an entry or took a photograph: of an address, what stands before the @.
func (c *Call) Author(a contact.Author) string {
	switch {
	case a.Name != "":
		name, _, _ := strings.Cut(a.Name, "@")
		return name
	case a.Actor == booking.ByOwner && a.By != "":
		return c.T("card_left")
	case a.Actor == booking.ByAPI, a.Actor == booking.ByAgent:
		return c.T("card_program")
	}
	return ""
}
