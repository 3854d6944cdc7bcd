package rest

import (
	"reflect"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/webhook"
	"daybook/app/when"
)

// schema is a JSON Schema of OpenAPI 3.1, as far as the document needs it.
type schema struct {
	Ref                  string             `json:"$ref,omitempty"`
	Type                 any                `json:"type,omitempty"` // a name, or several
	Format               string             `json:"format,omitempty"`
	Description          string             `json:"description,omitempty"`
	Enum                 []any              `json:"enum,omitempty"`
	Default              any                `json:"default,omitempty"`
	MinLength            int                `json:"minLength,omitempty"`
	MaxLength            int                `json:"maxLength,omitempty"`
	Pattern              string             `json:"pattern,omitempty"`
	Minimum              *int               `json:"minimum,omitempty"`
	Maximum              *int               `json:"maximum,omitempty"`
	MaxProperties        int                `json:"maxProperties,omitempty"`
	Items                *schema            `json:"items,omitempty"`
	Properties           map[string]*schema `json:"properties,omitempty"`
	Required             []string           `json:"required,omitempty"`
	AdditionalProperties any                `json:"additionalProperties,omitempty"` // a *schema, or false
	AnyOf                []*schema          `json:"anyOf,omitempty"`
	OneOf                []*schema          `json:"oneOf,omitempty"`
	Discriminator        *discriminator     `json:"discriminator,omitempty"`
	Examples             []any              `json:"examples,omitempty"`

	order []string // of Properties
}

// discriminator names the property that tells which of OneOf a value is.
type discriminator struct {
	PropertyName string            `json:"propertyName"`
	Mapping      map[string]string `json:"mapping"`
}

// schemas makes the components of the document from Go types.
type schemas struct {
	named map[string]*schema
}

// of is the schema of a value's type: a reference, where the type has a name of its own in the document.
func (s *schemas) of(v any) *schema { return s.ofType(reflect.TypeOf(v)) }

// enums are the values of the types that have few.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[app.Status]():             list(app.Statuses...),
	reflect.TypeFor[app.PendingReason]():      list(app.ForApproval, app.ForPayment),
	reflect.TypeFor[app.ActorKind]():          list(app.ByInvitee, app.ByOwner, app.ByAPI, app.ByAgent, app.BySystem),
	reflect.TypeFor[catalog.RefundRule]():     list(catalog.RefundAlways, catalog.RefundWithinNotice, catalog.RefundNever),
	reflect.TypeFor[app.PaymentFor]():         list(app.ForPrice, app.ForCard),
	reflect.TypeFor[catalog.PaymentMethod]():  list(catalog.PayOnline, catalog.PayOnSite),
	reflect.TypeFor[catalog.EventKind]():      list(catalog.EventKinds...),
	reflect.TypeFor[webhook.DeliveryState]():  list(webhook.DeliveryStates...),
	reflect.TypeFor[webhook.DisabledReason](): list(webhook.DisabledByOwner, webhook.DisabledGone, webhook.DisabledFailing),
	reflect.TypeFor[slot.Reason](): list(slot.Inactive, slot.InPast, slot.TooSoon, slot.TooFar, slot.OutsideHours, slot.OffGrid, slot.DayFull,
		slot.Booked, slot.Buffer, slot.TimeOff, slot.Busy),
	reflect.TypeFor[fault.Code](): list(fault.BadRequest, fault.Unauthorized, fault.Forbidden, fault.NotFound, fault.Conflict, fault.RateLimited,
		fault.Internal, fault.MethodNotAllowed, fault.PayloadTooLarge, fault.UnsupportedMediaType, fault.Unavailable),
}

// errorReasons are what details.reason may be in answers of this API.
var errorReasons = append(list[string](
	"invalid", "invalid_json", "incomplete_body", "read_only_key", "role", "idempotency_mismatch", "in_progress", "slot_taken", "already_booked",
	"wrong_state", "payment_due", "too_late", "too_many_endpoints", "event_forgotten", "timeout", "busy", "setup_changed", "overtaken",
), list(slot.Inactive, slot.InPast, slot.TooSoon, slot.TooFar, slot.OutsideHours, slot.OffGrid, slot.DayFull)...)

