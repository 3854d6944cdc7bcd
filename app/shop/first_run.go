package shop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/trade"
)

// AddUsual creates the services that a business of the trade offers, in their order, and keeps the trade: all or nothing.
// One with a title that there is already stays as it is. Errors: those of SaveEventType.
func (s *Service) AddUsual(ctx context.Context, a app.Actor, t trade.Trade, all []catalog.EventType) error {
	if err := a.May(app.MayManageEventTypes); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		locked, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		setup := *locked
		setup.EventTypes = slices.Clone(setup.EventTypes)
		for _, e := range all {
			same := func(other catalog.EventType) bool { return strings.EqualFold(other.Title, strings.TrimSpace(e.Title)) }
			if slices.ContainsFunc(setup.EventTypes, same) {
				continue
			}
			e.WorkspaceID, e.Slug = a.Workspace, setup.FreeSlug(e.Title)
			if err := s.saveEventType(tx, &setup, &e); err != nil {
				return err
			}
			setup.EventTypes = append(setup.EventTypes, e)
		}
		if a.May(app.MayManageWorkspace) != nil {
			return nil
		}
		_, err = s.In(tx).UpdateWorkspace(ctx, a, func(w *catalog.Workspace) { w.Settings.Trade = t })
		return err
	})
}

// FirstShop is what a new owner says of the shop.
type FirstShop struct {
	Address, Phone string
	Colleagues     []catalog.Host // name and e-mail
}

// OpenShop saves address and phone, and the colleagues, each with the hours of the host who was there first, for all
// services: all or nothing. Errors: those of UpdateWorkspace and SaveHost, the latter about colleagues[i].
func (s *Service) OpenShop(ctx context.Context, a app.Actor, in FirstShop) error {
	if err := a.May(app.MayManageHosts); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		bound := s.In(tx)
		_, err := bound.UpdateWorkspace(ctx, a, func(w *catalog.Workspace) {
			w.Settings.Address, w.Settings.Phone = in.Address, in.Phone
		})
		if err != nil {
			return err
		}
		for i, h := range in.Colleagues {
			setup, err := tx.Setup(a.Workspace)
			if err != nil {
				return err
			}
			if len(setup.Hosts) == 0 {
				return fault.Missing("host", "")
			}
			h.TimeZone, h.Hours = setup.Hosts[0].TimeZone, catalog.Hours{Weekly: setup.Hosts[0].Weekly}
			saved, err := bound.SaveHost(ctx, a, h)
			if e := fault.As(err); e != nil && e.Field != "" {
				return e.About(fmt.Sprintf("colleagues[%d].%s", i, e.Field[strings.LastIndexByte(e.Field, '.')+1:]))
			}
			if err != nil {
				return err
			}
			for _, e := range setup.EventTypes {
				_, err := bound.ChangeEventType(ctx, a, e.ID.String(), func(_ *catalog.Setup, e *catalog.EventType) error {
					e.Hosts = append(slices.Clone(e.Hosts), catalog.HostRef{ID: saved.ID})
					return nil
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}
