package availability

import (
	"cmp"
	"math"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// Counted is a live booking or hold of an event type, as the limits count it.
type Counted struct {
	ID      booking.BookingID // 0 for a hold
	Host    catalog.HostID
	Start   when.Instant
	Contact booking.ContactID
	Theirs  bool // it was made with the identity that was asked for
}

// person is who a search is for.
type person struct {
	contact booking.ContactID
	reach   booking.Identity
	was     when.Instant
}

// For makes Find count the live bookings that the person has already: those of the contact, zero for a new one, and
// those that were made with the invitee's e-mail address or telephone number and belong to another contact, such as one
// into which this one was merged. was is the start of the person's booking that is being moved, or zero; it may stay in
// a day and a week that have become too full. Who walks in is nobody known, and has no bookings.
func (q *Search) For(contact booking.ContactID, p *booking.Invitee, was when.Instant) {
	if p.WalksIn() {
		q.person = nil
		return
	}
	q.person = &person{contact, p.Identity(q.setup.Workspace.PhoneCountry()), was}
}

// fillWeeks tells the request which weeks are full.
func (q *Search) fillWeeks(r Reader, req *slot.Request) error {
	l := &q.limits
	if l.HostPerWeek == 0 && l.PerWeek == 0 || req.From >= req.To {
		return nil
	}
	first, _ := isoWeek(when.Instant(req.From), q.setup.Zone)
	_, end := isoWeek(when.Instant(req.To-1), q.setup.Zone)
	rows, err := r.Counted(q.event.ID, booking.Identity{}, first, end)
	if err != nil {
		return err
	}
	if q.held != 0 {
		held, err := r.HeldStarts(q.setup.Workspace.ID, q.event.ID, first, end, q.held)
		if err != nil {
			return err
		}
		rows = append(rows, held...)
		slices.SortStableFunc(rows, func(a, b Counted) int { return cmp.Compare(a.Start, b.Start) })
	}
	q.work.spent += len(rows) * rowWork
	for from := first; from < end; {
		_, to := isoWeek(from, q.setup.Zone)
		n := 0
		for n < len(rows) && rows[n].Start < to {
			n++
		}
		q.fillWeek(req, slot.Span{Start: int64(from), End: int64(to)}, rows[:n])
		from, rows = to, rows[n:]
	}
	return nil
}

// fillWeek counts the sessions of one week: bookings of one host and start are one.
func (q *Search) fillWeek(req *slot.Request, week slot.Span, rows []Counted) {
	type session struct {
		host  catalog.HostID
		start when.Instant
	}
	seen, of := map[session]bool{}, map[catalog.HostID]int{}
	for i := range rows {
		s := session{rows[i].Host, rows[i].Start}
		if q.ignores(rows[i].ID) || seen[s] {
			continue
		}
		seen[s] = true
		of[s.host]++
	}
	if q.limits.PerWeek > 0 && len(seen) >= q.limits.PerWeek {
		req.Full = append(req.Full, week)
	}
	for i, h := range q.hosts {
		if q.limits.HostPerWeek > 0 && of[h.ID] >= q.limits.HostPerWeek {
			req.Hosts[i].Full = append(req.Hosts[i].Full, week)
		}
	}
}

// againstPerson returns what stands against a start because of what the person has booked.
func (q *Search) againstPerson(r Reader, start when.Instant) (all slot.Reasons, err error) {
	if q.person == nil {
		return 0, nil
	}
	l, was := q.limits, q.person.was
	day, nextDay := dayOf(start, q.setup.Zone)
	monday, nextMonday := isoWeek(start, q.setup.Zone)
	if start <= q.now || was > q.now {
		l.PersonUpcoming = 0
	}
	if was >= day && was < nextDay {
		l.PersonPerDay = 0
	}
	if was >= monday && was < nextMonday {
		l.PersonPerWeek = 0
	}
	if l.PersonUpcoming == 0 && l.PersonPerDay == 0 && l.PersonPerWeek == 0 {
		return 0, nil
	}
	from, to := monday, nextMonday
	if l.PersonUpcoming > 0 || q.person.contact == 0 { // who is new may have been merged, which any booking may tell
		from, to = min(from, q.now), when.Instant(math.MaxInt64)
	}
	starts, err := q.ofPerson(r, from, to)
	if err != nil {
		return 0, err
	}
	full := func(most int, from, to when.Instant, why slot.Reason) {
		n := 0
		for _, at := range starts {
			if at >= from && at < to {
				n++
			}
		}
		if most > 0 && n >= most {
			all |= slot.ReasonsOf(why)
		}
	}
	full(l.PersonUpcoming, q.now+1, math.MaxInt64, slot.PersonUpcoming)
	full(l.PersonPerDay, day, nextDay, slot.PersonDayFull)
	full(l.PersonPerWeek, monday, nextMonday, slot.PersonWeekFull)
	return all, nil
}

// ofPerson returns when the person's bookings of the event type start, of those that start in [from, to).
func (q *Search) ofPerson(r Reader, from, to when.Instant) (starts []when.Instant, err error) {
	rows, err := r.Counted(q.event.ID, q.person.reach, from, to)
	if err != nil {
		return nil, err
	}
	same := map[booking.ContactID]bool{}
	if q.person.contact != 0 { // 0 is that of whoever walked in
		same[q.person.contact] = true
	}
	for i := range rows {
		if rows[i].Theirs {
			same[rows[i].Contact] = true
		}
	}
	for i := range rows {
		if same[rows[i].Contact] && !q.ignores(rows[i].ID) {
			starts = append(starts, rows[i].Start)
		}
	}
	return starts, nil
}

// Unmet returns the error for a booking whose customer lacks consents that its event type requires.
func Unmet(title string, lacks []catalog.Requirement) *fault.Error {
	return fault.Conflictf("requirement", "%s requires a consent that this customer hasn't given, or that isn't valid "+
		"then: record it first, or set the rule aside.", title).With("requires", lacks)
}

// refusePerson returns the error for a start at which this person may not book.
func (q *Search) refusePerson(why slot.Reason) *fault.Error {
	title, l := q.event.Title, &q.limits
	switch why {
	case slot.PersonUpcoming:
		return fault.Conflictf("person_upcoming", "One person may have at most %d bookings of %s that are still to come: "+
			"cancel one, or wait until one is over.", l.PersonUpcoming, title)
	case slot.Requirement:
		return Unmet(title, q.lacks)
	case slot.PersonDayFull:
		return fault.Conflictf("person_day_full", "One person may book %s at most %d times a day: choose another day.",
			title, l.PersonPerDay)
	}
	return fault.Conflictf("person_week_full", "One person may book %s at most %d times a week: choose another week.",
		title, l.PersonPerWeek)
}
