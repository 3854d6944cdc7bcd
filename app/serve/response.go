package serve

import (
	"io"
	"net/http"
	"strings"
)

// response is the ResponseWriter that the doors get. It notes status and size, and
// supports Flush, http.ResponseController, io.WriteString and io.Copy.
type response struct {
	http.ResponseWriter
	state *requestState

	status   int // the status sent; 0 before
	bytes    int64
	deferred int  // the status of an error under /api that is not JSON, held until its text is known
	muted    bool // the error was replaced: the rest of its text is dropped
}

// Unwrap is for http.ResponseController.
func (a *response) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *response) WriteHeader(status int) {
	switch {
	case a.status != 0 || a.deferred != 0: // only the first one counts
	case a.state.body.slow && status >= 400: // in the words of whichever door read the body
		a.state.tooSlow()
		a.muted = true
	case status < 200 && status != http.StatusSwitchingProtocols:
		a.ResponseWriter.WriteHeader(status) // informational; the answer follows
	case status >= 400 && a.state.api && !isJSON(a.Header()):
		a.deferred = status
	default:
		a.send(status)
	}
}

// send writes the head, as it is.
func (a *response) send(status int) {
	a.status = status
	htmlHeaders(a.Header())
	a.ResponseWriter.WriteHeader(status)
}

// begun sends the head if it is not sent yet, and reports whether the body is to be dropped.
func (a *response) begun(text string) (drop bool) {
	if a.deferred != 0 {
		a.state.replaceError(text)
	} else if a.status == 0 {
		a.send(http.StatusOK)
	}
	return a.muted
}

func (a *response) Write(b []byte) (int, error) {
	if a.status == 0 && a.begun(heldText(a, b)) || a.muted {
		return len(b), nil
	}
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err
}

func (a *response) WriteString(text string) (int, error) {
	if a.status == 0 && a.begun(heldText(a, text)) || a.muted {
		return len(text), nil
	}
	n, err := io.WriteString(a.ResponseWriter, text)
	a.bytes += int64(n)
	return n, err
}

// ReadFrom lets io.Copy use the connection's own buffers.
func (a *response) ReadFrom(src io.Reader) (int64, error) {
	inner, ok := a.ResponseWriter.(io.ReaderFrom)
	if !ok || a.deferred != 0 || a.muted || a.status == 0 {
		return io.Copy(struct{ io.Writer }{a}, src)
	}
	n, err := inner.ReadFrom(src)
	a.bytes += n
	return n, err
}

func (a *response) Flush() {
	if a.status == 0 {
		a.begun("")
	}
	if f, ok := a.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

func isJSON(h http.Header) bool {
	v := h["Content-Type"]
	return len(v) > 0 && strings.Contains(v[0], "json")
}

// heldText returns the text of a held error, when it is plain text.
func heldText[T string | []byte](a *response, text T) string {
	if a.deferred == 0 || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/plain") {
		return ""
	}
	return string(text)
}
