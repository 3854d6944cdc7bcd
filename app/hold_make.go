package app

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Hold keeps a time that could be booked. The rules are those of Book, except those about the person; none can be
// waived. Errors: forbidden; bad_request and not_found as for a booking; conflict slot_taken with details.alternatives,
// calendar_unknown, too_many_holds (of the key, the member, the address or the e-mail address, or of visitors on that
// day of the host).
func (s *Service) Hold(ctx context.Context, a Actor, in HoldInput) (h Hold, err error) {
	if err := a.May(MayBook); err != nil {
		return h, err
	}
	if in.Items != nil {
		return s.holdVisit(ctx, a, in)
	}
	start, length, err := in.check()
	if err != nil {
		return h, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return h, err
	}
	if in.Spoken {
		if err := a.understandChosen(setup, &in.Host, &in.EventType, &in.AddOns); err != nil {
			return h, err
		}
	}
	if in.Host, err = a.NamedHost(setup, in.Host); err != nil {
		return h, err
	}
	unknown, err := s.AskCalendars(ctx, a, in.EventType, in.Host)
	if err != nil {
		return h, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if err := tx.MarkHolds(a.Workspace); err != nil {
			return err
		}
		ch, err := s.Lock(tx, a, in.EventType, noReads, catalog.Locks{})
		if err != nil {
			return err
		}
		ch.Unknown = unknown
		h, err = makeHold(ch, start, length, &in)
		return err
	})
	if err != nil {
		return Hold{}, s.Suggest(ctx, a, err,
			availability.Input{EventType: in.EventType, Host: in.Host, Choice: in.choice()}, start)
	}
	return h, nil
}

func (in *HoldInput) choice() catalog.Choice {
	return catalog.Choice{AddOns: in.AddOns, Seats: in.Seats}
}

// check returns one bad_request with everything that no hold may have.
func (in *HoldInput) check() (start when.Instant, length time.Duration, err error) {
	var p fault.Problems
	if in.EventType == "" {
		p.Add(fault.Invalid("eventType", "is required: the slug of an event type, or items for a visit"))
	}
	if in.VisitChoice != (booking.VisitChoice{}) {
		p.Add(fault.Invalid("items", "order, samePerson and maxGap go with items"))
	}
	in.EventType, err = fault.CheckLine("eventType", in.EventType, 0, booking.MaxRef)
	p.Add(err)
	in.Host, err = fault.CheckLine("host", in.Host, 0, booking.MaxRef)
	p.Add(err)
	start, err = booking.ParseStart(in.Start)
	p.Add(err)
	length, err = in.length()
	p.Add(err)
	return start, length, p.Err()
}

// length returns how long the time is to be held.
func (in *HoldInput) length() (time.Duration, error) {
	minutes, most := DefaultHoldMinutes, MaxHoldMinutes
	if in.Minutes != nil {
		minutes = *in.Minutes
	}
	if in.Visitor != nil {
		most = MailHoldMinutes
	}
	if minutes < 1 || minutes > most {
		return 0, fault.Invalid("minutes", "must lie between %d and %d", 1, most)
	}
	return time.Duration(minutes) * time.Minute, nil
}

// makeHold makes the hold behind the locks of the workspace and the hosts.
func makeHold(ch *Change, start when.Instant, length time.Duration, in *HoldInput) (h Hold, err error) {
	tx, now, ws := ch.Tx, when.At(ch.Now), ch.Setup.Workspace.ID
	e := ch.Actor.Limits.Of(ch.Setup.EventType(in.EventType))
	if e == nil || !ch.Actor.SeesEventType(e) {
		return h, fault.Missing("event type", in.EventType)
	}
	if e, err = e.Chosen(in.choice()); err != nil {
		return h, err
	}
	maker, person, most := in.maker(ch.Actor)
	if in.Visitor != nil {
		if h, err = sameHold(ch, in, e, maker, person, start); err != nil || h.ID != 0 {
			presentHold(ch.Setup, &h)
			return h, err
		}
	}
	if in.offered == nil {
		if err := fewHolds(tx, ws, maker, person, most, now); err != nil {
			return h, err
		}
	}
	hosts, err := availability.Candidates(ch.Setup, e, in.Host)
	if err != nil {
		return h, err
	}
	q, err := ch.Among(hosts, e, nil)
	if err != nil {
		return h, err
	}
	p, err := q.Find(tx, start, 0)
	if err != nil {
		return h, err
	}
	if in.Visitor != nil {
		if err := holdLeavesEnough(ch, e, &p, start, 0); err != nil {
			return h, err
		}
	}
	h = newHold(ch, e, &p, length)
	h.Seats, h.HostNamed, h.Maker, h.Person = max(1, in.Seats), in.Host != "" && !in.AnyHost, maker, person
	in.offer(&h)
	return h, tx.InsertHold(&h)
}

