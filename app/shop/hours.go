package shop

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/slot"
	"daybook/app/when"
)

// ChangeHost changes a host as it is in the same transaction, so that two people who change different parts of it don't
// overwrite each other. Staff can only change the hours and the zone of the host that they are. Errors: forbidden,
// not_found, bad_request, conflict email_taken.
func (s *Service) ChangeHost(ctx context.Context, a app.Actor, ref string,
	change func(*catalog.Host) error) (h catalog.Host, err error) {
	if err := a.May(app.MaySetHours); err != nil {
		return h, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		id, err := id.Parse[catalog.HostIDKind](ref)
		old := setup.Host(id)
		if err != nil || old == nil || !a.Sees(id) {
			return fault.Missing("host", ref)
		}
		h = *old
		h.Overrides, h.TimeOff = slices.Clone(old.Overrides), slices.Clone(old.TimeOff)
		if err := change(&h); err != nil {
			return err
		}
		return updateHost(tx, a, setup, old, &h)
	})
	return h, err
}

// SwitchHost sets whether a host can be booked. Existing bookings stay. Errors: forbidden, not_found.
func (s *Service) SwitchHost(ctx context.Context, a app.Actor, ref string, active bool) (catalog.Host, error) {
	if err := a.May(app.MayManageHosts); err != nil {
		return catalog.Host{}, err
	}
	return s.ChangeHost(ctx, a, ref, func(h *catalog.Host) error { h.Active = active; return nil })
}

// maxOverrideDays is the most days that one call of SetOverride sets.
const maxOverrideDays = 366

// SetOverride gives the days from first to last other hours than the weekly ones: an empty list closes them, nil gives
// them the weekly hours back. Errors: forbidden, not_found, bad_request.
func (s *Service) SetOverride(ctx context.Context, a app.Actor, ref, first, last string,
	hours []string) (catalog.Host, error) {
	if err := a.May(app.MaySetHours); err != nil {
		return catalog.Host{}, err
	}
	from, err := slot.ParseDate(strings.TrimSpace(first))
	if err != nil {
		return catalog.Host{}, fault.Invalid("date", "%v", err)
	}
	to := from
	if last = strings.TrimSpace(last); last != "" {
		if to, err = slot.ParseDate(last); err != nil {
			return catalog.Host{}, fault.Invalid("until", "%v", err)
		}
	}
	days := daysBetween(from, to)
	if len(days) == 0 || len(days) > maxOverrideDays {
		return catalog.Host{}, fault.Invalid("until", "must be the first day or one of the %d after it", maxOverrideDays-1)
	}
	if _, err := catalog.ParseDay("hours", hours); err != nil {
		return catalog.Host{}, err
	}
	return s.ChangeHost(ctx, a, ref, func(h *catalog.Host) error {
		h.Overrides = slices.DeleteFunc(h.Overrides, func(o catalog.Override) bool { return slices.Contains(days, o.Date) })
		if hours != nil {
			for _, day := range days {
				h.Overrides = append(h.Overrides, catalog.Override{Date: day, Hours: hours})
			}
		}
		slices.SortFunc(h.Overrides, func(a, b catalog.Override) int { return cmp.Compare(a.Date, b.Date) })
		return nil
	})
}

// daysBetween are the days from one to another, both included. There are none if they are in the wrong order, and one
// too many if there are more than an override may have.
func daysBetween(from, to slot.Date) (days []string) {
	end := to.String()
	for d := time.Date(from.Year, time.Month(from.Month), from.Day, 0, 0, 0, 0,
		time.UTC); len(days) <= maxOverrideDays; d = d.AddDate(0, 0, 1) {
		day := d.Format(time.DateOnly)
		if day > end {
			break
		}
		days = append(days, day)
	}
	return days
}

// AddTimeOff adds time off to a host. start and end are wall-clock times in the host's zone such as 2026-12-28T09:00,
// or days, of which the last is included. Errors: forbidden, not_found, bad_request.
func (s *Service) AddTimeOff(ctx context.Context, a app.Actor, ref, start, end, reason string) (catalog.Host, error) {
	if err := a.May(app.MaySetHours); err != nil {
		return catalog.Host{}, err
	}
	return s.ChangeHost(ctx, a, ref, func(h *catalog.Host) error {
		from, err := catalog.WallClock("start", start, h.Location(), 0)
		if err != nil {
			return err
		}
		to, err := catalog.WallClock("end", end, h.Location(), 1)
		if err != nil {
			return err
		}
		if to <= from {
			return fault.Invalid("end", "must come after the start")
		}
		if reason, err = fault.CheckLine("reason", reason, 0, catalog.MaxAwayReason); err != nil {
			return err
		}
		h.TimeOff = append(h.TimeOff, catalog.TimeOff{Start: from, End: to, Reason: reason})
		slices.SortFunc(h.TimeOff, func(a, b catalog.TimeOff) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
		})
		return nil
	})
}

