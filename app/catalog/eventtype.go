package catalog

import (
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
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
	maxDuration  = 7 * 24 * 60 // minutes
	maxBuffer    = 24 * 60     // minutes
	maxNotice    = 365 * 24 * 60
	MaxQuestions = 30
	maxOptions   = 50
)

// refundRules are all that RefundOnCancel may be.
var refundRules = []RefundRule{RefundAlways, RefundWithinNotice, RefundNever}

// EventTypeFields describes event types. Check holds numbers and texts against their bounds.
var EventTypeFields = field.Resource{
	Text: "A bookable service and its rules.", Agents: "An event type: a bookable service.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the event type.", Example: "et_1p4s8yvz04k2c", Agents: "Id, et_….", InFile: true},
		{Name: "slug", Text: "Its name in URLs.", Agents: "What the other tools take as eventType.", Example: "haircut",
			InFile: true},
		{Name: "title", Text: "Its name.", Agents: "Name for people.", Least: 1, Most: 200, InFile: true},
		{Name: "description", Text: "What it is.", Agents: "May be empty.", Most: 5000, InFile: true, Clears: true},
		{Name: "location", Text: "Where it takes place.", Agents: "Where it takes place; may be empty.", Most: 500,
			InFile: true, Clears: true},
		{Name: "durationMinutes", Text: "How long it takes.", Agents: "Length.", Least: 1, Most: maxDuration, InFile: true},
		{Name: "price", Text: "What it costs; null is free.", Agents: "Price; null is free.", InFile: true},
		{Name: "noShowFee", Text: "What not coming costs; null is nothing.",
			Agents: "Charged when the invitee does not come, if they saved a card; null is none.", InFile: true},
		{Name: "payment", Text: "Where its price is paid.", Agents: "Where a price is paid.",
			Enum: field.Values(PayOnline, PayOnSite), InFile: true},
		{Name: "refundOnCancel", Text: "When an invitee's cancellation refunds what was paid.",
			Agents: "When an invitee's own cancellation refunds what was paid.", Enum: field.Values(refundRules...), InFile: true},
		{Name: "requiresApproval", Text: "Whether a booking waits for approval.",
			Agents: "Whether a booking is pending until the business approves it.", InFile: true},
		{Name: "hosts", Text: "Who serves it.", Agents: "Who does it.", Each: "A host.", InFile: true},
		{Name: "seats", Text: "How many invitees share one session.", Agents: "How many invitees share a time.",
			Least: 1, Most: 1000, InFile: true},
		{Name: "slotStepMinutes", Text: "How far apart its starts lie.", Agents: "Minutes between starts.",
			Least: 1, Most: maxDuration, InFile: true, Clears: true},
		{Name: "bufferBeforeMinutes", Text: "Time kept free before it.", Agents: "Kept free before.", Most: maxBuffer,
			InFile: true},
		{Name: "bufferAfterMinutes", Text: "Time kept free after it.", Agents: "Kept free after.", Most: maxBuffer,
			InFile: true},
		{Name: "minimumNoticeMinutes", Text: "How far ahead it must be booked at least.",
			Agents: "How long ahead it must be booked.", Most: maxNotice, InFile: true},
		{Name: "bookingWindowDays", Text: "How far ahead it can be booked at most.",
			Agents: "How far ahead it can be booked.", Least: 1, Most: 730, InFile: true},
		{Name: "maxPerDay", Text: "How many sessions a host has of it a day at most; 0 is no cap.",
			Agents: "At most so many a day and host; 0 is no cap.", Most: 1440, InFile: true, Clears: true},
		{Name: "cancellationNoticeMinutes", Text: "Until how long before the start an invitee may cancel or move it.",
			Agents: "Until when invitees may move or cancel by themselves; does not bind this tool server.", Most: maxNotice,
			InFile: true},
		{Name: "reminderMinutes", Text: "When the invitee is reminded by mail, in minutes before the start; empty is never.",
			Agents: "When the invitee is reminded by mail.", Each: "Minutes before the start.", InFile: true},
		{Name: "mailsOff", Text: "The kinds of mail that are not sent for it.", Enum: field.Values(MailKinds...),
			Each: "A kind of mail.", InFile: true},
		{Name: "questions", Text: "What the booking form asks.",
			Agents: "Asked of the invitee; create_booking takes the answers by key.", InFile: true},
		{Name: "active", Text: "Whether it can be booked.", Agents: "Whether it can be booked at present.", InFile: true},
		{Name: "bookingUrl", Text: "Its booking page.", Agents: "Page where people book by themselves.", Format: "uri"},
		{Name: "createdAt", Text: "When it was made.", Agents: "When it was made, UTC; null when not known.", Unknown: true},
	},
}

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

// Check normalises the event type and refuses what can't be; at is where it stands in the input.
func (e *EventType) Check(at string) error {
	var p fault.Problems
	var err error
	line := func(name, text string) string {
		f := EventTypeFields.Field(name)
		text, err := fault.CheckLine(at+"."+name, text, f.Least, f.Most)
		p.Add(err)
		return text
	}
	e.Title = line("title", e.Title)
	p.Add(checkSlug(at+".slug", e.Slug))
	e.Description, err = fault.CheckText(at+".description", e.Description, EventTypeFields.Field("description").Most)
	p.Add(err)
	e.Location = line("location", e.Location)
	if e.SlotStepMinutes == 0 {
		e.SlotStepMinutes = e.DurationMinutes
	}
	p.Add(e.checkNumbers(at))
	e.ReminderMinutes, err = checkReminders(at+".reminderMinutes", e.ReminderMinutes)
	p.Add(err)
	p.Add(checkMailKinds(at+".mailsOff", e.MailsOff))
	p.Add(e.checkMoney(at))
	if len(e.Hosts) == 0 {
		p.Add(fault.Invalid(at+".hosts", "name at least one host"))
	}
	p.Add(checkQuestions(at+".questions", e.Questions))
	return p.Err()
}

// Problems is the bad_request of the event type's own fields, or nil. SaveEventType refuses them too.
func (e EventType) Problems() error {
	e.Questions = slices.Clone(e.Questions) // what check trims is not the caller's
	return e.Check("eventType")
}

func (e *EventType) checkMoney(at string) (err error) {
	if e.Price, err = checkMoney(at+".price", e.Price); err != nil {
		return err
	}
	if e.NoShowFee, err = checkMoney(at+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if err := checkChargeable(at+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if e.Price != nil && e.NoShowFee != nil && e.Price.Currency != e.NoShowFee.Currency {
		return fault.Invalid(at+".noShowFee.currency", "must be the price's currency, %s", e.Price.Currency)
	}
	if !slices.Contains(refundRules, e.RefundOnCancel) {
		return fault.Invalid(at+".refundOnCancel", "must be always, within_notice or never")
	}
	if e.Payment != PayOnSite && e.Payment != PayOnline {
		return fault.Invalid(at+".payment", "must be online or on_site")
	}
	if e.Payment == PayOnline {
		return checkChargeable(at+".price", e.Price)
	}
	return nil
}

func (e *EventType) checkNumbers(at string) error {
	var p fault.Problems
	for _, f := range EventTypeFields.Fields {
		value := field.In(e, f.Name)
		if f.Most == 0 || !value.CanInt() {
			continue
		}
		n := int(value.Int())
		sameAsDuration := f.Name == "slotStepMinutes" && n == e.DurationMinutes
		if (n < f.Least || n > f.Most) && !sameAsDuration {
			p.Add(fault.Invalid(at+"."+f.Name, "must lie between %d and %d", f.Least, f.Most))
		}
	}
	return p.Err()
}
