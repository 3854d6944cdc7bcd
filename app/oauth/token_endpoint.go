package oauth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// Tokens is a successful response of the token endpoint (RFC 6749 §5.1).
type Tokens struct {
	Access  string `json:"access_token"`
	Type    string `json:"token_type"`
	Expires int    `json:"expires_in"` // seconds
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"` // as it was granted, which may be less than was asked for
}

// Token handles a request at the token endpoint (RFC 6749 §4.1.3, §6). Errors: *Error.
func (s *Service) Token(ctx context.Context, form url.Values) (Tokens, error) {
	for name := range form {
		if _, twice := one(form, name); twice && name != "resource" { // RFC 6749 §3.2, RFC 8707 §2
			return Tokens{}, refuse(InvalidRequest, "a parameter may be given once")
		}
	}
	if form.Get("client_id") == "" { // RFC 6749 §3.2.1: clients without a secret say who they are
		return Tokens{}, refuse(InvalidRequest, "client_id is required")
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		return s.redeem(ctx, form)
	case "refresh_token":
		return s.refresh(ctx, form)
	case "":
		return Tokens{}, refuse(InvalidRequest, "grant_type is required")
	}
	return Tokens{}, refuse(UnsupportedGrantType, "grant_type must be authorization_code or refresh_token")
}

// verifiers are those of PKCE (RFC 7636 §4.1).
var verifiers = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)

// settle runs a change of one grant. What change refuses is kept all the same: it may have ended the grant.
func (s *Service) settle(ctx context.Context, change func(tx Tx) (Tokens, error)) (t Tokens, err error) {
	var wrong *Error
	err = s.Write(ctx, func(tx Tx) error {
		wrong = nil
		made, err := change(tx)
		if errors.As(err, &wrong) {
			return nil
		}
		t = made
		return err
	})
	if err == nil && wrong != nil {
		return Tokens{}, wrong
	}
	return t, err
}

// redeem gives the first tokens of a grant for its code. A code is good once and for one minute; who comes a second
// time may have stolen it, or the first one has, so that the whole family ends (RFC 6749 §4.1.2, §10.5). One try with
// another client, address or verifier ends it as well.
func (s *Service) redeem(ctx context.Context, form url.Values) (Tokens, error) {
	verifier := form.Get("code_verifier")
	if form.Get("code") == "" {
		return Tokens{}, refuse(InvalidRequest, "code is required")
	}
	if !verifiers.MatchString(verifier) {
		return Tokens{}, refuse(InvalidRequest, "code_verifier is required, with its 43 to 128 characters")
	}
	parts, ok := secrets(form.Get("code"), codePrefix, 1)
	if !ok {
		return Tokens{}, s.noGrant(ctx, form)
	}
	return s.settle(ctx, func(tx Tx) (Tokens, error) {
		now := s.Core.Now()
		g, err := tx.LockGrantByCode(hash(parts[0]))
		if errors.Is(err, fault.ErrNotFound) {
			return Tokens{}, s.noGrant(ctx, form)
		}
		if err != nil {
			return Tokens{}, err
		}
		challenge := base64.RawURLEncoding.EncodeToString(hash([]byte(verifier))) // RFC 7636 §4.6
		asked := form.Get("redirect_uri")
		switch {
		case g.Family != nil,
			g.Client != form.Get("client_id"),
			// RFC 6749 §4.1.3 wants it again, OAuth 2.1 §4.1.3 no more: PKCE does what it was for.
			asked != "" && asked != g.Redirect,
			subtle.ConstantTimeCompare([]byte(challenge), []byte(g.Challenge)) != 1,
			g.OverAt <= when.At(now):
			end := s.replayed
			if g.Family == nil { // nothing was given for it
				end = func(tx Tx, g *Grant) error { return tx.DeleteGrant(g.ID) }
			}
			if err := end(tx, &g); err != nil {
				return Tokens{}, err
			}
			return Tokens{}, refuse(InvalidGrant, "the code is unknown, used, too old, or for another client, redirect_uri "+
				"or code_verifier")
		}
		if wrong := s.sameResource(&g, form); wrong != nil {
			return Tokens{}, wrong
		}
		family, first, access := random(), random(), random()
		g.Family, g.Refresh, g.Token = hash(family), hash(first), hash(access)
		g.Until, g.RotatedAt = when.At(now.Add(accessLife)), when.At(now)
		g.extend(when.At(now))
		return g.tokens(family, first, access, when.At(now)), tx.SaveTokens(&g)
	})
}

// noGrant says that a code or a token is not known, and of a client that is not known either says that instead: some
// clients register again then only.
func (s *Service) noGrant(ctx context.Context, form url.Values) error {
	key := form.Get("client_id")
	if !strings.Contains(key, ":") {
		if _, err := s.registered(ctx, key); err != nil {
			return err
		}
	}
	return refuse(InvalidGrant, "the code or the refresh token is unknown, used or too old: ask the member again")
}

// sameResource refuses a token for another address than was asked for at first (RFC 8707 §2.2).
func (s *Service) sameResource(g *Grant, form url.Values) *Error {
	if len(form["resource"]) == 0 || form.Get("resource") == "" {
		return nil
	}
	asked, wrong := s.resource(form["resource"])
	if wrong == nil && asked != g.Resource {
		wrong = refuse(InvalidTarget, "the member was asked for another resource: "+g.Resource)
	}
	return wrong
}

