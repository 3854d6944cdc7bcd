package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// holdVisit keeps the times of a visit: all of it or nothing, and as one hold. Errors: those of Hold and BookVisit.
func (s *Service) holdVisit(ctx context.Context, a Actor, in HoldInput) (h Hold, err error) {
	setup, err := s.SetupFor(a)
	if err != nil {
		return h, err
	}
	start, length, given, err := in.checkVisit()
	if err != nil {
		return h, err
	}
	visit := booking.VisitInput{Items: in.Items, VisitChoice: in.VisitChoice}
	if in.Spoken {
		if err := a.understandItems(setup, visit.Items, new(string)); err != nil {
			return h, err
		}
	}
	if err := s.checkItems(a, setup, visit.Items); err != nil {
		return h, err
	}
	var unknown []catalog.CalendarOwner
	for _, item := range visit.Items {
		more, err := s.AskCalendars(ctx, a, item.EventType, item.Host)
		if err != nil {
			return h, err
		}
		unknown = append(unknown, more...)
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if err := tx.MarkHolds(a.Workspace); err != nil {
			return err
		}
		ch, err := s.lockItems(tx, a, setup, visit.Items)
		if err != nil {
			return err
		}
		ch.Unknown = unknown
		h, err = makeVisitHold(ch, &in, start, length, given)
		return err
	})
	if err != nil {
		return Hold{}, s.suggestVisit(ctx, a, err, &visit, start)
	}
	return h, nil
}

// checkVisit returns one bad_request with everything that no hold of a visit may have.
func (in *HoldInput) checkVisit() (start when.Instant, length time.Duration, given []booking.VisitPlace, err error) {
	var p fault.Problems
	switch {
	case in.EventType != "":
		p.Add(fault.Invalid("eventType", "give either eventType or items, not both"))
	case in.Host != "":
		p.Add(fault.Invalid("host", "each of the items has its own host"))
	case in.AddOns != nil:
		p.Add(fault.Invalid("addOns", "each of the items has its own add-ons"))
	case in.Seats != 0:
		p.Add(fault.Invalid("seats", "a visit has one seat of each service"))
	}
	start, given, err = booking.CheckVisit(in.Items, in.Start, &in.VisitChoice)
	p.Add(err)
	length, err = in.length()
	p.Add(err)
	return start, length, given, p.Err()
}

// makeVisitHold makes the holds of a visit behind the locks of the workspace and of all that the items may take.
func makeVisitHold(ch *Change, in *HoldInput, start when.Instant, length time.Duration,
	arranged []booking.VisitPlace) (first Hold, err error) {
	visit := booking.VisitInput{Items: in.Items, VisitChoice: in.VisitChoice}
	maker, person, most := in.maker(ch.Actor)
	now := when.At(ch.Now)
	if in.Visitor != nil {
		at := 0
		if arranged != nil {
			at = arranged[0].Item
		}
		e := ch.Setup.EventType(in.Items[at].EventType)
		if e == nil {
			return first, fault.Missing("event type", in.Items[at].EventType)
		}
		first, err = lastHold(ch, in, e.ID, maker, person, start, func(h *Hold) (bool, error) {
			return sameVisit(ch, h, in.Items, arranged)
		})
		if err != nil || first.ID != 0 {
			return first, err
		}
	}
	if in.offered == nil {
		if err := fewHolds(ch.Tx, ch.Setup.Workspace.ID, maker, person, most, now); err != nil {
			return first, err
		}
	}
	if arranged == nil {
		if arranged, err = arrange(ch, &visit, start); err != nil {
			return first, err
		}
	}
	arranged = slices.Clone(arranged)
	for i, at := range arranged {
		item := &in.Items[at.Item]
		if e := ch.Setup.EventType(item.EventType); e != nil {
			e, err := e.Chosen(catalog.Choice{AddOns: item.AddOns})
			if err != nil {
				return first, availability.InItem(err, at.Item)
			}
			arranged[i].Waits = waitsFrom(e.With(at.Host), at.Start)
		}
	}
	var stays []booking.Stay
	steps, held := booking.StepsOf(arranged), make([]Hold, len(arranged))
	for i, at := range arranged {
		item := &in.Items[at.Item]
		behind := steps[i].Behind - 1
		if behind >= 0 {
			steps[i].Before = ch.neighbourOf(held[behind].EventTypeID, &held[behind].Taken, held[behind].Host.ID)
		}
		h, err := holdItem(ch, item, at, &steps[i], length, first.ID, in.Visitor != nil)
		if err != nil {
			return first, availability.InItem(err, at.Item)
		}
		stay := booking.StayOf(&h.Taken, ch.Setup.EventType(item.EventType).DuringWait)
		for j := range stays {
			if !stay.Apart(&stays[j]) {
				return first, fault.Conflictf("visit_overlap", "Another service lasts from %s to %s: nobody can be in two at a time.",
					stays[j].Start, stays[j].End)
			}
		}
		if stays = append(stays, stay); i > 0 && h.Start > first.End.Add(booking.MaxVisitGap*time.Minute) {
			return first, tooFarApart(at.Item)
		}
		h.HostNamed, h.Maker, h.Person = item.Host != "" && !item.AnyHost, maker, person
		in.offer(&h)
		if h.Visit = first.ID; i == 0 {
			h.Visit, first = h.ID, h
		}
		if err := ch.InsertHold(&h); err != nil {
			return first, err
		}
		if held[i] = h; behind >= 0 {
			if err := ch.holdOn(&held[behind], &h); err != nil {
				return first, err
			}
		}
		first.End = max(first.End, h.End)
		first.Items = append(first.Items, availability.SlotItem{EventType: h.EventType, Host: h.Host.ID, Start: h.Start, End: h.End,
			AddOns: item.AddOns})
	}
	first.Visit = first.ID
	return first, nil
}

