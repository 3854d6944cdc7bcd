package rest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/oauth"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/rest"
	"daybook/app/text/sms"
	"daybook/store/enginetest"
)

const (
	website  = "https://salon.example"
	visitors = "/api/v1/public/"
)

// publicKey makes a public key for pages of the website.
func (w *world) publicKey(in account.Limits) string {
	w.T.Helper()
	if in.Origins == nil {
		in.Origins = []string{website}
	}
	return w.keyOf(account.KeyInput{Scope: account.PublicScope, Limits: in})
}

// tokenOfStaff is the access token of a program that a staff member has let in.
func (w *world) tokenOfStaff() string {
	w.T.Helper()
	u, err := w.Account.CreateUser(w.T.Context(), app.Operator(w.Workspace.ID),
		account.UserInput{Email: "staff@salon.example", Role: app.StaffRole, Password: "correct horse battery", Host: ana})
	w.Must(err)
	const back, verifier = "https://claude.ai/api/mcp/auth_callback", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	r, err := w.OAuth.Register(w.T.Context(), netip.MustParseAddr("127.0.0.1"), []byte(`{"client_name":"Claude","redirect_uris":["`+back+`"]}`))
	w.Must(err)
	sum := sha256.Sum256([]byte(verifier))
	to, err := w.OAuth.Consent(w.T.Context(), u.Actor(), url.Values{"response_type": {"code"}, "client_id": {r.ClientID}, "redirect_uri": {back},
		"state": {"s"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
		"scope": {"read write"}, "resource": {base + "/api/mcp"}}, oauth.Consent{Allow: true, Scope: oauth.WriteScope})
	w.Must(err)
	at, err := url.Parse(to)
	w.Must(err)
	t, err := w.OAuth.Token(w.T.Context(), url.Values{"grant_type": {"authorization_code"}, "code": {at.Query().Get("code")},
		"client_id": {r.ClientID}, "redirect_uri": {back}, "code_verifier": {verifier}})
	w.Must(err)
	return t.Access
}

// What visitors get of a business: nothing that is hidden, switched off or somebody else's, and their own booking.
func TestPublicKeyShowsWhatVisitorsMaySee(t *testing.T) {
	w := newWorld(t)
	key := w.publicKey(account.Limits{})
	hidden := w.eventType("hidden", 30, func(e *catalog.EventType) { e.Hidden = true })
	w.eventType("off", 30, func(e *catalog.EventType) { e.Active = false })
	list := w.do(key, "GET", visitors+"event-types?limit=100", "")
	if list.Code != 200 || strings.Contains(list.text, `"hidden"`) || strings.Contains(list.text, `"off"`) || !strings.Contains(list.text, `"slug":"color"`) {
		t.Errorf("the list: %d %s", list.Code, list.text)
	}
	for _, of := range []string{"buffer", "limits", "words", "mailsOff", "taxRate", "redirectUrl", "maxPerDay", "@"} {
		if strings.Contains(list.text, of) {
			t.Errorf("visitors are told of %s: %s", of, list.text)
		}
	}
	if strings.Contains(list.text, "contactFields") {
		t.Errorf("fields are asked for that aren't there: %s", list.text)
	}
	_, err := w.Shop.SetContactFields(t.Context(), w.Owner, []catalog.ContactField{{Key: "inside", Label: "Inside", Type: catalog.TextField},
		{Key: "skin", Label: "Skin", Type: catalog.ChoiceField, Options: []string{"Dry"}, OnForm: catalog.MustBeGiven}}, nil)
	w.Must(err)
	list = w.do(key, "GET", visitors+"event-types?limit=1", "")
	if !strings.Contains(list.text, `"contactFields":[{"key":"skin","label":"Skin","type":"choice","options":["Dry"],"onForm":"required"}]`) {
		t.Errorf("visitors' programs aren't told what the form asks: %s", list.text)
	}
	_, err = w.Shop.SetContactFields(t.Context(), w.Owner, nil, nil)
	w.Must(err)
	for _, ref := range []string{"hidden", hidden.ID.String(), "off", "nothing"} {
		if got := w.do(key, "GET", visitors+"availability?eventType="+ref, ""); got.Code != 404 {
			t.Errorf("times of %s: %d %s", ref, got.Code, got.text)
		}
		if got := w.do(key, "POST", visitors+"bookings", bookingBody(ref, "2026-12-01T08:00:00Z", "x@x.example")); got.Code != 404 {
			t.Errorf("booking %s: %d %s", ref, got.Code, got.text)
		}
	}
	for _, with := range []string{"explain=1", "excludeBooking=bk_1"} {
		if got := w.do(key, "GET", visitors+"availability?eventType=cut&"+with, ""); got.Code != 400 {
			t.Errorf("%s: %d", with, got.Code)
		}
	}
	// The e-mail may be anybody's: what is known of its contact isn't told, nor the booking that they have.
	w.do(w.full, "POST", "/api/v1/contacts", `{"name":"Mia Secret","email":"mia@x.example","phone":"+4930123456"}`)
	theirs := w.book("cut", "2026-12-01T08:00:00Z", "mia@x.example")
	got := w.do(key, "POST", visitors+"bookings", bookingBody("cut", "2026-12-01T08:00:00Z", "mia@x.example"))
	stranger := w.do(key, "POST", visitors+"bookings", bookingBody("cut", "2026-12-01T08:00:00Z", "nobody@x.example"))
	if code, reason, _ := got.errorOf(t); code != "conflict" || reason != "slot_taken" || withoutID(got) != withoutID(stranger) {
		t.Errorf("a time that the person has booked: %s; anybody else is told: %s", got.text, stranger.text)
	}
	w.book("class", "2026-12-04T08:00:00Z", "mia@x.example")
	got = w.do(key, "POST", visitors+"bookings", bookingBody("class", "2026-12-04T08:00:00Z", "mia@x.example"))
	stranger = w.do(key, "POST", visitors+"bookings", bookingBody("class", "2026-12-04T08:00:00Z", "nobody@x.example"))
	own := regexp.MustCompile(`"id":"[^"]*"|"manageUrl":"[^"]*"`)
	if got.Code != 201 || own.ReplaceAllString(got.text, "") != own.ReplaceAllString(stranger.text, "") {
		t.Errorf("a seat again, where others are left: %s; anybody else is told: %s", got.text, stranger.text)
	}
	got = w.do(key, "POST", visitors+"bookings", bookingBody("cut", "2026-12-01T09:30:00Z", "mia@x.example"))
	if got.Code != 201 || strings.Contains(got.text, "Secret") || strings.Contains(got.text, "+49") || strings.Contains(got.text, "mia@") ||
		strings.Contains(got.text, "co_") || strings.Contains(got.text, theirs) || got.Header().Get("Location") != "" {
		t.Errorf("their booking: %d %s", got.Code, got.text)
	}
	mine := got.json(t)
	if shown := w.do(w.full, "GET", "/api/v1/bookings/"+mine["id"].(string), "").json(t); shown["manageUrl"] != mine["manageUrl"] || mine["status"] != "confirmed" {
		t.Errorf("the booking %v is %v", mine, shown)
	}
	// What the booking form doesn't have, they can't send.
	for _, field := range []string{`"override":["outside_hours"]`, `"invitation":"x"`, `"hold":"hd_1"`, `"dryRun":true`, `"internalNote":"x"`} {
		body := strings.Replace(bookingBody("cut", "2026-12-01T10:15:00Z", "x@x.example"), "{", "{"+field+",", 1)
		if got := w.do(key, "POST", visitors+"bookings", body); got.Code != 400 {
			t.Errorf("%s: %d %s", field, got.Code, got.text)
		}
	}
	w.eventType("call", 30, func(e *catalog.EventType) { e.Where = &catalog.Where{Kind: catalog.HostCalls} })
	for _, e := range w.do(key, "GET", visitors+"event-types?limit=100", "").json(t)["data"].([]any) {
		if e := e.(map[string]any); e["slug"] == "call" && e["asksFor"] != "both" {
			t.Errorf("who is called is asked for %v, and must give a number", e["asksFor"])
		}
	}
	narrow := w.publicKey(account.Limits{EventTypes: []string{"color"}, Hosts: []string{bob.String()}})
	if list := w.do(narrow, "GET", visitors+"event-types", ""); strings.Contains(list.text, `"slug":"cut"`) || !strings.Contains(list.text, bob.String()) || strings.Contains(list.text, ana.String()) {
		t.Errorf("a key of one service and host: %s", list.text)
	}
	if got := w.do(narrow, "POST", visitors+"bookings", bookingBody("cut", "2026-12-01T12:00:00Z", "x@x.example")); got.Code != 404 {
		t.Errorf("another service: %d", got.Code)
	}
}

// Pages of the key's origins may read the answers, others' are refused, and programs have none.
func TestPublicKeyAndOrigins(t *testing.T) {
	w := newWorld(t)
	key := w.publicKey(account.Limits{Origins: []string{website + "/", "HTTPS://Other.example:443", "http://localhost:3000"}})
	for origin, code := range map[string]int{website: 200, "https://other.example": 200, "http://localhost:3000": 200, "": 200,
		"http://salon.example": 403, "https://evil.example": 403, "null": 403, website + ".evil.example": 403, "http://localhost": 403} {
		got := w.do(key, "GET", visitors+"event-types", "", "Origin", origin)
		allowed := got.Header().Get("Access-Control-Allow-Origin")
		if got.Code != code || (allowed != "") != (origin != "") || allowed != "" && allowed != origin || got.Header().Get("Vary") != "Origin" {
			t.Errorf("from %q: %d, allowed %q", origin, got.Code, allowed)
		}
	}
	if got := w.do(key, "POST", visitors+"bookings", bookingBody("cut", "2026-12-01T08:00:00Z", "x@x.example"), "Origin", "https://evil.example"); got.Code != 403 {
		t.Errorf("a booking from another origin: %d %s", got.Code, got.text)
	}
	if got := w.do(key, "POST", visitors+"bookings", "{}", "Origin", website); got.Code != 400 || got.Header().Get("Access-Control-Allow-Origin") != website {
		t.Errorf("a page can't read what is wrong: %d", got.Code)
	}
	if got := w.do("", "OPTIONS", visitors+"bookings", "", "Origin", website); got.Code != 204 || got.Header().Get("Access-Control-Allow-Origin") != website ||
		!strings.Contains(got.Header().Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("preflight: %d %v", got.Code, got.Header())
	}
	if got := w.do("", "OPTIONS", "/api/v1/bookings", "", "Origin", website); got.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages may send secret keys")
	}
	for field, in := range map[string]account.KeyInput{
		"origins":   {Scope: account.PublicScope},
		"rights":    {Scope: account.PublicScope, Limits: account.Limits{Origins: []string{website}, Rights: []string{"bookings:read"}}},
		"addresses": {Scope: account.PublicScope, Limits: account.Limits{Origins: []string{website}, Addresses: []string{"::1"}}},
		"areas":     {Scope: account.PublicScope, Areas: 1, Limits: account.Limits{Origins: []string{website}}},
	} {
		in.Name = "x"
		if _, err := w.Account.CreateKey(t.Context(), w.Owner, in); err == nil || !strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, origin := range []string{"salon.example", "https://salon.example/book", "https://*.example", "null", "ftp://x", "https://u@x", "https://"} {
		_, err := w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "x", Scope: account.PublicScope, Limits: account.Limits{Origins: []string{origin}}})
		if err == nil || !strings.HasPrefix(err.Error(), "origins") {
			t.Errorf("%s: %v", origin, err)
		}
	}
	if _, err := w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "x", Scope: account.FullScope, Limits: account.Limits{Origins: []string{website}}}); err == nil {
		t.Error("a secret key for web pages")
	}
	// It is shown again, and its new value is public, too.
	keys, err := w.Account.Keys(t.Context(), w.Owner)
	w.Must(err)
	if keys[0].Public != key || !strings.HasPrefix(key, "pk_") || keys[1].Public != "" {
		t.Errorf("listed as %q", keys[0].Public)
	}
	again, err := w.Account.RotateKey(t.Context(), w.Owner, keys[0].ID.String(), 0)
	w.Must(err)
	if stored, err := w.Store.Key(keys[0].ID); err != nil || stored.Public != again.Value || again.Value == key || !strings.HasPrefix(again.Value, "pk_") {
		t.Errorf("rotated to %q, stored %q, %v", again.Value, stored.Public, err)
	}
	if got := w.do(key, "GET", visitors+"event-types", ""); got.Code != 401 {
		t.Errorf("the old value: %d", got.Code)
	}
}

