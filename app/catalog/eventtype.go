package catalog

import (
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// EventType is a bookable service. Its durations are minutes; its rules bind every door alike.
type EventType struct {
	ID               EventTypeID `json:"id"`
	WorkspaceID      WorkspaceID `json:"-"`
	Slug             string      `json:"slug"`
	Title            string      `json:"title"`
	Description      string      `json:"description"`
	DurationMinutes  int         `json:"durationMinutes"`
	Price            *Money      `json:"price"`
	NoShowFee        *Money      `json:"noShowFee"`
	RequiresApproval bool        `json:"requiresApproval"`
	Location         string      `json:"location"`
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

// HostRef names a host within another resource.
type HostRef struct {
	ID   HostID `json:"id"`
	Name string `json:"name"`
}

// NewEventType has the defaults of the contract: only slug, title and duration are to be filled in.
func NewEventType() EventType {
	return EventType{
		Active: true, Seats: 1, MinimumNoticeMinutes: 60, BookingWindowDays: 60,
		RefundOnCancel: RefundWithinNotice, Payment: PayOnSite, Questions: []Question{}, Hosts: []HostRef{},
		ReminderMinutes: slices.Clone(defaultReminders),
	}
}

const (
	maxDuration    = 7 * 24 * 60 // minutes
	maxBuffer      = 24 * 60     // minutes
	maxNotice      = 365 * 24 * 60
	maxWindow      = 730 // days
	maxSeats       = 1000
	MaxQuestions   = 30
	maxOptions     = 50
	maxDescription = 5000
)

// Rules are the event type's rules as the slot engine reads them.
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

// Link fills in the hosts' names and drops the hosts that the workspace does not have.
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
	if e.ReminderMinutes == nil {
		e.ReminderMinutes = slices.Clone(defaultReminders)
	}
}

// Check normalises the event type and refuses what can't be; field is where it stands in the input.
func (e *EventType) Check(field string) error {
	var p fault.Problems
	var err error
	e.Title, err = fault.CheckLine(field+".title", e.Title, 1, 200)
	p.Add(err)
	p.Add(checkSlug(field+".slug", e.Slug))
	e.Description, err = fault.CheckText(field+".description", e.Description, maxDescription)
	p.Add(err)
	e.Location, err = fault.CheckLine(field+".location", e.Location, 0, 500)
	p.Add(err)
	if e.SlotStepMinutes == 0 {
		e.SlotStepMinutes = e.DurationMinutes
	}
	p.Add(e.checkNumbers(field))
	e.ReminderMinutes, err = checkReminders(field+".reminderMinutes", e.ReminderMinutes)
	p.Add(err)
	p.Add(checkMailKinds(field+".mailsOff", e.MailsOff))
	p.Add(e.checkMoney(field))
	if len(e.Hosts) == 0 {
		p.Add(fault.Invalid(field+".hosts", "name at least one host"))
	}
	p.Add(checkQuestions(field+".questions", e.Questions))
	return p.Err()
}

// Problems is the bad_request of the event type's own fields, or nil. SaveEventType refuses them too.
func (e EventType) Problems() error {
	e.Questions = slices.Clone(e.Questions) // what check trims is not the caller's
	return e.Check("eventType")
}

func (e *EventType) checkMoney(field string) (err error) {
	if e.Price, err = checkMoney(field+".price", e.Price); err != nil {
		return err
	}
	if e.NoShowFee, err = checkMoney(field+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if err := checkChargeable(field+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if e.Price != nil && e.NoShowFee != nil && e.Price.Currency != e.NoShowFee.Currency {
		return fault.Invalid(field+".noShowFee.currency", "must be the price's currency, %s", e.Price.Currency)
	}
	if !slices.Contains([]RefundRule{RefundAlways, RefundWithinNotice, RefundNever}, e.RefundOnCancel) {
		return fault.Invalid(field+".refundOnCancel", "must be always, within_notice or never")
	}
	if e.Payment != PayOnSite && e.Payment != PayOnline {
		return fault.Invalid(field+".payment", "must be online or on_site")
	}
	if e.Payment == PayOnline {
		return checkChargeable(field+".price", e.Price)
	}
	return nil
}

func (e *EventType) checkNumbers(field string) error {
	var p fault.Problems
	for _, n := range []struct {
		name            string
		value, min, max int
	}{
		{"durationMinutes", e.DurationMinutes, 1, maxDuration},
		{"slotStepMinutes", e.SlotStepMinutes, 1, maxDuration},
		{"bufferBeforeMinutes", e.BufferBeforeMinutes, 0, maxBuffer},
		{"bufferAfterMinutes", e.BufferAfterMinutes, 0, maxBuffer},
		{"minimumNoticeMinutes", e.MinimumNoticeMinutes, 0, maxNotice},
		{"bookingWindowDays", e.BookingWindowDays, 1, maxWindow},
		{"maxPerDay", e.MaxPerDay, 0, 1440},
		{"cancellationNoticeMinutes", e.CancellationNoticeMinutes, 0, maxNotice},
		{"seats", e.Seats, 1, maxSeats},
	} {
		sameAsDuration := n.name == "slotStepMinutes" && n.value == e.DurationMinutes
		if (n.value < n.min || n.value > n.max) && !sameAsDuration {
			p.Add(fault.Invalid(field+"."+n.name, "must lie between %d and %d", n.min, n.max))
		}
	}
	return p.Err()
}
