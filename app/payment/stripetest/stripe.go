package stripetest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"
)

// The keys that the stand-in accepts and signs with.
const (
	Key           = "sk_test_stand_in_0123456789"
	SigningSecret = "whsec_stand_in_0123456789"
)

// Card is how a saved card behaves when it is charged.
type Card string

const (
	Good         Card = "good"
	Declined     Card = "declined"
	Authenticate Card = "authenticate"
	Slow         Card = "slow" // the charge stays in processing
)

// Fault is how a request fails.
type Fault int

const (
	None  Fault = iota
	Drop        // the connection breaks before anything was done
	Lose        // the work is done, the answer gets lost
	Break       // 500, nothing was done
	Busy        // 429
	Held        // the work is done, the answer is held back until the client has gone
	Stuck       // nothing is done, and no answer comes until the client has gone
)

// Server is the stand-in.
type Server struct {
	*httptest.Server
	Now func() time.Time

	mu       sync.Mutex
	fault    func(method, path string) Fault
	seq      int
	sessions map[string]object
	intents  map[string]object
	setups   map[string]object
	refunds  []object
	disputes []object
	events   []object
	cards    map[string]Card // by payment method
	answers  map[string]answer
	requests []string
	keys     map[string][]string // idempotency keys by request
	reached  chan string
}

type object = map[string]any

type answer struct {
	fingerprint [32]byte
	status      int
	body        object
}

// New starts a stand-in that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{
		Now: time.Now, sessions: map[string]object{}, intents: map[string]object{}, setups: map[string]object{},
		cards:   map[string]Card{},
		answers: map[string]answer{}, keys: map[string][]string{}, reached: make(chan string, 1000),
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Server.Close)
	return s
}

// Fail has fault decide what goes wrong with each request; nil is nothing.
func (s *Server) Fail(fault func(method, path string) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Reached waits until a request of that method and path has reached its fault.
func (s *Server) Reached(t testing.TB, request string) {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case got := <-s.reached:
			if got == request {
				return
			}
		case <-late:
			t.Fatalf("%s never came", request)
		}
	}
}

// Requests counts those so far, as "POST /v1/refunds"; "" is all.
func (s *Server) Requests(request string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if r == request || request == "" {
			n++
		}
	}
	return n
}

// Keys returns the different idempotency keys that the requests of that method and path came with.
func (s *Server) Keys(request string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(s.keys[request])))
}

// refusal is an error answer.
type refusal struct {
	status int
	object
}

func refuse(status int, kind, code, message string) *refusal {
	return &refusal{status, object{"type": kind, "code": code, "message": message}}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil { // whose client has died while it wrote; what is not all there is never carried out
		panic(http.ErrAbortHandler)
	}
	request := r.Method + " " + r.URL.Path
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.keys[request] = append(s.keys[request], r.Header.Get("Idempotency-Key"))
	fault := None
	if s.fault != nil {
		fault = s.fault(r.Method, r.URL.Path)
	}
	var status int
	var body object
	if fault == None || fault == Lose || fault == Held {
		status, body = s.answer(r)
	}
	s.mu.Unlock()
	if fault == Held || fault == Stuck {
		s.reached <- request
		<-r.Context().Done()
		return
	}
	switch fault {
	case Drop, Lose:
		panic(http.ErrAbortHandler)
	case Break:
		status, body = 500, object{"error": object{"type": "api_error", "message": "it broke"}}
	case Busy:
		status, body = 429, object{"error": object{"type": "invalid_request_error", "code": "rate_limit",
			"message": "too many requests"}}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the client may be gone
}

// answer does the work of a request, or repeats the answer to one with the same idempotency key.
func (s *Server) answer(r *http.Request) (int, object) {
	if given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); given != Key {
		return 401, object{"error": object{"type": "invalid_request_error", "message": "Invalid API Key provided: " + given}}
	}
	key := r.Header.Get("Idempotency-Key")
	print := sha256.Sum256([]byte(r.Method + r.URL.Path + r.Form.Encode()))
	if before, ok := s.answers[key]; ok && r.Method == http.MethodPost && key != "" {
		if before.fingerprint != print {
			return 400, object{"error": object{"type": "idempotency_error",
				"message": "Keys for idempotent requests can only be used with the same parameters they were first used with."}}
		}
		return before.status, before.body
	}
	body, wrong := s.do(r)
	status := 200
	if wrong != nil {
		status, body = wrong.status, object{"error": wrong.object}
	}
	text, _ := json.Marshal(body) // as it is now
	body = object{}
	json.Unmarshal(text, &body) //nolint:errcheck // it was JSON a moment ago
	if r.Method == http.MethodPost && key != "" {
		s.answers[key] = answer{print, status, body}
	}
	return status, body
}

// ForgetKeys forgets all idempotency keys, as Stripe does after a day.
func (s *Server) ForgetKeys() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = map[string]answer{}
}

