package serve_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"daybook/app/apptest/outside"
	"daybook/app/serve"
)

const domain = "book.example.com"

// httpsFixture is a server with a certificate on its way from pebble.
func httpsFixture(t *testing.T, plain, secure, tlsPort string, cache autocert.Cache) (*running, *http.Client) {
	t.Helper()
	a := startPebble(t, port(plain), tlsPort)
	base, _ := url.Parse("https://" + domain)
	s := run(t, serve.Config{
		Addr: secure, ChallengeAddr: plain, BaseURL: base,
		TLSDomains: []string{domain}, ACMEDirectory: a.directory, ACMERootCAs: a.self, ACMEEmail: "owner@example.com", Certificates: cache,
		Routes: func(mux *http.ServeMux) {
			mux.HandleFunc("GET /{workspace}", func(w http.ResponseWriter, r *http.Request) {
				if !serve.Secure(r.Context()) {
					t.Error("HTTPS is not secure")
				}
				io.WriteString(w, r.Proto)
			})
			mux.Handle("GET /api/sse", serve.Stream(events(func(r *http.Request) { <-r.Context().Done() })))
		},
	})
	client := &http.Client{CheckRedirect: direct.CheckRedirect, Timeout: time.Minute, Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: a.issues},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, secure)
		},
	}}
	// pebble refuses every fifth request, to see that it is tried again, so this may take its time.
	for end := time.Now().Add(2 * time.Minute); len(s.log.lines("certificate ready")) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) || len(s.log.lines("HTTPS is not ready")) > 0 {
			t.Fatalf("no certificate before the first visitor:\n%s", s.log)
		}
	}
	return s, client
}

func TestHTTPSByItself(t *testing.T) {
	t.Parallel()
	plain, secure, dir := outside.Address(t), outside.Address(t), t.TempDir()
	s, client := httpsFixture(t, plain, secure, port(secure), autocert.DirCache(dir))
	res, err := client.Get("https://" + domain + "/salon")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if string(body) != "HTTP/2.0" || !strings.HasPrefix(res.Header.Get("Strict-Transport-Security"), "max-age=") {
		t.Errorf("%q %v", body, res.Header)
	}
	// By address, without a name: still our certificate; another name: refused.
	nameless, err := tls.Dial("tcp", secure, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	nameless.Close()
	if names := nameless.ConnectionState().PeerCertificates[0].DNSNames; len(names) != 1 || names[0] != domain {
		t.Errorf("certificate for %v", names)
	}
	if c, err := tls.Dial("tcp", secure, &tls.Config{ServerName: "other.example.com", InsecureSkipVerify: true}); err == nil {
		c.Close()
		t.Error("another domain got a certificate")
	}

	s.url = "http://" + plain
	for path, want := range map[string]string{"/salon?x=1": "https://" + domain + "/salon?x=1", "//evil.example": "https://" + domain + "//evil.example"} {
		for _, host := range []string{domain, "evil.example", "127.0.0.1"} {
			if res := s.get(path, "Host", host); res.StatusCode != 308 || res.Header.Get("Location") != want {
				t.Errorf("%s at %s: %d %s", path, host, res.StatusCode, res.Header.Get("Location"))
			}
		}
	}
	inClear := s.get("/api/v1/bookings", "Authorization", "Bearer dbk_x")
	if code, message, _ := inClear.apiError(t); inClear.StatusCode != 403 || code != "forbidden" || !strings.Contains(message, "replace the API key") {
		t.Errorf("the API in the clear: %d %s %s", inClear.StatusCode, code, message)
	}
	if res := s.get("/healthz"); res.StatusCode != 200 {
		t.Errorf("healthz in the clear: %d", res.StatusCode)
	}

	// An HTTP/2 stream does not hold up the stop.
	stream, err := client.Get("https://" + domain + "/api/sse")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	began := time.Now()
	if err := s.stop(); err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("Run: %v after %v", err, time.Since(began))
	}
}

// Where the TLS port cannot be reached from outside, port 80 proves the domain.
func TestHTTP01(t *testing.T) {
	t.Parallel()
	plain, secure := outside.Address(t), outside.Address(t)
	s, client := httpsFixture(t, plain, secure, port(outside.Address(t)), autocert.DirCache(t.TempDir()))
	res, err := client.Get("https://" + domain + "/salon")
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log)
	}
	res.Body.Close()
}

func TestHTTPSNeedsACache(t *testing.T) {
	t.Parallel()
	err := serve.Run(t.Context(), serve.Config{TLSDomains: []string{domain}}, nil)
	if err == nil || !strings.Contains(err.Error(), "Certificates") {
		t.Errorf("Run: %v", err)
	}
}
