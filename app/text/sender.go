package text

import (
	"context"
	"encoding/json"
	"errors"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/phone"
	"daybook/app/text/sms"
	"daybook/app/when"
)

// sealed is a sender as it is stored, sealed whole.
type sealed struct {
	sms.Sender
	Secret     string `json:"secret,omitempty"`
	SigningKey string `json:"signingKey,omitempty"`
}

// Law is where senders may be.
func (s *Service) Law() *address.Law {
	return &address.Law{Allow: s.config.Allow, Option: "--text-allow"}
}

// InboundPath returns the path to which the sender of a workspace posts what comes in, and what became of texts.
func InboundPath(ws catalog.WorkspaceID) string { return "/api/texts/" + ws.String() }

// sender returns the workspace's sender, with its secrets; nil where there is none.
func (s *Service) sender(ctx context.Context, ws catalog.WorkspaceID) (*sms.Sender, error) {
	return s.senderIn(s.Reader(ctx), ws)
}

func (s *Service) senderIn(r Reads, ws catalog.WorkspaceID) (*sms.Sender, error) {
	stored, err := r.TextSender(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := s.Core.Vault().Open(stored)
	if err != nil {
		return nil, err
	}
	var x sealed
	if err := json.Unmarshal(text, &x); err != nil {
		return nil, err
	}
	x.Sender.Secret, x.Sender.SigningKey = sms.Secret(x.Secret), sms.Secret(x.SigningKey)
	return &x.Sender, nil
}

// Sender returns the workspace's sender, without its secrets; nil where it sends no texts. Errors: forbidden.
func (s *Service) Sender(ctx context.Context, a app.Actor) (*sms.Sender, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return nil, err
	}
	x, err := s.sender(ctx, a.Workspace)
	if x != nil {
		x.Secret, x.SigningKey = "", ""
	}
	return x, err
}

// SetSender has the workspace send its texts through a service; nil ends that, and what waits is mailed where it can be. A
// secret that is left out stays, as long as account and host do. It asks DNS. Errors: forbidden, bad_request.
func (s *Service) SetSender(ctx context.Context, a app.Actor, x *sms.Sender) error {
	if err := a.May(app.MayManageMails); err != nil {
		return err
	}
	old, err := s.sender(ctx, a.Workspace)
	if err != nil {
		return err
	}
	if x == nil {
		if old == nil {
			return nil
		}
		return s.changeSender(ctx, a, audit.TextSenderRemoved, func(tx Tx, _ *sms.Sender) error {
			return tx.SetTextSender(a.Workspace, "", nil, when.At(s.Core.Now()))
		})
	}
	in := merged(x, old)
	if err := in.Check(); err != nil {
		return err
	}
	if err := s.client.CheckHost(ctx, &in); err != nil {
		return err
	}
	return s.changeSender(ctx, a, audit.TextSenderSet, func(tx Tx, old *sms.Sender) error {
		in := merged(x, old) // as it is behind the lock
		if err := in.Check(); err != nil {
			return err
		}
		listed, err := tx.ListedTextSender(a.Workspace)
		if err != nil {
			return err
		}
		if listed != nil && sameAccount(old, &in) && x.Secret == "" && x.SigningKey == "" {
			listed = listed.of(&in)
		} else {
			listed = nil // it is the dashboard's now
		}
		return s.saveSender(tx, a.Workspace, &in, listed)
	})
}

// NewRoute makes another secret address to which the service of a sender posts that is known by it, and returns it whole, which
// is possible only once. What comes to the one before is refused from then on. Errors: forbidden; not_found without such a
// sender.
func (s *Service) NewRoute(ctx context.Context, a app.Actor) (string, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return "", err
	}
	secret, hash := sms.NewRoute()
	err := s.changeSender(ctx, a, audit.TextRouteMade, func(tx Tx, x *sms.Sender) error {
		if x == nil || !x.ByRoute() {
			return errNoSender()
		}
		listed, err := tx.ListedTextSender(a.Workspace)
		if err != nil {
			return err
		}
		x.Route = hash
		return s.saveSender(tx, a.Workspace, x, listed)
	})
	if err != nil {
		return "", err
	}
	return s.Core.BaseURL() + InboundPath(a.Workspace) + "/" + secret, nil
}

// changeSender calls change with the workspace's sender as it is behind the lock; nil if there is none.
func (s *Service) changeSender(ctx context.Context, a app.Actor, what audit.Action, change func(Tx, *sms.Sender) error) error {
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		old, err := s.senderIn(tx, a.Workspace)
		if err != nil {
			return err
		}
		if err := change(tx, old); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: what})
	})
}

// merged returns the sender with the secrets that x leaves out, of the same account.
func merged(x, old *sms.Sender) sms.Sender {
	in := *x
	if !sameAccount(old, &in) {
		return in
	}
	if in.Secret == "" {
		in.Secret = old.Secret
	}
	if in.SigningKey == "" {
		in.SigningKey = old.SigningKey
	}
	if in.Route == "" && in.ByRoute() {
		in.Route = old.Route
	}
	return in
}

// sameAccount reports whether both are the same account at the same host; old may be nil.
func sameAccount(old, x *sms.Sender) bool {
	return old != nil && old.Preset == x.Preset && old.Account == x.Account && old.User == x.User && sameHost(old, x)
}

func sameHost(a, b *sms.Sender) bool {
	one, secure := a.Host()
	other, also := b.Host()
	return one == other && secure == also
}

func (s *Service) saveSender(tx Tx, ws catalog.WorkspaceID, x *sms.Sender, listed *ListedSender) error {
	text, err := json.Marshal(sealed{*x, string(x.Secret), string(x.SigningKey)})
	if err != nil {
		return err
	}
	return tx.SetTextSender(ws, s.Core.Vault().Seal(text), listed, when.At(s.Core.Now()))
}

// testsADay is how many test texts a workspace sends in a day.
const testsADay = 10

// SendTest queues a test text to a number. Errors: forbidden; bad_request on the field to; not_found without a sender;
// rate_limited.
func (s *Service) SendTest(ctx context.Context, a app.Actor, to string) (t Text, err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return t, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return t, err
	}
	if !setup.Workspace.Texts {
		return t, errNoSender()
	}
	number, ok := phone.Parse(to, setup.Workspace.PhoneCountry())
	if _, mobile := phone.Mobile(number); !ok || !mobile {
		return t, fault.Invalid("to", "must be a mobile number such as +49 1512 3456789")
	}
	now := when.At(s.Core.Now())
	t = Text{ID: id.New[TextIDKind](now.Time()), WorkspaceID: a.Workspace, Kind: catalog.TextTest, To: number, CreatedAt: now, DueAt: now,
		Until: now.Add(life)}
	return t, s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		n, err := tx.TextsOfKind(a.Workspace, catalog.TextTest, id.First[TextIDKind](now.Add(-when.Day).Time()))
		if err != nil {
			return err
		}
		if n >= testsADay {
			return fault.New(fault.RateLimited, "", "%d test texts were sent today; try again tomorrow.", n)
		}
		return tx.InsertTexts(t)
	})
}

func (s *Service) eachSender(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		stored, err := r.TextSender(w.ID)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if changed, err := look(&stored); err != nil {
			return err
		} else if changed {
			if err := tx.ResealTextSender(w.ID, stored); err != nil {
				return err
			}
		}
	}
	return nil
}
