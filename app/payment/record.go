package payment

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

type (
	CheckoutID = id.ID[checkoutKind]
	JobID      = id.ID[paymentJobKind]

	checkoutKind   struct{ id.Many }
	paymentJobKind struct{ id.Many }
)

func (checkoutKind) Prefix() string { return "co_" }

func (paymentJobKind) Prefix() string { return "pj_" }

// Kind says what a payment is for.
type Kind string

const (
	PaysBooking Kind = "booking"
	PaysFee     Kind = "no_show_fee"
	PaysDeposit Kind = "deposit"
	PaysLateFee Kind = "late_cancellation_fee"
)

// Kinds lists all kinds, in the order of their stored codes.
var Kinds = []Kind{PaysBooking, PaysFee, PaysDeposit, PaysLateFee}

// Fee reports whether it is a fee, which is charged to the saved card, and not the price or a part of it.
func (k Kind) Fee() bool { return k == PaysFee || k == PaysLateFee }

// For returns what a payment of the kind is for, as a booking says it.
func (k Kind) For() booking.PaymentFor {
	switch {
	case k.Fee():
		return booking.ForFee
	case k == PaysDeposit:
		return booking.ForDeposit
	}
	return booking.ForPrice
}

// Record is one payment in the books: the price of a booking or its deposit, or one attempt to charge a fee.
type Record struct {
	ID             booking.PaymentID     `json:"id"`
	WorkspaceID    catalog.WorkspaceID   `json:"-"`
	BookingID      booking.BookingID     `json:"bookingId"`
	Kind           Kind                  `json:"kind"`
	For            booking.PaymentFor    `json:"for"`     // one of booking.Purposes, where it is shown
	Attempt        int                   `json:"attempt"` // counted from 1 for each kind
	Status         booking.PaymentStatus `json:"status"`
	Amount         int64                 `json:"amount"`
	Currency       string                `json:"currency"`
	RefundedAmount int64                 `json:"refundedAmount"`    // as the provider has confirmed
	Refunding      int64                 `json:"refunding"`         // on its way back at the provider
	Dispute        string                `json:"dispute,omitempty"` // the provider's word for how a dispute stands
	Error          string                `json:"error,omitempty"`   // why it, or its refund, failed
	PaidAt         when.Instant          `json:"paidAt"`
	CreatedAt      when.Instant          `json:"createdAt"`

	Intent   string `json:"-"` // what the provider calls it
	Unwanted bool   `json:"-"` // goes back as soon as it is paid
}

// statusFor returns the payment's status in events and on bookings; paid is the word for a payment that stands.
func (p *Record) statusFor(paid string) string {
	switch {
	case p.Status != booking.PaymentPaid:
		return string(p.Status)
	case p.RefundedAmount >= p.Amount:
		return "refunded"
	case p.RefundedAmount > 0:
		return "partially_refunded"
	}
	return paid
}

// showOn shows the payment on its booking. A payment that is void leaves the booking's as it is: unpaid.
func (p *Record) showOn(b *booking.Booking) {
	switch {
	case !p.Kind.Fee() && p.Unwanted && b.Status.Stands(): // it was paid on site before this arrived
		b.Payment, b.PayLink = nil, nil
	case !p.Kind.Fee():
		status := p.statusFor("paid")
		if p.Status == booking.PaymentVoid {
			status = "unpaid"
		}
		kind := booking.ForPrice
		if p.Kind == PaysDeposit {
			kind = booking.ForDeposit
		}
		b.Payment = &booking.Payment{Kind: kind, Status: status, Amount: p.Amount, Currency: p.Currency,
			RefundedAmount: p.RefundedAmount}
	case p.Status == booking.PaymentVoid:
	case p.Kind == PaysFee && b.NoShow != nil:
		b.NoShow = &booking.NoShowRecord{At: b.NoShow.At, Fee: p.fee()}
	case p.Kind == PaysLateFee && b.Cancellation != nil:
		shown := *b.Cancellation
		shown.Fee = p.fee()
		b.Cancellation = &shown
	}
}

