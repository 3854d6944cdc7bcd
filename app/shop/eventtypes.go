package shop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// SaveEventType creates an event type (one without an id, as the last) or changes it. A change does not affect existing
// bookings. Errors: forbidden, not_found, bad_request, conflict slug_taken.
func (s *Service) SaveEventType(ctx context.Context, a app.Actor, e catalog.EventType) (catalog.EventType, error) {
	if err := a.May(app.MayManageEventTypes); err != nil {
		return e, err
	}
	e.WorkspaceID = a.Workspace
	given := e
	err := s.Write(ctx, func(tx Tx) error {
		e = given // it may run again
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		return s.saveEventType(tx, setup, &e)
	})
	return e, err
}

func (s *Service) saveEventType(tx Tx, setup *catalog.Setup, e *catalog.EventType) error {
	save, starts := tx.UpdateEventType, 0
	if e.ID == 0 {
		if len(setup.EventTypes) >= catalog.MaxEventTypes {
			return fault.Conflictf("too_many_event_types", "A workspace has at most %d event types.", catalog.MaxEventTypes)
		}
		now := s.Core.Now()
		e.ID, e.CreatedAt = id.New[catalog.EventTypeIDKind](now), when.At(now)
		for _, other := range setup.EventTypes {
			e.Position = max(e.Position, other.Position+1)
		}
		save = tx.InsertEventType
	} else if old := setup.EventTypeByID(e.ID); old == nil {
		return fault.Missing("event type", e.ID.String())
	} else {
		e.CreatedAt, e.Position = old.CreatedAt, old.Position
		starts = old.StartsPerDay(setup, nil, old.SlotStepMinutes)
	}
	e.Link(setup)
	if err := e.Check("eventType"); err != nil {
		return err
	}
	if err := catalog.CheckPicture(tx, e.WorkspaceID, "eventType.picture", e.Picture); err != nil {
		return err
	}
	if err := setup.Workspace.CheckRedirect("eventType.redirectUrl", e.RedirectURL); err != nil {
		return err
	}
	if err := e.CheckOwn("eventType", setup.Hosts); err != nil {
		return err
	}
	if err := e.CheckNeeds("eventType", setup.Resources, setup.Hosts); err != nil {
		return err
	}
	if err := e.CheckRequires("eventType", &setup.Workspace); err != nil {
		return err
	}
	if err := e.CheckSize("eventType.slotStepMinutes", setup, nil, starts); err != nil {
		return err
	}
	if err := save(e); errors.Is(err, fault.ErrTaken) {
		return fault.New(fault.Conflict, "slug_taken", "Another event type has this address; choose another one.").At("eventType.slug")
	} else if err != nil {
		return err
	}
	return nil
}

// ChangeEventType changes an event type as it is in the same transaction, so that two people who change different parts
// of it don't overwrite each other. With "" it makes a new one, with the default rules, as the last. Errors: forbidden,
// not_found, bad_request, conflict slug_taken and those of change.
func (s *Service) ChangeEventType(ctx context.Context, a app.Actor, ref string,
	change func(*catalog.Setup, *catalog.EventType) error) (e catalog.EventType, err error) {
	if err := a.May(app.MayManageEventTypes); err != nil {
		return e, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		e = catalog.NewEventType()
		e.WorkspaceID = a.Workspace
		if ref != "" {
			found := setup.EventType(ref)
			if found == nil {
				return fault.Missing("event type", ref)
			}
			e = *found
		}
		if err := change(setup, &e); err != nil {
			return err
		}
		return s.saveEventType(tx, setup, &e)
	})
	return e, err
}

// withEventType runs do in a transaction with the event type that ref, an id or a slug, names. Errors: forbidden,
// not_found and those of do.
func (s *Service) withEventType(ctx context.Context, a app.Actor, ref string,
	do func(tx Tx, setup *catalog.Setup, e *catalog.EventType) error) error {
	if err := a.May(app.MayManageEventTypes); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		e := setup.EventType(ref)
		if e == nil {
			return fault.Missing("event type", ref)
		}
		return do(tx, setup, e)
	})
}

