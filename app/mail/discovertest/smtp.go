package discovertest

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	gosmtp "github.com/emersion/go-smtp"
)

// SMTP is a mail server on the loopback, with TLS from the start and one user.
type SMTP struct {
	Port           int
	User, Password string

	mu       sync.Mutex
	mails    []string
	sessions int
}

// NewSMTP starts a server for as long as the test.
func NewSMTP(t testing.TB, certificate *tls.Config, user, password string) *SMTP {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &SMTP{Port: l.Addr().(*net.TCPAddr).Port, User: user, Password: password}
	s := gosmtp.NewServer(k)
	s.Domain, s.ReadTimeout, s.WriteTimeout = "mail.example", 20*time.Second, 20*time.Second
	s.ErrorLog = quiet{}
	go s.Serve(tls.NewListener(l, certificate))
	t.Cleanup(func() { s.Close() })
	return k
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// Mails are those that it took.
func (k *SMTP) Mails() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.mails...)
}

// Sessions is how often somebody began one.
func (k *SMTP) Sessions() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.sessions
}

// Digits are the four in the subject of the latest mail; "" if none came.
func (k *SMTP) Digits() string {
	all := k.Mails()
	if len(all) == 0 {
		return ""
	}
	_, subject, _ := strings.Cut(all[len(all)-1], "Subject: ")
	code, _, _ := strings.Cut(subject, ":")
	return code
}

// NewSession implements gosmtp.Backend.
func (k *SMTP) NewSession(*gosmtp.Conn) (gosmtp.Session, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions++
	return &session{k: k}, nil
}

type session struct {
	k  *SMTP
	in bool
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.k.User || password != s.k.Password {
			return &gosmtp.SMTPError{Code: 535, EnhancedCode: gosmtp.EnhancedCode{5, 7, 8}, Message: "wrong password"}
		}
		s.in = true
		return nil
	}), nil
}

func (s *session) Mail(string, *gosmtp.MailOptions) error {
	if !s.in {
		return gosmtp.ErrAuthRequired
	}
	return nil
}

func (s *session) Rcpt(string, *gosmtp.RcptOptions) error { return nil }

func (s *session) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	s.k.mails = append(s.k.mails, string(body))
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
