package sms

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"daybook/app/fault"
)

// The bounds of a sender.
const (
	MaxURL     = 500  // bytes of an address
	MaxBodyOf  = 4000 // bytes of the template of a body
	MaxHeaders = 10
	MaxSecret  = 500
	maxCodes   = 40 // of each list
	maxPlace   = 120
)

var (
	fromForm    = regexp.MustCompile(`^(\+?[0-9]{3,16}|[A-Za-z0-9 &_+.-]{1,11})$`)
	placeForm   = regexp.MustCompile(`^[A-Za-z0-9_.|?:-]*$`)
	nameForm    = regexp.MustCompile(`^[A-Za-z0-9-]{1,60}$`)
	privateForm = regexp.MustCompile(`(?i)^authorization$|key|token|secret|password`)
)

// Check trims the sender's texts and returns what is wrong with it, by field, as bad_request; secrets are in no message.
// Whether its host may be connected to is Client.CheckHost's to say.
func (s *Sender) Check() error {
	if !slices.Contains(Presets, s.Preset) {
		return fault.Invalid("preset", "must be one of %s", strings.Join(Presets, ", "))
	}
	var p fault.Problems
	line := func(field string, text *string, most int) {
		got, err := fault.CheckLine(field, *text, 0, most)
		if p.Add(err); err == nil {
			*text = got
		}
	}
	line("from", &s.From, 40)
	line("url", &s.URL, MaxURL)
	line("account", &s.Account, 100)
	line("user", &s.User, 100)
	p.Add(checkSecret("secret", s.Secret))
	p.Add(checkSecret("signingKey", s.SigningKey))
	if s.Route != "" && !routeForm.MatchString(s.Route) {
		p.Add(bad("route", "must be a SHA-256 in hex"))
	}
	if s.URL != "" {
		p.Add(checkURL("url", s.URL))
	}
	if s.Preset == Own {
		if s.Own == nil {
			p.Add(fault.Invalid("template", "is required"))
			return p.Err()
		}
		s.Own.check(&p)
		s.checkOwn(&p)
		return p.Err()
	}
	if s.Own != nil {
		p.Add(bad("template", "goes with the preset own only"))
	}
	s.checkPreset(&p)
	return p.Err()
}

var routeForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func checkSecret(field string, secret Secret) error {
	if len(secret) > MaxSecret {
		return fault.Invalid(field, "must have at most %d characters", MaxSecret)
	}
	if strings.ContainsFunc(string(secret), func(r rune) bool { return r < ' ' || r > '~' }) {
		return bad(field, "must be of ASCII, without spaces at its ends or line breaks")
	}
	return nil
}

func checkURL(field, text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Host == "" || u.Hostname() == "":
		return bad(field, "must be a URL such as https://example.com")
	case u.Scheme != "https" && u.Scheme != "http":
		return fault.Invalid(field, "must begin with https://")
	case u.User != nil:
		return bad(field, "must not hold a user name or password; there are fields for them")
	case strings.ContainsAny(text, "{} "):
		return bad(field, "must not have braces or spaces")
	case u.Fragment != "":
		return bad(field, "must not have a fragment (#…)")
	}
	return nil
}

func (s *Sender) checkPreset(p *fault.Problems) {
	required := func(field string, has bool) {
		if !has {
			p.Add(fault.Invalid(field, "is required"))
		}
	}
	if strings.Contains(s.URL, "?") {
		p.Add(bad("url", "must not have a query"))
	}
	required("secret", s.Secret != "")
	switch s.Preset {
	case Twilio:
		required("account", s.Account != "")
		if s.Account != "" && !accountForm.MatchString(s.Account) {
			p.Add(bad("account", "must be an Account SID: AC and 32 hexadecimal digits"))
		}
		if s.User != "" && s.User != s.Account && s.SigningKey == "" {
			p.Add(bad("signingKey", "is the account's auth token, which is needed beside an API key"))
		}
		required("from", s.From != "")
		if s.From != "" && !serviceForm.MatchString(s.From) && !fromForm.MatchString(s.From) {
			p.Add(bad("from", "must be a number such as +4915112345678, a name of at most 11 letters and digits, or a Messaging Service (MG…)"))
		}
	case Seven:
		required("signingKey", s.SigningKey != "")
		if s.From != "" && !fromForm.MatchString(s.From) {
			p.Add(bad("from", "must be a number of at most 16 digits, or a name of at most 11 letters and digits"))
		}
	case Android:
		required("user", s.User != "")
		required("signingKey", s.SigningKey != "")
		if s.From != "" {
			p.Add(bad("from", "is the phone's own number; leave it out"))
		}
	}
}

