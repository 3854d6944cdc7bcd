package calsync

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Input describes a new connection.
type Input struct {
	Host     string // id; or that of a resource
	Kind     Kind
	Name     string // "" is the address's host, or the account
	Address  string // of a file or of a CalDAV server
	User     string
	Password string
	Refresh  string // OAuth's refresh token, of a sign-in that has just ended
}

const (
	maxConnections = 20 // of a host
	maxAddress     = 2000
	maxPassword    = 500
	requestTime    = 30 * time.Second // that one request may take
	connectTime    = 20 * time.Second // that a person waits for the list of calendars
)

// client is for requests to calendars: it obeys the address law, ends each request in time, and has readings take their
// places.
func (s *Service) client() *http.Client {
	return &http.Client{Timeout: requestTime, Transport: placed{s.law().Transport()}}
}

// ConnectCalendars connects an account: it signs in, lists the calendars and reads those that block. At first these are
// all calendars that can be written, or the calendar of a file. Errors: forbidden, bad_request (host, kind, address,
// user, password; with the reason of the Problem, such as sign_in), conflict too_many_connections.
func (s *Service) ConnectCalendars(ctx context.Context, a app.Actor, in Input) (Connection, error) {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return Connection{}, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return Connection{}, err
	}
	c, secret, err := s.check(ctx, setup, a, &in)
	if err != nil {
		return Connection{}, err
	}
	if c.Secret, err = s.seal(secret); err != nil {
		return Connection{}, err
	}
	source, err := s.open(ctx, &c)
	if err != nil {
		return Connection{}, err
	}
	begun := time.Now()
	within, stop := context.WithTimeout(ctx, s.patience())
	defer stop()
	asking, r := s.reading(within, a.Workspace)
	found, err := source.Calendars(asking)
	r.end()
	if err != nil {
		return Connection{}, refusal(err, c.Kind)
	}
	err = s.Write(ctx, func(tx Tx) error {
		if _, err := tx.LockTaken(a.Workspace, c.Locks()); err != nil {
			return err
		}
		all, err := tx.CalendarConnections(a.Workspace, c.CalendarOwner)
		if err != nil {
			return err
		}
		if len(all) >= maxConnections {
			return fault.Conflictf("too_many_connections", "There are at most %d connections of a host or a resource: disconnect one first.",
				maxConnections)
		}
		if err := tx.InsertCalendarConnection(&c); err != nil {
			return err
		}
		c.Calendars = nil
		for _, r := range found {
			k := newCalendar(&c, r, s.Now())
			if err := tx.InsertCalendar(&k); err != nil {
				return err
			}
			c.Calendars = append(c.Calendars, k)
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CalendarConnected, Subject: c.ID.String(),
			To: string(c.Kind)})
	})
	if err != nil {
		return Connection{}, err
	}
	// A server that is slow only now is a problem of the connection, which is there: what it sent is kept in ctx.
	if err := s.read(ctx, c.ID, 0, max(0, s.patience()-time.Since(begun))); err != nil {
		return Connection{}, err
	}
	return s.Reader(ctx).CalendarConnection(a.Workspace, c.ID)
}

// patience is for how long a person waits for a server.
func (s *Service) patience() time.Duration { return cmp.Or(s.config.Patience, connectTime) }

func newCalendar(c *Connection, r Remote, now time.Time) Calendar {
	return Calendar{ID: id.New[CalendarIDKind](now), WorkspaceID: c.WorkspaceID, Connection: c.ID, Remote: r.ID,
		Name: r.Name, ReadOnly: r.ReadOnly || !c.Kind.Writes(), Blocks: !r.ReadOnly || c.Kind == ICS}
}

// check makes the connection that the input describes, and its credentials.
func (s *Service) check(ctx context.Context, setup *catalog.Setup, a app.Actor,
	in *Input) (c Connection, secret Credentials, err error) {
	var p fault.Problems
	now := s.Now()
	c = Connection{ID: id.New[ConnectionIDKind](now), WorkspaceID: a.Workspace, Kind: in.Kind, State: New,
		DueAt: when.At(now), CreatedAt: when.At(now)}
	if c.CalendarOwner, err = ownerOf(setup, a, in.Host); err != nil {
		return c, secret, err
	}
	c.Name, err = fault.CheckLine("name", in.Name, 0, fault.MaxName)
	p.Add(err)
	in.User, err = fault.CheckLine("user", in.User, 0, fault.MaxName)
	p.Add(err)
	in.Address, err = fault.CheckLine("address", in.Address, 0, maxAddress)
	p.Add(err)
	if len(in.Password) > maxPassword {
		p.Add(fault.Invalid("password", "at most %d characters", maxPassword))
	}
	if err := p.Err(); err != nil {
		return c, secret, err
	}
	c.User = in.User
	switch in.Kind {
	case ICS, CalDAV:
		u, err := s.checkAddress(ctx, in.Address)
		if err != nil {
			return c, secret, err
		}
		c.Name = cmp.Or(c.Name, u.Hostname())
		if in.Kind == ICS {
			c.Address, secret.Address = u.Hostname(), u.String()
			break
		}
		if in.User == "" || in.Password == "" {
			return c, secret, fault.Invalid("password", "user and password are required; most services have passwords for apps")
		}
		c.Address, secret.Password = u.String(), in.Password
	case Google, Microsoft:
		if in.Refresh == "" {
			return c, secret, fault.Invalid("kind", "is connected by signing in there: see the dashboard, Integrations")
		}
		secret.Refresh = in.Refresh
		c.Name = cmp.Or(c.Name, in.User)
	default:
		return c, secret, fault.Invalid("kind", "must be ics, caldav, google or microsoft")
	}
	return c, secret, nil
}

