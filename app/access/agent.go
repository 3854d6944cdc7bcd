package access

import (
	"net/http"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/oauth"
	"daybook/app/subjects"
)

// AboutTools says what the agent tools are, to whoever has not connected yet and to clients.
const AboutTools = "The bookings, contacts and figures of a business, for the people who run it."

// IdentifyAgent does the same as Identify for the agent tools, which accept the access tokens of agents' programs
// besides API keys. A token opens the tools at the
// address that it was asked for, and no others (RFC 8707). For such a token it returns a key with the default rate. On unauthorized it sets the header that
// tells programs where to sign in.
func IdentifyAgent(s *subjects.Set, w http.ResponseWriter, r *http.Request, path string) (account.Key, error) {
	k, err := identifyAgent(s, r, path)
	if fault.Is(err, fault.Unauthorized) {
		wrong := ""
		if Token(r) != "" {
			wrong = oauth.InvalidToken
		}
		w.Header().Set("WWW-Authenticate", s.OAuth.Challenge(r.Host, path, wrong))
	}
	return k, err
}

func identifyAgent(s *subjects.Set, r *http.Request, path string) (account.Key, error) {
	value := Token(r)
	switch {
	case value == "":
		return account.Key{}, fault.New(fault.Unauthorized, "",
			"Sign in by the address in WWW-Authenticate, or send an API key as Authorization: Bearer <API_KEY>.")
	case !oauth.IsToken(value):
		return notPublic(fromHere(r)(s.Account.Authenticate(value)))
	}
	a, err := s.OAuth.AuthenticateToken(value)
	if err == nil && !a.OpensAt(path) {
		err = fault.New(fault.Unauthorized, "", "The access token is for other tools, those at %s. Sign in for these.", a.Resource)
	}
	return keyOf(a, err)
}

// CheckAgent does the same as IdentifyAgent for repeated checks of a bearer token, which don't count as a use.
func CheckAgent(s *subjects.Set, value string) error {
	if !oauth.IsToken(value) {
		_, err := s.Account.CheckKey(value)
		return err
	}
	_, err := s.OAuth.CheckToken(value)
	return err
}

// keyOf returns what a token stands for as a key. Its id is no key's: those are above zero.
func keyOf(a oauth.Access, err error) (account.Key, error) {
	if err != nil {
		return account.Key{}, err
	}
	return account.Key{ID: -app.KeyID(a.Grant), WorkspaceID: a.Member.WorkspaceID, Workspace: a.Member.Workspace,
		RateLimit: account.DefaultRateLimit, Member: a.Actor()}, nil
}