// CopyEventType makes a copy of an event type, switched off, so that it can be changed before anybody books it. Errors:
// forbidden, not_found.
func (s *Service) CopyEventType(ctx context.Context, a app.Actor, ref string) (e catalog.EventType, err error) {
	err = s.withEventType(ctx, a, ref, func(tx Tx, setup *catalog.Setup, from *catalog.EventType) error {
		e = *from
		e.ID, e.Active, e.Hosts, e.Questions = 0, false, slices.Clone(from.Hosts), slices.Clone(from.Questions)
		if r := []rune(e.Title + " (copy)"); len(r) <= catalog.EventTypeFields.Field("title").Most {
			e.Title = string(r)
		}
		base := from.Slug[:min(len(from.Slug), 34)]
		for n := 1; ; n++ {
			if e.Slug = fmt.Sprintf("%s-copy", base); n > 1 {
				e.Slug = fmt.Sprintf("%s-%d", base, n)
			}
			if setup.EventType(e.Slug) == nil {
				break
			}
		}
		return s.saveEventType(tx, setup, &e)
	})
	return e, err
}

// MoveEventType moves an event type among those of its category, down by so many places, or up if by is negative.
// Errors: forbidden, not_found.
func (s *Service) MoveEventType(ctx context.Context, a app.Actor, ref string, by int) error {
	return s.withEventType(ctx, a, ref, func(tx Tx, setup *catalog.Setup, e *catalog.EventType) error {
		menu := setup.Menu()
		for _, part := range menu {
			if part[0].Category == e.Category {
				moveBy(part, slices.IndexFunc(part, func(o *catalog.EventType) bool { return o.ID == e.ID }), by)
			}
		}
		return order(tx, menu)
	})
}

// MoveCategory moves the category that an event type stands under among the others, down by so many places, or up if by
// is negative. What has none stays the last. Errors: forbidden, not_found.
func (s *Service) MoveCategory(ctx context.Context, a app.Actor, ref string, by int) error {
	return s.withEventType(ctx, a, ref, func(tx Tx, setup *catalog.Setup, e *catalog.EventType) error {
		menu := setup.Menu()
		named := menu
		if last := len(menu) - 1; menu[last][0].Category == "" {
			named = menu[:last]
		}
		if at := slices.IndexFunc(named, func(part []*catalog.EventType) bool { return part[0].Category == e.Category }); at >= 0 {
			moveBy(named, at, by)
		}
		return order(tx, menu)
	})
}

// moveBy moves what is at a place by so many others, at most to an end.
func moveBy[E any](all []E, at, by int) {
	moved, to := all[at], min(max(at+by, 0), len(all)-1)
	if to > at {
		copy(all[at:to], all[at+1:to+1])
	} else {
		copy(all[to+1:at+1], all[to:at])
	}
	all[to] = moved
}

// order saves that the event types come in that order.
func order(tx Tx, menu [][]*catalog.EventType) error {
	for position, e := range slices.Concat(menu...) {
		if e.Position == position {
			continue
		}
		changed := *e // the set-up is shared
		changed.Position = position
		if err := tx.UpdateEventType(&changed); err != nil {
			return err
		}
	}
	return nil
}

// SwitchEventType sets whether an event type can be booked, if all checks, which get it as it is, return nil. Errors:
// forbidden, not_found and those of checks.
func (s *Service) SwitchEventType(ctx context.Context, a app.Actor, ref string, active bool,
	checks ...func(*catalog.EventType) error) (e catalog.EventType, err error) {
	err = s.withEventType(ctx, a, ref, func(tx Tx, _ *catalog.Setup, found *catalog.EventType) error {
		if err := fault.Agree(found, checks); err != nil {
			return err
		}
		e = *found
		e.Active = active
		return tx.UpdateEventType(&e)
	})
	return e, err
}
