package pgtest

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy stands between a test's engine and the server, knows where each message of the client ends, and cuts a
// connection there.
type Proxy struct {
	URL string // the database, by way of the proxy

	mu    sync.Mutex
	left  int // messages until the cut; 0 for none
	after bool
}

// NewProxy leads to the database at place until the test ends.
func NewProxy(t testing.TB, place string) *Proxy {
	t.Helper()
	p := &Proxy{}
	p.URL = Between(t, place, p.lead)
	return p
}

// Cut has the connection that sends the n-th message from now cut: before the server gets the message, or after it has
// got it, so that the client never learns what came of it. Connections that listen don't count.
func (p *Proxy) Cut(n int, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.after = n, after
}

// Spared calls the cut off, and reports whether it had not come.
func (p *Proxy) Spared() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	spared := p.left > 0
	p.left = 0
	return spared
}

// counts counts a message, and tells whether its connection is cut, and whether after it.
func (p *Proxy) counts() (cut, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		return false, false
	}
	p.left--
	return p.left == 0, p.after
}

// lead leads one connection, until either end closes it or it is cut.
func (p *Proxy) lead(client, server net.Conn) {
	var cut atomic.Bool // the client hears nothing any more
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		defer client.Close()
		buffer := make([]byte, 32<<10)
		for {
			n, err := server.Read(buffer)
			if n > 0 && !cut.Load() {
				client.Write(buffer[:n]) // the client may be gone: its next message fails
			}
			if err != nil {
				return
			}
		}
	}()
	from := bufio.NewReader(client)
	listens := false
	for first := true; ; {
		message, err := readMessage(from, first)
		if err != nil {
			return
		}
		if first { // a request for encryption is answered, and the start comes again
			first = len(message) == 8
			if _, err := server.Write(message); err != nil {
				return
			}
			continue
		}
		listens = listens || strings.Contains(string(message), "LISTEN ")
		ends, after := false, false
		if !listens {
			ends, after = p.counts()
		}
		cut.Store(ends)
		if !ends || after {
			if _, err := server.Write(message); err != nil {
				return
			}
		}
		if ends {
			client.Close()
			server.(*net.TCPConn).CloseWrite() // the server does what it has got
			<-answered
			return
		}
	}
}

// readMessage reads one message of a client: the first has no letter before its length.
func readMessage(from *bufio.Reader, first bool) ([]byte, error) {
	head := 5
	if first {
		head = 4
	}
	message := make([]byte, head, 256)
	if _, err := io.ReadFull(from, message); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint32(message[head-4:]))
	message = append(message, make([]byte, length-4)...)
	_, err := io.ReadFull(from, message[head:])
	return message, err
}
