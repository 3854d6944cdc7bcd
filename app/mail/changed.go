package mail

import (
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
)

// keepsStart reports whether the mail is about a change that left the start as it was, to somebody who has the booking
// before and after it.
func (c *composer) keepsStart() bool {
	moved := c.mail.Kind == catalog.MailMoved || c.mail.Kind == catalog.MailTeamMoved
	return moved && c.facts.EventType != 0 && c.facts.Previous == 0 && !c.facts.Gone
}

// changes returns what a change gave the booking besides a start: "service", "host", "length". A service brings its
// length, which then is none of its own.
func (c *composer) changes() (all []string) {
	f := c.facts
	if f.PreviousEventType != 0 && c.title(f.EventType) != "" && c.title(f.PreviousEventType) != "" {
		all = append(all, "service")
	}
	if f.PreviousHost != 0 && c.about.Setup.Host(f.PreviousHost) != nil && c.leader() != "" {
		all = append(all, "host")
	}
	if f.PreviousEnd != 0 && f.PreviousEventType == 0 {
		all = append(all, "length")
	}
	return all
}

// title returns that of an event type, "" when it is gone.
func (c *composer) title(id catalog.EventTypeID) string {
	if e := c.about.Setup.EventTypeByID(id); e != nil {
		return e.Title
	}
	return ""
}

// changedText says what is another about a booking that keeps its start.
func (c *composer) changedText() string {
	all := c.changedTexts()
	if c.facts.PreviousEnd != 0 {
		end := c.facts.End.Time().In(c.zone)
		all = append(all, c.t("mail_text_changed_length", "Time", c.locale.Time(end, ""),
			"Length", c.locale.Duration(time.Duration(c.facts.End-c.facts.Start)*time.Millisecond)))
	}
	switch {
	case c.team():
		first := c.t("mail_text_team_changed", "Invitee", c.about.Booking.Invitee.Name, "Title", c.about.Event.Title)
		all = append([]string{first}, all...)
	case c.facts.Status == booking.Pending:
		all = append(all, c.t("mail_text_changed_waiting", "Name", c.about.Setup.Workspace.Name))
	default:
		all = append(all, c.t("mail_text_changed_start"))
	}
	return strings.Join(all, " ")
}

// changedTexts say that the service or the host is another one.
func (c *composer) changedTexts() (all []string) {
	for _, what := range c.changes() {
		switch what {
		case "service":
			all = append(all, c.t("mail_text_changed_service", "Title", c.title(c.facts.EventType),
				"Before", c.title(c.facts.PreviousEventType)))
		case "host":
			all = append(all, c.t("mail_text_changed_host", "Host", c.leader(),
				"Before", c.about.Setup.Host(c.facts.PreviousHost).Name))
		}
	}
	return all
}
