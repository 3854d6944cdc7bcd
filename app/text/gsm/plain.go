package gsm

import "strings"

// Plain returns the text with typographic characters replaced by those that the alphabet of 7 bits has: quotation marks,
// dashes, the ellipsis, spaces that don't break. It keeps all else, so that a name is never misspelt: a text with ê or
// á, which the alphabet lacks, stays one of UCS-2. It is for texts of our own making.
func Plain(text string) string { return typographic.Replace(text) }

var typographic = func() *strings.Replacer {
	var pairs []string
	for plain, all := range map[string]string{
		`"`:   "“”„‟«»″",
		"'":   "‘’‚‛‹›′´`",
		"-":   "‐‑‒–—―−·•",
		"...": "…",
		"x":   "×",
		// no-break, narrow no-break, figure, thin and other widths, tab
		" ":  "\u00a0\u202f\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u205f\u3000\t",
		"\n": "\u2028\u2029",
		"":   "\u00ad\u200b\u2060\ufeff", // shown as nothing
	} {
		for _, r := range all {
			pairs = append(pairs, string(r), plain)
		}
	}
	return strings.NewReplacer(pairs...)
}()
