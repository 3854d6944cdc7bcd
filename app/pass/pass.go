// Package pass keeps passes and vouchers: what customers have paid ahead, and a ledger of what became of it. What a pass pays
// for and how it is sold is package counter's.
package pass

import (
	"cmp"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/when"
)

// Kind says what a pass holds.
type Kind string

// The kinds of passes.
const (
	Credits Kind = "credits" // so many bookings, a seat each
	Amount  Kind = "amount"  // money's worth
)

// Kinds lists all kinds.
var Kinds = []Kind{Credits, Amount}

// Status says whether a pass can pay.
type Status string

// The statuses of a pass.
const (
	Active  Status = "active"
	Used    Status = "used" // nothing is left
	Ended   Status = "ended"
	Blocked Status = "blocked" // its sale was given back
)

// Statuses lists all statuses.
var Statuses = []Status{Active, Used, Ended, Blocked}

// Pass is what somebody has paid ahead. A voucher is a pass with an amount for everything that is sold but passes and vouchers.
type Pass struct {
	ID            booking.PassID        `json:"id"`
	Title         string                `json:"title"`
	Kind          Kind                  `json:"kind"`
	Voucher       bool                  `json:"voucher"`
	Status        Status                `json:"status"`     // at the time it was read
	Face          int64                 `json:"face"`       // what it held when it was sold: credits, or minor units
	Balance       int64                 `json:"balance"`    // what is left, likewise
	Currency      string                `json:"currency"`   // of its amount, and of what was paid for it
	EventTypes    []catalog.EventTypeID `json:"eventTypes"` // for which it pays; empty is all
	ContactID     *booking.ContactID    `json:"contactId"`  // whose it is; nil: whoever has its code
	For           string                `json:"for"`        // whom a voucher is for, as it is printed
	Price         int64                 `json:"price"`      // what was paid for it, with tax
	TaxedWhenSold bool                  `json:"taxedWhenSold"`
	EndsAt        when.Instant          `json:"endsAt"` // 0 is never
	Code          CodeState             `json:"code"`
	SaleID        booking.SaleID        `json:"saleId"`
	ProductID     *catalog.ProductID    `json:"productId"` // nil is a voucher
	CreatedAt     when.Instant          `json:"createdAt"`

	WorkspaceID catalog.WorkspaceID `json:"-"`
	Stopped     bool                `json:"-"` // Blocked
}

// CodeState says what is known of the code of a pass.
type CodeState string

// The states of codes.
const (
	NoCode  CodeState = "none"  // it is a customer's
	NewCode CodeState = "new"   // nobody has seen it
	HasCode CodeState = "given" // it was printed or mailed, and only its hash is kept
)

// CodeStates lists all states of codes.
var CodeStates = []CodeState{NoCode, NewCode, HasCode}

// Fields describes passes.
var Fields = field.Resource{
	Text: "A pass or voucher: what was paid ahead.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the pass.", Example: "pass_1p4s8ywa0g0m3"},
		{Name: "title", Text: "What it is called."},
		{Name: "kind", Text: "`credits` pay for bookings, a seat each; `amount` is in minor units.", Enum: field.Values(Kinds...)},
		{Name: "voucher", Text: "Whether it was sold as a voucher, which pays for products, too."},
		{Name: "status", Text: "Whether it can pay.", Enum: field.Values(Statuses...)},
		{Name: "face", Text: "What it held when it was sold: credits, or minor units."},
		{Name: "balance", Text: "What is left, likewise."},
		{Name: "currency", Text: "ISO 4217 code."},
		{Name: "eventTypes", Text: "Ids of the event types that it pays for; empty is all."},
		{Name: "contactId", Text: "Whose it is; null is whoever has its code."},
		{Name: "for", Text: "Whom a voucher is for, as it is printed; may be empty."},
		{Name: "price", Text: "What was paid for it, in minor units with tax."},
		{Name: "taxedWhenSold", Text: "Whether it was taxed when it was sold, so that its use carries no tax again."},
		{Name: "endsAt", Text: "When it ends; null is never.", Null: true},
		{Name: "code", Text: "`none`: it is a customer's. `new`: nobody has seen it yet. `given`: it was shown, and only its hash is kept.",
			Enum: field.Values(CodeStates...)},
		{Name: "saleId", Text: "The sale in which it was sold."},
		{Name: "productId", Text: "The product that it was sold as; null is a voucher."},
		{Name: "createdAt", Text: "When it was sold."},
	},
}

