package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"daybook/app/payment/stripetest"
)

// standIns are the stand-ins for Stripe of the running scripts, by the script's folder.
var standIns sync.Map

// scriptT lets a script own what wants a testing.TB.
type scriptT struct {
	testing.TB
	ts *testscript.TestScript
}

func (t scriptT) Cleanup(f func())          { t.ts.Defer(f) }
func (t scriptT) Helper()                   {}
func (t scriptT) Fatalf(f string, a ...any) { t.ts.Fatalf(f, a...) }
func (t scriptT) Fatal(a ...any)            { t.ts.Fatalf("%s", fmt.Sprint(a...)) }

// standIn starts a stand-in for Stripe, or has an invitee book and pay.
func standIn(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 0 {
		s := stripetest.New(scriptT{ts: ts})
		standIns.Store(ts.Getenv("WORK"), s)
		ts.Setenv("STRIPE_URL", s.URL)
		ts.Setenv("STRIPE_KEY", stripetest.Key)
		ts.Setenv("STRIPE_SIGNING", stripetest.SigningSecret)
		return
	}
	url, key, slug := args[1]+"/api/v1", args[2], args[3]
	var open struct{ Data []struct{ Start string } }
	call(ts, http.MethodGet, url+"/availability?eventType="+slug, key, "", &open)
	var b struct {
		ID      string
		Payment struct{ URL string }
	}
	call(ts, http.MethodPost, url+"/bookings", key, fmt.Sprintf(`{"eventType":%q,"start":%q,"invitee":{"name":"Eva","email":"eva@mail.example"}}`, slug, open.Data[0].Start), &b)
	ts.Setenv("BOOKING", b.ID)
	a, err := http.DefaultTransport.RoundTrip(mustRequest(ts, http.MethodGet, b.Payment.URL, ""))
	ts.Check(err)
	a.Body.Close()
	found, _ := standIns.Load(ts.Getenv("WORK"))
	s := found.(*stripetest.Server)
	session := s.Session(scriptT{ts: ts}, -1)
	if to := a.Header.Get("Location"); !strings.HasSuffix(to, session) {
		ts.Fatalf("the payment page is at %q (%s)", to, a.Status)
	}
	s.Pay(scriptT{ts: ts}, session, stripetest.Good)
}

func mustRequest(ts *testscript.TestScript, method, url, body string) *http.Request {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	ts.Check(err)
	return r
}

func call(ts *testscript.TestScript, method, url, key, body string, into any) {
	r := mustRequest(ts, method, url, body)
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer a.Body.Close()
	ts.Check(json.NewDecoder(a.Body).Decode(into))
}

// sendEvent sends Stripe's latest event to the URL, signed unless it is told otherwise, and prints status and body.
func sendEvent(ts *testscript.TestScript, unsigned bool, args []string) {
	found, _ := standIns.Load(ts.Getenv("WORK"))
	body := string(found.(*stripetest.Server).Event(-1))
	r := mustRequest(ts, http.MethodPost, args[0], body)
	if !unsigned {
		r.Header.Set("Stripe-Signature", stripetest.Sign([]byte(body), time.Now()))
	}
	a, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%d %s\n", a.StatusCode, text)
}