// holdOn is goOn for the hold of an item and the next one.
func (c *Change) holdOn(h, next *Hold) error {
	before := c.neighbourOf(h.EventTypeID, &h.Taken, h.Host.ID)
	if before == nil || !before.GoOn(&booking.Neighbour{Taken: &next.Taken, Host: next.Host.ID}) {
		return nil
	}
	if _, err := c.EndHold(h.WorkspaceID, h.ID, when.At(c.Now)); err != nil {
		return err
	}
	return c.InsertHold(h)
}

// holdItem finds the place of an item of a visit, of which others may be held already, as visit.
func holdItem(ch *Change, item *booking.VisitItem, at booking.VisitPlace, step *booking.VisitStep, length time.Duration,
	visit booking.HoldID, visitor bool) (h Hold, err error) {
	e := ch.Actor.Limits.Of(ch.Setup.EventType(item.EventType))
	if e == nil || !ch.Actor.SeesEventType(e) {
		return h, fault.Missing("event type", item.EventType)
	}
	if e, err = e.Chosen(catalog.Choice{AddOns: item.AddOns}); err != nil {
		return h, err
	}
	hosts, err := availability.Candidates(ch.Setup, e, at.Host.String())
	if err != nil {
		return h, err
	}
	q, err := ch.Among(hosts, e, nil)
	if err != nil {
		return h, err
	}
	q.Within(step)
	p, err := q.Find(ch.Tx, at.Start, 0)
	if err != nil {
		return h, err
	}
	if err := step.Check(p.End); err != nil {
		return h, err
	}
	if visitor {
		if err := holdLeavesEnough(ch, e, &p, at.Start, visit); err != nil {
			return h, err
		}
	}
	return newHold(ch, e, &p, length), nil
}

// sameVisit reports whether the hold is of those items as they are arranged.
func sameVisit(ch *Change, h *Hold, items []booking.VisitItem, arranged []booking.VisitPlace) (bool, error) {
	if h.Visit == 0 || arranged == nil {
		return false, nil
	}
	held, err := ch.HoldsOfVisit(h.WorkspaceID, h.Visit, when.At(ch.Now))
	if err != nil || len(held) != len(arranged) {
		return false, err
	}
	for i, at := range arranged {
		e := ch.Setup.EventType(items[at.Item].EventType)
		if e == nil || held[i].EventTypeID != e.ID || held[i].Start != at.Start || held[i].Host.ID != at.Host ||
			at.End != 0 && held[i].End != at.End {
			return false, nil
		}
	}
	return true, nil
}

// useVisitHold ends the hold of a visit that is booked, and returns how its items are arranged: as they were held. Errors:
// conflict hold_expired, bad_request (the hold is of other items).
func useVisitHold(ch *Change, in *booking.VisitInput, start when.Instant) ([]booking.VisitPlace, error) {
	now := when.At(ch.Now)
	h, err := findHold(ch.Tx, ch.Actor, in.Hold, now)
	if err == nil && h.Visit == 0 {
		return nil, fault.Invalid("hold", "the hold is of one service: book that one, not a visit")
	}
	var held []Hold
	if err == nil {
		if held, err = ch.HoldsOfVisit(h.WorkspaceID, h.Visit, now); err != nil {
			return nil, err
		}
		var live bool
		if live, err = endHold(ch.Tx, &h, now); err == nil && !live {
			err = fault.ErrNotFound
		}
	}
	if err != nil {
		err = fault.OrMissing(err, holdExpired())
		if e := ch.Setup.EventType(in.Items[0].EventType); e != nil {
			err = perhapsByThis(ch, &in.Invitee, e.ID, start, err)
		}
		return nil, err
	}
	if start != h.Start {
		return nil, fault.Invalid("start", "the hold is of %s", h.Start)
	}
	if len(held) != len(in.Items) {
		return nil, fault.Invalid("items", "the hold is of %d services", len(held))
	}
	in.Items = slices.Clone(in.Items)
	var arranged []booking.VisitPlace
	for _, i := range byNamed(in.Items) {
		item := &in.Items[i]
		at := slices.IndexFunc(held, func(h Hold) bool { return heldFor(ch.Setup, &h, item) })
		if at < 0 {
			return nil, fault.Invalid(fmt.Sprintf("items[%d]", i), "the hold is of other services, hosts or times: give those with "+
				"which it was made")
		}
		h := held[at]
		held = slices.Delete(held, at, at+1)
		if item.Host == "" {
			item.Host, item.AnyHost = h.Host.ID.String(), !h.HostNamed
		}
		arranged = append(arranged, booking.VisitPlace{Item: i, Host: h.Host.ID, Start: h.Start, End: h.End})
	}
	slices.SortStableFunc(arranged, func(a, b booking.VisitPlace) int { return cmp.Compare(a.Start, b.Start) })
	return arranged, nil
}

// byNamed returns the indexes of the items, those first that name their host: of two of one service the other takes what
// is left.
func byNamed(items []booking.VisitItem) (order []int) {
	for i := range items {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(min(1, len(items[b].Host)), min(1, len(items[a].Host)))
	})
	return order
}

// heldFor reports whether the hold is one of the item.
func heldFor(setup *catalog.Setup, h *Hold, item *booking.VisitItem) bool {
	e := setup.EventType(item.EventType)
	return e != nil && h.EventTypeID == e.ID && (item.Host == "" || item.Host == h.Host.ID.String()) &&
		(item.Start == "" || sameMoment(item.Start, h.Start)) && (item.End == "" || sameMoment(item.End, h.End))
}

func sameMoment(text string, at when.Instant) bool {
	t, err := when.ParseISO(text)
	return err == nil && t == at
}
