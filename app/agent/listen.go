package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// acknowledged answers a subscriptions/listen: the acknowledgement first, as the protocol has it, then the result, since
// nothing here can be listened to. The library makes both, but its result may overtake the acknowledgement, which is
// lost then; so what it writes is kept back, and its errors are passed on.
func acknowledged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &keptAnswer{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(kept, r)
		result, id := kept.result()
		if result == nil {
			w.WriteHeader(kept.status)
			w.Write(kept.body.Bytes()) //nolint:errcheck // the client may be gone
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Del("Content-Length")
		fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":%q,\"params\":{\"_meta\":{%q:%s},\"notifications\":{}}}\n\n"+
			"event: message\ndata: %s\n\n", mcp.MethodNotificationSubscriptionsAcknowledged, mcp.MetaKeySubscriptionID, id, result)
	})
}

// keptAnswer keeps an answer back. Its headers are those of the response.
type keptAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (k *keptAnswer) WriteHeader(status int) { k.status = status }

// Write implements http.ResponseWriter.
func (k *keptAnswer) Write(b []byte) (int, error) { return k.body.Write(b) }

// Flush implements http.Flusher.
func (k *keptAnswer) Flush() {}

// result returns the message that is the result, and its id; nil if there is none.
func (k *keptAnswer) result() (text, id json.RawMessage) {
	for line := range bytes.Lines(k.body.Bytes()) {
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("data:")))
		var m message
		if json.Unmarshal(line, &m) == nil && m.Result != nil && m.Method == "" {
			return line, m.ID
		}
	}
	return nil, nil
}
