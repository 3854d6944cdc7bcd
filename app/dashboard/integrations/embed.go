package integrations

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"daybook/app/dashboard/web"
	"daybook/views"
	"daybook/views/brand"
	"daybook/views/dash"
)

// embedding returns what the builder's address asks for; what makes no sense is left out.
func (c call) embedding() (e views.Embedding, service string) {
	q := c.URL.Query()
	w := &c.Setup.Workspace
	accent := "#" + brand.Default
	if hex, ok := brand.Parse(w.Settings.Color); ok {
		accent = "#" + hex
	}
	e = views.Embedding{Path: "/" + w.Slug, Kind: q.Get("kind"), Theme: q.Get("theme"),
		Text: cmp.Or(strings.TrimSpace(q.Get("text")), c.T("form_embed_book"))}
	if !slices.Contains([]string{views.EmbedPopup, views.EmbedButton, views.EmbedFrame}, e.Kind) {
		e.Kind = views.EmbedInline
	}
	if e.Theme != "light" && e.Theme != "dark" {
		e.Theme = ""
	}
	e.Accent = accent
	if hex, ok := brand.Parse(q.Get("accent")); ok {
		e.Accent = "#" + hex
	}
	if event := c.Setup.EventType(q.Get("service")); event != nil && !event.Hidden {
		service = event.Slug
		e.Path += "/" + service
	}
	return e, service
}

// embed is the builder: what is chosen stands in its address, and beside it what is to be pasted and how it looks.
func (c call) embed() error {
	e, service := c.embedding()
	v := dash.EmbedPage{SettingsFrame: c.integrationFrame(c.T("form_embed_title"), dash.EmbedPath), Kind: e.Kind}
	services := []dash.Option{{Value: "", Label: c.T("form_embed_all")}}
	for i := range c.Setup.EventTypes {
		if t := &c.Setup.EventTypes[i]; t.Listed() || t.Slug == service {
			services = append(services, dash.Option{Value: t.Slug, Label: t.Title})
		}
	}
	v.Kinds = []dash.Option{{Value: views.EmbedInline, Label: c.T("form_embed_inline")},
		{Value: views.EmbedPopup, Label: c.T("form_embed_popup")},
		{Value: views.EmbedButton, Label: c.T("form_embed_corner")},
		{Value: views.EmbedFrame, Label: c.T("form_embed_plain")}}
	v.Inputs = []dash.Input{
		{Name: "service", Label: c.T("form_embed_service"), Kind: "select", Value: service, Options: services},
		{Name: "theme", Label: c.T("form_embed_theme"), Kind: "select", Value: e.Theme,
			Options: []dash.Option{{Value: "", Label: c.T("form_embed_theme_auto")},
				{Value: "light", Label: c.T("shell_colours_light")}, {Value: "dark", Label: c.T("shell_colours_dark")}}},
		{Name: "accent", Label: c.T("form_embed_accent"), Kind: "color", Value: e.Accent},
		{Name: "text", Label: c.T("form_embed_text"), Value: e.Text, Required: true},
	}
	v.FrameURL = web.WithQuery(dash.EmbedPreviewPath, url.Values{
		"service": {service}, "kind": {e.Kind}, "theme": {e.Theme}, "accent": {e.Accent}, "text": {e.Text}})
	e.Base = c.Subjects.BaseURL()
	v.Code, v.Link = e.HTML(), e.Base+e.Path
	return c.Show(http.StatusOK, dash.Embed(v))
}

// embedPreview is a page of some website with what the builder makes in it, word for word, for the builder's frame.
func (c call) embedPreview() error {
	e, _ := c.embedding()
	h := c.Header()
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'",
		"frame-ancestors 'self'", 1))
	h.Set("X-Frame-Options", "SAMEORIGIN")
	return c.Show(http.StatusOK, dash.EmbedPreview(c.Frame(c.T("form_embed_title"), ""), e.HTML()))
}