// An Idempotency-Key is the visitor's own.
func TestPublicKeyRetries(t *testing.T) {
	w := newWorld(t)
	key := w.publicKey(account.Limits{})
	body := bookingBody("cut", "2026-12-01T08:00:00Z", "a@x.example")
	post := func(body, visitor string) reply {
		return w.do(key, "POST", visitors+"bookings", body, "Idempotency-Key", "1", rest.Visitor, visitor)
	}
	for _, visitor := range []string{"", "short", strings.Repeat("x", 129), "with a space in it"} {
		if got := post(body, visitor); got.Code != 400 {
			t.Errorf("visitor %q: %d", visitor, got.Code)
		}
	}
	first := post(body, "aaaaaaaaaaaaaaaa")
	if again := post(body, "aaaaaaaaaaaaaaaa"); first.Code != 201 || again.text != first.text || again.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %s, again %d %s", first.Code, first.text, again.Code, again.text)
	}
	if other := post(body, "bbbbbbbbbbbbbbbb"); other.Code != 409 || strings.Contains(other.text, "bk_") {
		t.Errorf("another visitor's answer: %d %s", other.Code, other.text)
	}
	if other := post(bookingBody("cut", "2026-12-01T09:30:00Z", "b@x.example"), "cccccccccccccccc"); other.Code != 201 {
		t.Errorf("another visitor, the same key: %d %s", other.Code, other.text)
	}
}

