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
	"daybook/app/slot"
	"daybook/app/when"
)

// ChangeHost changes a host as it is in the same transaction, so that two people who change different parts of it don't
// overwrite each other. Staff can only change the hours and the zone of their own host. Errors: forbidden,
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
		if h.TimeZone != old.TimeZone && slices.Equal(h.TimeOff, old.TimeOff) { // else it was given on the new clock
			zone, err := catalog.CheckZone("timeZone", h.TimeZone)
			if err != nil {
				return err
			}
			h.TimeOff = catalog.TimeOffOnNewClock(h.TimeOff, old.Location(), zone)
		}
		return updateHost(tx, a, setup, old, &h)
	})
	return h, err
}

// SwitchHost sets whether a host can be booked, if all checks, which get it as it is, return nil. Existing bookings
// stay. Errors: forbidden, not_found and those of checks.
func (s *Service) SwitchHost(ctx context.Context, a app.Actor, ref string, active bool,
	checks ...func(*catalog.Host) error) (catalog.Host, error) {
	if err := a.May(app.MayManageHosts); err != nil {
		return catalog.Host{}, err
	}
	return s.ChangeHost(ctx, a, ref, func(h *catalog.Host) error {
		err := fault.Agree(h, checks)
		h.Active = active
		return err
	})
}

// maxOverrideDays is the most days that one call of SetOverride sets.
const maxOverrideDays = 366

// SetOverride gives the days from first to last other hours than the weekly ones: an empty list closes the days, nil
// restores the weekly hours. Errors: forbidden, not_found, bad_request.
func (s *Service) SetOverride(ctx context.Context, a app.Actor, ref, first, last string,
	hours []string) (catalog.Host, error) {
	if err := a.May(app.MaySetHours); err != nil {
		return catalog.Host{}, err
	}
	var p fault.Problems
	from, err := slot.ParseDate(strings.TrimSpace(first))
	if err != nil {
		p.Add(fault.Invalid("date", "%v", err))
	}
	to := from
	if last = strings.TrimSpace(last); last != "" {
		if to, err = slot.ParseDate(last); err != nil {
			p.Add(fault.Invalid("until", "%v", err))
		}
	}
	days := daysBetween(from, to)
	if p == nil && (len(days) == 0 || len(days) > maxOverrideDays) {
		p.Add(fault.Invalid("until", "must be the first day or one of the %d after it", maxOverrideDays-1))
	}
	_, err = catalog.ParseDay("hours", hours)
	p.Add(err)
	if err := p.Err(); err != nil {
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

// daysBetween returns the days from one to another, both included. There are none if they are in the wrong order, and
// one too many if there are more than an override may have.
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

// ExplainedTime is a time on the day's grid: open (Reason ""), or closed with the reason.
type ExplainedTime struct {
	Start, End when.Instant
	Reason     slot.Reason
	Holiday    string // the public holiday that it is time off for, or ""
	Things     bool   // the reason is of rooms or things that it needs
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

// ExplainDay returns which times of a day are open, and why the others are not. day is a date in the host's zone.
// Errors: bad_request (the day, or a host who does not serve the event type or is switched off), not_found.
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
	d, err := when.ParseDay(day, zone)
	if err != nil {
		return x, fault.Invalid("date", "must be a day such as 2026-12-28")
	}
	x.Hours, x.Override = x.Host.DayHours(d)
	end := when.AddDays(d, 1)
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
			x.Times = append(x.Times, ExplainedTime{Start: o.Start, End: o.End, Reason: slot.Open})
		}
		for _, c := range v.Closed() {
			if !closed[c.Start] {
				closed[c.Start] = true
				x.Times = append(x.Times, ExplainedTime{c.Start, c.End, c.Reason, c.Holiday, len(c.Resources) > 0})
			}
		}
		if in.Cursor = v.NextCursor; in.Cursor == "" {
			break
		}
	}
	slices.SortFunc(x.Times, func(a, b ExplainedTime) int { return cmp.Compare(a.Start, b.Start) })
	return x, nil
}
