package sms_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"daybook/app/address"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
)

// A text arrives as it was written, whatever is in it, with our reference where the service keeps one.
func TestSend(t *testing.T) {
	each(t, func(t *testing.T, s *service, c *sms.Client) {
		for i, text := range []string{"Ihr Termin: Di, 10:30. Ändern: https://salon.example/t/x7f?a=1&b=2#c",
			"\"quoted\" \\ back / 100 % + {to} {secret} {\"a\":1} <b>&amp;\nsecond line", "😀 ' ; = ,", "="} {
			m := message()
			m.Text, m.Reference = text, fmt.Sprintf("tx_%d", i)
			got := c.Send(t.Context(), s.sender, m)
			sent := s.stand.Last(t)
			if got.State != sms.Taken || got.ID == "" || got.ID != sent.ID || got.Answer != "" {
				t.Fatalf("%+v, but it has %+v", got, sent)
			}
			if sent.Text != text || sent.To != m.To || sent.From != s.sender.From {
				t.Errorf("%q became %+v", text, sent)
			}
			if s.name != sms.Twilio && sent.Reference != m.Reference {
				t.Errorf("the reference became %q", sent.Reference)
			}
			if s.name == sms.Twilio && sent.Callback != base+"?ref="+m.Reference {
				t.Errorf("the callback became %q", sent.Callback)
			}
		}
	})
}

// A Messaging Service of Twilio's goes in a parameter of its own, a callback that isn't there in none.
func TestSendByMessagingService(t *testing.T) {
	service := "MG0123456789abcdef0123456789abcdef"
	s := services(t)[0]
	s.handler.(*smstest.Twilio).From = []string{service}
	s.sender.From = service
	if err := s.sender.Check(); err != nil {
		t.Fatal(err)
	}
	m := message()
	m.Callback = ""
	if got := client().Send(t.Context(), s.sender, m); got.State != sms.Taken || s.stand.Last(t).From != service || s.stand.Last(t).Callback != "" {
		t.Fatalf("%+v, %+v", got, s.stand.Sent())
	}
}

// What a service refuses is final, and said with its code.
func TestRefused(t *testing.T) {
	twilio := func(s *service) *smstest.Twilio { return s.handler.(*smstest.Twilio) }
	for _, c := range []struct {
		service string
		change  func(s *service, m *sms.Message)
		answer  string
		code    string
		stopped bool
	}{
		{sms.Twilio, func(s *service, _ *sms.Message) { s.sender.Secret = "wrong" }, "401 20003: Authenticate", "20003", false},
		{sms.Twilio, func(s *service, _ *sms.Message) { s.sender.From = "+15005550001" }, "400 21606: The 'From' phone number", "21606", false},
		{sms.Twilio, func(s *service, m *sms.Message) { m.To = "+4912345" }, "400 21211: The 'To' number", "21211", false},
		{sms.Twilio, func(s *service, m *sms.Message) { twilio(s).Stopped = []string{m.To} }, "400 21610: Attempt to send to unsubscribed", "21610", true},
		{sms.Seven, func(s *service, _ *sms.Message) { s.sender.Secret = "wrong" }, "200 900", "900", false},
		{sms.Seven, func(s *service, _ *sms.Message) {
			s.sender.Secret, s.handler.(*smstest.Seven).Status = "wrong", 401
		}, "401 900", "900", false},
		{sms.Seven, func(s *service, _ *sms.Message) { s.sender.From = "a name too long" }, "200 201", "201", false},
		{sms.Seven, func(s *service, m *sms.Message) { m.To = "+4912345" }, "200 202", "202", false},
		{sms.Seven, func(s *service, _ *sms.Message) { s.handler.(*smstest.Seven).Texts = 0 }, "200 500", "500", false},
		{sms.Android, func(s *service, _ *sms.Message) { s.sender.Secret = "wrong" }, "401", "", false},
		{sms.Android, func(s *service, m *sms.Message) { m.To = "+4912345" }, "400: Invalid phone number", "", false},
		{sms.Android, func(s *service, _ *sms.Message) { s.sender.URL += "/elsewhere" }, "404", "", false},
		// These never leave.
		{sms.Android, func(_ *service, m *sms.Message) { m.To = "0151 1234567" }, "to: must be a number in E.164", "", false},
		{sms.Android, func(_ *service, m *sms.Message) { m.Text = strings.Repeat("a", sms.MaxText+1) }, "text: must have at most 1520", "", false},
		{sms.Android, func(_ *service, m *sms.Message) { m.Text = " \n" }, "text: is required", "", false},
		{sms.Android, func(_ *service, m *sms.Message) { m.Reference = "a/b" }, "reference: must", "", false},
		{sms.Android, func(s *service, _ *sms.Message) { s.sender.Preset = "" }, "the sender is not set up", "", false},
	} {
		for _, s := range services(t) {
			if s.name != c.service {
				continue
			}
			m := message()
			c.change(s, &m)
			got := client().Send(t.Context(), s.sender, m)
			if got.State != sms.Refused || !strings.HasPrefix(got.Answer, c.answer) || got.Code != c.code || got.Stopped != c.stopped {
				t.Errorf("%s: %+v, want %q", c.service, got, c.answer)
			}
			quiet(t, s.sender, got.Answer)
			if len(s.stand.Sent()) > 0 {
				t.Errorf("%s: %s was sent all the same", c.service, c.answer)
			}
		}
	}
}

