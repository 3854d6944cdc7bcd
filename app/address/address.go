// Package address has the rules for connections to places that somebody other than the operator names: webhook
// endpoints and a workspace's mail server. Such a connection may lead to the public internet and to the networks that
// the operator lists. A subject calls CheckHost when a place is saved and dials with Control, which checks each
// connection again, after DNS and before the first packet. So a name that resolves elsewhere later gains nothing.
package address

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"daybook/app/fault"
)

// Law says which places may be connected to. The zero Law allows the public internet, at any port.
type Law struct {
	Allow  []netip.Prefix // networks that the operator lists
	Option string         // the command line option that lists them, for the errors
	Ports  []uint16       // the only ports, for listed networks too; nil allows any

	// Resolve finds the addresses of a host name for CheckHost; nil asks the system for at most 3 s.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// DNS is whom CheckHost, without Resolve, and those who connect by the law ask; nil is the system's.
	DNS *net.Resolver
}

// Refused is the error of a place that the law forbids. It says how the operator can allow it.
type Refused struct{ Reason fault.Text }

func (r *Refused) Error() string { return r.Reason.String() }

// Text returns what Error does with its format.
func (r *Refused) Text() fault.Text { return r.Reason }

func refuse(format string, args ...any) error { return &Refused{fault.Textf(format, args...)} }

// Allowed reports whether the operator has listed the address.
func (l *Law) Allowed(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range l.Allow {
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Check returns a *Refused for an address that may not be connected to. secure is false for http://, which is only
// allowed for what the operator lists.
func (l *Law) Check(a netip.Addr, secure bool) error {
	if l.Allowed(a) {
		return nil
	}
	a = a.Unmap().WithZone("")
	if kind := notPublic(a); kind != "" {
		return refuse("%s is %s; the operator can allow it with %s %s", a, kind, l.Option, netip.PrefixFrom(a, a.BitLen()))
	}
	if !secure {
		return refuse("http:// is for addresses that the operator allows (%s %s); use https://", l.Option,
			netip.PrefixFrom(a, a.BitLen()))
	}
	return nil
}

// CheckPort returns a *Refused for a port that the law does not allow.
func (l *Law) CheckPort(port int) error {
	if len(l.Ports) == 0 || port > 0 && port <= 65535 && slices.Contains(l.Ports, uint16(port)) {
		return nil
	}
	var all []string
	for _, p := range l.Ports {
		all = append(all, fmt.Sprint(p))
	}
	return refuse("the port %d can't be used; use one of %s", port, strings.Join(all, ", "))
}

// Control is for a net.Dialer: it checks each connection against the law. Its error is a *Refused.
func (l *Law) Control(secure bool) func(network, address string, c syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return refuse("%s is no address", address)
		}
		if err := l.CheckPort(int(to.Port())); err != nil {
			return err
		}
		return l.Check(to.Addr(), secure)
	}
}

// CheckHost returns a *Refused for a host, a name or an address, that must not, or can't, be connected to. It asks DNS,
// so it must run outside transactions. A public name that does not resolve yet is accepted, because each connection is
// checked again. listed says that the operator has listed an address of the host.
func (l *Law) CheckHost(ctx context.Context, host string, secure bool) (listed bool, err error) {
	if err := checkForm(host); err != nil {
		return false, err
	}
	all := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		all = append(all, a)
	} else if all, err = l.resolve(ctx, host); err != nil || len(all) == 0 {
		return false, l.unresolved(host, secure)
	}
	for _, a := range all {
		if l.Allowed(a) {
			return true, nil // localhost is 127.0.0.1 and ::1: the operator need not list both
		}
		if wrong := l.Check(a, secure); err == nil {
			err = wrong
		}
	}
	return false, err
}

func (l *Law) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if q := within(ctx); q != nil {
		return q.resolve(host, func(ctx context.Context) ([]netip.Addr, error) { return l.resolve(ctx, host) })
	}
	if l.Resolve != nil {
		return l.Resolve(ctx, host)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return cmp.Or(l.DNS, net.DefaultResolver).LookupNetIP(ctx, "ip", host)
}

// checkForm refuses what some resolvers read as an address although it does not look like one: 2130706433, 0x7f.1,
// 0177.0.0.1 and 127.1 are all 127.0.0.1.
func checkForm(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return refuse("the address must not have a zone (%%%s)", a.Zone())
		}
		return nil
	}
	for _, c := range []byte(host) {
		if c >= 0x80 || c == '%' {
			return refuse("write the host in ASCII (xn--…)")
		}
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if last == "" || len(host) > 253 {
		return refuse("%q is no host name", host)
	}
	if strings.HasPrefix(last, "0x") || strings.Trim(last, "0123456789") == "" {
		return refuse("%q is no host name; write an IPv4 address as four decimal numbers", host)
	}
	return nil
}

// unresolved is the error for a name without an address that can't be public, or that only an allowed address would
// make valid.
func (l *Law) unresolved(host string, secure bool) error {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if !secure {
		return refuse("%q has no address, and http:// is for addresses that the operator allows (%s); use https://", host,
			l.Option)
	}
	for _, suffix := range []string{"localhost", "local", "internal", "arpa", "test", "invalid", "onion"} {
		if name == suffix || strings.HasSuffix(name, "."+suffix) {
			return refuse("%q is not a public name, and it has no address here", host)
		}
	}
	if !strings.Contains(name, ".") {
		return refuse("%q has no address; write the whole host name, such as www.example.com", host)
	}
	return nil
}

// SameHost reports whether two names mean the same host: DNS has no case, and a dot may end a name.
func SameHost(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}
