package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
)

// ClientID identifies a registered client.
type ClientID = id.ID[ClientIDKind]

// ClientIDKind gives ids of clients their prefix.
type ClientIDKind struct{ id.Many }

func (ClientIDKind) Prefix() string { return "oc_" }

// Client is a program that may ask members for access. What it says about itself is not verified.
type Client struct {
	ID        ClientID // 0 for one that is known by its document
	Document  string   // the address of that document; "" for a registered one
	Name      string   // as it calls itself
	Redirects []string
}

// Key returns the client's id as used in the protocol.
func (c *Client) Key() string {
	if c.Document != "" {
		return c.Document
	}
	return c.ID.String()
}

const (
	maxRedirects = 20
	maxName      = 100 // characters
	maxMetadata  = 16 << 10
)

// metadata is what a client says of itself (RFC 7591 §2). What is not here is not used: logos and addresses would only
// make a stranger look familiar.
type metadata struct {
	ClientID      string   `json:"client_id"` // of a document only
	Redirects     []string `json:"redirect_uris"`
	Name          string   `json:"client_name"`
	Method        string   `json:"token_endpoint_auth_method"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
}

// client checks the metadata.
func (m *metadata) client() (c Client, err *Error) {
	if len(m.Redirects) == 0 {
		return c, refuse(InvalidRedirectURI, "redirect_uris is required")
	}
	if len(m.Redirects) > maxRedirects {
		return c, refuse(InvalidRedirectURI, "redirect_uris has at most 20")
	}
	for _, r := range m.Redirects {
		if wrong := checkRedirect(r); wrong != "" {
			return c, refuse(InvalidRedirectURI, wrong)
		}
	}
	// RFC 7591 §2.1: the grants and the responses that a client asks for must fit together.
	if len(m.GrantTypes) > 0 && !slices.Contains(m.GrantTypes, "authorization_code") {
		return c, refuse(InvalidClientMetadata, "grant_types must have authorization_code")
	}
	if len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code") {
		return c, refuse(InvalidClientMetadata, "response_types must have code")
	}
	return Client{Name: shownName(m.Name), Redirects: m.Redirects}, nil
}

// shownName returns a name that a stranger gave, in a form that can stand in a sentence: one line, no characters that
// turn the text around or are not seen, not too long.
func shownName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case !isShown(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Join(strings.Fields(name), " ")
	if utf8.RuneCountInString(name) > maxName {
		name = string([]rune(name)[:maxName-1]) + "…"
	}
	return name
}

// Registration is the response to a client that has registered (RFC 7591 §3.2.1).
type Registration struct {
	ClientID      string   `json:"client_id"`
	IssuedAt      int64    `json:"client_id_issued_at"`
	Name          string   `json:"client_name,omitempty"`
	Redirects     []string `json:"redirect_uris"`
	Method        string   `json:"token_endpoint_auth_method"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
}

// Register makes a client from its metadata in JSON (RFC 7591 §3.1). Anybody may register; a client that no member
// allows within a day is deleted. All clients are public: a secret that anybody can get proves nothing, so none is
// issued, whatever method the client asks for (RFC 7591 §3.2.1 lets the server replace it). Errors: *Error,
// rate_limited.
func (s *Service) Register(ctx context.Context, from netip.Addr, body []byte) (r Registration, err error) {
	var m metadata
	if len(body) > maxMetadata {
		return r, refuse(InvalidClientMetadata, "the metadata has at most 16 kB")
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return r, refuse(InvalidClientMetadata, "the body must be a JSON object with the members of RFC 7591 §2")
	}
	c, wrong := m.client()
	if wrong != nil {
		return r, wrong
	}
	if err := s.gate.Count(ctx, gate.Client{Address: from, Most: s.gate.Most(from, perAddress), What: "client "}); err != nil {
		return r, err
	}
	now := s.Core.Now()
	c.ID = id.New[ClientIDKind](now)
	err = s.Write(ctx, func(tx Tx) error { return tx.InsertOAuthClient(&c, when.At(now.Add(unusedLife))) })
	return Registration{ClientID: c.Key(), IssuedAt: now.Unix(), Name: c.Name, Redirects: c.Redirects, Method: "none",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}}, err
}

// errNoClient is told to the person, never to a redirect URI (RFC 6749 §4.1.2.1), and to clients with 401, so that they
// register again.
func errNoClient() *Error {
	return refuse(InvalidClient, "no client has this client_id: register again")
}

// client finds a client by its id on the wire. The error is *Error.
func (s *Service) client(ctx context.Context, key string) (Client, error) {
	if strings.Contains(key, ":") {
		return s.document(ctx, key)
	}
	known, err := s.registered(ctx, key)
	return known, err
}

func (s *Service) registered(ctx context.Context, key string) (Client, error) {
	number, err := id.Parse[ClientIDKind](key)
	if err != nil {
		return Client{}, errNoClient()
	}
	c, err := s.Reader(ctx).OAuthClient(number)
	if errors.Is(err, fault.ErrNotFound) {
		return c, errNoClient()
	}
	return c, err
}
