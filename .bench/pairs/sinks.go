package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// Sinks take the mails and the webhooks of the product, and count them.
type Sinks struct {
	Mails, Hooks atomic.Int64
	smtp, http   net.Listener
}

// NewSinks listens at free addresses of this machine.
func NewSinks() (*Sinks, error) {
	s := &Sinks{}
	var err error
	if s.smtp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	if s.http, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	go http.Serve(s.http, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		s.Hooks.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	go func() {
		for {
			c, err := s.smtp.Accept()
			if err != nil {
				return
			}
			go s.take(c)
		}
	}()
	return s, nil
}

// take speaks SMTP, just enough to be given mails.
func (s *Sinks) take(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	say := func(line string) { io.WriteString(c, line+"\r\n") }
	say("220 sink")
	for data := false; ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		word, _, _ := strings.Cut(strings.ToUpper(line), " ")
		switch {
		case data && line == ".":
			data = false
			s.Mails.Add(1)
			say("250 taken")
		case data:
		case word == "EHLO":
			say("250-sink\r\n250 8BITMIME")
		case word == "DATA":
			data = true
			say("354 go on")
		case word == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// Mail is the --smtp-url of the product.
func (s *Sinks) Mail() string {
	return "smtp://" + s.smtp.Addr().String() + "?from=salon@bench.example&tls=none"
}

// Hook is the address of a webhook endpoint.
func (s *Sinks) Hook() string { return "http://" + s.http.Addr().String() + "/hook" }

// Close ends them.
func (s *Sinks) Close() {
	s.smtp.Close()
	s.http.Close()
}