func (s *Server) do(r *http.Request) (object, *refusal) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	id := ""
	if n := len(parts); n > 1 && parts[0] != "checkout" {
		id = parts[1]
	} else if n > 2 {
		id = parts[2]
	}
	switch {
	case r.URL.Path == "/v1/balance":
		return object{"object": "balance", "livemode": false}, nil
	case r.URL.Path == "/v1/account":
		return object{"object": "account", "id": "acct_stand_in"}, nil
	case r.URL.Path == "/v1/checkout/sessions" && r.Method == http.MethodPost:
		return s.openSession(r.Form)
	case strings.HasSuffix(r.URL.Path, "/expire"):
		return s.expire(id)
	case strings.HasPrefix(r.URL.Path, "/v1/checkout/sessions/"):
		return s.expanded(s.sessions[id])
	case r.URL.Path == "/v1/payment_intents" && r.Method == http.MethodPost:
		return s.charge(r.Form)
	case r.URL.Path == "/v1/payment_intents":
		return list(filter(slices.Collect(maps.Values(s.intents)), "customer", r.Form.Get("customer"))), nil
	case strings.HasPrefix(r.URL.Path, "/v1/payment_intents/"):
		return known(s.intents[id])
	case strings.HasPrefix(r.URL.Path, "/v1/setup_intents/"):
		return known(s.setups[id])
	case r.URL.Path == "/v1/refunds" && r.Method == http.MethodPost:
		return s.refund(r.Form)
	case r.URL.Path == "/v1/refunds":
		return list(filter(s.refunds, "payment_intent", r.Form.Get("payment_intent"))), nil
	case r.URL.Path == "/v1/disputes":
		return list(filter(s.disputes, "payment_intent", r.Form.Get("payment_intent"))), nil
	case r.URL.Path == "/v1/events":
		since, _ := strconv.ParseInt(r.Form.Get("created[gte]"), 10, 64)
		var all []object
		for _, e := range slices.Backward(s.events) {
			if e["created"].(int64) >= since {
				all = append(all, e)
			}
		}
		return list(all), nil
	}
	return nil, refuse(404, "invalid_request_error", "", "Unrecognized request URL "+r.URL.Path)
}

func known(o object) (object, *refusal) {
	if o == nil {
		return nil, refuse(404, "invalid_request_error", "resource_missing", "No such object")
	}
	return o, nil
}

func list(all []object) object {
	if all == nil {
		all = []object{}
	}
	return object{"object": "list", "data": all, "has_more": false}
}

func filter(all []object, field, want string) (found []object) {
	for _, o := range all {
		if want == "" || o[field] == want {
			found = append(found, o)
		}
	}
	return found
}

func (s *Server) id(prefix string) string {
	s.seq++
	return fmt.Sprintf("%s_%06d", prefix, s.seq)
}

