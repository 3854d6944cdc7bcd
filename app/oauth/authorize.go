package oauth

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/id"
	"daybook/app/when"
)

// Question is what a member is asked when a client requests access.
type Question struct {
	Client   Client
	Target   Target
	Redirect string
	Most     Scope // the largest that the client asks for, of those that there are at the resource
	EndsAt   when.Instant

	resource, challenge, state string
}

// Consent is the member's decision.
type Consent struct {
	Allow bool
	Scope Scope
}

// challenges are SHA-256 in base64url: PKCE with S256 (RFC 7636 §4.2).
var challenges = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// one returns the value of a parameter, "" for none: one without a value counts as left out (RFC 6749 §3.1). twice
// reports that it stands there more than once, which §3.1 forbids.
func one(q url.Values, name string) (value string, twice bool) {
	all := q[name]
	if len(all) == 0 {
		return "", false
	}
	return all[0], len(all) > 1
}

// AskConsent reads a client's request for authorization, the query of the authorization endpoint (RFC 6749 §4.1.1).
//
// The error is *Error. It has a Redirect only once the client and its redirect URI are known to belong together; before
// that the browser must not be redirected (RFC 6749 §4.1.2.1, RFC 9700 §4.11). Other errors: forbidden.
func (s *Service) AskConsent(ctx context.Context, a app.Actor, q url.Values) (Question, error) {
	if err := a.May(app.MaySeeSessions); err != nil {
		return Question{}, err
	}
	key, twice := one(q, "client_id")
	if key == "" || twice {
		return Question{}, refuse(InvalidRequest, "client_id is required, once")
	}
	c, err := s.client(ctx, key)
	if err != nil {
		return Question{}, err
	}
	ask := Question{Client: c, EndsAt: when.At(s.Core.Now().Add(grantLife))}
	ask.Redirect, twice = one(q, "redirect_uri")
	switch {
	case twice:
		return Question{}, refuse(InvalidRequest, "redirect_uri may be given once")
	case ask.Redirect == "" && len(c.Redirects) == 1: // RFC 6749 §3.1.2.3
		ask.Redirect = c.Redirects[0]
	case ask.Redirect == "":
		return Question{}, refuse(InvalidRequest, "redirect_uri is required")
	case !registered(c.Redirects, ask.Redirect):
		return Question{}, refuse(InvalidRequest, "the redirect_uri is none of the client's")
	}
	ask.Target = TargetOf(ask.Redirect)
	if wrong := ask.read(s, q); wrong != nil {
		wrong.Redirect = s.refusal(&ask, wrong)
		return Question{}, wrong
	}
	return ask, nil
}

// read reads the rest of the request, of which the client may be told what is wrong.
func (ask *Question) read(s *Service, q url.Values) *Error {
	var twice bool
	if ask.state, twice = one(q, "state"); twice {
		ask.state = ""
		return refuse(InvalidRequest, "state may be given once")
	}
	for _, name := range []string{"response_type", "scope", "code_challenge", "code_challenge_method", "response_mode"} {
		if _, twice := one(q, name); twice {
			return refuse(InvalidRequest, name+" may be given once")
		}
	}
	switch kind := q.Get("response_type"); kind {
	case "code": // RFC 9700 §2.1.2: no other
	case "":
		return refuse(InvalidRequest, "response_type is required")
	default:
		return refuse(UnsupportedResponseType, "response_type must be code")
	}
	if mode := q.Get("response_mode"); mode != "" && mode != "query" {
		return refuse(InvalidRequest, "response_mode must be query")
	}
	// RFC 9700 §2.1.1: PKCE for every client, and S256, since plain shows the verifier (RFC 7636 §7.2). Left out, the
	// method would be plain (§4.3).
	ask.challenge = q.Get("code_challenge")
	if q.Get("code_challenge_method") != "S256" || !challenges.MatchString(ask.challenge) {
		return refuse(InvalidRequest, "PKCE is required: code_challenge_method S256, and a code_challenge of 43 characters")
	}
	var wrong *Error
	if ask.resource, wrong = s.resource(q["resource"]); wrong != nil {
		return wrong
	}
	// RFC 6749 §3.3: words that are not known are left out, and the answer says what was granted. No words at all ask
	// for everything, of which the member chooses.
	words, all := strings.Fields(q.Get("scope")), scopesAt(pathOf(ask.resource))
	for _, s := range all {
		if slices.Contains(words, string(s)) {
			ask.Most = s
		}
	}
	if ask.Most == "" {
		ask.Most = all[len(all)-1]
		if slices.ContainsFunc(Scopes, func(s Scope) bool { return slices.Contains(words, string(s)) }) {
			ask.Most = WriteScope // of a larger one that there is none of here
		}
	}
	return nil
}

// respond returns the redirect URI with the answer, which names us by iss (RFC 9207 §2), so that a client of several
// servers knows whose answer it is.
func (s *Service) respond(ask *Question, q url.Values) string {
	if ask.state != "" {
		q.Set("state", ask.state)
	}
	q.Set("iss", s.Issuer())
	return withQuery(ask.Redirect, q)
}

func (s *Service) refusal(ask *Question, e *Error) string {
	return s.respond(ask, url.Values{"error": {string(e.Code)}, "error_description": {e.Text}})
}

// Consent carries out the member's decision, and returns the address to which their browser goes: the client's, with a
// code or with access_denied. Errors: those of AskConsent.
func (s *Service) Consent(ctx context.Context, a app.Actor, q url.Values, say Consent) (redirect string, err error) {
	ask, err := s.AskConsent(ctx, a, q)
	if err != nil {
		return "", err
	}
	if !say.Allow {
		return s.refusal(&ask, refuse(AccessDenied, "the member said no")), nil
	}
	secret, now := random(), s.Core.Now()
	g := Grant{ID: id.New[GrantIDKind](now), WorkspaceID: a.Workspace, Client: ask.Client.Key(), Name: ask.Client.Name,
		Redirect: ask.Redirect, Scope: ReadScope, Resource: ask.resource, EndsAt: ask.EndsAt,
		OverAt: when.At(now.Add(codeLife)), codes: codes{Code: hash(secret), Challenge: ask.challenge},
		Member: app.User{ID: a.User, WorkspaceID: a.Workspace, Role: a.Role, HostID: a.Host}}
	for _, s := range Scopes {
		if say.Scope.Includes(s) && ask.Most.Includes(s) {
			g.Scope = s
		}
	}
	err = s.Write(ctx, func(tx Tx) error {
		still, err := tx.LockMember(&g.Member)
		if err != nil {
			return err
		}
		if !still { // removed, or given another role, while the page was open
			return errMemberChanged
		}
		if ask.Client.ID != 0 {
			if err := tx.KeepOAuthClient(ask.Client.ID, when.At(now.Add(clientLife))); err != nil {
				return err
			}
		}
		if err := tx.InsertGrant(&g); err != nil {
			return err
		}
		return audit.Note(tx, now, a, audit.Entry{Action: audit.AgentAllowed, Subject: g.ID.String(), To: string(g.Scope)})
	})
	if errors.Is(err, errMemberChanged) {
		return s.refusal(&ask, refuse(AccessDenied, "the member's role has changed")), nil
	}
	if err != nil {
		return "", err
	}
	return s.respond(&ask, url.Values{"code": {codePrefix + text(secret)}}), nil
}

var errMemberChanged = errors.New("the member has changed")
