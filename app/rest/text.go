package rest

import (
	"crypto/rand"
	"strings"
	"unicode/utf8"
)

// cut is text, shortened to at most n bytes of valid UTF-8.
func cut(text string, n int) string {
	if len(text) > n {
		text = text[:n]
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "")
	}
	return text
}

func newRequestID() string { return "req_" + strings.ToLower(rand.Text()) }
