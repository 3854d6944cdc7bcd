package waitlist

import (
	"cmp"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

const (
	mostTold   = 50        // people who are told of one time
	mostToldOf = 100       // times of which an entry keeps that it was told
	toldADay   = 5         // times that a person is told of in 24 hours
	toldAgain  = time.Hour // between two of times that no booking left, such as new hours
	toldUntil  = time.Hour // then what wasn't sent is of no use
)

// Opening is a time of which a person was told that it came free, and when they were.
type Opening struct {
	Start when.Instant `json:"start"`
	At    when.Instant `json:"at"`
}

// TellsAll reports whether the entry's person is told of what comes free, at once with all others who wait for it, instead of
// being offered it: one of the services says so, and none is hidden.
func (e *Entry) TellsAll(setup *catalog.Setup) bool {
	tells := false
	for _, s := range e.services(setup) {
		if s != nil && s.Hidden {
			return false
		}
		tells = tells || s != nil && s.TellsAll()
	}
	return tells
}

// told reports whether the person was told of a start.
func (e *Entry) told(start when.Instant) bool {
	return slices.ContainsFunc(e.Told, func(t Opening) bool { return t.Start == start })
}

// tellAll tells those whom a time fits that it came free, first who waits for longest. A person is told once of a start, and
// at most toldADay times in 24 hours. Nothing is held for them, and they wait on.
func (s *Service) tellAll(tx Tx, j *app.WaitJob, all []proposal) error {
	slices.SortStableFunc(all, func(a, b proposal) int {
		return cmp.Or(cmp.Compare(a.entry.ConfirmedAt, b.entry.ConfirmedAt), cmp.Compare(a.entry.ID, b.entry.ID))
	})
	now, seen, told := when.At(s.Now()), map[string]bool{}, 0
	for i := range all[:min(len(all), 4*mostTold)] {
		p := &all[i]
		key := p.entry.Person()
		if seen[key] {
			continue
		}
		e, may, err := s.mayTell(tx, p, key, j.Booking == 0, now)
		if err != nil {
			return err
		}
		if !may {
			continue
		}
		err = s.Core.MayBeOffered(tx, e.WorkspaceID, e.wants(p.start, p.host))
		if fault.Refusal(err) != nil {
			continue
		}
		if err != nil {
			return err
		}
		o := Offer{Start: p.start, End: p.end}
		if h, err := id.Parse[catalog.HostIDKind](p.host); err == nil {
			o.Host = h
		}
		if err := s.tell.Opening(tx, &e, &o, min(p.start, now.Add(toldUntil))); err != nil {
			return err
		}
		e.Told = slices.DeleteFunc(e.Told, func(t Opening) bool { return t.Start <= now && t.At <= now.Add(-24*time.Hour) })
		if e.Told = append(e.Told, Opening{p.start, now}); len(e.Told) > mostToldOf {
			e.Told = e.Told[len(e.Told)-mostToldOf:]
		}
		if err := tx.UpdateWaitEntry(&e); err != nil {
			return err
		}
		seen[key] = true
		if told++; told == mostTold {
			break
		}
	}
	return nil
}

// mayTell returns an entry as it is now, and whether its person may be told of the start: not of one twice, and not too often.
func (s *Service) mayTell(tx Tx, p *proposal, key string, nobodyLeft bool, now when.Instant) (e Entry, may bool, err error) {
	theirs, err := tx.WaitEntries(p.entry.WorkspaceID, Filter{Persons: []string{key}, States: []State{Waiting, Offered}, Limit: 2 * MostOfPerson})
	if err != nil {
		return e, false, err
	}
	lately, last := 0, when.Instant(0)
	for i := range theirs {
		one := &theirs[i]
		if one.ID == p.entry.ID && one.Status == Waiting {
			e, may = *one, true
		}
		if one.told(p.start) {
			return e, false, nil
		}
		for _, t := range one.Told {
			last = max(last, t.At)
			if t.At > now.Add(-24*time.Hour) {
				lately++
			}
		}
	}
	return e, may && lately < toldADay && (!nobodyLeft || last == 0 || last <= now.Add(-toldAgain)), nil
}

// wants returns what an entry asks for at a start, with the host if one is named.
func (e *Entry) wants(start when.Instant, host string) *app.OfferInput {
	in := &app.OfferInput{Entry: e.ID, Order: e.Order, Seats: e.Seats, Named: e.Items[0].Host != "", Start: start, Invitee: e.Invitee}
	for _, item := range e.Items {
		one := booking.VisitItem{EventType: item.EventType, Host: item.Host, AddOns: item.AddOns}
		if len(e.Items) == 1 && one.Host == "" {
			one.Host = host
		}
		in.Items = append(in.Items, one)
	}
	return in
}