// In each trouble it is known whether the text may have been sent, and none is handed over twice.
func TestTroubles(t *testing.T) {
	for _, c := range []struct {
		trouble smstest.Trouble
		state   sms.State
		sent    int
		answer  string
	}{
		{smstest.Hang, sms.Unknown, 0, "no answer came"},
		{smstest.Late, sms.Unknown, 1, "no answer came"},
		{smstest.Lose, sms.Unknown, 1, "no answer came"},
		{smstest.Broken, sms.Again, 0, "503"},
		{smstest.Limited, sms.Again, 0, "429"},
		{smstest.Timeout, sms.Again, 0, "408"},
		{smstest.Redirect, sms.Refused, 0, "302: it is at another address"},
	} {
		each(t, func(t *testing.T, s *service, cl *sms.Client) {
			if c.trouble == smstest.Hang || c.trouble == smstest.Late {
				cl.Within(300 * time.Millisecond)
			}
			s.stand.Fail(c.trouble)
			got := cl.Send(t.Context(), s.sender, message())
			if got.State != c.state || !strings.Contains(got.Answer, c.answer) {
				t.Errorf("trouble %d: %+v", c.trouble, got)
			}
			if calls, elsewhere := s.stand.Calls(); calls != 1 || elsewhere != 0 || len(s.stand.Sent()) != c.sent {
				t.Errorf("trouble %d: %d calls, %d elsewhere, %d sent", c.trouble, calls, elsewhere, len(s.stand.Sent()))
			}
			if want := map[bool]time.Duration{true: 7 * time.Second}[c.trouble == smstest.Limited]; got.After != want {
				t.Errorf("trouble %d: after %v", c.trouble, got.After)
			}
			quiet(t, s.sender, got.Answer)
		})
	}
}

// An answer that is far too long, or none of the service's, doesn't undo a 2xx; where the outcome would stand in it, the
// outcome is unknown.
func TestAnswersThatCantBeRead(t *testing.T) {
	for _, trouble := range []smstest.Trouble{smstest.Huge, smstest.Garbage} {
		each(t, func(t *testing.T, s *service, c *sms.Client) {
			s.stand.Fail(trouble)
			want := sms.Taken
			if s.name == sms.Seven {
				want = sms.Unknown
			}
			if got := c.Send(t.Context(), s.sender, message()); got.State != want || got.ID != "" || len(s.stand.Sent()) != 1 {
				t.Errorf("%+v, want %s", got, want)
			}
		})
	}
}

// A caller that stops waiting learns that it may have been sent.
func TestSendIsCancelled(t *testing.T) {
	each(t, func(t *testing.T, s *service, c *sms.Client) {
		s.stand.Fail(smstest.Late)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan sms.Result, 1)
		go func() { done <- c.Send(ctx, s.sender, message()) }()
		for len(s.stand.Sent()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if got := <-done; got.State != sms.Unknown {
			t.Errorf("%+v", got)
		}
		if got := c.Send(ctx, s.sender, message()); got.State != sms.Again || len(s.stand.Sent()) != 1 {
			t.Errorf("a call that was over before: %+v", got)
		}
	})
}

