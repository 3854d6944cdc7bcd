package mail

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

	"daybook/app/mail/answer"

	"github.com/wneessen/go-mail/smtp"
)

const (
	dialTime = 15 * time.Second
	sendTime = 45 * time.Second // for one mail, from the first command to the answer
	lastCall = 5 * time.Second  // for the mail under way when the server stops
)

// failure says what went wrong and what that means for the mail, and for others that wait for the same server.
type failure struct {
	Text  string // the server's message, or ours
	Final bool   // sending it again will not help
	Down  bool   // the server can't be used at the moment, by any mail
}

func (f *failure) Error() string { return f.Text }

// connection is an open session with an SMTP server.
type connection struct {
	net.Conn
	client *smtp.Client
	unhook func() bool
	say    func(step string, err error) string // how the server's answers are shown
}

// connect opens a session: TLS as the server's settings ask, then the sign-in. The error is a *failure.
func connect(ctx context.Context, s *Server, trust *tls.Config, hello string) (*connection, error) {
	say := answer.Own
	if s.Law != nil {
		say = answer.Foreign
	}
	c, step, err := dial(ctx, s, trust, hello)
	if err != nil {
		return nil, &failure{Text: "can't use " + s.Address() + ": " + say(step, err), Down: true}
	}
	c.say = say
	return c, nil
}

// dial is connect; its error says at which step it failed.
func dial(ctx context.Context, s *Server, trust *tls.Config, hello string) (c *connection, step string, err error) {
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if trust != nil {
		settings = trust.Clone()
	}
	settings.ServerName = s.Host
	dialer := &net.Dialer{Timeout: dialTime}
	if s.Law != nil {
		dialer.Control = s.Law.Control(true)
	}
	conn, err := dialer.DialContext(ctx, "tcp", s.Address())
	if err != nil {
		return nil, "the connection", err
	}
	c = &connection{Conn: conn}
	c.unhook = context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now().Add(lastCall)) })
	conn.SetDeadline(time.Now().Add(sendTime))
	if s.TLS == FullTLS {
		conn = tls.Client(conn, settings)
	}
	if step, err = c.begin(conn, s, settings, hello); err != nil {
		c.drop()
		return nil, step, err
	}
	return c, "", nil
}

func (c *connection) begin(conn net.Conn, s *Server, settings *tls.Config, hello string) (step string, err error) {
	if c.client, err = smtp.NewClient(conn, s.Host); err != nil {
		return "the connection", err
	}
	if err := c.client.Hello(hello); err != nil {
		return "the greeting", err
	}
	if s.TLS == StartTLS {
		if ok, _ := c.client.Extension("STARTTLS"); !ok {
			return "", &answer.Unfit{Text: "it offers no TLS; nothing was sent (?tls=none allows that)"}
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
	return answer.SignIn, c.client.Auth(auth)
}

// auth chooses how to sign in. Without TLS, which the operator must have asked for, it prefers a way that hides the
// password.
func (c *connection) auth(s *Server) (smtp.Auth, error) {
	_, offered := c.client.Extension("AUTH")
	plain := s.TLS == NoTLS
	ways := []struct {
		name string
		auth smtp.Auth
	}{
		{"PLAIN", smtp.PlainAuth("", s.User, s.Password, s.Host, plain)},
		{"LOGIN", smtp.LoginAuth(s.User, s.Password, s.Host, plain)},
		{"SCRAM-SHA-256", smtp.ScramSHA256Auth(s.User, s.Password)},
		{"CRAM-MD5", smtp.CRAMMD5Auth(s.User, s.Password)},
	}
	if plain {
		slices.Reverse(ways)
	}
	for _, w := range ways {
		if slices.Contains(strings.Fields(offered), w.name) {
			return w.auth, nil
		}
	}
	return nil, &answer.Unfit{Text: "it offers no way to sign in that is known here"}
}

// written returns the message in MIME. The error is a *failure.
func written(m *Message) (io.WriterTo, error) {
	body, err := m.encode()
	if err != nil {
		return nil, &failure{Text: "this mail can't be written: " + err.Error(), Final: true}
	}
	return body, nil
}

// send sends one message. A nil error means that the server has accepted it; any other is a *failure.
func (c *connection) send(ctx context.Context, m *Message, body io.WriterTo) error {
	if ctx.Err() == nil {
		c.SetDeadline(time.Now().Add(sendTime))
	}
	if err := c.envelopeFits(m); err != nil {
		return err
	}
	if err := c.client.Mail(path(m.From.Address)); err != nil {
		// Nobody may send from this address: a setting, which may be corrected in time.
		f := c.classify("the sender", err)
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

// path is an address as the envelope wants it, in angle brackets and with its local part quoted where that is needed.
// The library writes what it is given: its own Client adds the brackets, its smtp.Client does not.
func path(address string) string { return (&mail.Address{Address: address}).String() }

// envelopeFits uses SMTPUTF8 only where an address needs it, as later servers may refuse mails that were sent with it.
// The error, a *failure, is that the server doesn't support such an address.
func (c *connection) envelopeFits(m *Message) error {
	plain := isASCII(m.From.Address) && isASCII(m.To)
	c.client.SkipSMTPUTF8(plain)
	if offered, _ := c.client.Extension("SMTPUTF8"); plain || offered {
		return nil
	}
	return &failure{Text: "the mail server takes only addresses in plain letters (a-z)", Final: true}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// classify reads a server's answer to a step: 5xx is final; 421 closes the session, as does no answer at all.
func (c *connection) classify(step string, err error) *failure {
	var said *textproto.Error
	if !errors.As(err, &said) {
		return &failure{Text: c.say(step, err), Down: true}
	}
	return &failure{Text: c.say(step, err), Final: said.Code >= 500, Down: said.Code == 421}
}

// reset prepares the session for the next mail, or reports that it has ended.
func (c *connection) reset() bool { return c.client.Reset() == nil }

// drop closes the connection without QUIT.
func (c *connection) drop() {
	c.unhook()
	c.Close()
}

// quit ends the session.
func (c *connection) quit() {
	c.SetDeadline(time.Now().Add(lastCall))
	c.client.Quit()
	c.drop()
}
