package calsync

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Config says how calendars are reached.
type Config struct {
	Allow   []netip.Prefix // networks that they may be in besides the public internet
	Sources map[Kind]Opener
	// Providers has the provider of each kind that is connected by signing in, and Clients the server's clients at
	// them, for workspaces without a client of their own. The secrets of Clients are not sealed.
	Providers map[Kind]Provider
	Clients   map[Kind]Client
	Patience  time.Duration // for which a person waits for a calendar's server; 0 is 20 s
}

// Opener makes the source of an account.
type Opener func(Opening) Source

// Opening is what a source is made of.
type Opening struct {
	Connection  *Connection
	Credentials Credentials
	HTTP        *http.Client // obeys the address law, and ends each request in time
	Client      Client       // of OAuth, its secret opened
	// Save stores new credentials, such as a refreshed token, unless others have been stored since Load, or since the
	// opening.
	Save func(ctx context.Context, c Credentials) error
	Load func(ctx context.Context) (Credentials, error) // those that are kept by now; nil is for sign-ins under way
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	*shared
}

// shared is what all Services of one server share.
type shared struct {
	config  Config
	tell    Tell
	mu      sync.Mutex
	asked   map[ConnectionID]*asking // see Ask
	places  *app.Places              // see reading
	watches watches
}

// Tell informs a connection's host, or the owners, that its sign-in is refused, in the transaction that notes it. It reports whether
// anybody is informed.
type Tell func(in app.Tx, c *Connection) (told bool, err error)

// NewService returns the Service over a core, which asks it for busy times before it books.
func NewService(core *app.Service, c Config, tell Tell) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, &shared{config: c, tell: tell, asked: map[ConnectionID]*asking{},
		places:  app.NewPlaces(maxReadings, maxReadingsEach),
		watches: watches{base: public(core.BaseURL()), waiting: map[ConnectionID]when.Instant{}}}}
	core.SetCalendars(s)
	core.AddDuties(app.Duties{Secrets: s.eachSecret})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.shared}
}

func (s *Service) law() *address.Law {
	return &address.Law{Allow: s.config.Allow, Option: "--calendar-allow"}
}

func (s *Service) eachSecret(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		all, err := r.CalendarConnections(w.ID, catalog.CalendarOwner{})
		if err != nil {
			return err
		}
		for i := range all {
			changed, err := look(&all[i].Secret)
			if err == nil && changed {
				err = tx.UpdateCalendarConnection(&all[i])
			}
			if err != nil {
				return err
			}
		}
		for _, kind := range Kinds {
			c, err := r.CalendarClient(w.ID, kind)
			if errors.Is(err, fault.ErrNotFound) {
				continue
			}
			changed := false
			if err == nil {
				changed, err = look(&c.Secret)
			}
			if err == nil && changed {
				err = tx.SetCalendarClient(w.ID, &c)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// open makes the source of a connection.
func (s *Service) open(ctx context.Context, c *Connection) (Source, error) {
	make, known := s.config.Sources[c.Kind]
	if !known {
		return nil, fault.Invalid("kind", "calendars of the kind %s can't be connected here", c.Kind)
	}
	o := Opening{Connection: c, HTTP: s.client(), Save: func(ctx context.Context, fresh Credentials) error {
		sealed, err := s.seal(fresh)
		if err != nil {
			return err
		}
		was := c.Secret
		c.Secret = sealed
		return s.Quietly(ctx, func(tx Tx) error { return tx.SetCalendarSecret(c.ID, was, sealed) })
	}, Load: func(ctx context.Context) (Credentials, error) {
		now, err := s.Reader(ctx).CalendarConnection(0, c.ID)
		if err != nil {
			return Credentials{}, err
		}
		c.Secret = now.Secret
		return s.unseal(c.Secret)
	}}
	var err error
	if o.Credentials, err = s.unseal(c.Secret); err != nil {
		return nil, err
	}
	if c.Kind.OAuth() {
		if o.Client, err = s.clientOf(ctx, c.WorkspaceID, c.Kind); err != nil {
			return nil, err
		}
	}
	return make(o), nil
}

func (s *Service) seal(c Credentials) (string, error) {
	text, err := json.Marshal(c)
	return s.Core.Vault().Seal(text), err
}

func (s *Service) unseal(sealed string) (c Credentials, err error) {
	text, err := s.Core.Vault().Open(sealed)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}

// clientOf returns the workspace's client at an OAuth provider, or else the server's, its secret opened. Where there is
// none the error is ErrSignIn.
func (s *Service) clientOf(ctx context.Context, ws catalog.WorkspaceID, k Kind) (Client, error) {
	c, err := s.Reader(ctx).CalendarClient(ws, k)
	if errors.Is(err, fault.ErrNotFound) {
		if c, known := s.config.Clients[k]; known {
			return c, nil
		}
		return c, ErrSignIn
	}
	if err != nil {
		return c, err
	}
	secret, err := s.Core.Vault().Open(c.Secret)
	c.Secret = string(secret)
	return c, err
}

// sees reports whether the actor may see the owner's connections: staff see those of their own host, and whoever manages
// resources sees theirs.
func sees(a app.Actor, of catalog.CalendarOwner) bool {
	if of.Resource != 0 {
		return a.May(app.MayManageHosts) == nil
	}
	return a.Sees(of.Host)
}

// CalendarConnections lists the connections that the actor sees, by owner and name. Errors: forbidden.
func (s *Service) CalendarConnections(ctx context.Context, a app.Actor) ([]Connection, error) {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return nil, err
	}
	all, err := s.Reader(ctx).CalendarConnections(a.Workspace, catalog.CalendarOwner{})
	return slices.DeleteFunc(all, func(c Connection) bool { return !sees(a, c.CalendarOwner) }), err
}

// CalendarConnection returns a connection that the actor sees. Errors: forbidden, not_found.
func (s *Service) CalendarConnection(ctx context.Context, a app.Actor, ref string) (Connection, error) {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return Connection{}, err
	}
	return find(s.Reader(ctx), a, ref)
}

func find(r Reads, a app.Actor, ref string) (Connection, error) {
	missing := fault.Missing("calendar connection", ref)
	name, err := id.Parse[ConnectionIDKind](ref)
	if err != nil {
		return Connection{}, missing
	}
	c, err := r.CalendarConnection(a.Workspace, name)
	if err == nil && !sees(a, c.CalendarOwner) {
		return Connection{}, missing
	}
	return c, fault.OrMissing(err, missing)
}
