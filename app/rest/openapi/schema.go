package openapi

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/waitlist"
	"daybook/app/webhook"
	"daybook/app/when"
)

// Schema is a JSON Schema of OpenAPI 3.1, as far as the document needs it.
type Schema struct {
	Ref                  string             `json:"$ref,omitempty"`
	Type                 any                `json:"type,omitempty"` // a name, or several
	Format               string             `json:"format,omitempty"`
	Description          string             `json:"description,omitempty"`
	Enum                 []any              `json:"enum,omitempty"`
	Const                any                `json:"const,omitempty"`
	Default              any                `json:"default,omitempty"`
	MinLength            int                `json:"minLength,omitempty"`
	MaxLength            int                `json:"maxLength,omitempty"`
	Pattern              string             `json:"pattern,omitempty"`
	Minimum              *int               `json:"minimum,omitempty"`
	Maximum              *int               `json:"maximum,omitempty"`
	MaxProperties        int                `json:"maxProperties,omitempty"`
	Items                *Schema            `json:"items,omitempty"`
	Properties           map[string]*Schema `json:"properties,omitempty"`
	Required             []string           `json:"required,omitempty"`
	AdditionalProperties any                `json:"additionalProperties,omitempty"` // a *Schema, or a bool
	AnyOf                []*Schema          `json:"anyOf,omitempty"`
	OneOf                []*Schema          `json:"oneOf,omitempty"`
	Discriminator        *Discriminator     `json:"discriminator,omitempty"`
	Examples             []any              `json:"examples,omitempty"`

	Order []string `json:"-"` // of Properties
}

// Discriminator names the property that tells which of OneOf a value is.
type Discriminator struct {
	PropertyName string            `json:"propertyName"`
	Mapping      map[string]string `json:"mapping"`
}

// Set generates the schemas of a document from Go types.
type Set struct {
	Named map[string]*Schema    // those generated so far
	types map[reflect.Type]Type // the caller's own
}

// Type is what the document says about a Go type: its name, and the description of its fields if it has one.
type Type struct {
	Name   string
	Fields *field.Resource
	As     any // a value of the type that is described instead
}

// NewSet returns an empty set. types are the caller's types whose name in the document differs from their Go
// name.
func NewSet(types map[reflect.Type]Type) *Set {
	return &Set{map[string]*Schema{}, types}
}

// Of returns the schema of a value's type: a reference, where the type has a name of its own in the document.
func (s *Set) Of(v any) *Schema { return s.ofType(reflect.TypeOf(v)) }

// enums are the values of each type that has a fixed set of them.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[booking.Status]():        Values(booking.Statuses...),
	reflect.TypeFor[booking.PendingReason](): Values(booking.PendingReasons...),
	reflect.TypeFor[booking.ActorKind]():     Values(booking.ActorKinds...),
	reflect.TypeFor[booking.PaymentFor]():    Values(booking.PaymentKinds...),
	reflect.TypeFor[booking.Method]():        Values(booking.Methods...),
	reflect.TypeFor[catalog.EventKind]():     Values(catalog.EventKinds...),
	reflect.TypeFor[webhook.DeliveryState](): Values(webhook.DeliveryStates...),
	reflect.TypeFor[webhook.DisabledReason](): Values(webhook.DisabledByOwner, webhook.DisabledGone,
		webhook.DisabledFailing),
	reflect.TypeFor[slot.Reason](): Values(slot.Inactive, slot.InPast, slot.TooSoon, slot.TooFar, slot.OutsideHours,
		slot.OffGrid, slot.DayFull, slot.HostWeekFull, slot.WeekFull,
		slot.Booked, slot.Held, slot.Offered, slot.Buffer, slot.TimeOff, slot.Busy, slot.ResourceTaken,
		slot.PersonUpcoming, slot.PersonDayFull, slot.PersonWeekFull, slot.Requirement),
	reflect.TypeFor[fault.Code](): Values(fault.BadRequest, fault.Unauthorized, fault.Forbidden, fault.NotFound,
		fault.Conflict, fault.RateLimited,
		fault.Internal, fault.MethodNotAllowed, fault.PreconditionFailed, fault.PayloadTooLarge,
		fault.UnsupportedMediaType, fault.Unavailable),
}