func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A place that can't be reached can be tried again; one that the law forbids can't, and no packet goes there.
func TestConnections(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	android := services(t)[2].sender
	for _, c := range []struct {
		url    string
		law    *address.Law
		state  sms.State
		answer string
	}{
		{"http://" + closedPort(t), law, sms.Again, "it can't be reached"},
		{secure.URL, law, sms.Again, "its certificate is not valid for this name"},
		{"https" + strings.TrimPrefix(plain.URL, "http"), law, sms.Again, "it speaks no TLS at this port"},
		{"https://" + silent.Addr().String(), law, sms.Again, "it does not answer"},
		{"http://nowhere.invalid", law, sms.Again, "its name has no address"},
		{plain.URL, &address.Law{Option: "--text-allow"}, sms.Refused, "127.0.0.1 is a loopback address; the operator can allow it with --text-allow 127.0.0.1/32"},
		{"https://169.254.169.254", law, sms.Refused, "169.254.169.254 is a link-local address"},
		{"https://192.168.1.10:8080", law, sms.Refused, "192.168.1.10 is a private address"},
		{"http://93.184.216.34", law, sms.Refused, "http:// is for addresses that the operator allows"},
	} {
		android.URL = c.url
		cl := sms.NewClient(c.law, "test").Within(20 * time.Second)
		if strings.Contains(c.url, silent.Addr().String()) {
			cl.Within(300 * time.Millisecond)
		}
		if got := cl.Send(t.Context(), android, message()); got.State != c.state || !strings.Contains(got.Answer, c.answer) {
			t.Errorf("%s: %+v", c.url, got)
		}
	}
	android.URL = "https://10.0.0.1"
	if err := client().CheckHost(t.Context(), android); err == nil || !strings.Contains(err.Error(), "url: 10.0.0.1 is a private address") {
		t.Error(err)
	}
	android.URL = plain.URL
	if err := client().CheckHost(t.Context(), android); err != nil {
		t.Error(err)
	}
}

// Nothing leaves from within a transaction, such as a dry run.
func TestNothingLeavesATransaction(t *testing.T) {
	each(t, func(t *testing.T, s *service, c *sms.Client) {
		ctx, _ := address.Within(t.Context())
		if got := c.Send(ctx, s.sender, message()); got.State != sms.Again {
			t.Errorf("%+v", got)
		}
		if calls, _ := s.stand.Calls(); calls != 0 {
			t.Error("it left")
		}
	})
}

// Once the request began to be written it may have been sent, unless writing broke while there was time.
func TestHowFarItCame(t *testing.T) {
	s := services(t)[2].sender
	broken := errors.New("broken pipe")
	for _, c := range []struct {
		name  string
		way   func(r *http.Request, t *httptrace.ClientTrace)
		state sms.State
	}{
		{"nothing was written", func(*http.Request, *httptrace.ClientTrace) {}, sms.Again},
		{"it was being written", func(_ *http.Request, t *httptrace.ClientTrace) { t.WroteHeaders() }, sms.Unknown},
		{"it was written", func(_ *http.Request, t *httptrace.ClientTrace) {
			t.WroteHeaders()
			t.WroteRequest(httptrace.WroteRequestInfo{})
		}, sms.Unknown},
		{"writing broke", func(_ *http.Request, t *httptrace.ClientTrace) {
			t.WroteHeaders()
			t.WroteRequest(httptrace.WroteRequestInfo{Err: broken})
		}, sms.Again},
		{"the time was over, and writing broke", func(r *http.Request, t *httptrace.ClientTrace) {
			t.WroteHeaders()
			<-r.Context().Done()
			t.WroteRequest(httptrace.WroteRequestInfo{Err: broken})
		}, sms.Unknown},
	} {
		way := roundTrip(func(r *http.Request) (*http.Response, error) {
			c.way(r, httptrace.ContextClientTrace(r.Context()))
			return nil, broken
		})
		if got := client().Within(50*time.Millisecond).Over(way).Send(t.Context(), s, message()); got.State != c.state {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A sender that is called by GET is called once, too, though HTTP would allow more.
func TestGetIsSentOnce(t *testing.T) {
	calls := 0
	s := own()
	s.Own = &sms.Template{Method: "GET", URL: "{url}/send?to={to}&text={text}"}
	s.URL = smstest.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls > 1 {
			if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
				c.Close()
			}
		}
	}))
	c := client()
	for i, want := range []sms.State{sms.Taken, sms.Unknown} {
		if got := c.Send(t.Context(), s, message()); got.State != want || calls != i+1 {
			t.Errorf("%+v, %d calls", got, calls)
		}
	}
}

