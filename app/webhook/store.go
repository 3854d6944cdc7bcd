package webhook

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

// Reads finds endpoints and deliveries.
type Reads interface {
	Endpoint(id catalog.EndpointID) (Endpoint, error)                // does not find deleted ones
	Endpoints(ws catalog.WorkspaceID, limit int) ([]Endpoint, error) // the oldest first, each with its latest delivery
	Delivery(ws catalog.WorkspaceID, id booking.DeliveryID) (Delivery, error)
	EndpointOf(id booking.DeliveryID) (catalog.EndpointID, error) // the one a delivery is for, wherever
	// Deliveries lists the newest first, after f.After.
	Deliveries(ws catalog.WorkspaceID, f DeliveryFilter) ([]Delivery, error)
	// Events lists a workspace's events after the one that the filter names, in the order of their commits, without tests:
	// an event that commits later is listed after all that were listed before, whatever its id. After an id that is not,
	// or no longer, that of an event of the workspace it lists the events with greater ids, and maybe some others.
	Events(ws catalog.WorkspaceID, f EventFilter) ([]booking.Event, error)
	EventByID(id booking.EventID) (booking.Event, error)
	// Waiting lists the endpoints with pending deliveries, deleted ones included, of workspaces in those buckets.
	Waiting(of work.Buckets) ([]Waiting, error)
}

// DeliveryFilter selects deliveries. A field that is zero filters nothing.
type DeliveryFilter struct {
	Endpoint catalog.EndpointID
	State    DeliveryState
	After    booking.DeliveryID
	Limit    int
}

// EventFilter selects events. A field that is zero filters nothing.
type EventFilter struct {
	After      booking.EventID     // the list goes on behind it
	Booking    booking.BookingID   // only those about it
	Kinds      []catalog.EventKind // of catalog.CommonKinds; nil is all of them
	Descending bool                // the newest first
	Limit      int
}

// Writes saves endpoints, and the results of deliveries.
type Writes interface {
	// InsertEndpoint and UpdateEndpoint bump the revision of the workspace's set-up; UpdateEndpoint does not write
	// FailingSince.
	InsertEndpoint(e *Endpoint) error
	UpdateEndpoint(e *Endpoint) error
	// SaveFailing sets or, with 0, clears FailingSince.
	SaveFailing(ws catalog.WorkspaceID, id catalog.EndpointID, since when.Instant) error
	// LastEvent returns the id of an event such that no event of the workspace has a greater one; zero if there are no
	// events.
	LastEvent(catalog.WorkspaceID) (booking.EventID, error)
	// InsertEvent saves an event that belongs to no change of a booking, and its deliveries.
	InsertEvent(e *booking.Event) error
	// ClaimDeliveries claims at most limit due deliveries of an endpoint for a server until lease; no other claim gets
	// them before.
	ClaimDeliveries(server int64, ws catalog.WorkspaceID, id catalog.EndpointID, now, lease when.Instant,
		limit int) ([]Claimed, error)
	// SettleDelivery saves the outcome of a claim; it reports false if another claim has taken the lease.
	SettleDelivery(o *Outcome) (bool, error)
	// ReleaseDelivery gives a claim back, due at once, and in its old place if it was never tried, unless another claim has
	// taken the lease.
	ReleaseDelivery(ws catalog.WorkspaceID, id booking.DeliveryID, lease, now when.Instant) error
	// RequeueDelivery makes a delivery that is not under way pending and due, with a full set of retries.
	RequeueDelivery(ws catalog.WorkspaceID, id booking.DeliveryID, now when.Instant) error
	// FailPending fails at most limit pending deliveries of an endpoint that are not under way, and returns how many.
	FailPending(id catalog.EndpointID, reason string, now when.Instant, limit int) (int, error)
	// PruneDeliveries deletes at most limit finished deliveries older than before, and returns how many. PruneEvents
	// does the same for events older than any that is pending, PruneEndpoints for deleted endpoints without deliveries.
	PruneDeliveries(before booking.DeliveryID, limit int) (int, error)
	PruneEvents(before booking.EventID, limit int) (int, error)
	PruneEndpoints(limit int) (int, error)
}

// Claimed is a delivery that its claimer sends now.
type Claimed struct {
	ID        booking.DeliveryID
	Workspace catalog.WorkspaceID
	Event     booking.EventID
	Booking   booking.BookingID // that the event is about, or 0
	Tries     int               // so far
	Lease     when.Instant
	Body      []byte // nil when the event has been deleted
}

// Outcome is the result of one attempt.
type Outcome struct {
	ID        booking.DeliveryID
	Workspace catalog.WorkspaceID
	Endpoint  catalog.EndpointID
	Lease     when.Instant // of the claim
	State     DeliveryState
	Next      when.Instant // pending: when to try again
	Status    int          // 0 when there was no answer
	Error     string       // "" when it succeeded
	Duration  time.Duration
	Response  []byte
	Gone      bool // the endpoint answered 410 and is disabled
	Released  bool // no attempt was made: only ID, Workspace and Lease are set
}
