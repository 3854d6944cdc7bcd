package assistant_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
)

// Whoever knows the address of the server finds each server of tools by its catalog, and how to connect by its card.
func TestTheCatalogLeadsToTheCards(t *testing.T) {
	w := newWorld(t)
	a := w.do("GET", "/.well-known/ai-catalog.json")
	var found struct {
		SpecVersion string
		Entries     []struct{ Identifier, Type, URL string }
	}
	w.Must(json.Unmarshal(a.Body.Bytes(), &found))
	if a.Header().Get("Content-Type") != "application/ai-catalog+json" || a.Header().Get("Access-Control-Allow-Origin") != "*" || found.SpecVersion != "1.0" {
		t.Errorf("%v %s", a.Header(), a.Body)
	}
	const base = "https://book.example.com"
	var leads []string
	for _, e := range found.Entries {
		if !regexp.MustCompile(`^urn:air:book\.example\.com:mcp:[a-z.-]+$`).MatchString(e.Identifier) || e.Type != "application/mcp-server-card+json" {
			t.Errorf("%+v", e)
		}
		card := w.do("GET", strings.TrimPrefix(e.URL, base))
		var c struct {
			Schema, Name, Version, Description, Title, WebsiteURL string
			S                                                     string `json:"$schema"`
			Icons                                                 []struct{ Src, MIMEType string }
			Remotes                                               []struct {
				Type, URL string
				Versions  []string `json:"supportedProtocolVersions"`
			}
		}
		w.Must(json.Unmarshal(card.Body.Bytes(), &c))
		if card.Code != 200 || card.Header().Get("Content-Type") != e.Type || c.S != "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json" ||
			!regexp.MustCompile(`^com\.example\.book/[a-zA-Z0-9._-]+$`).MatchString(c.Name) || len(c.Name) > 200 || c.Version == "" ||
			c.Description == "" || len([]rune(c.Description)) > 100 || len([]rune(c.Title)) > 100 || len(c.Icons) != 1 || len(c.Remotes) != 1 {
			t.Fatalf("%s: %d %s", e.URL, card.Code, card.Body)
		}
		one := c.Remotes[0]
		if one.Type != "streamable-http" || one.URL+"/server-card" != e.URL || !slices.Contains(one.Versions, "2026-07-28") {
			t.Errorf("%+v", one)
		}
		leads = append(leads, strings.TrimPrefix(one.URL, base))
	}
	if want := []string{"/api/mcp", "/api/mcp/desk", "/api/mcp/owner", "/api/guest/salon/mcp"}; !slices.Equal(leads, want) {
		t.Errorf("the catalog leads to %q", leads)
	}
	w.has("/api/guest/quiet/mcp/server-card", 404, nil, unlisted)
	w.has("/.well-known/ai-catalog.json", 200, nil, unlisted)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.AssistantsMayBook = false })
	w.Must(err)
	w.has("/.well-known/ai-catalog.json", 200, []string{"/api/mcp/desk"}, []string{"salon"})
	w.has("/api/guest/salon/mcp/server-card", 404, nil, []string{"Ana"})
}
