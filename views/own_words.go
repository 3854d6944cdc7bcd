package views

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"github.com/a-h/templ"
)

var webAddress = regexp.MustCompile(`https?://[^\s<>"'\x60]+`)

// WordsHTML returns a text that the owner wrote as HTML: see htmlOf.
func WordsHTML(text string) string { return htmlOf(text, "", "") }

// htmlOf returns a text that the owner wrote as HTML: its paragraphs, its lines, and its web addresses as links.
// Nothing else in it is markup. paragraph and link are attributes of these, with a space before.
func htmlOf(text, paragraph, link string) string {
	var b strings.Builder
	for _, p := range paragraphs(text) {
		b.WriteString("<p" + paragraph + ">")
		for i, line := range textLines(p) {
			if i > 0 {
				b.WriteString("<br>")
			}
			writeLinked(&b, line, link)
		}
		b.WriteString("</p>")
	}
	return b.String()
}

// writeLinked writes a line with its web addresses as links.
func writeLinked(b *strings.Builder, line, link string) {
	for line != "" {
		at := webAddress.FindStringIndex(line)
		if at == nil {
			break
		}
		address := strings.TrimRight(line[at[0]:at[1]], ".,;:!?…»”’*_")
		if strings.HasSuffix(address, ")") && !strings.Contains(address, "(") {
			address = strings.TrimRight(address, ")")
		}
		b.WriteString(templ.EscapeString(line[:at[0]]))
		line = line[at[0]+len(address):]
		shown := templ.EscapeString(address)
		if isWebAddress(address) {
			b.WriteString(`<a href="` + shown + `" rel="noopener noreferrer" target="_blank"` + link + `>` + shown + `</a>`)
		} else {
			b.WriteString(shown)
		}
	}
	b.WriteString(templ.EscapeString(line))
}

// isWebAddress reports whether a text is an address that shows where it leads to: without a name before the host, and
// without characters that can't be seen.
func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
