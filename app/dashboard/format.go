package dashboard

import (
	"fmt"
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

func (c *call) at(i when.Instant) time.Time { return i.Time().In(c.zone()) }

// ago is "just now", "5 minutes ago", "on Tue, Dec 1".
func (c *call) ago(i when.Instant) string {
	if i == 0 {
		return "never"
	}
	gone := c.door.Now().Sub(i.Time())
	switch {
	case gone < time.Minute:
		return "just now"
	case gone < time.Hour:
		return counted(int(gone.Minutes()), "minute") + " ago"
	case gone < 24*time.Hour:
		return counted(int(gone.Hours()), "hour") + " ago"
	case gone < 7*24*time.Hour:
		return counted(int(gone.Hours()/24), "day") + " ago"
	}
	return "on " + c.day(c.at(i))
}

// until is "in 3 hours".
func (c *call) until(i when.Instant) string {
	left := i.Time().Sub(c.door.Now())
	switch {
	case left <= 0:
		return "now"
	case left < time.Hour:
		return "in " + counted(int(left.Minutes())+1, "minute")
	case left < 48*time.Hour:
		return "in " + counted(int(left.Hours()+.5), "hour")
	}
	return "in " + counted(int(left.Hours()/24), "day")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// day is "Tue, Dec 1", with the year when that is not this one, or Today, Tomorrow, Yesterday before it.
func (c *call) day(t time.Time) string {
	text := c.locale.ShortDay(t)
	if t.Year() != c.now().Year() {
		text += fmt.Sprintf(" %d", t.Year())
	}
	return text
}

// dayHeading is day with the near ones named.
func (c *call) dayHeading(t time.Time) string {
	today := midnight(c.now())
	switch {
	case sameDay(t, today):
		return "Today, " + c.locale.ShortDay(t)
	case sameDay(t, today.AddDate(0, 0, 1)):
		return "Tomorrow, " + c.locale.ShortDay(t)
	case sameDay(t, today.AddDate(0, 0, -1)):
		return "Yesterday, " + c.locale.ShortDay(t)
	}
	return c.day(t)
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// weekStart is the Monday of t's week.
func weekStart(t time.Time) time.Time {
	return midnight(t).AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

func (c *call) span(from, to when.Instant) string { return c.locale.Span(c.at(from), c.at(to), "") }

func (c *call) clock(i when.Instant) string { return c.locale.Time(c.at(i), "") }

func (c *call) money(m *app.Money) string {
	if m == nil {
		return ""
	}
	return c.locale.Money(views.Money{Amount: m.Amount, Currency: m.Currency})
}

var stateBadges = map[app.Status]dash.Badge{
	app.Confirmed: {Text: "Confirmed", Tone: "good"}, app.Rescheduled: {Text: "Moved", Tone: "good"}, app.Pending: {Text: "Pending", Tone: "warn"},
	app.Cancelled: {Text: "Cancelled"}, app.NoShow: {Text: "No-show", Tone: "bad"},
}

func stateBadge(b *app.Booking) dash.Badge {
	if b.Status == app.Pending && b.PendingReason != nil {
		if *b.PendingReason == app.ForPayment {
			return dash.Badge{Text: "Awaits payment", Tone: "warn"}
		}
		return dash.Badge{Text: "Awaits you", Tone: "warn"}
	}
	return stateBadges[b.Status]
}

// typeTitle is the event type's title of today.
func (c *call) typeTitle(b *app.Booking) string {
	if e := c.setup.EventTypeByID(b.EventTypeID); e != nil {
		return e.Title
	}
	return b.EventType
}

func (c *call) row(b *app.Booking) dash.BookingRow {
	id := b.ID.String()
	return dash.BookingRow{
		ID: id, URL: dash.BookingPath(id), Day: c.dayHeading(c.at(b.Start)), Time: c.span(b.Start, b.End), Name: b.Invitee.Name,
		Type: c.typeTitle(b), Host: b.Host.Name, State: stateBadge(b), Price: c.money(b.Price),
		When:       c.day(c.at(b.Start)) + ", " + c.clock(b.Start),
		ConfirmURL: dash.BookingConfirmPath(id), DeclineURL: dash.BookingDeclinePath(id),
	}
}

// hostOf is the part of an address by which people know it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}
