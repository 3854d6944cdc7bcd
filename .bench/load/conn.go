// package load puts requests to a server over real sockets: what the benchmarks of this folder share.
package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Conn speaks as much HTTP/1.1 as Daybook's answers need, with little time of its own, which would hide differences.
type Conn struct {
	net.Conn
	in     *bufio.Reader
	header string
}

// Dial opens a connection. All its requests have the header, lines that end in CRLF.
func Dial(address, header string) (*Conn, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: c, in: bufio.NewReaderSize(c, 64<<10), header: "Host: " + address + "\r\n" + header}, nil
}

// Wire adds the headers that all requests have, after the request line.
func (c *Conn) Wire(request string) []byte {
	first, rest, _ := strings.Cut(request, "\r\n")
	if rest == "" {
		rest = "\r\n"
	}
	return []byte(first + "\r\n" + c.header + rest)
}

// Ask sends a request and reads the whole answer; it returns the body only when keep is set.
func (c *Conn) Ask(wire []byte, status int, keep bool) ([]byte, error) {
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	if _, err := c.Write(wire); err != nil {
		return nil, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	got, err := strconv.Atoi(string(line[min(9, len(line)):min(12, len(line))]))
	if err != nil {
		return nil, fmt.Errorf("no status in %q", line)
	}
	length, chunked := -1, false
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return nil, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
	var body bytes.Buffer
	var to io.Writer = io.Discard
	if keep || got != status {
		to = &body
	}
	if chunked {
		err = c.chunks(to)
	} else if length > 0 {
		_, err = io.CopyN(to, c.in, int64(length))
	}
	if err != nil {
		return nil, err
	}
	if got != status {
		request, _, _ := bytes.Cut(wire, []byte("\r\n"))
		return nil, fmt.Errorf("%s answered %d, not %d: %s", request, got, status, body.Bytes())
	}
	return body.Bytes(), nil
}

// chunks copies a chunked body.
func (c *Conn) chunks(to io.Writer) error {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return err
		}
		if n > 0 {
			if _, err := io.CopyN(to, c.in, n); err != nil {
				return err
			}
		}
		if _, err := c.in.Discard(2); err != nil || n == 0 {
			return err
		}
	}
}
