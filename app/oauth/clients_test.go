package oauth_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/app/oauth"
)

// programs are the clients that people use, each as its public documentation says it behaves.
var programs = map[string]struct {
	probes   []string // what it reads before anything else
	metadata string   // that it registers with; "" for a document
	document string   // the path of its document
	redirect string   // that it asks with
	scope    string
	shows    []string // what the member must read
}{
	// https://support.claude.com: custom connectors; callbacks at claude.ai and claude.com. It reads the metadata with the
	// path first, and registers.
	"Claude": {
		probes:   []string{"/.well-known/oauth-protected-resource/api/mcp", "/.well-known/oauth-authorization-server"},
		metadata: `{"client_name":"Claude","redirect_uris":["https://claude.ai/api/mcp/auth_callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","scope":"claudeai"}`,
		redirect: "https://claude.ai/api/mcp/auth_callback", scope: "claudeai", shows: []string{">claude.ai<", "“Claude”"},
	},
	// https://developers.openai.com/plugins/build/auth: protected resource metadata at the root, a client document first,
	// S256 and token_endpoint_auth_methods_supported published, resource in both requests.
	"ChatGPT": {
		probes:   []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"},
		document: "/chatgpt.json", redirect: "https://chatgpt.com/connector_platform_oauth_redirect", scope: "read write",
		shows: []string{">chatgpt.com<", "“ChatGPT”", "127.0.0.1"},
	},
	// https://github.com/microsoft/vscode/issues/278512: what it registers, and that it takes any free port then.
	"VS Code": {
		probes:   []string{"/.well-known/oauth-protected-resource/api/mcp", "/.well-known/oauth-authorization-server"},
		metadata: `{"client_name":"Visual Studio Code","client_uri":"https://code.visualstudio.com","redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://127.0.0.1/","http://127.0.0.1:33418/"],"grant_types":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:device_code"],"response_types":["code"],"token_endpoint_auth_method":"none","application_type":"native"}`,
		redirect: "http://127.0.0.1:59656/", scope: "openid profile email", shows: []string{">127.0.0.1:59656<", "on this device"},
	},
	// https://docs.zuora.com/…/redirect-uris-by-mcp-client and https://cursor.com/docs/mcp: a scheme of its own on the
	// desktop (RFC 8252 §7.1), since 2026 http://localhost:8787/callback.
	"Cursor": {
		probes:   []string{"/.well-known/oauth-protected-resource/api/mcp", "/.well-known/oauth-authorization-server"},
		metadata: `{"client_name":"Cursor","redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}`,
		redirect: "cursor://anysphere.cursor-mcp/oauth/callback", scope: "read write", shows: []string{">cursor:<", "“Cursor”"},
	},
	"Cursor, newer": {
		probes:   []string{"/.well-known/oauth-protected-resource/api/mcp", "/.well-known/oauth-authorization-server"},
		metadata: `{"client_name":"Cursor","redirect_uris":["http://localhost:8787/callback"],"token_endpoint_auth_method":"none"}`,
		redirect: "http://localhost:8787/callback", scope: "", shows: []string{">localhost:8787<"},
	},
}

