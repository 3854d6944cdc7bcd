package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// rpcError is the JSON-RPC 2.0 error for a message that no method can take.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
	id      json.RawMessage
	status  int // 0 is 400
}

// message has the fields of a JSON-RPC message that the gate checks.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// wantsAnswer reports whether the message is a request, as opposed to a notification or the client's answer.
func (m *message) wantsAnswer() bool { return m.ID != nil && m.Method != "" }

// parseMessage parses a message. The method of a client's answer is "".
func parseMessage(body []byte) (message, *rpcError) {
	var m message
	err := json.Unmarshal(body, &m)
	switch {
	case err != nil && !json.Valid(body):
		return message{}, &rpcError{Code: mcp.PARSE_ERROR, Message: "The message is not valid JSON."}
	case err != nil && bytes.TrimSpace(body)[0] == '[':
		return message{}, &rpcError{Code: mcp.INVALID_REQUEST,
			Message: "Batches are not taken: send each message in a request of its own."}
	case err != nil || m.Version != "2.0":
		return message{}, &rpcError{Code: mcp.INVALID_REQUEST,
			Message: `Send a JSON-RPC message: an object with "jsonrpc": "2.0" and a method.`}
	}
	if len(m.ID) > 0 && !strings.ContainsRune(`"-0123456789`, rune(m.ID[0])) {
		return message{}, &rpcError{Code: mcp.INVALID_REQUEST,
			Message: "The id of a request must be a text or a number; a notification has none."}
	}
	if m.Method == "" {
		if m.Result == nil && m.Error == nil {
			return message{}, &rpcError{Code: mcp.INVALID_REQUEST, Message: "The message has no method.", id: m.ID}
		}
		return m, nil
	}
	return m, nil
}

// checkHandshake returns what is wrong with an initialize request. version is that of its header: newer protocols have
// no such method, whatever its params are.
func (m *message) checkHandshake(version string) *rpcError {
	if m.Method != string(mcp.MethodInitialize) {
		return nil
	}
	if mcp.IsModernProtocol(version) {
		return &rpcError{Code: mcp.METHOD_NOT_FOUND, id: m.ID, status: http.StatusNotFound,
			Message: "There is no initialize in this version of the protocol: server/discover says what there is."}
	}
	var params struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(m.Params, &params) != nil || params.Version == "" {
		return &rpcError{Code: mcp.INVALID_PARAMS, id: m.ID,
			Message: "params.protocolVersion is required, such as " + mcp.LATEST_LEGACY_PROTOCOL_VERSION + "."}
	}
	return nil
}

// checkResource returns what is wrong with a request for a resource that there isn't: with its address, as newer protocols want
// it. version is that of the message's header.
func (m *message) checkResource(version string) *rpcError {
	var params struct{ URI string }
	if m.Method != string(mcp.MethodResourcesRead) || !mcp.IsModernProtocol(version) || json.Unmarshal(m.Params, &params) != nil ||
		slices.ContainsFunc(allViews, func(v view) bool { return v.uri() == params.URI }) {
		return nil
	}
	return &rpcError{Code: mcp.INVALID_PARAMS, Message: "The resource was not found: resources/list has those that there are.",
		Data: map[string]string{"uri": params.URI}, id: m.ID}
}

// write sends the error, with a null id if the message's id could not be read.
func (e *rpcError) write(w http.ResponseWriter) error {
	id := e.id
	if id == nil {
		id = json.RawMessage("null")
	}
	text, err := encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *rpcError       `json:"error"`
	}{"2.0", id, e})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(cmp.Or(e.status, http.StatusBadRequest))
	w.Write(text) // the client may be gone
	return nil
}

// wantsStream reports whether a GET asks for the stream, and not for a page as browsers do.
func wantsStream(accept string) bool {
	if accept == "" || strings.Contains(accept, "text/event-stream") {
		return true
	}
	return strings.Contains(accept, "*/*") && !strings.Contains(accept, "text/html")
}