// offer makes the hold one for who waits, if it is.
func (in *HoldInput) offer(h *Hold) {
	if in.offered != nil {
		h.For, h.Maker, h.Person, h.ExpiresAt = booking.HeldForOffer, in.offered.Entry.String(), "", in.offered.Until
	}
}

// newHold returns a hold of one seat, of nobody yet.
func newHold(ch *Change, e *catalog.EventType, p *availability.Place, length time.Duration) Hold {
	return Hold{
		ID: id.New[booking.HoldIDKind](ch.Now), WorkspaceID: ch.Setup.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug,
		Taken: p.Taken, Seats: 1, Host: catalog.HostRef{ID: p.Host.ID, Name: p.Host.Name},
		ExpiresAt: when.At(ch.Now.Add(length).Truncate(time.Second)),
	}
}

// sameHold returns the hold that the visitor has of that time already; else it ends the last one.
func sameHold(ch *Change, in *HoldInput, e *catalog.EventType, maker, person string, start when.Instant) (h Hold, err error) {
	return lastHold(ch, in, e.ID, maker, person, start, func(h *Hold) (bool, error) {
		return h.Visit == 0 && h.EventTypeID == e.ID && h.Start == start && h.Seats == max(1, in.Seats) &&
			(in.Host == "" || in.Host == h.Host.ID.String()), nil
	})
}

// lastHold returns the hold that the visitor has already, where it is the same; else it ends the last one.
func lastHold(ch *Change, in *HoldInput, e catalog.EventTypeID, maker, person string, start when.Instant,
	same func(*Hold) (bool, error)) (h Hold, err error) {
	tx, now, ws := ch.Tx, when.At(ch.Now), ch.Setup.Workspace.ID
	if last, err := id.Parse[booking.HoldIDKind](in.Visitor.Before); err == nil {
		h, err = tx.Hold(ws, last, now)
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return h, err
		}
		if err == nil && h.Maker == maker {
			if ok, err := same(&h); err != nil || ok {
				return h, err
			}
			if _, err := endHold(tx, &h, now); err != nil {
				return h, err
			}
		}
	}
	if person == "" {
		return Hold{}, nil
	}
	h, err = tx.SameHold(ws, maker, person, e, start, now)
	if err == nil {
		if ok, err := same(&h); err != nil || ok {
			return h, err
		}
	}
	if errors.Is(err, fault.ErrNotFound) {
		err = nil
	}
	return Hold{}, err
}

// endHold ends the hold, with all of its visit, and reports whether it was live.
func endHold(tx Tx, h *Hold, now when.Instant) (live bool, err error) {
	if live, err = tx.EndHold(h.WorkspaceID, h.ID, now); err == nil && h.Visit != 0 {
		err = tx.EndVisitHolds(h.WorkspaceID, h.Visit, now)
	}
	return live, err
}

// presentHold fills in the names that are not stored.
func presentHold(setup *catalog.Setup, h *Hold) {
	if e := setup.EventTypeByID(h.EventTypeID); e != nil {
		h.EventType = e.Slug
	}
	if host := setup.Host(h.Host.ID); host != nil {
		h.Host.Name = host.Name
	}
}

// fewHolds refuses one hold too many of a maker or a person.
func fewHolds(tx Tx, ws catalog.WorkspaceID, maker, person string, most int, now when.Instant) error {
	n, err := tx.CountHolds(ws, maker, "", now)
	if err != nil || n >= most {
		return orTooManyHolds(err, most)
	}
	if person == "" {
		return nil
	}
	if n, err = tx.CountHolds(ws, "", person, now); err != nil || n >= MostHoldsPerEmail {
		return orTooManyHolds(err, MostHoldsPerEmail)
	}
	return nil
}

func orTooManyHolds(err error, most int) error {
	if err != nil {
		return err
	}
	return fault.Conflictf("too_many_holds", "At most %d times may be held at once. Book or release one, or wait until "+
		"one expires.", most)
}

