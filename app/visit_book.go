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
	"daybook/app/slot"
	"daybook/app/when"
)

// BookVisit books several services for one person, one after the other: all or none, in one transaction. Without starts
// of their own the items are arranged as availability.Visit says, or, where rules that in.Override waives leave no such
// arrangement, as its Follow does. Errors: those of Book about any item; conflict slot_taken with details.alternatives
// where they don't fit at that start. For actors who may waive rules, details.reasons lists all reasons against the start
// where all of them can be waived. A walk-in's visit that says no start begins now, arranged like any other.
func (s *Service) BookVisit(ctx context.Context, a Actor, in booking.VisitInput) (booking.Visit, error) {
	if err := a.May(MayBook); err != nil {
		return booking.Visit{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return booking.Visit{}, err
	}
	if in.WalkIn {
		begins := cmp.Or(in.Start, in.OwnStart())
		if in.AtOnce, err = s.walkIn(a, &begins, in.Hold, &in.Override); err != nil {
			return booking.Visit{}, err
		}
		if in.AtOnce != 0 {
			in.Start = begins
		}
	}
	start, given, err := in.Check(setup.Workspace.PhoneCountry(), a.Desk() || in.WalkIn)
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
	var unknown []catalog.CalendarOwner
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

// understandItems looks up what an agent named of the items, and the time zone where it named none.
func (a Actor) understandItems(setup *catalog.Setup, items []booking.VisitItem, zone *string) error {
	for i := range items {
		item := &items[i]
		if err := a.understandChosen(setup, &item.Host, &item.EventType, &item.AddOns); err != nil {
			return err
		}
	}
	*zone = cmp.Or(*zone, setup.Workspace.TimeZone)
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
	v, err := itemsAmong(ch, in, in.Override)
	if err != nil {
		return nil, err
	}
	found, err := v.Arrange(ch.Tx, start)
	if err != nil || found != nil {
		return found, err
	}
	if len(in.Override) > 0 {
		found, _, err = v.Follow(ch.Tx, start)
	} else {
		err = v.Against(ch.Tx, start)
	}
	return found, ch.withReasons(err, start, func() (*availability.Visit, error) { return itemsAmong(ch, in, nil) })
}

// withReasons adds to the refusal of a visit all that stands against the start, for those who may waive it and where they
// can: v is a search for the visit anew.
func (c *Change) withReasons(refusal error, start when.Instant, search func() (*availability.Visit, error)) error {
	e := fault.Refusal(refusal)
	if e == nil || c.Actor.May(MayWaive) != nil {
		return refusal
	}
	v, err := search()
	if fault.Refusal(err) != nil {
		return refusal
	}
	if err != nil {
		return err
	}
	v.Waiving()
	_, against, err := v.Follow(c.Tx, start)
	switch {
	case err == nil:
		return e.With("reasons", against.List())
	case fault.Refusal(err) != nil:
		return refusal
	}
	return err
}

// itemsAmong returns the search for the items of a visit, behind the locks; rules are waived in Follow.
func itemsAmong(ch *Change, in *booking.VisitInput, rules []string) (*availability.Visit, error) {
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
		if searches[i], err = ch.Among(hosts, e, rules); err != nil {
			return nil, err
		}
		if in.AtOnce != 0 {
			searches[i].AtOnce(in.AtOnce)
		}
	}
	v := availability.AmongVisit(searches, in.VisitChoice)
	return v, v.Fits()
}

// bookItems books the items as they are arranged.
func (s *Service) bookItems(ch *Change, in *booking.VisitInput, arranged []booking.VisitPlace) (v booking.Visit, err error) {
	arranged = slices.Clone(arranged)
	ids, needsOK, needsPay, unasked := make([]booking.BookingID, len(arranged)), in.NeedsOK, in.NeedsPay, maps.Clone(in.Answers)
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
		arranged[i].Waits = waitsFrom(chosen, at.Start)
		services = append(services, chosen)
		asks, err := ch.visitorAsksFirst(e, &in.Invitee, at.Start)
		if err != nil {
			return v, err
		}
		needsOK = needsOK || e.RequiresApproval && ch.Actor.Waits == 0 || asks
		needsPay = needsPay || ch.Setup.WaitsForPayment(chosen) && !in.Invitee.WalksIn()
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
	refs, steps, end := booking.NewVisit(ids), booking.StepsOf(arranged), when.Instant(0)
	for i, at := range arranged {
		one := in.Book(at.Item)
		one.Host, one.AnyHost, one.NeedsOK = at.Host.String(), in.Items[at.Item].Host == "" || in.Items[at.Item].AnyHost, needsOK
		one.NeedsPay = needsPay
		one.Step = &steps[i]
		one.Step.Ref, one.Step.Held = refs[i], in.Hold != ""
		behind := one.Step.Behind - 1
		if behind >= 0 {
			one.Step.Before = ch.neighbour(&v.Items[behind])
		}
		one.Answers = ch.Setup.EventType(one.EventType).OwnAnswers(in.Answers)
		if i == 0 {
			one.ContactFields, one.MustGive = in.ContactFields, in.MustGive
		}
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
		if i > 0 && b.Start > end.Add(booking.MaxVisitGap*time.Minute) {
			return v, tooFarApart(at.Item)
		}
		if behind >= 0 {
			if err := ch.goOn(&v.Items[behind], &b); err != nil {
				return v, err
			}
		}
		end = max(end, b.End)
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

// waitsFrom returns when an invitee waits in a service that begins then.
func waitsFrom(e *catalog.EventType, start when.Instant) []slot.Span {
	waits := booking.WaitsOf(e.Works())
	for i := range waits {
		waits[i].Start, waits[i].End = waits[i].Start+int64(start), waits[i].End+int64(start)
	}
	return waits
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
