package agent

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/jsontext"
)

// splice puts a tool's answer into the response as it is written. The library would encode the answer three times,
// which takes most of the time of a list: it is given a mark instead, once as a text and once as structured content.
type splice struct {
	http.ResponseWriter
	mark []byte // in quotes, as it comes in the response; nobody can guess it
	body []byte // the answer; nil when there is none to put in
}

type splicer struct{}

// spliced is the response and the context of a call whose answer is spliced in.
func spliced(ctx context.Context, w http.ResponseWriter) (context.Context, http.ResponseWriter) {
	s := &splice{ResponseWriter: w}
	return context.WithValue(ctx, splicer{}, s), s
}

// spliceFrom is the length in bytes from which an answer is spliced in.
const spliceFrom = 512

// answered is the result of a tool that has answered with body.
func answered(ctx context.Context, body []byte) *mcp.CallToolResult {
	s, ok := ctx.Value(splicer{}).(*splice)
	if !ok || len(body) < spliceFrom || s.body != nil {
		return result(body, false)
	}
	mark := rand.Text()
	s.mark, s.body = []byte(`"`+mark+`"`), body
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(mark)}, StructuredContent: mark}
}

// Write implements io.Writer. The library writes a message at once.
func (s *splice) Write(p []byte) (int, error) {
	if s.body == nil {
		return s.ResponseWriter.Write(p)
	}
	var out []byte
	for rest := p; ; {
		before, after, found := bytes.Cut(rest, s.mark)
		if out == nil && !found { // another message
			return s.ResponseWriter.Write(p)
		}
		out = append(out, before...)
		if !found {
			break
		}
		if bytes.HasSuffix(before, []byte(`"structuredContent":`)) {
			out = append(out, s.body...)
		} else {
			out = jsontext.AppendQuoted(out, s.body)
		}
		rest = after
	}
	if _, err := s.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements http.Flusher, by which the library knows that it can stream.
func (s *splice) Flush() {
	http.NewResponseController(s.ResponseWriter).Flush() //nolint:errcheck // what can't be flushed is sent at the end
}

// Unwrap is for http.ResponseController.
func (s *splice) Unwrap() http.ResponseWriter { return s.ResponseWriter }
