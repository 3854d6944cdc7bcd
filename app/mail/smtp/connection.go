package smtp

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app/address"

	gosmtp "github.com/wneessen/go-mail/smtp"
)

const (
	dialTime = 15 * time.Second
	sendTime = 45 * time.Second // for one mail, from the first command to the answer
	lastCall = 5 * time.Second  // for the mail under way when the server stops
)

// Failure says what went wrong and what that means for the mail, and for others that wait for the same server.
type Failure struct {
	Text  string // the server's message, or ours
	Final bool   // sending it again will not help
	Down  bool   // the server can't be used at the moment, by any mail
	Why   Why
}

func (f *Failure) Error() string { return f.Text }

// Connection is an open session with an SMTP server.
type Connection struct {
	net.Conn
	client *gosmtp.Client
	unhook func() bool
	say    func(step string, err error) string // how the server's answers are shown
}

// Connect opens a session: TLS as the server's settings ask, then the sign-in. The error is a *Failure.
func Connect(ctx context.Context, s *Server, trust *tls.Config) (*Connection, error) {
	say := Own
	if s.Law != nil {
		say = Foreign
	}
	c, step, err := dial(ctx, s, trust)
	if err != nil {
		return nil, &Failure{Text: "can't use " + s.Address() + ": " + say(step, err), Down: true, Why: why(step, err)}
	}
	c.say = say
	return c, nil
}

// dial is Connect; its error says at which step it failed.
func dial(ctx context.Context, s *Server, trust *tls.Config) (c *Connection, step string, err error) {
	if err := address.Leave(ctx); err != nil {
		return nil, "the connection", err
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if trust != nil {
		settings = trust.Clone()
	}
	settings.ServerName = s.Host
	dialer := &net.Dialer{Timeout: dialTime}
	if s.Law != nil {
		dialer.Control, dialer.Resolver = s.Law.Control(true), s.Law.DNS
	}
	conn, err := dialer.DialContext(ctx, "tcp", s.Address())
	if err != nil {
		return nil, "the connection", err
	}
	limited := &bounded{Conn: conn}
	limited.left.Store(maxReply)
	conn = limited
	c = &Connection{Conn: conn}
	c.unhook = context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now().Add(lastCall)) })
	conn.SetDeadline(time.Now().Add(sendTime))
	if s.TLS == FullTLS {
		conn = tls.Client(conn, settings)
	}
	if step, err = c.begin(conn, s, settings); err != nil {
		c.Drop()
		return nil, step, err
	}
	return c, "", nil
}

func (c *Connection) begin(conn net.Conn, s *Server, settings *tls.Config) (step string, err error) {
	if c.client, err = gosmtp.NewClient(conn, s.Host); err != nil {
		return "the connection", err
	}
	if err := c.client.Hello(domainOf(s.From.Address)); err != nil {
		return "the greeting", err
	}
	if s.TLS == StartTLS {
		if ok, _ := c.client.Extension("STARTTLS"); !ok {
			return "", &Unfit{Text: "it offers no TLS; nothing was sent (?tls=none allows that)"}
		}
		if err := c.client.StartTLS(settings); err != nil {
			return "STARTTLS", err
		}
	}
	if s.User == "" {
		return "", nil
	}
	auth, err := c.auth(s)
	if err != nil {
		return "", err
	}
	return SignIn, c.client.Auth(auth)
}

// auth chooses how to sign in. Without TLS, which the operator must have asked for, it prefers a way that hides the
// password.
func (c *Connection) auth(s *Server) (gosmtp.Auth, error) {
	_, offered := c.client.Extension("AUTH")
	plain := s.TLS == NoTLS
	ways := []struct {
		name string
		auth gosmtp.Auth
	}{
		{"PLAIN", gosmtp.PlainAuth("", s.User, s.Password, s.Host, plain)},
		{"LOGIN", gosmtp.LoginAuth(s.User, s.Password, s.Host, plain)},
		{"SCRAM-SHA-256", gosmtp.ScramSHA256Auth(s.User, s.Password)},
		{"CRAM-MD5", gosmtp.CRAMMD5Auth(s.User, s.Password)},
	}
	if plain {
		slices.Reverse(ways)
	}
	for _, w := range ways {
		if slices.Contains(strings.Fields(offered), w.name) {
			return w.auth, nil
		}
	}
	return nil, &Unfit{Text: "it offers no way to sign in that is known here"}
}

// Written returns the message in MIME. The error is a *Failure.
func Written(m *Message) (io.WriterTo, error) {
	body, err := m.encode()
	if err != nil {
		return nil, &Failure{Text: "this mail can't be written: " + err.Error(), Final: true}
	}
	return body, nil
}

// Send sends one message. A nil error means that the server has accepted it; any other is a *Failure.
func (c *Connection) Send(ctx context.Context, m *Message, body io.WriterTo) error {
	if ctx.Err() == nil {
		c.SetDeadline(time.Now().Add(sendTime))
	}
	if err := c.envelopeFits(m); err != nil {
		return err
	}
	if err := c.client.Mail(path(m.From.Address)); err != nil {
		// Nobody may send from this address: a setting, which may be corrected in time.
		f := c.classify(fromStep, err)
		f.Final = false
		return f
	}
	if err := c.client.Rcpt(path(m.To)); err != nil {
		return c.classify("the recipient", err)
	}
	w, err := c.client.Data()
	if err != nil {
		return c.classify("the mail", err)
	}
	if _, err := body.WriteTo(w); err != nil {
		return c.classify("the mail", err)
	}
	if err := w.Close(); err != nil {
		return c.classify("the mail", err)
	}
	return nil
}

// path returns an address as the envelope wants it, in angle brackets and with its local part quoted where that is
// needed. The library writes what it is given: its own Client adds the brackets, its gosmtp.Client does not.
func path(address string) string { return (&mail.Address{Address: address}).String() }

// envelopeFits uses SMTPUTF8 only where an address needs it, as later servers may refuse mails that were sent with it.
// The error, a *Failure, is that the server doesn't support such an address.
func (c *Connection) envelopeFits(m *Message) error {
	plain := isASCII(m.From.Address) && isASCII(m.To)
	c.client.SkipSMTPUTF8(plain)
	if offered, _ := c.client.Extension("SMTPUTF8"); plain || offered {
		return nil
	}
	return &Failure{Text: "the mail server takes only addresses in plain letters (a-z)", Final: true}
}

func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// classify reads a server's answer to a step: 5xx is final; 421 closes the session, as does no answer at all.
func (c *Connection) classify(step string, err error) *Failure {
	var said *textproto.Error
	if !errors.As(err, &said) {
		return &Failure{Text: c.say(step, err), Down: true, Why: why(step, err)}
	}
	return &Failure{Text: c.say(step, err), Final: said.Code >= 500, Down: said.Code == 421, Why: why(step, err)}
}

// Reset prepares the session for the next mail, or reports that it has ended.
func (c *Connection) Reset() bool { return c.client.Reset() == nil }

// Drop closes the connection without QUIT.
func (c *Connection) Drop() {
	c.unhook()
	c.Close()
}

// Quit ends the session.
func (c *Connection) Quit() {
	c.SetDeadline(time.Now().Add(lastCall))
	c.client.Quit()
	c.Drop()
}
