package mail

import (
	"context"
	"errors"
	"net/netip"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/app/when"
)

// ServerConfig says how workspaces' own mail servers are checked.
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

// SetMailServer gives the workspace a mail server of its own; "" removes it. It asks DNS. Errors: forbidden,
// bad_request.
func (s *Service) SetMailServer(ctx context.Context, a app.Actor, text string) error {
	if err := a.May(app.MayManageMails); err != nil {
		return err
	}
	sealed := ""
	if text != "" {
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
		sealed = s.Core.Vault().Seal([]byte(text))
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		e := audit.Entry{Action: audit.MailServerSet}
		if sealed == "" {
			if _, err := tx.MailServer(a.Workspace); errors.Is(err, fault.ErrNotFound) {
				return nil
			} else if err != nil {
				return err
			}
			e.Action = audit.MailServerRemoved
		}
		if err := tx.SetMailServer(a.Workspace, sealed, when.At(s.Core.Now())); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, e)
	})
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
