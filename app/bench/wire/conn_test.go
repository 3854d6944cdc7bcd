package wire_test

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/app/bench/wire"
)

// ask asks a server that answers each request with that text, and then closes.
func ask(t *testing.T, answer string) (*wire.Conn, []byte, error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			c.Write([]byte(answer))
		}
	}()
	c, err := wire.Dial(l.Addr().String(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body, err := c.Ask(c.Wire(wire.Get("/")), 200, true)
	return c, body, err
}

// Answers as those who stand before a server make them are understood.
func TestAnswersOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		answer, body string
		server       time.Duration
		ends         bool
	}{
		"hints come first":        {"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", "ab", 0, false},
		"no spaces":               {"HTTP/1.1 200 OK\r\ncontent-length:2\r\nserver-timing:app;dur=1.5\r\n\r\nab", "ab", 1500 * time.Microsecond, false},
		"a time of somebody else": {"HTTP/1.1 200 OK\r\nServer-Timing: app;dur=2, cdn;dur=7\r\nContent-Length: 0\r\n\r\n", "", 2 * time.Millisecond, false},
		"until the end":           {"HTTP/1.1 200 OK\r\n\r\nabc", "abc", 0, true},
		"in chunks":               {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", "abc", 0, false},
		"no more than needed":     {"HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 3<<20), strings.Repeat("x", 1<<20), 0, true},
	} {
		conn, body, err := ask(t, c.answer)
		if err != nil || string(body) != c.body || conn.Status != 200 || conn.Server != c.server || conn.Ends != c.ends {
			t.Errorf("%s: %d bytes, %d, %v, %v: %v", name, len(body), conn.Status, conn.Server, conn.Ends, err)
		}
	}
}

// What is no answer is an error, and no error writes what a terminal would obey.
func TestAnswersThatAreNone(t *testing.T) {
	for answer, want := range map[string]string{
		"220 mail.example ESMTP\r\n": "no status in",
		"":                           "EOF",
		"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n":                           "no length",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nab\r\n":       "no size of a chunk",
		"HTTP/1.1 404 No\r\nContent-Length: 12\r\n\r\n\x1b]0;x\x07<b>\xff..":      "answered 404, not 200:  ]0;x <b>?..",
		"HTTP/1.1 502 No\r\n\r\n" + strings.Repeat("x", 9000) + "\x1b[2J\x1b[31m": "answered 502",
	} {
		_, _, err := ask(t, answer)
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\x1b\x07") || len(err.Error()) > 700 {
			t.Errorf("%.50q: %.900v", answer, err)
		}
	}
}
