package booking

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// Event is something that happened, for webhooks: Body is the exact JSON that is sent, and never changes.
type Event struct {
	ID          EventID
	WorkspaceID catalog.WorkspaceID
	Kind        catalog.EventKind
	BookingID   BookingID
	CreatedAt   when.Instant
	Body        []byte
	To          []Recipient // who gets it
}

// Recipient is an endpoint that gets an event, and the delivery that sends it.
type Recipient struct {
	Delivery DeliveryID
	Endpoint catalog.EndpointID
}

// appendEventHead appends the body of an event up to its data: {"id","event","createdAt","data":.
func appendEventHead(dst []byte, id EventID, kind catalog.EventKind, at when.Instant) []byte {
	dst = id.AppendTo(append(dst, `{"id":"`...))
	dst = append(append(dst, `","event":"`...), kind...)
	dst = append(append(dst, `","createdAt":"`...), at.Stamp()...)
	return append(dst, `","data":`...)
}

// EncodeBookingEvent returns the body of an event whose data is the booking, the reason, the kind of actor, and for a
// no-show the fee.
func EncodeBookingEvent(id EventID, kind catalog.EventKind, at when.Instant, b *Booking, reason string,
	by ActorKind) ([]byte, error) {
	dst := append(appendEventHead(make([]byte, 0, 1024), id, kind, at), '{')
	dst, err := b.AppendMembers(dst)
	if err != nil {
		return nil, err
	}
	dst = AppendText(append(dst, `,"reason":`...), reason)
	dst = append(append(append(dst, `,"by":"`...), by...), '"')
	if kind.Data() == catalog.NoShowData {
		var fee *Fee
		if b.NoShow != nil {
			fee = b.NoShow.Fee
		}
		if dst, err = appendPointer(append(dst, `,"fee":`...), fee); err != nil {
			return nil, err
		}
	}
	return append(dst, '}', '}'), nil
}

// Numbered returns the body of an event with its place among those of its booking.
func Numbered(body []byte, sequence int) []byte {
	at := bytes.Index(body, []byte(`,"data":`))
	if at < 0 {
		return body
	}
	return slices.Insert(body, at, strconv.AppendInt([]byte(`,"sequence":`), int64(sequence), 10)...)
}

// Recipients returns a delivery for each endpoint that subscribes to the kind.
func Recipients(subs []catalog.Subscription, kind catalog.EventKind, now time.Time) (to []Recipient) {
	for _, sub := range subs {
		if slices.Contains(sub.Kinds, kind) {
			to = append(to, Recipient{id.New[DeliveryIDKind](now), sub.Endpoint})
		}
	}
	return to
}

// PaymentEventData is the data of payment events.
type PaymentEventData struct {
	ID             PaymentID  `json:"id"`
	BookingID      BookingID  `json:"bookingId"`
	Kind           string     `json:"kind"`          // one of payment.Kinds
	For            PaymentFor `json:"for,omitempty"` // one of Purposes; bodies from before it are without it
	Amount         int64      `json:"amount"`
	Currency       string     `json:"currency"`
	Status         string     `json:"status"`
	RefundedAmount int64      `json:"refundedAmount"`
	Invitee        Invitee    `json:"invitee"`
}

// EncodeEvent returns the body of an event with these data, such as a *PaymentEventData.
func EncodeEvent(id EventID, kind catalog.EventKind, at when.Instant, data any) ([]byte, error) {
	text, err := json.Marshal(data)
	return append(append(appendEventHead(nil, id, kind, at), text...), '}'), err
}

// CounterEventData is the data of events about money at the counter.
type CounterEventData struct {
	CounterPayment
	BookingID BookingID    `json:"bookingId"`
	Paid      *money.Money `json:"paid"` // of the booking, after this
	Due       *money.Money `json:"due"`  // of the booking, after this
	Invitee   Invitee      `json:"invitee"`
}

// EncodeCounterEvent returns the body of an event about a payment at the counter.
func EncodeCounterEvent(id EventID, kind catalog.EventKind, at when.Instant, b *Booking,
	p *CounterPayment) ([]byte, error) {
	data, err := json.Marshal(CounterEventData{*p, b.ID, b.Paid, b.Due, b.Invitee})
	return append(append(appendEventHead(nil, id, kind, at), data...), '}'), err
}
