package oauth

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/netip"
	"time"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/gate"
	"daybook/app/when"
)

// How long things last.
const (
	codeLife    = time.Minute   // RFC 6749 §4.1.2 says ten at most
	accessLife  = time.Hour     // RFC 9700 §4.14: short, since an access token is not looked at by its family alone
	refreshIdle = 30 * when.Day // RFC 9700 §4.14.2: a refresh token that is not used expires
	grantLife   = 90 * when.Day // after which the member is asked again
	grace       = 30 * time.Second
	unusedLife  = 24 * time.Hour         // of a registered client that nobody has allowed
	clientLife  = grantLife + unusedLife // of one, since it was allowed last
	perAddress  = 10                     // registrations in an hour
	maxList     = 1000
)

// Config says how agents' programs are reached, and by which addresses they reach this server.
type Config struct {
	// Aliases lists further addresses of the server, such as https://www.example.com, that people may type.
	Aliases []string
	// Allow lists the networks, besides the public internet, from which client documents may be read.
	Allow []netip.Prefix
	// Trust holds the certificate authorities for the servers of client documents; nil means those of the system.
	Trust *x509.CertPool
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	config Config
	gate   *gate.Service
	*state
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct {
	access    accessCache
	documents documents
	http      *http.Client
	reading   chan struct{} // holds one for each document that is read
}

// New returns the Service over a core. g counts the programs that register.
func New(core *app.Service, c Config, g *gate.Service) *Service {
	law := &address.Law{Allow: c.Allow, Option: "--webhook-allow"}
	s := &Service{app.Subject[Reader, Tx]{Core: core}, c, g, &state{http: documentClient(law, c.Trust), reading: make(chan struct{}, readAtOnce)}}
	core.AddDuties(app.Duties{Tend: s.saveUse, Prune: s.prune})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.config, s.gate.In(tx), s.state}
}

// prune deletes what is over, in small transactions.
func (s *Service) prune(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneGrants(when.At(s.Core.Now()), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
