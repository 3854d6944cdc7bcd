package catalog_test

import (
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// An own text has at most four segments with long names, whatever alphabet its characters ask for.
func TestOwnTextsAreShort(t *testing.T) {
	for text, ok := range map[string]bool{"See you! {link}": true, strings.Repeat("a", 4*153): false, strings.Repeat("a", 590): true,
		"ł" + strings.Repeat("a", 4*67): false, "ł" + strings.Repeat("a", 4*67-1): true,
		"„" + strings.Repeat("a", 300) + "…“":                 true, // is sent with plain quotation marks
		"{name} {shop} {service} " + strings.Repeat("a", 500): true, strings.Repeat("{service}", 16): false} {
		err := catalog.CheckTextWords("textWords", []catalog.TextWords{{Kind: catalog.TextReminder, Text: text}})
		if e := fault.As(err); (err == nil) != ok || e != nil && e.Field != "textWords[0].text" {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}