// fee returns how a fee stands.
func (p *Record) fee() *booking.Fee {
	status := p.statusFor("succeeded")
	if p.Status == booking.PaymentUnpaid || p.Status == booking.PaymentProcessing {
		status = "pending"
	}
	return &booking.Fee{Status: status, Amount: p.Amount, Currency: p.Currency}
}

// Card is the saved card for the fees of a booking, and what its holder agreed to.
type Card struct {
	BookingID   booking.BookingID
	WorkspaceID catalog.WorkspaceID
	Fee         money.Money  // for a no-show; where there is none, for a late cancellation
	Wording     string       // what was disclosed
	ConsentAt   when.Instant // zero until the card is saved
	Customer    string       // the provider's names for the holder,
	Source      string       // and for what saved the card
}

// Checkout is one payment page at the provider that was opened for a booking.
type Checkout struct {
	ID          CheckoutID
	WorkspaceID catalog.WorkspaceID
	BookingID   booking.BookingID // of a visit the first
	PaymentID   booking.PaymentID // zero where only a card is saved, and for a visit
	State       CheckoutStage
	Request     CheckoutRequest // exactly what is asked of the provider, so that asking again is the same
	Session     string          // the provider's name for it, once known
	URL         string
	CreatedAt   when.Instant
}

// CheckoutStage is how far a checkout has come.
type CheckoutStage int

const (
	CheckoutAsked      CheckoutStage = iota // the provider may or may not have heard of it
	CheckoutOpen                            // can be paid
	CheckoutProcessing                      // completed, the money is on its way
	CheckoutComplete
	CheckoutExpired
)

// over reports whether nothing can come of the checkout any more.
func (c CheckoutStage) over() bool { return c == CheckoutComplete || c == CheckoutExpired }

// Account is a workspace's account at the provider. Its keys are sealed (Vault).
type Account struct {
	WorkspaceID   catalog.WorkspaceID
	SecretKey     string
	SigningSecret string
	Live          bool
	Account       string // the provider's name for it
	ConnectedAt   when.Instant
	LookedAt      when.Instant // up to when the provider's events have been looked through
	LastEvent     string
	LastEventAt   when.Instant
}

// Action is what a job asks the provider to do.
type Action string

const (
	DoCharge Action = "charge" // the saved card, off session
	DoRefund Action = "refund"
	DoExpire Action = "expire" // a checkout that is not wanted any more
	DoLook   Action = "look"   // what became of a checkout
	DoSync   Action = "sync"   // what became of a payment: charged, refunded, disputed
)

// Actions lists all actions, in the order of their stored codes.
var Actions = []Action{DoCharge, DoRefund, DoExpire, DoLook, DoSync}

// Job is something to be done at the provider, saved with the change that needs it.
type Job struct {
	ID          JobID
	WorkspaceID catalog.WorkspaceID
	BookingID   booking.BookingID
	Action      Action
	PaymentID   booking.PaymentID // charge, refund, sync
	CheckoutID  CheckoutID        // expire, look
	Amount      int64             // refund
	Intent      string            // sync: what the provider calls a payment that does not know it yet
	Due         when.Instant
	Lease       when.Instant // of a claim
	Tries       int          // those begun, this one too
	Error       string
	CreatedAt   when.Instant
}

// delayedHold is how long a time is held for a payment that is on its way.
const delayedHold = 14 * when.Day

// paymentPauses are those before each further try of a job; the last one goes on until paymentPatience is over.
var paymentPauses = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
	30 * time.Minute, time.Hour}

const paymentPatience = 3 * when.Day

// ParseID and ParseCheckoutID parse our ids in the metadata that the provider stores.
func ParseID(text string) (booking.PaymentID, error) { return id.Parse[booking.PaymentIDKind](text) }

func ParseCheckoutID(text string) (CheckoutID, error) { return id.Parse[checkoutKind](text) }
