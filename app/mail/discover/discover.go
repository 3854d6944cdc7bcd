// Package discover finds the server through which the mails of an address go out, so that its owner gives no more than
// the address and a password. It asks in this order, and the first two end the search: what is known of the address's
// domain, what is known of the hosts that take the domain's mail (MX), the domain's autoconfiguration file by https, and
// its SRV records (RFC 6186, RFC 8314). It never sees a password, and connects to no mail server.
package discover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"daybook/app/address"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
)

const (
	longest     = 12 * time.Second // the whole search
	mostRecords = 10               // of an answer of DNS that are looked at
	mostServers = 4                // that are found
)

// DNS is what is asked of a resolver; a *net.Resolver is one.
type DNS interface {
	LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	LookupSRV(ctx context.Context, service, proto, name string) (cname string, all []*net.SRV, err error)
}

// Finder finds servers.
type Finder struct {
	DNS DNS
	// Web makes the requests for autoconfiguration files. It decides where they may lead, at each redirect too: see
	// address.Law.Transport.
	Web http.RoundTripper
}

// Server takes mails from programs that sign in to it.
type Server struct {
	Host string
	Port int
	TLS  smtp.TLS // FullTLS or StartTLS
	User string   // how the owner of the address is called there
	// Sure says that the host is a known provider's, or in the address's domain. Any other one was named by whoever
	// answers for the domain: the owner must confirm it before a password goes there.
	Sure bool
}

// Address is host:port.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, fmt.Sprint(s.Port)) }

// Passwords says which password a provider takes from programs.
type Passwords string

const (
	AnyPassword Passwords = ""        // the one of the mailbox, as far as is known
	AppPassword Passwords = "app"     // only one that was made for the program
	OwnPassword Passwords = "own"     // one for mail programs, beside the one to sign in with
	Switched    Passwords = "switch"  // that of the mailbox, once its owner has allowed programs
	SecondApp   Passwords = "second"  // that of the mailbox; an app password where the sign-in has a second step
	NoPassword  Passwords = "refused" // none: it wants a sign-in in the browser
)

// Advice is what the owner of an address must know before giving a password.
type Advice struct {
	Provider  string // the name of a known one, or ""
	Passwords Passwords
	Help      string // the https address of the provider's page about it, or ""
}

// ErrSilent is the error of a search that found nothing, where some who were asked did not answer.
var ErrSilent = errors.New("discover: not all who were asked have answered")

// Find returns the servers of an address, the best first: those of the provider if it is known, else at most four that
// the domain names, each source's with TLS from the start before those with STARTTLS. None were found where the list is
// empty and the Advice doesn't say NoPassword. Errors: bad_request on the field address; ErrSilent.
func (f *Finder) Find(ctx context.Context, addr string) ([]Server, Advice, error) {
	addr, err := fault.CheckEmail("address", addr)
	if err != nil {
		return nil, Advice{}, err
	}
	if err := address.Leave(ctx); err != nil {
		return nil, Advice{}, err
	}
	local, domain := split(addr)
	domain, err = idna.Lookup.ToASCII(strings.ToLower(domain))
	if err != nil || !isHost(domain) {
		return nil, Advice{}, fault.Invalid("address", "must be an e-mail address such as ana@example.com")
	}
	if p := providerOfDomain(domain); p != nil {
		return p.servers(addr), p.Advice(), nil
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	who := person{addr: addr, local: local, domain: domain}
	told := make(chan answer, 1)
	go func() { told <- f.autoconfig(ctx, &who) }()
	named := make(chan answer, 1)
	go func() { named <- f.srv(ctx, &who) }()
	p, failed := f.providerByMX(ctx, domain)
	if p != nil {
		return p.servers(addr), p.Advice(), nil
	}
	var all []Server
	refused := false
	for _, a := range []answer{<-told, <-named} {
		failed, refused = errors.Join(failed, a.failed), refused || a.refused
		for _, s := range a.servers {
			if !slices.ContainsFunc(all, func(o Server) bool { return o.Host == s.Host && o.Port == s.Port }) {
				all = append(all, s)
			}
		}
	}
	switch {
	case len(all) > 0:
		return all[:min(mostServers, len(all))], Advice{}, nil
	case refused:
		return nil, Advice{Provider: domain, Passwords: NoPassword}, nil
	case failed != nil:
		return nil, Advice{}, ErrSilent
	}
	return nil, Advice{}, nil
}

// person is whose server is looked for.
type person struct{ addr, local, domain string }

// sure reports whether a password may go to the host without the owner's word.
func (p *person) sure(host string) bool {
	return within(host, p.domain) || slices.ContainsFunc(Providers, func(k Provider) bool { return k.Host == host })
}

// answer is what one source said.
type answer struct {
	servers []Server
	refused bool  // it names servers, but none of them takes a password
	failed  error // of a source that could not be asked: it may know something
}

// best puts servers with TLS from the start first.
func (a *answer) best() {
	slices.SortStableFunc(a.servers, func(x, y Server) int { return rank(x.TLS) - rank(y.TLS) })
}

func rank(t smtp.TLS) int {
	if t == smtp.FullTLS {
		return 0
	}
	return 1
}

// providerByMX returns the provider that takes the domain's mail, if it is known.
func (f *Finder) providerByMX(ctx context.Context, domain string) (*Provider, error) {
	// The final dot keeps a resolver from trying its own domains.
	all, err := f.DNS.LookupMX(ctx, domain+".")
	for _, mx := range all[:min(mostRecords, len(all))] {
		if p := providerOfMX(cleanHost(mx.Host)); p != nil {
			return p, nil
		}
	}
	return nil, unknown(err)
}

// srv asks for the servers that the domain's SRV records name.
func (f *Finder) srv(ctx context.Context, who *person) (a answer) {
	for _, service := range []struct {
		name string
		tls  smtp.TLS
	}{{"submissions", smtp.FullTLS}, {"submission", smtp.StartTLS}} {
		_, all, err := f.DNS.LookupSRV(ctx, service.name, "tcp", who.domain+".")
		a.failed = errors.Join(a.failed, unknown(err))
		for _, r := range all[:min(mostRecords, len(all))] {
			if host := cleanHost(r.Target); isHost(host) && r.Port != 0 { // the target "." says that there is none
				a.servers = append(a.servers, Server{Host: host, Port: int(r.Port), TLS: service.tls, User: who.addr,
					Sure: who.sure(host)})
			}
		}
	}
	return a
}

// unknown returns an error of DNS if another time may bring an answer.
func unknown(err error) error {
	if no := (*net.DNSError)(nil); errors.As(err, &no) && !no.IsTimeout && !no.IsTemporary {
		return nil
	}
	return err
}

func split(addr string) (local, domain string) {
	i := strings.LastIndexByte(addr, '@')
	return addr[:i], addr[i+1:]
}

func cleanHost(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// within reports whether a host is the domain or in it.
func within(host, domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }

// isHost reports whether a text is the name of a host on the internet, in letters, digits and hyphens, and no address.
func isHost(name string) bool {
	if len(name) > 253 || !strings.Contains(name, ".") {
		return false
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}