// Each program that people use connects by its documented sequence, calls a tool and refreshes its tokens.
func TestPrograms(t *testing.T) {
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			w := newSite(t)
			r := w.json("/api/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
				"Accept", "application/json, text/event-stream")
			found := metadataOf.FindStringSubmatch(r.header.Get("WWW-Authenticate"))
			if r.status != http.StatusUnauthorized || found == nil || !strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer ") {
				t.Fatalf("%d %v", r.status, r.header)
			}
			if found[1] != w.BaseURL()+"/.well-known/oauth-protected-resource/api/mcp" {
				t.Errorf("the metadata is at %s", found[1])
			}
			for _, path := range p.probes {
				if r := w.send(program, "HEAD", path, ""); r.status != http.StatusOK {
					t.Errorf("HEAD %s: %d", path, r.status)
				}
			}
			var resource oauth.ResourceMetadata
			w.send(program, "GET", p.probes[0], "").into(t, &resource)
			if resource.Resource != w.BaseURL()+"/api/mcp" || !slices.Equal(resource.Servers, []string{w.BaseURL()}) {
				t.Errorf("%+v", resource)
			}
			var server oauth.ServerMetadata
			w.send(program, "GET", p.probes[1], "").into(t, &server)
			if server.Issuer != w.BaseURL() || !slices.Contains(server.ChallengeMethods, "S256") || !slices.Contains(server.TokenMethods, "none") || !server.TakesDocuments {
				t.Errorf("%+v", server)
			}
			client := w.hosts.URL + p.document
			if p.metadata != "" {
				r := w.json(strings.TrimPrefix(server.Registration, w.BaseURL()), p.metadata)
				var c oauth.Registration
				if r.into(t, &c); r.status != http.StatusCreated || !slices.Contains(c.Redirects, strings.Replace(p.redirect, ":59656", ":33418", 1)) {
					t.Fatalf("%d %s", r.status, r.body)
				}
				client = c.ClientID
			} else {
				w.pages[p.document] = `{"client_id":"` + client + `","client_name":"ChatGPT","redirect_uris":["` + p.redirect + `"],"token_endpoint_auth_method":"none"}`
			}
			// the browser has no session yet: the request is whole after signing in
			b, ask := w.browser(), w.ask(client, p.redirect, "scope", p.scope)
			r = w.send(b, "GET", ask, "")
			login := r.header.Get("Location")
			if r.status != http.StatusSeeOther || !strings.HasPrefix(login, "/login?next=") {
				t.Fatalf("%d to %q", r.status, login)
			}
			r = w.answer(b, login, "email", w.owner.Email, "password", password)
			if got := r.header.Get("Location"); r.status != http.StatusSeeOther || got != ask {
				t.Fatalf("after signing in: %d to %q, want %q", r.status, got, ask)
			}
			r = w.send(b, "GET", ask, "")
			if r.status != http.StatusOK {
				t.Fatalf("%d %s", r.status, r.body)
			}
			for _, text := range append(p.shows, "Salon Ana", "Unverified", w.owner.Email, `value="write" checked`) {
				if !strings.Contains(r.body, text) {
					t.Errorf("the member does not read %q", text)
				}
			}
			q := w.allow(b, ask, p.redirect, "write")
			if q.Get("state") != "a state+/=" {
				t.Errorf("state is %q", q.Get("state"))
			}
			got := w.tokens(client, p.redirect, q.Get("code"))
			if r := w.tools(got.Access, callTools); r.status != http.StatusOK || !strings.Contains(r.body, `Cut`) {
				t.Errorf("a tool: %d %s", r.status, r.body)
			}
			var next oauth.Tokens
			w.form(oauth.TokenPath, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.Refresh}, "client_id": {client},
				"resource": {w.BaseURL() + "/api/mcp"}}).into(t, &next)
			if r := w.tools(next.Access, callTools); r.status != http.StatusOK {
				t.Errorf("a tool after the refresh: %d %s", r.status, r.body)
			}
		})
	}
}

// A program that typed an alias gets that alias as its resource, and a token for it; a host that somebody else made lead
// here is none (RFC 9728 §3.3).
func TestTheResourceIsWhatWasTyped(t *testing.T) {
	w := newSite(t)
	for host, want := range map[string]string{
		"tools.example": "https://tools.example/api/mcp", "evil.example": w.BaseURL() + "/api/mcp",
		strings.Replace(w.server.Listener.Addr().String(), "127.0.0.1", "localhost", 1): strings.Replace(w.BaseURL(), "127.0.0.1", "localhost", 1) + "/api/mcp",
	} {
		var m oauth.ResourceMetadata
		w.send(program, "GET", "/.well-known/oauth-protected-resource/api/mcp", "", "Host", host).into(t, &m)
		if m.Resource != want || m.Servers[0] != w.BaseURL() {
			t.Errorf("%s: %+v", host, m)
		}
	}
	const to = "https://claude.ai/api/mcp/auth_callback"
	client := w.register(`{"redirect_uris":["` + to + `"]}`)
	b := w.signedIn(w.owner)
	if q := w.allow(b, w.ask(client, to, "resource", "https://tools.example/api/mcp"), to, "read"); q.Get("code") == "" {
		t.Error("no code for an alias")
	}
	var m oauth.ResourceMetadata
	w.send(program, "GET", "/.well-known/oauth-protected-resource/api/sse", "").into(t, &m)
	if m.Resource != w.BaseURL()+"/api/sse" {
		t.Errorf("%+v", m)
	}
}
