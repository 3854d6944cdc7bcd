package sms

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Kind is that of what a service posted.
type Kind string

const (
	ReportKind  Kind = "report"  // what became of a text
	MessageKind Kind = "message" // a person wrote
	OtherKind   Kind = "other"   // something else, to be answered 2xx and left
)

// Incoming is what a service posted.
type Incoming struct {
	Kind Kind

	Reference string // of a report: ours, "" where the service has none
	ID        string // of a report: the service's, as in Result; of a message: one by which a second post of it is known
	State     State  // of a report: Delivered, Failed, or Taken on the way
	Why       string // of a report that failed, in one short line

	From   string // of a message: the number as given, in E.164 where the service has it so; or a name
	Text   string // of a message, of at most MaxIncoming characters; "" of a picture alone
	Media  int    // of a message: how many pictures and the like came with it, which are dropped
	OptOut string // of a message: STOP, START or HELP as the service has understood it, "" where it doesn't say
}

// MaxIncoming is how many characters of a person's message are kept.
const MaxIncoming = 2000

// Read verifies what was posted, and returns what it says. address is the whole address that the service was given, as
// it called it, with the query: some sign it. Errors: ErrUnverified, ErrStale, ErrTooLong. What is verified and can't be
// understood is of OtherKind. The same may be posted several times.
//
// What was read is answered 204, without a body: Twilio sends the words of an answer to the person. seven.io posts again
// after a 429, a 5xx or 5 s, not after another 4xx; a phone after whatever isn't 2xx within 30 s.
func Read(s *Sender, r *http.Request, address string, body []byte, now time.Time) (Incoming, error) {
	if len(body) > MaxBody {
		return Incoming{}, ErrTooLong
	}
	t := s.Template()
	u, err := url.Parse(address)
	if t == nil || err != nil {
		return Incoming{}, ErrUnverified
	}
	if err := s.verify(t, r, u, address, body, now); err != nil {
		return Incoming{}, err
	}
	doc, other := document{}, Incoming{Kind: OtherKind}
	switch t.Posts {
	case JSON:
		var valid bool
		if doc, valid = readJSON(body); !valid {
			return other, nil
		}
	case Form:
		if doc.form, err = url.ParseQuery(string(body)); err != nil {
			return other, nil
		}
	}
	doc.query = u.Query()
	switch {
	case t.Report != nil && doc.meets(&t.Report.When):
		return t.Report.read(doc), nil
	case t.Inbound != nil && doc.meets(&t.Inbound.When):
		return t.Inbound.read(doc), nil
	}
	return other, nil
}

func (d document) meets(w *When) bool {
	got := d.at(w.Path)
	if len(w.Is) == 0 {
		return got != nil
	}
	return slices.Contains(w.Is, scalar(got))
}

func (p *Report) read(doc document) Incoming {
	in := Incoming{Kind: ReportKind, Reference: doc.text(p.Reference), ID: doc.text(p.ID), State: Taken}
	switch state := doc.text(p.State); {
	case slices.Contains(p.Delivered, state):
		in.State = Delivered
	case slices.Contains(p.Failed, state):
		in.State, in.Why = Failed, short(doc.text(p.Why), maxAnswer)
	}
	if !referenceForm.MatchString(in.Reference) {
		in.Reference = ""
	}
	in.ID = (answer{doc: doc}).id(p.ID)
	if in.Reference == "" && in.ID == "" {
		return Incoming{Kind: OtherKind}
	}
	return in
}

func (p *Inbound) read(doc document) Incoming {
	in := Incoming{Kind: MessageKind, From: short(doc.text(p.From), 40), ID: (answer{doc: doc}).id(p.ID),
		Text: kept(doc.text(p.Text)), Media: doc.count(p.Media), OptOut: strings.ToUpper(short(doc.text(p.OptOut), 10))}
	if in.From == "" {
		return Incoming{Kind: OtherKind}
	}
	if p.Digits && strings.Trim(in.From, "0123456789") == "" && len(in.From) > 6 {
		in.From = "+" + in.From
	}
	return in
}

// kept returns what is kept of a person's text: lines without control characters.
func kept(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r != '\n' && unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	if all := []rune(text); len(all) > MaxIncoming {
		text = string(all[:MaxIncoming])
	}
	return strings.TrimSpace(text)
}
