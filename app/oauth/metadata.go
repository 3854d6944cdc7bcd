package oauth

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// Paths of the endpoints. The clients learn them from the metadata.
const (
	AuthorizePath = "/oauth/authorize"
	TokenPath     = "/oauth/token"
	RegisterPath  = "/oauth/register"
	RevokePath    = "/oauth/revoke"

	ServerMetadataPath   = "/.well-known/oauth-authorization-server" // RFC 8414 §3
	ResourceMetadataPath = "/.well-known/oauth-protected-resource"   // RFC 9728 §3
)

// Paths of the agent tools. A token for the tools of one path works at no other, but for the two of the ten tools.
const (
	ToolsPath = "/api/mcp"
	SSEPath   = "/api/sse"
	DeskPath  = "/api/mcp/desk"
	OwnerPath = "/api/mcp/owner"
)

// ResourcePaths are where the agent tools are. Each has metadata of its own at ResourceMetadataPath with the path
// behind it (RFC 9728 §3.1).
var ResourcePaths = []string{ToolsPath, SSEPath, DeskPath, OwnerPath}

// MostAt returns the largest scope that there is at a path of the tools.
func MostAt(path string) Scope {
	switch path {
	case DeskPath:
		return DeskScope
	case OwnerPath:
		return SettingsScope
	}
	return WriteScope
}

// scopesAt returns all scopes that there are at a path.
func scopesAt(path string) []Scope {
	return Scopes[:slices.Index(Scopes, MostAt(path))+1]
}

// pathOf returns the path of the tools at an address. That of the server itself stands for the ten, and so does SSE.
func pathOf(resource string) string {
	u, err := url.Parse(resource)
	if err != nil || u.Path == "" || u.Path == SSEPath {
		return ToolsPath
	}
	return u.Path
}

// OpensAt reports whether a token for the resource is one for the tools at the path (RFC 8707 §3).
func (a *Access) OpensAt(path string) bool {
	if path == SSEPath {
		path = ToolsPath
	}
	return pathOf(a.Resource) == path
}

// Issuer is our name as an authorization server (RFC 8414 §2).
func (s *Service) Issuer() string { return s.Core.BaseURL() }

// ServerMetadata is what clients must know of us (RFC 8414 §2).
type ServerMetadata struct {
	Issuer               string   `json:"issuer"`
	Authorization        string   `json:"authorization_endpoint"`
	Token                string   `json:"token_endpoint"`
	Registration         string   `json:"registration_endpoint"`
	Revocation           string   `json:"revocation_endpoint"`
	Scopes               []Scope  `json:"scopes_supported"`
	ResponseTypes        []string `json:"response_types_supported"`
	ResponseModes        []string `json:"response_modes_supported"`
	GrantTypes           []string `json:"grant_types_supported"`
	TokenMethods         []string `json:"token_endpoint_auth_methods_supported"`
	RevocationMethods    []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods     []string `json:"code_challenge_methods_supported"`               // RFC 7636 §6.2
	NamesIssuer          bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207 §3
	TakesDocuments       bool     `json:"client_id_metadata_document_supported"`          // CIMD §7
	ProtectedResources   []string `json:"protected_resources"`                            // RFC 9728 §4
	ServiceDocumentation string   `json:"service_documentation"`
}

// ServerMetadata returns the ServerMetadata of this server.
func (s *Service) ServerMetadata() ServerMetadata {
	base, none := s.Issuer(), []string{"none"}
	m := ServerMetadata{
		Issuer: base, Authorization: base + AuthorizePath, Token: base + TokenPath, Registration: base + RegisterPath,
		Revocation: base + RevokePath, Scopes: Scopes, ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes: []string{"authorization_code", "refresh_token"}, TokenMethods: none, RevocationMethods: none,
		ChallengeMethods: []string{"S256"}, NamesIssuer: true, TakesDocuments: true,
		ServiceDocumentation: base + "/api/docs",
	}
	for _, path := range ResourcePaths {
		m.ProtectedResources = append(m.ProtectedResources, base+path)
	}
	return m
}

