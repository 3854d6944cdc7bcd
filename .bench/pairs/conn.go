package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	dialTime   = 10 * time.Second
	answerTime = time.Minute
	maxKept    = 1 << 20 // bytes of an answer
	maxShown   = 500     // bytes of one in an error
)

// Get is a request, as Wire takes it.
func Get(path string) string { return "GET " + path + " HTTP/1.1\r\n" }

// Post is a request with a body of JSON.
func Post(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, len(body), body)
}

// Tool is a call of an agent's tool.
func Tool(name, arguments string) string {
	return strings.Replace(Post("/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+
		`","arguments":`+arguments+`}}`), "\r\n", "\r\nAccept: application/json, text/event-stream\r\n", 1)
}

// Conn is a connection that stays open, and speaks as much HTTP/1.1 as Daybook's answers need: the work that it takes for
// itself is missing from what is measured.
type Conn struct {
	net.Conn
	in     *bufio.Reader
	header string
}

// Dial opens a connection. All its requests have the header, lines that end in CRLF.
func Dial(address, header string) (*Conn, error) {
	c, err := net.DialTimeout("tcp", address, dialTime)
	if err != nil {
		return nil, err
	}
	return &Conn{c, bufio.NewReaderSize(c, 64<<10), "Host: " + address + "\r\n" + header}, nil
}

// Wire adds the headers that all requests have, after the request line.
func (c *Conn) Wire(request string) []byte {
	first, rest, _ := strings.Cut(request, "\r\n")
	if rest == "" {
		rest = "\r\n"
	}
	return []byte(first + "\r\n" + c.header + rest)
}

// Ask sends a request and reads the whole answer; it returns the body only when keep is set. An answer with another
// status than wanted is an error.
func (c *Conn) Ask(wire []byte, status int, keep bool) ([]byte, error) {
	if err := c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}
	if _, err := c.Write(wire); err != nil {
		return nil, err
	}
	got, length, chunked, err := c.head()
	if err != nil {
		return nil, err
	}
	var body start
	var to io.Writer = io.Discard
	if keep || got != status {
		to = &body
	}
	switch {
	case chunked:
		err = c.chunks(to)
	case length > 0:
		_, err = io.CopyN(to, c.in, int64(length))
	case length < 0 && got != 204 && got != 304: // until the end of the connection
		_, err = io.Copy(to, c.in)
	}
	if err != nil {
		return nil, err
	}
	if got != status {
		request, _, _ := bytes.Cut(wire, []byte("\r\n"))
		return nil, fmt.Errorf("%s answered %d, not %d: %s", request, got, status, plain(body))
	}
	return body, nil
}

// start keeps the start of what is written to it.
type start []byte

func (s *start) Write(p []byte) (int, error) {
	*s = append(*s, p[:min(len(p), maxKept-len(*s))]...)
	return len(p), nil
}

// plain is the start of an answer for an error, without what a terminal would take for a command.
func plain(body []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(string(body[:min(len(body), maxShown)]), "?"))
}

// head reads the status and the header's fields, also those of interim answers, which are passed over. length is -1
// where none is given.
func (c *Conn) head() (status, length int, chunked bool, err error) {
	for status < 200 {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, false, err
		}
		status, err = strconv.Atoi(string(line[min(9, len(line)):min(12, len(line))]))
		if err != nil || status < 100 {
			return 0, 0, false, fmt.Errorf("no status in %q", line)
		}
		if length, chunked, err = c.fields(); err != nil {
			return 0, 0, false, err
		}
	}
	return status, length, chunked, nil
}

func (c *Conn) fields() (length int, chunked bool, err error) {
	length = -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, false, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return length, chunked, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil || length < 0 {
				return 0, false, fmt.Errorf("%q is no length", value)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
}

// chunks copies a chunked body.
func (c *Conn) chunks(to io.Writer) error {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is no size of a chunk", line)
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
