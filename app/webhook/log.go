package webhook

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// ListDeliveriesInput selects the deliveries to list.
type ListDeliveriesInput struct {
	Endpoint string // id
	State    string // pending, delivered or failed
	Limit    *int
	Cursor   string
}

// Deliveries lists the workspace's deliveries, the newest first. Errors: bad_request, not_found (the endpoint).
func (s *Service) Deliveries(ctx context.Context, a app.Actor, in ListDeliveriesInput) (fault.Page[Delivery], error) {
	if err := a.May(app.MaySeeEndpoints); err != nil {
		return fault.Page[Delivery]{Data: []Delivery{}}, err
	}
	none := fault.Page[Delivery]{Data: []Delivery{}}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return none, err
	}
	f := DeliveryFilter{State: DeliveryState(in.State), Limit: limit + 1}
	if in.State != "" && !slices.Contains(DeliveryStates, f.State) {
		return none, fault.Invalid("state", "must be pending, delivered or failed")
	}
	if in.Endpoint != "" {
		e, err := s.Endpoint(ctx, a, in.Endpoint)
		if err != nil {
			return none, err
		}
		f.Endpoint = e.ID
	}
	list := fault.List{"deliveries", in.Endpoint, in.State}
	if in.Cursor != "" {
		if err := list.Read(in.Cursor, (*int64)(&f.After)); err != nil {
			return none, err
		}
	}
	rows, err := s.Reader(ctx).Deliveries(a.Workspace, f)
	if err != nil {
		return none, err
	}
	return fault.PageOf(rows, limit, func(d *Delivery) string { return list.Cursor(int64(d.ID)) }), nil
}

// Delivery returns one entry of the log. The error is not_found.
func (s *Service) Delivery(ctx context.Context, a app.Actor, ref string) (Delivery, error) {
	if err := a.May(app.MaySeeEndpoints); err != nil {
		return Delivery{}, err
	}
	d, _, err := findDelivery(s.Reader(ctx), a, ref)
	return d, err
}

func findDelivery(r Reader, a app.Actor, ref string) (d Delivery, e Endpoint, err error) {
	missing := fault.Missing("delivery", ref)
	id, err := id.Parse[booking.DeliveryIDKind](ref)
	if err != nil {
		return d, e, missing
	}
	if d, err = r.Delivery(a.Workspace, id); err != nil {
		return d, e, fault.OrMissing(err, missing)
	}
	if e, err = r.Endpoint(d.EndpointID); err == nil && e.WorkspaceID != a.Workspace {
		err = missing
	}
	return d, e, fault.OrMissing(err, missing)
}

// Redeliver sends the event of a delivery again, at once and with a full set of retries. An attempt that is under way
// continues. Errors: forbidden, not_found, conflict endpoint_disabled, conflict event_forgotten.
func (s *Service) Redeliver(ctx context.Context, a app.Actor, ref string) (d Delivery, err error) {
	if err := a.May(app.MayManageEndpoints); err != nil {
		return d, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		found, e, err := findDelivery(tx, a, ref)
		if err != nil {
			return err
		}
		if err := e.refuseDisabled(); err != nil {
			return err
		}
		if found.Event == "" {
			return fault.Conflictf("event_forgotten", "The event of this delivery is too old: it is kept no longer.")
		}
		if err := tx.RequeueDelivery(a.Workspace, found.ID, when.At(s.Core.Now())); err != nil {
			return err
		}
		d, err = tx.Delivery(a.Workspace, found.ID)
		return err
	})
	return d, err
}

func (e *Endpoint) refuseDisabled() error {
	if e.Enabled {
		return nil
	}
	return fault.Conflictf("endpoint_disabled", "The endpoint %s is disabled; enable it first: daybook webhooks enable %s",
		e.ID, e.ID)
}

// ListEventsInput selects the events to list.
type ListEventsInput struct {
	After   string // the id of an event: the list goes on behind it
	Booking string // id
	Kinds   string // one, or several joined by commas
	Order   string // asc (default), desc
	Limit   *int
}

