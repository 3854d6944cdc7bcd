package app

import (
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

// Status is the state of a booking.
type Status string

const (
	Pending     Status = "pending"     // waits for payment or approval, holds its time
	Confirmed   Status = "confirmed"   // will take place
	Rescheduled Status = "rescheduled" // will take place, at another time than first booked
	Cancelled   Status = "cancelled"   // won't take place
	NoShow      Status = "no_show"     // the invitee did not come
)

// Statuses are all states, in the order that filters list them.
var Statuses = []Status{Confirmed, Pending, Cancelled, NoShow, Rescheduled}

// Live reports whether a booking in that state blocks its host's time.
func (s Status) Live() bool { return s == Pending || s == Confirmed || s == Rescheduled }

// mayBecome is the state machine: what a booking in a state may turn into. "" is a booking not made yet.
var mayBecome = map[Status][]Status{
	"":          {Pending, Confirmed},
	Pending:     {Confirmed, Cancelled, Pending},
	Confirmed:   {Rescheduled, Cancelled, NoShow},
	Rescheduled: {Rescheduled, Cancelled, NoShow},
	NoShow:      {Confirmed, Rescheduled}, // undo
	Cancelled:   {Confirmed, Pending},     // only by a payment that comes after the lapse
}

func (s Status) may(to Status) bool { return slices.Contains(mayBecome[s], to) }

// PendingReason is what a pending booking waits for.
type PendingReason string

const (
	ForPayment  PendingReason = "payment"
	ForApproval PendingReason = "approval"
)

// Booking is one invitee's time with one host. Its length, buffers, price and fee are those of the moment it was booked.
type Booking struct {
	ID              BookingID           `json:"id"`
	EventType       string              `json:"eventType"`
	EventTypeID     catalog.EventTypeID `json:"eventTypeId"`
	Start           when.Instant        `json:"start"`
	End             when.Instant        `json:"end"`
	Status          Status              `json:"status"`
	Invitee         Invitee             `json:"invitee"`
	Host            catalog.HostRef     `json:"host"`
	Location        string              `json:"location"`
	Notes           string              `json:"notes"`
	Answers         map[string]any      `json:"answers"`
	Metadata        map[string]string   `json:"metadata"`
	Price           *catalog.Money      `json:"price"`
	Payment         *Payment            `json:"payment"`
	PendingReason   *PendingReason      `json:"pendingReason"`
	ExpiresAt       when.Instant        `json:"expiresAt"`
	PreviousStart   when.Instant        `json:"previousStart"`
	RescheduleCount int                 `json:"rescheduleCount"`
	Cancellation    *Cancellation       `json:"cancellation"`
	NoShow          *NoShowRecord       `json:"noShow"`
	HostChanged     bool                `json:"hostChanged,omitempty"`  // by the move that this answers
	PreviousHost    *catalog.HostRef    `json:"previousHost,omitempty"` // who had it before that move, where hostChanged
	ManageURL       string              `json:"manageUrl,omitempty"`
	CreatedAt       when.Instant        `json:"createdAt"`
	UpdatedAt       when.Instant        `json:"updatedAt"`

	WorkspaceID catalog.WorkspaceID `json:"-"`
	ContactID   ContactID           `json:"-"`
	BusyStart   when.Instant        `json:"-"` // Start less the buffer before
	BusyEnd     when.Instant        `json:"-"` // End and the buffer after
	NoShowFee   *catalog.Money      `json:"-"` // what a no-show costs, as disclosed when booked
	NeedsPay    bool                `json:"-"` // pending: must be paid before it is confirmed
	NeedsOK     bool                `json:"-"` // pending: must be approved before it is confirmed
	HostNamed   bool                `json:"-"` // somebody asked for this host: a move keeps it
	UIDDomain   string              `json:"-"` // what its name in calendars ends with, see CalendarUID
}

// Invitee is the person who comes.
type Invitee struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone,omitempty"`
	TimeZone string `json:"timeZone,omitempty"`
	Locale   string `json:"locale,omitempty"`
}

// PaymentFor is what a booking's payment is for.
type PaymentFor string

const (
	ForPrice PaymentFor = "price"
	ForCard  PaymentFor = "card" // nothing is paid now: a card is saved, which a no-show fee can be charged to
)

// Payment is what became of the price paid online, or of the card that is to be saved; it is nil where nothing is paid
// online.
type Payment struct {
	Kind           PaymentFor `json:"kind"`
	Status         string     `json:"status"` // unpaid, processing, paid, refunded, partially_refunded, failed
	Amount         int64      `json:"amount"`
	Currency       string     `json:"currency"`
	RefundedAmount int64      `json:"refundedAmount,omitempty"`
	URL            string     `json:"url,omitempty"` // where the invitee pays, while it is due
}

// Cancellation says why a booking won't take place.
type Cancellation struct {
	Reason string       `json:"reason"`
	By     ActorKind    `json:"by"`
	At     when.Instant `json:"at"`
}

// NoShowRecord says that the invitee did not come, and what that cost.
type NoShowRecord struct {
	At  when.Instant `json:"at"`
	Fee *Fee         `json:"fee"`
}

// Fee is what became of a no-show fee.
type Fee struct {
	Status   string `json:"status"` // pending, succeeded, failed, requires_action, refunded, partially_refunded
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	URL      string `json:"url,omitempty"` // where the invitee pays it, after the charge has failed
}

// ChangeableUntil is the last moment at which the invitee may move or cancel the booking.
func (b *Booking) ChangeableUntil(s *catalog.Setup) when.Instant {
	notice := time.Duration(0)
	if e := s.EventTypeByID(b.EventTypeID); e != nil {
		notice = time.Duration(e.CancellationNoticeMinutes) * time.Minute
	}
	return b.Start.Add(-notice)
}

// setPending derives what the booking waits for next: payment comes first, then approval.
func (b *Booking) setPending(expires when.Instant) {
	b.PendingReason, b.ExpiresAt = nil, 0
	if b.Status != Pending {
		b.NeedsPay, b.NeedsOK = false, false
		return
	}
	reason := ForApproval
	if b.NeedsPay {
		reason = ForPayment
	}
	b.PendingReason, b.ExpiresAt = &reason, expires
}
