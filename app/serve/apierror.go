package serve

import (
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
)

// apiErrors makes every error under /api JSON: one in another form (the mux's
// 404 and 405, http.Error, a bare status) is replaced by
// {"error":{"code","message","requestId"}}, with its plain text as the message
// when the status is below 500. A path with an empty or a dotted segment
// (/bookings//cancel, an id left out) is 404 too: the mux would redirect it, in
// HTML, to a path that means something else.
func (s *server) apiErrors(next step) step {
	return func(e *requestState) {
		if e.api && !cleanAPI(e.r.URL.Path) {
			e.fail(http.StatusNotFound, statusMessage(http.StatusNotFound))
			return
		}
		next(e)
		if e.answer.deferred != 0 {
			e.replaceError("")
		}
	}
}

// cleanAPI reports whether the mux takes a path under /api without a redirect.
func cleanAPI(p string) bool {
	clean := path.Clean(p)
	return clean != "/api" && (clean == p || clean+"/" == p) || p == "/api/"
}

// replaceError sends the error that was deferred, as JSON.
func (e *requestState) replaceError(text string) {
	status := e.answer.deferred
	e.answer.deferred = 0
	text = strings.TrimSpace(text)
	if status >= 500 || e.r.Pattern == "" || text == "" || len(text) > 300 || !utf8.ValidString(text) {
		text = statusMessage(status)
	}
	e.fail(status, text)
	e.answer.muted = true
}

// fail answers with an error of the server's own, JSON under /api and plain
// text elsewhere. It removes headers that the handler set for its own body.
func (e *requestState) fail(status int, message string) {
	h := e.answer.Header()
	for _, k := range []string{"Content-Length", "Content-Encoding", "Content-Disposition", "Etag", "Last-Modified",
		"Location", "Set-Cookie"} {
		delete(h, k)
	}
	h["Cache-Control"] = []string{"no-store"}
	body := []byte(message + "\n\nRequest " + e.id + "\n")
	h["Content-Type"] = []string{"text/plain; charset=utf-8"}
	if e.api {
		text, err := fault.ErrorBody{Error: fault.ErrorObject{Code: fault.CodeOf(status), Message: message,
			RequestID: e.id}}.Encode()
		if err != nil {
			panic(err) // three texts are always JSON
		}
		body = text
		h["Content-Type"] = []string{"application/json"}
	}
	e.answer.send(status)
	e.answer.Write(body) //nolint:errcheck // the client may be gone
}

func statusMessage(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "There is nothing at this path."
	case status == http.StatusMethodNotAllowed:
		return "This path does not take that method; see the Allow header."
	case status >= 500:
		return "Something went wrong on our side. Please try again; if it stays, tell the operator the request id."
	}
	if text := http.StatusText(status); text != "" {
		return text + "."
	}
	return "The request was refused."
}
