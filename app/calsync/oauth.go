package calsync

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"golang.org/x/oauth2"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Provider is a service at which members sign in to connect calendars of a kind.
type Provider interface {
	// SignInURL returns the address where a person signs in. The browser comes back to redirect with state.
	SignInURL(c Client, redirect, state, verifier string) string
	// Exchange returns the credentials for the code that the browser came back with. Errors: ErrSignIn, if the provider
	// refuses the code.
	Exchange(ctx context.Context, h *http.Client, c Client, redirect, code, verifier string) (Credentials, error)
}

// BegunSignIn is a sign-in at a provider that somebody has begun.
type BegunSignIn struct {
	Hash      []byte // of the state
	Workspace catalog.WorkspaceID
	Session   []byte // the hash of the member's session
	Kind      Kind
	Of        catalog.CalendarOwner
	Verifier  string // of PKCE
	Until     when.Instant
}

// signInTime is how long a person may take to sign in.
const signInTime = 10 * time.Minute

// names of providers.
var names = map[Kind]string{Google: "Google", Microsoft: "Microsoft"}

// RedirectURL returns the address to which the browser comes back. The client at the provider must list it.
func RedirectURL(core *app.Service, k Kind) string {
	return core.BaseURL() + "/dashboard/integrations/calendars/" + string(k) + "/callback"
}

// SignInURL begins a sign-in that connects calendars of a host or a resource, by its id, and returns the address where the
// member of that session continues. It works once, within ten minutes and in that session. For staff the host is always
// their own. Errors: forbidden, bad_request (kind, host).
func (s *Service) SignInURL(ctx context.Context, a app.Actor, kind Kind, host string, session []byte) (string, error) {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return "", err
	}
	provider, client, err := s.provider(ctx, a, kind)
	if err != nil {
		return "", err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return "", err
	}
	of, err := ownerOf(setup, a, host)
	if err != nil {
		return "", err
	}
	state := secret()
	now := when.At(s.Now())
	begun := BegunSignIn{Hash: hashed(state), Workspace: a.Workspace, Session: session, Kind: kind, Of: of,
		Verifier: oauth2.GenerateVerifier(), Until: now.Add(signInTime)}
	if err := s.Write(ctx, func(tx Tx) error { return tx.InsertCalendarSignIn(&begun, now) }); err != nil {
		return "", err
	}
	return provider.SignInURL(client, RedirectURL(s.Core, kind), state, begun.Verifier), nil
}

// provider returns that of a kind, with the client that signs in there.
func (s *Service) provider(ctx context.Context, a app.Actor, kind Kind) (Provider, Client, error) {
	provider := s.config.Providers[kind]
	if provider == nil {
		return nil, Client{}, fault.Invalid("kind", "must be google or microsoft")
	}
	client, err := s.clientOf(ctx, a.Workspace, kind)
	if errors.Is(err, ErrSignIn) {
		err = fault.Invalid("kind", "needs a client id and secret of %s first", names[kind])
	}
	return provider, client, err
}

