package sms_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"daybook/app/apptest/outside"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
)

// What a service posts is read: what became of a text, and what a person wrote.
func TestRead(t *testing.T) {
	each(t, func(t *testing.T, s *service, c *sms.Client) {
		got := c.Send(t.Context(), s.sender, message())
		sent := s.stand.Last(t)
		for i, state := range []sms.State{sms.Taken, sms.Delivered, sms.Failed} {
			in, err := read(t, s.sender, s.report(t, sent, s.states[i], now))
			if err != nil || in.Kind != sms.ReportKind || in.State != state || in.Reference != "tx_01" || in.ID != got.ID ||
				(in.Why != "") != (state == sms.Failed) {
				t.Errorf("%s: %+v, %v", state, in, err)
			}
		}
		for _, text := range []string{"1", "STOP", "Ich komme später – 10 min? 😀 & mehr = +1%\nDanke"} {
			in, err := read(t, s.sender, s.write(t, "in-1", "+4915112345678", text, now))
			if err != nil || in != (sms.Incoming{Kind: sms.MessageKind, ID: "in-1", From: "+4915112345678", Text: text}) {
				t.Errorf("%q: %+v, %v", text, in, err)
			}
		}
		long, err := read(t, s.sender, s.write(t, "in-2", "+4915112345678", "\x00\x07\t"+strings.Repeat("ä", 3000), now))
		if err != nil || long.Text != strings.Repeat("ä", sms.MaxIncoming-1) {
			t.Errorf("a long one: %d bytes, %v", len(long.Text), err)
		}
	})
}

// A national number, as a carrier gives it to a phone, stays as it is; seven.io's are international without a plus.
func TestReadNumbers(t *testing.T) {
	all := services(t)
	for _, c := range []struct {
		service     *service
		given, want string
	}{{all[2], "0151 1234567", "0151 1234567"}, {all[2], "6505551212", "6505551212"}, {all[1], "491511234567", "+491511234567"}, {all[1], "Telekom", "Telekom"},
		{all[1], "12345", "12345"}} {
		in, err := read(t, c.service.sender, c.service.write(t, "in", c.given, "hi", now))
		if err != nil || in.From != c.want {
			t.Errorf("%s: %+v, %v", c.given, in, err)
		}
	}
}

func TestReadPictures(t *testing.T) {
	all := services(t)
	android, twilio := all[2], all[0]
	in, err := read(t, android.sender, android.handler.(*smstest.Android).WritePictures(t, base, "e1", "+4915112345678", "so?", 2, now))
	if err != nil || in.Kind != sms.MessageKind || in.Media != 2 || in.Text != "so?" || in.ID != "e1" {
		t.Errorf("%+v, %v", in, err)
	}
	in, err = read(t, twilio.sender, twilio.handler.(*smstest.Twilio).Write(t, base, "MM1", "+4915112345678", "", "NumMedia", "3", "MediaUrl0", "https://x"))
	if err != nil || in.Kind != sms.MessageKind || in.Media != 3 || in.Text != "" {
		t.Errorf("%+v, %v", in, err)
	}
	in, err = read(t, twilio.sender, twilio.handler.(*smstest.Twilio).Write(t, base, "SM1", "+4915112345678", "stop please", "OptOutType", "STOP"))
	if err != nil || in.OptOut != "STOP" {
		t.Errorf("%+v, %v", in, err)
	}
}

// What is verified and says nothing that we know is of another kind, and no error.
func TestReadOthers(t *testing.T) {
	for _, c := range []struct {
		preset, body string
	}{
		{sms.Seven, `{"webhook_event":"voice_status","data":{"id":"1"}}`}, {sms.Seven, `[]`}, {sms.Seven, `null`}, {sms.Seven, `{"webhook_event":["dlr"]}`},
		{sms.Seven, `nothing`}, {sms.Seven, ``}, {sms.Seven, `{"webhook_event":"dlr","data":[]}`}, {sms.Seven, `{"webhook_event":"sms_mo","data":{"text":"x"}}`},
		{sms.Seven, `{"webhook_event":"dlr","data":{"msg_id":{"a":1},"foreign_id":"a b"}}`}, {sms.Seven, `{"webhook_event":"dlr"} {}`},
		{sms.Android, `{"event":"system:ping","payload":{}}`}, {sms.Android, `{"event":"mms:received","payload":{"sender":"+49151"}}`},
	} {
		s := &sms.Sender{Preset: c.preset, Secret: "s", SigningKey: "key"}
		stamp := fmt.Sprint(now.Unix())
		signed := c.body + stamp
		if c.preset == sms.Seven {
			signed = fmt.Sprintf("%s\nn\nPOST\n%s\n%x", stamp, base, md5.Sum([]byte(c.body)))
		}
		r := posted(t, base, c.body, "X-Timestamp", stamp, "X-Nonce", "n", "X-Signature", hex.EncodeToString(mac("key", signed)))
		if in, err := read(t, s, r); err != nil || in != (sms.Incoming{Kind: sms.OtherKind}) {
			t.Errorf("%s: %+v, %v", c.body, in, err)
		}
	}
}

