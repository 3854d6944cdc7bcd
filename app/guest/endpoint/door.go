// Package endpoint is the door for people's AI assistants, which have no key: what they find of a server and of each
// business that lets them book. Only workspaces with AssistantsMayBook are there; all others answer 404, as
// if they didn't exist. The rules are those of the room guest.
//
//	discovery.go   /.well-known/mcp.json, /llms.txt, /sitemap.xml, /robots.txt
//	describe.go    a business in Markdown
package endpoint

import (
	"cmp"
	"log/slog"
	"net/http"

	"daybook/app/rooms"
)

// Door serves assistants.
type Door struct {
	service *rooms.Set
	log     *slog.Logger
}

// New makes the door. A nil log discards.
func New(s *rooms.Set, log *slog.Logger) *Door {
	return &Door{s, cmp.Or(log, slog.New(slog.DiscardHandler))}
}

// Path is the address of a business's tools on this server.
func Path(slug string) string { return "/api/guest/" + slug + "/mcp" }

// Routes mounts what stands at fixed paths.
func (d *Door) Routes(mux *http.ServeMux) {
	mux.Handle("/.well-known/mcp.json", d.document("application/json", d.servers))
	mux.Handle("/llms.txt", d.document(markdown, d.everybody))
	mux.Handle("/sitemap.xml", d.document("application/xml; charset=utf-8", d.sitemap))
	mux.Handle("/robots.txt", d.document("text/plain; charset=utf-8", d.robots))
}

// Pages mounts what stands below a workspace's slug.
func (d *Door) Pages(mux *http.ServeMux) {
	mux.Handle("/{workspace}/llms.txt", d.document(markdown, d.business))
}

const markdown = "text/markdown; charset=utf-8"
