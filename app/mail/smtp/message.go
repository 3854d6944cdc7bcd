package smtp

import (
	"fmt"
	"io"
	"net/mail"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
)

// Message is a mail as it is sent.
type Message struct {
	ID          string // without the angle brackets; the same at each attempt
	From        mail.Address
	To          string
	ReplyTo     *mail.Address // nil is From
	Subject     string
	Text, HTML  string
	Invitation  string       // an iCalendar object; "" for none
	Method      string       // of the invitation
	Further     []Invitation // other entries in the recipient's calendar: an invitation has one (RFC 5546, 3.2.2)
	Dates       string       // an iCalendar object with all of them, which is then the only file; "" for none
	Unsubscribe string       // a link that ends such mails; "" where that can't be
	Date        time.Time
}

// Invitation is an iCalendar object, and its method.
type Invitation struct{ Text, Method string }

// encode returns the message in MIME. Its parts are text, HTML, the invitation for programs that act on it, and the
// invitation as a file for those that do not. Programs act on one invitation in the text: further ones are files.
func (m *Message) encode() (io.WriterTo, error) {
	out := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithEncoding(gomail.EncodingQP))
	addresses := map[string]*mail.Address{"sender's": &m.From, "recipient's": {Address: m.To}, "reply": m.ReplyTo}
	for name, a := range addresses {
		if a != nil && !writable(a.Address) {
			return nil, fmt.Errorf("the %s address %q is no e-mail address", name, a.Address)
		}
	}
	out.FromMailAddress(named(m.From))
	out.ToMailAddress(&mail.Address{Address: m.To})
	if m.ReplyTo != nil {
		out.ReplyToMailAddress(named(*m.ReplyTo))
	}
	out.Subject(OneLine(m.Subject))
	out.SetMessageIDWithValue(m.ID)
	out.SetDateWithValue(m.Date)
	out.SetGenHeader("Auto-Submitted", "auto-generated")
	out.SetGenHeader("X-Auto-Response-Suppress", "OOF, AutoReply")
	switch {
	case strings.HasPrefix(m.Unsubscribe, "https://"):
		if err := out.SetListUnsubscribeOneClick(m.Unsubscribe); err != nil {
			return nil, err
		}
	case m.Unsubscribe != "":
		out.SetListUnsubscribe("<" + m.Unsubscribe + ">")
	}
	out.SetBodyString(gomail.TypeTextPlain, m.Text)
	out.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	if m.Invitation != "" {
		kind := "text/calendar; method=" + m.Method
		out.AddAlternativeString(gomail.ContentType(kind), m.Invitation, gomail.WithPartEncoding(gomail.EncodingB64))
		name, file := "invite.ics", m.Invitation
		if m.Dates != "" {
			name, file = "dates.ics", m.Dates
		}
		err := out.AttachReader(name, strings.NewReader(file), gomail.WithFileContentType("application/ics"))
		if err != nil {
			return nil, err
		}
	}
	for i, one := range m.Further {
		err := out.AttachReader(fmt.Sprintf("invite-%d.ics", i+2), strings.NewReader(one.Text),
			gomail.WithFileContentType(gomail.ContentType("text/calendar; charset=UTF-8; method="+one.Method)))
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// named returns the address with a name that fits in a header, whatever name people entered: without control
// characters, which no header may have outside an encoded word, and not every reader takes in one.
func named(a mail.Address) *mail.Address {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, OneLine(strings.ToValidUTF8(a.Name, "")))
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		// It becomes an encoded word, in which net/mail leaves a backslash as it is; a phrase must not have one there (RFC
		// 2047, 5.3). This one looks the same.
		name = strings.ReplaceAll(name, `\`, "\u2216")
	}
	return &mail.Address{Name: name, Address: a.Address}
}

// writable reports whether the text is an address that a header and an envelope can hold. Every address that was
// checked when it was saved is.
func writable(address string) bool {
	parsed, err := mail.ParseAddress(path(address))
	return err == nil && parsed.Address == address
}

// OneLine returns the text with each run of white space, line ends too, as one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