// Show sets the status of the pass at that time.
func (p *Pass) Show(now when.Instant) {
	switch {
	case p.Stopped:
		p.Status = Blocked
	case p.Balance == 0:
		p.Status = Used
	case p.EndsAt != 0 && p.EndsAt <= now:
		p.Status = Ended
	default:
		p.Status = Active
	}
}

// Usable returns the conflict of a pass that can't pay now. Errors: conflict pass_blocked, pass_ended, pass_empty.
func (p *Pass) Usable(now when.Instant) error {
	p.Show(now)
	switch p.Status {
	case Blocked:
		return fault.Conflictf("pass_blocked", "What was paid for %s was given back: it can't be used any more.", p.Name())
	case Ended:
		return fault.Conflictf("pass_ended", "%s has ended.", p.Name()).With("endsAt", p.EndsAt)
	case Used:
		return fault.Conflictf("pass_empty", "Nothing is left on %s.", p.Name())
	}
	return nil
}

// Name returns what errors call the pass.
func (p *Pass) Name() string { return cmp.Or(p.Title, "the voucher") }

// Covers reports whether the pass pays for bookings of the event type.
func (p *Pass) Covers(e catalog.EventTypeID) bool {
	return len(p.EventTypes) == 0 || slices.Contains(p.EventTypes, e)
}

// Pays returns what of the amount that is due for a booking the pass can pay, in minor units, and how many credits that takes. A
// credit pays for a seat, without add-ons, at whatever it costs.
func (p *Pass) Pays(b *booking.Booking, taxed money.Taxed, due int64) (amount, credits int64) {
	if due <= 0 || !p.Covers(b.EventTypeID) {
		return 0, 0
	}
	if p.Kind == Amount {
		return min(p.Balance, due), 0
	}
	seats, addOns := int64(max(1, b.Seats)), int64(0)
	for _, a := range b.AddOns {
		addOns += a.Price.Units() * seats
	}
	if price, off := b.Price.Units(), b.Discount.Units(); price > 0 {
		addOns -= off * addOns / price
	}
	for i := range b.Payments {
		if paid := &b.Payments[i]; paid.Pass != nil && paid.Stays() {
			seats -= paid.Pass.Credits
		}
	}
	credits = min(p.Balance, seats)
	if own := due - taxed.Gross(addOns); credits > 0 && own > 0 {
		return own * credits / seats, credits
	}
	return 0, 0
}

// Left returns what of the price of the pass belongs to what is left of it, in minor units, rounded down.
func (p *Pass) Left() int64 {
	if p.Face == 0 {
		return 0
	}
	return p.Price * p.Balance / p.Face // each at most 99,999,999
}

// Owes returns what the business owes the holder, in minor units: the balance, or of one with credits what was paid for those that
// are left.
func (p *Pass) Owes() int64 {
	if p.Kind == Amount {
		return p.Balance
	}
	return p.Left()
}

// Entry is a row of the ledger of a pass. It is never changed.
type Entry struct {
	ID          booking.PaymentID   `json:"id"` // of what pays for a booking, that payment's
	PassID      booking.PassID      `json:"passId"`
	Delta       int64               `json:"delta"`              // credits, or minor units; below zero: used
	Amount      int64               `json:"amount"`             // what of a price it paid, in minor units; below zero: that came back
	BookingID   booking.BookingID   `json:"bookingId,omitzero"` // 0: of none
	SaleID      booking.SaleID      `json:"saleId,omitzero"`    // 0: of none
	TakesBack   booking.PaymentID   `json:"takesBack,omitzero"` // the entry whose use it takes back
	By          booking.ActorKind   `json:"by"`
	At          when.Instant        `json:"at"`
	ByID        string              `json:"-"` // id of the key or user
	WorkspaceID catalog.WorkspaceID `json:"-"`
}

// EntryFields describes the entries of a pass.
var EntryFields = field.Resource{
	Text: "What was put on a pass, or taken from it.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the entry; of what pays for a booking, that payment's."},
		{Name: "passId", Text: "Identifier of the pass."},
		{Name: "delta", Text: "Credits, or minor units; below zero is used. The balance is the sum."},
		{Name: "amount", Text: "What of a price it paid, in minor units; below zero is what came back of that."},
		{Name: "bookingId", Text: "The booking that it paid for; left out for none."},
		{Name: "saleId", Text: "The sale; left out for none."},
		{Name: "takesBack", Text: "The entry whose use it takes back; left out for none."},
		{Name: "by", Text: "Who made it.", Enum: field.Values(booking.ActorKinds...)},
		{Name: "at", Text: "When."},
	},
}

// spaced removes what people put between the letters of a code.
var spaced = strings.NewReplacer(" ", "", "-", "", "\u00a0", "", "\u2011", "", "\u2013", "")
