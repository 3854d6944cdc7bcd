package agent

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
)

// Closing waits until the stream has carried the answer of each call, and for nothing else.
func TestCloseWaitsForAnswersToLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l openWork
		l.open()
		s := &openStream{key: 1}
		if !l.add(s) {
			t.Fatal("no stream")
		}
		l.setSession(s, "session")
		w := &streamWriter{ResponseWriter: httptest.NewRecorder(), open: &l, stream: s}
		send := func(event string) {
			w.Write([]byte(event)) //nolint:errcheck // a recorder
			w.Flush()
		}
		closed := false
		l.expect("session")
		l.expect("another") // has no stream, so nobody waits for it
		l.begin()
		go func() { l.wait(t.Context()); closed = true }()
		l.end() // the call is over; its answer is still to be written
		for _, event := range []string{
			"event: endpoint\ndata: /api/sse/message?sessionId=x\r\n\r\n",
			`event: message` + "\n" + `data:{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n\n",
			`event: message` + "\n" + `data: {"jsonrpc":"2.0","method":"x","params":{"result":1}}` + "\n\n",
		} {
			send(event)
			if synctest.Wait(); closed {
				t.Fatalf("did not wait for the answer: %s", event)
			}
		}
		send(`event: message` + "\n" + `data: {"jsonrpc":"2.0","id":1,"result":{"method":"x"}}` + "\n\n")
		if synctest.Wait(); !closed {
			t.Error("still waits after the answer")
		}
		l.expect("session")
		closed = false
		go func() { l.wait(t.Context()); closed = true }()
		l.remove(s)
		if synctest.Wait(); !closed {
			t.Error("waits for a stream that has gone")
		}
	})
}
