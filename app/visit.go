package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// VisitAvailability returns the open starts of a visit of several services, earliest first. Errors: those of
// Availability.
func (s *Service) VisitAvailability(ctx context.Context, a Actor, in availability.VisitInput) (*availability.Visits, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, err
	}
	v, err := s.visitSearch(ctx, a, in)
	if err != nil {
		return nil, err
	}
	return v.Result(ctx, s.Reader(ctx))
}

func (s *Service) visitSearch(ctx context.Context, a Actor, in availability.VisitInput) (*availability.Visit, error) {
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, err
	}
	if in.ExcludeVisit != "" {
		err = s.askWhereToMove(ctx, a, setup, &in)
	} else {
		if in.Spoken {
			if err := a.understandItems(setup, in.Items, &in.TimeZone); err != nil {
				return nil, err
			}
		}
		err = s.checkItems(a, setup, in.Items)
	}
	if err != nil {
		return nil, err
	}
	return availability.NewVisit(s.Reader(ctx), setup, s.clock(), &s.searches, in)
}

// askWhereToMove makes the question one for the times to which MoveVisit can move the visit.
func (s *Service) askWhereToMove(ctx context.Context, a Actor, setup *catalog.Setup, in *availability.VisitInput) error {
	if err := a.May(MaySeeBooking); err != nil {
		return err
	}
	if len(in.Items) > 0 {
		return fault.Invalid("excludeVisit", "give either items or excludeVisit, not both: a visit that moves keeps its services")
	}
	v, all, err := s.findVisit(s.Reader(ctx), a, in.ExcludeVisit)
	if err != nil {
		return err
	}
	if !all {
		return fault.Missing("visit", in.ExcludeVisit)
	}
	if in.Moved = v.Live(); len(in.Moved) == 0 {
		return fault.Invalid("excludeVisit", "no booking of this visit stands any more")
	}
	in.VisitChoice = moveChoice(in.Moved)
	for i := range in.Moved {
		b := &in.Moved[i]
		e := setup.EventTypeByID(b.EventTypeID)
		if e == nil {
			return fault.Missing("event type", b.EventTypeID.String())
		}
		in.Items = append(in.Items, booking.VisitItem{EventType: b.EventTypeID.String(), Host: a.hostOnMove(setup, e, b)})
	}
	return nil
}

// moveChoice returns how the bookings of a visit may be arranged when it moves: in their order, with no longer a wait
// between two than there is now.
func moveChoice(items []booking.Booking) booking.VisitChoice {
	gap := 0
	for i := 1; i < len(items); i++ {
		gap = max(gap, int((items[i].Start-items[i-1].End)/60_000))
	}
	gap = min(gap, booking.MaxVisitGap)
	return booking.VisitChoice{Order: booking.OrderGiven, MaxGap: &gap}
}

// hostKept returns the host whom a booking of e keeps when it moves because it was asked for by name, or "".
func hostKept(setup *catalog.Setup, e *catalog.EventType, b *booking.Booking) string {
	if h := setup.Host(b.Host.ID); b.HostNamed && h != nil && h.Active && e.ServedBy(h.ID) {
		return b.Host.ID.String()
	}
	return ""
}

// hostOnMove returns the host with whom the actor moves a booking of e with its visit, or "" for whoever is free.
func (a Actor) hostOnMove(setup *catalog.Setup, e *catalog.EventType, b *booking.Booking) string {
	return cmp.Or(a.hostToKeep(b), hostKept(setup, e, b))
}

// understandItems looks up what an agent named of the items, and the time zone where it named none.
func (a Actor) understandItems(setup *catalog.Setup, items []booking.VisitItem, zone *string) error {
	for i := range items {
		item := &items[i]
		if err := a.understand(setup, &item.Host, &item.EventType, zone); err != nil {
			return err
		}
		if e := setup.EventType(item.EventType); e != nil {
			item.AddOns = e.AddOnsNamed(item.AddOns)
		}
	}
	return nil
}

// checkItems refuses items of which the actor may not know, and names the hosts.
func (s *Service) checkItems(a Actor, setup *catalog.Setup, items []booking.VisitItem) error {
	if n := len(items); n < 1 || n > booking.MaxVisitItems {
		return fault.Invalid("items", "must be 1 to %d", booking.MaxVisitItems)
	}
	for i := range items {
		e := setup.EventType(items[i].EventType)
		if e == nil || !a.SeesEventType(e) {
			return fault.Missing("event type", items[i].EventType)
		}
		var err error
		if items[i].Host, err = a.NamedHost(setup, items[i].Host); err != nil {
			return err
		}
	}
	return nil
}

