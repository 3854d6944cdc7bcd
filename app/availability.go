package app

import (
	"context"

	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Availability returns the open starts in [from, to), earliest first. A search that costs too much stops early: the
// next page continues from there, and SearchedUntil says how far the search for the next open start got. Errors:
// bad_request, not_found (event type, host or booking), unavailable (too many searches at once), forbidden (an event
// type that is switched off, for actors who may not waive that).
func (s *Service) Availability(ctx context.Context, a Actor, in availability.Input) (*availability.Result, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, err
	}
	if in.SwitchedOff {
		if err := a.May(MayWaive); err != nil {
			return nil, err
		}
	}
	q, err := s.search(ctx, a, in)
	if err != nil {
		return nil, err
	}
	return q.Result(ctx, s.Reader(ctx))
}

// search prepares a search in the actor's workspace.
func (s *Service) search(ctx context.Context, a Actor, in availability.Input) (*availability.Search, error) {
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, err
	}
	if in.Spoken {
		if err := a.understand(setup, &in.Host, &in.EventType, &in.TimeZone); err != nil {
			return nil, err
		}
		if e := setup.EventType(in.EventType); e != nil {
			in.Choice.AddOns = e.AddOnsNamed(in.Choice.AddOns)
		}
	}
	if e := setup.EventType(in.EventType); e != nil && !a.SeesEventType(e) {
		return nil, fault.Missing("event type", in.EventType)
	}
	if in.Host != "" {
		if in.Host, err = a.NamedHost(setup, in.Host); err != nil {
			return nil, err
		}
	}
	if in.ExcludeBooking != "" { // its time would show as one that is free
		if _, err := s.Find(ctx, a, in.ExcludeBooking); err != nil {
			return nil, err
		}
	}
	q, err := availability.New(s.Reader(ctx), setup, s.clock(), &s.searches, in)
	if err == nil {
		q.Naming(a.Limits.SeesHost)
	}
	return q, err
}

// OpenTimes returns all open starts in [From, To), earliest first: Availability without pages, for a whole month at
// once. stopped is not zero if the search became too expensive: open then holds the starts before stopped. Errors:
// bad_request (To), not_found (event type, booking), unavailable.
func (s *Service) OpenTimes(ctx context.Context, a Actor,
	in availability.OpenTimesInput) (open []availability.OpenTime, stopped when.Instant, err error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, 0, err
	}
	q, err := s.openSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	return q.OpenTimes(ctx, s.Reader(ctx), in.From, in.To)
}

// NextOpenTimes returns the first n open starts at or after From, up to the end of the booking window. stopped is the
// same as in OpenTimes. Errors: not_found, unavailable.
func (s *Service) NextOpenTimes(ctx context.Context, a Actor, in availability.OpenTimesInput,
	n int) (open []availability.OpenTime, stopped when.Instant, err error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, 0, err
	}
	q, err := s.openSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	return q.NextOpenTimes(ctx, s.Reader(ctx), in.From, n)
}

func (s *Service) openSearch(ctx context.Context, a Actor,
	in availability.OpenTimesInput) (*availability.Search, error) {
	asked := availability.Input{EventType: in.EventType, Host: in.Host, Choice: in.Choice}
	if in.Exclude != 0 {
		asked.ExcludeBooking = in.Exclude.String()
	}
	if in.Setup != nil {
		return availability.New(s.Reader(ctx), in.Setup, s.clock(), &s.searches, asked)
	}
	return s.search(ctx, a, asked)
}

// EventType returns one event type, by its slug or id. The error is not_found.
func (s *Service) EventType(a Actor, ref string) (catalog.EventType, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return catalog.EventType{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return catalog.EventType{}, err
	}
	e := setup.EventType(ref)
	if e == nil || !a.SeesEventType(e) {
		return catalog.EventType{}, fault.Missing("event type", ref)
	}
	return *e, nil
}

// EventTypes lists the event types in the owner's order, after the cursor.
func (s *Service) EventTypes(a Actor, limit *int, after string) (fault.Page[catalog.EventType], error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	return setup.EventTypePage(limit, after, a.SeesEventType)
}

// SetCalendars sets the Service's Calendars. It must be called before the Service is used.
func (s *Service) SetCalendars(c availability.Calendars) { s.calendars = c }

// AskCalendars reads the other calendars of the hosts who may take a booking, and of the resources, before the transaction
// that books, moves or edits it, and returns those whose calendars could not be read, for Change.Unknown. host is an id, or "" for
// every host of the event type. Names that don't exist are no error here; the transaction finds them.
func (s *Service) AskCalendars(ctx context.Context, a Actor, eventType, host string) ([]catalog.CalendarOwner, error) {
	setup, err := s.cachedSetup(a.Workspace)
	if err != nil || s.tx != nil || !availability.Connected(setup) {
		return nil, err
	}
	return availability.Ask(ctx, s.calendars, setup, eventType, host)
}

// askToMove is AskCalendars for a booking that is to be moved.
func (s *Service) askToMove(ctx context.Context, a Actor, id, host string) ([]catalog.CalendarOwner, error) {
	setup, err := s.cachedSetup(a.Workspace)
	if err != nil || s.tx != nil || !availability.Connected(setup) {
		return nil, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return nil, nil // the move is refused for it
	}
	if host == "" && b.HostNamed {
		host = b.Host.ID.String()
	}
	return s.AskCalendars(ctx, a, b.EventTypeID.String(), host)
}
