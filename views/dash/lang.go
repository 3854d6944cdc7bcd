package dash

import (
	"context"

	"github.com/a-h/templ"

	"daybook/views"
)

type localeKey struct{}

// In is a context in which pages are written in that language.
func In(ctx context.Context, l *views.Locale) context.Context {
	return context.WithValue(ctx, localeKey{}, l)
}

// tr is the text of a message in the language of the page; see views.Locale.T.
func tr(ctx context.Context, key string, args ...any) string {
	l, ok := ctx.Value(localeKey{}).(*views.Locale)
	if !ok {
		l = views.Locales[0]
	}
	return l.T(key, args...)
}

// languages are one choice for each language, in its own words; English is that of the browser's country.
func languages() (all []Option) {
	for _, l := range views.Locales {
		if l.Language() != "en" || l.Tag == views.Locales[0].Tag {
			all = append(all, Option{Value: l.Language(), Label: l.Name})
		}
	}
	return all
}

// scriptTexts are what dash.js says, in the language of the page.
func scriptTexts(ctx context.Context) templ.OrderedAttributes {
	return templ.OrderedAttributes{
		templ.KV[string, any]("data-text-unsaved", tr(ctx, "dash_js_unsaved")),
		templ.KV[string, any]("data-text-lost", tr(ctx, "dash_js_lost")),
		templ.KV[string, any]("data-text-again", tr(ctx, "dash_js_again")),
		templ.KV[string, any]("data-text-copied", tr(ctx, "dash_js_copied")),
		templ.KV[string, any]("data-text-new", tr(ctx, "dash_js_new")),
	}
}
