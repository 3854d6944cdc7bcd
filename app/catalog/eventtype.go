package catalog

import (
	"slices"
	"time"

	"daybook/app/slot"
	"daybook/app/when"
)

// EventType is a bookable service. Its durations are in minutes; its rules apply at every door.
type EventType struct {
	ID               EventTypeID `json:"id"`
	WorkspaceID      WorkspaceID `json:"-"`
	Slug             string      `json:"slug"`
	Title            string      `json:"title"`
	Description      string      `json:"description"`
	DurationMinutes  int         `json:"durationMinutes"`
	Price            *Money      `json:"price"`
	NoShowFee        *Money      `json:"noShowFee"`
	TaxRate          *Rate       `json:"taxRate"` // nil is the workspace's
	RequiresApproval bool        `json:"requiresApproval"`
	Location         string      `json:"location"`
	Color            Color       `json:"color,omitempty"` // "" leaves it to the calendar
	AsksFor          Asks        `json:"asksFor"`
	Hosts            []HostRef   `json:"hosts"`
	Questions        []Question  `json:"questions"`
	Seats            int         `json:"seats"`
	BookingURL       string      `json:"bookingUrl"`
	Active           bool        `json:"active"`

	SlotStepMinutes           int           `json:"slotStepMinutes"`
	BufferBeforeMinutes       int           `json:"bufferBeforeMinutes"`
	BufferAfterMinutes        int           `json:"bufferAfterMinutes"`
	MinimumNoticeMinutes      int           `json:"minimumNoticeMinutes"`
	BookingWindowDays         int           `json:"bookingWindowDays"`
	MaxPerDay                 int           `json:"maxPerDay"` // 0 is no cap
	CancellationNoticeMinutes int           `json:"cancellationNoticeMinutes"`
	RefundOnCancel            RefundRule    `json:"refundOnCancel"`
	Payment                   PaymentMethod `json:"payment"`
	ReminderMinutes           []int         `json:"reminderMinutes"` // before the start; empty is none
	MailsOff                  []MailKind    `json:"mailsOff,omitempty"`

	CreatedAt when.Instant `json:"createdAt"`
	Position  int          `json:"-"`
}

// NewEventType returns an event type with the defaults of the contract: only slug, title and duration must be filled
// in.
func NewEventType() EventType {
	return EventType{
		Active: true, Seats: 1, MinimumNoticeMinutes: 60, BookingWindowDays: 60,
		RefundOnCancel: RefundWithinNotice, Payment: PayOnSite, AsksFor: AskEmail,
		Questions: []Question{}, Hosts: []HostRef{},
		ReminderMinutes: slices.Clone(defaultReminders),
	}
}

const (
	maxDuration  = 7 * 24 * 60 // minutes
	maxBuffer    = 24 * 60     // minutes
	maxNotice    = 365 * 24 * 60
	MaxQuestions = 30
	maxOptions   = 50
)

// Rules returns the event type's rules for the slot engine.
func (e *EventType) Rules() slot.Rules {
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	return slot.Rules{
		Duration: minutes(e.DurationMinutes), Step: minutes(e.SlotStepMinutes),
		BufferBefore: minutes(e.BufferBeforeMinutes), BufferAfter: minutes(e.BufferAfterMinutes),
		MinimumNotice: minutes(e.MinimumNoticeMinutes), Window: time.Duration(e.BookingWindowDays) * when.Day,
		MaxPerDay: e.MaxPerDay, Seats: e.Seats, Inactive: !e.Active,
	}
}

// ServedBy reports whether the host serves the event type.
func (e *EventType) ServedBy(id HostID) bool {
	return slices.ContainsFunc(e.Hosts, func(h HostRef) bool { return h.ID == id })
}

// Link fills in the hosts' names and drops hosts that the workspace does not have.
func (e *EventType) Link(s *Setup) {
	kept := make([]HostRef, 0, len(e.Hosts))
	for _, ref := range e.Hosts {
		if h := s.Host(ref.ID); h != nil {
			kept = append(kept, HostRef{ID: h.ID, Name: h.Name})
		}
	}
	e.Hosts = kept
	if e.Questions == nil {
		e.Questions = []Question{}
	}
	if e.AsksFor == "" { // it was saved before there was a choice
		e.AsksFor = AskEmail
	}
	if e.ReminderMinutes == nil {
		e.ReminderMinutes = slices.Clone(defaultReminders)
	}
}
