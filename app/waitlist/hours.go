package waitlist

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

const (
	// HoursAgain is how often hours are looked at, whether the set-up has changed or not.
	HoursAgain = time.Hour
	hoursAhead = 120 * when.Day // how far ahead at most
	mostAdded  = 200            // times that are noted as free at one look, the first ones
)

// lookAtHours notes as free what hosts work that they did not work when it was looked at last, what resources had off then and
// have no more, and what the windows have come to reach of the services for which somebody waits.
func (s *Service) lookAtHours(ctx context.Context, look *HoursLook) error {
	setup, err := s.Core.Setup(look.Workspace)
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	now := s.Now()
	waiting, err := s.Reader(ctx).Waiters(look.Workspace, mostOfList)
	if err != nil {
		return err
	}
	seen := hoursOf(setup, now)
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(look.Workspace); err != nil {
			if errors.Is(err, fault.ErrNotFound) {
				return nil
			}
			return err
		}
		j := app.WaitJob{ID: look.Job, Workspace: look.Workspace, Kind: app.WaitHours, Start: when.Instant(setup.Workspace.Revision), End: seen.Until,
			Due: when.At(now.Add(HoursAgain)), WaitState: app.WaitState{Hours: seen}}
		if look.Job == 0 { // nobody waited until now: nothing came free
			j.ID = id.New[booking.WaitJobIDKind](now)
			return tx.InsertWaitJob(&j)
		}
		before, err := tx.WaitJob(look.Workspace, look.Job)
		if errors.Is(err, fault.ErrNotFound) || err == nil && before.Hours == nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, f := range added(setup, before.Hours, seen, waiting, now, before.Due.Add(-HoursAgain)) {
			if err := tx.InsertWaitJob(&f); err != nil {
				return err
			}
		}
		return tx.UpdateWaitJob(&j)
	})
}

// hoursOf returns when the hosts work, without time off and what other calendars say, but for bookings, and when resources have
// time off.
func hoursOf(setup *catalog.Setup, now time.Time) *app.WaitHoursSeen {
	longest := time.Duration(0)
	for i := range setup.EventTypes {
		longest = max(longest, time.Duration(setup.EventTypes[i].BookingWindowDays)*when.Day)
	}
	at := now.Truncate(time.Minute)
	seen := &app.WaitHoursSeen{At: when.At(at), Until: when.At(at.Add(min(longest, hoursAhead))), Spans: map[string][]slot.Span{}, Off: map[string][]slot.Span{}}
	for i := range setup.Hosts {
		h := &setup.Hosts[i]
		if !h.Active {
			continue
		}
		req := slot.Request{Now: int64(seen.At), From: int64(seen.At), To: int64(seen.Until), Hosts: []slot.Host{h.Calendar()},
			Rules: slot.Rules{Duration: time.Minute, Step: time.Minute, Window: hoursAhead + when.Day}}
		m := slot.FindMinutes(&req)[0]
		var spans []slot.Span
		for at := int64(seen.At); ; {
			start, ok := m.Next(at)
			if !ok {
				break
			}
			end := start
			for next, open := start, true; open; next, open = end, isOpen(&m, end) {
				end = next + slot.Minute
			}
			spans, at = append(spans, slot.Span{Start: start, End: end}), end
		}
		seen.Spans[h.ID.String()] = spans
	}
	for i := range setup.Resources {
		r := &setup.Resources[i]
		var spans []slot.Span
		for _, off := range r.Away(at, seen.Until.Time()) {
			spans = append(spans, slot.Span{Start: int64(off.Start), End: min(int64(off.End), int64(seen.Until))})
		}
		if len(spans) > 0 {
			seen.Off[r.ID.String()] = slot.Merge(spans)
		}
	}
	return seen
}

func isOpen(m *slot.Minutes, at int64) bool {
	_, open := m.End(at)
	return open
}

// added returns jobs for what came free between two looks, of which the first was then, of the services for which somebody waits.
func added(setup *catalog.Setup, before, now *app.WaitHoursSeen, waiting []Entry, at time.Time, since when.Instant) (all []app.WaitJob) {
	windows := map[catalog.HostID][]time.Duration{} // of what each could do
	for i := range waiting {
		for _, e := range waiting[i].services(setup) {
			if e == nil || !e.Active {
				continue
			}
			for _, h := range e.Hosts {
				windows[h.ID] = append(windows[h.ID], time.Duration(e.BookingWindowDays)*when.Day)
			}
		}
	}
	note := func(h catalog.HostID, span slot.Span, rooms ...catalog.ResourceID) {
		j := app.WaitJob{ID: id.New[booking.WaitJobIDKind](at), Workspace: setup.Workspace.ID, Kind: app.WaitFreed, Host: h,
			Start: when.Instant(span.Start), End: when.Instant(span.End), Due: when.At(at), WaitState: app.WaitState{Since: since, Rooms: rooms}}
		if slices.ContainsFunc(waiting, func(e Entry) bool { return e.wishes(j.Start, j.End, setup.Zone) }) {
			all = append(all, j)
		}
	}
	for i := range setup.Hosts {
		h := setup.Hosts[i].ID
		if len(windows[h]) == 0 {
			continue
		}
		known := append([]slot.Span{{End: int64(now.At)}}, before.Spans[h.String()]...)
		for _, span := range now.Spans[h.String()] {
			if span.Start >= int64(before.Until) {
				continue
			}
			span.End = min(span.End, int64(before.Until))
			for _, piece := range app.Without(span, known) {
				note(h, piece)
			}
		}
		edges := map[time.Duration]bool{}
		for _, w := range windows[h] {
			if edges[w] || w > hoursAhead {
				continue
			}
			edges[w] = true
			reached := slot.Span{Start: int64(before.At.Add(w)), End: int64(now.At.Add(w))}
			for _, span := range now.Spans[h.String()] {
				if met := (slot.Span{Start: max(span.Start, reached.Start), End: min(span.End, reached.End)}); met.Start < met.End {
					note(h, met)
				}
			}
		}
	}
	for i := range setup.Resources {
		r := &setup.Resources[i]
		if !r.Active || !slices.ContainsFunc(waiting, func(e Entry) bool { return e.needs(setup, r.ID) }) {
			continue
		}
		known := append([]slot.Span{{End: int64(now.At)}}, now.Off[r.ID.String()]...)
		for _, span := range before.Off[r.ID.String()] {
			for _, piece := range app.Without(span, known) {
				for _, day := range days(piece, setup.Zone) {
					note(0, day, r.ID)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b app.WaitJob) int { return cmp.Compare(a.Start, b.Start) })
	return all[:min(len(all), mostAdded)]
}

// needs reports whether a service of the entry may need the resource.
func (e *Entry) needs(setup *catalog.Setup, r catalog.ResourceID) bool {
	return slices.ContainsFunc(e.services(setup), func(s *catalog.EventType) bool {
		if s == nil || !s.Active {
			return false
		}
		_, needed := withoutRoom(s, r)
		return needed
	})
}

// days cuts a time at the midnights of a zone: starts are looked for on a few days at a time.
func days(span slot.Span, zone *time.Location) (all []slot.Span) {
	for span.Start < span.End {
		end := min(span.End, int64(when.At(when.AddDays(when.Instant(span.Start).Time().In(zone), 1))))
		all = append(all, slot.Span{Start: span.Start, End: end})
		span.Start = end
	}
	return all
}
