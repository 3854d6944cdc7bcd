package app_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
)

func TestWhereAWorkspacesMailServerMayBe(t *testing.T) {
	w := newWorld(t)
	names := map[string]string{"smtp.example.com": "93.184.216.34", "inside.example.com": "10.0.0.7", "localhost": "127.0.0.1"}
	with := func(allow ...netip.Prefix) *subjects.Set {
		resolve := func(_ context.Context, host string) ([]netip.Addr, error) {
			if names[host] == "" {
				return nil, errors.New("no such host")
			}
			return []netip.Addr{netip.MustParseAddr(names[host])}, nil
		}
		return w.Subjects(func(c *subjects.Config) { c.Mail = mail.ServerConfig{Allow: allow, Resolve: resolve} })
	}
	strict, lenient := with(), with(netip.MustParsePrefix("127.0.0.0/8"))
	for _, c := range []struct {
		place string
		want  string // part of the error; "" for none
		inner string // the same where the operator has listed the loopback
	}{
		{"smtp.example.com:587", "", ""}, {"smtp.example.com:465", "", ""}, {"smtp.example.com:25", "", ""}, {"smtp.example.com:2525", "", ""},
		{"not-there-yet.example.com:587", "", ""},
		{"smtp.example.com:6379", "use one of 25, 465, 587, 2525", "use one of 25, 465, 587, 2525"},
		{"127.0.0.1:28790", "use one of 25, 465, 587, 2525", "use one of 25, 465, 587, 2525"},
		{"127.0.0.1:25", "--mail-allow 127.0.0.1/32", ""}, {"localhost:587", "--mail-allow 127.0.0.1/32", ""}, {"[::ffff:127.0.0.1]:25", "--mail-allow", ""},
		{"inside.example.com:587", "10.0.0.7 is a private address", "10.0.0.7 is a private address"},
		{"169.254.169.254:25", "a link-local address", "a link-local address"},
		{"2130706433:25", "no host name", "no host name"}, {"0x7f.1:25", "no host name", "no host name"},
		{"mail.internal:25", "not a public name", "not a public name"},
	} {
		for s, want := range map[*subjects.Set]string{strict: c.want, lenient: c.inner} {
			err := s.Mail.SetMailServer(t.Context(), app.Operator(w.Workspace.ID), "smtp://u:s3cret@"+c.place+"?from=a@b.example")
			if want == "" && err != nil || want != "" && (!fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("%s (loopback listed: %v): %v, want %q", c.place, s == lenient, err, want)
			}
		}
	}
	server, err := smtp.Parse("smtp://u:p@127.0.0.1:26?from=a@b.example") // the operator's own
	if err != nil || server.Law != nil {
		t.Errorf("%+v, %v", server, err)
	}
}

func TestASavedMailPasswordStaysWhereItBelongs(t *testing.T) {
	w := newWorld(t)
	w.Must(w.Mail.SetMailServer(t.Context(), app.Operator(w.Workspace.ID), "smtp://u%40b.com:s3cret%2F@93.184.216.34:587?from=a@b.example"))
	for _, c := range []struct {
		url  string
		kept bool
	}{
		{"smtp://u%40b.com@93.184.216.34:587?from=other@b.example", true},
		{"smtps://u%40b.com@93.184.216.34:587?from=a@b.example", true},
		{"smtp://u%40b.com@93.184.216.35:587?from=a@b.example", false},
		{"smtp://u%40b.com@93.184.216.34:2525?from=a@b.example", false},
		{"smtp://v%40b.com@93.184.216.34:587?from=a@b.example", false},
		{"smtp://u%40b.com@93.184.216.34:587?from=a@b.example&tls=none", false},
	} {
		text, err := w.Mail.WithSavedPassword(t.Context(), app.Operator(w.Workspace.ID), c.url)
		if !c.kept {
			if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "password" || text != "" || strings.Contains(e.Error(), "s3cret") {
				t.Errorf("%s: %q, %v", c.url, text, e)
			}
			continue
		}
		if server, err2 := smtp.Parse(text); err != nil || err2 != nil || server.Password != "s3cret/" || server.User != "u@b.com" {
			t.Errorf("%s: %v, %v", c.url, err, err2)
		}
	}
	const open = "smtp://93.184.216.35:25?from=a@b.example"
	if text, err := w.Mail.WithSavedPassword(t.Context(), app.Operator(w.Workspace.ID), open); text != open || err != nil {
		t.Errorf("without a user: %q, %v", text, err)
	}
}