func list[T ~string](values ...T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// names are what the document calls types, where that is not their Go name.
var names = map[reflect.Type]string{
	reflect.TypeFor[fault.Page[app.Booking]]():       "BookingList",
	reflect.TypeFor[fault.Page[catalog.EventType]](): "EventTypeList",
	reflect.TypeFor[fault.Page[app.Contact]]():       "ContactList",
	reflect.TypeFor[availability]():                  "SlotList",
	reflect.TypeFor[catalog.HostRef]():               "Host",
	reflect.TypeFor[app.NoShowRecord]():              "NoShow",
	reflect.TypeFor[bookBody]():                      "BookingRequest",
	reflect.TypeFor[invitee]():                       "InviteeRequest",
	reflect.TypeFor[cancelBody]():                    "CancelRequest",
	reflect.TypeFor[moveBody]():                      "RescheduleRequest",
	reflect.TypeFor[declineBody]():                   "DeclineRequest",
	reflect.TypeFor[contactBody]():                   "ContactRequest",
	reflect.TypeFor[webhook.Endpoint]():              "WebhookEndpoint",
	reflect.TypeFor[fault.Page[webhook.Endpoint]]():  "WebhookEndpointList",
	reflect.TypeFor[newEndpoint]():                   "NewWebhookEndpoint",
	reflect.TypeFor[endpointBody]():                  "WebhookEndpointRequest",
	reflect.TypeFor[webhook.Delivery]():              "WebhookDelivery",
	reflect.TypeFor[bookingEvent]():                  "BookingEvent",
	reflect.TypeFor[noShowEvent]():                   "NoShowEvent",
	reflect.TypeFor[paymentEvent]():                  "PaymentEvent",
	reflect.TypeFor[bookingEventData]():              "BookingEventData",
	reflect.TypeFor[noShowEventData]():               "NoShowEventData",
	reflect.TypeFor[eventHead]():                     "BookingEvent", // which tells the fields that all events have
	reflect.TypeFor[eventList]():                     "EventList",
	reflect.TypeFor[fault.ErrorBody]():               "Error",
	reflect.TypeFor[errorDetails]():                  "ErrorDetails",
}

func nameOf(t reflect.Type) string {
	if name, ok := names[t]; ok {
		return name
	}
	return t.Name()
}

type texter interface{ MarshalText() ([]byte, error) }

func (s *schemas) ofType(t reflect.Type) *schema {
	switch {
	case enums[t] != nil:
		return &schema{Type: "string", Enum: enums[t]}
	case t == reflect.TypeFor[event]():
		return s.event()
	case t == reflect.TypeFor[when.Instant](), t == reflect.TypeFor[time.Time]():
		return &schema{Type: "string", Format: "date-time"}
	case t.Implements(reflect.TypeFor[texter]()):
		return &schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.ofType(t.Elem())
	case reflect.Struct:
		return s.object(t)
	case reflect.Slice:
		return &schema{Type: "array", Items: s.ofType(t.Elem())}
	case reflect.Map:
		return &schema{Type: "object", AdditionalProperties: s.ofType(t.Elem())}
	case reflect.Interface: // of an answer to a question
		return &schema{Type: []string{"string", "number", "boolean", "null"}}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	}
	return &schema{Type: "string"}
}

// object registers a struct and refers to it.
func (s *schemas) object(t reflect.Type) *schema {
	name := nameOf(t)
	ref := &schema{Ref: "#/components/schemas/" + name}
	if s.named[name] != nil {
		return ref
	}
	o := &schema{Type: "object", Description: typeTexts[name], Properties: map[string]*schema{}}
	s.named[name] = o
	request := strings.HasSuffix(name, "Request")
	for _, f := range reflect.VisibleFields(t) {
		field, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if field == "-" || f.Anonymous || !f.IsExported() {
			continue
		}
		o.order = append(o.order, field)
		path := name + "." + field
		if len(f.Index) > 1 { // of a struct inside this one
			path = nameOf(t.Field(f.Index[0]).Type) + "." + field
		}
		o.Properties[field] = s.field(path, f, request)
		if request && f.Tag.Get("rule") == "required" || !request && !strings.Contains(options, "omitempty") {
			o.Required = append(o.Required, field)
		}
	}
	if request {
		o.AdditionalProperties = false
	}
	return ref
}

// field is the schema of one field, with what fieldTexts says of it.
func (s *schemas) field(path string, f reflect.StructField, request bool) *schema {
	t := f.Type
	about := fieldTexts[path]
	if about.as != nil {
		t = reflect.TypeOf(about.as)
	}
	p := s.ofType(t)
	about.applyTo(p)
	if request || t.Kind() != reflect.Pointer && !about.null || strings.Contains(f.Tag.Get("json"), "omitempty") {
		if p.Ref != "" {
			p.Description = about.text // beside $ref, as 3.1 allows
		}
		return p
	}
	if p.Ref != "" {
		return &schema{AnyOf: []*schema{{Ref: p.Ref}, {Type: "null"}}, Description: about.text}
	}
	if p.Enum != nil {
		p.Enum = append(p.Enum[:len(p.Enum):len(p.Enum)], nil)
	}
	p.Type = []any{p.Type, "null"}
	return p
}
