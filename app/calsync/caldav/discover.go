package caldav

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"daybook/app/calsync"
)

const (
	maxHomes  = 5
	maxName   = 100
	component = "VEVENT"
)

// What PROPFIND is asked for.
var (
	ofAccount = propfind("current-user-principal", "C:calendar-home-set")
	ofOwner   = propfind("C:calendar-home-set", "C:calendar-user-address-set")
	ofHome    = propfind("resourcetype", "displayname", "C:supported-calendar-component-set",
		"current-user-privilege-set")
	ofCalendar = propfind("resourcetype", "sync-token", "supported-report-set")
	ofItems    = propfind("resourcetype", "getetag")
)

// properties returns those of one resource, and where it is: hrefs among them may be relative to that.
func (s *source) properties(ctx context.Context, of *url.URL, body string) (p properties, at *url.URL, err error) {
	at = of
	_, err = s.multistatus(ctx, request{method: "PROPFIND", to: of, depth: "0", body: body, short: true},
		func(said *url.URL, r *response) (err error) {
			p = r.found()
			at, err = s.follow(of, said.String())
			return err
		})
	return p, at, err
}

// Calendars lists the account's calendars for events. It asks the connection's address whose account that is, then the
// place that RFC 6764 has for such questions, and then the host's root.
func (s *source) Calendars(ctx context.Context) ([]calsync.Remote, error) {
	homes, err := s.homes(ctx)
	if err != nil {
		return nil, err
	}
	var all []calsync.Remote
	seen := map[string]bool{}
	for _, home := range homes {
		_, err := s.multistatus(ctx, request{method: "PROPFIND", to: home, depth: "1", body: ofHome, short: true},
			func(at *url.URL, r *response) error {
				x, ok, err := s.remote(home, at, r)
				if ok && !seen[x.ID] && err == nil {
					seen[x.ID] = true
					all = append(all, x)
				}
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: the account has none", calsync.ErrNotFound)
	}
	slices.SortFunc(all, func(a, b calsync.Remote) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), calsync.MaxCalendars)], nil
}

// remote returns the calendar that an answer is about. It reports false for what is none, and for calendars of tasks.
func (s *source) remote(home, at *url.URL, r *response) (x calsync.Remote, ok bool, err error) {
	p := r.found()
	if p.Type == nil || p.Type.Calendar == nil {
		return x, false, nil
	}
	if c := p.Components; c != nil && len(c.Component) > 0 {
		takes := false
		for _, one := range c.Component {
			takes = takes || strings.EqualFold(one.Name, component)
		}
		if !takes {
			return x, false, nil
		}
	}
	to, err := s.follow(home, at.String())
	if err != nil {
		return x, false, err
	}
	x = calsync.Remote{ID: keyOf(to), Name: calsync.OneLine(p.Name, maxName), ReadOnly: readOnly(&p)}
	if to.Host != s.base.Host {
		x.ID = to.String()
	}
	if x.Name == "" {
		x.Name = calsync.OneLine(path.Base(to.Path), maxName)
	}
	return x, true, nil
}

// readOnly reports whether the account may not write. Where the server doesn't say, writing tells.
func readOnly(p *properties) bool {
	if p.Privileges == nil || len(p.Privileges.Privilege) == 0 {
		return false
	}
	content, bind := false, false
	for _, may := range p.Privileges.Privilege {
		every := may.All != nil || may.Write != nil
		content, bind = content || every || may.Content != nil, bind || every || may.Bind != nil
	}
	return !content || !bind
}

// homes returns where the account's calendars are.
func (s *source) homes(ctx context.Context) ([]*url.URL, error) {
	var first error
	asked := map[string]bool{}
	for _, place := range []string{"", "/.well-known/caldav", "/"} {
		at, err := s.base.Parse(place)
		if err != nil {
			return nil, fmt.Errorf("%w: the address isn't one", calsync.ErrNotFound)
		}
		if asked[at.String()] {
			continue
		}
		asked[at.String()] = true
		homes, err := s.homesBy(ctx, at)
		if len(homes) > 0 || err != nil && !elsewhere(err) {
			return homes, err
		}
		first = cmp.Or(first, err)
	}
	return nil, cmp.Or(first, fmt.Errorf("%w: the server names no calendars", calsync.ErrNotFound))
}

// elsewhere reports whether after an error another address of the server is worth a try.
func elsewhere(err error) bool {
	if later := (*calsync.Later)(nil); errors.As(err, &later) {
		return false
	}
	return errors.Is(err, calsync.ErrNotOne) || code(err) != 0 && code(err) != http.StatusUnauthorized
}

// homesBy asks at one address whose account that is, and then where its calendars are.
func (s *source) homesBy(ctx context.Context, at *url.URL) ([]*url.URL, error) {
	p, at, err := s.properties(ctx, at, ofAccount)
	if err != nil {
		return nil, err
	}
	if p.Homes == nil || len(p.Homes.Href) == 0 {
		owner, err := s.owner(at, &p)
		if owner == nil || err != nil {
			return nil, err
		}
		if p, at, err = s.properties(ctx, owner, ofOwner); err != nil {
			return nil, err
		}
	}
	var homes []*url.URL
	if p.Homes != nil {
		for _, href := range p.Homes.Href[:min(len(p.Homes.Href), maxHomes)] {
			home, err := s.follow(at, href)
			if err != nil {
				return nil, err
			}
			homes = append(homes, home)
		}
	}
	return homes, nil
}

// owner returns the address of who is signed in, nil where the server doesn't say.
func (s *source) owner(at *url.URL, p *properties) (*url.URL, error) {
	switch {
	case p.Principal == nil:
		return nil, nil
	case p.Principal.Unauthenticated != nil:
		return nil, calsync.ErrSignIn
	case len(p.Principal.Href) == 0:
		return nil, nil
	}
	return s.follow(at, p.Principal.Href[0])
}

// self returns the addresses under which the owner is invited. None are known where the server doesn't say; then no
// invitation counts as declined.
func (s *source) self(ctx context.Context, calendar *url.URL) (all []string, err error) {
	if strings.Contains(s.user, "@") {
		all = append(all, s.user)
	}
	p, at, err := s.properties(ctx, calendar, ofAccount)
	if err != nil {
		return all, unlessUnknown(err)
	}
	owner, err := s.owner(at, &p)
	if err != nil || owner == nil {
		return all, unlessUnknown(err)
	}
	if p, _, err = s.properties(ctx, owner, ofOwner); err != nil {
		return all, unlessUnknown(err)
	}
	if p.Addresses != nil {
		all = append(all, p.Addresses.Href[:min(len(p.Addresses.Href), 50)]...)
	}
	return all, nil
}

// unlessUnknown leaves out the errors of a server that doesn't tell something.
func unlessUnknown(err error) error {
	if err != nil && (elsewhere(err) || errors.Is(err, calsync.ErrForbidden) || errors.Is(err, calsync.ErrSignIn)) {
		return nil
	}
	return err
}
