package mail

import (
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/views"
)

// words returns the paragraph in the owner's words that the event type has for this mail.
func (c *composer) words() string {
	if c.team() || c.mail.BookingID == 0 {
		return ""
	}
	asked := c.about.Booking.Invitee.Locale
	if language, _, _ := strings.Cut(asked, "-"); !strings.EqualFold(language, c.locale.Language()) {
		asked = "" // the mail is in another language
	}
	return catalog.MailWordsFor(c.about.Event.Words, c.mail.Kind, asked, c.locale.Tag)
}

// where returns the rows that say where the booking takes place, and in which rooms.
func (c *composer) where() []views.MailFact {
	rows := c.place()
	if !c.over() {
		rows = append(rows, c.rooms()...)
	}
	return rows
}

// place returns the row that says where the booking takes place, if that is known. Once it is over there is no way into
// a room.
func (c *composer) place() []views.MailFact {
	b, row := &c.about.Booking, views.MailFact{Label: c.t("mail_where"), Linked: true}
	switch {
	case b.Where == nil:
		row.Value, row.Linked = b.Location, false
	case !c.over():
		row.Value = c.locale.Where(views.Where{Kind: string(b.Where.Kind), Text: b.Where.Text, Number: b.Invitee.Phone,
			Team: c.team()})
		if room := b.VideoRoom(); room != "" {
			row.Value += "\n" + room
		}
	}
	if row.Value == "" {
		return nil
	}
	if at := b.Address(c.about.Setup); at != "" && !c.over() && !c.team() {
		row.Links = []views.Link{{Label: c.t("shop_map"), URL: views.MapURL(at)}, {Label: c.t("where_route"), URL: views.RouteURL(at)}}
	}
	return []views.MailFact{row}
}

// rooms returns the rows of the rooms and things that the booking takes: for invitees, of those that they are told of.
func (c *composer) rooms() (rows []views.MailFact) {
	all := c.about.Booking.Resources
	shown := c.about.Setup.Shown(all)
	if c.team() {
		shown = nil
		for _, ref := range all {
			if r := c.about.Setup.Resource(ref.ID); r != nil {
				shown = append(shown, r)
			}
		}
	}
	for _, r := range shown {
		rows = append(rows, views.MailFact{Label: c.t(views.ResourceKinds[string(r.Kind)][0]), Value: r.Name})
	}
	return rows
}

// chosen returns the lines of what was booked besides, and for how many.
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
