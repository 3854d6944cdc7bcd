// Package catch is a mail server that delivers nothing: it keeps the last mails in memory, so that a demo can show who
// got what.
package catch

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/emersion/go-smtp"

	own "daybook/app/mail/smtp"
)

const (
	kept    = 200
	largest = 1 << 20 // bytes of a mail
	patient = 20 * time.Second
)

// Mail is a mail that was caught.
type Mail struct {
	ID          int // 1 for the first
	At          time.Time
	To, From    string // From is a name with its address, as the reader sees it
	Subject     string
	HTML        string
	Invitations []Invitation // for the reader's calendar
}

// Invitation is an entry for the reader's calendar.
type Invitation struct {
	Method string // REQUEST puts it there, CANCEL takes it away
	Title  string
	Start  time.Time // in the zone that the entry names
	Text   string    // the iCalendar object
}

// Box takes mails by SMTP on the loopback. Its methods may be called at the same time.
type Box struct {
	server *smtp.Server
	port   int

	mu    sync.Mutex
	mails []Mail // the oldest first
	taken int
}

// Open makes a Box that takes mails until Close.
func Open() (*Box, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("catching mails: %w", err)
	}
	b := &Box{port: l.Addr().(*net.TCPAddr).Port}
	b.server = smtp.NewServer(b)
	b.server.Domain, b.server.MaxMessageBytes, b.server.MaxRecipients = "localhost", largest, 1
	b.server.ReadTimeout, b.server.WriteTimeout = patient, patient
	b.server.ErrorLog = quiet{}
	go b.server.Serve(l) //nolint:errcheck // it ends with Close
	return b, nil
}

// Close ends it.
func (b *Box) Close() error {
	err := b.server.Close()
	if errors.Is(err, smtp.ErrServerClosed) {
		return nil
	}
	return err
}

// Server is how mails get there. from is their sender.
func (b *Box) Server(from string) *own.Server {
	return &own.Server{Host: "127.0.0.1", Port: b.port, TLS: own.NoTLS, From: mail.Address{Address: from}}
}

// Mails returns the last 200 mails, the newest first.
func (b *Box) Mails() []Mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Clone(b.mails)
	slices.Reverse(all)
	return all
}

// Mail returns a mail by its ID. ok is false for one that was never there, or no longer is.
func (b *Box) Mail(id int) (m Mail, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.mails, func(m Mail) bool { return m.ID == id })
	if i < 0 {
		return m, false
	}
	return b.mails[i], true
}

func (b *Box) keep(m Mail) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken++
	m.ID, m.At = b.taken, time.Now()
	b.mails = append(b.mails, m)
	b.mails = b.mails[max(0, len(b.mails)-kept):]
}

// NewSession begins a session.
func (b *Box) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{box: b}, nil }

type session struct {
	box *Box
	to  string
}

func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	m, err := read(r)
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "can't read this mail: " + err.Error()}
	}
	m.To = s.to
	s.box.keep(m)
	return nil
}

func (s *session) Reset()        { s.to = "" }
func (s *session) Logout() error { return nil }

// read reads a message in MIME (RFC 2045).
func read(r io.Reader) (m Mail, err error) {
	message, err := mail.ReadMessage(r)
	if err != nil {
		return m, err
	}
	words := new(mime.WordDecoder)
	if m.Subject, err = words.DecodeHeader(message.Header.Get("Subject")); err != nil {
		return m, err
	}
	from, err := message.Header.AddressList("From")
	if err != nil {
		return m, err
	}
	m.From = from[0].Address
	if from[0].Name != "" {
		m.From = from[0].Name + " <" + from[0].Address + ">"
	}
	return m, m.part(message.Header.Get("Content-Type"), message.Header.Get("Content-Transfer-Encoding"), message.Body)
}

// part reads a part, and those in it.
func (m *Mail) part(contentType, encoding string, body io.Reader) error {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return err
	}
	if strings.HasPrefix(kind, "multipart/") {
		for parts := multipart.NewReader(body, params["boundary"]); ; {
			p, err := parts.NextRawPart()
			if err == io.EOF {
				return nil
			}
			if err == nil {
				err = m.part(p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)
			}
			if err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	switch {
	case err != nil:
		return err
	case kind == "text/html":
		m.HTML = string(text)
	case kind == "text/calendar":
		i, err := invitation(text)
		m.Invitations = append(m.Invitations, i)
		return err
	}
	return nil
}

// invitation reads an iCalendar object with one event (RFC 5545).
func invitation(text []byte) (i Invitation, err error) {
	i.Text = string(text)
	c, err := ics.ParseCalendar(bytes.NewReader(text))
	if err != nil {
		return i, err
	}
	for _, p := range c.CalendarProperties {
		if p.IANAToken == string(ics.PropertyMethod) {
			i.Method = p.Value
		}
	}
	events := c.Events()
	if len(events) == 0 {
		return i, errors.New("the invitation has no event")
	}
	if title := events[0].GetProperty(ics.ComponentPropertySummary); title != nil {
		i.Title = title.Value
	}
	i.Start, err = events[0].GetStartAt()
	return i, err
}

// quiet is for what broken sessions say: a demo has no reader for it.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}
