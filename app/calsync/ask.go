package calsync

import (
	"context"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/when"
)

const (
	freshFor = time.Minute     // what was read less long ago is not asked for again before a booking
	askTime  = 2 * time.Second // that a booking waits for it
)

// asking is a reading that bookings wait for.
type asking struct {
	at   when.Instant
	done chan struct{} // closed at its end
}

// Ask implements availability.Calendars. A connection is asked once a minute, however many wait for it. A calendar is
// known if it has been read within the last minute. A host or resource with a blocking calendar that is not known can be
// booked only if its WhenCalendarUnknown says so.
func (s *Service) Ask(ctx context.Context, all []availability.Asked) (unknown []catalog.CalendarOwner, err error) {
	stale, err := s.stale(ctx, all)
	if err != nil || len(stale) == 0 {
		return nil, err
	}
	wait := time.NewTimer(askTime)
	defer wait.Stop()
	var ends []<-chan struct{}
	for _, c := range stale {
		ends = append(ends, s.ask(ctx, c.ID))
	}
	for _, end := range ends {
		select {
		case <-end:
		case <-wait.C:
			wait.Reset(0) // nor wait for the others
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if stale, err = s.stale(ctx, all); err != nil {
		return nil, err
	}
	for _, a := range all {
		if a.Refuses && slices.ContainsFunc(stale, func(c Connection) bool { return c.CalendarOwner == a.CalendarOwner }) {
			unknown = append(unknown, a.CalendarOwner)
		}
	}
	return unknown, nil
}

// stale returns the connections of these with a blocking calendar that wasn't read within the last minute.
func (s *Service) stale(ctx context.Context, of []availability.Asked) (all []Connection, err error) {
	now := when.At(s.Now())
	for _, a := range of {
		found, err := s.Reader(ctx).CalendarConnections(a.Workspace, a.CalendarOwner)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if c.older(now.Add(-freshFor), now) {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// ask begins to read the connection, unless that was done within the last minute, and returns what is closed at its
// end. The reading goes on when the caller doesn't wait any longer.
func (s *Service) ask(ctx context.Context, c ConnectionID) <-chan struct{} {
	now := when.At(s.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.asked[c]; a != nil && now < a.at.Add(freshFor) && now >= a.at {
		return a.done
	}
	for other, a := range s.asked {
		if now >= a.at.Add(freshFor) {
			delete(s.asked, other)
		}
	}
	a := &asking{now, make(chan struct{})}
	s.asked[c] = a
	go func() {
		defer close(a.done)
		if err := s.read(context.WithoutCancel(ctx), c, now.Add(-freshFor), readTime); err != nil {
			s.Core.Log().Error("a calendar could not be read", "connection", c, "error", err)
		}
	}()
	return a.done
}
