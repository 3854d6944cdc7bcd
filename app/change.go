package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
)

// Change is one change of one booking, in a transaction that has locked what its event type may take (see
// catalog.Setup.Locks) and what the booking takes, which may no longer be of those: so two changes of one booking
// always wait for each other. It is the only way to change a booking: the caller edits Booking, records what happened
// (Become, Note) and adds events (EmitBooking, Emit); booking, history and events are then saved together. A Change that
// records nothing saves nothing.
type Change struct {
	Tx      // the transaction, for what else must be saved with the change
	Booking *booking.Booking
	Setup   *catalog.Setup // of the workspace, as it is behind the lock
	Now     time.Time      // of the transaction
	Actor   Actor
	Unknown []catalog.CalendarOwner // see Service.AskCalendars

	service      *Service
	insert       bool                 // the booking is new
	invitation   booking.InvitationID // by whose link it is made, see admit
	from         booking.Status       // as last recorded
	was          booking.Booking      // as last recorded, but with UpdatedAt as it was found; zero when it is new
	found        booking.Booking      // as it was found; zero when it is new
	held         catalog.Locks        // what is locked, of what bookings take
	last         booking.EventID
	Waived       slot.Reasons // the rules that the change is made against, for its first entry of the history
	steps        []booking.Step
	after        []func() error
	met          *booking.Contact    // a contact whom the change has made
	ending       []booking.BookingID // see EndsToo
	withVisit    bool                // the change is of all of the booking's visit
	withSeries   bool                // the change is of several dates of the booking's series
	offers       bool                // of several that the business changes at once: what is freed is offered to who waits
	passesOffers bool                // what is offered to somebody may be taken, see overOffers
	imported     bool                // its events say so, and go to endpoints only if it tells
	tells        bool
}

// Change changes the booking with the id. An error of do undoes everything; do must do nothing but SQL and must not
// keep the Change. OnlyIf can name the version that it must have. also has the hosts that do may give the booking to, and what it may take there, besides those of its
// event type; they are locked, too. Errors: not_found, forbidden,
// precondition_failed, and those of do.
func (s *Service) Change(ctx context.Context, a Actor, id string, do func(*Change) error,
	also ...catalog.Locks) (booking.Booking, error) {
	if err := a.May(MayChange); err != nil {
		return booking.Booking{}, err
	}
	before, err := s.Find(ctx, a, id)
	if err != nil {
		return booking.Booking{}, err
	}
	others := lockOf(&before)
	if before.Visit != nil { // two of a visit that are moved at once wait for each other
		visit, err := bookingsOf(s.Reader(ctx), a.Workspace, before.Visit)
		if err != nil {
			return booking.Booking{}, err
		}
		setup, err := s.SetupFor(a)
		if err != nil {
			return booking.Booking{}, err
		}
		for i := range visit {
			others = others.And(lockOf(&visit[i]))
			if e := setup.EventTypeByID(visit[i].EventTypeID); e != nil && before.Status == booking.Pending { // may change with it
				others = others.And(setup.Locks(e))
			}
		}
	}
	for _, l := range also {
		others = others.And(l)
	}
	var b booking.Booking
	var setup *catalog.Setup
	err = s.Write(ctx, func(tx Tx) error {
		ch, err := s.Lock(tx, a, before.EventTypeID.String(), func(*catalog.Setup, *catalog.EventType) {
			_, _ = tx.Booking(a.Workspace, before.ID) // it is looked at when it is read behind the lock
		}, others)
		if err != nil {
			return err
		}
		setup = ch.Setup
		if b, err = tx.Booking(a.Workspace, before.ID); err != nil { // the undo of an import removes bookings
			return fault.OrMissing(err, fault.Missing("booking", before.ID.String()))
		}
		e := ch.Setup.EventTypeByID(before.EventTypeID) // whose hosts are locked; b may have another one by now
		for ch.held = ch.Setup.Locks(e).And(others); ; {
			more := lockOf(&b).Without(ch.held)
			if more.None() {
				break
			}
			ch.held = ch.held.And(more)
			if _, err = tx.LockTaken(a.Workspace, more); err != nil {
				return err
			}
			if b, err = tx.Booking(a.Workspace, before.ID); err != nil {
				return fault.OrMissing(err, fault.Missing("booking", before.ID.String()))
			}
		}
		if b.EventTypeID != e.ID { // it got another one since it was found
			if err := lockMore(tx, a, ch.Setup.Locks(ch.Setup.EventTypeByID(b.EventTypeID)), catalog.Locks{}); err != nil {
				return err
			}
		}
		if !a.seesHosts(&b) || !a.Limits.Sees(b.EventTypeID) { // another host has it now
			return fault.Missing("booking", id)
		}
		if err := CheckOnlyIf(ctx, id, &b); err != nil {
			return err
		}
		ch.Booking, ch.from, ch.was, ch.found = &b, b.Status, b, b
		if err := do(ch); err != nil {
			return err
		}
		return ch.save()
	})
	if err != nil {
		return booking.Booking{}, err
	}
	s.Present(setup, a, &b)
	return b, nil
}

