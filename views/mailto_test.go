package views_test

import (
	"net/url"
	"strings"
	"testing"

	"daybook/views"
)

// Whoever books chooses an address: the owner's click on it writes to that address and says nothing else.
func TestMailTo(t *testing.T) {
	for address, want := range map[string]string{
		"ana@salon.example":            "mailto:ana@salon.example",
		"ana+x@salon.example":          "mailto:ana%2Bx@salon.example",
		"boss?cc=evil&subject=Pay@x.c": "mailto:boss%3Fcc%3Devil%26subject%3DPay@x.c",
		"a,b@x.c":                      "mailto:a%2Cb@x.c",
		"a b#c@x.c":                    "mailto:a%20b%23c@x.c",
		"a%3Fcc=b@x.c":                 "mailto:a%253Fcc%3Db@x.c",
	} {
		got := views.MailTo(address)
		u, err := url.Parse(got)
		if got != want || err != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("%s: %s, want %s (%v)", address, got, want, err)
		}
		if back, err := url.PathUnescape(strings.TrimPrefix(got, "mailto:")); err != nil || back != address {
			t.Errorf("%s is written to as %s", address, back)
		}
	}
}

// A source that is no plain host stays out of the policy.
func TestCSPTakesHostsOnly(t *testing.T) {
	want := views.CSP("*")
	for _, logo := range []string{"https://x.com;script-src/a.png", "https://x.com,y.com/a.png", "https://*/a.png", "javascript://x.com/a", "https:a.png", "https://x.com;/"} {
		if got := views.CSP("*", logo); got != want {
			t.Errorf("%s: %s", logo, got)
		}
	}
	for logo, source := range map[string]string{
		"https://img.example.com/a;b.png": " https://img.example.com;", "https://[2001:db8::1]:8443/a": " https://[2001:db8::1]:8443;",
	} {
		if got := views.CSP("*", logo); !strings.Contains(got, source) {
			t.Errorf("%s: %s", logo, got)
		}
	}
}
