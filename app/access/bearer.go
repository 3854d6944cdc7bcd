package access

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/oauth"
	"daybook/app/right"
	"daybook/app/serve"
)

type keyOfRequest struct{}

// Key returns the API key that WithKey has put into ctx; the zero Key without one.
func Key(ctx context.Context) account.Key {
	k, _ := ctx.Value(keyOfRequest{}).(account.Key)
	return k
}

// WithKey returns ctx with the API key of the request.
func WithKey(ctx context.Context, k account.Key) context.Context {
	return context.WithValue(ctx, keyOfRequest{}, k)
}

// Admit finds the key of the request, counts the request, and sets the RateLimit headers. Errors: unauthorized,
// rate_limited.
func Admit(s *account.Service, w http.ResponseWriter, r *http.Request) (account.Key, error) {
	k, err := Identify(s, r)
	if err != nil {
		return k, err
	}
	limit, err := s.Allow(k)
	SetLimit(w.Header(), limit)
	return k, err
}

// Token returns the bearer token of the request, "" for none.
func Token(r *http.Request) string {
	scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(value)
}

// Identify finds the key of the request and counts nothing. Errors: unauthorized, forbidden (the address).
func Identify(s *account.Service, r *http.Request) (account.Key, error) {
	value := Token(r)
	switch {
	case oauth.IsToken(value):
		return account.Key{}, OfTools()
	case value == "":
		return account.Key{}, fault.New(fault.Unauthorized, "", "Send an API key as Authorization: Bearer <API_KEY>.")
	}
	return notPublic(fromHere(r)(s.Authenticate(value)))
}

// OfTools returns the error for an access token used where only API keys are accepted.
func OfTools() error {
	return fault.New(fault.Unauthorized, "",
		"This is the token of an agent's sign-in: it works at /api/mcp and the other tools' addresses only. Send an API key as "+
			"Authorization: Bearer <API_KEY>.")
}

// notPublic adds the refusal of a public key.
func notPublic(k account.Key, err error) (account.Key, error) {
	if err == nil && k.Scope == account.PublicScope {
		err = right.Public()
	}
	return k, err
}

// fromHere adds the refusal of a key that may not be used from the request's address.
func fromHere(r *http.Request) func(account.Key, error) (account.Key, error) {
	return func(k account.Key, err error) (account.Key, error) {
		if err != nil || k.Limits == nil {
			return k, err
		}
		return k, k.Limits.From(From(r))
	}
}

// From returns the address that the request comes from; an invalid Addr if it is unknown.
func From(r *http.Request) netip.Addr {
	from := serve.ClientIP(r.Context())
	if !from.IsValid() {
		peer, _ := netip.ParseAddrPort(r.RemoteAddr)
		from = peer.Addr()
	}
	return from
}

// SetLimit sets the RateLimit headers.
func SetLimit(h http.Header, limit account.Limit) {
	h.Set("RateLimit-Limit", strconv.Itoa(limit.Limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(limit.Remaining))
	h.Set("RateLimit-Reset", strconv.Itoa(int((limit.Reset+time.Second-1)/time.Second)))
}