func posted(t *testing.T, address, body string, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func mac(key, text string) []byte {
	m := hmac.New(sha256.New, []byte(key))
	io.WriteString(m, text)
	return m.Sum(nil)
}

// openssl returns an HMAC as OpenSSL makes it.
func openssl(t *testing.T, hash, key, text string) []byte {
	t.Helper()
	program, err := exec.LookPath("openssl")
	outside.Needs(t, "openssl", err)
	cmd := exec.Command(program, "dgst", "-"+hash, "-hmac", key, "-binary")
	cmd.Stdin = strings.NewReader(text)
	sum, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// The examples that Twilio publishes: the one of www.twilio.com/docs/usage/security, and those of the tests of
// twilio-python and twilio-go.
func TestTwilioSignatures(t *testing.T) {
	const (
		docs  = "CallSid=CA1234567890ABCDE&Caller=%2B14158675310&Digits=1234&From=%2B14158675310&To=%2B18005551212"
		py    = "To=%2B18005551212&CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309"
		golib = py + "&ReasonConferenceEnded=test&Reason=Participant"
		twice = "Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234"
		page  = "mycompany.com/myapp.php?foo=1&bar=2"
		port  = "mycompany.com:1234/myapp.php?foo=1&bar=2"
	)
	for _, c := range []struct {
		address, body, signature string
		good                     bool
	}{
		{"https://example.com/myapp.php?foo=1&bar=2", docs, "L/OH5YylLD5NRKLltdqwSvS0BnU=", true},
		{"https://" + page, py, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", true},
		{"https://" + page, golib, "vOEb5UThFn24KEfnOFLQY2AE5FY=", true},
		{"https://" + page, golib, "95+Bu0JVPi0r/SsESZCVf0dWAjw=", false}, // ReasonConferenceEnded before Reason
		{"https://" + page, twice, "IK+Dwps556ElfBT0I3Rgjkr1wJU=", true},
		{"https://" + page, "property=value&boolean=true", "NBdBDr/T/lgjI+tlgpXjKZQZs/k=", true},
		{"https://" + port, py, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", true}, // signed without its port
		{"http://" + port, py, "Zmvh+3yNM1Phv2jhDCwEM3q5ebU=", true},  // with it
		{"https://" + page, py, "kvajT1Ptam85bY51eRf/AJRuM3w=", true}, // with :443
		{"http://" + page, py, "0ZXoZLH/DfblKGATFgpif+LLRf4=", true},  // with :80
		{"http://" + page, golib, "n2xBNyzSW7rfYStDtOFiFMv7qNo=", true},
		{"https://" + page, py + "&a=b", "RSOYDt4T1cUTdK1PDd93/VVr8B8=", false},
		{"https://" + page + "&x", py, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", false},
		{"https://" + page, "a=%zz", "RSOYDt4T1cUTdK1PDd93/VVr8B8=", false},
		{"https://" + page, py, "", false},
	} {
		s := &sms.Sender{Preset: sms.Twilio, Secret: "12345"}
		_, err := read(t, s, posted(t, c.address, c.body, "X-Twilio-Signature", c.signature))
		if (err == nil) != c.good || err != nil && !errors.Is(err, sms.ErrUnverified) {
			t.Errorf("%s %s: %v", c.address, c.signature, err)
		}
		s.SigningKey = "67890"
		if _, err := read(t, s, posted(t, c.address, c.body, "X-Twilio-Signature", c.signature)); !errors.Is(err, sms.ErrUnverified) {
			t.Errorf("%s by another key: %v", c.address, err)
		}
	}
}

// The stand-ins sign as OpenSSL and Python do, by what the services' documents say. So what Read takes from the one it
// takes from the others.
func TestSignaturesOfOthers(t *testing.T) {
	python, err := exec.LookPath("python3")
	outside.Needs(t, "python3", err)
	run := func(program string, args ...string) string {
		t.Helper()
		out, err := exec.Command(python, append([]string{"-c", "import sys, hmac, hashlib, base64, urllib.parse as u\na = sys.argv[1:]\n" + program}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	const text = "Grüße & 1+1 = 2 %\n😀"
	for _, s := range services(t) {
		r := s.write(t, "in-1", "+4915112345678", text, now)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		key := string(s.sender.SigningKey)
		var header, ssl, py string
		switch stamp := r.Header.Get("X-Timestamp"); s.name {
		case sms.Twilio:
			key = string(s.sender.Secret)
			header = "X-Twilio-Signature"
			form, err := url.ParseQuery(string(body))
			if err != nil {
				t.Fatal(err)
			}
			// in the order of the names, by hand
			said := base
			for _, name := range []string{"AccountSid", "ApiVersion", "Body", "From", "FromCountry", "MessageSid", "NumMedia", "NumSegments", "SmsSid", "SmsStatus", "To"} {
				said += name + form.Get(name)
				form.Del(name)
			}
			if len(form) > 0 {
				t.Fatalf("%v is not signed here", form)
			}
			ssl = base64.StdEncoding.EncodeToString(openssl(t, "sha1", key, said))
			py = run("p = u.parse_qsl(a[2], keep_blank_values=True)\n"+
				"print(base64.b64encode(hmac.new(a[0].encode(), (a[1] + ''.join(k + v for k, v in sorted(p))).encode(), hashlib.sha1).digest()).decode())", key, base, string(body))
		case sms.Seven:
			header = "X-Signature"
			ssl = hex.EncodeToString(openssl(t, "sha256", key, fmt.Sprintf("%s\n%s\nPOST\n%s\n%x", stamp, r.Header.Get("X-Nonce"), base, md5.Sum(body))))
			py = run("print(hmac.new(a[0].encode(), '\\n'.join([a[1], a[2], 'POST', a[3], hashlib.md5(a[4].encode()).hexdigest()]).encode(), 'sha256').hexdigest())",
				key, stamp, r.Header.Get("X-Nonce"), base, string(body))
		case sms.Android:
			header = "X-Signature"
			ssl = hex.EncodeToString(openssl(t, "sha256", key, string(body)+stamp))
			py = run("print(hmac.new(a[0].encode(), (a[1] + a[2]).encode(), 'sha256').hexdigest())", key, string(body), stamp)
		}
		if given := r.Header.Get(header); given != ssl || given != py {
			t.Errorf("%s: the stand-in signs %s, OpenSSL %s, Python %s", s.name, given, ssl, py)
		}
		for _, signature := range []string{ssl, py} {
			r.Header.Set(header, signature)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if in, err := read(t, s.sender, r); err != nil || in.Text != text {
				t.Errorf("%s: %+v, %v", s.name, in, err)
			}
		}
	}
	// The official client of seven.io verifies with the path alone, and so it may come.
	seven := services(t)[1].sender
	body, stamp := `{"webhook_event":"sms_mo","data":{"sender":"491511234567","text":"hi","id":"1"}}`, fmt.Sprint(now.Unix())
	path := fmt.Sprintf("%s\nn\nPOST\n/api/texts/ws_1\n%x", stamp, md5.Sum([]byte(body)))
	r := posted(t, base, body, "X-Timestamp", stamp, "X-Nonce", "n", "X-Signature", hex.EncodeToString(openssl(t, "sha256", string(seven.SigningKey), path)))
	if in, err := read(t, seven, r); err != nil || in.From != "+491511234567" {
		t.Errorf("%+v, %v", in, err)
	}
}

// What was changed, is old or was signed by somebody else is refused, and nothing of it is read.
func TestUnverified(t *testing.T) {
	each(t, func(t *testing.T, s *service, _ *sms.Client) {
		write := func() *http.Request { return s.write(t, "in-1", "+4915112345678", "STOP", now) }
		refuse := func(name string, r *http.Request, sender *sms.Sender, want error) {
			t.Helper()
			if in, err := read(t, sender, r); !errors.Is(err, want) || in != (sms.Incoming{}) {
				t.Errorf("%s: %+v, %v", name, in, err)
			}
		}
		if _, err := read(t, s.sender, write()); err != nil {
			t.Fatal(err)
		}
		for _, header := range []string{"X-Twilio-Signature", "X-Signature", "X-Timestamp", "X-Nonce"} {
			for _, value := range []string{"", "1", "AAAA", strings.Repeat("0", 64)} {
				r := write()
				if r.Header.Get(header) == "" {
					continue
				}
				r.Header.Set(header, value)
				refuse(header+" "+value, r, s.sender, sms.ErrUnverified)
			}
		}
		r := write()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		for i := range body {
			changed := bytes.Clone(body)
			changed[i] ^= 1
			r.Body = io.NopCloser(bytes.NewReader(changed))
			refuse(fmt.Sprint("byte ", i), r, s.sender, sms.ErrUnverified)
		}
		r.Body = io.NopCloser(bytes.NewReader(nil))
		refuse("no body", r, s.sender, sms.ErrUnverified)

		other := *s.sender
		other.Secret, other.SigningKey = "x", "x"
		refuse("another key", write(), &other, sms.ErrUnverified)
		other.Secret, other.SigningKey = "", ""
		refuse("no key", write(), &other, sms.ErrUnverified)
		other.Preset = "none"
		refuse("no preset", write(), &other, sms.ErrUnverified)
		if s.name != sms.Android {
			r := write()
			r.URL.Path += "2"
			refuse("another address", r, s.sender, sms.ErrUnverified)
		}
		r = write()
		r.Body = io.NopCloser(strings.NewReader(strings.Repeat("a", sms.MaxBody+1)))
		refuse("too long", r, s.sender, sms.ErrTooLong)

		if s.name == sms.Twilio {
			return // signs no time
		}
		for _, age := range []time.Duration{5 * time.Minute, -5 * time.Minute} {
			if _, err := read(t, s.sender, s.write(t, "in-1", "+4915112345678", "STOP", now.Add(-age))); err != nil {
				t.Errorf("%v old: %v", age, err)
			}
		}
		for _, age := range []time.Duration{5*time.Minute + time.Second, -5*time.Minute - time.Second, 1e5 * time.Hour, -1e5 * time.Hour} {
			refuse(fmt.Sprint(age, " old"), s.write(t, "in-1", "+4915112345678", "STOP", now.Add(-age)), s.sender, sms.ErrStale)
			refuse(fmt.Sprint(age, " old"), s.write(t, "in-1", "+4915112345678", "STOP", now.Add(-age)), s.sender, sms.ErrUnverified)
		}
	})
}

// Without a key nothing is verified, neither what is signed by none.
func TestNoKey(t *testing.T) {
	for _, s := range services(t) {
		s.sender.Secret, s.sender.SigningKey = "", ""
		switch stand := s.handler.(type) {
		case *smstest.Twilio:
			stand.Token = ""
		case *smstest.Seven:
			stand.Signing = ""
		case *smstest.Android:
			stand.Signing = ""
		}
		if in, err := read(t, s.sender, s.write(t, "in-1", "+4915112345678", "STOP", now)); !errors.Is(err, sms.ErrUnverified) {
			t.Errorf("%s: %+v, %v", s.name, in, err)
		}
	}
}

// A service that can't sign signs in, or sends a header, or is given a secret address.
func TestProofs(t *testing.T) {
	secret, hash := sms.NewRoute()
	body := `{"from":"+4915112345678","text":"1"}`
	for _, c := range []struct {
		verify  sms.Verify
		address string
		headers []string
		good    bool
	}{
		{sms.Verify{Kind: sms.BasicProof, User: "sms"}, base, []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("sms:the-key"))}, true},
		{sms.Verify{Kind: sms.BasicProof, User: "sms"}, base, []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("smt:the-key"))}, false},
		{sms.Verify{Kind: sms.BasicProof, User: "sms"}, base, []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("sms:the-kex"))}, false},
		{sms.Verify{Kind: sms.BasicProof}, base, nil, false},
		{sms.Verify{Kind: sms.HeaderProof, Header: "X-Key"}, base, []string{"X-Key", "the-key"}, true},
		{sms.Verify{Kind: sms.HeaderProof, Header: "X-Key"}, base, []string{"X-Key", "the-key "}, false},
		{sms.Verify{Kind: sms.HeaderProof, Header: "X-Key"}, base, nil, false},
		{sms.Verify{Kind: sms.RouteProof}, base + "/" + secret, nil, true},
		{sms.Verify{Kind: sms.RouteProof}, base + "/" + secret + "?a=b", nil, true},
		{sms.Verify{Kind: sms.RouteProof}, base + "/" + hash, nil, false},
		{sms.Verify{Kind: sms.RouteProof}, base + "/", nil, false},
		{sms.Verify{Kind: sms.RouteProof}, base + "/" + secret + "/", nil, false},
		{sms.Verify{Kind: sms.NoProof}, base, nil, false},
		{sms.Verify{Kind: "other"}, base, nil, false},
		{sms.Verify{Kind: sms.HMACProof, Header: "X-S", Prefix: "sha256=", Encoding: "base64", Signed: []string{"{body}"}}, base,
			[]string{"X-S", "sha256=" + base64.StdEncoding.EncodeToString(mac("the-key", body))}, true},
		{sms.Verify{Kind: sms.HMACProof, Header: "X-S", Prefix: "sha256=", Encoding: "base64", Signed: []string{"{body}"}}, base,
			[]string{"X-S", base64.StdEncoding.EncodeToString(mac("the-key", body))}, false},
	} {
		s := &sms.Sender{Preset: sms.Own, SigningKey: "the-key", Route: hash, Own: &sms.Template{Posts: sms.JSON, Verify: c.verify,
			Inbound: &sms.Inbound{When: sms.When{Path: "from"}, From: "from", Text: "text"}}}
		in, err := read(t, s, posted(t, c.address, body, c.headers...))
		if (err == nil) != c.good || c.good && in.Text != "1" || !c.good && !errors.Is(err, sms.ErrUnverified) {
			t.Errorf("%+v %v: %+v, %v", c.verify, c.headers, in, err)
		}
	}
	if len(secret) < 26 || strings.ToLower(secret) != secret {
		t.Errorf("a secret of %d characters", len(secret))
	}
}

// Whatever a verified service posts, what is read of it is bounded and can be kept.
func FuzzRead(f *testing.F) {
	for _, body := range []string{"", "{}", "[1", `{"event":"sms:received","id":"e","payload":{"sender":"+49151","message":"hi","attachments":[1,2]}}`,
		`{"event":"sms:failed","payload":{"messageId":"tx_1","reason":"no"}}`, `{"webhook_event":"dlr","data":{"msg_id":7,"status":true}}`,
		`{"webhook_event":"sms_mo","data":{"id":1e400,"sender":4915112345678,"text":"a\u0000b\ud800"}}`,
		"MessageSid=SM1&From=%2B49151&Body=%FF%00&NumMedia=-1", "MessageSid=SM1&MessageStatus=failed&ErrorCode=1", "a;b=%"} {
		f.Add(body)
	}
	var senders []*sms.Sender
	for _, preset := range sms.Presets[:3] {
		t := *(&sms.Sender{Preset: preset}).Template()
		t.Verify = sms.Verify{Kind: sms.HeaderProof, Header: "X-Key"}
		senders = append(senders, &sms.Sender{Preset: sms.Own, SigningKey: "k", Own: &t})
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, s := range senders {
			in, err := read(t, s, posted(t, base+"?ref=tx_1", body, "X-Key", "k"))
			if err != nil {
				if len(body) <= sms.MaxBody {
					t.Fatal(err)
				}
				continue
			}
			for most, text := range map[int]string{sms.MaxIncoming: in.Text, 200: in.ID, 64: in.Reference, 201: in.Why, 40: in.From, 10: in.OptOut} {
				if !utf8.ValidString(text) || utf8.RuneCountInString(text) > most || strings.ContainsRune(text, 0) {
					t.Fatalf("%q: %+v", body, in)
				}
			}
			if in.Media < 0 || in.Media > 100 {
				t.Fatalf("%q: %+v", body, in)
			}
		}
	})
}
