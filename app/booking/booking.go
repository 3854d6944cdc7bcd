package booking

import (
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
)

// Booking is one invitee's time with one host. Its length, buffers, price and fee are those at the time of booking.
type Booking struct {
	ID              BookingID           `json:"id"`
	EventType       string              `json:"eventType"`
	EventTypeID     catalog.EventTypeID `json:"eventTypeId"`
	Taken                               // with its start and end
	Status          Status              `json:"status"`
	Invitee         Invitee             `json:"invitee"`
	Contact         *ContactRef         `json:"contact,omitempty"` // nil where it isn't shown, see Present
	Host            catalog.HostRef     `json:"host"`
	Location        string              `json:"location"`
	Notes           string              `json:"notes"`
	InternalNote    string              `json:"internalNote,omitempty"` // for the business only, see Present
	Answers         map[string]any      `json:"answers"`
	Metadata        map[string]string   `json:"metadata"`
	Price           *money.Money        `json:"price"`
	Payment         *Payment            `json:"payment"`
	Paid            *money.Money        `json:"paid"`     // see ShowMoney
	Due             *money.Money        `json:"due"`      // see ShowMoney
	Payments        []CounterPayment    `json:"payments"` // at the counter, the oldest first
	PendingReason   *PendingReason      `json:"pendingReason"`
	ExpiresAt       when.Instant        `json:"expiresAt"`
	PreviousStart   when.Instant        `json:"previousStart"`
	RescheduleCount int                 `json:"rescheduleCount"`
	Cancellation    *Cancellation       `json:"cancellation"`
	NoShow          *NoShowRecord       `json:"noShow"`
	ArrivedAt       when.Instant        `json:"arrivedAt"`              // 0 unless it was marked
	DoneAt          when.Instant        `json:"doneAt"`                 // 0 unless it was marked
	HostNamed       bool                `json:"hostNamed"`              // this host was asked for: a move keeps it
	HostChanged     bool                `json:"hostChanged,omitempty"`  // by the move that this is the answer to
	PreviousHost    *catalog.HostRef    `json:"previousHost,omitempty"` // the host before that move, if hostChanged
	Ignored         []string            `json:"ignored,omitempty"`      // of the input of the booking that this is the answer to
	ManageURL       string              `json:"manageUrl,omitempty"`
	AddOns          []BookedAddOn       `json:"addOns"`
	Seats           int                 `json:"seats"`
	Rare                                // what few bookings have
	CreatedAt       when.Instant        `json:"createdAt"`
	UpdatedAt       when.Instant        `json:"updatedAt"`

	WorkspaceID catalog.WorkspaceID `json:"-"`
	ContactID   ContactID           `json:"-"`
	NoShowFee   *money.Money        `json:"-"` // what a no-show costs, as disclosed when booked
	LateNotice  int                 `json:"-"` // minutes before the start from which cancelling costs LateFee
	Taxed       *money.Taxed        `json:"-"` // as the first money at the counter fixed it; holds while b.Keeps()
	NeedsPay    bool                `json:"-"` // pending: must be paid before it is confirmed
	NeedsOK     bool                `json:"-"` // pending: must be approved before it is confirmed
	KeepsSpans  bool                `json:"-"` // the store keeps what it takes besides its host; set when it is read
	KeepsOthers bool                `json:"-"` // likewise, of who does it beside its host
	Invitation  InvitationID        `json:"-"` // the link that it was made by, whose use it has taken; 0 for none
	ImportMarks ImportMarks         `json:"-"` // what was chosen when it was imported
	Sequence    int                 `json:"-"` // of its last event
	UIDDomain   string              `json:"-"` // the end of its UID in calendars, see CalendarUID
}

// With reports whether the host does the booking, as the one who leads or beside them.
func (b *Booking) With(host catalog.HostID) bool {
	return b.Host.ID == host || slices.ContainsFunc(b.Others(), func(h catalog.HostRef) bool { return h.ID == host })
}

// AllHosts returns who does the booking, the one who leads first.
func (b *Booking) AllHosts() []catalog.HostRef {
	return append([]catalog.HostRef{b.Host}, b.Others()...)
}

// Outline returns what a member is told of a colleague's booking with a customer of both: which service, when, by whom and
// what became of it; no prices, texts, addresses or links.
func (b *Booking) Outline() Booking {
	o := Booking{ID: b.ID, EventType: b.EventType, EventTypeID: b.EventTypeID, Status: b.Status, Host: b.Host,
		Invitee: Invitee{Name: b.Invitee.Name}, Seats: b.Seats, PendingReason: b.PendingReason, ArrivedAt: b.ArrivedAt, DoneAt: b.DoneAt,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, WorkspaceID: b.WorkspaceID, ContactID: b.ContactID}
	o.Start, o.End, o.Hosts = b.Start, b.End, b.Hosts
	for _, x := range b.AddOns {
		o.AddOns = append(o.AddOns, BookedAddOn{ID: x.ID, Title: x.Title, Minutes: x.Minutes})
	}
	return o
}

// BookedAddOn is an add-on as it was booked. The minutes and price of the booking include its own.
type BookedAddOn struct {
	ID      string       `json:"id"`
	Title   string       `json:"title"`
	Minutes int          `json:"minutes"`
	Price   *money.Money `json:"price"`
}

