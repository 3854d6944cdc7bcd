package sms

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"

	"daybook/app/fault"
)

// The presets of senders, and the sender whose template is its own.
const (
	Twilio  = "twilio"
	Seven   = "seven"
	Android = "android" // SMS Gateway for Android: a phone in the house, or its cloud
	Own     = "own"
)

// Presets are those that there are, in the order in which they are offered.
var Presets = []string{Twilio, Seven, Android, Own}

// Sender is a service that sends texts, and the account there. Its JSON and its String have no secrets.
type Sender struct {
	Preset  string    `json:"preset"`
	From    string    `json:"from,omitempty"`    // number or name that texts come from; a Messaging Service (MG…) of Twilio
	URL     string    `json:"url,omitempty"`     // where the service is, such as http://192.168.1.10:8080; "" is the preset's
	Account string    `json:"account,omitempty"` // Account SID of Twilio
	User    string    `json:"user,omitempty"`    // of Basic authentication, such as an API key's SID; "" is Account
	Route   string    `json:"route,omitempty"`   // hash of the secret in the address that the service posts to: see NewRoute
	Own     *Template `json:"template,omitempty"`

	Secret     Secret `json:"-"` // auth token, API key or password
	SigningKey Secret `json:"-"` // by which what the service posts is verified; "" is Secret, at Twilio only
}

// Secret is a text that no log and no error shows: whatever prints it prints an ellipsis.
type Secret string

// String hides the secret, as does GoString.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "…"
}

// GoString hides the secret.
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// String names the sender without its secrets.
func (s *Sender) String() string {
	host, _ := s.Host()
	return strings.TrimSpace(s.Preset + " " + host + " " + s.From)
}

// Host returns the host that texts are handed to, and whether that is over TLS; "" if the sender has no valid address.
func (s *Sender) Host() (host string, secure bool) {
	t := s.Template()
	if t == nil {
		return "", false
	}
	u, err := url.Parse(s.address(t.URL, nil))
	if err != nil {
		return "", false
	}
	return u.Hostname(), u.Scheme == "https"
}

// AnswersStop reports whether the service acknowledges STOP, START and HELP itself, as Twilio does: then no text of ours
// does it again.
func (s *Sender) AnswersStop() bool { t := s.Template(); return t != nil && t.AnswersStop }

// TakesReplies reports whether people can answer a text: not one from a name, nor one without a sender of one's own.
func (s *Sender) TakesReplies() bool {
	t := s.Template()
	switch {
	case t == nil || t.Inbound == nil:
		return false
	case s.Preset == Android:
		return true
	case s.Preset == Twilio && serviceForm.MatchString(s.From):
		return true
	}
	return s.From != "" && strings.Trim(s.From, "+0123456789") == ""
}

// Asks reports whether the service can be asked for a message by our own reference.
func (s *Sender) Asks() bool {
	t := s.Template()
	return t != nil && t.Ask != nil && t.Ask.Reference != ""
}

// NeedsRoute reports whether what the service posts is to be known by a secret address, and there is none: nothing is taken
// then.
func (s *Sender) NeedsRoute() bool { return s.ByRoute() && s.Route == "" }

// ByRoute reports whether what the service posts is known by a secret address.
func (s *Sender) ByRoute() bool { t := s.Template(); return t != nil && t.Verify.Kind == RouteProof }

// NewRoute returns a secret that ends the address to which a service posts that can neither sign nor sign in, and its
// hash, which a Sender keeps as Route. The secret is shown once.
func NewRoute() (secret, hash string) {
	secret = strings.ToLower(rand.Text())
	return secret, routeHash(secret)
}

func routeHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (s *Sender) user() string { return cmp.Or(s.User, s.Account) }

// signingKey returns "" if there is none, by which nothing is ever verified.
func (s *Sender) signingKey() string {
	if s.SigningKey == "" && s.Preset == Twilio {
		return string(s.Secret)
	}
	return string(s.SigningKey)
}

// Message is a text to one number.
type Message struct {
	To        string // E.164, such as +4915112345678
	Text      string // at most MaxText characters
	Reference string // our own, unique, of letters, digits, - and _: the service keeps it where it can
	Callback  string // address for delivery reports; "" asks for none
}

// MaxText is how many characters a text may have: seven.io takes no more.
const MaxText = 1520

var (
	numberForm    = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	referenceForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	serviceForm   = regexp.MustCompile(`^MG[0-9a-fA-F]{32}$`)
	accountForm   = regexp.MustCompile(`^AC[0-9a-fA-F]{32}$`)
)

// Check returns what is wrong with the message as bad_request, or nil.
func (m *Message) Check() error {
	var p fault.Problems
	if !numberForm.MatchString(m.To) {
		p.Add(bad("to", "must be a number in E.164, such as +4915112345678"))
	}
	if _, err := fault.CheckText("text", m.Text, MaxText); err != nil {
		p.Add(err)
	} else if strings.TrimSpace(m.Text) == "" {
		p.Add(fault.Invalid("text", "is required"))
	}
	if !referenceForm.MatchString(m.Reference) {
		p.Add(bad("reference", "must have 1 to 64 letters, digits, - and _"))
	}
	if u, err := url.Parse(m.Callback); m.Callback != "" && (err != nil || u.Host == "" || len(m.Callback) > 1000) {
		p.Add(bad("callback", "must be a URL of at most 1000 bytes"))
	}
	return p.Err()
}

func bad(field, text string) error { return fault.Invalid(field, "%s", text) }