// Events lists the bodies of the workspace's events after the event with that id, in the order in which they were
// committed, or against it: exactly what webhooks send, but without links for a read-only actor. nextCursor is the id of
// the last one; a caller that continues from it misses none. Events are kept for 30 days. Errors: bad_request.
func (s *Service) Events(ctx context.Context, a app.Actor, in ListEventsInput) (fault.Page[json.RawMessage], error) {
	if err := a.May(app.MaySeeEndpoints); err != nil {
		return fault.Page[json.RawMessage]{Data: []json.RawMessage{}}, err
	}
	page := fault.Page[json.RawMessage]{Data: []json.RawMessage{}}
	n, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return page, err
	}
	f, err := in.filter()
	if err != nil {
		return page, err
	}
	f.Limit = n + 1
	rows, err := s.Reader(ctx).Events(a.Workspace, f)
	if err != nil {
		return page, err
	}
	events := fault.PageOf(rows, n, func(e *booking.Event) string { return e.ID.String() })
	for i := range events.Data {
		body, err := a.EventBody(&events.Data[i])
		if err != nil {
			return page, err
		}
		page.Data = append(page.Data, body)
	}
	page.HasMore, page.NextCursor = events.HasMore, events.NextCursor
	return page, nil
}

func (in *ListEventsInput) filter() (f EventFilter, err error) {
	if in.After != "" {
		if f.After, err = id.Parse[booking.EventIDKind](in.After); err != nil {
			return f, fault.Invalid("after",
				"must be the id of an event, such as nextCursor or the id of the last event seen")
		}
	}
	if in.Booking != "" {
		if f.Booking, err = id.Parse[booking.BookingIDKind](in.Booking); err != nil || f.Booking == 0 {
			return f, fault.Invalid("booking", "must be the id of a booking, such as data.id of an event about one")
		}
	}
	if in.Kinds != "" {
		for text := range strings.SplitSeq(in.Kinds, ",") {
			kind := catalog.EventKind(strings.TrimSpace(text))
			if !slices.Contains(catalog.CommonKinds, kind) {
				return f, fault.Invalid("event", "must be one or more of %s, joined by commas", booking.NamesOf(catalog.CommonKinds, "", ", "))
			}
			f.Kinds = append(f.Kinds, kind)
		}
	}
	switch in.Order {
	case "", "asc":
	case "desc":
		f.Descending = true
	default:
		return f, fault.Invalid("order", "must be asc or desc")
	}
	return f, nil
}

// TestEndpoint sends an endpoint a made-up event of the first kind that it subscribes to, at once and through the same
// queue. The body has "test": true beside the usual fields, and its ids end in zeros. It has one of the usual kinds,
// because receivers know no others; lists of events leave it out. Errors: forbidden, not_found, conflict
// endpoint_disabled.
func (s *Service) TestEndpoint(ctx context.Context, a app.Actor, ref string) (d Delivery, err error) {
	if err := a.May(app.MayManageEndpoints); err != nil {
		return d, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return d, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		e, err := findEndpoint(tx, a, ref)
		if err != nil {
			return err
		}
		if err := e.refuseDisabled(); err != nil {
			return err
		}
		event, err := sampleEvent(tx, setup, &e, s.Core.Now())
		if err != nil {
			return err
		}
		if err := tx.InsertEvent(&event); err != nil {
			return err
		}
		d, err = tx.Delivery(a.Workspace, event.To[0].Delivery)
		return err
	})
	return d, err
}

func sampleEvent(tx Tx, setup *catalog.Setup, e *Endpoint, now time.Time) (booking.Event, error) {
	last, err := tx.LastEvent(e.WorkspaceID)
	if err != nil {
		return booking.Event{}, err
	}
	event := booking.Event{
		ID: id.After(now, last), WorkspaceID: e.WorkspaceID, Kind: e.Events[0], CreatedAt: when.At(now),
		To: []booking.Recipient{{Delivery: id.New[booking.DeliveryIDKind](now), Endpoint: e.ID}},
	}
	event.Body, err = sampleBody(setup, &event, now)
	return event, err
}
