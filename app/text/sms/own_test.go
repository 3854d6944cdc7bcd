package sms_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"daybook/app/fault"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
)

// own is a sender with a template that passes.
func own() *sms.Sender {
	return &sms.Sender{Preset: sms.Own, URL: "https://sms.example/api", From: "Salon", User: "u", Secret: "s3cret", SigningKey: "k3y", Own: &sms.Template{
		Method: "POST", URL: "{url}/send/{number}?from={from}&cb={callback}", Basic: true, Type: sms.JSON,
		Headers: []sms.Header{{Name: "X-Api-Key", Value: "{secret}"}, {Name: "X-Ref", Value: "{reference}"}},
		Body:    `{"a":[{"t":"<{text}>","k":"{secret}"},"{callback}"],"n":12345678901234567890,"from":"{from}"}`,
		Answer:  sms.Answer{ID: "ids.0.id|id", Code: "code", Text: "why", Taken: []string{"0"}, Again: []string{"9"}, Stopped: []string{"7"}, Known: []int{409}},
		Ask:     &sms.Ask{Reference: "{url}/list?ref={reference}", Items: "list", Match: "ref", MessageID: "id", State: "state", Delivered: []string{"d"}, Failed: []string{"f"}},
		Posts:   sms.JSON, Report: &sms.Report{When: sms.When{Path: "state"}, Reference: "ref", State: "state", Delivered: []string{"d"}, Failed: []string{"f"}},
		Inbound: &sms.Inbound{When: sms.When{Path: "text"}, From: "from", Text: "text"}, Verify: sms.Verify{Kind: sms.HeaderProof, Header: "X-Key"},
	}}
}

