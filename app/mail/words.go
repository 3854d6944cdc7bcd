package mail

import (
	"strings"

	"daybook/app/notice"
	"daybook/views"
)

// words is the paragraph in the owner's words that the event type has for this mail.
func (c *composer) words() string {
	if c.team() || c.mail.BookingID == 0 {
		return ""
	}
	asked := c.about.Booking.Invitee.Locale
	if language, _, _ := strings.Cut(asked, "-"); !strings.EqualFold(language, c.locale.Language()) {
		asked = "" // the mail is in another language
	}
	return notice.WordsFor(c.about.Event.Words, c.mail.Kind, asked, c.locale.Tag)
}

// where is the row that says where the booking takes place. Once it is over there is none, and no way into its room.
func (c *composer) where() []views.MailFact {
	b, row := &c.about.Booking, views.MailFact{Label: c.t("mail_where"), Linked: true}
	switch {
	case b.Where == nil:
		row.Value, row.Linked = b.Location, false
	case !c.over():
		row.Value = c.locale.Where(views.Where{Kind: string(b.Where.Kind), Text: b.Where.Text, Number: b.Invitee.Phone,
			Team: c.team()})
		if room := b.Room(); room != "" {
			row.Value += "\n" + room
		}
	}
	if row.Value == "" {
		return nil
	}
	return []views.MailFact{row}
}
