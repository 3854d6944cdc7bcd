package web

import "daybook/app/mail"

// StuckText says how many mails are waiting, since when, why and for how long; "" if none is.
func (c *Call) StuckText(stuck *mail.Stuck) string {
	if stuck.Count == 0 {
		return ""
	}
	text := " " + Counted(stuck.Count, "mail")
	if stuck.More {
		text = " More than " + Counted(stuck.Count, "mail")
	}
	text += " waiting, the first since " + c.Locale.Time(c.At(stuck.Since), "") + " on " + c.Day(c.At(stuck.Since))
	if stuck.Why != "" {
		text += ": " + stuck.Why
	}
	return text + ". The first will be given up " + c.Until(stuck.Until) + "."
}