// BookVisit books several services for one person, one after the other: all or none, in one transaction. Without starts
// of their own the items are arranged as availability.Visit says. Errors: those of Book about any item; conflict
// slot_taken with details.alternatives where they don't fit at that start.
func (s *Service) BookVisit(ctx context.Context, a Actor, in booking.VisitInput) (booking.Visit, error) {
	if err := a.May(MayBook); err != nil {
		return booking.Visit{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return booking.Visit{}, err
	}
	start, given, err := in.Check(setup.Workspace.PhoneCountry())
	if err != nil {
		return booking.Visit{}, err
	}
	if in.Spoken {
		if err := a.understandItems(setup, in.Items, new(string)); err != nil {
			return booking.Visit{}, err
		}
	}
	if err := s.checkItems(a, setup, in.Items); err != nil {
		return booking.Visit{}, err
	}
	var unknown []catalog.HostID
	for _, item := range in.Items {
		more, err := s.AskCalendars(ctx, a, item.EventType, item.Host)
		if err != nil {
			return booking.Visit{}, err
		}
		unknown = append(unknown, more...)
	}
	var v booking.Visit
	for longest, again := longer(0), true; again; again = errors.As(err, &longest) {
		err = s.Write(ctx, func(tx Tx) error {
			v = booking.Visit{}
			for i := range in.Items { // before any host is locked
				if err := s.lengthen(tx, a, in.Book(i), time.Duration(longest)); err != nil {
					return err
				}
			}
			ch, err := s.lockItems(tx, a, setup, in.Items)
			if err != nil {
				return err
			}
			setup, ch.Unknown = ch.Setup, unknown
			in, arranged := in, given
			if in.Hold != "" {
				arranged, err = useVisitHold(ch, &in, start)
			} else if arranged == nil {
				arranged, err = arrange(ch, &in, start)
			}
			if err != nil {
				return err
			}
			v, err = s.bookItems(ch, &in, arranged)
			return err
		})
	}
	if err != nil {
		return booking.Visit{}, s.suggestVisit(ctx, a, err, &in, start)
	}
	s.presentVisit(setup, a, &v, true)
	return v, nil
}

// lockItems locks all that the items may take, at once, so that two visits wait for each other in one order.
func (s *Service) lockItems(tx Tx, a Actor, setup *catalog.Setup, items []booking.VisitItem) (*Change, error) {
	all := func(setup *catalog.Setup) (l catalog.Locks) {
		for _, item := range items {
			if e := setup.EventType(item.EventType); e != nil {
				l = l.And(setup.Locks(e))
			}
		}
		return l
	}
	locked := all(setup)
	ch, err := s.Lock(tx, a, items[0].EventType, noReads, locked)
	if err != nil {
		return nil, err
	}
	return ch, lockMore(tx, a, all(ch.Setup), locked) // added since the set-up was read
}

// arrange finds when and with whom each item is, behind the locks.
func arrange(ch *Change, in *booking.VisitInput, start when.Instant) ([]booking.VisitPlace, error) {
	searches := make([]*availability.Search, len(in.Items))
	for i, item := range in.Items {
		e := ch.Actor.Limits.Of(ch.Setup.EventType(item.EventType))
		if e == nil {
			return nil, fault.Missing("event type", item.EventType)
		}
		e, err := e.Chosen(catalog.Choice{AddOns: item.AddOns})
		if err != nil {
			return nil, availability.InItem(err, i)
		}
		hosts, err := availability.Candidates(ch.Setup, e, item.Host)
		if err != nil {
			return nil, availability.InItem(err, i)
		}
		if searches[i], err = ch.Among(hosts, e, nil); err != nil {
			return nil, err
		}
	}
	v := availability.AmongVisit(searches, in.VisitChoice)
	if err := v.Fits(); err != nil {
		return nil, err
	}
	found, err := v.Arrange(ch.Tx, start)
	if err != nil || found != nil {
		return found, err
	}
	if in.Order == booking.OrderGiven { // what is against the first item is against the visit
		if _, err := searches[0].Find(ch.Tx, start, 0); err != nil {
			return nil, err
		}
	}
	return nil, fault.Conflictf("slot_taken", "These services don't fit one after the other at %s. Choose one of "+
		"details.alternatives, or ask for availability of the same items.", start)
}

// bookItems books the items as they are arranged.
func (s *Service) bookItems(ch *Change, in *booking.VisitInput, arranged []booking.VisitPlace) (v booking.Visit, err error) {
	ids, needsOK, needsPay, unasked := make([]booking.BookingID, len(arranged)), false, false, maps.Clone(in.Answers)
	var services []*catalog.EventType
	for i, at := range arranged {
		ids[i] = id.New[booking.BookingIDKind](ch.Now)
		e := ch.Setup.EventType(in.Items[at.Item].EventType)
		if e == nil {
			return v, fault.Missing("event type", in.Items[at.Item].EventType)
		}
		known := ch.Actor.Limits.Of(e)
		if known == nil { // the set-up has changed since it was looked at
			return v, fault.Missing("event type", in.Items[at.Item].EventType)
		}
		chosen, err := known.Chosen(catalog.Choice{AddOns: in.Items[at.Item].AddOns})
		if err != nil {
			return v, availability.InItem(err, at.Item)
		}
		chosen = chosen.With(at.Host)
		services = append(services, chosen)
		needsOK, needsPay = needsOK || e.RequiresApproval, needsPay || ch.Setup.WaitsForPayment(chosen)
		for key := range e.OwnAnswers(in.Answers) {
			delete(unasked, key)
		}
	}
	if keys := slices.Sorted(maps.Keys(unasked)); len(keys) > 0 {
		return v, fault.Invalid("answers."+keys[0], "none of these services asks that")
	}
	if err := availability.PaidTogether(ch.Setup, services); err != nil {
		return v, err
	}
	refs := booking.NewVisit(ids)
	for i, at := range arranged {
		one := in.Book(at.Item)
		one.Host, one.AnyHost, one.NeedsOK = at.Host.String(), in.Items[at.Item].Host == "" || in.Items[at.Item].AnyHost, needsOK
		one.NeedsPay = needsPay
		one.Step = stepOf(arranged, i)
		one.Step.Ref, one.Step.Held = refs[i], in.Hold != ""
		one.Answers = ch.Setup.EventType(one.EventType).OwnAnswers(in.Answers)
		of, err := s.Lock(ch.Tx, ch.Actor, one.EventType, noReads, catalog.Locks{})
		if err != nil {
			return v, err
		}
		of.Now, of.insert, of.Unknown = ch.Now, true, ch.Unknown
		if err := s.admit(of, at.Start, &one); err != nil {
			return v, err
		}
		b, err := s.book(of, at.Start, one)
		if err != nil {
			return v, availability.InItem(err, at.Item)
		}
		if i > 0 && b.Start > v.Items[i-1].End.Add(booking.MaxVisitGap*time.Minute) {
			return v, tooFarApart(at.Item)
		}
		v.Items = append(v.Items, b)
	}
	v.ID = refs[0].ID
	v.Span()
	return v, nil
}

// tooFarApart is the error of an item that begins too long after the one before.
func tooFarApart(item int) error {
	return fault.Invalid(fmt.Sprintf("items[%d].start", item), "at most %d minutes may lie between two services of a visit",
		booking.MaxVisitGap)
}

// stepOf returns the place of the i-th of the bookings of a visit.
func stepOf(arranged []booking.VisitPlace, i int) *booking.VisitStep {
	return &booking.VisitStep{Ends: arranged[i].End, Later: i > 0,
		JoinsBefore: i > 0 && arranged[i-1].Host == arranged[i].Host,
		JoinsAfter:  i+1 < len(arranged) && arranged[i+1].Host == arranged[i].Host}
}

// apartInVisit refuses to give a booking a time at which its invitee is in another booking of the same visit.
func (c *Change) apartInVisit() error {
	b := c.Booking
	if b.Visit == nil || c.withVisit || !b.Status.Live() {
		return nil
	}
	all, err := bookingsOf(c.Tx, b.WorkspaceID, b.Visit)
	if err != nil {
		return err
	}
	for i := range all {
		other := &all[i]
		if other.ID == b.ID {
			continue
		}
		if other.Status.Live() && other.Start < b.End && b.Start < other.End {
			if !c.Actor.sees(other) {
				return fault.Conflictf("visit_overlap", "The invitee is in another booking of the same visit then: choose another time.")
			}
			return fault.Conflictf("visit_overlap", "The invitee is in another booking of the same visit then, %s to %s: choose "+
				"another time, or move the whole visit.", other.Start, other.End).With("bookingId", other.ID)
		}
	}
	return nil
}

// suggestVisit adds the next open slots of the visit to a slot_taken error, as Suggest does for one service.
func (s *Service) suggestVisit(ctx context.Context, a Actor, cause error, in *booking.VisitInput, start when.Instant) error {
	e := fault.As(cause)
	if e == nil || e.Reason != "slot_taken" || start == 0 {
		return cause
	}
	free := &Service{core: s.core} // without the transaction
	search := func(ctx context.Context) error {
		v, err := free.visitSearch(ctx, a, availability.VisitInput{Input: availability.Input{TimeZone: in.Invitee.TimeZone},
			Items: in.Items, VisitChoice: in.VisitChoice})
		if err != nil {
			return nil // the caller gets the conflict, not this error
		}
		found, _, err := v.NextTimes(ctx, free.Reader(ctx), start, suggestions)
		if err != nil && !fault.Is(err, fault.Unavailable) {
			return err
		}
		e.With("alternatives", found).With("timeZone", v.Zone().String())
		return nil
	}
	return s.nowOrLater(ctx, e, search)
}

// Visit returns a visit, with those of its bookings that the actor sees. The error is not_found.
func (s *Service) Visit(ctx context.Context, a Actor, ref string) (booking.Visit, error) {
	if err := a.May(MaySeeBooking); err != nil {
		return booking.Visit{}, err
	}
	v, all, err := s.findVisit(s.Reader(ctx), a, ref)
	if err != nil {
		return v, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return v, err
	}
	s.presentVisit(setup, a, &v, all)
	return v, nil
}

// findVisit returns the stored visit as far as the actor sees it, and whether that is all of it.
func (s *Service) findVisit(r Reader, a Actor, ref string) (v booking.Visit, all bool, err error) {
	missing := fault.Missing("visit", ref)
	v.ID, err = id.Parse[booking.VisitIDKind](ref)
	if err != nil || a.Kind == booking.ByInvitee && a.Booking == 0 { // a visitor has the link of none
		return v, false, missing
	}
	first, err := r.Booking(a.Workspace, booking.FirstOf(v.ID))
	if err != nil {
		return v, false, fault.OrMissing(err, missing)
	}
	if first.Visit == nil || first.Visit.ID != v.ID {
		return v, false, missing
	}
	return s.seenOf(r, a, first.Visit)
}

// seenOf returns what is stored of the visit as far as the actor sees it, and whether that is all of it.
func (s *Service) seenOf(r Reader, a Actor, of *booking.VisitRef) (v booking.Visit, all bool, err error) {
	v.ID = of.ID
	if v.Items, err = bookingsOf(r, a.Workspace, of); err != nil {
		return v, false, err
	}
	stored := len(v.Items)
	v.Items = slices.DeleteFunc(v.Items, func(b booking.Booking) bool { return !a.sees(&b) })
	if len(v.Items) == 0 {
		return v, false, fault.Missing("visit", of.ID.String())
	}
	v.Span()
	return v, len(v.Items) == stored, nil
}

// bookingsOf returns the stored bookings of a visit, in its order, but for those that were deleted or aren't made yet.
func bookingsOf(r Reader, ws catalog.WorkspaceID, v *booking.VisitRef) (all []booking.Booking, err error) {
	for _, ref := range v.Bookings {
		b, err := r.Booking(ws, ref)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// errPartOfVisit says that the actor doesn't see all of a visit.
var errPartOfVisit = errors.New("the actor sees only a part of the visit")

// changeVisit runs do in a transaction that has locked all of the visit that find finds, and what its bookings may take.
// Errors: those of find and do, and errPartOfVisit.
func (s *Service) changeVisit(ctx context.Context, a Actor, find func(Reader) (booking.Visit, bool, error),
	do func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error) error {
	v, all, err := find(s.Reader(ctx))
	if err != nil {
		return err
	}
	if !all {
		return errPartOfVisit
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		ch, err := s.Lock(tx, a, v.Items[0].EventTypeID.String(), noReads, locksOfVisit(setup, v.Items))
		if err != nil {
			return err
		}
		now, all, err := find(tx)
		if err != nil {
			return err
		}
		if !all {
			return errPartOfVisit
		}
		bound := s.In(tx)
		bound.at = ch.Now
		return do(bound, tx, ch.Setup, &now)
	})
}

// WithSeenVisit runs do in a transaction that has locked all of a visit and what its bookings may take, with as much of the
// visit as the actor sees. Errors: forbidden, not_found, and those of do, which must do nothing but SQL.
func (s *Service) WithSeenVisit(ctx context.Context, a Actor, ref string, do func(tx Tx, now time.Time, v *booking.Visit) error) error {
	if err := a.May(MayChange); err != nil {
		return err
	}
	v, _, err := s.findVisit(s.Reader(ctx), a, ref)
	if err != nil {
		return err
	}
	all, err := bookingsOf(s.Reader(ctx), a.Workspace, v.Items[0].Visit)
	if err != nil {
		return err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		ch, err := s.Lock(tx, a, all[0].EventTypeID.String(), noReads, locksOfVisit(setup, all))
		if err != nil {
			return err
		}
		v, seen, err := s.findVisit(tx, a, ref)
		if err != nil {
			return err
		}
		s.presentVisit(ch.Setup, a, &v, seen)
		return do(tx, ch.Now, &v)
	})
}

// locksOfVisit returns what changes of these bookings lock, so that it can be locked at once.
func locksOfVisit(setup *catalog.Setup, items []booking.Booking) (locks catalog.Locks) {
	for i := range items {
		locks = locks.And(lockOf(&items[i]))
		if e := setup.EventTypeByID(items[i].EventTypeID); e != nil {
			locks = locks.And(setup.Locks(e))
		}
	}
	return locks
}

// ChangeWithVisit runs do in one transaction that has locked what the booking with the id takes and, where it is one of
// several of a visit, all of that visit. Within it change changes one of these bookings as Change does, one after the
// other. Errors: those of Change and of do, which must do nothing but SQL.
func (s *Service) ChangeWithVisit(ctx context.Context, a Actor, id string, do func(tx Tx, now time.Time,
	change func(booking.BookingID, func(*Change) error) error) error) error {
	if err := a.May(MayChange); err != nil {
		return err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return err
	}
	if !b.InVisit() {
		_, err := s.Change(ctx, a, id, func(ch *Change) error {
			return do(ch.Tx, ch.Now, func(_ booking.BookingID, change func(*Change) error) error { return change(ch) })
		})
		return err
	}
	return s.changeVisit(ctx, a, func(r Reader) (booking.Visit, bool, error) { return s.seenOf(r, a, b.Visit) },
		func(bound *Service, tx Tx, _ *catalog.Setup, _ *booking.Visit) error {
			return do(tx, bound.at, func(id booking.BookingID, change func(*Change) error) error {
				_, err := bound.Change(ctx, a, id.String(), change)
				return err
			})
		})
}

// WithVisit says that the change is one of all of the booking's visit.
func (c *Change) WithVisit() { c.withVisit = true }

// Siblings returns the other bookings of the booking's visit, in its order, as they are now. alone says that they don't
// change with it.
func (c *Change) Siblings() (others []booking.Booking, alone bool, err error) {
	if c.Booking.Visit == nil {
		return nil, true, nil
	}
	all, err := bookingsOf(c.Tx, c.Booking.WorkspaceID, c.Booking.Visit)
	return slices.DeleteFunc(all, func(b booking.Booking) bool { return b.ID == c.Booking.ID }), !c.withVisit, err
}

// changeNamed is changeVisit for the visit with the id, which it returns.
func (s *Service) changeNamed(ctx context.Context, a Actor, ref string,
	do func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error) (booking.Visit, error) {
	err := s.changeVisit(ctx, a, func(r Reader) (booking.Visit, bool, error) { return s.findVisit(r, a, ref) }, do)
	if err == errPartOfVisit {
		err = fault.Missing("visit", ref)
	}
	if err != nil {
		return booking.Visit{}, err
	}
	return s.Visit(ctx, a, ref)
}

// CancelVisit cancels every booking of a visit that is live, or none. Errors: those of Cancel; precondition_failed.
func (s *Service) CancelVisit(ctx context.Context, a Actor, ref string, in CancelInput) (booking.Visit, error) {
	if err := a.May(MayCancel); err != nil {
		return booking.Visit{}, err
	}
	in.WithVisit = true
	return s.changeNamed(ctx, a, ref, func(bound *Service, _ Tx, _ *catalog.Setup, v *booking.Visit) error {
		if err := fault.CheckETag(in.Match, v.ETag(), "visit"); err != nil {
			return err
		}
		for i := range v.Items {
			if !a.Business() && !v.Items[i].Status.Live() { // what is over stays as it is
				continue
			}
			if _, err := bound.Cancel(ctx, a, v.Items[i].ID.String(), in); err != nil {
				return err
			}
		}
		return nil
	})
}

// MoveVisit moves every live booking of a visit, or none: the first begins at the start, the others follow in their
// order, with no longer a wait between two than there is now. Hosts stay where they are free. The same start again
// changes nothing. Errors: those of Reschedule; conflict slot_taken, without alternatives, where the visit doesn't fit;
// precondition_failed.
func (s *Service) MoveVisit(ctx context.Context, a Actor, ref string, in booking.VisitMoveInput) (booking.Visit, error) {
	if err := a.May(MayMove); err != nil {
		return booking.Visit{}, err
	}
	start, err := booking.ParseStart(in.Start)
	if err != nil {
		return booking.Visit{}, err
	}
	if in.Reason, err = fault.CheckText("reason", in.Reason, fault.MaxReason); err != nil {
		return booking.Visit{}, err
	}
	unknown, err := s.askToMoveVisit(ctx, a, ref)
	if err != nil {
		return booking.Visit{}, err
	}
	return s.changeNamed(ctx, a, ref, func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error {
		if err := fault.CheckETag(in.Match, v.ETag(), "visit"); err != nil {
			return err
		}
		items := v.Live()
		if len(items) == 0 {
			return WrongState(&v.Items[0], "moved")
		}
		if items[0].Start == start {
			return nil
		}
		ch := &Change{Tx: tx, Setup: setup, Now: bound.at, Actor: a, Unknown: unknown, service: bound}
		arranged, err := rearrange(ch, items, start)
		if err != nil {
			return err
		}
		for i, at := range arranged {
			step := stepOf(arranged, i)
			for _, b := range items[i+1:] {
				step.Unmoved = append(step.Unmoved, b.ID)
			}
			_, err := bound.Reschedule(ctx, a, items[i].ID.String(), RescheduleInput{Start: at.Start.String(),
				Host: at.Host.String(), Reason: in.Reason, Step: step})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// askToMoveVisit asks the calendars of all that may take part of the visit.
func (s *Service) askToMoveVisit(ctx context.Context, a Actor, ref string) (unknown []catalog.HostID, err error) {
	v, _, err := s.findVisit(s.Reader(ctx), a, ref)
	if err != nil {
		return nil, err
	}
	for i := range v.Items {
		more, err := s.askToMove(ctx, a, v.Items[i].ID.String(), "")
		if err != nil {
			return nil, err
		}
		unknown = append(unknown, more...)
	}
	return unknown, nil
}

// rearrange finds when and with whom each booking of a visit is that begins then, behind the locks.
func rearrange(ch *Change, items []booking.Booking, start when.Instant) ([]booking.VisitPlace, error) {
	searches := make([]*availability.Search, len(items))
	for i := range items {
		b := &items[i]
		e := ch.Actor.eventTypeOf(ch.Setup, b)
		if e == nil {
			return nil, fault.Missing("event type", b.EventTypeID.String())
		}
		hosts, err := availability.Candidates(ch.Setup, e, ch.Actor.hostOnMove(ch.Setup, e, b))
		if err != nil {
			return nil, err
		}
		if searches[i], err = ch.Among(hosts, e, nil); err != nil {
			return nil, err
		}
		searches[i].Moving(b)
		searches[i].Beside(b.Visit.Bookings)
	}
	v := availability.AmongVisit(searches, moveChoice(items))
	for i := range items {
		v.Keeping(i, items[i].Host.ID)
	}
	found, err := v.Arrange(ch.Tx, start)
	if err != nil || found != nil {
		return found, err
	}
	if _, err := searches[0].Find(ch.Tx, start, 0); err != nil {
		return nil, err
	}
	return nil, fault.Conflictf("slot_taken", "The visit doesn't fit at %s: ask for availability of its services.", start)
}
