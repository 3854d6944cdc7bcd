package app

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// WebhookConfig is how endpoints are checked when they are registered.
type WebhookConfig struct {
	Allow   []netip.Prefix                                               // addresses that endpoints may have besides the public ones
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error) // nil asks the system
}

func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// checkEndpointURL refuses a URL that deliveries must not, or can't, go to. It asks DNS, so it must run outside
// transactions. A public name that nothing answers for yet is let through: the dial asks again.
func (s *Service) checkEndpointURL(ctx context.Context, text string) error {
	u, err := parseEndpointURL(text)
	if err != nil {
		return err
	}
	law, secure, host := AddressLaw{s.webhook.Allow}, u.Scheme == "https", u.Hostname()
	addrs := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, a)
	} else if addrs, err = s.webhook.Resolve(ctx, host); err != nil || len(addrs) == 0 {
		return unresolved(host, secure)
	}
	var refused error
	for _, a := range addrs {
		if law.Allowed(a) {
			return nil // localhost is 127.0.0.1 and ::1: the operator need not list both
		}
		if err := law.Check(a, secure); err != nil && refused == nil {
			refused = Invalid("url", "%v", err)
		}
	}
	if refused == nil && !commonPort(u.Port()) {
		return Invalid("url", "the port %s is not one for webhooks; use 443, 80 or one from 1024 on", u.Port())
	}
	return refused
}

func parseEndpointURL(text string) (*url.URL, error) {
	text, err := checkLine("url", text, 1, 2000)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Host == "":
		return nil, Invalid("url", "must be a URL such as https://example.com/hooks/daybook")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, Invalid("url", "must begin with https://")
	case u.User != nil:
		return nil, Invalid("url", "must not hold a user name or password; receivers verify the signature instead")
	case strings.Contains(text, "#"):
		return nil, Invalid("url", "must not have a fragment (#…); it would never be sent")
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, Invalid("url", "the port must lie between 1 and 65535")
		}
	}
	return u, checkHost(u.Hostname())
}

// checkHost refuses what some resolvers take for an address although it does not look like one: 2130706433, 0x7f.1,
// 0177.0.0.1 and 127.1 are all 127.0.0.1.
func checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return Invalid("url", "the address must not have a zone (%%%s)", a.Zone())
		}
		return nil
	}
	for _, c := range []byte(host) {
		if c >= 0x80 || c == '%' {
			return Invalid("url", "write the host in ASCII (xn--…)")
		}
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if last == "" || len(host) > 253 {
		return Invalid("url", "%q is no host name", host)
	}
	if strings.HasPrefix(last, "0x") || strings.Trim(last, "0123456789") == "" {
		return Invalid("url", "%q is no host name; write an IPv4 address as four decimal numbers", host)
	}
	return nil
}

// unresolved is the error of a name without an address that can't be a public one, or that only an allowed address
// would make good.
func unresolved(host string, secure bool) error {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if !secure {
		return Invalid("url", "%q has no address, and http:// is for addresses that the operator allows (--webhook-allow); use https://", host)
	}
	for _, suffix := range []string{"localhost", "local", "internal", "arpa", "test", "invalid", "onion"} {
		if name == suffix || strings.HasSuffix(name, "."+suffix) {
			return Invalid("url", "%q is not a public name, and it has no address here", host)
		}
	}
	if !strings.Contains(name, ".") {
		return Invalid("url", "%q has no address; write the whole host name, such as hooks.example.com", host)
	}
	return nil
}

// commonPort keeps requests away from the ports of other old protocols (mail, ssh, …).
func commonPort(port string) bool {
	n, _ := strconv.Atoi(port)
	return port == "" || n == 80 || n == 443 || n >= 1024
}