// Calls and bookings are limited by network address, and cost the booking page's work.
func TestPublicKeyIsLimitedByAddress(t *testing.T) {
	w := newWorld(t)
	w.door = rest.New(w.Set, rest.Options{Version: "test", Public: rest.PublicOptions{BookingsPerHour: 2, Challenge: 6}})
	k, err := w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "x", Scope: account.PublicScope, RateLimit: 8, Limits: account.Limits{Origins: []string{website}}})
	w.Must(err)
	from := func(address, method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.RemoteAddr = address
		r.Header.Set("Authorization", "Bearer "+k.Value)
		r.Header.Set("Content-Type", "application/json")
		got := httptest.NewRecorder()
		w.door.ServeHTTP(got, r)
		return got
	}
	worked := func(address, start, email string) (int, string) {
		body := bookingBody("cut", start, email)
		got := from(address, "POST", visitors+"bookings", body)
		var e struct {
			Error struct {
				Details struct {
					Reason, Key string
					Bits        int
				}
			}
		}
		w.Must(json.Unmarshal(got.Body.Bytes(), &e))
		d := e.Error.Details
		if got.Code != 409 || d.Reason != "proof_of_work" || d.Bits != 6 {
			t.Fatalf("without work: %d %s", got.Code, got.Body)
		}
		n := 0
		for ; sha256.Sum256(fmt.Appendf(nil, "%s:%d", d.Key, n))[0]>>2 != 0; n++ {
		}
		got = from(address, "POST", visitors+"bookings", strings.Replace(body, "{", fmt.Sprintf(`{"key":%q,"proof":"%d",`, d.Key, n), 1))
		return got.Code, got.Body.String()
	}
	for i, want := range []int{201, 201, 429} {
		if code, text := worked("203.0.113.7:1", []string{"2026-12-01T08:00:00Z", "2026-12-01T08:45:00Z", "2026-12-01T09:30:00Z"}[i], fmt.Sprintf("a%d@x.example", i)); code != want {
			t.Errorf("booking %d: %d %s", i+1, code, text)
		}
	}
	// Six calls were made; eight are let through in a minute.
	for i, want := range []int{200, 200, 429} {
		if got := from("203.0.113.7:1", "GET", visitors+"event-types", ""); got.Code != want || want == 429 && got.Header().Get("Retry-After") == "" {
			t.Errorf("call %d: %d", i+7, got.Code)
		}
	}
	if code, text := worked("[2001:db8::1]:1", "2026-12-01T11:00:00Z", "b@x.example"); code != 201 {
		t.Errorf("from another address: %d %s", code, text)
	}
}

