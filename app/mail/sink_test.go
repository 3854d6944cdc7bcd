package mail_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	gosmtp "github.com/emersion/go-smtp"

	"daybook/app/mail/smtp"
)

// sink is a real SMTP server that keeps what it is given and fails as it is told.
type sink struct {
	t    testing.TB
	addr string
	port int

	mu       sync.Mutex
	taken    []taken
	rcpt     map[string]*gosmtp.SMTPError // answers to RCPT TO, by local part
	data     map[string]*gosmtp.SMTPError // answers to the end of DATA
	hang     map[string]bool              // hangs up at the end of DATA
	from     *gosmtp.SMTPError            // answers every MAIL FROM
	user     string
	password string
	logins   int
	sessions int
	file     *os.File // what is taken is noted here too, before it is acknowledged
}

type taken struct{ from, to, body string }

// newSink listens on the loopback; with a certificate it offers STARTTLS, with full it begins with TLS.
func newSink(t testing.TB, certificate *tls.Config, full bool) *sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return newSinkAt(t, l, certificate, full)
}

func newSinkAt(t testing.TB, l net.Listener, certificate *tls.Config, full bool) *sink {
	t.Helper()
	k := &sink{t: t, rcpt: map[string]*gosmtp.SMTPError{}, data: map[string]*gosmtp.SMTPError{}, hang: map[string]bool{}}
	k.addr, k.port = l.Addr().String(), l.Addr().(*net.TCPAddr).Port
	s := gosmtp.NewServer(k)
	s.Domain, s.AllowInsecureAuth, s.ReadTimeout, s.WriteTimeout = "sink.example", true, 20*time.Second, 20*time.Second
	s.ErrorLog = quiet{}
	if certificate != nil {
		s.TLSConfig = certificate
	}
	if full {
		l = tls.NewListener(l, certificate)
	}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return k
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// server is how to reach the sink.
func (k *sink) server(tls smtp.TLS) *smtp.Server {
	s := &smtp.Server{Host: "127.0.0.1", Port: k.port, TLS: tls, User: k.user, Password: k.password}
	s.From.Address = "book@salon.example"
	return s
}

// mails are what was taken so far.
func (k *sink) mails() []taken {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]taken(nil), k.taken...)
}

func (k *sink) set(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
}

func (k *sink) NewSession(c *gosmtp.Conn) (gosmtp.Session, error) {
	k.set(func() { k.sessions++ })
	return &session{k: k, c: c}, nil
}

type session struct {
	k        *sink
	c        *gosmtp.Conn
	from, to string
	in       bool
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.k.mu.Lock()
		defer s.k.mu.Unlock()
		if user != s.k.user || password != s.k.password {
			return &gosmtp.SMTPError{Code: 535, EnhancedCode: gosmtp.EnhancedCode{5, 7, 8}, Message: "wrong password"}
		}
		s.in = true
		s.k.logins++
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *gosmtp.MailOptions) error {
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	if s.k.user != "" && !s.in {
		return gosmtp.ErrAuthRequired
	}
	s.from = from
	if s.k.from != nil {
		return s.k.from
	}
	return nil
}

func (s *session) Rcpt(to string, _ *gosmtp.RcptOptions) error {
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	s.to = to
	name, _, _ := strings.Cut(to, "@")
	if e := s.k.rcpt[name]; e != nil {
		return e
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	name, _, _ := strings.Cut(s.to, "@")
	if s.k.hang[name] {
		s.c.Conn().Close()
		return io.ErrUnexpectedEOF
	}
	if e := s.k.data[name]; e != nil {
		return e
	}
	s.k.taken = append(s.k.taken, taken{s.from, s.to, string(body)})
	if s.k.file != nil {
		_, id, _ := strings.Cut(string(body), "Message-ID: <")
		id, _, _ = strings.Cut(id, ">")
		s.k.file.WriteString(id + "\n")
	}
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// certificate is one for 127.0.0.1, and what trusts it.
func certificate(t testing.TB) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, _ := x509.ParseCertificate(der)
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: pool}
}

func temporary(code int) *gosmtp.SMTPError {
	return &gosmtp.SMTPError{Code: code, EnhancedCode: gosmtp.EnhancedCode{4, 2, 0}, Message: "come back later"}
}

func final(code int) *gosmtp.SMTPError {
	return &gosmtp.SMTPError{Code: code, EnhancedCode: gosmtp.EnhancedCode{5, 1, 1}, Message: "nobody of that name"}
}
