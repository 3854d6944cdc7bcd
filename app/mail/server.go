package mail

import (
	"context"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
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

// ServerConfig is how a workspace's own mail servers are checked.
type ServerConfig struct {
	Allow []netip.Prefix // networks that they may be in besides the public internet
	// Resolve finds the addresses of a host; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// mailPorts are the ports on which mail servers accept mails from programs.
var mailPorts = []uint16{25, 465, 587, 2525}

func (c *ServerConfig) law() *address.Law {
	return &address.Law{Allow: c.Allow, Option: "--mail-allow", Ports: mailPorts, Resolve: c.Resolve}
}

// TLS says how a connection to a mail server is encrypted.
type TLS string

const (
	StartTLS TLS = "starttls" // required
	FullTLS  TLS = "tls"      // from the first byte
	NoTLS    TLS = "none"
)

const mailServerForm = "expected smtp://user:password@host:587?from=bookings@example.com " +
	"(or smtps://…:465; ?tls=none allows no encryption)"

// ParseServer reads smtp(s)://user:password@host:port?from=…&tls=none. TLS is required unless it says none. The
// error is bad_request and holds no password.
func ParseServer(text string) (s Server, err error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return s, fault.Invalid("smtpUrl", mailServerForm)
	}
	s = Server{Host: u.Hostname(), TLS: StartTLS, Port: 587, User: u.User.Username()}
	s.Password, _ = u.User.Password()
	switch u.Scheme {
	case "smtp":
	case "smtps":
		s.TLS, s.Port = FullTLS, 465
	default:
		return s, fault.Invalid("smtpUrl", mailServerForm)
	}
	q := u.Query()
	for name := range q {
		if name != "from" && name != "tls" {
			return s, fault.Invalid("smtpUrl", "%q is unknown; %s", name, mailServerForm)
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
		return s, fault.Invalid("smtpUrl", "from must be an e-mail address; %s", mailServerForm)
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

// MailServer is the workspace's own mail server, or nil when it uses the one of `serve --smtp-url`. The error is
// forbidden.
func (s *Service) MailServer(ctx context.Context, a app.Actor) (*Server, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return nil, err
	}
	return s.ownServer(ctx, a.Workspace)
}

// ownServer is MailServer without the check of rights.
func (s *Service) ownServer(ctx context.Context, ws catalog.WorkspaceID) (*Server, error) {
	sealed, err := s.Reader(ctx).MailServer(ws)
	if err == fault.ErrNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := s.Core.Vault().Open(sealed)
	if err != nil {
		return nil, err
	}
	server, err := ParseServer(string(text))
	server.Law = s.mail.law()
	return &server, err
}

// ShareMailServer names the operator's mail server, for the workspaces that have none of their own. It must be called
// before the Service is used.
func (s *Service) ShareMailServer(m *Server) { s.sharedMail = m }

// MailRoute is the server through which the workspace's mails go out: its own, or else the operator's. It is nil if
// there is neither.
func (s *Service) MailRoute(ctx context.Context, ws catalog.WorkspaceID) (*Server, error) {
	own, err := s.ownServer(ctx, ws)
	if err != nil || own != nil {
		return own, err
	}
	return s.sharedMail, nil
}

// SetMailServer gives the workspace a mail server of its own; "" removes it. It asks DNS. Errors: forbidden,
// bad_request.
func (s *Service) SetMailServer(ctx context.Context, a app.Actor, text string) error {
	if err := a.May(app.MayManageMails); err != nil {
		return err
	}
	sealed := ""
	if text != "" {
		server, err := ParseServer(text)
		if err != nil {
			return err
		}
		law := s.mail.law()
		if err := law.CheckPort(server.Port); err != nil {
			return fault.Invalid("smtpUrl", "%v", err)
		}
		if _, err := law.CheckHost(ctx, server.Host, true); err != nil {
			return fault.Invalid("smtpUrl", "%v", err)
		}
		sealed = s.Core.Vault().Seal([]byte(text))
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		return tx.SetMailServer(a.Workspace, sealed, when.At(s.Core.Now()))
	})
}

// WithSavedPassword is the address of a mail server, which has no password, with the password that the workspace has
// saved. That goes only to the host, port and user that it was given for, and never to where there is less encryption:
// else the error is bad_request on the field password. Without a saved password the address stays as it is. The
// other error is forbidden.
func (s *Service) WithSavedPassword(ctx context.Context, a app.Actor, text string) (string, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return "", err
	}
	server, err := ParseServer(text)
	if err != nil {
		return "", err
	}
	old, err := s.ownServer(ctx, a.Workspace)
	if err != nil || old == nil || old.Password == "" || server.User == "" || server.Password != "" {
		return text, err
	}
	same := address.SameHost(old.Host, server.Host) && old.Port == server.Port && old.User == server.User
	if !same || server.TLS == NoTLS && old.TLS != NoTLS {
		return "", fault.Invalid("password", "give the password again: the saved one is only for %s at %s, "+
			"with the encryption that was chosen", old.User, old.Address())
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return "", fault.Invalid("smtpUrl", mailServerForm)
	}
	u.User = url.UserPassword(server.User, old.Password)
	return u.String(), nil
}