// errorReasons are the values of details.reason in this API.
var errorReasons = Values(fault.ReasonsOf(fault.InAPI)...)

// Values returns the values as an enum has them.
func Values[T ~string](values ...T) []any { return field.Values(values...) }

// descriptionOf returns the description of the type, or nil if texts.go has it.
func (s *Set) descriptionOf(t reflect.Type) *field.Resource {
	return cmp.Or(s.types[t].Fields, booking.Described[t])
}

// about returns what the document says about the field that d describes, or else the one of that path in texts.go. Only
// requests have bounds: of a number's value, or of a text's length.
func (s *Set) about(d *field.Resource, path, name string, request, number bool) Field {
	if d == nil || d.Field(name) == nil {
		return Fields[path]
	}
	f := d.Field(name)
	about := Field{Text: f.Text, Format: f.Format, Enum: f.Enum, Example: f.Example, Null: f.Null}
	if f.Blank && !request {
		about.Format = "" // typed clients refuse an empty one
	}
	if request {
		about.Entries = f.Entries
		switch {
		case f.Entries > 0:
			about.ValueMax = f.Most
		case number:
			about.Min, about.Max = f.Least, f.Most
		default:
			about.MaxLength = f.Most
		}
	}
	return about
}

// names are the names of types in the document, where those differ from their Go names.
var names = map[reflect.Type]string{
	reflect.TypeFor[catalog.HostRef]():                   "Host",
	reflect.TypeFor[catalog.ResourceRef]():               "Resource",
	reflect.TypeFor[booking.NoShowRecord]():              "NoShow",
	reflect.TypeFor[availability.HostSlot]():             "Offer",
	reflect.TypeFor[catalog.MailWords]():                 "Words",
	reflect.TypeFor[bookingEvent]():                      "BookingEvent",
	reflect.TypeFor[noShowEvent]():                       "NoShowEvent",
	reflect.TypeFor[paymentEvent]():                      "PaymentEvent",
	reflect.TypeFor[counterEvent]():                      "CounterPaymentEvent",
	reflect.TypeFor[booking.CounterEventData]():          "CounterPaymentEventData",
	reflect.TypeFor[contactEvent]():                      "ContactEvent",
	reflect.TypeFor[catalog.ContactEventData]():          "ContactEventData",
	reflect.TypeFor[calendarEvent]():                     "CalendarEvent",
	reflect.TypeFor[resourceCalendarEvent]():             "ResourceCalendarEvent",
	reflect.TypeFor[webhook.ResourceCalendarEventData](): "ResourceCalendarEventData",
	reflect.TypeFor[waitlistEvent]():                     "WaitlistEvent",
	reflect.TypeFor[waitlist.EventData]():                "WaitlistEventData",
	reflect.TypeFor[webhook.CalendarEventData]():         "CalendarEventData",
	reflect.TypeFor[bookingEventData]():                  "BookingEventData",
	reflect.TypeFor[noShowEventData]():                   "NoShowEventData",
	reflect.TypeFor[eventHead]():                         "BookingEvent", // which tells the fields that all events have
	reflect.TypeFor[fault.ErrorBody]():                   "Error",
	reflect.TypeFor[ErrorDetails]():                      "ErrorDetails",
}

// nameOf returns the type's name in the document; that of a page is made from what it lists.
func (s *Set) nameOf(t reflect.Type) string {
	if name := cmp.Or(s.types[t].Name, names[t]); name != "" {
		return name
	}
	if strings.HasPrefix(t.Name(), "Page[") && t.PkgPath() == reflect.TypeFor[fault.Error]().PkgPath() {
		return s.nameOf(t.Field(0).Type.Elem()) + "List"
	}
	return t.Name()
}

type texter interface{ MarshalText() ([]byte, error) }

