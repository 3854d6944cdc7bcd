package webhook

import (
	"encoding/json"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/when"
)

// Endpoint is a URL to which a workspace's events are sent.
type Endpoint struct {
	ID             catalog.EndpointID  `json:"id"`
	WorkspaceID    catalog.WorkspaceID `json:"-"`
	URL            string              `json:"url"`
	Events         []catalog.EventKind `json:"events"`
	Enabled        bool                `json:"enabled"`
	DisabledReason DisabledReason      `json:"disabledReason"` // null while enabled
	DisabledAt     when.Instant        `json:"disabledAt"`
	FailingSince   when.Instant        `json:"failingSince"`        // the first failure after the last success
	PreviousUntil  when.Instant        `json:"previousSecretUntil"` // the previous secret signs too until then
	CreatedAt      when.Instant        `json:"createdAt"`
	LatestDelivery *Delivery           `json:"latestDelivery"`

	Secret         string       `json:"-"` // sealed (Vault), as is PreviousSecret
	PreviousSecret string       `json:"-"`
	DeletedAt      when.Instant `json:"-"`
}

// SwitchedOff reports whether the endpoint is told of nothing any more because it failed.
func (e *Endpoint) SwitchedOff() bool {
	return e.DisabledReason == DisabledGone || e.DisabledReason == DisabledFailing
}

// Fails reports whether the endpoint has refused everything since its first failure.
func (e *Endpoint) Fails() bool { return e.Enabled && e.FailingSince != 0 }

// NewEndpoint is an endpoint with its secret, which is shown only once.
type NewEndpoint struct {
	Endpoint
	Secret string
}

// EndpointFields describes the fields of endpoints.
var EndpointFields = field.Resource{
	Text: "An address that events are sent to.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the endpoint.", Example: "wh_1p4s8yvz04k2c"},
		{Name: "url", Text: "Where events are sent.", Format: "uri"},
		{Name: "events", Text: "The events that it wants."},
		{Name: "enabled", Text: "Whether events are sent to it."},
		{Name: "disabledReason", Null: true,
			Text: "Why it is told of nothing: `by_owner`, `gone` (it answered 410) or `failing` (five days of nothing but " +
				"failure)."},
		{Name: "disabledAt", Text: "Since when.", Null: true},
		{Name: "failingSince", Text: "The first failure since the last success.", Null: true},
		{Name: "previousSecretUntil", Text: "Until when the secret from before the last rotation signs too.", Null: true},
		{Name: "createdAt", Text: "When it was registered."},
		{Name: "latestDelivery", Text: "What became of the latest event; null when there was none."},
	},
}

// NewEndpointFields describes the fields of new endpoints.
var NewEndpointFields = field.Resource{
	Text: "An endpoint with its signing secret, which is shown this once.",
	Fields: append(slices.Clone(EndpointFields.Fields), field.Field{Name: "secret",
		Text: "Signs every delivery. It is shown this once.", Example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}),
}

// DeliveryFields describes the fields of deliveries.
var DeliveryFields = field.Resource{
	Text: "One event told to one endpoint.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the delivery."},
		{Name: "eventId", Text: "Id of the event."},
		{Name: "event", Text: "What happened."},
		{Name: "endpointId", Text: "Id of the endpoint."},
		{Name: "state",
			Text: "`pending` will be tried (again); `delivered` was answered 2xx; `failed` was given up and can be sent " +
				"again."},
		{Name: "attempts", Text: "How often it was tried."},
		{Name: "responseStatus", Text: "The status of the last answer; null when there was none."},
		{Name: "error", Text: "What went wrong in the last attempt; null when nothing did."},
		{Name: "durationMs", Text: "How long the last attempt took."},
		{Name: "nextAttemptAt", Text: "When it is tried next; null when it is not, or just now.", Null: true},
		{Name: "createdAt", Text: "When it was created, together with its event."},
	},
}

// DisabledReason says why an endpoint gets no events.
type DisabledReason string

const (
	DisabledByOwner DisabledReason = "by_owner"
	DisabledGone    DisabledReason = "gone"    // it answered 410
	DisabledFailing DisabledReason = "failing" // every attempt of five days failed
)

// MarshalJSON returns null for the empty reason.
func (r DisabledReason) MarshalJSON() ([]byte, error) {
	if r == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(r))
}

// DeliveryState is the state of a delivery.
type DeliveryState string

const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed" // no attempts are left; Redeliver sends it again
)

// DeliveryStates lists all states, in the order of their stored codes.
var DeliveryStates = []DeliveryState{DeliveryPending, DeliveryDelivered, DeliveryFailed}

// Delivery is one event sent to one endpoint, as the log shows it.
type Delivery struct {
	ID             booking.DeliveryID `json:"id"`
	EventID        booking.EventID    `json:"eventId"`
	Event          catalog.EventKind  `json:"event"`
	EndpointID     catalog.EndpointID `json:"endpointId"`
	State          DeliveryState      `json:"state"`
	Attempts       int                `json:"attempts"`
	ResponseStatus *int               `json:"responseStatus"` // of the last attempt; null when there was no answer
	Error          *string            `json:"error"`          // of the last attempt; null when it succeeded
	DurationMS     *int64             `json:"durationMs"`     // of the last attempt
	NextAttemptAt  when.Instant       `json:"nextAttemptAt"`  // null when there is none, or while an attempt is under way
	CreatedAt      when.Instant       `json:"createdAt"`
	Response       []byte             `json:"-"` // the first bytes of the last answer, at most 1 KB
}

const (
	maxEndpoints = 50 // of a workspace
	maxOverlap   = 30 * when.Day
	failingLimit = 5 * when.Day // an endpoint that has only failed for that long is disabled
)
