package smtp

import (
	"errors"
	"net"
	"sync/atomic"
)

// maxReply is how many bytes a server may send before it is told something again. A genuine answer has some hundred, and
// the longest of a handshake, its certificates, some thousand.
const maxReply = 256 << 10

var errTooMuch = errors.New("the server's answer is far too long")

// bounded is a connection whose other side may only answer, not go on talking. The reader of answers keeps lines and
// their continuations whole, however long they are.
type bounded struct {
	net.Conn
	left atomic.Int64
}

func (b *bounded) Write(p []byte) (int, error) {
	b.left.Store(maxReply)
	return b.Conn.Write(p)
}

func (b *bounded) Read(p []byte) (int, error) {
	left := b.left.Load()
	if left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.Conn.Read(p[:min(int64(len(p)), left)])
	b.left.Add(-int64(n))
	return n, err
}
