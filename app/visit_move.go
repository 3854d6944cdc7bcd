package app

import (
	"cmp"
	"context"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// MoveVisit moves every live booking of a visit, or none: the first begins at the start, the others follow in their
// order, with no longer a wait between two than there is now. Hosts stay where they are free. The same start again
// changes nothing. Where rules that in.Override waives leave no such
// arrangement, each booking moves by as much as the first. Errors: those of Reschedule; conflict slot_taken, without
// alternatives, where the visit doesn't fit; precondition_failed.
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
	if _, err := booking.ParseOverride(in.Override); err != nil {
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
		ch := &Change{Tx: tx, Setup: setup, Now: bound.at, Actor: a, Unknown: append(unknown, in.Series.Unknown...), service: bound}
		arranged, err := rearrange(ch, items, start, &in)
		if err != nil {
			return err
		}
		steps, moved := booking.StepsOf(arranged), make([]booking.Booking, len(arranged))
		for i, at := range arranged {
			for k := range moved[:i] {
				if from, _ := moved[k].Reach(); k == 0 || from < steps[i].From {
					steps[i].From = from
				}
			}
			behind := steps[i].Behind - 1
			if behind >= 0 {
				steps[i].Before = ch.neighbour(&moved[behind])
			}
			for _, next := range arranged[i+1:] {
				steps[i].Unmoved = append(steps[i].Unmoved, items[next.Item].ID)
			}
			_, err := bound.Reschedule(ctx, a, items[at.Item].ID.String(), RescheduleInput{Start: at.Start.String(),
				Host: at.Host.String(), Override: in.Override, Reason: in.Reason, Step: &steps[i], Series: in.Series})
			if err != nil {
				return err
			}
			if moved[i], err = tx.Booking(a.Workspace, items[at.Item].ID); err != nil { // Reschedule shows it to the actor
				return err
			}
			if behind >= 0 {
				if err := ch.goOn(&moved[behind], &moved[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
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
	gap, end := 0, items[0].End
	for i := 1; i < len(items); i++ {
		gap, end = max(gap, int((items[i].Start-end)/60_000)), max(end, items[i].End)
	}
	gap = min(gap, booking.MaxVisitGap)
	return booking.VisitChoice{Order: booking.OrderGiven, MaxGap: &gap}
}

// HostKept returns the host whom a booking of e keeps when it moves because it was asked for by name, or "".
func HostKept(setup *catalog.Setup, e *catalog.EventType, b *booking.Booking) string {
	if h := setup.Host(b.Host.ID); b.HostNamed && h != nil && h.Active && e.ServedBy(h.ID) {
		return b.Host.ID.String()
	}
	return ""
}

// hostOnMove returns the host with whom the actor moves a booking of e with its visit, or "" for whoever is free.
func (a Actor) hostOnMove(setup *catalog.Setup, e *catalog.EventType, b *booking.Booking) string {
	return cmp.Or(a.hostToKeep(b), HostKept(setup, e, b))
}

// apartInVisit refuses to give a booking a time at which its invitee is in another booking of the same visit, but for a
// wait in which one of the two may be done: by its service, or because it was done in one of that booking before.
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
		if other.ID == b.ID || !other.Status.Live() {
			continue
		}
		mine, theirs := c.stay(b), c.stay(other)
		if was := c.stay(&c.found); !c.insert && was.Meets(&theirs) {
			mine.DuringWait, theirs.DuringWait = true, true
		}
		if !mine.Apart(&theirs) {
			if !c.Actor.SeesBooking(other) {
				return fault.Conflictf("visit_overlap", "The invitee is in another booking of the same visit then: choose another time.")
			}
			return fault.Conflictf("visit_overlap", "The invitee is in another booking of the same visit then, %s to %s: choose "+
				"another time, or move the whole visit.", other.Start, other.End).With("bookingId", other.ID)
		}
	}
	return nil
}

// stay returns when the invitee is in the booking.
func (c *Change) stay(b *booking.Booking) booking.Stay {
	e := c.Setup.EventTypeByID(b.EventTypeID)
	return booking.StayOf(&b.Taken, e != nil && e.DuringWait)
}

// askToMoveVisit asks the calendars of all that may take part of the visit.
func (s *Service) askToMoveVisit(ctx context.Context, a Actor, ref string) (unknown []catalog.CalendarOwner, err error) {
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
func rearrange(ch *Change, items []booking.Booking, start when.Instant, in *booking.VisitMoveInput) ([]booking.VisitPlace, error) {
	rules := in.Override
	v, err := movedAmong(ch, items, rules, in)
	if err != nil {
		return nil, err
	}
	found, err := v.Arrange(ch.Tx, start)
	if err != nil || found != nil {
		return found, err
	}
	if len(rules) > 0 {
		found, _, err = v.Follow(ch.Tx, start)
	} else {
		err = v.Against(ch.Tx, start)
	}
	return found, ch.withReasons(err, start, func() (*availability.Visit, error) { return movedAmong(ch, items, nil, in) })
}

// movedAmong returns the search for where a visit of these bookings moves, behind the locks; rules are waived in Follow.
func movedAmong(ch *Change, items []booking.Booking, rules []string, in *booking.VisitMoveInput) (*availability.Visit, error) {
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
		if searches[i], err = ch.Among(hosts, e, rules); err != nil {
			return nil, err
		}
		searches[i].Moving(b)
		searches[i].Beside(b.Visit.Bookings)
		searches[i].Beside(in.Series.Unmoved)
		ahead(searches[i], b, &in.Series)
	}
	v := availability.AmongVisit(searches, moveChoice(items))
	for i := range items {
		v.Keeping(i, items[i].Host.ID)
	}
	return v, nil
}
