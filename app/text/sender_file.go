package text

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/text/sms"
	"daybook/app/when"
)

// ListedSender is a sender as a set-up file gives it. Where its secrets are is said by references.
type ListedSender struct {
	Preset     string        `json:"preset"`
	From       string        `json:"from,omitempty"`
	URL        string        `json:"url,omitempty"`
	Account    string        `json:"account,omitempty"`
	User       string        `json:"user,omitempty"`
	Template   *sms.Template `json:"template,omitempty"`
	Secret     string        `json:"secret,omitempty"`
	SigningKey string        `json:"signingKey,omitempty"`
}

// ListedSenderFields describes a ListedSender.
var ListedSenderFields = field.Resource{
	Text: "Through what texts to telephones are sent.",
	Fields: []field.Field{
		{Name: "preset", Text: "`twilio`, `seven`, `android`, a phone of one's own, or `own`, another service by a template.",
			Enum: field.Values(sms.Presets...), Key: true, Required: true, InFile: true},
		{Name: "from", Text: "The number or name that texts come from; at Twilio it may be a Messaging Service.", InFile: true, Clears: true},
		{Name: "url", Text: "Where the service is, if not at the preset's own address.", InFile: true, Clears: true},
		{Name: "account", Text: "Account SID of Twilio.", InFile: true, Clears: true},
		{Name: "user", Text: "Who signs in: of a phone its user, at Twilio the SID of an API key.", InFile: true, Clears: true},
		{Name: "template", Text: "What requests and answers of another service look like.", InFile: true},
		{Name: "secret", Text: "Where the auth token, API key or password is.", InFile: true},
		{Name: "signingKey", Text: "Where the key is that shows that the service posts what comes in.", InFile: true},
	},
}

// listedSender returns a sender as a file gives it, without references.
func listedSender(x *sms.Sender) *ListedSender {
	return &ListedSender{Preset: x.Preset, From: x.From, URL: x.URL, Account: x.Account, User: x.User, Template: x.Own}
}

// of returns the sender as a file gives it, with the same references.
func (l *ListedSender) of(x *sms.Sender) *ListedSender {
	now := listedSender(x)
	now.Secret, now.SigningKey = l.Secret, l.SigningKey
	return now
}

// sender returns what the file gives, without secrets.
func (l *ListedSender) sender() sms.Sender {
	return sms.Sender{Preset: l.Preset, From: l.From, URL: l.URL, Account: l.Account, User: l.User, Own: l.Template}
}

// ListedOutcome says what was done with a sender that a file gives.
type ListedOutcome struct {
	Replaced []string // fields whose secret is another one now
	Unset    []string // those whose reference leads nowhere now: the secret that is stored stays
	NoRoute  bool     // what comes in is to be known by a secret address, and there is none yet
}

// Listed returns the workspace's sender if a set-up file gave it, as it is now; else nil. It opens no secret.
func (s *Service) Listed(r app.Reader, ws catalog.WorkspaceID) (*ListedSender, error) {
	return r.(Reader).ListedTextSender(ws)
}

// AsListed returns the workspace's sender as a file would give it, without references where the dashboard set it; nil where
// there is none.
func (s *Service) AsListed(r app.Reader, ws catalog.WorkspaceID) (*ListedSender, error) {
	x, err := s.senderIn(r.(Reader), ws)
	if x == nil || err != nil {
		return nil, err
	}
	listed, err := r.(Reader).ListedTextSender(ws)
	if listed == nil || err != nil {
		return listedSender(x), err
	}
	return listed.of(x), nil
}

// CheckListedHost returns bad_request for a sender whose host can't, or mustn't, be connected to, unless was, which may be
// nil, has the same. It asks DNS, so it must run outside of transactions.
func (s *Service) CheckListedHost(ctx context.Context, l, was *ListedSender) error {
	x := l.sender()
	if host, _ := x.Host(); host == "" {
		return nil // SetListed says why
	}
	if was != nil {
		if old := was.sender(); sameHost(&old, &x) {
			return nil
		}
	}
	return s.client.CheckHost(ctx, &x)
}

// SetListed has the workspace send its texts through what a set-up file gives; nil ends that. A secret stays where its
// reference is left out, or leads where it did, as long as account and host do. Errors: bad_request, by the fields of
// ListedSenderFields.
func (s *Service) SetListed(t app.Tx, ws catalog.WorkspaceID, l *ListedSender, look catalog.SecretLook) (o ListedOutcome, err error) {
	tx := t.(Tx)
	if err := tx.LockWorkspace(ws); err != nil {
		return o, err
	}
	old, err := s.senderIn(tx, ws)
	if err != nil {
		return o, err
	}
	if l == nil {
		if old == nil {
			return o, nil
		}
		return o, tx.SetTextSender(ws, "", nil, when.At(s.Core.Now()))
	}
	was, err := tx.ListedTextSender(ws)
	if err != nil {
		return o, err
	}
	in, c := l.sender(), secretChange{look: look, outcome: &o}
	if sameAccount(old, &in) {
		if c.same = true; in.ByRoute() {
			in.Route = old.Route
		}
	} else {
		old = &sms.Sender{}
	}
	if was == nil {
		was = &ListedSender{}
	}
	if in.Secret, err = c.secret("secret", l.Secret, was.Secret, old.Secret); err != nil {
		return o, err
	}
	if in.SigningKey, err = c.secret("signingKey", l.SigningKey, was.SigningKey, old.SigningKey); err != nil {
		return o, err
	}
	if err := in.Check(); err != nil {
		return o, err
	}
	o.NoRoute = in.NeedsRoute()
	now := l.of(&in) // as it was checked
	if reflect.DeepEqual(&in, old) && reflect.DeepEqual(now, was) {
		return o, nil
	}
	return o, s.saveSender(tx, ws, &in, now)
}

// secretChange follows the references of a file.
type secretChange struct {
	look    catalog.SecretLook
	same    bool // account and host stay
	outcome *ListedOutcome
}

// secret returns what the reference leads to, or stored where that stays; was is the reference of stored.
func (c *secretChange) secret(field, reference, was string, stored sms.Secret) (sms.Secret, error) {
	if reference == "" {
		return stored, nil
	}
	text, err := c.look(reference)
	stays := c.same && reference == was
	switch {
	case err != nil && stays:
		c.outcome.Unset = append(c.outcome.Unset, field)
		return stored, nil
	case err != nil:
		return "", fault.Invalid(field, "%v", err)
	case text == "" && stays: // left out
		return stored, nil
	case text == "":
		return "", fault.Invalid(field, "is required: this is another account, or a new one")
	}
	if stored != "" && sms.Secret(text) != stored {
		c.outcome.Replaced = append(c.outcome.Replaced, field)
	}
	return sms.Secret(text), nil
}