// BookedWhere says where a booking takes place.
type BookedWhere struct {
	Kind catalog.WhereKind `json:"kind"`
	Text string            `json:"text,omitempty"` // the place, or the number to call
	URL  string            `json:"url,omitempty"`  // of the video room
}

// SetChosen gives the booking the add-ons and seats that were chosen of the event type.
func (b *Booking) SetChosen(e *catalog.EventType) {
	b.Seats, b.AddOns = e.TakenSeats(), []BookedAddOn{}
	for _, a := range e.TakenAddOns() {
		b.AddOns = append(b.AddOns, BookedAddOn{ID: a.ID, Title: a.Title, Minutes: a.Minutes, Price: a.Price})
	}
}

// Cancellation says why a booking won't take place.
type Cancellation struct {
	Reason string       `json:"reason"`
	By     ActorKind    `json:"by"`
	At     when.Instant `json:"at"`
	Fee    *Fee         `json:"fee,omitempty"` // what it costs to have cancelled late
}

// LapsedUnpaid is the reason of a cancellation by the system that a late payment can still undo.
const LapsedUnpaid = "not paid in time"

// LapsedUnpaid reports whether the booking has lapsed because it was not paid.
func (b *Booking) LapsedUnpaid() bool {
	x := b.Cancellation
	return b.Status == Cancelled && x != nil && x.By == BySystem && x.Reason == LapsedUnpaid
}

// NoShowRecord says that the invitee did not come, and which fee is charged.
type NoShowRecord struct {
	At  when.Instant `json:"at"`
	Fee *Fee         `json:"fee"`
}

// ChangeableUntil returns the last moment at which the invitee may move or cancel the booking.
func (b *Booking) ChangeableUntil(s *catalog.Setup) when.Instant {
	if b.LateFee != nil { // as it was told when it was booked
		return b.FreeUntil()
	}
	notice := time.Duration(0)
	if e := s.EventTypeByID(b.EventTypeID); e != nil {
		notice = time.Duration(e.CancellationNoticeMinutes) * time.Minute
	}
	return b.Start.Add(-notice)
}

// DayBegins returns the start of the day of the booking in the zone.
func (b *Booking) DayBegins(zone *time.Location) when.Instant {
	return when.At(when.DayOf(b.Start.Time().In(zone)))
}

// SetPending sets what the booking waits for next: payment first, then approval.
func (b *Booking) SetPending(expires when.Instant) {
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

// approvalHold is how long a booking waits for approval at most.
const approvalHold = 48 * time.Hour

// ApprovalEnds returns when a booking that has waited for approval since then lapses: at its start at the latest,
// unless the start had passed when it was booked or moved.
func ApprovalEnds(since, now, start when.Instant) when.Instant {
	if start <= now {
		return since.Add(approvalHold)
	}
	return min(since.Add(approvalHold), start)
}

// KeepLength returns r with the length, the parts, the buffers and the seats of the booking.
func (b *Booking) KeepLength(r slot.Rules) slot.Rules {
	span := func(from, to when.Instant) time.Duration { return time.Duration(to-from) * time.Millisecond }
	r.Duration = span(b.Start, b.End)
	r.BufferBefore, r.BufferAfter = span(b.BusyStart, b.Start), span(b.End, b.BusyEnd)
	r.Party, r.Works = b.Seats, nil
	if len(b.Parts) > 0 {
		for _, w := range b.Works() {
			r.Works = append(r.Works, w.At(-int64(b.Start)))
		}
	}
	return r
}

// Occupation is a live booking, a hold or a busy time as the slot engine needs it.
type Occupation struct {
	slot.Booking
	ID        BookingID // 0 for what is no booking
	EventType catalog.EventTypeID
	InParts   bool           // it is a work of a booking or hold in parts
	Later     bool           // and not the first
	Host      catalog.HostID // of the booking or hold that takes a resource's time
	For       HeldFor        // of a hold
}

// HeldFor says for whom a time is held. The numbers are stored.
type HeldFor int

// For whom times are held.
const (
	HeldForMaker HeldFor = iota // who makes up their mind
	HeldForOffer                // who waits, and is offered it
	HeldForHouse                // whoever of those who wait gets it, which is being found out
)

// FreeUntil returns the last moment at which cancelling the booking costs no fee; 0 if cancelling never costs one.
func (b *Booking) FreeUntil() when.Instant {
	if b.LateFee == nil {
		return 0
	}
	return b.Start.Add(-time.Duration(b.LateNotice) * time.Minute)
}

// CancelsLate reports whether cancelling the booking now is late, so that it may cost LateFee.
func (b *Booking) CancelsLate(now when.Instant) bool {
	return b.LateFee != nil && b.Status.Stands() && now > b.FreeUntil()
}

// FeeCharged returns the state of the fee for a no-show or a late cancellation; nil if none was charged.
func (b *Booking) FeeCharged() *Fee {
	switch {
	case b.NoShow != nil:
		return b.NoShow.Fee
	case b.Cancellation != nil:
		return b.Cancellation.Fee
	}
	return nil
}
