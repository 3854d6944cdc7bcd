package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"daybook/app/address"
	"daybook/app/calsync"
)

// Provider is where members sign in.
type Provider struct {
	// Auth and Token are the addresses of the authorization and of the token endpoint; {tenant} stands for the client's
	// tenant.
	Auth, Token string
	RevokeURL   string // "" if the provider takes no sign-in back
	Scopes      []string
	Params      map[string]string // of the address where a member signs in

	mu      sync.Mutex
	renewed map[calsync.ConnectionID]*renewal
}

// renewal is the last renewed access of a connection.
type renewal struct {
	turn  chan struct{} // whoever puts something in may renew it
	users int
	fresh calsync.Credentials
}

// early is how long before its end an access isn't used any more.
const early = time.Minute

// defaultTenant signs in accounts of every business, and private ones.
const defaultTenant = "common"

func (p *Provider) config(c calsync.Client, redirect string) *oauth2.Config {
	tenant := c.Tenant
	if tenant == "" {
		tenant = defaultTenant
	}
	at := func(address string) string { return strings.ReplaceAll(address, "{tenant}", url.PathEscape(tenant)) }
	return &oauth2.Config{ClientID: c.ID, ClientSecret: c.Secret, RedirectURL: redirect, Scopes: p.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: at(p.Auth), TokenURL: at(p.Token), AuthStyle: oauth2.AuthStyleInParams}}
}

// SignInURL returns the address where a person signs in, with PKCE.
func (p *Provider) SignInURL(c calsync.Client, redirect, state, verifier string) string {
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier)}
	for name, value := range p.Params {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	return p.config(c, redirect).AuthCodeURL(state, options...)
}

// Exchange gets the credentials for the code that a sign-in ended with. They have a refresh token. ErrSignIn says that
// the code is not taken.
func (p *Provider) Exchange(ctx context.Context, h *http.Client, c calsync.Client, redirect, code,
	verifier string) (calsync.Credentials, error) {
	t, err := p.config(c, redirect).Exchange(with(ctx, h), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return calsync.Credentials{}, refused(err)
	}
	if t.RefreshToken == "" {
		return calsync.Credentials{}, calsync.ErrSignIn
	}
	return credentials(t, ""), nil
}

func credentials(t *oauth2.Token, refresh string) calsync.Credentials {
	if t.RefreshToken != "" {
		refresh = t.RefreshToken
	}
	c := calsync.Credentials{Refresh: refresh, Access: t.AccessToken}
	if !t.Expiry.IsZero() {
		c.Expires = t.Expiry.UnixMilli()
	}
	return c
}

// Revoke takes the sign-in back at the provider, if it can. One that is over is taken back.
func (p *Provider) Revoke(ctx context.Context, h *http.Client, c calsync.Credentials) error {
	if p.RevokeURL == "" {
		return nil
	}
	form := url.Values{"token": {c.Refresh}}
	r, err := http.NewRequestWithContext(ctx, "POST", p.RevokeURL, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := staying(h).Do(r)
	if err != nil {
		return lawful(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusBadRequest { // 400: it is over already
		return &calsync.Status{Code: res.StatusCode}
	}
	return nil
}

// access returns what a connection's requests carry. All who renew one connection's access at a time get the same one.
// stale is one that was refused, or "".
func (p *Provider) access(ctx context.Context, o *calsync.Opening, stale string) (string, error) {
	usable := func(c calsync.Credentials) bool {
		return c.Access != "" && c.Access != stale && c.Expires > time.Now().Add(early).UnixMilli()
	}
	if usable(o.Credentials) {
		return o.Credentials.Access, nil
	}
	n := p.enter(o.Connection.ID)
	defer p.leave(n)
	select {
	case n.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-n.turn }()
	if usable(n.fresh) {
		o.Credentials = n.fresh
		return n.fresh.Access, nil
	}
	if renewedElsewhere(ctx, o) && usable(o.Credentials) {
		n.fresh = o.Credentials
		return n.fresh.Access, nil
	}
	t, err := p.renew(ctx, o)
	if errors.Is(err, calsync.ErrSignIn) && renewedElsewhere(ctx, o) { // meanwhile, and the one from before is over
		if usable(o.Credentials) {
			n.fresh = o.Credentials
			return n.fresh.Access, nil
		}
		t, err = p.renew(ctx, o)
	}
	if err != nil {
		return "", err
	}
	n.fresh = credentials(t, o.Credentials.Refresh)
	o.Credentials = n.fresh
	return n.fresh.Access, o.Save(ctx, n.fresh)
}

// renewedElsewhere reports whether another server of the database has kept newer credentials, which are used then.
func renewedElsewhere(ctx context.Context, o *calsync.Opening) bool {
	if o.Load == nil {
		return false
	}
	kept, err := o.Load(ctx)
	if err != nil || kept == o.Credentials {
		return false // of a connection that isn't kept yet, or is no more; or nothing is newer
	}
	o.Credentials = kept
	return true
}

func (p *Provider) renew(ctx context.Context, o *calsync.Opening) (*oauth2.Token, error) {
	source := p.config(o.Client, "").TokenSource(with(ctx, o.HTTP), &oauth2.Token{RefreshToken: o.Credentials.Refresh})
	t, err := source.Token()
	if err != nil {
		return nil, refused(err)
	}
	return t, nil
}

func (p *Provider) enter(id calsync.ConnectionID) *renewal {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.renewed == nil {
		p.renewed = map[calsync.ConnectionID]*renewal{}
	}
	now := time.Now().UnixMilli()
	for other, n := range p.renewed {
		if n.users == 0 && n.fresh.Expires < now {
			delete(p.renewed, other)
		}
	}
	n := p.renewed[id]
	if n == nil {
		n = &renewal{turn: make(chan struct{}, 1)}
		p.renewed[id] = n
	}
	n.users++
	return n
}

func (p *Provider) leave(n *renewal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n.users--
}

// with has x/oauth2 send its requests with the client. It reads at most 1 MiB of an answer.
func with(ctx context.Context, h *http.Client) context.Context {
	return context.WithValue(calsync.Apart(ctx), oauth2.HTTPClient, staying(h))
}

// staying returns the client without redirects: no other place gets an access.
func staying(h *http.Client) *http.Client {
	own := *h
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}

// refused is the error of a token endpoint in the words of calsync.
func refused(err error) error {
	var e *oauth2.RetrieveError
	if !errors.As(err, &e) {
		return lawful(err)
	}
	switch e.ErrorCode {
	// https://datatracker.ietf.org/doc/html/rfc6749#section-5.2, and the codes of Microsoft in
	// https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes
	case "invalid_grant", "invalid_client", "unauthorized_client", "access_denied", "interaction_required",
		"consent_required", "login_required":
		return errors.Join(calsync.ErrSignIn, errors.New(e.ErrorCode))
	}
	if e.Response == nil {
		return err
	}
	return statusError(e.Response)
}

// lawful tells the errors of the address law from those of the network.
func lawful(err error) error {
	var against *address.Refused
	if errors.As(err, &against) {
		return errors.Join(calsync.ErrForbidden, against)
	}
	return err
}
