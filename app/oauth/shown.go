package oauth

import "unicode"

// isShown reports whether a character of a stranger's text is seen where it stands: no controls, no marks that change
// the direction of the text or have no width, no private ones.
func isShown(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}
