package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"daybook/app/address"
)

// certificates gets and renews one certificate per domain.
type certificates struct {
	manager *autocert.Manager
	domains []string
	server  *server
}

func (s *server) newCertificates() *certificates {
	domains := s.config.TLSDomains
	return &certificates{server: s, domains: domains, manager: &autocert.Manager{
		Prompt: autocert.AcceptTOS,
		Cache:  s.config.Certificates,
		HostPolicy: func(_ context.Context, host string) error {
			// The Host of a challenge request has a port where port 80 is forwarded to another.
			if !slices.Contains(domains, hostname(host)) {
				return fmt.Errorf("%s is not one of our domains", host)
			}
			return nil
		},
		Email: s.config.ACMEEmail,
		Client: &acme.Client{
			DirectoryURL: cmp.Or(s.config.ACMEDirectory, acme.LetsEncryptURL),
			UserAgent:    "Daybook/" + cmp.Or(s.config.Version, "dev"),
			HTTPClient:   acmeHTTP(s.config.ACMERootCAs),
		},
	}}
}

func acmeHTTP(roots *x509.CertPool) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig = &tls.Config{RootCAs: roots}
	return &http.Client{Transport: address.Short{RoundTripper: t, Most: 1 << 20}, Timeout: 30 * time.Second}
}

// tlsConfig speaks HTTP/2, HTTP/1.1 and TLS-ALPN-01. A client that names no
// host (a health check by address) gets the first domain's certificate.
func (c *certificates) tlsConfig() *tls.Config {
	t := c.manager.TLSConfig()
	t.MinVersion = tls.VersionTLS12
	t.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if hello.ServerName == "" {
			hello.ServerName = c.domains[0]
		}
		return c.manager.GetCertificate(hello)
	}
	return t
}

// fetch asks for every certificate, so that the first visitor does not wait
// and problems are logged at once.
func (c *certificates) fetch(context.Context) error {
	for _, d := range c.domains {
		_, err := c.manager.GetCertificate(&tls.ClientHelloInfo{
			ServerName:       d,
			CipherSuites:     []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
			SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
			SupportedCurves:  []tls.CurveID{tls.CurveP256},
		})
		if err != nil {
			return fmt.Errorf("no certificate for %s: does its DNS lead here, and can ports 80 and 443 be reached from "+
				"outside? %w", d, err)
		}
		c.server.log.Info("certificate ready", "domain", d)
	}
	return nil
}

// certificateLoops fetch once the listeners are open. A failure is logged, not
// retried: autocert asks again at the next handshake, and authorities count
// failed attempts.
func (s *server) certificateLoops(fronts []*front) []Loop {
	var ls []Loop
	for _, f := range fronts {
		if f.fetch == nil {
			continue
		}
		ls = append(ls, Loop{Name: "certificates", Run: func(ctx context.Context) error {
			asked := make(chan error, 1)
			go func() { asked <- f.fetch(ctx) }() // autocert cannot be cancelled
			select {
			case err := <-asked:
				if err != nil {
					s.log.Error("HTTPS is not ready", "error", err.Error())
				}
			case <-ctx.Done():
			}
			return nil
		}})
	}
	return ls
}

// redirect answers plain HTTP: probes as they are, everything else is sent to
// HTTPS or refused.
func (s *server) redirect() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if httpAllowed(r.URL.Path) {
			s.mux.ServeHTTP(w, r)
			return
		}
		s.refuseHTTP(stateOf(r.Context()))
	})
}

// httpsHost returns where a request over HTTP is redirected: to the base URL, or to
// the domain of ours that it named.
func (s *server) httpsHost(host string) string {
	name := hostname(host)
	if b := s.config.BaseURL; b != nil && b.Scheme == "https" &&
		(name == b.Hostname() || !slices.Contains(s.config.TLSDomains, name)) {
		return "https://" + b.Host
	}
	if !slices.Contains(s.config.TLSDomains, name) {
		// There is at least one: without an https base URL, HTTPS is promised by the domains.
		name = s.config.TLSDomains[0]
	}
	if _, port, err := net.SplitHostPort(s.config.Addr); err == nil && port != "443" {
		return "https://" + net.JoinHostPort(name, port)
	}
	return "https://" + name
}

func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}
