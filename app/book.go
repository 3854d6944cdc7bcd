package app

import (
	"context"
	"slices"
	"time"
)

const (
	paymentHold  = 30 * time.Minute // how long a time is held for a payment
	approvalHold = 48 * time.Hour   // how long a booking waits for approval at most
)

// Book makes a booking. The check and the write are one transaction. Errors: bad_request (with the reason of contract
// §3), not_found (event type, host), forbidden, and conflict: already_booked with details.bookingId when the
// invitee has that very booking, slot_taken with details.alternatives when the time is another's.
func (s *Service) Book(ctx context.Context, a Actor, in BookInput) (Booking, error) {
	if err := a.MayWrite(); err != nil {
		return Booking{}, err
	}
	start, err := in.check()
	if err != nil {
		return Booking{}, err
	}
	if a.own() {
		in.Host = a.Host.String()
	}
	var b Booking
	var setup *Setup
	err = s.write(ctx, func(tx Tx) error {
		l, err := s.lock(tx, a.Workspace, in.EventType)
		if err != nil {
			return err
		}
		setup = l.setup
		b, err = s.book(l, a, start, in)
		return err
	})
	if err != nil {
		return Booking{}, s.suggest(ctx, a, err, AvailabilityInput{EventType: in.EventType, Host: in.Host, TimeZone: in.Invitee.TimeZone}, start)
	}
	s.present(setup, a, &b)
	return b, nil
}

// locked is a transaction that is the only one to book any host of an event type, until it ends.
type locked struct {
	Tx
	setup *Setup // as it is behind the lock
	now   time.Time
	last  EventID // the latest event
}

// lock begins the part of a transaction that changes bookings of the event type.
func (s *Service) lock(tx Tx, ws WorkspaceID, eventType string) (*locked, error) {
	setup, err := s.held(ws)
	if err != nil {
		return nil, err
	}
	e := setup.EventType(eventType)
	if e == nil {
		if setup, err = s.Setup(ws); err != nil {
			return nil, err
		}
		if e = setup.EventType(eventType); e == nil {
			return nil, Missing("event type", eventType)
		}
	}
	hosts := make([]HostID, len(e.Hosts))
	for i, h := range e.Hosts {
		hosts[i] = h.ID
	}
	found, err := tx.LockHosts(ws, hosts...)
	if err != nil {
		return nil, err
	}
	if setup.Workspace.Revision != found.SetupRevision {
		if _, err := s.Setup(ws); err != nil { // as last committed, to be held from now on
			return nil, err
		}
	}
	if setup, err = s.setupOf(tx, ws, found.SetupRevision); err != nil {
		return nil, err
	}
	if e = setup.EventType(eventType); e == nil {
		return nil, Missing("event type", eventType)
	}
	for _, h := range e.Hosts { // those that serve it only since the set-up changed
		if !slices.Contains(hosts, h.ID) {
			if _, err := tx.LockHosts(ws, h.ID); err != nil {
				return nil, err
			}
		}
	}
	return &locked{tx, setup, s.clock(), found.LastEvent}, nil
}

func (s *Service) book(tx *locked, a Actor, start Instant, in BookInput) (Booking, error) {
	e := tx.setup.EventType(in.EventType)
	answers, err := checkAnswers(e.Questions, in.Answers)
	if err != nil {
		return Booking{}, err
	}
	contact, err := refuseDuplicate(tx, in.Invitee.Email, e.ID, start, 0)
	if err != nil {
		return Booking{}, err
	}
	hosts, err := candidates(tx.setup, e, in.Host)
	if err != nil {
		return Booking{}, err
	}
	if a.own() && a.Host == 0 {
		return Booking{}, Missing("host", "")
	}
	q := &search{setup: tx.setup, event: e, rules: e.rules(), hosts: hosts, zone: tx.setup.Zone, now: At(tx.now)}
	p, err := q.find(tx, start, 0)
	if err != nil {
		return Booking{}, err
	}
	if contact == 0 {
		if contact, err = insertContact(tx, in.Invitee); err != nil {
			return Booking{}, err
		}
	}
	b := newBooking(tx, e, p, start, contact, in, answers)
	return b, s.saveNew(tx, a, &b)
}

// refuseDuplicate keeps an invitee from booking the same thing twice, so that a retry can't, whatever was done to the
// contact since the first time. It answers the contact of the e-mail, or zero.
func refuseDuplicate(tx *locked, email string, e EventTypeID, start Instant, except BookingID) (ContactID, error) {
	contact, id, err := tx.LiveDuplicate(tx.setup.Workspace.ID, email, e, start)
	if err != nil || id == 0 || id == except {
		return contact, err
	}
	return contact, conflict("already_booked", "This invitee has booked that time already: see details.bookingId.").with("bookingId", id)
}