// checkOwn checks what the template needs of the sender.
func (s *Sender) checkOwn(p *fault.Problems) {
	t := s.Own
	if s.URL == "" && (strings.HasPrefix(t.URL, "{url}") || t.Ask != nil) {
		p.Add(fault.Invalid("url", "is required"))
	} else if checkURL("url", s.address(t.URL, nil)) != nil {
		p.Add(bad("template.url", "must be a URL such as https://example.com/send, or begin with {url}"))
	}
	if t.Basic && (s.user() == "" || s.Secret == "") {
		p.Add(bad("secret", "and user are needed for Basic authentication"))
	}
	switch t.Verify.Kind {
	case TwilioProof, HMACProof, BasicProof, HeaderProof:
		if s.SigningKey == "" {
			p.Add(fault.Invalid("signingKey", "is required"))
		}
	}
}

// The fields that may stand in the parts of a template.
var (
	fieldsOfAddress = []string{"to", "number", "from", "text", "reference", "callback", "account", "user", "url"}
	fieldsOfAsking  = []string{"to", "number", "reference", "account", "user", "url", "id"}
	fieldsOfHeader  = []string{"from", "reference", "account", "user", "secret"}
	fieldsOfBody    = []string{"to", "number", "from", "text", "reference", "callback", "account", "user", "secret"}
	fieldsOfSigning = []string{"body", "md5", "timestamp", "nonce", "method", "url", "path"}
)

// templateCheck collects what is wrong with the parts of a template.
type templateCheck struct{ *fault.Problems }

func (t *Template) check(p *fault.Problems) {
	c := templateCheck{p}
	c.choice("method", t.Method, "POST", "PUT", "GET")
	c.address("url", t.URL, fieldsOfAddress)
	c.choice("type", string(t.Type), string(NoBody), string(JSON), string(Form))
	if len(t.Headers) > MaxHeaders {
		c.add("headers", "must be 10 at most")
	}
	for i := range t.Headers {
		c.header(&t.Headers[i])
	}
	c.body(t)
	c.places("answer", t.Answer.ID, t.Answer.Code, t.Answer.Text)
	c.codes("answer", t.Answer.Taken, t.Answer.Again, t.Answer.Stopped)
	if len(t.Answer.Known) > maxCodes || len(t.Answer.Taken)+len(t.Answer.Again)+len(t.Answer.Stopped) > 0 && t.Answer.Code == "" {
		c.add("answer.code", "is needed where codes are listed")
	}
	if a := t.Ask; a != nil {
		c.asking(a)
	}
	c.choice("posts", string(t.Posts), string(NoBody), string(JSON), string(Form))
	if r := t.Report; r != nil {
		c.places("report", r.When.Path, r.Reference, r.ID, r.State, r.Why)
		c.codes("report", r.When.Is, r.Delivered, r.Failed)
		if r.When.Path == "" || r.State == "" || r.Reference == "" && r.ID == "" {
			c.add("report", "needs when.path, state, and reference or id")
		}
	}
	if in := t.Inbound; in != nil {
		c.places("inbound", in.When.Path, in.From, in.Text, in.ID, in.Media, in.OptOut)
		c.codes("inbound", in.When.Is)
		if in.When.Path == "" || in.From == "" || in.Text == "" {
			c.add("inbound", "needs when.path, from and text")
		}
	}
	c.verify(t)
}

func (c templateCheck) add(field, text string) { c.Add(bad("template."+field, text)) }

func (c templateCheck) choice(field, value string, all ...string) {
	if !slices.Contains(all, value) {
		c.Add(fault.Invalid("template."+field, "must be one of %s", strings.Trim(strings.Join(all, ", "), ", ")))
	}
}

// fields checks that a text holds no fields but these.
func (c templateCheck) fields(field, text string, all []string) {
	for _, f := range fieldForm.FindAllString(text, -1) {
		if !slices.Contains(all, f[1:len(f)-1]) {
			c.add(field, f+" can't stand there; these can: "+strings.Join(all, ", "))
			return
		}
	}
}

func (c templateCheck) address(field, text string, all []string) {
	switch rest := strings.TrimPrefix(text, "{url}"); {
	case text == "":
		c.Add(fault.Invalid("template."+field, "is required"))
	case len(text) > MaxURL:
		c.Add(fault.Invalid("template."+field, "must have at most %d characters", MaxURL))
	case strings.Contains(rest, "{url}"), strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		c.add(field, "must be of ASCII, without spaces, and {url} begins it or isn't there")
	case rest == text && fieldForm.MatchString(hostPart(text)):
		c.add(field, "must have no fields before its path")
	case rest != text && rest != "" && !strings.HasPrefix(rest, "/") && !strings.HasPrefix(rest, "?"):
		c.add(field, "must go on with / or ? behind {url}")
	default:
		c.fields(field, text, all)
	}
}

