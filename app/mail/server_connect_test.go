package mail_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/discovertest"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
)

// found is a salon in a small internet: DNS, files of domains and mail servers, which the law lets it reach.
type found struct {
	*bed
	ca    *discovertest.CA
	owner app.Actor
}

// internet begins with the mail servers, each a host whose certificate is for the name; file is the autoconfiguration
// file of salon.example.
func newFound(t *testing.T, ca *discovertest.CA, file string, allow []netip.Prefix, ports []int, z discovertest.Zone) *found {
	t.Helper()
	x := &found{bed: newBed(t), ca: ca}
	c := mail.ServerConfig{Allow: allow, DNS: discovertest.DNS(t, z), Trust: ca.Trust()}
	for _, p := range ports {
		c.Ports = append(c.Ports, uint16(p))
	}
	c.Web = ca.Web(func(w http.ResponseWriter, r *http.Request) {
		if file == "" {
			w.WriteHeader(404)
		}
		fmt.Fprint(w, file)
	}, "autoconfig.salon.example", "salon.example")
	x.Set = x.Subjects(func(s *subjects.Config) { s.Mail = c })
	x.owner = app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: x.Workspace.ID, User: 1}
	return x
}

// sinkOf listens on the loopback as a server of those names.
func sinkOf(t *testing.T, certificate *tls.Config, full bool) *sink {
	k := newSink(t, certificate, full)
	k.user, k.password = "book@salon.example", "s3cret pass/word"
	return k
}

func input(k *sink, host string) mail.ConnectInput {
	return mail.ConnectInput{Address: "book@salon.example", Server: net.JoinHostPort(host, fmt.Sprint(k.port)), Password: k.password,
		Name: "Salon Ana", To: "ana@home.example"}
}

var fourDigits = regexp.MustCompile(`\b\d{4}\b`)

// digits are those of the latest mail.
func (k *sink) digits(t *testing.T) string {
	t.Helper()
	all := k.mails()
	if len(all) == 0 {
		t.Fatal("no mail came")
	}
	_, subject, _ := strings.Cut(all[len(all)-1].body, "Subject: ")
	code := fourDigits.FindString(subject)
	if code == "" || strings.Count(all[len(all)-1].body, code) < 2 {
		t.Fatalf("no digits in %s", all[len(all)-1].body)
	}
	return code
}

// An address and a password are enough: the server is found, the digits arrive, and mails go out. The servers are one in
// Go with TLS from the start, and npm's with STARTTLS.
func TestAMailServerIsFoundByItsAddress(t *testing.T) {
	t.Run("autoconfiguration", func(t *testing.T) {
		ca := discovertest.NewCA(t)
		k := sinkOf(t, ca.Server("smtp.salon.example"), true)
		x := newFound(t, ca, discovertest.File(fmt.Sprintf("smtp.salon.example %d SSL %%EMAILADDRESS%% password-cleartext", k.port), "smtp.salon.example 1 SSL x password-cleartext"), loopback, []int{k.port}, discovertest.Zone{"smtp.salon.example.": {discovertest.Loopback()}})
		servers, _, err := x.Mail.FindServers(t.Context(), x.owner, "book@salon.example")
		if err != nil || len(servers) != 1 || servers[0].Host != "smtp.salon.example" || !servers[0].Sure {
			t.Fatalf("%+v, %v", servers, err)
		}
		x.connected(k.digits, func() error {
			return x.connect(input(k, "smtp.salon.example"))
		})
		m := k.mails()[0]
		if m.from != "book@salon.example" || m.to != "ana@home.example" || !strings.Contains(m.body, `From: "Salon Ana" <book@salon.example>`) {
			t.Errorf("%+v", m)
		}
		own, err := x.Mail.OwnServer(t.Context(), x.Workspace.ID)
		if err != nil || own.Password != "s3cret pass/word" || own.User != "book@salon.example" || own.From.Name != "Salon Ana" || own.TLS != smtp.FullTLS {
			t.Errorf("%+v, %v", own, err)
		}
		x.run(nil, ca.Trust())
		x.Book(t.Context(), x.API, booking.BookInput{EventType: "cut", Start: "2026-12-02T10:00:00Z", Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}})
		if m := x.tried("bo", 1); m.State != mail.Sent {
			t.Errorf("%s: %s", m.State, m.Answer)
		}
	})
	t.Run("records, smtp-server", func(t *testing.T) {
		ca := discovertest.NewCA(t)
		cert, key := pemFiles(t, ca.Server("mx.hoster.example"))
		s, mails := startSMTPServer(t, cert, key)
		x := newFound(t, ca, "", loopback, []int{s.Port}, discovertest.Zone{
			"_submission._tcp.salon.example.": {discovertest.SRV(uint16(s.Port), "mx.hoster.example.")}, "mx.hoster.example.": {discovertest.Loopback()}})
		in := mail.ConnectInput{Address: "book@salon.example", Server: net.JoinHostPort("mx.hoster.example", fmt.Sprint(s.Port)), User: "salon", Password: "s3cret", To: "ana@home.example"}
		if e := x.Refused(x.connect(in), fault.BadRequest, "invalid"); e.Field != "provider" {
			t.Fatal(e)
		}
		in.Provider = "mx.hoster.example"
		digits := func(t *testing.T) string { k := &sink{taken: mails()}; return k.digits(t) }
		x.connected(digits, func() error { return x.connect(in) })
	})
}