func insertContact(tx *locked, p Invitee) (ContactID, error) {
	c := Contact{
		ID: NewID[contactKind](tx.now), WorkspaceID: tx.setup.Workspace.ID, CreatedAt: At(tx.now),
		Name: p.Name, Email: p.Email, Phone: p.Phone, TimeZone: p.TimeZone,
	}
	return c.ID, tx.InsertContact(&c)
}

func newBooking(tx *locked, e *EventType, p place, start Instant, contact ContactID, in BookInput, answers map[string]any) Booking {
	now := At(tx.now)
	b := Booking{
		ID: NewID[bookingKind](tx.now), WorkspaceID: tx.setup.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug,
		Start: start, End: p.end, BusyStart: p.busyStart, BusyEnd: p.busyEnd,
		Host: HostRef{p.host.ID, p.host.Name}, ContactID: contact, Invitee: in.Invitee,
		Location: e.Location, Notes: in.Notes, Answers: answers, Metadata: in.Metadata,
		Price: e.Price, NoShowFee: e.NoShowFee, CreatedAt: now, UpdatedAt: now,
		Status: Confirmed, NeedsOK: e.RequiresApproval,
	}
	if b.NeedsOK {
		b.Status = Pending
	}
	expires := min(now.Add(approvalHold), start)
	if tx.setup.wantsCard(e) {
		b.Status, expires = Pending, now.Add(paymentHold)
		b.setDue(e)
	}
	b.setPending(expires)
	if b.Answers == nil {
		b.Answers = map[string]any{}
	}
	if b.Metadata == nil {
		b.Metadata = map[string]string{}
	}
	return b
}

// saveNew saves a booking that was just made, and tells of it if it is confirmed.
func (s *Service) saveNew(tx *locked, a Actor, b *Booking) error {
	if length := time.Duration(b.End-b.Start) * time.Millisecond; length > tx.setup.Workspace.LongestBooking {
		if err := tx.SetLongestBooking(b.WorkspaceID, length); err != nil {
			return err
		}
	}
	c := Change{History: HistoryEntry{At: At(tx.now), Actor: a.Kind, By: a.id(), Action: "created", To: b.Status, Start: b.Start, Host: b.Host.ID, Tell: true}}
	if b.Status == Confirmed {
		if err := s.tell(tx, &c, BookingCreated, b); err != nil {
			return err
		}
	}
	if err := tx.SaveBooking(b, true, c); err != nil || !b.NeedsPay {
		return err
	}
	return insertDue(tx, b)
}

// tell adds the event to the change. What the receivers are told is the booking as the change leaves it.
func (s *Service) tell(tx *locked, c *Change, kind EventKind, b *Booking) error {
	told := *b
	s.present(tx.setup, Actor{Kind: BySystem}, &told)
	return s.addEvent(tx, c, kind, b, func(e *Event) (err error) {
		e.Body, err = encodeBookingEvent(e.ID, kind, e.CreatedAt, &told, c.History.Reason, c.History.Actor)
		return err
	})
}

// addEvent adds an event, whose body encode writes, to the change.
func (s *Service) addEvent(tx *locked, c *Change, kind EventKind, b *Booking, encode func(*Event) error) error {
	tx.last = idAfter(tx.now, tx.last)
	e := Event{ID: tx.last, WorkspaceID: b.WorkspaceID, Kind: kind, BookingID: b.ID, CreatedAt: At(tx.now), To: tx.setup.subscribers(kind, tx.now)}
	if err := encode(&e); err != nil {
		return err
	}
	c.Events = append(c.Events, e)
	return nil
}

const suggestions = 3

// suggest adds the next open slots to a slot_taken error. Inside a transaction, where a search would keep all other
// writes waiting, it leaves that to whoever ends the transaction (Error.later).
func (s *Service) suggest(ctx context.Context, a Actor, cause error, in AvailabilityInput, start Instant) error {
	e := AsError(cause)
	if e == nil || e.Reason != "slot_taken" {
		return cause
	}
	free := &Service{core: s.core} // of the transaction
	search := func(ctx context.Context) error {
		q, err := free.search(ctx, a, in)
		if err != nil {
			return nil // the conflict is what the caller must hear of
		}
		defer q.work.end()
		found, _, err := q.some(ctx, free.store, start, suggestions)
		if err != nil && !IsCode(err, Unavailable) {
			return err
		}
		e.with("alternatives", q.slots(found))
		return nil
	}
	if s.tx != nil {
		e.later = search
		return e
	}
	if err := search(ctx); err != nil {
		return err
	}
	return e
}
