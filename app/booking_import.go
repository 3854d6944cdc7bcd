package app

import (
	"context"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// Importing saves appointments of another program in one transaction that has locked all that they may take. Nobody is
// told of them but by the list of events: no mail, no notification, and no endpoint unless ImportInput.Tell says so.
// Their reminders are sent, and they are written to connected calendars, only with their marks.
type Importing struct {
	base Change
}

// Importing, of a Service within a transaction, locks what the appointments may take, and the hosts before, from whom some
// of them are moved. It must be the first of the transaction, which may be of many appointments. Errors: forbidden,
// not_found (event type).
func (s *Service) Importing(_ context.Context, a Actor, all []booking.ImportInput, before ...catalog.HostID) (*Importing, error) {
	for _, c := range []Command{MayWaive, MayBook} {
		if err := a.May(c); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fault.Missing("event type", "")
	}
	return s.importing(a, all, catalog.SubjectsOf(before), all[0].EventType)
}

// Unimporting is Importing for what takes bookings of imports back: Remove removes some of these, Move moves others to what
// moves says. Errors: forbidden, not_found (event type).
func (s *Service) Unimporting(_ context.Context, a Actor, bookings []booking.Booking,
	moves []booking.ImportInput) (*Importing, error) {
	if err := a.May(MayWaive); err != nil {
		return nil, err
	}
	if len(bookings) == 0 {
		return nil, fault.Missing("booking", "")
	}
	var others catalog.Locks
	for i := range bookings {
		others = others.And(lockOf(&bookings[i]))
	}
	return s.importing(a, moves, others, bookings[0].EventTypeID)
}

// importing locks what the appointments may take, and others. e is an event type that there is.
func (s *Service) importing(a Actor, all []booking.ImportInput, others catalog.Locks, e catalog.EventTypeID) (*Importing, error) {
	tx, longest := s.tx, time.Duration(0)
	others = slices.Clone(others)
	for i := range all {
		others = append(others, catalog.OfHost(all[i].Host))
		longest = max(longest, length(&all[i]))
	}
	known, err := s.cachedSetup(a.Workspace)
	if err != nil {
		return nil, err
	}
	if longest > known.Workspace.LongestBooking { // whoever locks a workspace and its hosts locks the workspace first
		if err := tx.SetLongestBooking(a.Workspace, longest); err != nil {
			return nil, err
		}
	}
	of := func(setup *catalog.Setup) (l catalog.Locks) {
		for i := range all {
			if e := setup.EventTypeByID(all[i].EventType); e != nil {
				l = l.And(setup.Locks(e))
			}
		}
		return l
	}
	locked := others.And(of(known))
	ch, err := s.Lock(tx, a, e.String(), noReads, locked)
	if err != nil {
		return nil, err
	}
	if err := lockMore(tx, a, of(ch.Setup), locked); err != nil { // added since the cached set-up was read
		return nil, err
	}
	ch.held = locked
	return &Importing{*ch}, nil
}

// Cancel cancels a booking that Holds, because it is cancelled there: nobody is told, and no money moves. tell says whether
// its event goes to endpoints. Errors: not_found, conflict wrong_state.
func (im *Importing) Cancel(id booking.BookingID, tell bool) (booking.Booking, error) {
	ch := im.base
	b, err := ch.Tx.Booking(ch.Setup.Workspace.ID, id)
	if err != nil {
		return b, fault.OrMissing(err, fault.Missing("booking", id.String()))
	}
	if !b.Status.Live() {
		return b, WrongState(&b, "cancelled")
	}
	ch.imported, ch.tells = true, tell
	ch.Booking, ch.from, ch.was, ch.found = &b, b.Status, b, b
	if err := ch.Cancel(booking.ActImported, "", false); err != nil {
		return b, err
	}
	err = ch.save()
	im.base.last = ch.last
	return b, err
}

// Holds reports whether what the booking takes is locked: it is, unless the booking was changed since it was read.
func (im *Importing) Holds(b *booking.Booking) bool { return lockOf(b).Without(im.base.held).None() }

// Remove removes a booking that Holds, with its history, as if it had never been imported. Programs that read the events
// are told that it was cancelled, and so are the endpoints that were told of it.
func (im *Importing) Remove(b booking.Booking) error {
	ch := im.base
	ch.imported, ch.tells = true, true
	ch.Booking, ch.from, ch.was, ch.found = &b, b.Status, b, b
	b.Status = booking.Cancelled
	b.SetPending(0)
	b.Cancellation = &booking.Cancellation{By: ch.Actor.Kind, At: when.At(ch.Now)}
	ch.record(booking.ActCancelled, "")
	if err := ch.tellAgain(catalog.BookingCancelled); err != nil {
		return err
	}
	im.base.last = ch.last
	for i := range ch.steps[0].Events {
		if err := ch.Tx.InsertEvent(&ch.steps[0].Events[i]); err != nil {
			return err
		}
	}
	return ch.Tx.RemoveBooking(b.WorkspaceID, b.ID, when.At(ch.Now))
}

// tellAgain is EmitBooking to those of the endpoints that were told of the booking before.
func (c *Change) tellAgain(kind catalog.EventKind) error {
	if err := c.EmitBooking(kind); err != nil {
		return err
	}
	e := &c.steps[len(c.steps)-1].Events[0]
	if len(e.To) == 0 {
		return nil
	}
	var of []catalog.EndpointID
	for i := range e.To {
		of = append(of, e.To[i].Endpoint)
	}
	told, err := c.ToldOf(c.Booking.WorkspaceID, c.Booking.ID, of)
	e.To = slices.DeleteFunc(e.To, func(to booking.Recipient) bool { return !slices.Contains(told, to.Endpoint) })
	return err
}

func length(in *booking.ImportInput) time.Duration {
	return time.Duration(in.End-in.Start) * time.Millisecond
}

// Book saves a new booking. Of the rules only one counts: nothing that is to come meets anything else that is live, of
// hosts and of resources. It has the buffers of its event type where they fit, else none. One that is over and meets
// something is kept without taking any time. Errors: bad_request, not_found (event type, host), conflict slot_taken.
func (im *Importing) Book(in booking.ImportInput) (booking.Booking, error) {
	ch := im.base
	ch.insert, ch.imported, ch.tells = true, true, in.Tell
	e, host, err := ch.importable(&in)
	if err != nil {
		return booking.Booking{}, err
	}
	now := when.At(ch.Now)
	taken, waived, err := ch.placeImported(e, host, &in, nil)
	if err != nil {
		return booking.Booking{}, err
	}
	b := booking.Booking{
		ID: id.New[booking.BookingIDKind](ch.Now), WorkspaceID: ch.Setup.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug,
		Taken: taken, Host: catalog.HostRef{ID: host.ID, Name: host.Name}, ContactID: in.Contact, Invitee: in.Invitee,
		Location: e.Location, Notes: in.Notes, InternalNote: in.InternalNote, Answers: map[string]any{},
		Metadata: map[string]string{}, Price: in.Price, CreatedAt: now, UpdatedAt: now, Status: booking.Confirmed,
		HostNamed: true, AddOns: []booking.BookedAddOn{}, Seats: 1, UIDDomain: ch.service.UIDDomain(), ImportMarks: in.Marks,
	}
	b.Imported = &in.Imported
	if in.CreatedAt > 0 {
		b.CreatedAt = min(now, in.CreatedAt)
	}
	if in.Answers != nil {
		b.Answers = in.Answers
	}
	over, kind := b.End <= now, catalog.BookingCreated
	if over {
		b.ImportMarks |= booking.ImportSettled
	} else if in.Pending && b.Start > now {
		b.Status, b.NeedsOK, kind = booking.Pending, true, catalog.BookingPending
		b.SetPending(b.Start)
	}
	b.TakePlace(ch.Setup, e)
	ch.Booking, ch.Waived = &b, waived
	ch.record(booking.ActImported, "")
	if over && in.NoShow {
		b.NoShow = &booking.NoShowRecord{At: now}
		if err := ch.Become(booking.NoShow, booking.ActNoShow, ""); err != nil {
			return b, err
		}
	}
	if err := ch.EmitBooking(kind); err != nil {
		return b, err
	}
	err = ch.save()
	im.base.last = ch.last
	return b, err
}

// Move gives a booking the event type, host and time that the other program has now. Errors: those of Book; not_found
// (booking), conflict wrong_state (it won't take place).
func (im *Importing) Move(id booking.BookingID, in booking.ImportInput) (booking.Booking, error) {
	return im.move(id, in, false)
}

// MoveBack is Move that tells those endpoints that were told of the booking before.
func (im *Importing) MoveBack(id booking.BookingID, in booking.ImportInput) (booking.Booking, error) {
	in.Tell = true
	return im.move(id, in, true)
}

func (im *Importing) move(id booking.BookingID, in booking.ImportInput, back bool) (booking.Booking, error) {
	ch := im.base
	b, err := ch.Tx.Booking(ch.Setup.Workspace.ID, id)
	if err != nil {
		return b, fault.OrMissing(err, fault.Missing("booking", id.String()))
	}
	if !b.Status.Stands() {
		return b, WrongState(&b, "moved")
	}
	ch.imported, ch.tells = true, in.Tell
	ch.Booking, ch.from, ch.was, ch.found = &b, b.Status, b, b
	ch.held = lockOf(&b)
	e, host, err := ch.importable(&in)
	if err != nil {
		return b, err
	}
	taken, waived, err := ch.placeImported(e, host, &in, &b)
	if err != nil {
		return b, err
	}
	if b.EventTypeID != e.ID {
		b.EventTypeID, b.EventType, b.Location = e.ID, e.Slug, e.Location
	}
	b.Taken, b.Host, ch.Waived = taken, catalog.HostRef{ID: host.ID, Name: host.Name}, waived
	b.TakePlace(ch.Setup, e)
	ch.Note(booking.ActImported, "")
	tell := ch.EmitBooking
	if back {
		tell = ch.tellAgain
	}
	if err := tell(catalog.BookingRescheduled); err != nil {
		return b, err
	}
	err = ch.save()
	im.base.last = ch.last
	return b, err
}

// importable checks an appointment and returns its event type and host.
func (c *Change) importable(in *booking.ImportInput) (*catalog.EventType, *catalog.Host, error) {
	e, host := c.Setup.EventTypeByID(in.EventType), c.Setup.Host(in.Host)
	switch {
	case e == nil:
		return nil, nil, fault.Missing("event type", in.EventType.String())
	case host == nil:
		return nil, nil, fault.Missing("host", in.Host.String())
	case in.Start <= 0 || in.End <= in.Start || length(in) > longestEdited:
		return nil, nil, fault.Invalid("end", "must be after the start, and at most 7 days after it")
	}
	return e, host, in.Invitee.Check(c.Setup.Workspace.PhoneCountry(), false)
}

// placeImported returns what an appointment takes, and the rules that are waived for it. moved is the booking that it is
// already, or nil.
func (c *Change) placeImported(e *catalog.EventType, host *catalog.Host, in *booking.ImportInput,
	moved *booking.Booking) (booking.Taken, slot.Reasons, error) {
	var except []booking.BookingID
	if moved != nil {
		except = append(except, moved.ID)
	}
	p, err := findImported(c.Tx, c.Setup, c.Now, e, host, in, except...)
	if err == nil {
		return p.Taken, p.Waived, nil
	}
	if fault.As(err) != nil && in.End <= when.At(c.Now) { // what was is kept, whatever else was then
		return booking.Taken{Start: in.Start, End: in.End, BusyStart: in.Start, BusyEnd: in.End, Untimed: true}, 0, nil
	}
	return booking.Taken{}, 0, err
}

// findImported returns what an appointment takes: with the buffers of its event type where they fit, else without. Only
// live times count.
func findImported(r availability.Reader, setup *catalog.Setup, now time.Time, e *catalog.EventType, host *catalog.Host,
	in *booking.ImportInput, except ...booking.BookingID) (p availability.Place, err error) {
	if len(e.Parts) > 0 && length(in) != time.Duration(e.DurationMinutes)*time.Minute { // of another length than its parts
		whole := *e
		whole.Parts, e = nil, &whole
	}
	all := slot.ReasonsOf(booking.Overridable...)
	for _, rules := range []slot.Reasons{all &^ slot.ReasonsOf(slot.Buffer), all} {
		q := availability.Among([]*catalog.Host{host}, setup, e, now)
		q.Staying(in.Start, length(in), false)
		q.Beside(except)
		if err := q.ByBusiness(booking.OverrideNames(rules)); err != nil {
			return p, err
		}
		if p, err = q.Find(r, in.Start, 0); err == nil || fault.As(err) == nil {
			return p, err
		}
	}
	return p, err
}

// ImportFits reports whether an appointment could be imported now: by what was last committed, but for the bookings except,
// of which 0 is none. With the event type 0 it is of one that is yet to be made. Errors: as of
// Importing.Book, but slot_taken also of one that is over, which would be kept without taking any time.
func (s *Service) ImportFits(ctx context.Context, a Actor, in booking.ImportInput, except ...booking.BookingID) error {
	if err := a.May(MayWaive); err != nil {
		return err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return err
	}
	ch := Change{Setup: setup}
	e, host := (*catalog.EventType)(nil), setup.Host(in.Host)
	if in.EventType == 0 && host != nil {
		plain := catalog.NewEventType()
		plain.WorkspaceID, plain.DurationMinutes = a.Workspace, int(length(&in)/time.Minute)
		e = &plain
	} else if e, host, err = ch.importable(&in); err != nil {
		return err
	}
	except = slices.DeleteFunc(slices.Clone(except), func(id booking.BookingID) bool { return id == 0 })
	_, err = findImported(s.Reader(ctx), setup, s.Now(), e, host, &in, except...)
	return err
}
