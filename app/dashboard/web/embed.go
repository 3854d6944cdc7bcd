package web

import "daybook/views"

// EmbedSnippet returns the HTML that shows a booking page in a website.
func EmbedSnippet(base, path string) string {
	return views.Embedding{Base: base, Path: path, Kind: views.EmbedInline}.HTML()
}
