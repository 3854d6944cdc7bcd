package app

import (
	"context"
	"time"
)

const (
	paymentHold  = 30 * time.Minute // how long a time is held for a payment
	approvalHold = 48 * time.Hour   // how long a booking waits for approval at most
)

// Book makes a booking. The check and the write are one transaction. Errors: bad_request (with the reason of contract
// §3), not_found (event type, host), forbidden, and conflict slot_taken: with details.bookingId when the invitee has
// that very booking already, else with details.alternatives.
func (s *Service) Book(ctx context.Context, a Actor, in BookInput) (Booking, error) {
	if err := a.MayWrite(); err != nil {
		return Booking{}, err
	}
	start, err := in.check()
	if err != nil {
		return Booking{}, err
	}
	var b Booking
	var setup *Setup
	err = s.write(ctx, func(tx Tx) (err error) {
		if setup, err = s.lock(tx, a.Workspace, in.EventType); err != nil {
			return err
		}
		b, err = s.book(tx, setup, a, start, in)
		return err
	})
	if err != nil {
		return Booking{}, s.suggest(ctx, a, err, AvailabilityInput{EventType: in.EventType, Host: in.Host, TimeZone: in.Invitee.TimeZone}, start)
	}
	s.present(setup, a, &b)
	return b, nil
}

// lock makes the transaction the only one that books any host of the event type, and reads the set-up behind the lock.
func (s *Service) lock(tx Tx, ws WorkspaceID, eventType string) (*Setup, error) {
	setup, err := s.Setup(ws)
	if err != nil {
		return nil, err
	}
	e := setup.EventType(eventType)
	if e == nil {
		return nil, Missing("event type", eventType)
	}
	hosts := make([]HostID, len(e.Hosts))
	for i, h := range e.Hosts {
		hosts[i] = h.ID
	}
	if err := tx.LockHosts(hosts...); err != nil {
		return nil, err
	}
	fresh, err := s.setupOf(tx, ws)
	if err != nil {
		return nil, err
	}
	if fresh.EventType(eventType) == nil {
		return nil, Missing("event type", eventType)
	}
	return fresh, nil
}

func (s *Service) book(tx Tx, setup *Setup, a Actor, start Instant, in BookInput) (Booking, error) {
	now := s.clock()
	e := setup.EventType(in.EventType)
	answers, err := checkAnswers(e.Questions, in.Answers)
	if err != nil {
		return Booking{}, err
	}
	contact, err := tx.FindContactID(setup.Workspace.ID, in.Invitee.Email)
	if err != nil && err != ErrNotFound {
		return Booking{}, err
	}
	if err := refuseDuplicate(tx, contact, e.ID, start, 0); err != nil {
		return Booking{}, err
	}
	hosts, err := candidates(setup, e, in.Host)
	if err != nil {
		return Booking{}, err
	}
	q := &search{setup: setup, event: e, rules: e.rules(), hosts: hosts, zone: setup.Zone, now: At(now)}
	p, err := q.find(tx, start, 0)
	if err != nil {
		return Booking{}, err
	}
	if contact == 0 {
		if contact, err = insertContact(tx, setup, in.Invitee, now); err != nil {
			return Booking{}, err
		}
	}
	b := newBooking(setup, e, p, start, contact, in, answers, now)
	return b, s.saveNew(tx, setup, a, &b, now)
}

// refuseDuplicate keeps an invitee from booking the same thing twice, so that a retry can't: contract §3.
func refuseDuplicate(tx Tx, contact ContactID, e EventTypeID, start Instant, except BookingID) error {
	if contact == 0 {
		return nil
	}
	id, err := tx.LiveDuplicate(contact, e, start)
	if err == ErrNotFound || err == nil && id == except {
		return nil
	}
	if err != nil {
		return err
	}
	return conflict("slot_taken", "This invitee has booked that time already: see details.bookingId.").with("bookingId", id)
}

func insertContact(tx Tx, setup *Setup, p Invitee, now time.Time) (ContactID, error) {
	c := Contact{
		ID: NewID[contactKind](now), WorkspaceID: setup.Workspace.ID, CreatedAt: At(now),
		Name: p.Name, Email: p.Email, Phone: p.Phone, TimeZone: p.TimeZone,
	}
	return c.ID, tx.InsertContact(&c)
}

func newBooking(setup *Setup, e *EventType, p place, start Instant, contact ContactID, in BookInput, answers map[string]any, now time.Time) Booking {
	b := Booking{
		ID: NewID[bookingKind](now), WorkspaceID: setup.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug,
		Start: start, End: p.end, BusyStart: p.busyStart, BusyEnd: p.busyEnd,
		Host: HostRef{p.host.ID, p.host.Name}, ContactID: contact, Invitee: in.Invitee,
		Location: e.Location, Notes: in.Notes, Answers: answers, Metadata: in.Metadata,
		Price: e.Price, NoShowFee: e.NoShowFee, CreatedAt: At(now), UpdatedAt: At(now),
		Status: Confirmed, NeedsOK: e.RequiresApproval,
	}
	if b.NeedsOK {
		b.Status = Pending
	}
	expires := At(now.Add(approvalHold))
	b.setPending(min(expires, start))
	if b.Answers == nil {
		b.Answers = map[string]any{}
	}
	if b.Metadata == nil {
		b.Metadata = map[string]string{}
	}
	return b
}

// saveNew saves a booking that was just made, and tells of it if it is confirmed.
func (s *Service) saveNew(tx Tx, setup *Setup, a Actor, b *Booking, now time.Time) error {
	if length := time.Duration(b.End-b.Start) * time.Millisecond; length > setup.Workspace.LongestBooking {
		if err := tx.SetLongestBooking(setup.Workspace.ID, length); err != nil {
			return err
		}
	}
	c := Change{History: HistoryEntry{At: At(now), Actor: a.Kind, By: a.id(), Action: "created", To: b.Status, Start: b.Start}}
	if b.Status == Confirmed {
		if err := s.tell(tx, setup, &c, BookingCreated, b, now); err != nil {
			return err
		}
	}
	return tx.SaveBooking(b, true, c)
}

// tell adds the event to the change. What the receivers are told is the booking as the change leaves it.
func (s *Service) tell(tx Tx, setup *Setup, c *Change, kind EventKind, b *Booking, now time.Time) error {
	last, err := tx.LastEvent()
	if err != nil {
		return err
	}
	for _, e := range c.Events {
		last = max(last, e.ID)
	}
	told := *b
	s.present(setup, Actor{Kind: BySystem}, &told)
	data := bookingEventData{Booking: &told, Reason: c.History.Reason, By: c.History.Actor}
	if b.NoShow != nil {
		data.Fee = b.NoShow.Fee
	}
	e := Event{ID: idAfter(now, last), WorkspaceID: b.WorkspaceID, Kind: kind, BookingID: b.ID, CreatedAt: At(now)}
	if e.Body, err = encodeEvent(e.ID, kind, e.CreatedAt, data); err != nil {
		return err
	}
	c.Events = append(c.Events, e)
	return nil
}

const suggestions = 3

// suggest adds the next open slots to a slot_taken error that names no booking.
func (s *Service) suggest(ctx context.Context, a Actor, cause error, in AvailabilityInput, start Instant) error {
	e := AsError(cause)
	if e == nil || e.Reason != "slot_taken" || e.Details["bookingId"] != nil {
		return cause
	}
	q, err := s.search(a, in)
	if err != nil {
		return cause // the conflict is what the caller must hear of
	}
	found, err := q.some(s.reader(ctx), start, suggestions)
	if err != nil {
		return err
	}
	return e.with("alternatives", q.slots(found))
}
