package webhook

import (
	"encoding/json"

	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
)

// Endpoint is a customer's URL that events are sent to.
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

// NewEndpoint is an endpoint with its secret, which is shown only once.
type NewEndpoint struct {
	Endpoint
	Secret string
}

// DisabledReason says why an endpoint gets no events.
type DisabledReason string

const (
	DisabledByOwner DisabledReason = "by_owner"
	DisabledGone    DisabledReason = "gone"    // it answered 410
	DisabledFailing DisabledReason = "failing" // every attempt of five days failed
)

// MarshalJSON writes null for the empty reason.
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

// DeliveryStates are in the order of their stored codes.
var DeliveryStates = []DeliveryState{DeliveryPending, DeliveryDelivered, DeliveryFailed}

// Delivery is one event sent to one endpoint, as the log shows it.
type Delivery struct {
	ID             record.DeliveryID  `json:"id"`
	EventID        record.EventID     `json:"eventId"`
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
