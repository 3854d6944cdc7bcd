package web

import (
	"fmt"
	"net/url"
	"time"

	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// At is an instant in the workspace's zone.
func (c *Call) At(i when.Instant) time.Time { return i.Time().In(c.Zone()) }

// Ago is "just now", "5 minutes ago", "on Tue, Dec 1".
func (c *Call) Ago(i when.Instant) string {
	if i == 0 {
		return "never"
	}
	gone := c.Rooms.Now().Sub(i.Time())
	switch {
	case gone < time.Minute:
		return "just now"
	case gone < time.Hour:
		return Counted(int(gone.Minutes()), "minute") + " ago"
	case gone < 24*time.Hour:
		return Counted(int(gone.Hours()), "hour") + " ago"
	case gone < 7*24*time.Hour:
		return Counted(int(gone.Hours()/24), "day") + " ago"
	}
	return "on " + c.Day(c.At(i))
}

// Until is "in 3 hours".
func (c *Call) Until(i when.Instant) string {
	left := i.Time().Sub(c.Rooms.Now())
	switch {
	case left <= 0:
		return "now"
	case left < time.Hour:
		return "in " + Counted(int(left.Minutes())+1, "minute")
	case left < 48*time.Hour:
		return "in " + Counted(int(left.Hours()+.5), "hour")
	}
	return "in " + Counted(int(left.Hours()/24), "day")
}

// Counted is "1 minute" or "5 minutes".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Day is "Tue, Dec 1", with the year if it is another one, or Today, Tomorrow, Yesterday before it.
func (c *Call) Day(t time.Time) string {
	text := c.Locale.ShortDay(t)
	if t.Year() != c.Now().Year() {
		text += fmt.Sprintf(" %d", t.Year())
	}
	return text
}

// DayHeading is Day, with near days named.
func (c *Call) DayHeading(t time.Time) string {
	today := Midnight(c.Now())
	switch {
	case SameDay(t, today):
		return "Today, " + c.Locale.ShortDay(t)
	case SameDay(t, today.AddDate(0, 0, 1)):
		return "Tomorrow, " + c.Locale.ShortDay(t)
	case SameDay(t, today.AddDate(0, 0, -1)):
		return "Yesterday, " + c.Locale.ShortDay(t)
	}
	return c.Day(t)
}

// SameDay reports whether two times of one zone are on the same date.
func SameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// Midnight is the start of t's day.
func Midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// WeekStart is the Monday of t's week.
func WeekStart(t time.Time) time.Time {
	return Midnight(t).AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

// Span is the time from and to, in the workspace's zone.
func (c *Call) Span(from, to when.Instant) string { return c.Locale.Span(c.At(from), c.At(to), "") }

// Clock is the time of day in the workspace's zone.
func (c *Call) Clock(i when.Instant) string { return c.Locale.Time(c.At(i), "") }

// Money is an amount with its currency; "" for nil.
func (c *Call) Money(m *catalog.Money) string {
	if m == nil {
		return ""
	}
	return c.Locale.Money(views.Money{Amount: m.Amount, Currency: m.Currency})
}

// StateBadge is a booking's status in a word or two.
func StateBadge(b *record.Booking) dash.Badge {
	if b.Status == record.Pending && b.PendingReason != nil {
		if *b.PendingReason == record.ForPayment {
			return dash.Badge{Text: "Awaits payment", Tone: "warn"}
		}
		return dash.Badge{Text: "Needs approval", Tone: "warn"}
	}
	return dash.Badge{Text: b.Status.Label(), Tone: b.Status.Tone()}
}

// TypeTitle is the current title of the booking's event type.
func (c *Call) TypeTitle(b *record.Booking) string {
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil {
		return e.Title
	}
	return b.EventType
}

// Row is a booking in a list.
func (c *Call) Row(b *record.Booking) dash.BookingRow {
	id := b.ID.String()
	return dash.BookingRow{
		ID: id, URL: dash.BookingPath(id), Day: c.DayHeading(c.At(b.Start)), Time: c.Span(b.Start, b.End),
		Name: b.Invitee.Name,
		Type: c.TypeTitle(b), Host: b.Host.Name, State: StateBadge(b), Price: c.Money(b.Price),
		When:       c.Day(c.At(b.Start)) + ", " + c.Clock(b.Start),
		ConfirmURL: dash.BookingConfirmPath(id), DeclineURL: dash.BookingDeclinePath(id),
	}
}

// HostOf is the host name of a URL, by which people recognise it.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}

// Stat is a figure beside that of the week before; a and b are the two as numbers, for the arrow.
func Stat(label, value, before string, a, b int64) dash.Stat {
	s := dash.Stat{Label: label, Value: value, Before: "last week " + before}
	switch {
	case a > b:
		s.Trend = "up"
	case a < b:
		s.Trend = "down"
	}
	return s
}