// ownerOf returns the host or the resource of that id: for members with a host of their own always that one. Errors:
// bad_request, forbidden (a resource).
func ownerOf(setup *catalog.Setup, a app.Actor, ref string) (of catalog.CalendarOwner, err error) {
	if a.Own() {
		ref = a.Host.String()
	}
	if of.Resource, err = id.Parse[catalog.ResourceIDKind](ref); err == nil && setup.Resource(of.Resource) != nil {
		return of, a.May(app.MayManageHosts)
	}
	of.Resource = 0
	if of.Host, err = id.Parse[catalog.HostIDKind](ref); err != nil || setup.Host(of.Host) == nil {
		return of, fault.Invalid("host", "is required: the id of a host or a resource")
	}
	return of, nil
}

// checkAddress returns the address as it is kept, if it may be called.
func (s *Service) checkAddress(ctx context.Context, text string) (*url.URL, error) {
	u, err := catalog.ParseCalendarAddress("address", text)
	if err != nil {
		return nil, err
	}
	if _, err := s.law().CheckHost(ctx, u.Hostname(), u.Scheme == "https"); err != nil {
		return nil, fault.Invalid("address", "%v", err)
	}
	return u, nil
}

// refusal is the error of a source for the person who connects it.
func refusal(err error, k Kind) error {
	problem := ProblemOf(err)
	text := map[Problem]string{
		SignIn:       "the calendar server refuses that user and password; many services want a password for apps",
		Digest:       "the calendar server takes sign-ins by HTTP Digest only: allow HTTP Basic there",
		NotFound:     "there is no calendar at that address",
		NotCalendar:  "what is at that address is no calendar",
		Unclear:      "an event in that calendar can't be understood",
		TooMuch:      "that calendar has more events than are read",
		Forbidden:    "that address may not be called",
		SlowDown:     "the calendar server wants to be asked later",
		Crowded:      "too many calendars are being read at the moment: try again in a minute",
		ServerFailed: "the calendar server failed",
		Unreachable:  "the calendar server does not answer",
	}[problem]
	field := "address"
	if problem == SignIn {
		field = "password"
	}
	if k.OAuth() {
		field = "kind"
		if problem == SignIn {
			text = "the sign-in was refused; begin again, and agree to everything that is asked"
		}
	}
	e := fault.Invalid(field, "%s", text)
	e.Reason = string(problem)
	return e
}

// Choice says what a calendar is used for.
type Choice struct {
	Blocks  bool
	Target  bool
	Details Details
}

// ChooseCalendars sets which calendars of a connection block, and which one gets the bookings; a host has at most one,
// the last that was chosen. Calendars that are not in the map stay as they are. Errors: forbidden, not_found,
// bad_request (a calendar that can't be written, or a resource's).
func (s *Service) ChooseCalendars(ctx context.Context, a app.Actor, ref string, chosen map[CalendarID]Choice) error {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		c, err := find(tx, a, ref)
		if err != nil {
			return err
		}
		if _, err := tx.LockTaken(a.Workspace, c.Locks()); err != nil {
			return err
		}
		if c.Listed != nil && c.Listed.Wanted { // this choice is the later one
			c.Listed.Wanted = false
			if err := tx.SetCalendarListed(c.ID, c.Listed); err != nil {
				return err
			}
		}
		was := slices.Clone(c.Calendars)
		if err := s.choose(tx, &c, chosen); err != nil || slices.Equal(was, c.Calendars) {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CalendarsChosen, Subject: c.ID.String()})
	})
}

// choose is ChooseCalendars in a transaction that has locked the owner, whoever asks for it.
func (s *Service) choose(tx Tx, c *Connection, chosen map[CalendarID]Choice) error {
	again := false // the bookings go into another calendar
	for i := range c.Calendars {
		k := &c.Calendars[i]
		in, given := chosen[k.ID]
		if !given {
			continue
		}
		if in.Target && c.Resource != 0 {
			return fault.Invalid("target", "bookings are written into calendars of hosts only")
		}
		if in.Target && k.ReadOnly {
			return fault.Invalid("target", "%s can't be written: choose another calendar", k.Name)
		}
		if in.Target != k.Target || in.Target && in.Details != k.Details {
			again = true
		}
		if in.Target {
			if err := untarget(tx, c.WorkspaceID, c.Host); err != nil {
				return err
			}
		}
		k.Blocks, k.Target, k.Details = in.Blocks, in.Target, in.Details
		if err := tx.UpdateCalendar(k); err != nil {
			return err
		}
	}
	if again {
		if err := s.queueAll(tx, c.Host); err != nil {
			return err
		}
	}
	return merge(tx, c.WorkspaceID, c.CalendarOwner)
}

// untarget leaves the host without a calendar that gets the bookings.
func untarget(tx Tx, ws catalog.WorkspaceID, host catalog.HostID) error {
	all, err := tx.CalendarConnections(ws, catalog.CalendarOwner{Host: host})
	if err != nil {
		return err
	}
	for _, c := range all {
		for i := range c.Calendars {
			if k := &c.Calendars[i]; k.Target {
				k.Target = false
				if err := tx.UpdateCalendar(k); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// ReadCalendars reads a connection and returns it, with the outcome in its State and Problem. Errors: forbidden,
// not_found.
func (s *Service) ReadCalendars(ctx context.Context, a app.Actor, ref string) (Connection, error) {
	c, err := s.CalendarConnection(ctx, a, ref)
	if err != nil {
		return c, err
	}
	if err := s.read(ctx, c.ID, 0, s.patience()); err != nil {
		return c, err
	}
	return s.Reader(ctx).CalendarConnection(a.Workspace, c.ID)
}
