// Package docs has the templ pages of the API's documentation.
package docs

import "github.com/a-h/templ"

// Page is one page, in the frame of all of them.
type Page struct {
	Title         string
	Theme         string // light, dark, or "" for that of the visitor's system
	Version       string // of the API
	Menu          []Group
	HTML          string // safe
	NewKey        bool   // a button that makes a key follows
	Rest          string // what follows then; safe
	Operation     bool   // describes an operation, whose method and path stand below the heading
	Markdown      string // the address of the same page as Markdown
	Before, After *Link

	Searched bool // shows what was found
	Query    string
	Hits     []Hit
}

// Group is a part of the menu.
type Group struct {
	Title string
	Open  bool // has the page that is shown
	Links []Link
}

// Link leads to a page.
type Link struct {
	Title   string
	Verb    string // the method of an operation, or ""
	Address string
	Here    bool // is the page that is shown
}

// Hit is a place that a search found.
type Hit struct {
	Page    string `json:"page"`
	Heading string `json:"heading"`
	Address string `json:"address"`
	Text    string `json:"-"`
}

// Frame returns the whole page.
func (p Page) Frame() templ.Component { return frame(p) }
