package webhook

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// ContactCreated sends an event to the endpoints that subscribe to it, in the transaction that made a contact without a
// booking.
func (s *Service) ContactCreated(in app.Tx, c *booking.Contact) error {
	_, err := s.tell(in.(Tx), c.WorkspaceID, catalog.ContactCreated, catalog.ContactEventData{ID: c.ID.String(),
		CreatedAt: c.CreatedAt})
	return err
}

// CalendarFailed sends an event that the sign-in to a host's other calendar is refused to the endpoints that subscribe
// to it, in the transaction that noted it. It reports whether there are any.
func (s *Service) CalendarFailed(in app.Tx, ws catalog.WorkspaceID, data *CalendarEventData) (bool, error) {
	return s.tell(in.(Tx), ws, catalog.CalendarFailed, data)
}

// CalendarEventData is the data of events about hosts' other calendars.
type CalendarEventData struct {
	ID   string          `json:"id"` // of the connection
	Name string          `json:"name"`
	Host catalog.HostRef `json:"host"`
}

// ResourceCalendarFailed is CalendarFailed for a calendar of a resource, which has no host: CalendarEventData always names
// one.
func (s *Service) ResourceCalendarFailed(in app.Tx, ws catalog.WorkspaceID, data *ResourceCalendarEventData) (bool, error) {
	return s.tell(in.(Tx), ws, catalog.ResourceCalendarFailed, data)
}

// ResourceCalendarEventData is the data of events about calendars of resources.
type ResourceCalendarEventData struct {
	ID       string              `json:"id"` // of the connection
	Name     string              `json:"name"`
	Resource catalog.ResourceRef `json:"resource"`
}

// WaitlistChanged sends an event about an entry of the waitlist to the endpoints that subscribe to it, in the transaction that
// changed it.
func (s *Service) WaitlistChanged(in app.Tx, ws catalog.WorkspaceID, kind catalog.EventKind, data *waitlist.EventData) error {
	_, err := s.tell(in.(Tx), ws, kind, data)
	return err
}

// tell saves an event that belongs to no booking; it reports false where no endpoint has asked for its kind.
func (s *Service) tell(tx Tx, ws catalog.WorkspaceID, kind catalog.EventKind, data any) (bool, error) {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return false, err
	}
	now := s.Core.Now()
	e := booking.Event{WorkspaceID: ws, Kind: kind, CreatedAt: when.At(now),
		To: booking.Recipients(setup.Subscriptions, kind, now)}
	if len(e.To) == 0 {
		return false, nil
	}
	last, err := tx.LastEvent(ws)
	if err != nil {
		return false, err
	}
	e.ID = id.After(now, last)
	if e.Body, err = booking.EncodeEvent(e.ID, kind, e.CreatedAt, data); err != nil {
		return false, err
	}
	return true, tx.InsertEvent(&e)
}
