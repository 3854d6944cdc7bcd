package calsync

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
)

// ClientView is a client at a provider without its secret, to be shown.
type ClientView struct {
	Kind     Kind
	ID       string // "" if there is none
	Tenant   string
	Server   bool   // it is the server's, for all workspaces
	Redirect string // the address that the client must list at the provider
}

// CalendarClients returns the clients that sign-ins use, one for each provider. Errors: forbidden.
func (s *Service) CalendarClients(ctx context.Context, a app.Actor) (all []ClientView, err error) {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return nil, err
	}
	for _, kind := range Kinds {
		if !kind.OAuth() {
			continue
		}
		v := ClientView{Kind: kind, Redirect: RedirectURL(s.Core, kind)}
		c, err := s.Reader(ctx).CalendarClient(a.Workspace, kind)
		if errors.Is(err, fault.ErrNotFound) {
			c, v.Server = s.config.Clients[kind], s.config.Clients[kind].ID != ""
		} else if err != nil {
			return nil, err
		}
		v.ID, v.Tenant = c.ID, c.Tenant
		all = append(all, v)
	}
	return all, nil
}

const maxText = 300 // characters of an id or a secret

// tenants are names and numbers of directories, which stand in addresses.
var tenants = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$`)

// SetCalendarClient saves the workspace's own client at a provider; its Secret is as the provider shows it, or empty to
// keep that of the same client. Members who signed in with another client must sign in again. Errors: forbidden,
// bad_request (kind, id, secret, tenant).
func (s *Service) SetCalendarClient(ctx context.Context, a app.Actor, c Client) error {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return err
	}
	if !c.Kind.OAuth() {
		return fault.Invalid("kind", "must be google or microsoft")
	}
	var p fault.Problems
	var err error
	c.ID, err = fault.CheckLine("id", strings.TrimSpace(c.ID), 1, maxText)
	p.Add(err)
	c.Secret, err = fault.CheckLine("secret", strings.TrimSpace(c.Secret), 0, maxText)
	p.Add(err)
	if c.Tenant = strings.TrimSpace(c.Tenant); c.Kind != Microsoft {
		c.Tenant = ""
	}
	if c.Tenant != "" && !tenants.MatchString(c.Tenant) {
		p.Add(fault.Invalid("tenant", "must be the id or a domain of a directory, or empty"))
	}
	if err := p.Err(); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		saved := c
		if was, err := tx.CalendarClient(a.Workspace, c.Kind); err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		} else if c.Secret != "" {
			saved.Secret = s.Core.Vault().Seal([]byte(c.Secret))
		} else if saved.Secret = was.Secret; was.ID != c.ID {
			return fault.Invalid("secret", "is required with another client id")
		}
		if err := tx.SetCalendarClient(a.Workspace, &saved); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CalendarClientSet, To: string(c.Kind)})
	})
}

// RemoveCalendarClient deletes the workspace's own client at a provider. Calendars that were connected with it are no
// longer read, unless the server has one. Errors: forbidden.
func (s *Service) RemoveCalendarClient(ctx context.Context, a app.Actor, kind Kind) error {
	if err := a.May(app.MayManageWorkspace); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if _, err := tx.CalendarClient(a.Workspace, kind); errors.Is(err, fault.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		if err := tx.DeleteCalendarClient(a.Workspace, kind); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CalendarClientRemoved, From: string(kind)})
	})
}
