package mail_test

import (
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/mail/smtp"

	netmail "net/mail"
	"strings"
	"testing"
	"time"

	goical "github.com/emersion/go-ical"
)

// part is one part of a message as it was received, decoded.
type part struct {
	kind string
	text string
}

func parts(t testing.TB, kind string, encoding string, r io.Reader) (all []part) {
	t.Helper()
	media, params, err := mime.ParseMediaType(kind)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(media, "multipart/") {
		switch strings.ToLower(encoding) {
		case "base64":
			r = base64.NewDecoder(base64.StdEncoding, r)
		case "quoted-printable":
			r = quotedprintable.NewReader(r)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return []part{{kind, string(text)}}
	}
	all = append(all, part{kind: media})
	m := multipart.NewReader(r, params["boundary"])
	for {
		p, err := m.NextRawPart()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parts(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)...)
	}
}

// received is the only mail that a sink took.
func received(t testing.TB, k *sink) (*netmail.Message, []part) {
	t.Helper()
	all := k.mails()
	if len(all) != 1 {
		t.Fatalf("%d mails", len(all))
	}
	m, err := netmail.ReadMessage(strings.NewReader(all[0].body))
	if err != nil {
		t.Fatal(err)
	}
	return m, parts(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
}

func TestTheMessageOnTheWire(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	x.event(func(e *catalog.EventType) { e.Title = "Färben & Schneiden" })
	b := x.book("bo", 30)
	x.run(k.server(smtp.NoTLS), nil)
	sent := x.tried("bo", 1)
	m, all := received(t, k)
	words := new(mime.WordDecoder)
	subject, err := words.DecodeHeader(m.Header.Get("Subject"))
	x.Must(err)
	for name, want := range map[string]string{
		"Message-Id": "<" + sent.ID.String() + "@book.example>", "Auto-Submitted": "auto-generated", "Mime-Version": "1.0",
		"To": "<bo@mail.example>", "From": `"Salon Ana" <book@salon.example>`, "List-Unsubscribe": "", "User-Agent": "", "X-Mailer": "",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	reply, err := netmail.ParseAddress(m.Header.Get("Reply-To"))
	if err != nil || reply.Name != "Ana Höst" || reply.Address != "ana@salon.example" {
		t.Errorf("reply to %v, %v", reply, err)
	}
	if subject != "Confirmed: Färben & Schneiden, Tue, Dec 1, 8:00 AM" {
		t.Errorf("subject %q", subject)
	}
	var shape []string
	for _, p := range all {
		shape = append(shape, strings.SplitN(p.kind, "; charset", 2)[0])
	}
	want := []string{"multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/calendar; method=REQUEST", `application/ics; name="invite.ics"`}
	if strings.Join(shape, "|") != strings.Join(want, "|") {
		t.Fatalf("parts %q", shape)
	}
	for _, i := range []int{2, 3} {
		for _, text := range []string{"Färben", b.ManageURL, "8:00", "New York, GMT−5", "Oranienstraße 25, Berlin"} {
			if !strings.Contains(strings.ReplaceAll(all[i].text, "&amp;", "&"), text) {
				t.Errorf("part %d has no %q:\n%s", i, text, all[i].text)
			}
		}
	}
	c, err := goical.NewDecoder(strings.NewReader(all[4].text)).Decode()
	x.Must(err)
	e := c.Events()[0]
	start, err := e.DateTimeStart(nil)
	if uid, _ := e.Props.Text("UID"); err != nil || !start.Equal(b.Start.Time()) || start.Location().String() != "America/New_York" || uid != b.ID.String()+"@book.example" || all[4].text != all[5].text {
		t.Errorf("invitation %v, %v, %s", start, err, uid)
	}
}

func TestRemindersCanBeEndedByTheMailProgram(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	x.event(func(e *catalog.EventType) {
		e.MailsOff, e.ReminderMinutes = []catalog.MailKind{catalog.MailConfirmed, catalog.MailTeamNew}, []int{60}
	})
	x.book("bo", 30)
	l, _ := x.run(k.server(smtp.NoTLS), nil)
	apptest.Eventually(t, "it waits", func() bool { return len(x.log()) == 1 })
	x.Clock.Advance(29 * time.Hour)
	l.Wake()
	x.tried("bo", 1)
	m, _ := received(t, k)
	if u := m.Header.Get("List-Unsubscribe"); !strings.HasPrefix(u, "<https://book.example/mail/") || m.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Errorf("%q, %q", u, m.Header.Get("List-Unsubscribe-Post"))
	}
}

// What people type can't add a header, a recipient or a part.
func TestHeadersCanNotBeInjected(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	x.run(k.server(smtp.NoTLS), nil)
	for _, in := range []booking.Invitee{
		{Name: "Bo\r\nBcc: x@evil.example", Email: "bo@mail.example"},
		{Name: "Bo", Email: "bo@mail.example\r\nBcc: x@evil.example"},
		{Name: "Bo", Email: "bo@mail.example, x@evil.example"},
	} {
		if _, err := x.Book(t.Context(), x.API, booking.BookInput{EventType: "cut", Start: "2026-12-01T10:00:00Z", Invitee: in}); err == nil {
			t.Errorf("%+v was booked", in)
		}
	}
	x.event(func(e *catalog.EventType) { e.Title = "Cut\r\nBcc: x@evil.example\r\n\r\n<b>" }) // past every check
	_, err := x.Book(t.Context(), x.API, booking.BookInput{EventType: "cut", Start: "2026-12-01T10:00:00Z", Invitee: booking.Invitee{Name: `Bo", <x@evil.example>`, Email: "bo@mail.example"}})
	x.Must(err)
	x.tried("bo", 1)
	m, all := received(t, k)
	if m.Header.Get("Bcc") != "" || len(all) != 6 || k.mails()[0].to != "bo@mail.example" {
		t.Errorf("header %v", m.Header)
	}
}

// Members get mails in the language that they have chosen; others of the team in the workspace's.
func TestTheTeamReadsItsOwnLanguage(t *testing.T) {
	x := newBed(t)
	x.event(func(e *catalog.EventType) {
		e.MailsOff = []catalog.MailKind{catalog.MailReminder, catalog.MailConfirmed}
	})
	u, err := x.Account.CreateUser(t.Context(), app.Operator(x.Workspace.ID), account.UserInput{Email: "owner@salon.example", Role: app.OwnerRole})
	x.Must(err)
	m := &mail.Mail{ID: id.New[mail.MailIDKind](x.Clock.Now()), WorkspaceID: x.Workspace.ID, To: u.Email, Kind: catalog.MailTeamEndpoint, Facts: mail.Facts{For: mail.ToOwner}}
	for locale, want := range map[string]string{"de": "Ein Webhook", "": "A webhook endpoint"} {
		x.Must(x.Account.SetLocale(t.Context(), account.Session{User: u}, locale))
		got, err := mail.Compose(t.Context(), x.Mail, m, netmail.Address{})
		x.Must(err)
		if !strings.HasPrefix(got.Subject, want) {
			t.Errorf("a member who reads %q gets %q", locale, got.Subject)
		}
	}
}
