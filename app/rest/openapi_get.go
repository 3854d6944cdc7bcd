package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// serveDocument answers GET /v1/openapi.json, to anybody.
func serveDocument(d *document) http.HandlerFunc {
	text := d.encode()
	length := strconv.Itoa(len(text))
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["Content-Type"] = jsonType
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Content-Length", length)
		w.Write(text) // the client may be gone
	}
}

// encode is the document's JSON, the same bytes every time.
func (d *document) encode() []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(d); err != nil {
		panic(err) // its types all have JSON
	}
	return text.Bytes()
}