// A template is filled in with each value escaped for its place; a field alone that is empty is left out.
func TestOwnTemplate(t *testing.T) {
	var got *http.Request
	var body []byte
	reply := `{"code":0,"ids":[{"id":77}]}`
	address := smstest.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		io.WriteString(w, reply)
	}))
	s := own()
	s.URL, s.From = address+"/api", "A/B?&#"
	m := message()
	m.Text, m.Callback = `"}, {"x": "\`+"\n😀<", ""
	r := client().Send(t.Context(), s, m)
	if r.State != sms.Taken || r.ID != "77" {
		t.Fatalf("%+v", r)
	}
	var doc map[string]any
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": []any{map[string]any{"t": "<" + m.Text + ">", "k": "s3cret"}}, "n": 12345678901234567890., "from": "A/B?&#"}
	if !reflect.DeepEqual(doc, want) || !strings.Contains(string(body), "12345678901234567890") {
		t.Errorf("%s", body)
	}
	if u := got.RequestURI; u != "/api/send/4915112345678?from=A%2FB%3F%26%23" {
		t.Error(u)
	}
	if user, password, _ := got.BasicAuth(); user != "u" || password != "s3cret" || got.Header.Get("X-Api-Key") != "s3cret" ||
		got.Header.Get("X-Ref") != "tx_01" || got.Header.Get("User-Agent") != "Daybook/test" || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", got.Header)
	}
	for answer, state := range map[string]sms.State{`{"code":"0"}`: sms.Taken, `{"code":9}`: sms.Again, `{"code":1,"why":"no"}`: sms.Refused,
		`{}`: sms.Refused, `0`: sms.Taken, `"9"`: sms.Again, `{"code":7}`: sms.Refused, `x`: sms.Unknown, ``: sms.Unknown} {
		reply = answer
		if r := client().Send(t.Context(), s, m); r.State != state || r.Stopped != strings.Contains(answer, "7") {
			t.Errorf("%s: %+v", answer, r)
		}
	}

	// By GET, with all in the address, and by a form.
	s.Own = &sms.Template{Method: "GET", URL: "{url}/send?to={to}&text={text}&from={from}&f=json"}
	s.From = ""
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if r := client().Send(t.Context(), s, m); r.State != sms.Taken || got.Method != "GET" || len(body) > 0 {
		t.Errorf("%+v", r)
	}
	if q := got.URL.Query(); !reflect.DeepEqual(q, url.Values{"to": {m.To}, "text": {m.Text}, "f": {"json"}}) {
		t.Error(q)
	}
	s.Own = &sms.Template{Method: "PUT", URL: "{url}/send", Type: sms.Form, Body: "to={to}&text=Salon: {text}&key={secret}&cb={callback}&x="}
	if r := client().Send(t.Context(), s, m); r.State != sms.Taken {
		t.Errorf("%+v", r)
	}
	if f, err := url.ParseQuery(string(body)); err != nil || !reflect.DeepEqual(f, url.Values{"to": {m.To}, "text": {"Salon: " + m.Text}, "key": {"s3cret"}, "x": {""}}) {
		t.Errorf("%s: %v, %v", body, f, err)
	}
	s.Own = &sms.Template{Method: "GET", URL: "{url}/{from}/{text}/end"}
	s.From = "../a?b#%2F"
	if r := client().Send(t.Context(), s, m); r.State != sms.Taken || got.RequestURI != "/api/..%2Fa%3Fb%23%252F/"+url.PathEscape(m.Text)+"/end" {
		t.Errorf("%+v, %s", r, got.RequestURI)
	}
	// A header can't be broken up.
	s.Own.Headers, s.From = []sms.Header{{Name: "X-From", Value: "{from}"}}, "a\r\nX-Evil: 1"
	if r := client().Send(t.Context(), s, m); r.State != sms.Refused {
		t.Errorf("%+v", r)
	}
}

// A sender is what its JSON says, but for its secrets.
func TestSenderJSON(t *testing.T) {
	s := own()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back sms.Sender
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	back.Secret, back.SigningKey = s.Secret, s.SigningKey
	if !reflect.DeepEqual(&back, s) {
		t.Errorf("%s", text)
	}
}

// What is wrong is said by field, and a secret never.
func TestCheck(t *testing.T) {
	if err := own().Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(s *sms.Sender)
		field  string
	}{
		{func(s *sms.Sender) { s.Preset = "vonage" }, "preset"},
		{func(s *sms.Sender) { s.Own = nil }, "template"},
		{func(s *sms.Sender) { s.From = strings.Repeat("a", 41) }, "from"},
		{func(s *sms.Sender) { s.URL = "ftp://sms.example" }, "url"},
		{func(s *sms.Sender) { s.URL = "sms.example" }, "url"},
		{func(s *sms.Sender) { s.URL = "https://u:p@sms.example" }, "url"},
		{func(s *sms.Sender) { s.URL = "https://sms.example/{secret}" }, "url"},
		{func(s *sms.Sender) { s.URL = "https://sms.example/#a" }, "url"},
		{func(s *sms.Sender) { s.URL = "" }, "url"},
		{func(s *sms.Sender) { s.Secret = "line\nbreak-of-secret" }, "secret"},
		{func(s *sms.Sender) { s.Secret = sms.Secret(strings.Repeat("break-of-secret", 50)) }, "secret"},
		{func(s *sms.Sender) { s.Secret = "" }, "secret"},
		{func(s *sms.Sender) { s.SigningKey = "" }, "signingKey"},
		{func(s *sms.Sender) { s.Route = "abc" }, "route"},
		{func(s *sms.Sender) { s.Own.Method = "DELETE" }, "template.method"},
		{func(s *sms.Sender) { s.Own.URL = "" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "{url}/{secret}" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "https://{to}.example/" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "https://{to}" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "{url}.evil.example" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "{url}@evil.example" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "https://x.example/{url}" }, "template.url"},
		{func(s *sms.Sender) { s.Own.URL = "{url}/" + strings.Repeat("a", 500) }, "template.url"},
		{func(s *sms.Sender) { s.Own.Headers = make([]sms.Header, 11) }, "template.headers"},
		{func(s *sms.Sender) { s.Own.Headers[0].Value = "plain-key" }, "template.headers"},
		{func(s *sms.Sender) { s.Own.Headers[1].Name = "X Ref" }, "template.headers"},
		{func(s *sms.Sender) { s.Own.Headers[1].Name = "Host" }, "template.headers"},
		{func(s *sms.Sender) { s.Own.Headers[1].Value = "{text}" }, "template.headers"},
		{func(s *sms.Sender) { s.Own.Headers[1].Value = "a\r\nb" }, "template.headers"},
		{func(s *sms.Sender) { s.Own.Body = "{" }, "template.body"},
		{func(s *sms.Sender) { s.Own.Body = `{"text":"{text} {id}"}` }, "template.body"},
		{func(s *sms.Sender) { s.Own.Body = `{"to":"{to}"}` }, "template.body"},
		{func(s *sms.Sender) { s.Own.Body = `"` + strings.Repeat("a", 4001) + `"` }, "template.body"},
		{func(s *sms.Sender) { s.Own.Type = sms.NoBody }, "template.body"},
		{func(s *sms.Sender) { s.Own.Type = "xml" }, "template.type"},
		{func(s *sms.Sender) { s.Own.Method = "GET" }, "template.body"},
		{func(s *sms.Sender) { s.Own.Type, s.Own.Body = sms.Form, "{text}=1" }, "template.body"},
		{func(s *sms.Sender) { s.Own.Answer.ID = "a b" }, "template.answer"},
		{func(s *sms.Sender) { s.Own.Answer.Code = "" }, "template.answer.code"},
		{func(s *sms.Sender) { s.Own.Answer.Taken = make([]string, 41) }, "template.answer"},
		{func(s *sms.Sender) { s.Own.Ask.Reference = "https://evil.example/{reference}" }, "template.ask.reference"},
		{func(s *sms.Sender) { s.Own.Ask.Match = "" }, "template.ask"},
		{func(s *sms.Sender) { s.Own.Ask.State = "" }, "template.ask"},
		{func(s *sms.Sender) { s.Own.Posts = "xml" }, "template.posts"},
		{func(s *sms.Sender) { s.Own.Report.State = "" }, "template.report"},
		{func(s *sms.Sender) { s.Own.Inbound.From = "" }, "template.inbound"},
		{func(s *sms.Sender) { s.Own.Verify = sms.Verify{} }, "template.verify.kind"},
		{func(s *sms.Sender) { s.Own.Verify = sms.Verify{Kind: sms.BasicProof} }, "template.verify.user"},
		{func(s *sms.Sender) { s.Own.Verify.Header = "" }, "template.verify.header"},
		{func(s *sms.Sender) { s.Own.Verify = sms.Verify{Kind: sms.HMACProof, Header: "X", Encoding: "hex"} }, "template.verify.signed"},
		{func(s *sms.Sender) {
			s.Own.Verify = sms.Verify{Kind: sms.HMACProof, Header: "X", Encoding: "hex", Signed: []string{"{timestamp}"}}
		}, "template.verify.signed"},
		{func(s *sms.Sender) {
			s.Own.Verify = sms.Verify{Kind: sms.HMACProof, Header: "X", Encoding: "hex", Timestamp: "X-T", Signed: []string{"{body}"}}
		}, "template.verify.signed"},
		{func(s *sms.Sender) {
			s.Own.Verify = sms.Verify{Kind: sms.HMACProof, Header: "X", Encoding: "rot13", Signed: []string{"{body}"}}
		}, "template.verify.encoding"},
	} {
		s := own()
		c.change(s)
		e := fault.As(s.Check())
		if e == nil || e.Code != fault.BadRequest {
			t.Errorf("%s: %v", c.field, e)
			continue
		}
		named := e.Field == c.field
		for _, o := range e.Others {
			named = named || o.Field == c.field
		}
		if !named {
			t.Errorf("%s: %v, %v", c.field, e, e.Others)
		}
		if said := e.Error(); strings.Contains(said, "of-secret") {
			t.Errorf("%s: a secret stands in %q", c.field, said)
		}
	}
	for _, c := range []struct {
		sender sms.Sender
		field  string
	}{
		{sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "t", From: "+15005550006"}, ""},
		{sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "t", From: " Salon Anna "}, ""},
		{sms.Sender{Preset: sms.Twilio, Account: "AC1", Secret: "t", From: "+15005550006"}, "account"},
		{sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "t"}, "from"},
		{sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "t", From: "A name that is too long"}, "from"},
		{sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", User: "SK1", Secret: "t", From: "+15005550006"}, "signingKey"},
		{sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "t", From: "Salon", Own: own().Own}, "template"},
		{sms.Sender{Preset: sms.Seven, Secret: "t", SigningKey: "k"}, ""},
		{sms.Sender{Preset: sms.Seven, Secret: "t", SigningKey: "k", From: "Salon\x00"}, "from"},
		{sms.Sender{Preset: sms.Seven, Secret: "t"}, "signingKey"},
		{sms.Sender{Preset: sms.Seven, SigningKey: "k"}, "secret"},
		{sms.Sender{Preset: sms.Android, User: "u", Secret: "t", SigningKey: "k", URL: "http://192.168.1.10:8080/"}, ""},
		{sms.Sender{Preset: sms.Android, User: "u", Secret: "t", SigningKey: "k", URL: "http://192.168.1.10:8080/?a"}, "url"},
		{sms.Sender{Preset: sms.Android, Secret: "t", SigningKey: "k"}, "user"},
		{sms.Sender{Preset: sms.Android, User: "u", Secret: "t", SigningKey: "k", From: "+4915112345678"}, "from"},
	} {
		if e := fault.As(c.sender.Check()); (e == nil) != (c.field == "") || e != nil && e.Field != c.field {
			t.Errorf("%+v: %v, want %q", c.sender, e, c.field)
		}
	}
}

// The templates of the presets pass the check of one's own.
func TestPresetsPass(t *testing.T) {
	for _, preset := range []sms.Sender{{Preset: sms.Twilio}, {Preset: sms.Twilio, From: "MG0123456789abcdef0123456789abcdef"}, {Preset: sms.Seven}, {Preset: sms.Android}} {
		s := own()
		s.Own, s.Account = preset.Template(), "AC"
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", preset.Preset, err)
		}
	}
}

// Whatever is in a text, the service reads the same.
func FuzzText(f *testing.F) {
	for _, text := range []string{"a", `"`, "{text}{secret}", "\\u0000", "&=%+?#/", "\xff", "\u2028</script>"} {
		f.Add(text)
	}
	stands := map[string]interface {
		http.Handler
		Sent() []smstest.Sent
	}{}
	twilio, seven, android := smstest.NewTwilio(), smstest.NewSeven(), smstest.NewAndroid()
	seven.Texts = 1 << 40
	stands[sms.Twilio], stands[sms.Seven], stands[sms.Android] = twilio, seven, android
	senders := []*sms.Sender{
		{Preset: sms.Twilio, Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: "+15005550006"},
		{Preset: sms.Seven, Secret: sms.Secret(seven.Key), SigningKey: "k"},
		{Preset: sms.Android, User: android.User, Secret: sms.Secret(android.Password), SigningKey: "k"},
	}
	for _, s := range senders {
		s.URL = smstest.Start(f, stands[s.Preset])
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := message()
		m.Text = text
		bad := m.Check() != nil
		for _, s := range senders {
			before := len(stands[s.Preset].Sent())
			m.Reference = fmt.Sprint("tx_", before) // a phone takes each once
			got := client().Send(t.Context(), s, m)
			sent := stands[s.Preset].Sent()
			if bad != (got.State == sms.Refused) || !bad && (len(sent) != before+1 || sent[before].Text != text) {
				t.Fatalf("%s: %q: %+v", s.Preset, text, got)
			}
		}
	})
}
