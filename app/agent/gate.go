package agent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/oauth"
)

const maxBody = 1 << 20

// gate checks each request to the set of tools at the path: its origin, method and key or token, and the size, type and rate
// of a message. A GET goes on to get, other methods to post.
func (d *Door) gate(methods, path string, of *set, get, post http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := d.admitOrigin(w, r, methods); err != nil {
			access.WriteError(w, err, d.log)
			return
		}
		if r.Method == http.MethodOptions && r.Header.Get("Origin") != "" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !slices.Contains(strings.Split(methods, ", "), r.Method) {
			w.Header().Set("Allow", methods)
			access.WriteError(w, fault.New(fault.MethodNotAllowed, "", "This path takes %s.", methods), d.log)
			return
		}
		if r.Method == http.MethodGet && !wantsStream(r.Header.Get("Accept")) {
			d.explain(w)
			return
		}
		k, err := access.IdentifyAgent(d.service, w, r, path)
		if err != nil {
			access.WriteError(w, err, d.log)
			return
		}
		m, fault, err := d.readMessage(w, r)
		if err != nil {
			access.WriteError(w, err, d.log)
			return
		}
		if err := d.count(w, k, m.Method); err != nil {
			access.WriteError(w, err, d.log)
			return
		}
		if t := m.tool(of); fault == nil && t != nil && k.Member.User != 0 && !oauth.ScopeOf(k.Member).Includes(t.scope()) {
			w.Header().Set("WWW-Authenticate", d.service.OAuth.Challenge(r.Host, path, oauth.InsufficientScope))
			access.WriteError(w, tooLittle(k.Member), d.log)
			return
		}
		if fault != nil {
			if err := fault.write(w); err != nil {
				access.WriteError(w, err, d.log)
			}
			return
		}
		r.Header.Del("Mcp-Session-Id") // see doc.go
		ctx := access.WithKey(r.Context(), k)
		ctx = context.WithValue(ctx, wantsAnswer{}, m.wantsAnswer())
		ctx = context.WithValue(ctx, requestID{}, w.Header().Get("X-Request-Id"))
		next := post
		switch {
		case r.Method == http.MethodGet:
			next = get
		case m.Method == string(mcp.MethodSubscriptionsListen):
			next = acknowledged(post)
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// tool returns the tool that the message calls, or nil.
func (m *message) tool(of *set) *tool {
	var params struct{ Name string }
	if m.Method != string(mcp.MethodToolsCall) || json.Unmarshal(m.Params, &params) != nil {
		return nil
	}
	return of.tool(params.Name)
}

// tooLittle returns the error for a call by a sign-in that was allowed less. Clients ask the person again by themselves,
// for the scope in WWW-Authenticate, which they don't where a tool fails.
func tooLittle(a app.Actor) error {
	if a.ReadOnly {
		return fault.New(fault.Forbidden, "insufficient_scope",
			"This sign-in may only look. Sign in again, and allow it to book, move and cancel.")
	}
	return fault.New(fault.Forbidden, "insufficient_scope",
		"This sign-in wasn't allowed that. Sign in again, and allow it to work at the desk, or to change settings.")
}

// explain tells people who open the address in a browser what it is for.
func (d *Door) explain(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotAcceptable)
	fmt.Fprintf(w,
		"This address is for AI agents, which speak the Model Context Protocol (MCP); there is no page to see.\n\n"+
			"Connect an MCP client to %s/api/mcp: it asks you to sign in, or takes an API key. The dashboard shows how "+
			"under Developers, Agents.\n",
		d.service.BaseURL())
}

type (
	requestID   struct{}
	wantsAnswer struct{}
)

// count counts the request against the key's rate: see doc.go.
func (d *Door) count(w http.ResponseWriter, k account.Key, method string) error {
	counted := d.service.Account.AllowHandshake
	if method == "tools/call" {
		counted = d.service.Account.Allow
	}
	limit, err := counted(k)
	access.SetLimit(w.Header(), limit)
	return err
}

// readMessage reads a POST's body, keeps it in r for the transport, and returns the parts of the message that the gate
// checks, or what is wrong with it.
func (d *Door) readMessage(w http.ResponseWriter, r *http.Request) (message, *rpcError, error) {
	if r.Method != http.MethodPost {
		return message{}, nil, nil
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return message{}, nil,
			fault.New(fault.UnsupportedMediaType, "", "Send the message as application/json.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return message{}, nil, fault.New(fault.PayloadTooLarge, "", "A message has at most 1 MiB.")
	}
	if fault.As(err) != nil { // such as that it stopped coming
		return message{}, nil, err
	}
	if err != nil {
		return message{}, nil, fault.New(fault.BadRequest, "", "The body of the request could not be read.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	m, fault := parseMessage(body)
	if fault == nil {
		version := r.Header.Get(server.HeaderKeyProtocolVersion)
		fault = cmp.Or(m.checkHandshake(version), m.checkResource(version))
	}
	return m, fault, nil
}

// admitOrigin refuses requests from web pages of other origins, and lets the allowed ones read the answer (CORS).
func (d *Door) admitOrigin(w http.ResponseWriter, r *http.Request, methods string) error {
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	if !d.origins[strings.ToLower(origin)] {
		return fault.New(fault.Forbidden, "foreign_origin",
			"Pages of this origin may not call the agent tools. The operator of the server can allow it.")
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers",
		"Mcp-Session-Id, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers",
			"Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID")
		h.Set("Access-Control-Max-Age", "600")
	}
	return nil
}

// allowedOrigins returns the base URL's origin and those named. For a base URL on this machine they include all names
// of the loopback address, so that the demo works under each of them.
func allowedOrigins(base string, named []string) map[string]bool {
	origins := map[string]bool{}
	for _, o := range named {
		origins[strings.ToLower(strings.TrimSuffix(o, "/"))] = true
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return origins
	}
	if u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" { // browsers leave it out
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	origins[strings.ToLower(u.Scheme+"://"+u.Host)] = true
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		port := ""
		if u.Port() != "" {
			port = ":" + u.Port()
		}
		for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
			origins[u.Scheme+"://"+name+port] = true
		}
	}
	return origins
}
