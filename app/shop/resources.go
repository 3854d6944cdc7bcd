package shop

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// AddResource adds a resource. Errors: forbidden, bad_request, conflict name_taken or too_many_resources.
func (s *Service) AddResource(ctx context.Context, a app.Actor, r catalog.Resource) (catalog.Resource, error) {
	all, err := s.AddResources(ctx, a, r, 1)
	if err != nil {
		return r, err
	}
	return all[0], nil
}

// AddResources adds so many resources like r, numbered by their names: "Basin 1", "Basin 2". Numbers that other
// resources have already are left out; one alone has no number. It adds all or none. Errors: those of AddResource.
func (s *Service) AddResources(ctx context.Context, a app.Actor, r catalog.Resource, count int) (
	all []catalog.Resource, err error) {
	if err := a.May(app.MayManageHosts); err != nil {
		return nil, err
	}
	if count < 1 || count > MaxAlike {
		return nil, fault.Invalid("count", "must lie between %d and %d", 1, MaxAlike)
	}
	err = s.Write(ctx, func(tx Tx) error {
		all = nil // it may run again
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		next := 1
		for len(all) < count {
			one := r
			if count > 1 {
				one.Name = freeName(setup, strings.TrimSpace(r.Name), &next)
			}
			if err := s.insertResource(tx, a, setup, &one); err != nil {
				return err
			}
			all = append(all, one)
			setup.Resources = append(slices.Clone(setup.Resources), one)
		}
		return nil
	})
	return all, err
}

// MaxAlike is how many resources are added at once.
const MaxAlike = 50

// freeName returns the name with the first number from next on that no resource has; "" stays.
func freeName(setup *catalog.Setup, name string, next *int) string {
	if name == "" {
		return ""
	}
	for {
		numbered := name + " " + strconv.Itoa(*next)
		*next++
		if !slices.ContainsFunc(setup.Resources, func(r catalog.Resource) bool { return catalog.ResourceKey(r.Name) == catalog.ResourceKey(numbered) }) {
			return numbered
		}
	}
}

// insertResource adds a resource to the workspace.
func (s *Service) insertResource(tx Tx, a app.Actor, setup *catalog.Setup, r *catalog.Resource) error {
	if len(setup.Resources) >= catalog.MaxResources {
		return fault.Conflictf("too_many_resources", "A workspace has at most %d resources.", catalog.MaxResources)
	}
	now := s.Core.Now()
	r.ID, r.WorkspaceID, r.CreatedAt, r.Active = id.New[catalog.ResourceIDKind](now), a.Workspace, when.At(now), true
	if err := checkResource(setup, r, nil); err != nil {
		return err
	}
	if err := resourceTaken(tx.InsertResource(r), r.Name); err != nil {
		return err
	}
	return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ResourceCreated, Subject: r.ID.String()})
}

// ChangeResource changes a resource as it is in the same transaction, so that two people who change different parts of
// it don't overwrite each other. Errors: forbidden, not_found, bad_request, conflict name_taken and those of change.
func (s *Service) ChangeResource(ctx context.Context, a app.Actor, ref string,
	change func(*catalog.Resource) error) (r catalog.Resource, err error) {
	if err := a.May(app.MayManageHosts); err != nil {
		return r, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		old, err := resourceOf(setup, ref)
		if err != nil {
			return err
		}
		r = *old
		r.Overrides, r.TimeOff = slices.Clone(old.Overrides), slices.Clone(old.TimeOff)
		if err := change(&r); err != nil {
			return err
		}
		if r.TimeZone != old.TimeZone && slices.Equal(r.TimeOff, old.TimeOff) { // else it was given on the new clock
			was, err := catalog.CheckZone("timeZone", old.TimeZone)
			if err != nil {
				return err
			}
			zone, err := catalog.CheckZone("timeZone", r.TimeZone)
			if err != nil {
				return err
			}
			r.TimeOff = catalog.TimeOffOnNewClock(r.TimeOff, was, zone)
		}
		r.ID, r.WorkspaceID, r.CreatedAt = old.ID, a.Workspace, old.CreatedAt
		if err := checkResource(setup, &r, old); err != nil {
			return err
		}
		if err := resourceTaken(tx.UpdateResource(&r), r.Name); err != nil {
			return err
		}
		return s.noteResource(tx, a, old, &r)
	})
	return r, err
}

