package agent

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/jsontext"
)

// DirectCall is what a client asks of a tool.
type DirectCall struct {
	Tool      string
	Arguments json.RawMessage // as they came; nil for none
}

// readDirect returns the call in the params of a tools/call that came with these headers. ok is false for what the library
// has to answer: versions of the protocol without a handshake (2026-07-28 and later) and unknown ones, tasks, answers
// to a tool's questions, and params that are wrong.
func readDirect(h http.Header, params json.RawMessage) (c DirectCall, ok bool) {
	if v := h.Get(mcp.HeaderProtocolVersion); v != "" && (!mcp.IsValidProtocolVersion(v) || mcp.IsModernProtocol(v)) {
		return c, false
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(params, &parts) != nil {
		return c, false
	}
	for name, value := range parts {
		switch name {
		case "name":
			if json.Unmarshal(value, &c.Tool) != nil {
				return c, false
			}
		case "arguments":
			c.Arguments = value
		case "_meta": // such as a token for progress, which no tool reports
			if value[0] != '{' || bytes.Contains(value, []byte("rotocol")) || bytes.IndexByte(value, '\\') >= 0 {
				return c, false // the version may stand here
			}
		default:
			return c, false
		}
	}
	return c, c.Tool != ""
}

// writeDirect answers the request of that id with a tool's answer, a JSON text, as a text and as an object.
func writeDirect(w http.ResponseWriter, id, answer []byte, failed bool) error {
	out := make([]byte, 0, len(answer)*13/4+200)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, `,"result":{"content":[{"type":"text","text":`...)
	out = jsontext.AppendQuoted(out, answer)
	out = append(out, `}],`...)
	if failed {
		out = append(out, `"isError":true,`...)
	}
	out = append(out, `"structuredContent":`...)
	out = append(out, answer...)
	out = append(out, "}}\n"...)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(out))) // in chunks, it would take more writes to the connection
	_, err := w.Write(out)
	return err
}
