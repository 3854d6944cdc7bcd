package shop

import (
	"cmp"
	"context"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Everybody stands for all hosts, including those added later, where time off is given or removed.
const Everybody = "all"

// Off is the input of GiveTimeOff. Start and End are wall-clock times such as 2026-12-28T09:00, or days, of which the
// last is included, in the zone of the host, or of the workspace if Host is Everybody.
type Off struct {
	Host       string // id, or Everybody
	Start, End string
	Reason     string
	Repeat     *catalog.Repeat // nil: it does not come again
}

// GiveTimeOff gives a host, or everybody, time off, and returns the entry. Giving time off again that doesn't repeat
// changes nothing. Errors: forbidden, not_found, bad_request.
func (s *Service) GiveTimeOff(ctx context.Context, a app.Actor, in Off) (off catalog.TimeOff, err error) {
	return s.GiveLeave(ctx, a, in.Host, in.timeOff)
}

// GiveLeave does the same as GiveTimeOff with the time off that read returns for the zone of the host, or of the
// workspace.
func (s *Service) GiveLeave(ctx context.Context, a app.Actor, host string,
	read func(*time.Location) (catalog.TimeOff, error)) (off catalog.TimeOff, err error) {
	if err := a.May(app.MaySetHours); err != nil {
		return off, err
	}
	err = s.changeTimeOff(ctx, a, host, adding(&off, read))
	return off, err
}

// adding returns a change that adds the time off which read returns, in its place, unless it doesn't repeat and is there.
func adding(off *catalog.TimeOff, read func(*time.Location) (catalog.TimeOff, error)) func(*[]catalog.TimeOff,
	*time.Location) error {
	return func(to *[]catalog.TimeOff, zone *time.Location) (err error) {
		if *off, err = read(zone); err != nil {
			return err
		}
		if slices.Contains(*to, *off) {
			return nil
		}
		*to = append(*to, *off)
		slices.SortStableFunc(*to, func(a, b catalog.TimeOff) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
		})
		return nil
	}
}

// removing returns a change that removes an entry, if there is one.
func removing(off *catalog.TimeOff) func(*[]catalog.TimeOff, *time.Location) error {
	return func(all *[]catalog.TimeOff, _ *time.Location) error {
		if i := slices.IndexFunc(*all, func(t catalog.TimeOff) bool { return t.Is(off) }); i >= 0 {
			*all = slices.Delete(*all, i, i+1)
		}
		return nil
	}
}

// TimeOff lists the time off of a host, or of everybody, and the zone of its clock. Errors: forbidden, not_found.
func (s *Service) TimeOff(a app.Actor, ref string) (all []catalog.TimeOff, zone string, err error) {
	if err := a.May(app.MaySeeHosts); err != nil {
		return nil, "", err
	}
	if ref != Everybody {
		h, err := s.Host(a, ref)
		return h.TimeOff, h.TimeZone, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return nil, "", err
	}
	return setup.Workspace.TimeOff, setup.Workspace.TimeZone, nil
}

// changeTimeOff changes the time off of a host or of everybody.
func (s *Service) changeTimeOff(ctx context.Context, a app.Actor, ref string,
	change func(*[]catalog.TimeOff, *time.Location) error) error {
	if ref == Everybody {
		_, err := s.ChangeClosures(ctx, a, func(c *catalog.Closures, zone *time.Location) error {
			return change(&c.TimeOff, zone)
		})
		return err
	}
	_, err := s.ChangeHost(ctx, a, ref, func(h *catalog.Host) error { return change(&h.TimeOff, h.Location()) })
	return err
}

// timeOff reads the input in a zone. What it says of the repetition is checked with the host or workspace.
func (in *Off) timeOff(zone *time.Location) (off catalog.TimeOff, err error) {
	if off.Start, err = catalog.WallClock("start", in.Start, zone, 0); err != nil {
		return off, err
	}
	if off.End, err = catalog.WallClock("end", in.End, zone, 1); err != nil {
		return off, err
	}
	if off.End <= off.Start {
		return off, fault.Invalid("end", "must come after the start")
	}
	off.Repeat = in.Repeat
	off.Reason, err = fault.CheckLine("reason", in.Reason, 0, catalog.MaxReason)
	return off, err
}

// AddTimeOff gives one host time off that does not repeat, and returns the host. Errors: as in GiveTimeOff.
func (s *Service) AddTimeOff(ctx context.Context, a app.Actor, ref, start, end, reason string) (catalog.Host, error) {
	if err := a.May(app.MaySetHours); err != nil {
		return catalog.Host{}, err
	}
	if _, err := s.GiveTimeOff(ctx, a, Off{Host: ref, Start: start, End: end, Reason: reason}); err != nil {
		return catalog.Host{}, err
	}
	return s.Host(a, ref)
}

// ChangeClosures changes the times in which everybody is away. Errors: forbidden, bad_request.
func (s *Service) ChangeClosures(ctx context.Context, a app.Actor,
	change func(*catalog.Closures, *time.Location) error) (c catalog.Closures, err error) {
	if err := a.May(app.MayManageHosts); err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		w := setup.Workspace
		w.TimeOff = slices.Clone(w.TimeOff)
		if err := change(&w.Closures, setup.Zone); err != nil {
			return err
		}
		if err := w.Closures.Check("workspace", setup.Zone); err != nil {
			return err
		}
		c = w.Closures
		return tx.UpdateWorkspace(&w)
	})
	return c, err
}

// RemoveTimeOff removes an entry of the time off of a host, or of everybody; if there are several equal ones, it
// removes one. It is no error if there is none. Errors: forbidden, not_found.
func (s *Service) RemoveTimeOff(ctx context.Context, a app.Actor, ref string, off catalog.TimeOff) error {
	if err := a.May(app.MaySetHours); err != nil {
		return err
	}
	return s.changeTimeOff(ctx, a, ref, removing(&off))
}

// SkipTimeOff leaves out the occurrence of a repeating entry that begins at that time. Errors: forbidden, not_found,
// bad_request (too many are left out).
func (s *Service) SkipTimeOff(
	ctx context.Context, a app.Actor, ref string, off catalog.TimeOff, at when.Instant,
) error {
	if err := a.May(app.MaySetHours); err != nil {
		return err
	}
	return s.changeTimeOff(ctx, a, ref, func(all *[]catalog.TimeOff, zone *time.Location) error {
		i := slices.IndexFunc(*all, func(t catalog.TimeOff) bool { return t.Is(&off) })
		if i < 0 || off.Repeat == nil {
			return nil
		}
		r := *(*all)[i].Repeat
		r.Except = append(slices.Clone(r.Except), at.Time().In(zone).Format(time.DateOnly))
		(*all)[i].Repeat = &r
		return nil
	})
}
