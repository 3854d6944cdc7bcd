package availability

import (
	"fmt"
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// Place is a host for a booking, and what the booking takes of the host.
type Place struct {
	Host *catalog.Host
	booking.Taken
	Waived slot.Reasons // what stands against it
	seats  int
	begun  bool
}

// Find decides whether start can be booked, and with which host. It prefers, in this order, hosts for whom the fewest
// rules must be waived, a begun session with a free seat, keep if that host is free, the host with the fewest live
// bookings in that ISO week of the workspace's zone, and the lowest id. The errors are the contract's: conflict
// slot_taken, or bad_request with the first reason that applies, or a conflict with the reason why the person may not
// book (see For); for the business (see ByBusiness) with details.reasons and, of several hosts, details.reasonsOf.
func (q *Search) Find(tx Reader, start when.Instant, keep catalog.HostID) (Place, error) {
	req, err := q.request(tx, start, start+1, 0)
	if err != nil {
		return Place{}, err
	}
	personal, err := q.againstPerson(tx, start)
	if err != nil {
		return Place{}, err
	}
	if len(q.lacks) > 0 {
		personal |= slot.ReasonsOf(slot.Requirement)
	}
	var free []Place
	refusal, against := slot.OutsideHours, slot.ReasonsOf(slot.OutsideHours)
	var of *catalog.Host // whose reasons those are
	if q.rules.Inactive {
		refusal, against = slot.Inactive, against|slot.ReasonsOf(slot.Inactive)
	}
	waived := booking.WaivedOn(q.waived, start, q.now, q.setup.Zone)
	for i, h := range q.hosts {
		v := req.Waiving(int64(start), i, waived)
		if v.Reason == slot.Open {
			free = append(free, Place{h, q.taken(h, req, start, &v), v.Waived, v.Seats, v.Begun})
			continue
		}
		refusal = nearer(refusal, v.Reason)
		if i == 0 || q.easier(v.Against, against, start) {
			against, of = v.Against, h
		}
	}
	if len(free) > 0 {
		return q.permitted(tx, fewestWaived(free), start, keep, personal)
	}
	if len(q.hosts) == 0 && waived.Has(slot.OutsideHours) {
		return Place{}, fault.Invalid("eventType", "no active host serves %s", q.event.Title)
	}
	e := refuse(refusal, start, q)
	if q.business {
		e.With("reasons", (against | personal).List())
		if len(q.hosts) > 1 && of != nil && q.mayName(of.ID) {
			e.With("reasonsOf", catalog.HostRef{ID: of.ID, Name: of.Name})
		}
	}
	return Place{}, e
}

// permitted is choose, unless something stands against the person.
func (q *Search) permitted(tx Reader, free []Place, start when.Instant, keep catalog.HostID,
	personal slot.Reasons) (Place, error) {
	if left := personal &^ q.waived; left != 0 {
		e := q.refusePerson(left.First())
		if q.business {
			e.With("reasons", (free[0].Waived | personal).List())
		}
		return Place{}, e
	}
	p, err := q.choose(tx, free, start, keep)
	p.Waived |= personal
	if err == nil && p.begun {
		err = q.shared(tx, &p)
	}
	return p, err
}

// Against returns all reasons against a start; with several hosts, those of the host for whom they are easiest to
// waive. Without a host it is outside_hours.
func (q *Search) Against(r Reader, start when.Instant) (slot.Reasons, error) {
	req, err := q.request(r, start, start+1, 0)
	if err != nil {
		return 0, err
	}
	against := slot.ReasonsOf(slot.OutsideHours)
	for i := range q.hosts {
		if all := req.Check(int64(start), i).Against; i == 0 || q.easier(all, against, start) {
			against = all
		}
	}
	return against, nil
}

// Permits reports whether the person may book the start, as far as it depends on who it is: see For and Lacks. Rules that are
// waived don't count.
func (q *Search) Permits(r Reader, start when.Instant) (bool, error) {
	personal, err := q.againstPerson(r, start)
	if len(q.lacks) > 0 {
		personal |= slot.ReasonsOf(slot.Requirement)
	}
	return personal&^q.waived == 0, err
}

// easier reports whether a can rather be waived than b: all of it, else less of it.
func (q *Search) easier(a, b slot.Reasons, start when.Instant) bool {
	possible := booking.MayWaive(a, start, q.now, q.setup.Zone)
	if possible != booking.MayWaive(b, start, q.now, q.setup.Zone) {
		return possible
	}
	return a.Len() < b.Len()
}

// fewestWaived keeps the places for which the least must be waived.
func fewestWaived(free []Place) []Place {
	least := free[0].Waived.Len()
	for _, p := range free {
		least = min(least, p.Waived.Len())
	}
	return slices.DeleteFunc(free, func(p Place) bool { return p.Waived.Len() > least })
}

// Ahead makes the reads of Find and ignores what they find, for app.Tx.Ahead.
func (q *Search) Ahead(tx Reader, start when.Instant) {
	_, _ = q.request(tx, start, start+1, 0)
	if len(q.hosts) > 1 {
		from, to := isoWeek(start, q.setup.Zone)
		for _, h := range q.hosts {
			_, _ = tx.LiveStarts(h.ID, from, to)
		}
	}
}

// choose picks one of the free hosts.
func (q *Search) choose(tx Reader, free []Place, start when.Instant, keep catalog.HostID) (Place, error) {
	var begun []Place
	for _, p := range free {
		if p.Host.ID == keep {
			return p, nil
		}
		if p.begun {
			begun = append(begun, p)
		}
	}
	if len(begun) > 0 {
		free = begun
	}
	if len(free) == 1 {
		return free[0], nil
	}
	from, to := isoWeek(start, q.setup.Zone)
	best, fewest := Place{}, -1
	for _, p := range free { // by id, as the hosts of a set-up are
		n, err := tx.LiveStarts(p.Host.ID, from, to)
		if err != nil {
			return Place{}, err
		}
		if fewest < 0 || n < fewest || n == fewest && p.Host.ID < best.Host.ID {
			best, fewest = p, n
		}
	}
	return best, nil
}

// dayOf returns the day, from midnight to the next in zone, that at lies in.
func dayOf(at when.Instant, zone *time.Location) (from, to when.Instant) {
	midnight := when.AddDays(at.Time().In(zone), 0)
	return when.At(midnight), when.At(when.AddDays(midnight, 1))
}

// isoWeek returns the week, from Monday 00:00 to the next in zone, that at lies in.
func isoWeek(at when.Instant, zone *time.Location) (from, to when.Instant) {
	t := at.Time().In(zone)
	monday := when.AddDays(t, -(int(t.Weekday())+6)%7)
	return when.At(monday), when.At(when.AddDays(monday, 7))
}

// order ranks why hosts refuse a start by how near it came to being booked: with several hosts the nearest one counts.
var order = map[slot.Reason]int{
	slot.Inactive: 0, slot.InPast: 1, slot.TooSoon: 2, slot.TooFar: 3, slot.OutsideHours: 4, slot.OffGrid: 5,
	slot.DayFull: 6, slot.HostWeekFull: 7, slot.WeekFull: 8,
	slot.TimeOff: 9, slot.Busy: 10, slot.Buffer: 11, slot.Held: 12, slot.Offered: 12, slot.Booked: 13, slot.ResourceTaken: 14,
	slot.HostsTaken: 15,
}

func nearer(a, b slot.Reason) slot.Reason {
	// What holds of the start itself holds for every host alike.
	if order[b] < order[slot.OutsideHours] || order[b] > order[a] {
		return b
	}
	return a
}

// refuse returns the error for a start that can't be booked.
func refuse(r slot.Reason, start when.Instant, q *Search) *fault.Error {
	if r.Taken() {
		return fault.Conflictf("slot_taken",
			"%s is taken. Choose one of details.alternatives, or ask for availability again.", start)
	}
	e := q.event
	text := map[slot.Reason]string{
		slot.Inactive: e.Title + " can't be booked at present.",
		slot.InPast:   "start lies in the past" + map[bool]string{true: ", and not today"}[q.waived.Has(slot.InPast)] + ".",
		slot.TooSoon: fmt.Sprintf("start is too soon: %s must be booked at least %d minutes ahead.", e.Title,
			e.MinimumNoticeMinutes),
		slot.TooFar: fmt.Sprintf("start is too far ahead: %s can be booked %d days ahead.", e.Title,
			e.BookingWindowDays),
		slot.OutsideHours: map[bool]string{true: "start is none of the dates of " + e.Title + ".",
			false: "start lies outside the working hours."}[len(e.Dates) > 0],
		slot.OffGrid: fmt.Sprintf("start is not on the grid: %s begins every %d minutes from the beginning of the "+
			"working hours.", e.Title, e.SlotStepMinutes),
		slot.DayFull:      fmt.Sprintf("That day is full: at most %d a day.", e.MaxPerDay),
		slot.HostWeekFull: fmt.Sprintf("That week is full: at most %d a week with one host.", e.Limits.HostPerWeek),
		slot.WeekFull:     fmt.Sprintf("That week is full: at most %d a week.", e.Limits.PerWeek),
	}[r]
	return fault.New(fault.BadRequest, string(r), "%s Ask for availability to see the open times.", text).About("start")
}

// WithOthers returns, for an error because the only host searched is taken, a conflict that names the event type's
// other hosts who are free. If none is, it returns the error unchanged.
func (q *Search) WithOthers(tx Reader, cause error, start when.Instant) error {
	if e := fault.Refusal(cause); e == nil || len(q.hosts) != 1 || slot.Reason(e.Reason).Personal() {
		return cause
	}
	all, err := Candidates(q.setup, q.event, "")
	if err != nil {
		return err
	}
	others := *q
	others.hosts, others.rules.Joins = nil, slot.Joins{} // those of the host who was asked
	for _, h := range all {
		if !slices.Contains(q.hosts, h) && q.mayName(h.ID) {
			others.hosts = append(others.hosts, h)
		}
	}
	if len(others.hosts) == 0 {
		return cause
	}
	free, err := others.freeAt(tx, start)
	if err != nil {
		return err
	}
	if len(free) == 0 {
		return cause
	}
	e := fault.Conflictf("slot_taken",
		"%s is not free at %s. Choose one of details.alternatives, which are %[1]s's times, or name one of "+
			"details.otherHosts as host.",
		q.hosts[0].Name, start).With("otherHosts", free)
	if against, ok := fault.As(cause).Details["reasons"]; ok {
		e.With("reasons", against)
	}
	return e
}

// FreeAt returns which of the hosts searched are free for a booking at the start, behind the locks; rules that are waived
// don't count.
func (q *Search) FreeAt(tx Reader, start when.Instant) ([]catalog.HostRef, error) {
	return q.freeAt(tx, start)
}

// StartsIn returns the open starts in [from, to), a few days at most, earliest first: behind the locks, where a search must
// not wait.
func (q *Search) StartsIn(tx Reader, from, to when.Instant) (starts []when.Instant, err error) {
	found, _, err := q.part(tx, max(from, q.now), to, 0)
	for i := range found {
		starts = append(starts, when.Instant(found[i].Start))
	}
	return starts, err
}

// freeAt returns which of the hosts are free for a booking at the start.
func (q *Search) freeAt(tx Reader, start when.Instant) (free []catalog.HostRef, err error) {
	if q.step != nil && len(q.hosts) > 1 { // what is free beside its neighbours depends on who does it
		for _, h := range q.hosts {
			alone := *q
			alone.hosts = []*catalog.Host{h}
			one, err := alone.freeAt(tx, start)
			if err != nil {
				return nil, err
			}
			free = append(free, one...)
		}
		return free, nil
	}
	req, err := q.request(tx, start, start+1, 0)
	if err != nil {
		return nil, err
	}
	waived := booking.WaivedOn(q.waived, start, q.now, q.setup.Zone)
	for i, h := range q.hosts {
		if req.Waiving(int64(start), i, waived).Reason == slot.Open {
			free = append(free, catalog.HostRef{ID: h.ID, Name: h.Name})
		}
	}
	return free, nil
}
