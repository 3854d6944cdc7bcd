package views

import (
	"html"
	"net/url"
	"strings"
)

// The ways in which a site shows a booking page.
const (
	EmbedInline = "inline" // where the element stands
	EmbedPopup  = "popup"  // over the site, by a button where the element stands
	EmbedButton = "button" // over the site, by a button in the corner of the window
	EmbedFrame  = "frame"  // where the element stands, without a script
)

// Embedding is a booking page in another site, as its owner chose it.
type Embedding struct {
	Base, Path string // of the booking page; without a base it is that of embed.js
	Kind       string // see EmbedInline
	Theme      string // "light", "dark" or "" for the visitor's system
	Accent     string // "#c2410c", in place of the business's colour; "" is that
	Text       string // of the button
}

// HTML returns what the owner pastes into the site.
func (e Embedding) HTML() string {
	var b strings.Builder
	attr := func(name, value string) {
		if value != "" {
			b.WriteString(` data-service-` + name + `="` + html.EscapeString(value) + `"`)
		}
	}
	if e.Kind == EmbedFrame {
		q := url.Values{"embed": {"inline"}}
		if e.Theme != "" {
			q.Set("theme", e.Theme)
		}
		if e.Accent != "" {
			q.Set("accent", strings.TrimPrefix(e.Accent, "#"))
		}
		return `<iframe src="` + html.EscapeString(e.Base+e.Path+"?"+q.Encode()) + `" title="` + html.EscapeString(e.Text) +
			`" width="100%" height="700" frameborder="0" allow="payment"></iframe>`
	}
	if e.Kind == EmbedPopup || e.Kind == EmbedButton {
		b.WriteString(`<button type="button"`)
		attr("popup", e.Base+e.Path)
		attr("theme", e.Theme)
		attr("accent", e.Accent)
		attr("button", map[string]string{EmbedPopup: "here", EmbedButton: "corner"}[e.Kind])
		b.WriteString(`>` + html.EscapeString(e.Text) + `</button>`)
	} else {
		b.WriteString(`<div`)
		attr("url", e.Base+e.Path)
		attr("theme", e.Theme)
		attr("accent", e.Accent)
		b.WriteString(`></div>`)
	}
	b.WriteString("\n" + `<script src="` + html.EscapeString(e.Base) + `/embed.js" async></script>`)
	return b.String()
}