// The addresses of one /48 book no more together than four times what one may.
func TestPublicKeyIsLimitedByNetwork(t *testing.T) {
	w := newWorld(t)
	w.door = rest.New(w.Set, rest.Options{Version: "test", Public: rest.PublicOptions{BookingsPerHour: 2}})
	key := w.publicKey(account.Limits{})
	for i := range 9 {
		r := httptest.NewRequest("POST", visitors+"bookings", strings.NewReader(bookingBody("cut", "2026-12-01T08:00:00Z", fmt.Sprintf("a%d@x.example", i))))
		r.RemoteAddr = fmt.Sprintf("[2001:db8:7:%d::1]:1", i)
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		got := httptest.NewRecorder()
		w.door.ServeHTTP(got, r)
		if (got.Code == 429) != (i == 8) || i == 8 && got.Header().Get("Retry-After") == "" {
			t.Errorf("booking %d: %d %s", i+1, got.Code, got.Body)
		}
	}
}

// A service whose fee the visitor must agree to is booked on the page.
func TestPublicKeyTakesNoFee(t *testing.T) {
	w := newWorld(t)
	standIn := stripetest.New(t)
	standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(standIn.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	w.eventType("fee", 30, func(e *catalog.EventType) { e.NoShowFee = &money.Money{Amount: 500, Currency: "EUR"} })
	got := w.do(w.publicKey(account.Limits{}), "POST", visitors+"bookings", bookingBody("fee", "2026-12-01T08:00:00Z", "a@x.example"))
	if code, reason, _ := got.errorOf(t); code != "conflict" || reason != "page_only" || !strings.Contains(got.text, base+"/salon/fee") {
		t.Errorf("%d %s", got.Code, got.text)
	}
}

var htmlSample = regexp.MustCompile("(?s)```html\n(.*?)```")

// The page of the documentation books from another origin in Chromium, proof of work and all; the same page of an origin
// that the key doesn't list learns nothing.
func TestPageOfAnotherOriginBooks(t *testing.T) {
	w := newWorld(t)
	w.door = rest.New(w.Set, rest.Options{Version: "test", Public: rest.PublicOptions{Challenge: 6}})
	api := httptest.NewServer(w.door)
	t.Cleanup(api.Close)
	guide := w.do("", "GET", "/api/docs/public-keys.md", "").text
	sample := htmlSample.FindStringSubmatch(guide)
	if sample == nil {
		t.Fatalf("the guide has no page: %s", guide)
	}
	page := strings.ReplaceAll(sample[1], base, api.URL)
	site := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { fmt.Fprint(rw, page) }))
		t.Cleanup(s.Close)
		return s
	}
	ours, theirs := site(), site()
	page = strings.ReplaceAll(page, "pk_YOUR_KEY", w.publicKey(account.Limits{Origins: []string{ours.URL}, EventTypes: []string{"cut"}}))

	tab := browser.Open(t)
	browser.Do(t, tab, chromedp.Navigate(ours.URL))
	browser.Until(t, tab, `document.querySelector("[name=start]").options.length > 10`)
	start := browser.Eval[string](t, tab, `document.querySelector("[name=start]").value`)
	browser.Do(t, tab, chromedp.SendKeys(browser.CSS(`[name=name]`), "Mia"), chromedp.SendKeys(browser.CSS(`[name=email]`), "mia@x.example"),
		chromedp.Click(browser.CSS(`button`)))
	browser.Until(t, tab, `document.querySelector("[role=status]").textContent.startsWith("Booked: ")`)
	if all := w.do(w.full, "GET", "/api/v1/bookings?invitee=mia@x.example", ""); !strings.Contains(all.text, start) {
		t.Errorf("at %s nothing is booked: %s", start, all.text)
	}

	browser.Do(t, tab, chromedp.Navigate(theirs.URL))
	browser.Eval[bool](t, tab, fmt.Sprintf(`fetch(%q, {headers: {Authorization: "Bearer " + document.scripts[0].textContent.match(/pk_[\w-]+/)[0]}}).then(
		(r) => r.text(), (e) => e.name).then((text) => window.said = text), true`, api.URL+visitors+"event-types"))
	browser.Until(t, tab, `window.said`)
	said := browser.Eval[string](t, tab, `window.said`)
	if n := browser.Eval[int](t, tab, `document.querySelector("[name=service]").options.length`); n != 0 || !strings.Contains(said, "foreign_origin") || strings.Contains(said, "Haircut") {
		t.Errorf("a page of another origin has %d services, and read %q", n, said)
	}
}

