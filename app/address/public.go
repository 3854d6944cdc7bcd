package address

import "net/netip"

// notPublic names the kind of an address that does not belong to the public internet, after IANA's registries of
// special-purpose addresses. It is "" for a public address.
func notPublic(a netip.Addr) string {
	if !a.IsValid() {
		return "no address"
	}
	for _, r := range closedRanges {
		if r.prefix.Contains(a) {
			return r.kind
		}
	}
	if a.Is6() && !globalUnicast6.Contains(a) {
		return "not a public address"
	}
	return ""
}

// globalUnicast6 is the part of IPv6 that is assigned to the public. Unique local, link-local, multicast,
// IPv4-compatible and NAT64 (64:ff9b::/96) addresses lie outside it.
var globalUnicast6 = netip.MustParsePrefix("2000::/3")

var closedRanges = []struct {
	prefix netip.Prefix
	kind   string
}{
	closed("0.0.0.0/8", "an unspecified address"),
	closed("10.0.0.0/8", "a private address"),
	closed("100.64.0.0/10", "a shared (carrier NAT) address"),
	closed("127.0.0.0/8", "a loopback address"),
	closed("168.63.129.16/32", "a cloud's metadata address"),
	closed("169.254.0.0/16", "a link-local address"),
	closed("172.16.0.0/12", "a private address"),
	closed("192.0.0.0/24", "a reserved address"),
	closed("192.0.2.0/24", "a documentation address"),
	closed("192.88.99.0/24", "a 6to4 relay address"),
	closed("192.168.0.0/16", "a private address"),
	closed("198.18.0.0/15", "a benchmarking address"),
	closed("198.51.100.0/24", "a documentation address"),
	closed("203.0.113.0/24", "a documentation address"),
	closed("224.0.0.0/4", "a multicast address"),
	closed("240.0.0.0/4", "a reserved address"),
	closed("::/128", "an unspecified address"),
	closed("::1/128", "a loopback address"),
	closed("64:ff9b::/96", "a NAT64 address"),
	closed("64:ff9b:1::/48", "a NAT64 address"),
	closed("fc00::/7", "a private address"),
	closed("fe80::/10", "a link-local address"),
	closed("ff00::/8", "a multicast address"),
	closed("2001::/23", "a reserved (Teredo, ORCHID, …) address"),
	closed("2001:db8::/32", "a documentation address"),
	closed("2002::/16", "a 6to4 address"),
	closed("3fff::/20", "a documentation address"),
}

func closed(prefix, kind string) struct {
	prefix netip.Prefix
	kind   string
} {
	return struct {
		prefix netip.Prefix
		kind   string
	}{netip.MustParsePrefix(prefix), kind}
}