// lockOf returns what a change of the booking locks besides what its event type may take.
func lockOf(b *booking.Booking) catalog.Locks {
	return b.Subjects(b.Host.ID)
}

// Lock locks what a booking of the event type may take (see catalog.Setup.Locks), and others: until the transaction ends,
// no other transaction can book them. ahead makes the reads that are expected to follow, by a set-up that may be out of date; see
// Tx.Ahead.
func (s *Service) Lock(tx Tx, a Actor, eventType string, ahead func(*catalog.Setup, *catalog.EventType),
	others catalog.Locks) (*Change, error) {
	setup, err := s.cachedSetup(a.Workspace)
	if err != nil {
		return nil, err
	}
	e := setup.EventType(eventType)
	if e == nil {
		if setup, err = s.Setup(a.Workspace); err != nil {
			return nil, err
		}
		if e = setup.EventType(eventType); e == nil {
			return nil, fault.Missing("event type", eventType)
		}
	}
	wanted := setup.Locks(e).And(others).Without(catalog.Locks{})
	tx.Ahead(func() { ahead(setup, e) })
	found, err := tx.LockTaken(a.Workspace, wanted)
	if err != nil {
		return nil, err
	}
	if setup.Workspace.Revision != found.SetupRevision {
		if _, err := s.Setup(a.Workspace); err != nil { // caches the set-up as last committed
			return nil, err
		}
	}
	if setup, err = s.setupOf(tx, a.Workspace, found.SetupRevision); err != nil {
		return nil, err
	}
	if a.Kind != booking.BySystem { // what is under way, such as a payment, ends
		if err := setup.Workspace.Open(); err != nil {
			return nil, err
		}
	}
	if e = setup.EventType(eventType); e == nil {
		return nil, fault.Missing("event type", eventType)
	}
	if err := lockMore(tx, a, setup.Locks(e), wanted); err != nil { // added since the cached set-up was read
		return nil, err
	}
	now := s.clock()
	if !s.at.IsZero() {
		now = s.at
	}
	return &Change{Tx: tx, Setup: setup, Now: now, Actor: a, service: s, last: found.LastEvent}, nil
}

// noReads is for Lock where no reads are expected to follow.
func noReads(*catalog.Setup, *catalog.EventType) {}

// lockMore locks what isn't locked yet.
func lockMore(tx Tx, a Actor, l, locked catalog.Locks) error {
	more := l.Without(locked)
	if more.None() {
		return nil
	}
	_, err := tx.LockTaken(a.Workspace, more)
	return err
}

// Among returns a search over these hosts that ignores the rules named, if the actor may waive them. Hosts and
// resources in Unknown are left out unless busy is waived. Errors: forbidden, bad_request (a rule), conflict calendar_unknown.
func (c *Change) Among(hosts []*catalog.Host, e *catalog.EventType, rules []string) (*availability.Search, error) {
	err := c.Actor.May(MayWaive)
	waived := err == nil && slices.Contains(rules, string(slot.Busy))
	if !waived {
		var unknown error
		if hosts, unknown = availability.Known(hosts, c.Unknown); unknown != nil {
			return nil, unknown
		}
	}
	q := availability.Among(hosts, c.Setup, e, c.Now)
	q.Naming(c.Actor.Limits.SeesHost)
	if err == nil {
		c.passesOffers = c.passesOffers || slices.Contains(rules, string(slot.Offered))
		err = q.ByBusiness(rules)
	} else if len(rules) == 0 {
		err = nil
	}
	if err == nil && !waived {
		err = q.WithoutUnknown(c.Unknown)
	}
	return q, err
}

// Become gives the booking a status and records it in the history. A status that can't follow the present one is an
// internal error: callers check first.
func (c *Change) Become(to booking.Status, action booking.Action, reason string) error {
	if !c.from.MayBecome(to) {
		return fmt.Errorf("booking %s: %s may not become %s", c.Booking.ID, c.from, to)
	}
	c.Booking.Status = to
	c.record(action, reason)
	return nil
}

// Note records something that leaves the booking's status as it is.
func (c *Change) Note(action booking.Action, reason string) { c.record(action, reason) }

// NoteAmount is Note with an amount of money.
func (c *Change) NoteAmount(action booking.Action, amount money.Money) {
	c.NoteAmountFor(action, amount, "")
}

// NoteAmountFor is Note with an amount of money and a reason.
func (c *Change) NoteAmountFor(action booking.Action, amount money.Money, reason string) {
	c.record(action, reason)
	c.steps[len(c.steps)-1].History.Amount = &amount
}

