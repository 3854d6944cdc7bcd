package app

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"daybook/app/fault"
	"daybook/app/when"
)

var colorForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// UpdateWorkspace changes name, slug, zone, currency and settings of the actor's workspace. A new slug changes the
// addresses of all its booking pages. Errors: forbidden, bad_request, conflict slug_taken.
func (s *Service) UpdateWorkspace(ctx context.Context, a Actor, change func(*Workspace)) (w Workspace, err error) {
	if err := a.Needs(ManagerRole); err != nil {
		return w, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if w, err = tx.Workspace(a.Workspace); err != nil {
			return err
		}
		change(&w)
		w.ID = a.Workspace
		if err := w.Check(); err != nil {
			return err
		}
		if err := w.Settings.check(); err != nil {
			return err
		}
		if err := tx.UpdateWorkspace(&w); err == fault.ErrTaken {
			return &fault.Error{Code: fault.Conflict, Reason: "slug_taken", Field: "workspace.slug", Message: "workspace.slug: Another workspace has this address; choose another one."}
		} else if err != nil {
			return err
		}
		return nil
	})
	return w, err
}

// hostForm is a host name or address, with a port or without. It stands in the pages' Content-Security-Policy, so it
// holds nothing that ends a directive there.
var hostForm = regexp.MustCompile(`^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?$`)

func (t *Settings) check() (err error) {
	if t.Color = strings.ToLower(strings.TrimSpace(t.Color)); t.Color != "" && !colorForm.MatchString(t.Color) {
		return fault.Invalid("settings.color", "must be a colour such as #2f5d50")
	}
	if t.LogoURL, err = fault.CheckLine("settings.logoUrl", t.LogoURL, 0, 500); err != nil {
		return err
	}
	u, err := url.Parse(t.LogoURL)
	if t.LogoURL != "" && (err != nil || u.Scheme != "https" || !hostForm.MatchString(u.Host)) {
		return fault.Invalid("settings.logoUrl", "must be the https:// address of an image")
	}
	if t.Description, err = fault.CheckLine("settings.description", t.Description, 0, 300); err != nil {
		return err
	}
	if t.Locale, err = fault.CheckLocale("settings.locale", t.Locale); err != nil {
		return err
	}
	if t.Phone, err = fault.CheckPhone("settings.phone", t.Phone); err != nil {
		return err
	}
	t.Address, err = fault.CheckLine("settings.address", t.Address, 0, 300)
	return err
}

// DeleteWorkspace removes the actor's workspace and everything in it, for good. confirm must be its slug.
// It is not found any more when this returns; rows of a large one are deleted by Maintain in the minutes after that.
// Errors: forbidden, bad_request.
func (s *Service) DeleteWorkspace(ctx context.Context, a Actor, confirm string) error {
	if err := a.Needs(OwnerRole); err != nil {
		return err
	}
	err := s.Write(ctx, func(tx Tx) error {
		w, err := tx.Workspace(a.Workspace)
		if err != nil {
			return err
		}
		if strings.TrimSpace(confirm) != w.Slug {
			return fault.Invalid("confirm", "type %s to delete the workspace", w.Slug)
		}
		return tx.MarkWorkspaceGone(w.ID, when.At(s.clock()))
	})
	if err != nil {
		return err
	}
	s.setups.Delete(a.Workspace)
	s.sweepSoon(ctx)
	return nil
}