// meta reads metadata[...] below a prefix of the form.
func meta(form url.Values, prefix string) object {
	m := object{}
	for k, v := range form {
		if name, ok := strings.CutPrefix(k, prefix+"metadata["); ok || prefix != "" &&
			strings.HasPrefix(k, prefix+"[metadata][") {
			if !ok {
				name = strings.TrimPrefix(k, prefix+"[metadata][")
			}
			m[strings.TrimSuffix(name, "]")] = v[0]
		}
	}
	return m
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

func (s *Server) openSession(form url.Values) (object, *refusal) {
	if left := time.Unix(number(form.Get("expires_at")), 0).Sub(s.Now()); left < 30*time.Minute || left > 24*time.Hour {
		return nil, refuse(400, "invalid_request_error", "",
			"The expires_at timestamp must be between 30 minutes and 24 hours from Checkout Session creation.")
	}
	mode := form.Get("mode")
	amount := int64(0)
	for i := 0; form.Has(fmt.Sprintf("line_items[%d][quantity]", i)); i++ {
		amount += number(form.Get(fmt.Sprintf("line_items[%d][price_data][unit_amount]", i)))
	}
	if (mode == "payment") != (amount > 0) || form.Get("success_url") == "" {
		return nil, refuse(400, "invalid_request_error", "parameter_missing",
			"an amount is needed in payment mode, and only there")
	}
	id := s.id("cs_test")
	o := object{
		"id": id, "object": "checkout.session", "status": "open", "payment_status": "unpaid", "mode": mode,
		"url":          "https://checkout.stripe.test/" + id,
		"amount_total": amount, "currency": form.Get("line_items[0][price_data][currency]"),
		"expires_at": number(form.Get("expires_at")),
		"metadata":   meta(form, ""), "success_url": form.Get("success_url"), "cancel_url": form.Get("cancel_url"),
		"created": s.Now().Unix(),
	}
	s.sessions[id] = o
	s.sessions[id]["_intent"] = meta(form, "payment_intent_data")
	s.sessions[id]["_saves"] = form.Get("payment_intent_data[setup_future_usage]") == "off_session" || mode == "setup"
	s.sessions[id]["_wording"] = form.Get("custom_text[submit][message]")
	return o, nil
}

func (s *Server) expire(id string) (object, *refusal) {
	o := s.sessions[id]
	if o == nil || o["status"] != "open" {
		return nil, refuse(400, "invalid_request_error", "", "Only Checkout Sessions with a status in [open] can be expired.")
	}
	o["status"] = "expired"
	s.happen("checkout.session.expired", o)
	return o, nil
}

func (s *Server) expanded(o object) (object, *refusal) {
	if o == nil {
		return known(o)
	}
	o = maps.Clone(o)
	if id, ok := o["payment_intent"].(string); ok {
		o["payment_intent"] = s.intents[id]
	}
	return o, nil
}

func (s *Server) charge(form url.Values) (object, *refusal) {
	if form.Get("off_session") != "true" || form.Get("confirm") != "true" || number(form.Get("amount")) <= 0 {
		return nil, refuse(400, "invalid_request_error", "", "only confirmed off-session charges are known here")
	}
	method := form.Get("payment_method")
	card, ok := s.cards[method]
	if !ok {
		return nil, refuse(400, "invalid_request_error", "resource_missing", "No such PaymentMethod")
	}
	i := s.intent(form.Get("customer"), method, number(form.Get("amount")), form.Get("currency"), meta(form, ""))
	switch card {
	case Good:
		s.succeed(i)
		return i, nil
	case Slow:
		i["status"] = "processing"
		return i, nil
	}
	code, message := "card_declined", "Your card was declined."
	if card == Authenticate {
		code, message = "authentication_required", "Your card was declined. This transaction requires authentication."
	}
	i["status"] = "requires_payment_method"
	i["last_payment_error"] = object{"type": "card_error", "code": code, "message": message}
	s.happen("payment_intent.payment_failed", i)
	r := refuse(402, "card_error", code, message)
	r.object["payment_intent"] = i
	return nil, r
}

func (s *Server) intent(customer, method string, amount int64, currency string, meta object) object {
	i := object{
		"id": s.id("pi"), "object": "payment_intent", "status": "requires_confirmation", "customer": customer,
		"payment_method": method,
		"amount":         amount, "currency": currency, "metadata": meta, "created": s.Now().Unix(),
	}
	s.intents[i["id"].(string)] = i
	return i
}

func (s *Server) succeed(i object) {
	i["status"] = "succeeded"
	i["latest_charge"] = object{"id": s.id("ch"), "object": "charge", "amount": i["amount"], "amount_refunded": int64(0),
		"disputed": false, "payment_intent": i["id"], "metadata": i["metadata"]}
	s.happen("payment_intent.succeeded", i)
}

func (s *Server) refund(form url.Values) (object, *refusal) {
	i := s.intents[form.Get("payment_intent")]
	if i == nil || i["status"] != "succeeded" {
		return nil, refuse(400, "invalid_request_error", "resource_missing", "No such PaymentIntent")
	}
	return s.giveBack(i, number(form.Get("amount")), meta(form, ""), "succeeded")
}

func (s *Server) giveBack(i object, amount int64, meta object, status string) (object, *refusal) {
	c := i["latest_charge"].(object)
	gone := c["amount_refunded"].(int64)
	if gone+amount > i["amount"].(int64) {
		return nil, refuse(400, "invalid_request_error", "charge_already_refunded",
			"Refund amount is greater than unrefunded amount on charge")
	}
	c["amount_refunded"] = gone + amount
	r := object{"id": s.id("re"), "object": "refund", "amount": amount, "currency": i["currency"],
		"payment_intent": i["id"], "metadata": meta, "status": status, "created": s.Now().Unix()}
	s.refunds = append(s.refunds, r)
	s.happen("refund.created", r)
	s.happen("charge.refunded", c)
	return r, nil
}

// happen adds an event about an object as it is now.
func (s *Server) happen(kind string, o object) {
	text, _ := json.Marshal(o)
	var copied object
	json.Unmarshal(text, &copied) //nolint:errcheck // it was JSON a moment ago
	s.events = append(s.events, object{
		"id": s.id("evt"), "object": "event", "type": kind, "created": s.Now().Unix(), "livemode": false,
		"api_version": "2019-01-01", "data": object{"object": copied},
	})
}

// Events returns the ids and kinds of all that happened, in order.
func (s *Server) Events() (kinds []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		kinds = append(kinds, e["type"].(string))
	}
	return kinds
}

// Event returns the body of the n-th event; a negative n counts from the end.
func (s *Server) Event(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 0 {
		n += len(s.events)
	}
	body, _ := json.Marshal(s.events[n])
	return body
}

// Sign makes the Stripe-Signature of a body, by Stripe's own library.
func Sign(body []byte, at time.Time) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: body, Secret: SigningSecret, Timestamp: at,
		Scheme: "v1"}).Header
}

// Send delivers events, by their numbers in that order, to a webhook endpoint, and wants 200.
func (s *Server) Send(t testing.TB, hook http.Handler, path string, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		body := s.Event(n)
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body)))
		r.Header.Set("Stripe-Signature", Sign(body, time.Now()))
		w := httptest.NewRecorder()
		hook.ServeHTTP(w, r)
		if w.Code != 200 {
			t.Fatalf("event %d: %d %s", n, w.Code, w.Body)
		}
	}
}
