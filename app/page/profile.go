package page

import (
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app/catalog"
	"daybook/app/phone"
)

// Business is a business as its pages describe it.
type Business struct {
	Setup   *catalog.Setup
	BaseURL string // of this server
	Now     time.Time
	Visited bool // people come to it: its opening hours are shown
}

// Shared returns the picture for previews of links: the first photo, else the logo, else the first of what is offered.
func (b Business) Shared(logo string, offered []*catalog.EventType) string {
	if logo != "" {
		offered = nil
	}
	if p := b.photo(offered); p != nil {
		return b.Preview(p)
	}
	return logo
}

// photo returns the photo at the head of its page, else the picture of the first that has one of what is offered; nil for
// none.
func (b Business) photo(offered []*catalog.EventType) *catalog.Picture {
	for _, of := range b.Setup.Workspace.Settings.Photos {
		if p := b.Setup.Picture(of.Picture); p != nil {
			return p
		}
	}
	for _, e := range offered {
		if p := b.Setup.Picture(e.Picture); p != nil {
			return p
		}
	}
	return nil
}

// Absolute returns the address of a path of this server. Whole addresses and "" stay.
func (b Business) Absolute(path string) string {
	if strings.HasPrefix(path, "/") {
		return b.BaseURL + path
	}
	return path
}

// Preview returns the whole address of a picture as previews of links show it.
func (b Business) Preview(p *catalog.Picture) string { return b.Absolute(p.PreviewPath()) }

// Widest returns the whole address of a picture.
func (b Business) Widest(p *catalog.Picture) string { return b.Absolute(p.Path(p.Widest().Width)) }

// Dialled returns a telephone number of a country as links have it.
func Dialled(number, country string) string {
	if e164, ok := phone.Parse(number, country); ok {
		return e164
	}
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
}

const longestSummary = 200

// Summary returns a text's first paragraph, shortened for previews and search engines.
func Summary(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= longestSummary {
		return text
	}
	cut := string([]rune(text)[:longestSummary])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}
