package web

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/phone"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// At returns an instant in the workspace's zone.
func (c *Call) At(i when.Instant) time.Time { return i.Time().In(c.Zone()) }

// Ago is "just now", "5 minutes ago", "on Tue, Dec 1".
func (c *Call) Ago(i when.Instant) string {
	if i == 0 {
		return c.T("dash_never")
	}
	gone := c.Subjects.Now().Sub(i.Time())
	switch {
	case gone < time.Minute:
		return c.T("dash_just_now")
	case gone < time.Hour:
		return c.T("dash_minutes_ago", "Count", int(gone.Minutes()))
	case gone < 24*time.Hour:
		return c.T("dash_hours_ago", "Count", int(gone.Hours()))
	case gone < 7*24*time.Hour:
		return c.T("dash_days_ago", "Count", int(gone.Hours()/24))
	}
	return c.T("dash_on_day", "Day", c.Day(c.At(i)))
}

// Until is "in 3 hours".
func (c *Call) Until(i when.Instant) string {
	left := i.Time().Sub(c.Subjects.Now())
	switch {
	case left <= 0:
		return c.T("dash_now")
	case left < time.Hour:
		return c.T("dash_in_minutes", "Count", int(left.Minutes())+1)
	case left < 48*time.Hour:
		return c.T("dash_in_hours", "Count", int(left.Hours()+.5))
	}
	return c.T("dash_in_days", "Count", int(left.Hours()/24))
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
		return c.T("dash_today_day", "Day", c.Locale.ShortDay(t))
	case SameDay(t, when.AddDays(today, 1)):
		return c.T("dash_tomorrow_day", "Day", c.Locale.ShortDay(t))
	case SameDay(t, when.AddDays(today, -1)):
		return c.T("dash_yesterday_day", "Day", c.Locale.ShortDay(t))
	}
	return c.Day(t)
}

// SameDay reports whether two times of one zone are on the same date.
func SameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// Midnight returns the start of t's day.
func Midnight(t time.Time) time.Time { return when.DayOf(t) }

// WeekStart returns the Monday of t's week.
func WeekStart(t time.Time) time.Time {
	return when.AddDays(t, -(int(t.Weekday())+6)%7)
}

// Span returns the time from and to, in the workspace's zone.
func (c *Call) Span(from, to when.Instant) string { return c.Locale.Span(c.At(from), c.At(to), "") }

// Clock returns the time of day in the workspace's zone.
func (c *Call) Clock(i when.Instant) string { return c.Locale.Time(c.At(i), "") }

// Money returns an amount with its currency; "" for nil.
func (c *Call) Money(m *money.Money) string {
	if m == nil {
		return ""
	}
	return c.Locale.Money(views.Money{Amount: m.Amount, Currency: m.Currency})
}

// Lengths returns how long an event type takes, from the shortest to the longest of its hosts, with what must
// be chosen.
func (c *Call) Lengths(e *catalog.EventType) string {
	least, most := c.Setup.Minutes(e)
	text := c.Length(most)
	if least < most {
		text = c.Length(least) + " – " + text
	}
	return text
}

// Length returns minutes as customers read them, "1 hr 30 min".
func (c *Call) Length(minutes int) string {
	return c.Locale.Duration(time.Duration(minutes) * time.Minute)
}

// Costs returns what an event type costs at least, with what must be chosen.
func (c *Call) Costs(e *catalog.EventType) string {
	low, high, more := c.Setup.Prices(e)
	text := c.Price(low)
	if more || low.Units() < high.Units() {
		text = c.T("person_from", "Price", text)
	}
	return text
}

// Price returns a price in words where it is none.
func (c *Call) Price(m *money.Money) string {
	if m == nil {
		return c.T("dash_free")
	}
	return c.Money(m)
}

// StatusName returns the name of a booking's status.
func (c *Call) StatusName(s booking.Status) string { return c.T("dash_status_" + string(s)) }

// Invitee returns the name of whom a booking is for. Somebody who walked in has one in the reader's language.
func (c *Call) Invitee(b *booking.Booking) string {
	if b.Invitee.Name == booking.WalkIn && b.Invitee.WalksIn() {
		return c.T("book_walk_in")
	}
	return b.Invitee.Name
}

// TypeTitle returns the current title of the booking's event type.
func (c *Call) TypeTitle(b *booking.Booking) string {
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil {
		return b.Titled(e.Title)
	}
	return b.Titled(b.EventType)
}

// Row returns a booking in a list.
func (c *Call) Row(b *booking.Booking) dash.BookingRow {
	id := b.ID.String()
	row := dash.BookingRow{
		ID: id, URL: dash.BookingPath(id), Day: c.DayHeading(c.At(b.Start)), Time: c.Span(b.Start, b.End),
		Name: c.Invitee(b),
		Type: c.TypeTitle(b), Host: b.Host.Name, State: c.StateBadge(b), Price: c.Money(b.Price),
		When:       c.Day(c.At(b.Start)) + ", " + c.Clock(b.Start),
		ConfirmURL: dash.BookingDoPath(id, dash.DoConfirm), DeclineURL: dash.BookingDoPath(id, dash.DoDecline),
	}
	if len(c.Setup.Hosts) > 1 {
		row.Portrait = c.HostPortrait(b)
	}
	return row
}

// Phone returns a telephone number in groups, as people of the workspace's country read it.
func (c *Call) Phone(number string) string {
	return phone.Format(number, c.Setup.Workspace.PhoneCountry())
}

// Dialled returns a telephone number as a link has it.
func Dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}

// HostOf returns the host name of a URL, by which people recognise it.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}

// Stat returns a figure beside that of the week before; a and b are the two as numbers, for the arrow.
func (c *Call) Stat(label, value, before string, a, b int64) dash.Stat {
	s := dash.Stat{Label: label, Value: value, Before: c.T("dash_last_week", "Before", before)}
	switch {
	case a > b:
		s.Trend = "up"
	case a < b:
		s.Trend = "down"
	}
	return s
}

// FieldText returns a value of one of the workspace's own fields of contacts as people read it.
func (c *Call) FieldText(f *catalog.ContactField, value string) string {
	switch f.Type {
	case catalog.NumberField:
		return c.Locale.Decimal(value)
	case catalog.DateField:
		if day, err := time.Parse(time.DateOnly, value); err == nil {
			return fmt.Sprintf("%s %d", c.Locale.DayOfMonth(day), day.Year())
		}
	}
	return value
}
