package rest

import (
	"reflect"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/rest/openapi"
	"daybook/app/when"
)

// eventType is what visitors may know of an event type.
type eventType struct {
	ID                        catalog.EventTypeID   `json:"id"`
	Slug                      string                `json:"slug"`
	Title                     string                `json:"title"`
	Description               string                `json:"description"`
	Category                  string                `json:"category"`
	DurationMinutes           int                   `json:"durationMinutes"`
	Price                     *money.Money          `json:"price"`
	Payment                   catalog.PaymentMethod `json:"payment"`
	Deposit                   *catalog.Deposit      `json:"deposit"`
	NoShowFee                 *money.Money          `json:"noShowFee"`
	LateCancellationFee       *money.Money          `json:"lateCancellationFee"`
	CancellationNoticeMinutes int                   `json:"cancellationNoticeMinutes"`
	RequiresApproval          bool                  `json:"requiresApproval"`
	AsksFor                   catalog.Asks          `json:"asksFor"`
	Hosts                     []catalog.HostRef     `json:"hosts"`
	Questions                 []catalog.Question    `json:"questions"`
	AddOns                    []catalog.AddOn       `json:"addOns"`
	AddOnGroups               []catalog.AddOnGroup  `json:"addOnGroups"`
	Seats                     int                   `json:"seats"`
	BookingURL                string                `json:"bookingUrl"`
}

func eventTypeOf(s *catalog.Setup, e *catalog.EventType) eventType {
	out := eventType{ID: e.ID, Slug: e.Slug, Title: e.Title, Description: e.Description, Category: e.Category,
		DurationMinutes: e.DurationMinutes, Price: e.Price, Payment: e.Payment, Deposit: e.Deposit,
		NoShowFee: e.NoShowFee, LateCancellationFee: e.LateCancellationFee,
		CancellationNoticeMinutes: e.CancellationNoticeMinutes, RequiresApproval: e.RequiresApproval, AsksFor: e.Asks(),
		Hosts: []catalog.HostRef{}, Questions: e.Questions, AddOns: e.AddOns, AddOnGroups: e.AddOnGroups, Seats: e.Seats,
		BookingURL: e.BookingURL}
	for _, ref := range e.Hosts {
		if h := s.Host(ref.ID); h != nil && h.Active {
			out.Hosts = append(out.Hosts, ref)
		}
	}
	return out
}

// publicBooking is the body of a publicBooking: what the publicBooking form has.
type publicBooking struct {
	EventType    string            `json:"eventType"`
	Start        string            `json:"start"`
	Invitee      *publicInvitee    `json:"invitee"`
	Host         string            `json:"host"`
	Notes        string            `json:"notes"`
	Answers      map[string]any    `json:"answers"`
	Metadata     map[string]string `json:"metadata"`
	AddOns       []string          `json:"addOns"`
	Seats        int               `json:"seats"`
	Participants []string          `json:"participants"`
	Key          string            `json:"key"`
	Proof        string            `json:"proof"`
}

// publicInvitee is booking.Invitee as a body has it.
type publicInvitee booking.Invitee

func (b *publicBooking) input() booking.BookInput {
	return booking.BookInput{EventType: b.EventType, Start: b.Start, Invitee: booking.Invitee(*b.Invitee), Host: b.Host,
		Notes: b.Notes, Answers: b.Answers, Metadata: b.Metadata, AddOns: b.AddOns, Seats: b.Seats,
		Participants: b.Participants}
}

// booked is a booking as its booker is told of it: nothing that was known of them before.
type booked struct {
	ID            booking.BookingID      `json:"id"`
	EventType     string                 `json:"eventType"`
	Start         when.Instant           `json:"start"`
	End           when.Instant           `json:"end"`
	Status        booking.Status         `json:"status"`
	PendingReason *booking.PendingReason `json:"pendingReason"`
	ExpiresAt     when.Instant           `json:"expiresAt"`
	Host          catalog.HostRef        `json:"host"`
	Location      string                 `json:"location"`
	Price         *money.Money           `json:"price"`
	Seats         int                    `json:"seats"`
	ManageURL     string                 `json:"manageUrl"`
	PayURL        string                 `json:"payUrl,omitempty"`
}

func bookedOf(b *booking.Booking) booked {
	out := booked{ID: b.ID, EventType: b.EventType, Start: b.Start, End: b.End, Status: b.Status,
		PendingReason: b.PendingReason, ExpiresAt: b.ExpiresAt, Host: b.Host, Location: b.Spot(), Price: b.Price,
		Seats: b.Seats, ManageURL: b.ManageURL}
	if b.Payment != nil {
		out.PayURL = b.Payment.URL
	}
	return out
}

// PublicTypes returns the types of bodies, with their names in the document and what it says of them.
func PublicTypes() map[reflect.Type]openapi.Type {
	return map[reflect.Type]openapi.Type{
		reflect.TypeFor[eventType](): {Name: "PublicEventType",
			Fields: like[eventType]("What visitors may know of an event type.", catalog.EventTypeFields)},
		reflect.TypeFor[fault.Page[eventType]](): {Name: "PublicEventTypeList",
			Fields: PageOf("event types")},
		reflect.TypeFor[publicBooking](): {Name: "PublicBookingRequest",
			Fields: like[publicBooking]("A booking to be made by a visitor.", booking.BookInputFields,
				field.Field{Name: "key", Text: "The key of a proof of work, from `details.key` of a 409 `proof_of_work`.",
					Most: 200},
				field.Field{Name: "proof", Text: "The proof: a text for which the SHA-256 of `key`, a colon and the text begins " +
					"with `details.bits` zero bits.", Most: 200})},
		reflect.TypeFor[publicInvitee](): {Name: "InviteeRequest", Fields: &booking.InviteeInputFields},
		reflect.TypeFor[booked](): {Name: "PublicBooking",
			Fields: like[booked]("A booking, as who has made it is told.", booking.BookingFields,
				field.Field{Name: "payUrl", Format: "uri",
					Text: "Where the invitee pays, while the booking waits for that. Treat it as `manageUrl`."})},
	}
}

// like describes T by the fields of the same name of another resource, and its own.
func like[T any](text string, of field.Resource, own ...field.Field) *field.Resource {
	r := &field.Resource{Text: text}
	for _, name := range openapi.FieldNames(reflect.TypeFor[T]()) {
		if f := of.Field(name); f != nil {
			r.Fields = append(r.Fields, *f)
		}
	}
	r.Fields = append(r.Fields, own...)
	return r
}
