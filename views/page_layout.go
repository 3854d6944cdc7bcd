package views

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/a-h/templ"
)

func (p Page) documentTitle() string {
	if p.Title == "" || p.Title == p.Workspace.Name {
		return p.Workspace.Name
	}
	if p.Workspace.Name == "" {
		return p.Title
	}
	return p.Title + " · " + p.Workspace.Name
}

func (p Page) colorScheme() string {
	if p.Query.Theme != "" {
		return p.Query.Theme
	}
	return "light dark"
}

func rootAttrs(q Query) templ.OrderedAttributes {
	var attrs templ.OrderedAttributes
	if q.Theme != "" {
		attrs = append(attrs, templ.KV[string, any]("data-theme", q.Theme))
	}
	if q.Embed != "" {
		attrs = append(attrs, templ.KV[string, any]("data-embed", string(q.Embed)))
	}
	return attrs
}

type languageLink struct{ Lang, Label, URL string }

// otherLanguages lead to this page in the languages it is not in.
func (p Page) otherLanguages() []languageLink {
	var links []languageLink
	for _, l := range Locales {
		if l.Tag == "en-GB" || l.Language() == p.Language() {
			continue
		}
		q := p.Query
		q.Lang, q.Fresh = l.Language(), false
		links = append(links, languageLink{l.Language(), l.Name, address("", q, "")})
	}
	return links
}

// Initial stands in for a missing logo.
func Initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "•"
}

// Monogram stands in for the missing picture of a person: the initials of their first and last name.
func Monogram(name string) string {
	words := strings.Fields(name)
	if len(words) < 2 {
		return Initial(name)
	}
	return Initial(words[0]) + Initial(words[len(words)-1])
}

// paragraphs splits a text at its blank lines.
func paragraphs(text string) []string {
	var all []string
	for p := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return all
}

// safeLink lets an answer that is a web address be one.
func safeLink(s string) (templ.SafeURL, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return "", false
	}
	return templ.SafeURL(u.String()), true
}

// Capital begins a heading: French and Spanish write days and months small.
func Capital(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
