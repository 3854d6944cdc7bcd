package assistant

import (
	"encoding/json"
	"html"
	"net/http"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/guest"
)

// document answers GET with a text that anybody may read, web pages of other origins too.
func (d *Door) document(media string, write func(r *http.Request) (string, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "This address takes GET.", http.StatusMethodNotAllowed)
			return
		}
		text, err := write(r)
		switch e := fault.As(err); {
		case e != nil:
			h.Set("Cache-Control", "no-store")
			http.Error(w, e.Error(), e.Code.Status())
			return
		case err != nil:
			if r.Context().Err() == nil {
				d.log.ErrorContext(r.Context(), "a list for assistants failed", "route", r.Pattern, "error", err.Error())
			}
			http.Error(w, "That didn't work. Please try again in a moment.", http.StatusInternalServerError)
			return
		}
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cache-Control", "no-cache") // a business that ends this is gone at the next request
		h.Set("Content-Type", media)
		h.Set("Content-Length", strconv.Itoa(len(text)))
		if r.Method == http.MethodGet {
			w.Write([]byte(text)) // an error means that the reader has left
		}
	})
}

// mcpServer is a server of tools in /.well-known/mcp.json. No standard has settled its form yet (MCP's SEP-1649 and
// SEP-2127 are drafts), so the names are the plainest of those in use.
type mcpServer struct {
	Name           string `json:"name"`
	Description    string `json:"description"`
	URL            string `json:"url"`
	Transport      string `json:"transport"`
	Website        string `json:"website,omitempty"`
	Authentication struct {
		Required bool     `json:"required"`
		Schemes  []string `json:"schemes,omitempty"`
	} `json:"authentication"`
}

// servers lists the servers of tools at this address: the team's, and those of businesses that let assistants book.
func (d *Door) servers(r *http.Request) (string, error) {
	open, err := d.service.Guest.Listed(r.Context())
	if err != nil {
		return "", err
	}
	base := d.service.BaseURL()
	team := mcpServer{Name: "Daybook", Description: "For businesses that use this server: their bookings, contacts and " +
		"figures.", URL: base + "/api/mcp", Transport: "streamable-http"}
	team.Authentication.Required, team.Authentication.Schemes = true, []string{"oauth2", "bearer"}
	all := []mcpServer{team}
	for _, s := range open {
		w := &s.Workspace
		all = append(all, mcpServer{Name: w.Name, Description: "Book an appointment at " + w.Name + ".",
			URL: base + Path(w.Slug), Transport: "streamable-http", Website: base + "/" + w.Slug})
	}
	text, err := json.MarshalIndent(map[string]any{"servers": all}, "", "  ")
	return string(text) + "\n", err
}

// sitemap lists the booking pages of those businesses (sitemaps.org 0.9, which takes 50,000 addresses).
func (d *Door) sitemap(r *http.Request) (string, error) {
	open, err := d.service.Guest.Listed(r.Context())
	if err != nil {
		return "", err
	}
	const most = 50_000
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	left := most
	add := func(address string) {
		if left--; left >= 0 {
			b.WriteString("<url><loc>" + html.EscapeString(address) + "</loc></url>\n")
		}
	}
	for _, s := range open {
		add(d.service.BaseURL() + "/" + s.Workspace.Slug)
		for _, e := range guest.Listed(s) {
			add(e.BookingURL)
		}
	}
	b.WriteString("</urlset>\n")
	return b.String(), nil
}

// robots keeps crawlers away from what is no page (RFC 9309). Links to bookings are not listed: their pages say
// themselves that they are not to be indexed, which a crawler must be able to read.
func (d *Door) robots(*http.Request) (string, error) {
	return "User-agent: *\nAllow: /api/docs\nAllow: /api/guest/\nDisallow: /api/\nDisallow: /dashboard\n" +
		"Disallow: /login\nDisallow: /oauth/\n\nSitemap: " + d.service.BaseURL() + "/sitemap.xml\n", nil
}
