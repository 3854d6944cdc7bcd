package catalog

import (
	"time"

	"daybook/app/slot"
	"daybook/app/when"
)

// Host is a person or a room that bookings take the time of.
type Host struct {
	ID          HostID      `json:"id"`
	WorkspaceID WorkspaceID `json:"-"`
	Name        string      `json:"name"`
	Email       string      `json:"email"`
	TimeZone    string      `json:"timeZone"`
	Active      bool        `json:"active"`
	Hours
	CreatedAt when.Instant `json:"createdAt"`

	schedule *slot.Schedule
	timeOff  []slot.Span
	// The longest of the days, in minutes of hours and in ranges: what a search of a day costs at most.
	dayMinutes, dayRanges int
}

// Hours are when a host works, in wall-clock time of the host's zone, as the set-up file writes them.
type Hours struct {
	Weekly    map[string][]string `json:"weekly,omitempty"` // mon … sun → "09:00-12:00"
	Overrides []Override          `json:"overrides,omitempty"`
	TimeOff   []TimeOff           `json:"timeOff,omitempty"`
}

// Override replaces the hours that begin on one day; no hours is a closed day.
type Override struct {
	Date  string   `json:"date"`
	Hours []string `json:"hours"`
}

// TimeOff is a span in which a host is away, whatever the hours say.
type TimeOff struct {
	Start  when.Instant `json:"start"`
	End    when.Instant `json:"end"`
	Reason string       `json:"reason,omitempty"`
}

// Weekdays are the names of the days in Hours.Weekly, by time.Weekday.
var Weekdays = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

const (
	maxRangesPerDay = 24
	MaxOverrides    = 1000
	MaxTimeOff      = 1000
	MaxAwayReason   = 200 // characters, why a host is off
	MaxHosts        = 500
	MaxEventTypes   = 500
)

// Location is the host's time zone.
func (h *Host) Location() *time.Location { return h.schedule.Zone }

// Calendar is the host as the slot engine reads it, without bookings.
func (h *Host) Calendar() slot.Host { return slot.Host{Schedule: h.schedule, TimeOff: h.timeOff} }

// HostRef names a host within another resource.
type HostRef struct {
	ID   HostID `json:"id"`
	Name string `json:"name"`
}

// StartsPerDay is how many starts the host's longest day has at most, with a grid of step minutes.
func (h *Host) StartsPerDay(step int) int { return h.dayMinutes/max(1, step) + h.dayRanges }
