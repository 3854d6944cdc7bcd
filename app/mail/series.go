package mail

import (
	"daybook/app/calendar"
	"daybook/app/catalog"
	"daybook/views"
)

// seriesRows lists the other dates of a series that the mail is about.
func (c *composer) seriesRows() (rows []views.MailFact) {
	for i, part := range c.facts.Series {
		row := views.MailFact{Value: c.when(part.Start, part.End), Gone: c.over()}
		if i == 0 {
			row.Label = c.t("mail_series")
		}
		rows = append(rows, row)
	}
	return rows
}

// seriesInvitations returns the entries of those dates in the recipient's calendar; none of visits, each of which is one entry
// of several bookings.
func (c *composer) seriesInvitations() (all []*calendar.Invitation) {
	if c.mail.Kind == catalog.MailRefunded || c.mail.Kind == catalog.MailReceipt || c.about.Visit != nil {
		return nil
	}
	for i := range c.about.Series {
		b := &c.about.Series[i]
		part, facts := c.facts.Series[i], *c.facts
		if b.ID != part.Booking { // deleted since
			continue
		}
		facts.Start, facts.End, facts.Sequence, facts.Host, facts.Series = part.Start, part.End, part.Sequence, b.Host.ID, nil
		one := c.part(b)
		one.facts = &facts
		if entry := one.invitation(); entry != nil {
			all = append(all, entry)
		}
	}
	return all
}
