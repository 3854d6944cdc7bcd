package sms_test

import (
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"daybook/app/address"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
)

var now = time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)

const base = "https://salon.example/api/texts/ws_1"

// law lets tests call this machine.
var law = &address.Law{Option: "--text-allow", Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// service is a preset with its stand-in.
type service struct {
	name    string
	sender  *sms.Sender
	stand   *smstest.Service
	handler http.Handler
	report  func(t *testing.T, m smstest.Sent, state string, at time.Time) *http.Request
	write   func(t *testing.T, id, from, text string, at time.Time) *http.Request
	states  [3]string // on its way, delivered, failed
}

func services(t *testing.T) []*service {
	t.Helper()
	twilio, seven, android := smstest.NewTwilio(), smstest.NewSeven(), smstest.NewAndroid()
	all := []*service{
		{name: sms.Twilio, stand: &twilio.Service, handler: twilio, states: [3]string{"sent", "delivered", "undelivered"},
			sender: &sms.Sender{Preset: sms.Twilio, Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: "+15005550006"},
			report: func(t *testing.T, m smstest.Sent, state string, _ time.Time) *http.Request {
				return twilio.Report(t, m, state, "ErrorCode", "30003")
			},
			write: func(t *testing.T, id, from, text string, _ time.Time) *http.Request {
				return twilio.Write(t, base, id, from, text)
			}},
		{name: sms.Seven, stand: &seven.Service, handler: seven, states: [3]string{"TRANSMITTED", "DELIVERED", "NOTDELIVERED"},
			sender: &sms.Sender{Preset: sms.Seven, Secret: sms.Secret(seven.Key), SigningKey: sms.Secret(seven.Signing), From: "Salon Anna"},
			report: func(t *testing.T, m smstest.Sent, state string, at time.Time) *http.Request {
				return seven.Report(t, base, m, state, at)
			},
			write: func(t *testing.T, id, from, text string, at time.Time) *http.Request {
				return seven.Write(t, base, id, from, text, at)
			}},
		{name: sms.Android, stand: &android.Service, handler: android, states: [3]string{"sms:sent", "sms:delivered", "sms:failed"},
			sender: &sms.Sender{Preset: sms.Android, User: android.User, Secret: sms.Secret(android.Password), SigningKey: sms.Secret(android.Signing)},
			report: func(t *testing.T, m smstest.Sent, state string, at time.Time) *http.Request {
				return android.Report(t, base, m, state, at)
			},
			write: func(t *testing.T, id, from, text string, at time.Time) *http.Request {
				return android.Write(t, base, id, from, text, at)
			}},
	}
	for _, s := range all {
		s.sender.URL = smstest.Start(t, s.handler)
		if err := s.sender.Check(); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
	}
	return all
}

// each runs a test with each preset.
func each(t *testing.T, f func(t *testing.T, s *service, c *sms.Client)) {
	for _, s := range services(t) {
		t.Run(s.name, func(t *testing.T) { f(t, s, client()) })
	}
}

func client() *sms.Client { return sms.NewClient(law, "test").Within(20 * time.Second) }

func message() sms.Message {
	return sms.Message{To: "+4915112345678", Text: "Your time on Tuesday, 10:30", Reference: "tx_01", Callback: base}
}

// read reads a request as a server does that got it at its address.
func read(t *testing.T, s *sms.Sender, r *http.Request) (sms.Incoming, error) {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return sms.Read(s, r, r.URL.String(), body, now)
}

// quiet fails if a text has a secret of the sender.
func quiet(t *testing.T, s *sms.Sender, text string) {
	t.Helper()
	for _, secret := range []sms.Secret{s.Secret, s.SigningKey} {
		if secret != "" && strings.Contains(text, string(secret)) {
			t.Errorf("a secret stands in %q", text)
		}
	}
}
