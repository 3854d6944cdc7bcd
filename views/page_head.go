package views

import "strings"

// ownAddress is the canonical address, in the language that was asked for by name.
func (p Page) ownAddress() string {
	if p.Query.Lang == "" {
		return p.Canonical
	}
	return inLanguage(p.Canonical, p.Language())
}

// translations are the addresses of a page in each language, and the one where the visitor's browser decides.
func (p Page) translations() []languageLink {
	links := []languageLink{{"x-default", "", p.Canonical}}
	for _, l := range Locales {
		if l.Tag != "en-GB" { // English once
			links = append(links, languageLink{l.Language(), l.Name, inLanguage(p.Canonical, l.Language())})
		}
	}
	return links
}

func inLanguage(address, language string) string {
	mark := "?"
	if strings.Contains(address, "?") {
		mark = "&"
	}
	return address + mark + "lang=" + language
}