// A public key gets the answer for a proof of work while visitors book far more than usual, without any flag.
func TestPublicKeyInARush(t *testing.T) {
	w := newWorld(t)
	w.door = rest.New(w.Set, rest.Options{Version: "test", Public: rest.PublicOptions{BookingsPerHour: 30}})
	key := w.publicKey(account.Limits{})
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}
	limit := 100
	days := 31
	open, err := w.Availability(t.Context(), visitor, availability.Input{EventType: "cut", From: "2026-12-02", Days: &days, Limit: &limit})
	w.Must(err)
	booked := 0
	for _, slot := range open.Slots() {
		if booked == 60 {
			break
		}
		in := apptest.Input("cut", "1T08:00", fmt.Sprintf("a%d", booked))
		in.Start = slot.Start.String()
		if _, err := w.Book(t.Context(), visitor, in); err == nil {
			booked++
		}
	}
	if booked != 60 {
		t.Fatalf("only %d bookings", booked)
	}
	r := httptest.NewRequest("POST", visitors+"bookings", strings.NewReader(bookingBody("cut", "2026-12-01T08:00:00Z", "b@x.example")))
	r.RemoteAddr = "203.0.113.7:1"
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	got := httptest.NewRecorder()
	w.door.ServeHTTP(got, r)
	if text := got.Body.String(); got.Code != 409 || !strings.Contains(text, `"reason":"proof_of_work"`) || !strings.Contains(text, `"bits":16`) {
		t.Errorf("%d %s", got.Code, text)
	}
}

