package calsync

import (
	"context"
	"slices"
)

// unknown reports whether calendars that are to block aren't known yet.
func (c *Connection) unknown() bool {
	if c.Listed == nil || !c.Listed.Wanted {
		return false
	}
	return len(c.Calendars) == 0 || slices.ContainsFunc(c.Listed.Blocks, func(name string) bool {
		return !slices.ContainsFunc(c.Calendars, func(k Calendar) bool { return k.Name == name })
	})
}

// discover asks for the calendars of a connection that a set-up file lists, and chooses those that it names. c becomes
// what is then stored. The first error is the source's, or ErrMisnamed; the second the database's.
func (s *Service) discover(ctx, within context.Context, source Source, c *Connection) (problem, err error) {
	found, problem := source.Calendars(within)
	if problem != nil {
		return problem, nil
	}
	return problem, s.Quietly(ctx, func(tx Tx) error {
		problem = nil // of an attempt before
		if _, err := tx.LockTaken(c.WorkspaceID, c.Locks()); err != nil {
			return err
		}
		now, err := tx.CalendarConnection(c.WorkspaceID, c.ID)
		if err != nil || now.Listed == nil || !now.Listed.Wanted {
			return ignoreMissing(err)
		}
		for _, r := range found {
			if slices.ContainsFunc(now.Calendars, func(k Calendar) bool { return k.Remote == r.ID }) {
				continue
			}
			k := newCalendar(&now, r, s.Now())
			if err := tx.InsertCalendar(&k); err != nil {
				return err
			}
			now.Calendars = append(now.Calendars, k)
		}
		done, err := s.ChooseListed(tx, &now)
		if !done {
			problem = ErrMisnamed
		}
		c.Calendars, c.Listed = now.Calendars, now.Listed
		return err
	})
}

// ChooseListed chooses the calendars of a connection that a set-up file names, in a transaction that has locked the
// owner, and saves Listed. It reports whether all were found; the others are looked for again at each reading.
func (s *Service) ChooseListed(tx Tx, c *Connection) (done bool, err error) {
	l := c.Listed
	done = len(c.Calendars) > 0 && !c.unknown()
	targeted := l.Target == ""
	chosen := map[CalendarID]Choice{}
	for _, k := range c.Calendars {
		in := Choice{Blocks: slices.Contains(l.Blocks, k.Name)}
		if l.Blocks == nil {
			in.Blocks = !k.ReadOnly || c.Kind == ICS
		}
		if !targeted && k.Name == l.Target && !k.ReadOnly {
			targeted, in.Target, in.Details = true, true, l.Details
		}
		chosen[k.ID] = in
	}
	done = done && targeted
	l.Wanted = !done
	if err := s.choose(tx, c, chosen); err != nil {
		return done, err
	}
	return done, tx.SetCalendarListed(c.ID, l)
}
