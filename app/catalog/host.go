package catalog

import (
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// Host is a person or a room that can be booked.
type Host struct {
	ID          HostID      `json:"id"`
	WorkspaceID WorkspaceID `json:"-"`
	Name        string      `json:"name"`
	Email       string      `json:"email"`
	TimeZone    string      `json:"timeZone"`
	Active      bool        `json:"active"`
	About       string      `json:"about"`      // a line that the booking page shows
	Picture     PictureID   `json:"picture"`    // 0 is none
	EventTypes  []Terms     `json:"eventTypes"` // those with a length or price of their own
	// WhenCalendarUnknown says what happens while another calendar of the host can't be read.
	WhenCalendarUnknown CalendarUnknown `json:"whenCalendarUnknown"`
	Hours
	CreatedAt when.Instant `json:"createdAt"`
	Connected bool         `json:"-"` // has other calendars, see app/calsync
	Busy      []slot.Span  `json:"-"` // when they say so: disjoint, by start

	schedule *slot.Schedule
	timeOff  []slot.Span    // once, everybody's too
	absences []slot.Absence // again, everybody's too
	// The public holidays, by date, and the name of each.
	holidays     []slot.Span
	holidayNames []string
	closed       *Closures // of the workspace; nil outside a Setup
	closedZone   *time.Location
	// The longest day, in minutes of hours and in ranges: the most that searching a day costs.
	dayMinutes, dayRanges int
}

// HostFields describes the fields of hosts. Check uses their bounds.
var HostFields = field.Resource{
	Text: "A person or a room that can be booked.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the host.", InFile: true},
		{Name: "name", Text: "Name of the host.", Least: 1, Most: fault.MaxName, InFile: true, Required: true},
		{Name: "email", Text: "E-mail address; no other host of the workspace has it.", Format: "email", InFile: true,
			Key: true, Required: true},
		{Name: "timeZone", Text: "IANA time zone of the hours.", InFile: true},
		{Name: "active", Text: "Whether the host can be booked.", InFile: true},
		{Name: "about", Text: "A line about the host, which the booking page shows.", Most: maxAbout, InFile: true,
			Clears: true},
		{Name: "picture", Text: "Id of the host's picture; empty is none.", InFile: true, Clears: true},
		{Name: "eventTypes", Text: "The services that take another time, or cost another price, with this host.",
			InFile: true},
		{Name: "whenCalendarUnknown", Text: "What is done while a connected calendar of the host can't be read: `book` " +
			"anyway and show a clash later, or `refuse`.", Enum: field.Values(BookAnyway, RefuseUnknown), InFile: true},
		{Name: "weekly", Text: "The hours of each day of the week; a day without hours is closed.", InFile: true},
		{Name: "overrides", Text: "Other hours on single days.", InFile: true},
		{Name: "timeOff", Text: "When the host is away, once or again and again.", InFile: true},
		{Name: "worksOnHolidays", Text: "Whether the host can be booked on the workspace's public holidays.", InFile: true},
		{Name: "createdAt", Text: "When the host was made."},
	},
}

// CalendarUnknown says what happens while it is unknown whether a host is busy.
type CalendarUnknown string

const (
	BookAnyway    CalendarUnknown = "book"
	RefuseUnknown CalendarUnknown = "refuse"
)

// Hours are a host's working hours, in wall-clock time of the host's zone, as written in the set-up file.
type Hours struct {
	Weekly    map[string][]string `json:"weekly,omitempty"` // mon … sun → "09:00-12:00"
	Overrides []Override          `json:"overrides,omitempty"`
	TimeOff   []TimeOff           `json:"timeOff,omitempty"`
	// WorksOnHolidays keeps the usual hours on public holidays. An override replaces the hours of its day in any case.
	WorksOnHolidays bool `json:"worksOnHolidays,omitempty"`
}

// Override replaces the hours of one day; without hours the day is closed.
type Override struct {
	Date  string   `json:"date"`
	Hours []string `json:"hours"`
}

// Weekdays lists the names of the days in Hours.Weekly, by time.Weekday.
var Weekdays = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

const (
	maxRangesPerDay = 24
	MaxOverrides    = 1000
	MaxHosts        = 500
	maxAbout        = 300 // characters
	MaxEventTypes   = 500
)

// Location returns the host's time zone.
func (h *Host) Location() *time.Location { return h.schedule.Zone }

// Calendar returns the host for the slot engine, without bookings.
func (h *Host) Calendar() slot.Host {
	return slot.Host{Schedule: h.schedule, TimeOff: h.timeOff, Absences: h.absences, Holidays: h.holidays}
}

// HostRef names a host within another resource.
type HostRef struct {
	ID   HostID `json:"id"`
	Name string `json:"name"`
}

// HostRefFields describes a host within another resource.
var HostRefFields = field.Resource{
	Text: "The person or room that is booked.",
	Fields: []field.Field{
		{Name: "id", Public: true, Guests: "id", Text: "Id of the host.", Agents: "Id of the host, hs_….", Example: "hs_1p4s8yvz00n1b"},
		{Name: "name", Public: true, Guests: "name", Text: "Name of the host."},
	},
}

// StartsPerDay returns the most starts that the host's longest day can have, with a start every step minutes.
func (h *Host) StartsPerDay(step int) int { return h.dayMinutes/max(1, step) + h.dayRanges }