// ResourceMetadata is what clients must know of the agent tools (RFC 9728 §2).
type ResourceMetadata struct {
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []Scope  `json:"scopes_supported"`
	Methods       []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name"`
	Documentation string   `json:"resource_documentation"`
}

// ResourceMetadata returns the metadata of the tools at the path, "" for those of /api/mcp, at the address that the
// request was sent to: clients compare it with what the person typed, character by character (RFC 9728 §3.3).
func (s *Service) ResourceMetadata(host, path string) ResourceMetadata {
	base := s.typed(host)
	if path == "" {
		path = ResourcePaths[0]
	}
	return ResourceMetadata{Resource: base + path, Servers: []string{s.Issuer()}, Scopes: scopesAt(path),
		Methods: []string{"header"}, Name: "Daybook", Documentation: s.Issuer() + "/api/docs"}
}

// What is wrong with the token of a request to the tools (RFC 6750 §3.1).
const (
	InvalidToken      = "invalid_token"
	InsufficientScope = "insufficient_scope"
)

// Challenge returns the WWW-Authenticate header of a request to the tools at the path that has no token, or whose token
// was refused, which wrong says (RFC 9728 §5.1, RFC 6750 §3).
func (s *Service) Challenge(host, path, wrong string) string {
	text := `Bearer resource_metadata="` + s.typed(host) + ResourceMetadataPath + path + `", scope="` +
		MostAt(path).words() + `"`
	if wrong != "" {
		text += `, error="` + wrong + `"`
	}
	return text
}

// addresses returns where people reach this server, as scheme and host: the base URL and its aliases. A host that
// somebody else made lead here is none of them, or tokens for it would be sent to that one.
func (s *Service) addresses() []string {
	all := []string{s.Core.BaseURL()}
	u, err := url.Parse(s.Core.BaseURL())
	if err != nil {
		return all
	}
	ip := net.ParseIP(u.Hostname())
	if u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
			host := name
			if u.Port() != "" {
				host += ":" + u.Port()
			}
			all = append(all, u.Scheme+"://"+host)
		}
	}
	return append(all, s.config.Aliases...)
}

// typed returns the one of our addresses whose host a request was sent to, the base URL for any other.
func (s *Service) typed(host string) string {
	for _, base := range s.addresses() {
		if u, err := url.Parse(base); err == nil && strings.EqualFold(u.Host, host) {
			return base
		}
	}
	return s.Core.BaseURL()
}

// resource returns the address of our tools that a client wants a token for (RFC 8707 §2): absolute, without a
// fragment. Left out it is that of /api/mcp. Scheme and host have no case and a usual port may be left out, as RFC 3986
// §6.2 has it; a slash may end it, as people type. The error is invalid_target.
func (s *Service) resource(asked []string) (string, *Error) {
	first := s.Core.BaseURL() + ResourcePaths[0]
	for i, text := range asked {
		if text == "" && len(asked) == 1 {
			break
		}
		plain, ok := canonical(text)
		if !ok || !s.isResource(plain) {
			return "", refuse(InvalidTarget, "the resource must be the address of the agent tools: "+first)
		}
		if i == 0 {
			first = plain
		}
	}
	return first, nil
}

func (s *Service) isResource(plain string) bool {
	for _, base := range s.addresses() {
		own, ok := canonical(base)
		if !ok {
			continue
		}
		if plain == own { // as the server's own metadata is asked for
			return true
		}
		for _, path := range ResourcePaths {
			if plain == own+path {
				return true
			}
		}
	}
	return false
}

// canonical writes equal addresses in the same way.
func canonical(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || strings.ContainsAny(text, "#?") {
		return "", false
	}
	host := strings.ToLower(u.Host)
	for scheme, port := range map[string]string{"https": ":443", "http": ":80"} {
		if u.Scheme == scheme {
			host = strings.TrimSuffix(host, port)
		}
	}
	return u.Scheme + "://" + host + strings.TrimSuffix(u.EscapedPath(), "/"), true
}
