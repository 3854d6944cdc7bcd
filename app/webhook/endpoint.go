package webhook

import (
	"encoding/json"

	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
)

// Endpoint is an address of the customer's that is told of events.
type Endpoint struct {
	ID             catalog.EndpointID  `json:"id"`
	WorkspaceID    catalog.WorkspaceID `json:"-"`
	URL            string              `json:"url"`
	Events         []catalog.EventKind `json:"events"`
	Enabled        bool                `json:"enabled"`
	DisabledReason DisabledReason      `json:"disabledReason"` // null while enabled
	DisabledAt     when.Instant        `json:"disabledAt"`
	FailingSince   when.Instant        `json:"failingSince"`        // the first failure since the last success
	PreviousUntil  when.Instant        `json:"previousSecretUntil"` // until when the secret from before the last rotation signs too
	CreatedAt      when.Instant        `json:"createdAt"`
	LatestDelivery *Delivery           `json:"latestDelivery"`

	Secret         string       `json:"-"` // sealed (Vault), as is the one before
	PreviousSecret string       `json:"-"`
	DeletedAt      when.Instant `json:"-"`
}

// NewEndpoint is an endpoint with its secret, shown once.
type NewEndpoint struct {
	Endpoint
	Secret string
}

// DisabledReason says why an endpoint is told of nothing.
type DisabledReason string

const (
	DisabledByOwner DisabledReason = "by_owner"
	DisabledGone    DisabledReason = "gone"    // it answered 410
	DisabledFailing DisabledReason = "failing" // five days of nothing but failure
)

// MarshalJSON writes null for none.
func (r DisabledReason) MarshalJSON() ([]byte, error) {
	if r == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(r))
}

// DeliveryState is how far a delivery is.
type DeliveryState string

const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed" // given up; Redeliver sends it again
)

// DeliveryStates in the order of their stored codes.
var DeliveryStates = []DeliveryState{DeliveryPending, DeliveryDelivered, DeliveryFailed}

// Delivery is one event told to one endpoint: its entry in the log.
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
	NextAttemptAt  when.Instant       `json:"nextAttemptAt"`  // null when there is none, or it is under way
	CreatedAt      when.Instant       `json:"createdAt"`
	Response       []byte             `json:"-"` // how the last answer began, at most 1 KB
}

const (
	maxEndpoints = 50 // of a workspace
	maxOverlap   = 30 * when.Day
	failingLimit = 5 * when.Day // of nothing but failure, until an endpoint is disabled
)
