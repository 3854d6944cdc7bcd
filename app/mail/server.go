package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
)

// ServerConfig says how workspaces' own mail servers are checked.
type ServerConfig struct {
	Allow []netip.Prefix // networks that they may be in besides the public internet
	// Resolve finds the addresses of a host; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)

	// What follows is for tests; nil asks the system, trusts its certificates, reads the web by the law, and means 25, 465,
	// 587 and 2525.
	DNS   *net.Resolver
	Trust *tls.Config
	Web   http.RoundTripper
	Ports []uint16
}

// mailPorts are the ports on which mail servers accept mails from programs.
var mailPorts = []uint16{25, 465, 587, 2525}

func (c *ServerConfig) dns() *net.Resolver { return cmp.Or(c.DNS, net.DefaultResolver) }

func (c *ServerConfig) law() *address.Law {
	l := &address.Law{Allow: c.Allow, Option: "--mail-allow", Ports: c.Ports, Resolve: c.Resolve, DNS: c.DNS}
	if l.Ports == nil {
		l.Ports = mailPorts
	}
	return l
}

// MailServer returns the workspace's own mail server, or nil if it uses that of `serve --smtp-url`. Errors: forbidden.
func (s *Service) MailServer(ctx context.Context, a app.Actor) (*smtp.Server, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return nil, err
	}
	return s.OwnServer(ctx, a.Workspace)
}

// OwnServer does the same as MailServer without checking rights.
func (s *Service) OwnServer(ctx context.Context, ws catalog.WorkspaceID) (*smtp.Server, error) {
	sealed, err := s.Reader(ctx).MailServer(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := s.Core.Vault().Open(sealed)
	if err != nil {
		return nil, err
	}
	server, err := smtp.Parse(string(text))
	server.Law = s.mail.law()
	return &server, err
}

// ShareMailServer sets the operator's mail server, which is used for workspaces without their own. It must be called
// before the Service is used.
func (s *Service) ShareMailServer(m *smtp.Server) { s.sharedMail = m }

// MailRoute returns the server through which the workspace's mails go out: its own, or else the operator's. It is nil
// if there is neither.
func (s *Service) MailRoute(ctx context.Context, ws catalog.WorkspaceID) (*smtp.Server, error) {
	own, err := s.OwnServer(ctx, ws)
	if err != nil || own != nil || s.sharedMail == nil {
		return own, err
	}
	shared := *s.sharedMail
	return &shared, nil
}

// SetMailServer gives the workspace a mail server of its own; "" removes it. It asks DNS. Of another server than before,
// or another sender, a member has to show that its mails arrive: see ServerCheck. Errors: forbidden, bad_request.
func (s *Service) SetMailServer(ctx context.Context, a app.Actor, text string) error {
	if err := a.May(app.MayManageMails); err != nil {
		return err
	}
	if text == "" {
		return s.saveServer(ctx, a, "", nil)
	}
	server, err := smtp.Parse(text)
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
	check, err := s.checkOf(ctx, a, server)
	if err != nil {
		return err
	}
	return s.saveServer(ctx, a, text, check)
}

// checkOf returns what is to be checked once a server is saved: for whoever runs this server, and of what stays as it was,
// nothing new.
func (s *Service) checkOf(ctx context.Context, a app.Actor, server smtp.Server) (*Check, error) {
	if a.User == 0 {
		return nil, nil
	}
	old, err := s.OwnServer(ctx, a.Workspace)
	if err != nil || old == nil {
		return &Check{}, err
	}
	server.From.Name = old.From.Name
	if old.URL() == server.URL() {
		return s.ServerCheck(ctx, a.Workspace)
	}
	return &Check{}, nil
}

// WithSavedPassword returns the address of a mail server, which has no password, with the password that the workspace
// has saved. The password is used only for the host, port and user for which it was given, and never with less
// encryption: otherwise the error is bad_request for the field password. Without a saved password the address stays as
// it is. Errors: bad_request, forbidden.
func (s *Service) WithSavedPassword(ctx context.Context, a app.Actor, text string) (string, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return "", err
	}
	server, err := smtp.Parse(text)
	if err != nil {
		return "", err
	}
	old, err := s.OwnServer(ctx, a.Workspace)
	if err != nil || old == nil || old.Password == "" || server.User == "" || server.Password != "" {
		return text, err
	}
	return old.LendPassword(&server, text)
}