// holdLeavesEnough refuses a visitor's hold when visitors' holds would close too much of the host's day, or of that of
// somebody else who does it or a room, which several hosts share: at most one of so many starts that are open without them,
// but one hold always. A hold closes as many starts as its time has steps. visit is the hold of which this is a part: where
// nobody else holds anything of the same host or room, all of it is that one.
func holdLeavesEnough(ch *Change, e *catalog.EventType, p *availability.Place, start when.Instant, visit booking.HoldID) error {
	midnight := when.AddDays(start.Time().In(ch.Setup.Zone), 0)
	from, to := when.At(midnight), when.At(when.AddDays(midnight, 1))
	held, err := ch.Tx.VisitorHolds(p.Subjects(p.Host.ID), visit, from, to, when.At(ch.Now))
	if err != nil || held == 0 {
		return err
	}
	open, _, err := availability.Among([]*catalog.Host{p.Host}, ch.Setup, e, ch.Now).
		OpenTimes(context.Background(), ch.Tx, from, to)
	if err != nil {
		return err
	}
	step := cmp.Or(e.Rules().Step, e.Rules().Duration)
	closes := func(d time.Duration) int { return int((d + step - 1) / step) }
	if (closes(held)+closes(takes(&p.Taken)))*holdShareOfDay > len(open)+closes(held) {
		return fault.Conflictf("too_many_holds", "Others hold times of that day already. Choose another day, or try again "+
			"in a few minutes.")
	}
	return nil
}

// takes returns for how long a hold takes its host.
func takes(t *booking.Taken) (d time.Duration) {
	for _, w := range t.Works() {
		d += time.Duration(w.Occupied.End-w.Occupied.Start) * time.Millisecond
	}
	return d
}

// findHold returns the live hold of that id that the actor may use: a visitor those of visitors, staff those of their
// host, a key of some services or hosts those that it made. The error is ErrNotFound.
func findHold(r HoldReader, a Actor, ref string, now when.Instant) (h Hold, err error) {
	id, err := id.Parse[booking.HoldIDKind](ref)
	if err != nil {
		return h, fault.ErrNotFound
	}
	h, err = r.Hold(a.Workspace, id, now)
	if err == nil && h.For != booking.HeldForMaker {
		if h.For != booking.HeldForOffer || a.Waits == 0 || h.Maker != a.Waits.String() {
			err = fault.ErrNotFound
		}
		return h, err
	}
	if err == nil && (h.Visit != 0 && h.Visit != h.ID || !a.Sees(h.Host.ID) || !a.Limits.Sees(h.EventTypeID) ||
		!a.Business() && !strings.HasPrefix(h.Maker, HoldVisitorPrefix) ||
		a.Business() && a.Limits.Narrows() && h.Maker != a.ID()) {
		err = fault.ErrNotFound
	}
	return h, err
}

// ReleaseHold ends a hold. Errors: forbidden, not_found (also when it has expired or was used).
func (s *Service) ReleaseHold(ctx context.Context, a Actor, ref string) error {
	if err := a.May(MayBook); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		now := when.At(s.Now())
		h, err := findHold(tx, a, ref, now)
		if err != nil {
			return fault.OrMissing(err, fault.Missing("hold", ref))
		}
		live, err := endHold(tx, &h, now)
		if err == nil && !live { // a booking or another release was faster
			err = fault.Missing("hold", ref)
		}
		return err
	})
}

// useHold ends the hold of a new booking, which takes its place. Errors: conflict hold_expired, bad_request (the hold
// is of another event type, start or host).
func useHold(ch *Change, start when.Instant, in *booking.BookInput) error {
	tx, now := ch.Tx, when.At(ch.Now)
	h, err := findHold(tx, ch.Actor, in.Hold, now)
	if err != nil {
		return fault.OrMissing(err, holdExpired())
	}
	if h.Visit != 0 {
		return fault.Invalid("hold", "the hold is of a visit: book all of its services, as a visit")
	}
	if e := ch.Setup.EventType(in.EventType); e.ID != h.EventTypeID {
		return fault.Invalid("eventType", "the hold is of %s", eventTypeName(ch.Setup, h.EventTypeID))
	}
	if start != h.Start {
		return fault.Invalid("start", "the hold is of %s", h.Start)
	}
	switch {
	case in.Host == "":
		in.Host, in.AnyHost = h.Host.ID.String(), !h.HostNamed
	case in.Host != h.Host.ID.String():
		presentHold(ch.Setup, &h)
		return fault.Invalid("host", "the hold is with %s, %s", h.Host.Name, h.Host.ID)
	}
	live, err := endHold(tx, &h, now)
	if err == nil && !live {
		err = holdExpired()
	}
	return err
}

func eventTypeName(setup *catalog.Setup, id catalog.EventTypeID) string {
	if e := setup.EventTypeByID(id); e != nil {
		return e.Slug
	}
	return "another event type"
}

// pruneHolds deletes the holds that have expired.
func (s *Service) pruneHolds(ctx context.Context) error {
	now := when.At(s.Now())
	if err := s.noteLapsed(ctx, now); err != nil {
		return err
	}
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneHolds(now, step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
