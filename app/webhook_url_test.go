package app_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

func TestEndpointURLs(t *testing.T) {
	w := newWorld(t)
	names := map[string]string{
		"good.example.com": "93.184.216.34", "inside.example.com": "10.0.0.7", "both.example.com": "93.184.216.34 192.168.0.1",
		"localhost": "127.0.0.1 ::1", "meta.example.com": "169.254.169.254", "mapped.example.com": "::ffff:127.0.0.1",
	}
	resolve := func(_ context.Context, host string) (addrs []netip.Addr, err error) {
		for text := range strings.FieldsSeq(names[host]) {
			addrs = append(addrs, netip.MustParseAddr(text))
		}
		if addrs == nil {
			err = errors.New("no such host")
		}
		return addrs, err
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	strict := w.Subjects(func(c *subjects.Config) { c.Webhook = webhook.Config{Resolve: resolve} })
	lenient := w.Subjects(func(c *subjects.Config) { c.Webhook = webhook.Config{Resolve: resolve, Allow: loopback} })
	for _, c := range []struct {
		url             string
		strict, lenient bool
	}{
		{"https://good.example.com/hook?x=1", true, true},
		{"https://GOOD.example.com:8443", true, true},
		{" https://93.184.216.34/a ", true, true},
		{"https://[2606:2800:220:1:248:1893:25c8:1946]/", true, true},
		{"https://not-there-yet.example.com/hook", true, true},
		{"http://good.example.com/hook", false, false},
		{"http://not-there-yet.example.com/hook", false, false},
		{"http://127.0.0.1:9000/hook", false, true},
		{"https://127.0.0.1:81/hook", false, true},
		{"http://localhost:9000/hook", false, true},
		{"http://[::ffff:127.0.0.1]:9000/", false, true},
		{"https://mapped.example.com", false, true},
		{"https://[::1]/", false, false},
		{"https://inside.example.com", false, false},
		{"https://both.example.com", false, false},
		{"https://meta.example.com/latest/meta-data", false, false},
		{"https://169.254.169.254/", false, false},
		{"https://metadata.google.internal/", false, false},
		{"https://intranet/", false, false},
		{"https://2130706433/", false, false},
		{"https://0x7f000001/", false, false},
		{"https://0x7f.1/", false, false},
		{"https://127.1/", false, false},
		{"https://0177.0.0.1/", false, false},
		{"https://127.0.0.1./", false, false},
		{"https://user:secret@good.example.com/", false, false},
		{"https://user@good.example.com/", false, false},
		{"https://good.example.com/#part", false, false},
		{"https://good.example.com/#", false, false},
		{"https://good.example.com:22/", false, false},
		{"https://good.example.com:25/", false, false},
		{"https://good.example.com:0/", false, false},
		{"https://good.example.com:99999/", false, false},
		{"https://good.example.com:/", false, false},
		{"https://①②⑦.0.0.1/", false, false},
		{"https://%31%32%37.0.0.1/", false, false},
		{"https://[fe80::1%25eth0]/", false, false},
		{"https:good.example.com", false, false},
		{"https:///hook", false, false},
		{"//good.example.com/hook", false, false},
		{"good.example.com/hook", false, false},
		{"ftp://good.example.com/", false, false},
		{"file:///etc/passwd", false, false},
		{"https://good.example.com/a\nb", false, false},
		{"https://good.example.com/" + strings.Repeat("x", 2000), false, false},
		{"", false, false},
	} {
		for s, want := range map[*subjects.Set]bool{strict: c.strict, lenient: c.lenient} {
			e, err := s.Webhook.CreateEndpoint(t.Context(), w.API, webhook.EndpointInput{URL: c.url, Events: []string{"booking.created"}})
			if wrong := fault.As(err); (err == nil) != want || err != nil && (wrong == nil || wrong.Code != fault.BadRequest || wrong.Field != "url") {
				t.Errorf("%q (allow loopback: %v): %v", c.url, s == lenient, err)
			}
			if err == nil {
				w.Must(s.Webhook.DeleteEndpoint(t.Context(), w.API, e.Endpoint.ID.String()))
			}
		}
	}
}