func (s *Set) ofType(t reflect.Type) *Schema {
	if as := s.types[t].As; as != nil {
		t = reflect.TypeOf(as)
	}
	switch {
	case enums[t] != nil:
		return &Schema{Type: "string", Enum: enums[t]}
	case t == reflect.TypeFor[money.Rate]():
		return &Schema{Type: "number"}
	case t == reflect.TypeFor[Event]():
		return s.event()
	case t == reflect.TypeFor[when.Instant](), t == reflect.TypeFor[time.Time]():
		return &Schema{Type: "string", Format: "date-time"}
	case t.Implements(reflect.TypeFor[texter]()):
		return &Schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.ofType(t.Elem())
	case reflect.Struct:
		return s.object(t)
	case reflect.Slice:
		return &Schema{Type: "array", Items: s.ofType(t.Elem())}
	case reflect.Map:
		values := s.ofType(t.Elem())
		if t.Elem().Kind() == reflect.Pointer { // null removes the entry
			values.Type = []any{values.Type, "null"}
		}
		return &Schema{Type: "object", AdditionalProperties: values}
	case reflect.Interface: // of an answer to a question
		// Not as a list of types, which generators for Go don't read.
		return &Schema{AnyOf: []*Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "null"}}}
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &Schema{Type: "integer"}
	case reflect.Float64:
		return &Schema{Type: "number"}
	}
	return &Schema{Type: "string"}
}

// object returns a reference to the schema of a struct, which it adds to the set.
func (s *Set) object(t reflect.Type) *Schema {
	name := s.nameOf(t)
	ref := &Schema{Ref: "#/components/schemas/" + name}
	if s.Named[name] != nil {
		return ref
	}
	o := &Schema{Type: "object", Description: Objects[name], Properties: map[string]*Schema{}}
	d := s.descriptionOf(t)
	if d != nil {
		o.Description = d.Text
	}
	s.Named[name] = o
	request := strings.HasSuffix(name, "Request")
	for _, f := range reflect.VisibleFields(t) {
		member, optional := field.Name(f)
		if member == "" {
			continue
		}
		o.Order = append(o.Order, member)
		owner := t
		if len(f.Index) > 1 { // of a struct inside this one
			owner = t.Field(f.Index[0]).Type
		}
		about := s.about(cmp.Or(d, s.descriptionOf(owner)), s.nameOf(owner)+"."+member, member, request, number(f.Type))
		o.Properties[member] = s.field(about, f, request)
		if request && slices.Contains(d.Required(), member) || !request && !optional {
			o.Required = append(o.Required, member)
		}
	}
	if request {
		o.AdditionalProperties = false
	}
	return ref
}

// number reports whether the type is one of integers, which may be left out.
func number(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Int || t.Kind() == reflect.Int64
}

// field returns the schema of one field with its texts.
func (s *Set) field(about Field, f reflect.StructField, request bool) *Schema {
	t := f.Type
	if about.As != nil {
		t = reflect.TypeOf(about.As)
	}
	p := s.ofType(t)
	about.applyTo(p)
	if request && about.Null && p.Ref != "" {
		return &Schema{AnyOf: []*Schema{{Ref: p.Ref}, {Type: "null"}}, Description: about.Text}
	}
	if request && about.Null {
		p.Type = []any{p.Type, "null"}
		if p.Enum != nil {
			p.Enum = append(p.Enum[:len(p.Enum):len(p.Enum)], nil)
		}
		return p
	}
	if request || t.Kind() != reflect.Pointer && !about.Null || strings.Contains(f.Tag.Get("json"), "omitempty") {
		if p.Ref != "" {
			p.Description = about.Text // beside $ref, as 3.1 allows
		}
		return p
	}
	if p.Ref != "" {
		return &Schema{AnyOf: []*Schema{{Ref: p.Ref}, {Type: "null"}}, Description: about.Text}
	}
	if p.Enum != nil {
		p.Enum = append(p.Enum[:len(p.Enum):len(p.Enum)], nil)
	}
	p.Type = []any{p.Type, "null"}
	return p
}

// FieldNames returns the names of a struct's fields in JSON.
func FieldNames(t reflect.Type) (names []string) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _ := field.Name(f); name != "" {
			names = append(names, name)
		}
	}
	return names
}