// An API key of Twilio's signs in; the account stays in the address, and its auth token signs.
func TestTwilioKey(t *testing.T) {
	s := services(t)[0]
	s.handler.(*smstest.Twilio).Keys = map[string]string{"SK0123": "key-secret"}
	s.sender.User, s.sender.Secret, s.sender.SigningKey = "SK0123", "key-secret", s.sender.Secret
	if err := s.sender.Check(); err != nil {
		t.Fatal(err)
	}
	if got := client().Send(t.Context(), s.sender, message()); got.State != sms.Taken {
		t.Fatalf("%+v", got)
	}
	if in, err := read(t, s.sender, s.report(t, s.stand.Last(t), "delivered", now)); err != nil || in.State != sms.Delivered {
		t.Errorf("%+v, %v", in, err)
	}
}

// A service that asks to wait says it in seconds or by a date; a day is the most.
func TestRetryAfter(t *testing.T) {
	for given, want := range map[string][2]time.Duration{
		"30": {30 * time.Second, 30 * time.Second}, "-5": {0, 0}, "soon": {0, 0}, "": {0, 0}, "99999999999": {24 * time.Hour, 24 * time.Hour},
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat):  {59 * time.Minute, time.Hour},
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat): {0, 0},
	} {
		server := smstest.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", given)
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		s := &sms.Sender{Preset: sms.Android, URL: server, User: "u", Secret: "p", SigningKey: "k"}
		if got := client().Send(t.Context(), s, message()); got.State != sms.Again || got.After < want[0] || got.After > want[1] {
			t.Errorf("%q: %+v", given, got)
		}
	}
}

// No secret stands in what a service answers, in the sender's JSON or in anything that is printed.
func TestSecretsAreNowhere(t *testing.T) {
	each(t, func(t *testing.T, s *service, c *sms.Client) {
		s.sender.SigningKey = "s1gning/key+&"
		basic := httptest.NewRequest("GET", "/", nil)
		basic.SetBasicAuth(s.sender.User+s.sender.Account, string(s.sender.Secret))
		echo := "you sent " + basic.Header.Get("Authorization") + " and " + string(s.sender.Secret) + " and s1gning%2Fkey%2B%26"
		s.sender.URL = smstest.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			json.NewEncoder(w).Encode(map[string]any{"message": echo, "code": 7, "error_message": echo})
		}))
		got := c.Send(t.Context(), s.sender, message())
		asked := c.Ask(t.Context(), s.sender, message(), "SM1")
		if got.State != sms.Refused || !strings.Contains(got.Answer, "you sent Basic … and … and …") {
			t.Errorf("%+v", got)
		}
		shown, err := json.Marshal(s.sender)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(shown), s.sender.String(), fmt.Sprintf("%v %+v %#v %s", *s.sender, *s.sender, *s.sender, s.sender.Secret),
			fmt.Sprintf("%+v %#v %+v", s.sender, got, asked)} {
			quiet(t, s.sender, text)
			if strings.Contains(text, strings.TrimPrefix(basic.Header.Get("Authorization"), "Basic ")) || strings.Contains(text, "s1gning%2F") {
				t.Errorf("a secret stands in %q", text)
			}
		}
	})
}

func TestSenderSays(t *testing.T) {
	for i, s := range services(t) {
		want := [][3]bool{{true, true, false}, {false, false, true}, {false, true, true}}[i]
		if got := [3]bool{s.sender.AnswersStop(), s.sender.TakesReplies(), s.sender.Asks()}; got != want {
			t.Errorf("%s: %v, want %v", s.name, got, want)
		}
		s.sender.URL = ""
		host, secure := s.sender.Host()
		if want := []string{"api.twilio.com", "gateway.seven.io", "api.sms-gate.app"}[i]; host != want || !secure {
			t.Errorf("%s: %s, %v", s.name, host, secure)
		}
	}
}
