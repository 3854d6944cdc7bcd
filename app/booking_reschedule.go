package app

import (
	"cmp"
	"context"
	"slices"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// RescheduleInput is the input of Reschedule.
type RescheduleInput = booking.RescheduleInput

// Reschedule moves a live booking, which keeps its id, length and price. A host that was asked for by name, now or
// earlier, is kept too: if that host is not free, the conflict lists the host's next times and, in details.otherHosts,
// the hosts who are free. Any other host is kept if free; otherwise another host takes over, and HostChanged is true.
// The rules are those of Book; the booking's own old time does not count as taken. The same start and host again
// changes nothing and is no error. Errors: as Book, and not_found (booking), conflict wrong_state, conflict too_late
// (an invitee within the cancellation notice).
func (s *Service) Reschedule(ctx context.Context, a Actor, id string, in RescheduleInput) (booking.Booking, error) {
	if err := a.May(MayMove); err != nil {
		return booking.Booking{}, err
	}
	start, err := in.Check()
	if err != nil {
		return booking.Booking{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return booking.Booking{}, err
	}
	if in.Spoken {
		if err := a.understand(setup, &in.Host, new(string), new(string)); err != nil {
			return booking.Booking{}, err
		}
	}
	if in.Step == nil && (in.Host != "" || !a.Own()) { // staff move what they do without naming themselves: see hostToKeep
		if in.Host, err = a.NamedHost(setup, in.Host); err != nil {
			return booking.Booking{}, err
		}
	}
	unknown, err := s.askToMove(ctx, a, id, in.Host)
	if err != nil {
		return booking.Booking{}, err
	}
	b, err := s.Change(ctx, a, id, func(ch *Change) error {
		ch.Unknown = append(unknown, in.Series.Unknown...)
		return s.move(ch, start, in)
	})
	if err == nil {
		return b, nil
	}
	old, findErr := s.Find(ctx, a, id)
	if findErr != nil {
		return booking.Booking{}, err
	}
	if in.Host == "" && old.HostNamed {
		in.Host = old.Host.ID.String()
	}
	return booking.Booking{}, s.Suggest(ctx, a, err, availability.Input{
		EventType: old.EventTypeID.String(), Host: in.Host, TimeZone: old.Invitee.TimeZone, ExcludeBooking: old.ID.String(),
	}, start)
}

// hostToKeep returns the host whom a move keeps where the actor names none: of staff, and of an actor who sees another
// one than the host do it. Else it is "".
func (a Actor) hostToKeep(b *booking.Booking) string {
	if a.Own() || !a.Sees(b.Host.ID) {
		return b.Host.ID.String()
	}
	return ""
}

// leadNamed returns the host who leads the booking after the actor has named one for it. Who does not see the host that
// leads leaves that one: naming another of those who do the booking changes nothing. Errors: not_found.
func (c *Change) leadNamed(ref string) (string, error) {
	b := c.Booking
	if c.Actor.Sees(b.Host.ID) {
		return ref, nil
	}
	if h, err := id.Parse[catalog.HostIDKind](ref); err == nil && b.With(h) {
		return b.Host.ID.String(), nil
	}
	return "", fault.Missing("host", ref)
}

func (s *Service) move(ch *Change, start when.Instant, in RescheduleInput) error {
	b := ch.Booking
	if !b.Status.Live() {
		return WrongState(b, "moved")
	}
	if in.Host == "" {
		in.Host = ch.Actor.hostToKeep(b)
	} else if in.Step == nil {
		var err error
		if in.Host, err = ch.leadNamed(in.Host); err != nil {
			return err
		}
	}
	if start == b.Start && (in.Host == "" || in.Host == b.Host.ID.String()) && in.Step == nil {
		return nil
	}
	if err := withinNotice(ch); err != nil {
		return err
	}
	e := ch.Actor.eventTypeOf(ch.Setup, b)
	if e == nil { // none of the key's hosts serves it any more
		return fault.Missing("event type", b.EventTypeID.String())
	}
	var twice *fault.Error
	if start != b.Start {
		told := false
		var err error
		if _, twice, told, err = duplicate(ch, &b.Invitee, e.ID, start, slices.Concat(in.Series.Unmoved, []booking.BookingID{b.ID})...); err != nil {
			return err
		}
		if told {
			return twice
		}
		if !ch.Actor.Business() {
			twice = nil // as in book
		}
	}
	wanted := cmp.Or(in.Host, HostKept(ch.Setup, e, b))
	hosts, err := availability.Candidates(ch.Setup, e, wanted)
	if err != nil {
		return err
	}
	if err := ch.takeBack(start, mayTake(e, hosts)); err != nil {
		return err
	}
	if in.Series.Several { // an offered time is for one who is there
		in.Override = withoutOffered(in.Override)
	}
	q, err := ch.Among(hosts, e, in.Override)
	if err != nil {
		return err
	}
	q.Moving(b)
	q.For(b.ContactID, &b.Invitee, b.Start)
	if err := ch.refuseLater(e, start); err != nil {
		return err
	}
	if ch.Actor.Business() {
		lacks, err := Lacking(ch.Tx, ch.Setup, e, b.ContactID, start)
		if err != nil {
			return err
		}
		q.Lacks(lacks)
	}
	q.Beside(in.Series.Unmoved)
	ahead(q, b, &in.Series)
	if in.Step != nil {
		q.Beside(in.Step.Unmoved)
		q.Within(in.Step)
	}
	var before, after *booking.Booking
	if in.Step == nil && b.Visit != nil && start == b.Start && len(hosts) == 1 { // somebody else does it where it is
		if before, after, err = ch.amongSiblings(q, hosts[0].ID, false); err != nil {
			return err
		}
	}
	p, err := q.Find(ch.Tx, start, b.Host.ID)
	if err != nil {
		return q.WithOthers(ch.Tx, err, start)
	}
	if in.Step != nil {
		if err := in.Step.Check(p.End); err != nil {
			return err
		}
		ch.withVisit = true
	}
	ch.withSeries, ch.offers = in.Series.Several, in.Series.Offers
	if twice != nil {
		return twice
	}
	ch.Waived = p.Waived
	to := booking.Rescheduled
	if b.Status == booking.Pending {
		to = booking.Pending
	}
	if to == booking.Pending && !b.NeedsPay {
		first := start
		if b.Series != nil && !in.Series.Several {
			if first, err = ch.waitWithSeries(start); err != nil {
				return err
			}
		}
		b.SetPending(booking.ApprovalEnds(b.CreatedAt, when.At(ch.Now), first))
	}
	b.PreviousStart, b.Taken = b.Start, p.Taken
	if b.Start != b.PreviousStart { // nobody was asked about this one
		b.Coming = nil
	}
	if b.DayBegins(ch.Setup.Zone) > when.At(ch.Now) { // who came then has yet to come now
		b.ArrivedAt, b.DoneAt = 0, 0
	}
	if in.Step == nil {
		b.HostNamed = wanted != ""
	}
	if b.Host.ID != p.Host.ID {
		before := *b
		b.HostChanged, b.PreviousHost = true, &before.Host
		if h := ch.Setup.Host(before.Host.ID); h != nil {
			b.PreviousHost.Name = h.Name
		}
	}
	b.Host = catalog.HostRef{ID: p.Host.ID, Name: p.Host.Name}
	if err := ch.goOnBeside(before, after); err != nil {
		return err
	}
	b.RescheduleCount++
	return ch.become(to, booking.ActRescheduled, in.Reason, catalog.BookingRescheduled)
}