// extend moves the end of a grant that is used.
func (g *Grant) extend(now when.Instant) {
	g.LastUsedAt = now
	g.OverAt = min(now.Add(refreshIdle), g.EndsAt)
	g.Until = min(g.Until, g.OverAt)
}

func (g *Grant) tokens(family, refresh, access []byte, now when.Instant) Tokens {
	return Tokens{Access: accessPrefix + text(access), Type: "Bearer", Expires: int(g.Until-now) / 1000,
		Refresh: refreshPrefix + text(family) + text(refresh), Scope: g.Scope.words()}
}

// refresh gives new tokens for a refresh token, which is good once (RFC 9700 §4.14.2: rotation, as clients here have no
// secret). All of a family begin with the same random part, so that an old one is known for what it is however many
// came after it: then either it or the present one is stolen, and the family ends.
//
// An answer may get lost, and programs that start together send the same token at once. So within 30 seconds the token
// before gets the very same answer again, whoever sends it: the new tokens are made of the old one and a salt that the
// row has until the next time, and no token is kept.
func (s *Service) refresh(ctx context.Context, form url.Values) (Tokens, error) {
	if form.Get("refresh_token") == "" {
		return Tokens{}, refuse(InvalidRequest, "refresh_token is required")
	}
	parts, ok := secrets(form.Get("refresh_token"), refreshPrefix, 2)
	if !ok {
		return Tokens{}, s.noGrant(ctx, form)
	}
	return s.settle(ctx, func(tx Tx) (Tokens, error) {
		now := when.At(s.Core.Now())
		g, err := tx.LockGrantByFamily(hash(parts[0]))
		if errors.Is(err, fault.ErrNotFound) {
			return Tokens{}, s.noGrant(ctx, form)
		}
		if err != nil {
			return Tokens{}, err
		}
		if g.Client != form.Get("client_id") || g.OverAt <= now {
			return Tokens{}, refuse(InvalidGrant, "the refresh token is too old, or for another client")
		}
		for _, word := range strings.Fields(form.Get("scope")) { // RFC 6749 §6: never more than was granted
			if s := Scope(word); slices.Contains(Scopes, s) && !g.Scope.Includes(s) {
				return Tokens{}, refuse(InvalidScope, "the member allowed no more than "+g.Scope.words())
			}
		}
		if wrong := s.sameResource(&g, form); wrong != nil {
			return Tokens{}, wrong
		}
		sent, again := hash(parts[1]), false
		switch {
		case subtle.ConstantTimeCompare(sent, g.Refresh) == 1:
			g.Salt = random()
		case subtle.ConstantTimeCompare(sent, g.Previous) == 1 && now < g.RotatedAt.Add(grace) && g.Salt != nil &&
			now > g.RotatedAt.Add(-grace):
			again = true
		default:
			if err := s.replayed(tx, &g); err != nil {
				return Tokens{}, err
			}
			return Tokens{}, refuse(InvalidGrant, "the refresh token was used before: the connection is ended, as somebody "+
				"else may have it")
		}
		next, access := hash(g.Salt, []byte("refresh"), parts[1]), hash(g.Salt, []byte("access"), parts[1])
		if !again {
			g.Previous, g.Refresh, g.RotatedAt = g.Refresh, hash(next), now
			g.PreToken, g.PreUntil = g.Token, g.Until
			g.Token, g.Until = hash(access), now.Add(accessLife)
			g.extend(now)
			if err := tx.SaveTokens(&g); err != nil {
				return Tokens{}, err
			}
		}
		return g.tokens(parts[0], next, access, now), nil
	})
}

// RevokeToken ends the family of a token, given any of its tokens (RFC 7009 §2.1). An unknown token is no error (§2.2).
// A caller need not name its client; if it names another client than the token's, the error is invalid_client. Errors:
// *Error.
func (s *Service) RevokeToken(ctx context.Context, form url.Values) error {
	for name := range form {
		if _, twice := one(form, name); twice {
			return refuse(InvalidRequest, "a parameter may be given once")
		}
	}
	value := form.Get("token")
	if value == "" {
		return refuse(InvalidRequest, "token is required")
	}
	find := func(tx Tx) (g Grant, err error) {
		if parts, ok := secrets(value, refreshPrefix, 2); ok {
			return tx.LockGrantByFamily(hash(parts[0]))
		}
		if parts, ok := secrets(value, accessPrefix, 1); ok {
			found, err := tx.Access(hash(parts[0]))
			if err != nil {
				return g, err
			}
			return tx.Grant(found.Grant)
		}
		return g, fault.ErrNotFound
	}
	_, err := s.settle(ctx, func(tx Tx) (Tokens, error) {
		g, err := find(tx)
		if errors.Is(err, fault.ErrNotFound) {
			return Tokens{}, nil
		}
		if err != nil {
			return Tokens{}, err
		}
		if key := form.Get("client_id"); key != "" && key != g.Client {
			return Tokens{}, refuse(InvalidClient, "the token is another client's")
		}
		a := g.Member.Actor()
		a.Kind = booking.ByAgent
		return Tokens{}, s.end(tx, a, &g, audit.AgentEnded)
	})
	return err
}
