package smstest

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Twilio is a stand-in for the Messages resource of Twilio: www.twilio.com/docs/messaging/api/message-resource, with the
// errors of docs/api/errors. Its fields are set before it is used.
type Twilio struct {
	Service
	Account string            // AC and 32 hexadecimal digits
	Token   string            // auth token, which signs as well
	Keys    map[string]string // SIDs of API keys, and their secrets
	From    []string          // numbers, names and Messaging Services of the account
	Stopped []string          // numbers that sent STOP
}

// NewTwilio returns an account with a number.
func NewTwilio() *Twilio {
	return &Twilio{Account: "AC0123456789abcdef0123456789abcdef", Token: "f00dfeedf00dfeedf00dfeedf00dfeed", From: []string{"+15005550006"}}
}

// ServeHTTP implements http.Handler.
func (s *Twilio) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.work) }

func (s *Twilio) refuse(w http.ResponseWriter, status, code int, message string) {
	answer(w, status, map[string]any{"code": code, "message": message, "status": status,
		"more_info": fmt.Sprintf("https://www.twilio.com/docs/errors/%d", code)})
}

func (s *Twilio) work(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if key, is := s.Keys[user]; (user != s.Account || password != s.Token) && (!is || password != key) {
		s.refuse(w, 401, 20003, "Authenticate")
		return
	}
	rest, is := strings.CutPrefix(r.URL.Path, "/2010-04-01/Accounts/"+s.Account+"/Messages")
	id := strings.TrimSuffix(strings.TrimPrefix(rest, "/"), ".json")
	switch {
	case !is || !strings.HasSuffix(rest, ".json"):
		s.refuse(w, 404, 20404, "The requested resource "+r.URL.Path+" was not found")
	case r.Method == http.MethodGet:
		m := s.find(func(m *Sent) bool { return m.ID == id })
		if m == nil {
			s.refuse(w, 404, 20404, "The requested resource "+r.URL.Path+" was not found")
			return
		}
		answer(w, 200, s.resource(m))
	case r.Method == http.MethodPost && id == "":
		s.create(w, r)
	default:
		s.refuse(w, 405, 20004, "Method not allowed")
	}
}

func (s *Twilio) create(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		s.refuse(w, 400, 21604, "A 'To' phone number is required.")
		return
	}
	f := r.PostForm
	from := f.Get("From")
	if strings.HasPrefix(from, "MG") {
		from = "" // it is a parameter of its own
	}
	if from == "" {
		from = f.Get("MessagingServiceSid")
	}
	to, text, callback := f.Get("To"), f.Get("Body"), f.Get("StatusCallback")
	back, err := url.Parse(callback)
	switch {
	case to == "":
		s.refuse(w, 400, 21604, "A 'To' phone number is required.")
	case from == "":
		s.refuse(w, 400, 21603, "A 'From' phone number is required.")
	case text == "":
		s.refuse(w, 400, 21602, "Message body is required.")
	case !e164.MatchString(to):
		s.refuse(w, 400, 21211, "The 'To' number "+to+" is not a valid phone number.")
	case !slices.Contains(s.From, from):
		s.refuse(w, 400, 21606, "The 'From' phone number provided ("+from+") is not a valid, message-capable phone number.")
	case utf8.RuneCountInString(text) > 1600:
		s.refuse(w, 400, 21617, "The concatenated message body exceeds the 1600 character limit")
	case callback != "" && (err != nil || back.Host == ""):
		s.refuse(w, 400, 21609, "The 'StatusCallback' URL "+callback+" is not a valid URL.")
	case slices.Contains(s.Stopped, to):
		s.refuse(w, 400, 21610, "Attempt to send to unsubscribed recipient")
	default:
		m := Sent{ID: fmt.Sprintf("SM%032x", len(s.Sent())+1), To: to, From: from, Text: text, Callback: callback, State: "queued"}
		s.keep(m)
		answer(w, 201, s.resource(&m))
	}
}

func (s *Twilio) resource(m *Sent) map[string]any {
	return map[string]any{"sid": m.ID, "status": m.State, "to": m.To, "from": m.From, "body": m.Text, "account_sid": s.Account,
		"direction": "outbound-api", "error_code": nil, "error_message": nil}
}

// Report makes the status callback of a text, in which more comes than the documents list.
func (s *Twilio) Report(t testing.TB, m Sent, status string, more ...string) *http.Request {
	t.Helper()
	f := url.Values{"MessageSid": {m.ID}, "SmsSid": {m.ID}, "MessageStatus": {status}, "SmsStatus": {status}, "To": {m.To},
		"From": {m.From}, "AccountSid": {s.Account}, "ApiVersion": {"2010-04-01"}}
	return s.signed(t, m.Callback, f, more)
}

// Write makes the request of a message that a person wrote; more are names and values of other parameters.
func (s *Twilio) Write(t testing.TB, address, id, from, text string, more ...string) *http.Request {
	t.Helper()
	f := url.Values{"MessageSid": {id}, "SmsSid": {id}, "SmsStatus": {"received"}, "NumMedia": {"0"}, "NumSegments": {"1"},
		"To": {"+15005550006"}, "From": {from}, "Body": {text}, "AccountSid": {s.Account}, "FromCountry": {"DE"}, "ApiVersion": {"2010-04-01"}}
	return s.signed(t, address, f, more)
}

func (s *Twilio) signed(t testing.TB, address string, f url.Values, more []string) *http.Request {
	t.Helper()
	for i := 0; i+1 < len(more); i += 2 {
		f.Set(more[i], more[i+1])
	}
	m := hmac.New(sha1.New, []byte(s.Token))
	io.WriteString(m, address)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		io.WriteString(m, name+f.Get(name))
	}
	return post(t, address, "application/x-www-form-urlencoded; charset=utf-8", f.Encode(),
		"X-Twilio-Signature", base64.StdEncoding.EncodeToString(m.Sum(nil)), "User-Agent", "TwilioProxy/1.1")
}
