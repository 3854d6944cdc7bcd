// Package assistant is the door for people's AI assistants, which have no key: what they find of a server and of each
// business that lets them book, the tools that they book with, and the page of the mail that confirms it. Only
// workspaces with AssistantsMayBook can be found; for all others the response is 404, as if they didn't exist. The
// rules are those of package guest.
//
//	discovery.go   /.well-known/mcp.json, /llms.txt, /sitemap.xml, /robots.txt
//	card.go        /.well-known/ai-catalog.json, and the card of each server of tools
//	describe.go    a business in Markdown
//	gate.go        what a request to the tools must be
//	tools.go       the tools; args.go reads their arguments, shown.go makes their results
//	confirm.go     the page of the mail's link
package assistant

import (
	"cmp"
	"log/slog"
	"net/http"
	"strings"

	"daybook/app/access"
	"daybook/app/gate"
	"daybook/app/subjects"
)

// Options holds the settings of a Door.
type Options struct {
	Version string
	Logger  *slog.Logger // nil discards

	// AllowedOrigins lists the origins of web pages that may call the tools, in addition to the origin of the base URL.
	AllowedOrigins []string

	BookingsPerHour int    // of a network address, with those of the booking pages; below 1 is no limit
	Challenge       int    // zero bits of a proof of work; 0 asks for none
	FormKey         []byte // signs its keys; nil makes one for this process
	CallsPerMinute  int    // of a network address; 0 is 120
}

// Door serves people's AI assistants.
type Door struct {
	service   *subjects.Set
	log       *slog.Logger
	options   Options
	challenge *gate.Challenge
	tools     http.Handler
	origins   map[string]bool

	calls access.Calls
}

// New makes a Door. With a nil log nothing is logged.
func New(s *subjects.Set, o Options) *Door {
	d := &Door{service: s, log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), options: o}
	d.options.CallsPerMinute = cmp.Or(o.CallsPerMinute, 120)
	d.challenge = gate.NewChallenge(o.Challenge, o.FormKey, s.Now)
	d.origins = map[string]bool{strings.ToLower(s.BaseURL()): true}
	for _, origin := range o.AllowedOrigins {
		d.origins[strings.ToLower(strings.TrimSuffix(origin, "/"))] = true
	}
	d.build()
	return d
}

// Path returns the address of a business's tools on this server.
func Path(slug string) string { return "/api/guest/" + slug + "/mcp" }

// Routes adds the routes at fixed paths.
func (d *Door) Routes(mux *http.ServeMux) {
	mux.Handle("/.well-known/mcp.json", d.document("application/json", d.servers))
	mux.Handle("/.well-known/ai-catalog.json", d.document("application/ai-catalog+json", d.catalog))
	for _, c := range teamCards {
		mux.Handle(c.path+cardPath, d.document(cardMedia, c.write(d)))
	}
	mux.Handle("/api/guest/{workspace}/mcp"+cardPath, d.document(cardMedia, d.guestCard))
	mux.Handle("/llms.txt", d.document(markdown, d.everybody))
	mux.Handle("/sitemap.xml", d.document("application/xml; charset=utf-8", d.sitemap))
	mux.Handle("/robots.txt", d.document("text/plain; charset=utf-8", d.robots))
	mux.HandleFunc("/api/guest/{workspace}/mcp", d.gate)
	mux.HandleFunc("GET /booking/{token}/confirm", d.ask)
	mux.HandleFunc("POST /booking/{token}/confirm", d.confirm)
}

// Pages adds the routes below the slug of a workspace.
func (d *Door) Pages(mux *http.ServeMux) {
	mux.Handle("/{workspace}/llms.txt", d.document(markdown, d.business))
}

const markdown = "text/markdown; charset=utf-8"
