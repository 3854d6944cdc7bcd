package app

import (
	"strings"

	"daybook/app/fault"
)

// TakeOver adds what c lacks from gone.
func (c *Contact) TakeOver(gone *Contact) error {
	if gone.ID == c.ID {
		return fault.Invalid("into", "choose another contact")
	}
	if c.Phone == "" {
		c.Phone = gone.Phone
	}
	if c.TimeZone == "" {
		c.TimeZone = gone.TimeZone
	}
	c.Notes = strings.TrimSpace(c.Notes + "\n\n" + gone.Notes)
	if len([]rune(c.Notes)) > 5000 {
		return fault.Invalid("into", "together their notes are longer than 5000 characters; shorten one of them first")
	}
	return nil
}
