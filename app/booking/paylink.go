package booking

import (
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/when"
)

// PayLink is what the invitee can pay online before a booking that stands without that, its price or its deposit: a later
// date of a series, see catalog.SeriesPayEach. Unpaid, it is due on site.
type PayLink struct {
	Kind     PaymentFor `json:"kind"` // ForPrice or ForDeposit
	Amount   int64      `json:"amount"`
	Currency string     `json:"currency"`
	URL      string     `json:"url,omitempty"` // isn't stored
}

// PayLinkFields describes the fields of PayLink.
var PayLinkFields = field.Resource{
	Text:   "What can be paid online ahead of a booking that is due on site.",
	Agents: "What the invitee can pay online ahead, if they like; else it is due on site.",
	Fields: []field.Field{
		{Name: "kind", Text: "What it pays: the `price`, or its `deposit`.", Agents: "price, or deposit, a part of it.",
			Enum: field.Values(ForPrice, ForDeposit)},
		{Name: "amount", Text: "In minor units.", Agents: "In minor units.", Example: 4500},
		{Name: "currency", Text: "ISO 4217 code of the currency.", Agents: "ISO 4217 code.", Example: "EUR"},
		{Name: "url", Text: "Where the invitee pays it, for as long as `payLink` is there. Left out where links aren't shown.",
			Agents: "Where the invitee pays it.", Format: "uri", Example: "https://book.example.com/booking/TOKEN/pay"},
	},
}

// OfferPayLink has the invitee of a new booking pay ahead, if they like, what would else be due when it is booked.
func (b *Booking) OfferPayLink(e *catalog.EventType) {
	kind, due := ForDeposit, e.DepositDue()
	if due == nil {
		kind, due = ForPrice, e.Price
	}
	if due != nil && due.Amount > 0 {
		b.PayLink = &PayLink{Kind: kind, Amount: due.Amount, Currency: due.Currency}
	}
}

// OwesPayLink reports whether at least as much is due for the booking as its link pays.
func (b *Booking) OwesPayLink(s *catalog.Setup) bool {
	if b.PayLink == nil {
		return false
	}
	now := *b
	now.ShowMoney(s)
	return now.Due != nil && now.Due.Currency == b.PayLink.Currency && now.Due.Amount >= b.PayLink.Amount
}

// CanPayLink reports whether the invitee can pay by the booking's link now: it stands and has not begun, nothing of it was paid
// online, and as much is still due.
func (b *Booking) CanPayLink(s *catalog.Setup, now when.Instant) bool {
	return b.PayLink != nil && b.Payment == nil && b.Status.Stands() && b.Start > now && b.DoneAt == 0 && s.TakesCards && b.OwesPayLink(s)
}

// ShowPayLink leaves the link only where it can be paid by now.
func (b *Booking) ShowPayLink(s *catalog.Setup, now when.Instant) {
	if b.PayLink == nil {
		return
	}
	if !b.CanPayLink(s, now) {
		b.PayLink = nil
		return
	}
	shown := *b.PayLink
	b.PayLink = &shown
}

// PayLinks returns what can be paid by the links of these bookings together, as they are shown; nil is nothing.
func PayLinks(all []Booking) (sum *money.Money) {
	for i := range all {
		link := all[i].PayLink
		switch {
		case link == nil:
		case sum == nil:
			sum = &money.Money{Amount: link.Amount, Currency: link.Currency}
		default:
			sum.Amount += link.Amount
		}
	}
	return sum
}
