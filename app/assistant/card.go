package assistant

import (
	"cmp"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/access"
	"daybook/app/catalog"
	"daybook/app/oauth"
	"daybook/assets"
)

// The AI Catalog of the server names a card for each server of tools; a card says how to connect (MCP's SEP-2127, as its
// extension has it on 24 July 2026).
const (
	cardPath  = "/server-card" // behind the address of the tools
	cardMedia = "application/mcp-server-card+json"
	cardForm  = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
)

// teamCard is a server of tools for the team.
type teamCard struct{ path, name, title, about string }

var teamCards = []teamCard{
	{oauth.ToolsPath, "daybook", "Daybook", access.AboutTools},
	{oauth.DeskPath, "daybook-desk", "Daybook, the desk", "The same, and payments, arrivals, time off and customers' cards."},
	{oauth.OwnerPath, "daybook-owner", "Daybook, the owner", "The same as the desk, and services, hours and hosts."},
}

// serverCard is a card.
type serverCard struct {
	Schema      string       `json:"$schema"`
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	Description string       `json:"description"`
	Title       string       `json:"title,omitempty"`
	Website     string       `json:"websiteUrl,omitempty"`
	Icons       []mcp.Icon   `json:"icons,omitempty"`
	Remotes     []cardRemote `json:"remotes"`
}

type cardRemote struct {
	Type     string   `json:"type"`
	URL      string   `json:"url"`
	Versions []string `json:"supportedProtocolVersions"`
}

// catalogEntry is an entry of the catalog.
type catalogEntry struct {
	Identifier string `json:"identifier"`
	Type       string `json:"type"`
	URL        string `json:"url"`
}

// catalog lists the servers of tools at this address: the team's, and those of businesses that let assistants book.
func (d *Door) catalog(r *http.Request) (string, error) {
	open, err := d.service.Guest.Listed(r.Context())
	if err != nil {
		return "", err
	}
	entries := []catalogEntry{}
	add := func(name, path string) {
		entries = append(entries, catalogEntry{"urn:air:" + d.host() + ":mcp:" + name, cardMedia, d.service.BaseURL() + path + cardPath})
	}
	for _, c := range teamCards {
		add(c.name, c.path)
	}
	for _, s := range open {
		add(guestName(s), Path(s.Workspace.Slug))
	}
	return asJSON(map[string]any{"specVersion": "1.0", "entries": entries})
}

// write returns what writes the card.
func (c teamCard) write(d *Door) func(*http.Request) (string, error) {
	return func(*http.Request) (string, error) {
		return d.card(c.name, c.title, c.about, d.service.BaseURL(), c.path)
	}
}

// guestCard is the card of the tools of a business that lets assistants book.
func (d *Door) guestCard(r *http.Request) (string, error) {
	s, err := d.service.Guest.Open(r.Context(), r.PathValue("workspace"))
	if err != nil {
		return "", err
	}
	w := &s.Workspace
	return d.card(guestName(s), cut(w.Name), cut("Book an appointment at "+w.Name+"."), d.service.BaseURL()+"/"+w.Slug, Path(w.Slug))
}

// guestName is the name of a business's tools. It is none of the team's, since no slug has a point.
func guestName(s *catalog.Setup) string { return "guest." + s.Workspace.Slug }

func (d *Door) card(name, title, about, website, path string) (string, error) {
	base := d.service.BaseURL()
	return asJSON(serverCard{Schema: cardForm, Name: d.reversed() + "/" + name, Version: cmp.Or(d.options.Version, "dev"), Description: about,
		Title: title, Website: website,
		Icons:   []mcp.Icon{{Src: base + assets.Path("icon-192.png"), MIMEType: "image/png", Sizes: []string{"192x192"}}},
		Remotes: []cardRemote{{Type: "streamable-http", URL: base + path, Versions: mcp.ValidProtocolVersions}}})
}

// host is where the server is, without a port.
func (d *Door) host() string {
	u, err := url.Parse(d.service.BaseURL())
	if err != nil {
		return "localhost"
	}
	return strings.ReplaceAll(u.Hostname(), ":", "-") // of IPv6
}

// reversed is the host as names of servers begin: com.example.book.
func (d *Door) reversed() string {
	host := d.host()
	if net.ParseIP(host) != nil {
		return host
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// cut returns at most the 100 characters that a card takes.
func cut(text string) string {
	r := []rune(text)
	return string(r[:min(len(r), 100)])
}

func asJSON(v any) (string, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return string(text) + "\n", err
}