func (c *Change) record(action booking.Action, reason string) {
	b := c.Booking
	b.UpdatedAt = max(when.At(c.Now), c.was.UpdatedAt+1) // no two versions of a booking have the same
	h := booking.HistoryEntry{
		At: when.At(c.Now), Actor: c.Actor.Kind, By: c.Actor.ID(), Action: action, From: c.from, To: b.Status, Start: b.Start,
		Reason: reason, Host: b.Host.ID, Waived: booking.OverrideNames(c.Waived),
		WithVisit:  b.Visit != nil && (c.withVisit || c.insert),
		WithSeries: b.Series != nil && (c.withSeries || c.insert),
	}
	for _, other := range b.Others() {
		h.Others = append(h.Others, other.ID)
	}
	c.Waived = 0
	if c.was.ID != 0 && c.was.End-c.was.Start != b.End-b.Start {
		h.PreviousEnd = c.was.End
	}
	if c.was.ID != 0 && c.was.EventTypeID != b.EventTypeID {
		h.PreviousEventType = c.was.EventTypeID
	}
	loaded := c.was.UpdatedAt
	c.from, c.was = b.Status, *b
	c.was.UpdatedAt = loaded
	c.steps = append(c.steps, booking.Step{History: h})
}

// PendUntil sets the time until which a pending booking holds its slot.
func (c *Change) PendUntil(until when.Instant) { c.Booking.SetPending(until) }

// After runs do in the same transaction after the booking is saved, for rows that refer to a new booking.
func (c *Change) After(do func() error) { c.after = append(c.after, do) }

// EndsToo reports whether the booking with the id is going to be cancelled by the same order as this one.
func (c *Change) EndsToo(id booking.BookingID) bool { return slices.Contains(c.ending, id) }

// EmitBooking adds an event about the booking, as it is now, to the last history entry.
func (c *Change) EmitBooking(kind catalog.EventKind) error {
	told := *c.Booking
	c.service.Present(c.Setup, Actor{Kind: booking.BySystem}, &told)
	c.Booking.ManageURL = told.ManageURL
	h := &c.steps[len(c.steps)-1].History
	return c.Emit(kind, func(e *booking.Event) ([]byte, error) {
		return booking.EncodeBookingEvent(e.ID, kind, e.CreatedAt, &told, h.Reason, h.Actor)
	})
}

// Emit adds an event to the last history entry; encode writes its body.
func (c *Change) Emit(kind catalog.EventKind, encode func(*booking.Event) ([]byte, error)) (err error) {
	to := booking.Recipients(c.Setup.Subscriptions, kind, c.Now)
	if c.imported && !c.tells {
		to = nil
	}
	if kind.Rare() && len(to) == 0 {
		return nil
	}
	c.last = id.After(c.Now, c.last)
	e := booking.Event{
		ID: c.last, WorkspaceID: c.Booking.WorkspaceID, Kind: kind, BookingID: c.Booking.ID, CreatedAt: when.At(c.Now),
		To: to,
	}
	if e.Body, err = encode(&e); err != nil {
		return err
	}
	if kind != catalog.ContactCreated {
		c.Booking.Sequence++
		e.Body = booking.Numbered(e.Body, c.Booking.Sequence)
	}
	if c.imported {
		e.Body = booking.MarkImported(e.Body)
	}
	step := &c.steps[len(c.steps)-1]
	step.Events = append(step.Events, e)
	return nil
}

// save writes everything that was recorded.
func (c *Change) save() error {
	if len(c.steps) == 0 {
		return nil
	}
	if err := c.apartInVisit(); err != nil {
		return err
	}
	if err := c.overOffers(); err != nil {
		return err
	}
	if err := c.SaveBooking(c.Booking, c.insert, c.steps); err != nil {
		return err
	}
	for _, do := range c.after {
		if err := do(); err != nil {
			return err
		}
	}
	if from := c.Actor.From; from.IsValid() && c.Setup.Workspace.Texts && c.service.visited != nil {
		if err := c.service.visited(c.Tx, c.Booking, from, c.Now); err != nil {
			return err
		}
	}
	if err := c.giveBuffersBack(); err != nil {
		return err
	}
	return c.letGo()
}

// become is Become with an event. A booking that was never confirmed gets none but a rare one, because nobody has been
// told about it.
func (c *Change) become(to booking.Status, action booking.Action, reason string, kind catalog.EventKind) error {
	known := c.from != booking.Pending
	if err := c.Become(to, action, reason); err != nil {
		return err
	}
	switch {
	case known || kind == catalog.BookingCreated:
		return c.EmitBooking(kind)
	case action == booking.ActDeclined:
		return c.EmitBooking(catalog.BookingDeclined)
	case action == booking.ActLapsed:
		return c.EmitBooking(catalog.BookingLapsed)
	}
	return nil
}

// WrongState returns the conflict for a booking whose status does not allow the action done.
func WrongState(b *booking.Booking, done string) *fault.Error {
	return fault.Conflictf("wrong_state", "A booking that is %s can't be %s.", b.Status, done).With("status", b.Status)
}
