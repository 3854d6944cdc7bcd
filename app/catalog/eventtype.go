package catalog

import (
	"slices"
	"time"

	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
)

// EventType is a bookable service. Its durations are in minutes; its rules apply at every door.
type EventType struct {
	ID               EventTypeID  `json:"id"`
	WorkspaceID      WorkspaceID  `json:"-"`
	Slug             string       `json:"slug"`
	Title            string       `json:"title"`
	Description      string       `json:"description"`
	DurationMinutes  int          `json:"durationMinutes"`
	Price            *money.Money `json:"price"`
	NoShowFee        *money.Money `json:"noShowFee"`
	TaxRate          *money.Rate  `json:"taxRate"` // nil is the workspace's
	RequiresApproval bool         `json:"requiresApproval"`
	Location         string       `json:"location"`
	Color            Color        `json:"color,omitempty"` // "" leaves it to the calendar
	AsksFor          Asks         `json:"asksFor"`
	Hosts            []HostRef    `json:"hosts"`
	Questions        []Question   `json:"questions"`
	Seats            int          `json:"seats"`
	BookingURL       string       `json:"bookingUrl"`
	Active           bool         `json:"active"`

	Category            string        `json:"category"` // the booking page's heading that it stands under
	Picture             PictureID     `json:"picture"`  // 0 is none
	Dates               []string      `json:"dates"`    // the only starts, as 2026-12-03T18:00; none: by the hours
	AddOns              []AddOn       `json:"addOns"`
	AddOnGroups         []AddOnGroup  `json:"addOnGroups"`
	Deposit             *Deposit      `json:"deposit"`
	LateCancellationFee *money.Money  `json:"lateCancellationFee"`
	Hidden              bool          `json:"hidden"` // only who has an invitation link may see and book it
	Words               []MailWords   `json:"words"`
	RedirectURL         string        `json:"redirectUrl"` // where the booking page goes on to
	Where               *Where        `json:"where"`       // nil is as Location says
	Limits              Limits        `json:"limits"`
	Needs               []Need        `json:"needs"`      // of rooms and things, for each session
	Requires            []Requirement `json:"requires"`   // of the customer's consents
	SeriesUpTo          int           `json:"seriesUpTo"` // dates that a customer may book at once; below 2 is one
	SeriesPayment       SeriesPayment `json:"seriesPayment"`
	Waitlist            WaitlistMode  `json:"waitlist"`
	DuringWait          bool          `json:"duringWait"`      // in a visit it may be done while another service's wait runs
	Parts               []Part        `json:"parts,omitempty"` // work and waits in turn; none is work all the while

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
	AsksComing                bool          `json:"asksComing"`      // the reminders ask whether the invitee comes
	MailsOff                  []MailKind    `json:"mailsOff,omitempty"`
	TextsOff                  []TextKind    `json:"textsOff,omitempty"`
	TextWords                 []TextWords   `json:"textWords,omitempty"` // in place of the usual texts

	CreatedAt when.Instant `json:"createdAt"`
	Position  int          `json:"-"`

	terms  map[HostID]*Terms // of the hosts who have their own, see With; nil if none has
	choice *choice           // see Chosen; nil if nothing was chosen
	starts []int64           // Dates as instants

	waitMargin int      // of the workspace, in minutes
	others     []HostID // see Others
}

// NewEventType returns an event type with the defaults of the contract: only slug, title and duration must be filled
// in.
func NewEventType() EventType {
	return EventType{
		Active: true, Seats: 1, MinimumNoticeMinutes: 60, BookingWindowDays: 60,
		RefundOnCancel: RefundWithinNotice, Payment: PayOnSite, AsksFor: AskEmail,
		Questions: []Question{}, Hosts: []HostRef{}, AddOns: []AddOn{}, AddOnGroups: []AddOnGroup{},
		Words: []MailWords{}, Dates: []string{}, Needs: []Need{},
		Requires:        []Requirement{},
		SeriesPayment:   SeriesPayFirst,
		Waitlist:        WaitlistOffer,
		ReminderMinutes: slices.Clone(DefaultReminders),
	}
}

const (
	maxDuration = 7 * 24 * 60 // minutes
	maxBuffer   = 24 * 60     // minutes
	maxNotice   = 365 * 24 * 60
	maxCategory = 60 // characters
	maxRedirect = 500
)

// MaxSeries is the most bookings of a series, and of the dates that it is made of.
const MaxSeries = 53

// Rules returns the event type's rules for the slot engine.
func (e *EventType) Rules() slot.Rules {
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	return slot.Rules{
		Duration: minutes(e.DurationMinutes), Step: minutes(e.SlotStepMinutes),
		BufferBefore: minutes(e.BufferBeforeMinutes), BufferAfter: minutes(e.BufferAfterMinutes),
		MinimumNotice: minutes(e.MinimumNoticeMinutes), Window: time.Duration(e.BookingWindowDays) * when.Day,
		MaxPerDay: e.MaxPerDay, Seats: e.Seats, Party: e.TakenSeats(), Dates: e.starts, Inactive: !e.Active,
		Works: e.Works(),
	}
}

// Listed reports whether customers find the event type without an invitation link: it is active and not hidden.
func (e *EventType) Listed() bool { return e.Active && !e.Hidden }

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
	e.Hosts, e.waitMargin = kept, s.Workspace.Settings.WaitMargin
	if e.Questions == nil {
		e.Questions = []Question{}
	}
	e.starts = StartsOn(e.Dates, s.Zone)
	if e.Dates == nil {
		e.Dates = []string{}
	}
	if e.AddOns == nil {
		e.AddOns = []AddOn{}
	}
	if e.AddOnGroups == nil {
		e.AddOnGroups = []AddOnGroup{}
	}
	if e.Words == nil {
		e.Words = []MailWords{}
	}
	if e.Needs == nil {
		e.Needs = []Need{}
	}
	if e.Requires == nil {
		e.Requires = []Requirement{}
	}
	e.linkOthers(s)
	if e.AsksFor == "" { // it was saved before there was a choice
		e.AsksFor = AskEmail
	}
	if e.SeriesPayment == "" { // likewise
		e.SeriesPayment = SeriesPayFirst
	}
	if e.Waitlist == "" { // likewise
		e.Waitlist = WaitlistOffer
	}
	if e.ReminderMinutes == nil {
		e.ReminderMinutes = slices.Clone(DefaultReminders)
	}
}