// InTimeOff lists the host's live bookings that overlap the time off and are not over, the earliest first, at most
// limit. Errors: forbidden, not_found (a host whom the actor can't see).
func (s *Service) InTimeOff(
	ctx context.Context, a app.Actor, host catalog.HostID, t catalog.TimeOff, limit int,
) ([]record.Booking, error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	if setup.Host(host) == nil || !a.Sees(host) {
		return nil, fault.Missing("host", host.String())
	}
	all, err := s.Reader(ctx).Bookings(a.Workspace, record.BookingFilter{
		Host: host, EndsAfter: max(t.Start, when.At(s.Core.Now())), To: t.End, LongestLookup: setup.Workspace.LongestBooking,
		Statuses: record.LiveStatuses, Limit: limit,
	})
	for i := range all {
		s.Core.Present(setup, a, &all[i])
	}
	return all, err
}

// RemoveTimeOff removes the time off of exactly that span. The errors are those of ChangeHost; time off that does not
// exist is no error.
func (s *Service) RemoveTimeOff(ctx context.Context, a app.Actor, ref string,
	start, end when.Instant) (catalog.Host, error) {
	if err := a.May(app.MaySetHours); err != nil {
		return catalog.Host{}, err
	}
	return s.ChangeHost(ctx, a, ref, func(h *catalog.Host) error {
		h.TimeOff = slices.DeleteFunc(h.TimeOff, func(t catalog.TimeOff) bool { return t.Start == start && t.End == end })
		return nil
	})
}

// ExplainedTime is a time on the day's grid: open (Reason ""), or closed and why.
type ExplainedTime struct {
	Start, End when.Instant
	Reason     slot.Reason
}

// ExplainedDay says for one event type, host and day which times are open, and why the others are not.
type ExplainedDay struct {
	Host      catalog.Host
	EventType catalog.EventType
	Times     []ExplainedTime
	Hours     []string // of that day
	Override  bool     // the hours are an override for that day
	Past      bool     // the day is over
}

// ExplainDay answers "why is this time closed?". day is a date in the host's zone. Errors: bad_request (the day, or a
// host who does not serve the event type or is switched off), not_found.
func (s *Service) ExplainDay(ctx context.Context, a app.Actor,
	eventType, host, day string) (x ExplainedDay, err error) {
	if err := a.May(app.MaySeeHosts); err != nil {
		return x, err
	}
	if x.Host, err = s.Host(a, host); err != nil {
		return x, err
	}
	if x.EventType, err = s.Core.EventType(a, eventType); err != nil {
		return x, err
	}
	zone := x.Host.Location()
	d, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		return x, fault.Invalid("date", "must be a day such as 2026-12-28")
	}
	x.Hours, x.Override = x.Host.DayHours(d)
	end := time.Date(d.Year(), d.Month(), d.Day()+1, 0, 0, 0, 0, zone)
	if x.Past = !end.After(s.Core.Now()); x.Past {
		return x, nil
	}
	limit := fault.MaxPage
	in := availability.Input{EventType: eventType, Host: host, From: when.At(d).String(), To: when.At(end).String(),
		TimeZone: zone.String(), Limit: &limit, Explain: true}
	closed := map[when.Instant]bool{}
	for range 15 { // a day has at most 1440 starts
		v, err := s.Core.Availability(ctx, a, in)
		if err != nil {
			return x, err
		}
		for _, o := range v.Slots() {
			x.Times = append(x.Times, ExplainedTime{o.Start, o.End, slot.Open})
		}
		for _, c := range v.Closed() {
			if !closed[c.Start] {
				closed[c.Start] = true
				x.Times = append(x.Times, ExplainedTime{c.Start, c.End, c.Reason})
			}
		}
		if in.Cursor = v.NextCursor; in.Cursor == "" {
			break
		}
	}
	slices.SortFunc(x.Times, func(a, b ExplainedTime) int { return cmp.Compare(a.Start, b.Start) })
	return x, nil
}
