package web

import "daybook/app/mail"

// StuckText says how many mails are waiting, since when, why and for how long; "" if none is.
func (c *Call) StuckText(stuck *mail.Stuck) string {
	if stuck.Count == 0 {
		return ""
	}
	at := c.At(stuck.Since)
	args := []any{"Count", stuck.Count, "Time", c.Locale.Time(at, ""), "Day", c.Day(at)}
	text := " "
	if stuck.More {
		text += c.T("dash_stuck_more", args...)
	} else {
		text += c.T("dash_stuck", args...)
	}
	if stuck.Why != "" {
		text += " " + c.T("dash_stuck_why", "Why", stuck.Why)
	}
	return text + " " + c.T("dash_stuck_until", "When", c.Until(stuck.Until))
}
