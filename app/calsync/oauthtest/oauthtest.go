// Package oauthtest is a stand-in for an OAuth provider, which those for Google and Microsoft stand on. It takes what
// RFC 6749, 7009 and 7636 and the two's own pages describe, and nothing else.
package oauthtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The one client that the stand-in knows.
const (
	ClientID = "client.apps.example"
	Secret   = "client-secret"
)

// Server is the stand-in. Its fields are set before it is used.
type Server struct {
	Scopes    []string // that a sign-in must ask for: all, and no others
	Params    url.Values
	Rotates   bool // each renewal has a new refresh token, as at Microsoft
	Once      bool // and the one that it was renewed by is over
	Forgetful bool // a sign-in ends without a refresh token

	Mu        sync.Mutex
	seq       int
	codes     map[string]url.Values // the sign-ins that have just ended
	refreshes map[string]bool
	accesses  map[string]bool
	Renewals  int // of an access
	Revoked   []string
}

// SignIn is what a person does at the address: signs in and agrees. It returns what the browser carries back.
func (s *Server) SignIn(t testing.TB, address string) (state, code string) {
	t.Helper()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	want := url.Values{"response_type": {"code"}, "client_id": {ClientID}, "code_challenge_method": {"S256"}}
	for name, values := range s.Params {
		want[name] = values
	}
	for name, values := range q {
		switch name {
		case "state", "redirect_uri", "code_challenge":
			if len(values) != 1 || values[0] == "" {
				t.Fatalf("%s is %q", name, values)
			}
		case "scope":
			got := strings.Fields(values[0])
			slices.Sort(got)
			all := slices.Sorted(slices.Values(s.Scopes))
			if !slices.Equal(got, all) {
				t.Fatalf("the scopes are %q, want %q", got, all)
			}
		default:
			if !slices.Equal(values, want[name]) {
				t.Fatalf("the sign-in has %s=%q, want %q", name, values, want[name])
			}
			delete(want, name)
		}
	}
	if len(want) > 0 || q.Get("redirect_uri") == "" || q.Get("state") == "" || q.Get("code_challenge") == "" {
		t.Fatalf("the sign-in %s lacks %v", address, want)
	}
	code = s.next("code")
	if s.codes == nil {
		s.codes, s.refreshes, s.accesses = map[string]url.Values{}, map[string]bool{}, map[string]bool{}
	}
	s.codes[code] = q
	return q.Get("state"), code
}

func (s *Server) next(kind string) string {
	s.seq++
	return fmt.Sprintf("%s-%d", kind, s.seq)
}

// Grant returns a refresh token of somebody who has signed in before.
func (s *Server) Grant() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.codes == nil {
		s.codes, s.refreshes, s.accesses = map[string]url.Values{}, map[string]bool{}, map[string]bool{}
	}
	t := s.next("refresh")
	s.refreshes[t] = true
	return t
}

// ExpireAccess ends all access tokens, as an hour does.
func (s *Server) ExpireAccess() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	clear(s.accesses)
}

// Withdraw is what an account's owner does among its connected apps: all is over.
func (s *Server) Withdraw() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	clear(s.accesses)
	clear(s.refreshes)
}

// Knows reports whether a request carries an access token. The caller holds Mu.
func (s *Server) Knows(r *http.Request) bool {
	access, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && s.accesses[access]
}

// Token answers the token endpoint: https://datatracker.ietf.org/doc/html/rfc6749#section-4.1.3 and #section-6
func (s *Server) Token(w http.ResponseWriter, r *http.Request) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	refuse := func(code, text string) {
		answer(w, http.StatusBadRequest, map[string]any{"error": code, "error_description": text})
	}
	if r.Method != "POST" || r.ParseForm() != nil || len(r.URL.Query()) > 0 {
		refuse("invalid_request", "a form must be posted")
		return
	}
	f := r.PostForm
	if f.Get("client_id") != ClientID || f.Get("client_secret") != Secret {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	only := func(names ...string) bool {
		for name := range f {
			if !slices.Contains(append(names, "grant_type", "client_id", "client_secret"), name) {
				refuse("invalid_request", "unknown parameter "+name)
				return false
			}
		}
		return true
	}
	refresh := f.Get("refresh_token")
	switch f.Get("grant_type") {
	case "authorization_code":
		if !only("code", "redirect_uri", "code_verifier") {
			return
		}
		q, known := s.codes[f.Get("code")]
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		if !known || f.Get("redirect_uri") != q.Get("redirect_uri") ||
			base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge") {
			refuse("invalid_grant", "the code is unknown, used, or of another request")
			return
		}
		delete(s.codes, f.Get("code"))
		refresh = s.next("refresh")
		s.refreshes[refresh] = true
	case "refresh_token":
		if !only("refresh_token") {
			return
		}
		if !s.refreshes[refresh] {
			refuse("invalid_grant", "Token has been expired or revoked.")
			return
		}
		s.Renewals++
		if s.Once {
			delete(s.refreshes, refresh)
		}
		if s.Rotates {
			refresh = s.next("refresh")
			s.refreshes[refresh] = true
		}
	default:
		refuse("unsupported_grant_type", "")
		return
	}
	access := s.next("access")
	s.accesses[access] = true
	body := map[string]any{"access_token": access, "expires_in": 3599, "token_type": "Bearer",
		"scope": strings.Join(s.Scopes, " ")}
	if !s.Forgetful && (f.Get("grant_type") == "authorization_code" || s.Rotates) {
		body["refresh_token"] = refresh
	}
	answer(w, http.StatusOK, body)
}

// Revoke answers https://developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke: all of the account's
// tokens are over.
func (s *Server) Revoke(w http.ResponseWriter, r *http.Request) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if r.Method != "POST" || r.ParseForm() != nil || len(r.Form) != 1 || !s.refreshes[r.PostForm.Get("token")] {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_token"})
		return
	}
	s.Revoked = append(s.Revoked, r.PostForm.Get("token"))
	clear(s.accesses)
	clear(s.refreshes)
	answer(w, http.StatusOK, map[string]any{})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the caller is gone
}
