package serve

import (
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// clientAddress finds out the client's address and whether it uses HTTPS. Forwarding
// headers are believed from TrustedProxies only: hop by hop from the right, as
// far as the hops are trusted proxies themselves. They are then removed, so
// that no door can believe them by mistake; a believed host becomes r.Host.
func (s *server) clientAddress(next step) step {
	return func(e *requestState) {
		if peer, err := netip.ParseAddrPort(e.r.RemoteAddr); err == nil {
			e.client = peer.Addr().Unmap().WithZone("")
		}
		e.secure, e.schemeKnown = e.r.TLS != nil, e.r.TLS != nil
		e.trusted = s.trusts(e.client)
		if e.trusted {
			e.followHops(forwarded(e.r.Header))
		}
		if !e.trusted && e.client.IsLoopback() && namesClient(e.r.Header) {
			s.unknownProxy(e.start)
		}
		for _, k := range forwardingHeaders {
			if _, ok := e.r.Header[k]; ok {
				e.relayed = !e.trusted
				delete(e.r.Header, k)
			}
		}
		next(e)
	}
}

var forwardingHeaders = [...]string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip",
	"Forwarded"}

// namesClient reports whether a proxy says for whom it asks.
func namesClient(h http.Header) bool {
	return len(h["X-Forwarded-For"]) > 0 || len(h["Forwarded"]) > 0
}

// unknownProxy tells the operator of a proxy on this machine that is not trusted.
// Loopback addresses have no limits, so behind such a proxy nobody has one.
func (s *server) unknownProxy(now time.Time) {
	s.proxyWarning.Do(func() {
		s.log.Warn("requests come from a proxy on this machine that is not trusted: all its clients seem to be this "+
			"machine, and limits for each address, such as that of bookings, don't bind them",
			"action", "give --trust-proxy 127.0.0.0/8,::1/128, and have the proxy set X-Forwarded-For and X-Forwarded-Proto")
	})
	if s.config.OnUnknownProxy == nil {
		return
	}
	seen := s.proxySeen.Load()
	if now.UnixMilli()-seen >= time.Hour.Milliseconds() && s.proxySeen.CompareAndSwap(seen, now.UnixMilli()) {
		s.config.OnUnknownProxy()
	}
}

func (s *server) trusts(a netip.Addr) bool { return within(s.config.TrustedProxies, a) }

func within(prefixes []netip.Prefix, a netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// followHops goes through the hops from the nearest one. Each was written by a
// trusted proxy. The first address that is not a trusted proxy's is the client.
func (e *requestState) followHops(hops []hop) {
	e.proxied = len(hops) > 0
	for i := len(hops) - 1; i >= 0; i-- {
		switch strings.ToLower(hops[i].proto) {
		case "https", "wss":
			e.secure, e.schemeKnown = true, true
		case "http", "ws":
			e.secure, e.schemeKnown = false, true
		}
		if hostLike(hops[i].host) {
			e.r.Host = hops[i].host
		}
		from, ok := parseHop(hops[i].from)
		if !ok {
			return // the client is the one that the last valid hop names
		}
		e.client = from
		if !e.server.trusts(from) {
			return
		}
	}
}

// hop is what one proxy says of the peer that it got the request from.
type hop struct{ from, proto, host string }

// forwarded reads X-Forwarded-*, or Forwarded (RFC 7239) when there is none.
func forwarded(h http.Header) []hop {
	from, protos, hosts := list(h["X-Forwarded-For"]), list(h["X-Forwarded-Proto"]), list(h["X-Forwarded-Host"])
	if len(from)+len(protos)+len(hosts) == 0 {
		return rfc7239(list(h["Forwarded"]))
	}
	hops := make([]hop, max(len(from), 1))
	for i := range hops {
		hops[i] = hop{proto: at(protos, i, len(hops)), host: at(hosts, i, len(hops))}
		if i < len(from) {
			hops[i].from = from[i]
		}
	}
	return hops
}

// at returns the value of hop i of n. When the list is as long as the hops, each
// proxy appended its own; otherwise only the nearest one's is known.
func at(values []string, i, n int) string {
	switch {
	case len(values) == n:
		return values[i]
	case len(values) > 0:
		return values[len(values)-1]
	}
	return ""
}

func rfc7239(elements []string) []hop {
	hops := make([]hop, len(elements))
	for i, element := range elements {
		for pair := range strings.SplitSeq(element, ";") {
			k, v, _ := strings.Cut(strings.TrimSpace(pair), "=")
			v = strings.Trim(v, `"`)
			switch strings.ToLower(k) {
			case "for":
				hops[i].from = v
			case "proto":
				hops[i].proto = v
			case "host":
				hops[i].host = v
			}
		}
	}
	return hops
}

func list(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	parts := strings.Split(strings.Join(lines, ","), ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// parseHop reads 192.0.2.1, 192.0.2.1:4711, 2001:db8::1 and [2001:db8::1]:4711.
func parseHop(s string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		ap, err := netip.ParseAddrPort(s)
		if err != nil {
			return netip.Addr{}, false
		}
		a = ap.Addr()
	}
	return a.Unmap().WithZone(""), true
}

func hostLike(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '.', c == '-', c == ':', c == '[', c == ']', c == '_':
		default:
			return false
		}
	}
	return s != "" && len(s) <= 255
}