// Where a visitor of a website books from is noted for the texts that it causes, of which an address gets ten an hour; what a
// secret key books is noted from nowhere.
func TestWhereVisitorsBookFromIsNoted(t *testing.T) {
	w := newWorld(t)
	w.Must(w.Text.SetSender(t.Context(), w.Owner, &sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "s", From: "+15005550006"}))
	key := w.publicKey(account.Limits{})
	for i, k := range []string{key, w.full} {
		path := map[bool]string{true: visitors + "bookings", false: "/api/v1/bookings"}[k == key]
		r := httptest.NewRequest("POST", path, strings.NewReader(bookingBody("cut", []string{"2026-12-01T08:00:00Z", "2026-12-01T08:45:00Z"}[i], "b@x.example")))
		r.RemoteAddr = "203.0.113.7:1"
		r.Header.Set("Authorization", "Bearer "+k)
		r.Header.Set("Content-Type", "application/json")
		got := httptest.NewRecorder()
		if w.door.ServeHTTP(got, r); got.Code != 201 {
			t.Fatal(got.Code, got.Body)
		}
		noted := 0
		w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM text_visits`).Scan(&noted))
		if noted != 1 {
			t.Errorf("after %d bookings %d are noted, want the visitor's", i+1, noted)
		}
	}
}