// connect is ConnectServer for its error alone.
func (x *found) connect(in mail.ConnectInput) error {
	_, _, err := x.Mail.ConnectServer(x.T.Context(), x.owner, in)
	return err
}

// connected connects, and types the digits in.
func (x *found) connected(digits func(*testing.T) string, connect func() error) {
	t := x.T.(*testing.T)
	t.Helper()
	if err := connect(); err != nil {
		t.Fatal(err)
	}
	c, err := x.Mail.ServerCheck(t.Context(), x.Workspace.ID)
	if err != nil || c == nil || c.To != "ana@home.example" {
		t.Fatalf("%+v, %v", c, err)
	}
	x.Must(x.Mail.ConfirmServer(t.Context(), x.owner, " "+digits(t)[:2]+" "+digits(t)[2:]))
	if c, err := x.Mail.ServerCheck(t.Context(), x.Workspace.ID); err != nil || c != nil {
		t.Errorf("%+v, %v", c, err)
	}
	x.Must(x.Mail.ConfirmServer(t.Context(), x.owner, "0000")) // nothing is to be checked
}

// The password leaves once, over TLS, to a host that is sure or confirmed, with a certificate for its name: else nobody
// gets it, and nothing is saved.
func TestWhereTheMailPasswordGoes(t *testing.T) {
	ca, other := discovertest.NewCA(t), discovertest.NewCA(t)
	host := "smtp.salon.example"
	here := discovertest.Zone{host + ".": {discovertest.Loopback()}, "mx.hoster.example.": {discovertest.Loopback()}}
	for _, c := range []struct {
		name         string
		certificate  *tls.Config
		full         bool
		host, socket string
		allow        []netip.Prefix
		change       func(in *mail.ConnectInput)
		why          smtp.Why
		field        string
		sessions     int
	}{
		{name: "wrong password", certificate: ca.Server(host), full: true, host: host, socket: "SSL", allow: loopback, change: func(in *mail.ConnectInput) { in.Password = "wr0ng" }, why: smtp.WrongSignIn, sessions: 1},
		{name: "certificate for another name", certificate: ca.Server("mx.hoster.example"), full: true, host: host, socket: "SSL", allow: loopback, why: smtp.WrongName},
		{name: "certificate that nobody knows", certificate: other.Server(host), full: true, host: host, socket: "SSL", allow: loopback, why: smtp.WrongName},
		{name: "no STARTTLS", host: host, socket: "STARTTLS", allow: loopback, why: smtp.NoSecurity, sessions: 1},
		{name: "another's host, not confirmed", certificate: ca.Server("mx.hoster.example"), full: true, host: "mx.hoster.example", socket: "SSL", allow: loopback, field: "provider"},
		{name: "another's host, another confirmed", certificate: ca.Server("mx.hoster.example"), full: true, host: "mx.hoster.example", socket: "SSL", allow: loopback, change: func(in *mail.ConnectInput) { in.Provider = host }, field: "provider"},
		{name: "a host that was not found", certificate: ca.Server(host), full: true, host: host, socket: "SSL", allow: loopback, change: func(in *mail.ConnectInput) { in.Server = "mx.hoster.example:465" }, field: "server"},
		{name: "inside", certificate: ca.Server(host), full: true, host: host, socket: "SSL", field: "server"},
		{name: "no password", certificate: ca.Server(host), full: true, host: host, socket: "SSL", allow: loopback, change: func(in *mail.ConnectInput) { in.Password = "" }, field: "password"},
		{name: "two lines of user", certificate: ca.Server(host), full: true, host: host, socket: "SSL", allow: loopback, change: func(in *mail.ConnectInput) { in.User = "a\r\nb" }, field: "user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := sinkOf(t, c.certificate, c.full)
			x := newFound(t, ca, discovertest.File(fmt.Sprintf("%s %d %s %%EMAILADDRESS%% password-cleartext", c.host, k.port, c.socket)), c.allow, []int{k.port}, here)
			in := input(k, c.host)
			if c.change != nil {
				c.change(&in)
			}
			err := x.connect(in)
			var f *smtp.Failure
			switch e := fault.As(err); {
			case err == nil, c.field != "" && (e == nil || e.Field != c.field), c.field == "" && (!errors.As(err, &f) || f.Why != c.why):
				t.Fatalf("%v (%+v)", err, f)
			case strings.Contains(err.Error(), in.Password) && in.Password != "":
				t.Error("the error has the password:", err)
			}
			if k.sessions != c.sessions || k.logins != 0 || len(k.mails()) != 0 {
				t.Errorf("%d sessions, %d sign-ins, mails %v", k.sessions, k.logins, k.mails())
			}
			own, err := x.Mail.OwnServer(t.Context(), x.Workspace.ID)
			check, err2 := x.Mail.ServerCheck(t.Context(), x.Workspace.ID)
			if own != nil || check != nil || err != nil || err2 != nil {
				t.Errorf("%v, %v, %v, %v", own, check, err, err2)
			}
		})
	}
}

