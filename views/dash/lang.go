package dash

import (
	"context"

	"github.com/a-h/templ"

	"daybook/views"
)

type localeKey struct{}

// In returns a context in which pages are written in that language.
func In(ctx context.Context, l *views.Locale) context.Context {
	return context.WithValue(ctx, localeKey{}, l)
}

// tr returns the text of a message in the language of the page; see views.Locale.T.
func tr(ctx context.Context, key string, args ...any) string {
	return localeOf(ctx).T(key, args...)
}

// labelled is "View: Brand", as the language of the page writes it.
func labelled(ctx context.Context, label, text string) string {
	return localeOf(ctx).Labelled(label, text)
}

func localeOf(ctx context.Context) *views.Locale {
	if l, ok := ctx.Value(localeKey{}).(*views.Locale); ok {
		return l
	}
	return views.Locales[0]
}

// languages returns one choice for each language, in its own words; English is that of the browser's country.
func languages() (all []Option) {
	for _, l := range views.Locales {
		if l.Language() != "en" || l.Tag == views.Locales[0].Tag {
			all = append(all, Option{Value: l.Language(), Label: l.Name})
		}
	}
	return all
}

// scriptTexts returns what dash.js says, in the language of the page.
func scriptTexts(ctx context.Context) templ.OrderedAttributes {
	return templ.OrderedAttributes{
		templ.KV[string, any]("data-text-unsaved", tr(ctx, "dash_js_unsaved")),
		templ.KV[string, any]("data-text-lost", tr(ctx, "dash_js_lost")),
		templ.KV[string, any]("data-text-again", tr(ctx, "dash_js_again")),
		templ.KV[string, any]("data-text-copied", tr(ctx, "dash_js_copied")),
		templ.KV[string, any]("data-text-new", tr(ctx, "dash_js_new")),
	}
}