// hostPart returns what stands before the path of an address.
func hostPart(text string) string {
	begin, rest, _ := strings.Cut(text, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	return begin + rest
}

func (c templateCheck) header(h *Header) {
	switch {
	case !nameForm.MatchString(h.Name):
		c.add("headers", "need names of letters, digits and -")
	case slices.Contains([]string{"host", "content-length", "content-type", "transfer-encoding", "connection", "trailer", "te", "upgrade"},
		strings.ToLower(h.Name)):
		c.add("headers", h.Name+" is set by the program")
	case len(h.Value) > 500, strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' || r > '~' }):
		c.add("headers", "have values of at most 500 characters of ASCII")
	case privateForm.MatchString(h.Name) && !strings.Contains(h.Value, "{secret}"):
		c.add("headers", h.Name+" must hold {secret}, so that what it stands for is kept as a secret")
	default:
		c.fields("headers", h.Value, fieldsOfHeader)
	}
}

func (c templateCheck) body(t *Template) {
	switch {
	case len(t.Body) > MaxBodyOf:
		c.Add(fault.Invalid("template.body", "must have at most %d characters", MaxBodyOf))
	case t.Type == NoBody && t.Body != "":
		c.add("body", "needs a type")
	case t.Type == JSON && !json.Valid([]byte(t.Body)):
		c.add("body", "must be JSON, in which fields stand within texts")
	case t.Method == "GET" && t.Type != NoBody:
		c.add("body", "doesn't go with GET")
	default:
		c.fields("body", t.Body, fieldsOfBody)
	}
	if all := t.URL + t.Body; !strings.Contains(all, "{text}") || !strings.Contains(all, "{to}") && !strings.Contains(all, "{number}") {
		c.add("body", "or url must hold {text}, and {to} or {number}")
	}
	for pair := range strings.SplitSeq(t.Body, "&") {
		if name, _, _ := strings.Cut(pair, "="); t.Type == Form && (strings.Contains(name, "{") || strings.ContainsAny(pair, " \r\n")) {
			c.add("body", "must be name=value, joined by &")
			return
		}
	}
}

func (c templateCheck) places(field string, all ...string) {
	for _, place := range all {
		if len(place) > maxPlace || !placeForm.MatchString(place) {
			c.add(field, "has places such as messages.0.id, of letters, digits and _.|?:-")
			return
		}
	}
}

func (c templateCheck) codes(field string, lists ...[]string) {
	for _, list := range lists {
		if len(list) > maxCodes || slices.ContainsFunc(list, func(code string) bool { return code == "" || len(code) > 40 }) {
			c.add(field, "has at most 40 codes or states, of 1 to 40 characters")
			return
		}
	}
}

func (c templateCheck) asking(a *Ask) {
	for _, one := range []struct{ field, text string }{{"ask.reference", a.Reference}, {"ask.id", a.ID}} {
		if one.text != "" {
			c.address(one.field, one.text, fieldsOfAsking)
		}
		if one.text != "" && !strings.HasPrefix(one.text, "{url}") {
			c.add(one.field, "must begin with {url}") // else secrets would go to another host
		}
	}
	c.places("ask", a.Items, a.Match, a.MessageID, a.State, a.Why)
	c.codes("ask", a.Delivered, a.Failed)
	if a.Items != "" && a.Reference != "" && a.Match == "" || a.Items != "" && a.ID != "" && a.MessageID == "" {
		c.add("ask", "of a list needs match and messageId")
	}
	if a.State == "" {
		c.add("ask", "needs state")
	}
}

func (c templateCheck) verify(t *Template) {
	v := &t.Verify
	c.choice("verify.kind", string(v.Kind), string(NoProof), string(TwilioProof), string(HMACProof), string(BasicProof),
		string(HeaderProof), string(RouteProof))
	if v.Kind == NoProof && (t.Report != nil || t.Inbound != nil) {
		c.add("verify.kind", "is needed to read reports and messages")
	}
	for _, name := range []string{v.Header, v.Timestamp, v.Nonce} {
		if name != "" && !nameForm.MatchString(name) {
			c.add("verify", "has headers of letters, digits and -")
			return
		}
	}
	switch v.Kind {
	case BasicProof:
		if v.User == "" || len(v.User) > 100 {
			c.add("verify.user", "must have 1 to 100 characters")
		}
	case HeaderProof, HMACProof:
		if v.Header == "" {
			c.Add(fault.Invalid("template.verify.header", "is required"))
		}
	}
	if v.Kind != HMACProof {
		return
	}
	c.choice("verify.encoding", v.Encoding, "hex", "base64")
	if len(v.Signed) == 0 || len(v.Signed) > 4 || len(v.Prefix) > 20 {
		c.add("verify.signed", "must be 1 to 4 texts, and prefix 20 characters at most")
	}
	for _, text := range v.Signed {
		c.fields("verify.signed", text, fieldsOfSigning)
		switch {
		case len(text) > 200:
			c.Add(fault.Invalid("template.verify.signed", "must have at most %d characters", 200))
		case !strings.Contains(text, "{body}") && !strings.Contains(text, "{md5}"):
			c.add("verify.signed", "must hold {body} or {md5}")
		case v.Timestamp != "" && !strings.Contains(text, "{timestamp}"):
			c.add("verify.signed", "must hold {timestamp}, so that its age can be trusted")
		}
	}
}
