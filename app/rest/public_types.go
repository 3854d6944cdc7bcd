package rest

import (
	"encoding/json"
	"reflect"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/waitlist"
)

// eventType is an event type as visitors' programs get it.
type eventType struct{ shown any }

func (e eventType) MarshalJSON() ([]byte, error) { return json.Marshal(e.shown) }

// asking is what an event type says besides: what visitors are asked whatever they book.
type asking struct {
	ContactFields []catalog.ContactField `json:"contactFields,omitempty"`
}

var eventTypes = field.NewView[catalog.EventType, asking](&catalog.EventTypeFields, field.ForPublicKeys)

func eventTypeOf(s *catalog.Setup, e *catalog.EventType) eventType {
	shown := *e
	shown.Hosts, shown.AsksFor = s.ActiveHosts(e), e.Asks()
	return eventType{eventTypes.Of(&shown, asking{s.Workspace.Settings.FormFields()})}
}

// publicBooking is the body of a publicBooking: what the publicBooking form has.
type publicBooking struct {
	EventType     string            `json:"eventType"`
	Start         string            `json:"start"`
	Invitee       *publicInvitee    `json:"invitee"`
	Host          string            `json:"host"`
	Notes         string            `json:"notes"`
	Answers       map[string]any    `json:"answers"`
	ContactFields map[string]any    `json:"contactFields"`
	Metadata      map[string]string `json:"metadata"`
	AddOns        []string          `json:"addOns"`
	Seats         int               `json:"seats"`
	Participants  []string          `json:"participants"`
	Key           string            `json:"key"`
	Proof         string            `json:"proof"`
}

// publicWait is the body with which a visitor asks to wait. Its invitee is nil when it was left out.
type publicWait struct {
	waitlist.Input
	Invitee *publicInvitee `json:"invitee"`
}

// publicWaits is what whoever asks is told.
type publicWaits struct {
	Status waitlist.State `json:"status"`
}

// publicInvitee is booking.Invitee as a body has it.
type publicInvitee booking.Invitee

func (b *publicBooking) input() booking.BookInput {
	return booking.BookInput{EventType: b.EventType, Start: b.Start, Invitee: booking.Invitee(*b.Invitee), Host: b.Host,
		Notes: b.Notes, Answers: b.Answers, ContactFields: b.ContactFields, MustGive: true, Metadata: b.Metadata, AddOns: b.AddOns, Seats: b.Seats,
		Participants: b.Participants}
}

// booked has what whoever books is told of the booking besides the fields that booking.BookingFields has for public
// keys.
type booked struct {
	ManageURL string `json:"manageUrl"` // always, as whoever books may manage the booking
	PayURL    string `json:"payUrl,omitempty"`
}

var bookings = field.NewView[booking.Booking, booked](&booking.BookingFields, field.ForPublicKeys)

func bookedOf(b *booking.Booking) any {
	more := booked{ManageURL: b.ManageURL}
	if b.Payment != nil {
		more.PayURL = b.Payment.URL
	}
	shown := *b
	shown.Location = b.Spot()
	return bookings.Of(&shown, more)
}

// PublicTypes returns the types of bodies, with their names in the document and what it says of them.
func PublicTypes() map[reflect.Type]openapi.Type {
	return map[reflect.Type]openapi.Type{
		reflect.TypeFor[eventType](): {As: reflect.Zero(eventTypes.Type()).Interface()},
		eventTypes.Type(): {Name: "PublicEventType",
			Fields: described("What visitors may know of an event type.", catalog.EventTypeFields,
				field.Field{Name: "contactFields", Of: &catalog.ContactFieldFields, Each: "A field.",
					Text: "The workspace's own fields of contacts that visitors are asked for, the same ones for each event type; left " +
						"out where there are none. `contactFields` of a booking takes what they write, by the keys; those whose `onForm` is " +
						"`required` must be given."})},
		reflect.TypeFor[fault.Page[eventType]](): {Name: "PublicEventTypeList",
			Fields: PageOf("event types")},
		reflect.TypeFor[publicBooking](): {Name: "PublicBookingRequest",
			Fields: described("A booking to be made by a visitor.", requiring(booking.BookInputFields, "start", "invitee"),
				field.Field{Name: "key", Text: "The key of a proof of work, from `details.key` of a 409 `proof_of_work`.",
					Most: 200},
				field.Field{Name: "proof", Text: "The proof: a text for which the SHA-256 of `key`, a colon and the text begins " +
					"with `details.bits` zero bits.", Most: 200})},
		reflect.TypeFor[publicWait](): {Name: "PublicWaitlistRequest", Fields: &waitlist.InputFields},
		reflect.TypeFor[publicWaits](): {Name: "PublicWaitlistEntry", Fields: &field.Resource{Text: "An entry of the waitlist, as who has asked for it is told.",
			Fields: []field.Field{{Name: "status", Text: "`unconfirmed`: it counts once the link of the mail was opened, and waiting confirmed there.",
				Enum: field.Values(waitlist.States...)}}}},
		reflect.TypeFor[publicInvitee](): {Name: "InviteeRequest", Fields: &booking.InviteeInputFields},
		reflect.TypeFor[booked]():        {As: reflect.Zero(bookings.Type()).Interface()},
		bookings.Type(): {Name: "PublicBooking",
			Fields: described("A booking, as who has made it is told.", booking.BookingFields,
				field.Field{Name: "payUrl", Format: "uri",
					Text: "Where the invitee pays, while the booking waits for that. Treat it as `manageUrl`."})},
	}
}

// requiring is the description of a resource of which more fields must be given.
func requiring(of field.Resource, names ...string) field.Resource {
	of.Fields = slices.Clone(of.Fields)
	for _, name := range names {
		of.Field(name).Required = true
	}
	return of
}

// described is the description of another resource with a text and more fields.
func described(text string, of field.Resource, own ...field.Field) *field.Resource {
	return &field.Resource{Text: text, Fields: slices.Concat(of.Fields, own)}
}