// SwitchResource sets whether new bookings take a resource, if all checks, which get it as it is, return nil. Existing
// bookings keep it. Errors: forbidden, not_found and those of checks.
func (s *Service) SwitchResource(ctx context.Context, a app.Actor, ref string, active bool,
	checks ...func(*catalog.Resource) error) (catalog.Resource, error) {
	return s.ChangeResource(ctx, a, ref, func(r *catalog.Resource) error {
		err := fault.Agree(r, checks)
		r.Active = active
		return err
	})
}

// GiveResourceTimeOff adds a time in which a resource can't be used, on the clock of its zone, and returns the entry; in.Host
// is ignored. The same again that doesn't repeat changes nothing. Errors: forbidden, not_found, bad_request.
func (s *Service) GiveResourceTimeOff(ctx context.Context, a app.Actor, ref string, in Off) (off catalog.TimeOff, err error) {
	err = s.changeResourceTimeOff(ctx, a, ref, adding(&off, in.timeOff))
	return off, err
}

// RemoveResourceTimeOff removes such a time; if there are several equal ones, it removes one. It is no error if there is
// none. Errors: forbidden, not_found.
func (s *Service) RemoveResourceTimeOff(ctx context.Context, a app.Actor, ref string, off catalog.TimeOff) error {
	return s.changeResourceTimeOff(ctx, a, ref, removing(&off))
}

func (s *Service) changeResourceTimeOff(ctx context.Context, a app.Actor, ref string,
	change func(*[]catalog.TimeOff, *time.Location) error) error {
	_, err := s.ChangeResource(ctx, a, ref, func(r *catalog.Resource) error {
		zone, err := catalog.CheckZone("timeZone", r.TimeZone)
		if err != nil {
			return err
		}
		return change(&r.TimeOff, zone)
	})
	return err
}

// noteResource logs the names of the fields that differ, if there are any.
func (s *Service) noteResource(tx Tx, a app.Actor, old, r *catalog.Resource) error {
	fields, err := audit.Changed("", old, r)
	if err != nil || len(fields) == 0 {
		return err
	}
	e := audit.Entry{Action: audit.ResourceChanged, Subject: r.ID.String(), Fields: fields}
	if old.Active && !r.Active {
		e.Action = audit.ResourceRetired
	}
	return audit.Note(tx, s.Now(), a, e)
}

// checkResource checks a resource that replaces old, or is new if old is nil.
func checkResource(setup *catalog.Setup, r, old *catalog.Resource) error {
	if err := r.Check("resource", setup.Zone); err != nil {
		return err
	}
	return r.CheckNights("resource", old)
}

func resourceTaken(err error, name string) error {
	if errors.Is(err, fault.ErrTaken) {
		return fault.New(fault.Conflict, "name_taken", "There is a resource %s already.", name).At("resource.name")
	}
	return err
}

func resourceOf(setup *catalog.Setup, ref string) (*catalog.Resource, error) {
	id, err := id.Parse[catalog.ResourceIDKind](ref)
	if r := setup.Resource(id); err == nil && r != nil {
		return r, nil
	}
	return nil, fault.Missing("resource", ref)
}

// Resource returns one resource. Errors: forbidden, not_found.
func (s *Service) Resource(a app.Actor, ref string) (catalog.Resource, error) {
	if err := a.May(app.MaySeeHosts); err != nil {
		return catalog.Resource{}, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return catalog.Resource{}, err
	}
	r, err := resourceOf(setup, ref)
	if err != nil {
		return catalog.Resource{}, err
	}
	return *r, nil
}

// Resources returns all resources, by id; staff see all of them. Errors: forbidden.
func (s *Service) Resources(a app.Actor) ([]catalog.Resource, error) {
	if err := a.May(app.MaySeeHosts); err != nil {
		return nil, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	return slices.Clone(setup.Resources), nil
}
