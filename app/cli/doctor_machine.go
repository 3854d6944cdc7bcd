package cli

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"
)

func checkZones(context.Context, *target) []result {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		return []result{fail("time zones", "Time zones can't be read: "+err.Error(),
			"Use a released binary, which has them built in.")}
	}
	winter, summer := time.Date(2026, 1, 1, 0, 0, 0, 0, zone), time.Date(2026, 7, 1, 0, 0, 0, 0, zone)
	_, a := winter.Zone()
	_, b := summer.Zone()
	if a != 3600 || b != 7200 {
		return []result{fail("time zones", "The machine's time zone data is wrong for Europe/Berlin.",
			"Update the tzdata package, or unset ZONEINFO.")}
	}
	return []result{fine("time zones", "known")}
}

func checkAddress(_ context.Context, t *target) []result {
	s, base := t.server, t.server.BaseURL
	if _, _, err := net.SplitHostPort(s.Addr); err != nil {
		return []result{fail("address", fmt.Sprintf("--addr %q is no address: %v", s.Addr, err),
			"Write it as :8080 or 127.0.0.1:8080.")}
	}
	switch {
	case base.URL == nil && len(s.TLSDomains) == 0:
		return []result{warn("address",
			"This command was not given --base-url, so this is not checked: without it a server's links lead to this "+
				"machine only.",
			"Give doctor and serve the same --base-url https://book.example.com or --tls-domain, or set "+
				"DAYBOOK_BASE_URL for both.")}
	case base.URL == nil:
		return []result{fine("address", "https://%s", s.TLSDomains[0])}
	case base.Path != "":
		return []result{fail("address", fmt.Sprintf("--base-url %s has a path.", base.String()),
			"Give Daybook a host name of its own.")}
	case base.Scheme == "http" && !local(base.Hostname()):
		return []result{warn("address", fmt.Sprintf("%s is not HTTPS: keys and passwords travel in the clear.",
			base.String()),
			"Give --tls-domain "+base.Hostname()+", or put a proxy with HTTPS before it and name it by --trust-proxy.")}
	case base.Scheme == "https" && len(s.TLSDomains) == 0 && len(s.TrustProxy) == 0:
		return []result{warn("address",
			fmt.Sprintf("%s is HTTPS, but no proxy is trusted: all clients would seem to be the proxy, and plain HTTP is "+
				"served, too.", base.String()),
			"Give --trust-proxy the network of the proxy, and have it set X-Forwarded-Proto; "+
				"or give --tls-domain "+base.Hostname()+".")}
	}
	return []result{fine("address", "%s", base.String())}
}

// checkProxy warns when requests came through a proxy on the server's machine within a day that these flags don't
// trust.
func checkProxy(ctx context.Context, t *target) []result {
	for _, n := range t.server.TrustProxy {
		if n.Contains(netip.AddrFrom4([4]byte{127, 0, 0, 1})) || n.Contains(netip.IPv6Loopback()) {
			return nil
		}
	}
	seen, err := t.Set.Upkeep.UnknownProxySeen(ctx)
	switch {
	case err != nil:
		return []result{fail("address", err.Error(), "")}
	case t.Set.Now().Sub(seen.Time()) >= 24*time.Hour:
		return nil
	}
	return []result{warn("address",
		fmt.Sprintf("Requests come from a proxy on the server's machine that is not trusted, the last one noted at %s: all "+
			"its clients seem to be this machine, and limits for each address, such as that of bookings, don't bind them.", seen),
		"Give serve --trust-proxy 127.0.0.0/8,::1/128, and have the proxy set X-Forwarded-For and X-Forwarded-Proto. "+
			"If the proxy is trusted by now, give doctor the same flags.")}
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