// SignedIn completes a sign-in with what the browser came back with, and connects the account's calendars. If the owner
// has a connection to the same account already, that one gets the new sign-in. Errors: forbidden, conflict sign_in_over
// (the sign-in was not begun in that session, took too long or has ended before), and those of ConnectCalendars.
func (s *Service) SignedIn(ctx context.Context, a app.Actor, kind Kind, session []byte,
	state, code string) (Connection, error) {
	if err := a.May(app.MayConnectCalendars); err != nil {
		return Connection{}, err
	}
	provider, client, err := s.provider(ctx, a, kind)
	if err != nil {
		return Connection{}, err
	}
	var begun BegunSignIn
	err = s.Write(ctx, func(tx Tx) (err error) {
		begun, err = tx.TakeCalendarSignIn(a.Workspace, hashed(state), session)
		return err
	})
	if errors.Is(err, fault.ErrNotFound) || err == nil && (begun.Kind != kind || begun.Until < when.At(s.Now()) ||
		!sees(a, begun.Of)) {
		err = fault.Conflictf("sign_in_over", "This sign-in is over: begin again.")
	}
	if err != nil {
		return Connection{}, err
	}
	within, stop := context.WithTimeout(ctx, s.patience())
	defer stop()
	got, err := provider.Exchange(within, s.client(), client, RedirectURL(s.Core, kind), code, begun.Verifier)
	if err != nil {
		return Connection{}, signInRefusal(err, kind)
	}
	source := s.config.Sources[kind](Opening{HTTP: s.client(), Client: client, Credentials: got,
		Connection: &Connection{ID: id.New[ConnectionIDKind](s.Now())},
		Save: func(_ context.Context, fresh Credentials) error {
			got = fresh
			return nil
		}})
	asking, r := s.reading(within, a.Workspace)
	found, err := source.Calendars(asking)
	r.end()
	if err != nil {
		return Connection{}, signInRefusal(err, kind)
	}
	account := ""
	for _, r := range found {
		account = cmp.Or(account, r.Owner)
	}
	if ref, err := s.renew(ctx, a, &begun, account, got, found); err != nil || ref != "" {
		if err != nil {
			return Connection{}, err
		}
		return s.ReadCalendars(ctx, a, ref)
	}
	in := Input{Kind: kind, Name: cmp.Or(account, names[kind]), User: account, Refresh: got.Refresh}
	if in.Host = begun.Of.Host.String(); begun.Of.Resource != 0 {
		in.Host = begun.Of.Resource.String()
	}
	return s.ConnectCalendars(ctx, a, in)
}

// signInRefusal is the error of a provider for the person who has signed in there.
func signInRefusal(err error, k Kind) error {
	problem := ProblemOf(err)
	e := fault.Invalid("kind", "%s does not answer as it should: try again in a few minutes", names[k])
	if problem == SignIn {
		e = fault.Invalid("kind", "the sign-in was refused: begin again, and agree to all that is asked")
	}
	e.Reason = string(problem)
	return e
}

// renew gives a connection of the owner to the same account the new sign-in, and the calendars that it didn't know; it
// returns the id, or "" if there is none.
func (s *Service) renew(ctx context.Context, a app.Actor, begun *BegunSignIn, account string, got Credentials,
	found []Remote) (ref string, err error) {
	sealed, err := s.seal(got)
	if err != nil || account == "" {
		return "", err
	}
	return ref, s.Write(ctx, func(tx Tx) error {
		if _, err := tx.LockTaken(a.Workspace, begun.Of.Locks()); err != nil {
			return err
		}
		all, err := tx.CalendarConnections(a.Workspace, begun.Of)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(c Connection) bool { return c.Kind == begun.Kind && c.User == account })
		if i < 0 {
			return nil
		}
		c := &all[i]
		ref, c.Secret, c.DueAt, c.Tries = c.ID.String(), sealed, when.At(s.Now()), 0
		if err := tx.UpdateCalendarConnection(c); err != nil {
			return err
		}
		for _, r := range found {
			if slices.ContainsFunc(c.Calendars, func(k Calendar) bool { return k.Remote == r.ID }) {
				continue
			}
			k := newCalendar(c, r, s.Now())
			if err := tx.InsertCalendar(&k); err != nil {
				return err
			}
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CalendarRenewed, Subject: ref, To: string(c.Kind)})
	})
}

// sharesAccount reports whether another connection signs in by the same account and client: to revoke one sign-in ends
// them all.
func (s *Service) sharesAccount(ctx context.Context, c *Connection) (bool, error) {
	r := s.Reader(ctx)
	workspaces := []catalog.WorkspaceID{c.WorkspaceID}
	if _, err := r.CalendarClient(c.WorkspaceID, c.Kind); errors.Is(err, fault.ErrNotFound) { // the server's
		all, err := r.Workspaces(app.Every)
		if err != nil {
			return false, err
		}
		workspaces = nil
		for _, w := range all {
			workspaces = append(workspaces, w.ID)
		}
	}
	for _, ws := range workspaces {
		all, err := r.CalendarConnections(ws, catalog.CalendarOwner{})
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(all, func(o Connection) bool {
			return o.ID != c.ID && o.Kind == c.Kind && o.User == c.User
		}) {
			return true, nil
		}
	}
	return false, nil
}
