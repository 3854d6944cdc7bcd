package shop

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// SaveHost creates a host (one without an id) or changes it: name, e-mail, zone, hours and whether it is active. Staff
// can only change the hours of their own host. Errors: forbidden, not_found, bad_request, conflict email_taken.
func (s *Service) SaveHost(ctx context.Context, a app.Actor, h catalog.Host) (catalog.Host, error) {
	if err := a.May(app.MaySetHours); err != nil {
		return h, err
	}
	if !a.Sees(h.ID) || h.ID == 0 && a.Own() {
		return h, a.May(app.MayManageHosts)
	}
	h.WorkspaceID = a.Workspace
	given := h
	err := s.Write(ctx, func(tx Tx) error {
		h = given // it may run again
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		if h.ID == 0 {
			if len(setup.Hosts) >= catalog.MaxHosts {
				return fault.Conflictf("too_many_hosts", "A workspace has at most %d hosts.", catalog.MaxHosts)
			}
			now := s.Core.Now()
			h.ID, h.CreatedAt, h.Active = id.New[catalog.HostIDKind](now), when.At(now), true
			if err := h.CheckChange("host", nil); err != nil {
				return err
			}
			if err := h.CheckTerms("host", setup.EventTypes); err != nil {
				return err
			}
			if err := catalog.CheckPicture(tx, a.Workspace, "host.picture", h.Picture); err != nil {
				return err
			}
			return hostTaken(tx.InsertHost(&h), h.Email)
		}
		old := setup.Host(h.ID)
		if old == nil {
			return fault.Missing("host", h.ID.String())
		}
		return updateHost(tx, a, setup, old, &h)
	})
	return h, err
}

// updateHost checks and saves the host h, which was old. Staff keep its name, e-mail, prices, lengths and whether it
// can be booked.
func updateHost(tx Tx, a app.Actor, setup *catalog.Setup, old, h *catalog.Host) error {
	h.ID, h.WorkspaceID, h.CreatedAt = old.ID, a.Workspace, old.CreatedAt
	if a.Own() {
		h.Name, h.Email, h.Active = old.Name, old.Email, old.Active
		h.EventTypes, h.Picture = old.EventTypes, old.Picture
	}
	if err := h.CheckChange("host", old); err != nil {
		return err
	}
	if err := h.CheckTerms("host", setup.EventTypes); err != nil {
		return err
	}
	if err := catalog.CheckPicture(tx, a.Workspace, "host.picture", h.Picture); err != nil {
		return err
	}
	if err := h.CheckSizes("host.weekly", setup); err != nil {
		return err
	}
	return hostTaken(tx.UpdateHost(h), h.Email)
}

func hostTaken(err error, email string) error {
	if errors.Is(err, fault.ErrTaken) {
		return fault.New(fault.Conflict, "email_taken", "There is a host %s already.", email).At("host.email")
	}
	return err
}

// Host returns one host. Errors: not_found, for staff also for every host but their own.
func (s *Service) Host(a app.Actor, ref string) (catalog.Host, error) {
	if err := a.May(app.MaySeeHosts); err != nil {
		return catalog.Host{}, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return catalog.Host{}, err
	}
	id, err := id.Parse[catalog.HostIDKind](ref)
	if err != nil || setup.Host(id) == nil || !a.Sees(id) {
		return catalog.Host{}, fault.Missing("host", ref)
	}
	return *setup.Host(id), nil
}

// Hosts returns all hosts, by id; for staff, their own. Errors: forbidden.
func (s *Service) Hosts(a app.Actor) (seen []catalog.Host, err error) {
	if err := a.May(app.MaySeeHosts); err != nil {
		return nil, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	for i := range setup.Hosts {
		if h := &setup.Hosts[i]; a.Sees(h.ID) {
			seen = append(seen, *h)
		}
	}
	return seen, nil
}
