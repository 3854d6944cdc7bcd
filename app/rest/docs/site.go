package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"daybook/app/rest/openapi"
	"daybook/app/setup"
	view "daybook/views/docs"
)

// Path is where the site stands, under the prefix of the API.
const Path = "/docs"

// themeCookie is the dashboard's cookie: its choice of light or dark applies here too.
const themeCookie = "daybook-theme"

const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// Site is the documentation of one server. Its pages are made when the first of them is asked for.
type Site struct {
	document *openapi.Document
	now      func() time.Time
	lost     http.HandlerFunc // answers for a page that isn't there

	mayMakeKeys func(*http.Request) bool // nil is never
	known       func() Known             // nil is nothing

	make     sync.Once
	sections []section
	at       map[string]place // by the page's path
	found    index
}

// section is a heading of the menu with its pages.
type section struct {
	title string
	pages []page
}

// rank returns what a section is worth in a search: guides come before the contract, which says the same in other words,
// and before what changed once.
func (s section) rank(p page) int {
	switch {
	case p.path == contractPath, p.path == "changelog":
		return -30
	case s.title == "Begin", s.title == "Guides":
		return 15
	case s.title == "Events", s.title == "Objects", strings.HasPrefix(s.title, "For "):
		return 0
	}
	return 10
}

// page is one page.
type page struct {
	path  string // under Path, without a slash before it; "" is the first page
	title string // in the menu
	verb  string // the method of an operation, or ""
	text  string // Markdown
}

// place is where a page stands.
type place struct {
	section, page int
	html          string
}

// New returns the site of the API that the document describes. lost answers for pages that aren't there. To whom
// mayMakeKeys the first page offers a key for an hour. known is asked for what the site's own program doesn't know,
// when the pages are made, now whenever one is shown: the times in samples lie ahead.
func New(d *openapi.Document, now func() time.Time, lost http.HandlerFunc, mayMakeKeys func(*http.Request) bool, known func() Known) *Site {
	return &Site{document: d, now: now, lost: lost, mayMakeKeys: mayMakeKeys, known: known}
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

func (s *Site) fill() {
	s.make.Do(func() {
		var k Known
		if s.known != nil {
			k = s.known()
		}
		s.sections = append(guidePages(s.document, k), referencePages(s.document)...)
		s.at = map[string]place{}
		for i, section := range s.sections {
			for j, p := range section.pages {
				html := render(p.text)
				if p.path == contractPath {
					html = withAnchors(html)
				}
				s.at[p.path] = place{i, j, html}
				s.found.add(p, section.rank(p))
			}
		}
	})
}

// render returns a page's HTML. What may be wider than the page can be scrolled, also by keys.
func render(text string) string {
	var html bytes.Buffer
	if err := markdown.Convert([]byte(text), &html); err != nil {
		panic(err) // the pages are part of the program
	}
	return strings.NewReplacer("<pre>", `<pre tabindex="0">`,
		"<table>", `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>`, "</table>", "</table></div>",
		"<th>", `<th scope="col">`, "<th></th>", "<td></td>", `<th scope="col"></th>`, "<td></td>").Replace(html.String())
}

// ServeHTTP answers GET for the page at {page}, in Markdown where that ends in .md, for the search, and for the set-up
// file.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.fill()
	switch r.PathValue("page") {
	case "search":
		s.search(w, r)
		return
	case "search.json":
		s.suggest(w, r)
		return
	case "setup-file.yaml":
		send(w, "text/plain; charset=utf-8", []byte(setup.Example))
		return
	}
	path, asText := strings.CutSuffix(strings.TrimSuffix(r.PathValue("page"), "/"), ".md")
	if asText && path == "index" {
		path = ""
	}
	at, there := s.at[path]
	if !there {
		s.lost(w, r)
		return
	}
	p := s.sections[at.section].pages[at.page]
	if path != "changelog" {
		p.text, at.html = s.ahead(p.text), s.ahead(at.html)
	}
	if asText {
		send(w, "text/markdown; charset=utf-8", []byte(p.text))
		return
	}
	v := view.Page{Title: p.title, HTML: at.html, Operation: p.verb != "", Markdown: address(path) + ".md"}
	private := false
	if path == "" {
		v.Markdown = address("index.md")
		private = s.first(r, &v, p.text)
	}
	v.Before, v.After = s.neighbour(at, -1), s.neighbour(at, 1)
	s.write(w, r, v, private)
}

// ahead returns a text of a page with the times of its samples ahead.
func (s *Site) ahead(text string) string {
	return string(openapi.Ahead([]byte(text), openapi.Weeks(s.now())))
}

// search answers with the places that have the words of ?q=.
func (s *Site) search(w http.ResponseWriter, r *http.Request) {
	words := query(r)
	s.write(w, r, view.Page{Title: "Search", Searched: true, Query: words, Hits: s.found.search(words, maxHits)}, false)
}

// suggest answers with the first places, for the list below the field that is typed into.
func (s *Site) suggest(w http.ResponseWriter, r *http.Request) {
	body, err := json.Marshal(s.found.search(query(r), maxSuggested))
	if err != nil {
		panic(err) // hits are texts
	}
	send(w, "application/json", append(body, '\n'))
}

func query(r *http.Request) string {
	words := strings.TrimSpace(r.URL.Query().Get("q"))
	if len(words) > maxQuery {
		words = strings.ToValidUTF8(words[:maxQuery], "")
	}
	return words
}

// neighbour returns the page before or after one in the order of the menu, of the same section.
func (s *Site) neighbour(at place, by int) *view.Link {
	pages := s.sections[at.section].pages
	if i := at.page + by; i >= 0 && i < len(pages) {
		return &view.Link{Title: pages[i].title, Address: address(pages[i].path)}
	}
	return nil
}

// write sends a page in the frame of all pages. A private one is kept nowhere.
func (s *Site) write(w http.ResponseWriter, r *http.Request, v view.Page, private bool) {
	v.Version = s.document.Info.Version
	if chosen, err := r.Cookie(themeCookie); err == nil && (chosen.Value == "light" || chosen.Value == "dark") {
		v.Theme = chosen.Value
	}
	at, there := s.at[strings.TrimSuffix(r.PathValue("page"), "/")]
	for i, section := range s.sections {
		g := view.Group{Title: section.title}
		for j, p := range section.pages {
			here := there && !v.Searched && at.section == i && at.page == j
			g.Open = g.Open || here
			g.Links = append(g.Links, view.Link{Title: p.title, Verb: p.verb, Address: address(p.path), Here: here})
		}
		v.Menu = append(v.Menu, g)
	}
	var html bytes.Buffer
	if err := v.Frame().Render(r.Context(), &html); err != nil {
		http.Error(w, fmt.Sprint("The page could not be made: ", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Vary", "Cookie")
	html.WriteByte('\n')
	keep(w, "text/html; charset=utf-8", html.Bytes(), !private)
}

func send(w http.ResponseWriter, kind string, body []byte) { keep(w, kind, body, true) }

// keep sends what the visitor's browser may keep, or not.
func keep(w http.ResponseWriter, kind string, body []byte, may bool) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, max-age=300")
	if !may {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) // the client may be gone
}

// address returns where a page is, on this server.
func address(path string) string {
	if path == "" {
		return "/api" + Path
	}
	return "/api" + Path + "/" + path
}
