// Package discovertest has what tests of finding a mail server need of the internet: DNS, certificates, and an https
// server that has the files of all domains.
package discovertest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// CA issues certificates.
type CA struct {
	t    testing.TB
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

// NewCA returns one that only its own Trust knows.
func NewCA(t testing.TB) *CA {
	t.Helper()
	c := &CA{t: t}
	c.key, c.cert, _ = c.issue(&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return c
}

func (c *CA) issue(template *x509.Certificate) (*ecdsa.PrivateKey, *x509.Certificate, []byte) {
	c.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		c.t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	by, signs := template, key
	if c.cert != nil {
		by, signs = c.cert, c.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, signs)
	if err != nil {
		c.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		c.t.Fatal(err)
	}
	return key, cert, der
}

// Server returns what a server of those names begins TLS with.
func (c *CA) Server(names ...string) *tls.Config {
	c.t.Helper()
	key, _, der := c.issue(&x509.Certificate{DNSNames: names})
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// Trust returns what a client has that trusts the CA, and no other.
func (c *CA) Trust() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(c.cert)
	return &tls.Config{RootCAs: pool}
}

// Web starts an https server of those names, and returns a transport whose requests by https all go there.
func (c *CA) Web(h http.HandlerFunc, names ...string) http.RoundTripper {
	c.t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that hang up
	s.TLS = c.Server(names...)
	s.StartTLS()
	c.t.Cleanup(s.Close)
	tr := &http.Transport{TLSClientConfig: c.Trust(), DisableKeepAlives: true}
	tr.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	return tr
}

// File returns an autoconfiguration file with those outgoing servers, each "host port socket user authentication".
func File(servers ...string) string {
	text := `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="x"><domain>example.com</domain>
<incomingServer type="imap"><hostname>imap.example.com</hostname><port>993</port><socketType>SSL</socketType></incomingServer>`
	for _, s := range servers {
		f := strings.Fields(s)
		text += fmt.Sprintf(`<outgoingServer type="smtp"><hostname>%s</hostname><port>%s</port><socketType>%s</socketType><username>%s</username><authentication>%s</authentication></outgoingServer>`,
			f[0], f[1], f[2], f[3], f[4])
	}
	return text + `</emailProvider></clientConfig>`
}
