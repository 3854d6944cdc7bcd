package serve_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"daybook/app/serve"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	echo := routes(map[string]http.HandlerFunc{"GET /who": func(w http.ResponseWriter, r *http.Request) {
		for _, h := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Forwarded"} {
			if r.Header.Get(h) != "" {
				t.Errorf("a door saw %s", h)
			}
		}
		fmt.Fprint(w, serve.ClientIP(r.Context()), " ", serve.Secure(r.Context()), " ", r.Host)
	}})
	open := run(t, serve.Config{Routes: echo})
	proxied := run(t, serve.Config{Routes: echo, TrustedProxies: prefixes("127.0.0.0/8", "10.0.0.0/8", "fd00::/8")})
	const host = "Host"
	for name, c := range map[string]struct {
		headers []string
		want    string
	}{
		"nothing said":         {nil, "127.0.0.1 false h"},
		"one hop":              {[]string{"X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", "https"}, "203.0.113.9 true h"},
		"forged left part":     {[]string{"X-Forwarded-For", "1.1.1.1, 203.0.113.9"}, "203.0.113.9 false h"},
		"past trusted hops":    {[]string{"X-Forwarded-For", "1.1.1.1, 203.0.113.9, 10.0.0.7"}, "203.0.113.9 false h"},
		"several lines":        {[]string{"X-Forwarded-For", "1.1.1.1", "X-Forwarded-For", "203.0.113.9, 10.0.0.7"}, "203.0.113.9 false h"},
		"all trusted":          {[]string{"X-Forwarded-For", "10.0.0.1, 10.0.0.2"}, "10.0.0.1 false h"},
		"garbage beyond":       {[]string{"X-Forwarded-For", "<script>, 10.0.0.2"}, "10.0.0.2 false h"},
		"with a port":          {[]string{"X-Forwarded-For", "203.0.113.9:1234"}, "203.0.113.9 false h"},
		"IPv6":                 {[]string{"X-Forwarded-For", "[2001:db8::1]:99, fd00::2"}, "2001:db8::1 false h"},
		"mapped":               {[]string{"X-Forwarded-For", "::ffff:203.0.113.9"}, "203.0.113.9 false h"},
		"proto only":           {[]string{"X-Forwarded-Proto", "https"}, "127.0.0.1 true h"},
		"proto per hop":        {[]string{"X-Forwarded-For", "203.0.113.9, 10.0.0.7", "X-Forwarded-Proto", "https, http"}, "203.0.113.9 true h"},
		"forged proto":         {[]string{"X-Forwarded-For", "1.1.1.1, 203.0.113.9", "X-Forwarded-Proto", "https, http"}, "203.0.113.9 false h"},
		"host":                 {[]string{"X-Forwarded-For", "203.0.113.9", "X-Forwarded-Host", "book.example.com"}, "203.0.113.9 false book.example.com"},
		"unsafe host":          {[]string{"X-Forwarded-Host", "a/b?c"}, "127.0.0.1 false h"},
		"RFC 7239":             {[]string{"Forwarded", `for=1.1.1.1;proto=http, For="[2001:db8::1]:4711";Proto=https;host=b.example`}, "2001:db8::1 true b.example"},
		"RFC 7239, hidden":     {[]string{"Forwarded", `for=_hidden;proto=https`}, "127.0.0.1 true h"},
		"X-Forwarded-For wins": {[]string{"X-Forwarded-For", "203.0.113.9", "Forwarded", "for=1.1.1.1;proto=https"}, "203.0.113.9 false h"},
		"X-Real-Ip is nothing": {[]string{"X-Real-Ip", "1.1.1.1"}, "127.0.0.1 false h"},
	} {
		headers := append([]string{host, "h"}, c.headers...)
		if got := proxied.get("/who", headers...).body; got != c.want {
			t.Errorf("%s: trusted: %s, want %s", name, got, c.want)
		}
		if got := open.get("/who", headers...).body; got != "127.0.0.1 false h" {
			t.Errorf("%s: believed from anyone: %s", name, got)
		}
	}
}

// A proxy on this machine that nobody named is logged once and told of once an hour; nothing else is.
func TestAnUnknownProxyIsToldOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trusted []string
		header  string
		warns   int
	}{
		"nobody is trusted":  {nil, "X-Forwarded-For", 1},
		"RFC 7239":           {nil, "Forwarded", 1},
		"another is trusted": {[]string{"10.0.0.0/8"}, "X-Forwarded-For", 1},
		"it is trusted":      {[]string{"127.0.0.0/8"}, "X-Forwarded-For", 0},
		"no proxy":           {nil, "X-Other", 0},
	} {
		var told atomic.Int64
		s := run(t, serve.Config{TrustedProxies: prefixes(c.trusted...), OnUnknownProxy: func() { told.Add(1) }})
		for range 3 {
			s.get("/healthz", c.header, "203.0.113.9")
		}
		s.stop()
		const warning = "requests come from a proxy on this machine that is not trusted: all its clients seem to be this " +
			"machine, and limits for each address, such as that of bookings, don't bind them"
		if n := len(s.log.lines(warning)); n != c.warns || told.Load() != int64(c.warns) {
			t.Errorf("%s: logged %d times and told %d times, want %d:\n%s", name, n, told.Load(), c.warns, s.log)
		}
	}
}
