package mail

import (
	"context"
	"errors"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/discover"
	"daybook/app/mail/smtp"
	"daybook/app/when"
)

// ConnectInput is how a workspace gets a mail server by an address and a password.
type ConnectInput struct {
	Address  string // of the mailbox: mails come from it
	Server   string // host:port of one of those that FindServers found
	Provider string // the host, where the owner has said that it is the provider: needed unless the server is Sure
	User     string // "" is what FindServers found
	Password string
	Name     string // of the sender
	To       string // who gets the test mail
}

// connectTime is how long connecting to a server, or finding one, may take.
const connectTime = 25 * time.Second

// FindServers returns the servers that may send the mails of an address, the best first, and what its owner must know
// before giving a password. It asks DNS and the web. Errors: forbidden; bad_request on the field address; rate_limited;
// discover.ErrSilent.
func (s *Service) FindServers(ctx context.Context, a app.Actor, addr string) ([]discover.Server, discover.Advice, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return nil, discover.Advice{}, err
	}
	if !s.spent.take(a.Workspace, s.Core.Now()) {
		return nil, discover.Advice{}, fault.New(fault.RateLimited, "", "too many mail servers were tried; go on in a quarter of an hour")
	}
	law := s.mail.law()
	web := *law
	web.Ports = nil
	f := discover.Finder{DNS: s.mail.dns(), Web: s.mail.Web}
	if f.Web == nil {
		f.Web = web.Transport()
	}
	all, advice, err := f.Find(ctx, addr)
	all = slices.DeleteFunc(all, func(x discover.Server) bool { return law.CheckPort(x.Port) != nil })
	return all, advice, err
}

// ConnectServer gives the workspace a server that FindServers found for the address: it signs in there once, over TLS,
// and sends a test mail with four digits, which ConfirmServer takes. The server is saved only if it took that mail.
// It returns what it found, with an error too. Errors: forbidden; bad_request on the fields address, server, provider, user
// and password; rate_limited; discover.ErrSilent; a *smtp.Failure.
func (s *Service) ConnectServer(ctx context.Context, a app.Actor, in ConnectInput) ([]discover.Server, discover.Advice, error) {
	// What was found is found again: a form can't say where the password goes.
	limited, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	all, advice, err := s.FindServers(limited, a, in.Address)
	if err != nil {
		return nil, advice, err
	}
	server, err := s.chosen(&in, all, &advice)
	if err != nil {
		return all, advice, err
	}
	if _, err := server.Law.CheckHost(limited, server.Host, true); err != nil {
		return all, advice, fault.Invalid("server", "%v", err)
	}
	now := when.At(s.Core.Now())
	code, check := newCode(a.Workspace, in.To, now)
	if err := smtp.TestCode(limited, server, s.mail.Trust, in.To, s.localeOf(a.Workspace), code); err != nil {
		return all, advice, err
	}
	return all, advice, s.saveServer(ctx, a, server.URL(), &check)
}

// chosen returns the server of an input, one of those that were found, with the password that it may be given.
func (s *Service) chosen(in *ConnectInput, all []discover.Server, advice *discover.Advice) (server *smtp.Server, err error) {
	i := slices.IndexFunc(all, func(x discover.Server) bool { return x.Address() == in.Server })
	if i < 0 {
		return nil, fault.Invalid("server", "this server is not known for the address any more; look for it again")
	}
	found := &all[i]
	if !found.Sure && in.Provider != found.Host {
		return nil, fault.Invalid("provider", "say that this is your provider, or give another server")
	}
	if advice.Passwords == discover.AppPassword {
		in.Password = strings.Join(strings.Fields(in.Password), "") // they are shown in groups of letters
	}
	if in.Password == "" {
		return nil, fault.Invalid("password", "is required")
	}
	user := found.User
	if in.User != "" {
		if user, err = fault.CheckLine("user", in.User, 1, fault.MaxEmail); err != nil {
			return nil, err
		}
	}
	name, err := fault.CheckLine("name", in.Name, 0, 200)
	if err != nil {
		return nil, err
	}
	addr, err := fault.CheckEmail("address", in.Address)
	if err != nil {
		return nil, err
	}
	return &smtp.Server{Host: found.Host, Port: found.Port, TLS: found.TLS, User: user, Password: in.Password,
		From: mail.Address{Name: name, Address: addr}, Law: s.mail.law()}, nil
}

// saveServer saves a server, "" for none, and what is to be checked of it, nil for nothing.
func (s *Service) saveServer(ctx context.Context, a app.Actor, text string, check *Check) error {
	sealed := ""
	if text != "" {
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
		if err := tx.SetMailCheck(a.Workspace, check); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, e)
	})
}

func (s *Service) localeOf(ws catalog.WorkspaceID) string {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return ""
	}
	return setup.Workspace.Settings.Locale
}

// spent counts on this server how often a workspace has lately looked for servers and given passwords.
type spent struct {
	mu sync.Mutex
	at map[catalog.WorkspaceID][]time.Time
}

const (
	spentTime = 15 * time.Minute
	mostSpent = 30
)

func (s *spent) take(ws catalog.WorkspaceID, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, all := range s.at {
		all = slices.DeleteFunc(all, func(t time.Time) bool { return now.Sub(t) >= spentTime || t.After(now) })
		if s.at[id] = all; len(all) == 0 {
			delete(s.at, id)
		}
	}
	if len(s.at[ws]) >= mostSpent {
		return false
	}
	if s.at == nil {
		s.at = map[catalog.WorkspaceID][]time.Time{}
	}
	s.at[ws] = append(s.at[ws], now)
	return true
}
