package smtp

import (
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/address"
	"daybook/app/fault"
)

// Server is an SMTP server that mails are sent through, and their sender.
type Server struct {
	Host     string
	Port     int
	TLS      TLS
	User     string
	Password string
	From     mail.Address

	Law *address.Law // which addresses may be dialled; nil for the operator's own server, which may be anywhere
}

// TLS says how a connection to a mail server is encrypted.
type TLS string

const (
	StartTLS TLS = "starttls" // required
	FullTLS  TLS = "tls"      // from the first byte
	NoTLS    TLS = "none"
)

// Form shows how the address of a mail server is written.
const Form = "expected smtp://user:password@host:587?from=bookings@example.com " +
	"(or smtps://…:465; ?tls=none allows no encryption)"

// Parse reads smtp(s)://user:password@host:port?from=…&tls=none. TLS is required unless it says none. The
// error is bad_request and holds no password.
func Parse(text string) (s Server, err error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return s, fault.Invalid("smtpUrl", Form)
	}
	s = Server{Host: u.Hostname(), TLS: StartTLS, Port: 587, User: u.User.Username()}
	s.Password, _ = u.User.Password()
	switch u.Scheme {
	case "smtp":
	case "smtps":
		s.TLS, s.Port = FullTLS, 465
	default:
		return s, fault.Invalid("smtpUrl", Form)
	}
	q := u.Query()
	for name := range q {
		if name != "from" && name != "tls" {
			return s, fault.Invalid("smtpUrl", "%q is unknown; %s", name, Form)
		}
	}
	switch q.Get("tls") {
	case "":
	case "none":
		s.TLS = NoTLS
	default:
		return s, fault.Invalid("smtpUrl", "tls is left out, or none")
	}
	if p := u.Port(); p != "" {
		if s.Port, err = strconv.Atoi(p); err != nil || s.Port < 1 || s.Port > 65535 {
			return s, fault.Invalid("smtpUrl", "the port must lie between 1 and 65535")
		}
	}
	from := q.Get("from")
	if from == "" && strings.Contains(s.User, "@") {
		from = s.User
	}
	parsed, err := mail.ParseAddress(from)
	if err != nil {
		return s, fault.Invalid("smtpUrl", "from must be an e-mail address; %s", Form)
	}
	if parsed.Address, err = fault.CheckEmail("smtpUrl.from", parsed.Address); err != nil {
		return s, err
	}
	if parsed.Name, err = fault.CheckLine("smtpUrl.from", parsed.Name, 0, 200); err != nil {
		return s, err
	}
	s.From = *parsed
	return s, nil
}

// Address is host:port.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// URL is what Parse reads, with the password.
func (s *Server) URL() string {
	u := url.URL{Scheme: "smtp", Host: s.Address()}
	q := url.Values{"from": {s.From.String()}}
	switch s.TLS {
	case FullTLS:
		u.Scheme = "smtps"
	case NoTLS:
		q.Set("tls", "none")
	}
	u.RawQuery = q.Encode()
	if s.User != "" {
		u.User = url.UserPassword(s.User, s.Password)
	}
	return u.String()
}

// String names the server without its password.
func (s *Server) String() string {
	scheme, tail := "smtp", ""
	switch s.TLS {
	case FullTLS:
		scheme = "smtps"
	case NoTLS:
		tail = "&tls=none"
	}
	user := ""
	if s.User != "" {
		user = url.User(s.User).String() + "@"
	}
	return scheme + "://" + user + s.Address() + "?from=" + url.QueryEscape(s.From.Address) + tail
}
