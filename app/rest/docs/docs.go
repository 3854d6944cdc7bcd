package docs

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"daybook/app/rest/openapi"
	"daybook/app/setup"
)

//go:embed docs.html
var referenceText string

//go:embed docs.css
var referenceStyle string

var referencePage = template.Must(
	template.New("reference").Funcs(template.FuncMap{"prose": prose}).Parse(referenceText))

// SetupFile answers GET /docs/setup-file.yaml, which needs no key: the reference of the file that `daybook workspace
// apply` reads.
func SetupFile(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=300")
	io.WriteString(w, setup.Example) // the client may be gone
}

// themeCookie is the dashboard's cookie: its choice of light or dark applies here too.
const themeCookie = "daybook-theme"

// Page answers GET /docs, which needs no key, with the document as one page without scripts or other files.
func Page(d *openapi.Document) http.HandlerFunc {
	var text bytes.Buffer
	if err := referencePage.Execute(&text, newReference(d)); err != nil {
		panic(err) // the template and the document are part of the program
	}
	const start = "<html lang=\"en\""
	head, rest, _ := bytes.Cut(text.Bytes(), []byte(start))
	pages := map[string][]byte{}
	for _, theme := range []string{"", "light", "dark"} {
		pages[theme] = slices.Concat(head, []byte(start+" data-theme=\""+theme+"\""), rest)
	}
	hash := sha256.Sum256([]byte(referenceStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "private, max-age=300")
		h.Set("Vary", "Cookie")
		page := pages[""]
		if chosen, err := r.Cookie(themeCookie); err == nil && pages[chosen.Value] != nil {
			page = pages[chosen.Value]
		}
		h.Set("Content-Length", strconv.Itoa(len(page)))
		w.Write(page) // the client may be gone
	}
}

var (
	codeMark   = regexp.MustCompile("`([^`]+)`")
	strongMark = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// prose converts the two kinds of mark in the document's texts, `code` and **strong**, to HTML.
func prose(text string) template.HTML {
	safe := template.HTMLEscapeString(text)
	safe = codeMark.ReplaceAllString(safe, "<code>$1</code>")
	return template.HTML(strongMark.ReplaceAllString(safe, "<strong>$1</strong>")) // escaped above
}