// The digits are good for 15 minutes and five tries, those of a new mail, a minute later at the earliest, end those
// before; a server that is set in another way is checked unless it stays as it was, and the operator's word is enough.
func TestTheDigitsOfATestMail(t *testing.T) {
	ca := discovertest.NewCA(t)
	k := sinkOf(t, ca.Server("smtp.salon.example"), true)
	x := newFound(t, ca, discovertest.File(fmt.Sprintf("smtp.salon.example %d SSL %%EMAILADDRESS%% password-cleartext", k.port)), loopback, []int{k.port}, discovertest.Zone{"smtp.salon.example.": {discovertest.Loopback()}})
	ctx := t.Context()
	if err := x.Mail.SendCheck(ctx, x.owner, "ana@home.example"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	x.Must(x.connect(input(k, "smtp.salon.example")))
	first := k.digits(t)
	wrong := func(code, want string) {
		t.Helper()
		if e := x.Refused(x.Mail.ConfirmServer(ctx, x.owner, code), fault.BadRequest, "invalid"); e.Field != "code" || !strings.Contains(e.Error(), want) {
			t.Errorf("%q: %v", code, e)
		}
	}
	if err := x.Mail.SendCheck(ctx, x.owner, "ana@home.example"); !fault.Is(err, fault.RateLimited) || len(k.mails()) != 1 {
		t.Errorf("%v, %d mails", err, len(k.mails()))
	}
	x.Clock.Advance(time.Minute)
	x.Must(x.Mail.SendCheck(ctx, x.owner, "bo@home.example"))
	if m := k.mails()[1]; m.to != "bo@home.example" {
		t.Error(m.to)
	}
	second := k.digits(t)
	if first != second {
		wrong(first, "not the digits")
	}
	other := "0000"
	if second == other {
		other = "0001"
	}
	for _, code := range []string{"", "12345", "x", other, other}[first2(first == second):] {
		wrong(code, "not the digits")
	}
	wrong(second, "can't be used any more") // five were tried
	x.Clock.Advance(time.Minute)
	x.Must(x.Mail.SendCheck(ctx, x.owner, "ana@home.example"))
	x.Clock.Advance(15 * time.Minute)
	wrong(k.digits(t), "can't be used any more")
	x.Must(x.Mail.SendCheck(ctx, x.owner, "ana@home.example"))
	x.Clock.Advance(15*time.Minute - time.Second)
	x.Must(x.Mail.ConfirmServer(ctx, x.owner, k.digits(t)))

	own, err := x.Mail.OwnServer(ctx, x.Workspace.ID)
	x.Must(err)
	set := func(a app.Actor, s smtp.Server, checked bool) {
		t.Helper()
		x.Must(x.Mail.SetMailServer(ctx, a, s.URL()))
		if c, err := x.Mail.ServerCheck(ctx, x.Workspace.ID); err != nil || (c == nil) != checked {
			t.Errorf("%s: %+v, %v", s.String(), c, err)
		}
	}
	named, elsewhere := *own, *own
	named.From.Name = "Ana"
	elsewhere.From.Address = "info@salon.example"
	set(x.owner, *own, true)
	set(x.owner, named, true)
	set(x.owner, elsewhere, false)
	set(x.owner, elsewhere, false)
	x.Must(x.Mail.SendCheck(ctx, x.owner, "ana@home.example")) // at once: there was none
	set(app.Operator(x.Workspace.ID), elsewhere, true)
	set(x.owner, *own, false)
	x.Must(x.Mail.SetMailServer(ctx, x.owner, ""))
	if c, err := x.Mail.ServerCheck(ctx, x.Workspace.ID); c != nil || err != nil {
		t.Error(c, err)
	}
}

func first2(same bool) int {
	if same {
		return 0
	}
	return 1
}

// A workspace looks for servers and tries passwords 30 times in a quarter of an hour.
func TestMailServersAreTriedOnlySoOften(t *testing.T) {
	ca := discovertest.NewCA(t)
	x := newFound(t, ca, "", loopback, []int{1}, discovertest.Zone{})
	find := func() error {
		_, _, err := x.Mail.FindServers(t.Context(), x.owner, "ana@gmail.com")
		return err
	}
	for range 30 {
		x.Must(find())
	}
	if err := x.connect(mail.ConnectInput{}); !fault.Is(err, fault.RateLimited) || !fault.Is(find(), fault.RateLimited) {
		t.Error(err)
	}
	x.Clock.Advance(15 * time.Minute)
	x.Must(find())
}
