package assistant_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/outside"
	"daybook/app/assistant"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/id"
	"daybook/app/mail"
)

// answer is what a tool answers.
type answer struct {
	failed bool
	text   string
	fields map[string]any
}

// reason is why it failed, or "".
func (a answer) reason() string {
	e, _ := a.fields["error"].(map[string]any)
	details, _ := e["details"].(map[string]any)
	reason, _ := details["reason"].(string)
	if reason == "" {
		reason, _ = e["code"].(string)
	}
	return reason
}

func (a answer) get(name string) string { s, _ := a.fields[name].(string); return s }

// post sends a message to the tools of a business from a network address.
func (w *world) post(slug, from, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/api/guest/"+slug+"/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("X-Forwarded-For", from)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a := httptest.NewRecorder()
	w.handler.ServeHTTP(a, r)
	return a
}

// call calls a tool of the salon from an address.
func (w *world) call(from, tool string, args map[string]any) (a answer) {
	w.T.Helper()
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args}})
	w.Must(err)
	sent := w.post("salon", from, string(text))
	var m struct {
		Result struct {
			IsError           bool
			StructuredContent map[string]any
		}
	}
	if err := json.Unmarshal(sent.Body.Bytes(), &m); err != nil || sent.Code != 200 {
		w.T.Fatalf("%s: %d %s", tool, sent.Code, sent.Body)
	}
	return answer{m.Result.IsError, sent.Body.String(), m.Result.StructuredContent}
}

// asks asks for a booking.
func (w *world) asks(from, service, at, person string) answer {
	w.T.Helper()
	return w.call(from, "request_booking", map[string]any{"service": service, "start": apptest.At(at), "name": person,
		"email": person + "@mail.example", "locale": "de"})
}

// wants checks the reason of a failure; "" is none.
func (w *world) wants(a answer, reason string) answer {
	w.T.Helper()
	if a.reason() != reason || a.failed != (reason != "") {
		w.T.Fatalf("%q, want %q: %s", a.reason(), reason, a.text)
	}
	return a
}

func (w *world) code(request string) string {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	r, err := id.Parse[booking.GuestIDKind](request)
	w.Must(err)
	return booking.GuestCode(setup, r)
}

func (w *world) link(request string) string {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	r, err := id.Parse[booking.GuestIDKind](request)
	w.Must(err)
	return booking.GuestPath(setup, r)
}

// wrong is a code that isn't this one.
func wrong(code string) string { return fmt.Sprintf("%06d", (atoi(code)+1)%1_000_000) }

func atoi(digits string) (n int) {
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

func (w *world) live() int {
	w.T.Helper()
	p, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed,pending,rescheduled"})
	w.Must(err)
	return len(p.Data)
}

// mails are those that wait, to guests.
func (w *world) mails() (all []mail.Mail) {
	w.T.Helper()
	p, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	for _, m := range p.Data {
		if m.Kind == "guest" {
			all = append(all, m)
		}
	}
	return all
}

const ip = "198.51.100.7"

func TestBooksWithTheCode(t *testing.T) {
	w := newWorld(t)
	w.wants(w.call(ip, "list_services", nil), "")
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "")
	if w.live() != 0 || a.get("status") != "waits_for_confirmation" || a.get("expiresAt") == "" || len(w.mails()) != 1 {
		t.Fatalf("%d bookings, %d mails: %s", w.live(), len(w.mails()), a.text)
	}
	code := w.code(a.get("request"))
	if strings.Contains(a.text, code) {
		t.Error("the answer has the code")
	}
	_, err := w.Book(t.Context(), w.API, apptest.Input("cut", "1T10:00", "leo"))
	w.Refused(err, "conflict", "slot_taken")
	w.wants(w.call(ip, "confirm_booking", map[string]any{"request": a.get("request"), "code": wrong(code)}), "wrong_mail_code")
	b := w.wants(w.call(ip, "confirm_booking", map[string]any{"request": a.get("request"), "code": code[:3] + " " + code[3:]}), "")
	if b.get("status") != "confirmed" || b.get("local") != "2026-12-01T10:00:00+01:00" && b.get("start") != apptest.At("1T10") || w.live() != 1 {
		t.Errorf("booked %s", b.text)
	}
	w.wants(w.call(ip, "confirm_booking", map[string]any{"request": a.get("request"), "code": code}), "request_over")
	link := b.get("link")
	w.wants(w.call(ip, "check_availability", map[string]any{"service": "cut", "link": link, "from": "2026-12-01", "days": 1}), "")
	m := w.wants(w.call(ip, "move_booking", map[string]any{"link": link, "start": apptest.At("1T12")}), "")
	if m.get("status") != "rescheduled" || m.get("start") != apptest.At("1T12") {
		t.Errorf("moved %s", m.text)
	}
	w.wants(w.call(ip, "move_booking", map[string]any{"link": link[:len(link)-1] + "x", "start": apptest.At("1T13")}), "not_found")
	w.wants(w.call(ip, "cancel_booking", map[string]any{"link": link, "reason": "ill"}), "")
	w.wants(w.call(ip, "get_booking", map[string]any{"link": link}), "")
	if w.live() != 0 {
		t.Error("it is not cancelled")
	}
}

// Opening the mail's link books nothing; its button does, once.
func TestBooksByTheLink(t *testing.T) {
	w := newWorld(t)
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "")
	at := w.link(a.get("request"))
	for range 3 {
		w.has(at, 200, []string{"Haircut", `method="post"`, "mia"}, nil)
		w.do("HEAD", at)
	}
	if w.live() != 0 {
		t.Fatal("opening the link books")
	}
	done := w.do("POST", at)
	if done.Code != 303 || !strings.HasPrefix(done.Header().Get("Location"), "/booking/") || w.live() != 1 {
		t.Fatalf("%d %v: %d bookings", done.Code, done.Header(), w.live())
	}
	w.has(at, 200, []string{"This request is over"}, []string{`method="post"`, "mia"})
	if again := w.do("POST", at); again.Code != 200 || w.live() != 1 {
		t.Errorf("again: %d, %d bookings", again.Code, w.live())
	}
	for _, path := range []string{at + "x", strings.Replace(at, "/confirm", "0/confirm", 1), "/booking/x/confirm"} {
		if a := w.do("POST", path); a.Code != 404 {
			t.Errorf("%s: %d", path, a.Code)
		}
	}
	if h := w.do("GET", at).Header(); h.Get("X-Robots-Tag") != "noindex" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cache-Control") != "no-store" ||
		!strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("headers %v", h)
	}
}

func TestARequestEnds(t *testing.T) {
	w := newWorld(t)
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "")
	request, code := a.get("request"), w.code(a.get("request"))
	for i := range 5 {
		e := w.wants(w.call(ip, "confirm_booking", map[string]any{"request": request, "code": wrong(code)}), "wrong_mail_code")
		if !strings.Contains(e.text, fmt.Sprintf(`"attemptsLeft":%d`, 4-i)) {
			t.Errorf("attempt %d: %s", i+1, e.text)
		}
	}
	w.wants(w.call(ip, "confirm_booking", map[string]any{"request": request, "code": code}), "request_over")
	w.Booked("cut", "1T10:00", "leo") // the time is open again
	w.Clock.Advance(11 * time.Minute)
	b := w.wants(w.asks(ip, "cut", "1T12", "zoe"), "")
	w.Clock.Advance(10*time.Minute + time.Second)
	w.wants(w.call(ip, "confirm_booking", map[string]any{"request": b.get("request"), "code": w.code(b.get("request"))}), "request_over")
	if done := w.do("POST", w.link(b.get("request"))); done.Code != 200 || w.live() != 1 {
		t.Errorf("after its end: %d, %d bookings", done.Code, w.live())
	}
	w.Booked("cut", "1T12:00", "eva")
}

// The same again is the same: nothing is extended, nobody is mailed twice; somebody has one request at a time, and a
// mail in ten minutes and three a day.
func TestMailsAreFew(t *testing.T) {
	w := newWorld(t)
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "")
	w.Clock.Advance(3 * time.Minute)
	b := w.wants(w.asks("203.0.113.50", "cut", "1T10", "MIA"), "")
	if a.get("request") != b.get("request") || a.get("expiresAt") != b.get("expiresAt") || len(w.mails()) != 1 {
		t.Errorf("%s\n%s\n%d mails", a.text, b.text, len(w.mails()))
	}
	w.wants(w.asks("203.0.113.51", "cut", "1T12", "mia"), "request_waits")
	w.wants(w.call(ip, "confirm_booking", map[string]any{"request": a.get("request"), "code": w.code(a.get("request"))}), "")
	w.wants(w.asks("203.0.113.52", "cut", "1T12", "mia"), "too_many_mails")
	for i := range 2 {
		w.Clock.Advance(11 * time.Minute)
		w.wants(w.asks(fmt.Sprintf("203.0.113.%d", 60+i), "cut", fmt.Sprintf("%dT12", 2+i), "mia"), "")
	}
	w.Clock.Advance(11 * time.Minute)
	w.wants(w.asks("203.0.113.70", "cut", "1T14", "mia"), "too_many_mails")
	if n := len(w.mails()); n != 3 {
		t.Errorf("%d mails, want 3", n)
	}
	w.Clock.Advance(24 * time.Hour)
	w.wants(w.asks("203.0.113.71", "cut", "3T14", "mia"), "")
}

// Everybody whose assistant calls from a listed network is somebody of their own: what one person or the business is
// mailed is bounded, and what the network is, by far more. Other networks have the limits of one person.
func TestAssistantsOfManyPeopleShareAnAddress(t *testing.T) {
	w := newWorld(t)
	week := 0
	asked := func(from string, n int) (refused string) { // each for a day of its own: visitors' holds close only a part of one
		t.Helper()
		week += 3
		for i := range n {
			a := w.asks(from, "cut", fmt.Sprintf("%dT10", 7*(week-2+i/5)+i%5), fmt.Sprintf("p%s%d", from[:3], i))
			if a.reason() != "" {
				return fmt.Sprint(i, " ", a.reason())
			}
		}
		return ""
	}
	if got := asked("160.79.106.7", 12); got != "" {
		t.Errorf("from the assistants' network: %s", got)
	}
	if n := len(w.mails()); n != 12 {
		t.Errorf("%d mails", n)
	}
	if got := asked("203.0.113.9", 12); got != "2 too_many_holds" {
		t.Errorf("from another network: %q", got)
	}
	for i := range 3 {
		w.Clock.Advance(11 * time.Minute)
		w.wants(w.asks(fmt.Sprint("160.79.107.", i), "cut", fmt.Sprintf("%dT12", 14+i), "mia"), "")
	}
	w.Clock.Advance(11 * time.Minute)
	w.wants(w.asks("160.79.107.9", "cut", "17T12", "mia"), "too_many_mails") // one person, whatever the network
}

// Somebody without a key, with as many network and mail addresses as they like, holds a small part of a calendar.
func TestNobodyEmptiesACalendar(t *testing.T) {
	w := newWorld(t)
	held, n := 0, 0
	for hour := 9; hour < 17; hour++ {
		for range 3 {
			n++
			a := w.asks(fmt.Sprintf("203.0.113.%d", n), "cut", fmt.Sprintf("2T%02d", hour), fmt.Sprintf("p%d", n))
			if !a.failed {
				held++
			}
		}
	}
	if held != 1 { // a fifth of eight starts
		t.Errorf("%d of 8 starts of a day are held", held)
	}
	w.wants(w.asks(ip, "cut", "3T09", "ada"), "")
	w.wants(w.asks(ip, "cut", "4T09", "bea"), "")
	w.wants(w.asks(ip, "cut", "7T09", "cleo"), "too_many_holds") // two of an address
	if len(w.mails()) != held+2 || w.live() != 0 {
		t.Errorf("%d mails, %d bookings", len(w.mails()), w.live())
	}
	// Nor mails strangers: ten a day from an address.
	sent := 2
	for i := range 30 {
		w.Clock.Advance(11 * time.Minute)
		if a := w.asks(ip, "cut", fmt.Sprintf("%dT%02d", 7+i/8%3, 9+i%8), fmt.Sprintf("stranger%d", i)); !a.failed {
			sent++
		}
	}
	if sent != 10 {
		t.Errorf("%d mails in six hours from one address", sent)
	}
}

func TestSwitchedOffIsNowhere(t *testing.T) {
	w := newWorld(t)
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "")
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	if got := w.post("salon", ip, list); got.Code != 200 || strings.Count(got.Body.String(), `"inputSchema"`) != 7 {
		t.Fatalf("%d %s", got.Code, got.Body)
	}
	off, nobody := w.post("quiet", ip, list), w.post("nobody", ip, list)
	if off.Code != 404 || strings.ReplaceAll(off.Body.String(), requestID(off), "") != strings.ReplaceAll(nobody.Body.String(), requestID(nobody), "") {
		t.Errorf("%d %s, %s", off.Code, off.Body, nobody.Body)
	}
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.AssistantsMayBook = false })
	w.Must(err)
	for _, method := range []string{"initialize", "tools/list", "tools/call", "ping"} {
		if got := w.post("salon", ip, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{}}`); got.Code != 404 {
			t.Errorf("%s: %d", method, got.Code)
		}
	}
	// What was mailed before can be confirmed: the business has offered it, and the person was told so.
	if done := w.do("POST", w.link(a.get("request"))); done.Code != 303 {
		t.Errorf("a link from before: %d", done.Code)
	}
}

func requestID(a *httptest.ResponseRecorder) string { return a.Header().Get("X-Request-Id") }

func TestHiddenServicesAreNowhere(t *testing.T) {
	w := newWorld(t)
	if a := w.wants(w.call(ip, "list_services", nil), ""); strings.Contains(a.text, "secret") || strings.Contains(a.text, "closed") || !strings.Contains(a.text, `"cut"`) {
		t.Errorf("listed %s", a.text)
	}
	for _, slug := range []string{"secret", "closed", "nothing"} {
		w.wants(w.call(ip, "check_availability", map[string]any{"service": slug}), "not_found")
		w.wants(w.asks(ip, slug, "1T10", "mia"), "not_found")
	}
	if len(w.mails()) != 0 {
		t.Error("somebody was mailed")
	}
	// The link of a booking at another business leads nowhere here.
	other, err := w.WorkspaceBySlug(t.Context(), "quiet")
	w.Must(err)
	b, err := w.Book(t.Context(), app.Actor{Kind: booking.ByAPI, Workspace: other.ID}, apptest.Input("talk", "7T10:00", "ben"))
	w.Must(err)
	w.wants(w.call(ip, "get_booking", map[string]any{"link": b.ManageURL}), "not_found")
	w.wants(w.call(ip, "cancel_booking", map[string]any{"link": b.ManageURL}), "not_found")
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	w := newWorld(t)
	good := map[string]any{"service": "cut", "start": apptest.At("1T10"), "name": "Mia", "email": "mia@mail.example"}
	for change, reason := range map[string]string{
		`{"email":""}`: "invalid", `{"email":"mia"}`: "invalid", `{"name":""}`: "invalid", `{"dryRun":true}`: "invalid",
		`{"start":"soon"}`: "invalid", `{"seats":"two"}`: "invalid", `{"override":["busy"]}`: "invalid",
		`{"start":"` + apptest.At("1T10:07") + `"}`: "off_grid",
	} {
		args := map[string]any{}
		for k, v := range good {
			args[k] = v
		}
		w.Must(json.Unmarshal([]byte(change), &args))
		if a := w.call(ip, "request_booking", args); !a.failed || a.reason() != reason {
			t.Errorf("%s: %s", change, a.text)
		}
	}
	for name, a := range map[string]*httptest.ResponseRecorder{
		"foreign_origin": w.post("salon", ip, `{}`, "Origin", "https://evil.example"),
		"POST":           w.do("GET", "/api/guest/salon/mcp"),
		"JSON":           w.post("salon", ip, `{}`, "Content-Type", "text/plain"),
		"64 KiB":         w.post("salon", ip, strings.Repeat(" ", 70_000)),
		"listened":       w.post("salon", ip, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`),
	} {
		if a.Code < 400 || !strings.Contains(strings.ReplaceAll(a.Body.String(), "application/json", "JSON"), name) {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
}

func TestCallsAreCounted(t *testing.T) {
	w := newWorld(t, func(o *assistant.Options) { o.CallsPerMinute = 3 })
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for i := range 4 {
		if a := w.post("salon", ip, ping); (a.Code == 429) != (i == 3) {
			t.Errorf("call %d: %d", i+1, a.Code)
		}
	}
	if a := w.post("salon", "203.0.113.9", ping); a.Code != 200 {
		t.Errorf("somebody else: %d", a.Code)
	}
	w.Clock.Advance(time.Minute)
	if a := w.post("salon", ip, ping); a.Code != 200 {
		t.Errorf("a minute later: %d", a.Code)
	}
}

// A server whose form asks for a proof of work asks assistants for one, too; it is good for one request.
func TestWorkIsAskedFor(t *testing.T) {
	w := newWorld(t, func(o *assistant.Options) { o.Challenge = 8 })
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "proof_of_work")
	details := a.fields["error"].(map[string]any)["details"].(map[string]any)
	key := details["key"].(string)
	args := map[string]any{"service": "cut", "start": apptest.At("1T10"), "name": "Mia", "email": "mia@mail.example", "key": key, "proof": work(key, 8)}
	w.wants(w.call(ip, "request_booking", args), "")
	args["start"], args["email"] = apptest.At("2T10"), "leo@mail.example"
	w.wants(w.call(ip, "request_booking", args), "proof_of_work")
}

// So does a business at which visitors book far more than usual, without any flag.
func TestWorkIsAskedForInARush(t *testing.T) {
	w := newWorld(t)
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}
	days, most := 31, 60
	open, err := w.Availability(t.Context(), visitor, availability.Input{EventType: "cut", From: "2026-12-05", Days: &days, Limit: &most})
	w.Must(err)
	for i, slot := range open.Slots() {
		if i == 59 {
			w.wants(w.asks(ip, "cut", "1T10", "ida"), "")
		}
		in := apptest.Input("cut", "1T10", fmt.Sprintf("visitor%d", i))
		in.Start = slot.Start.String()
		_, err := w.Book(t.Context(), visitor, in)
		w.Must(err)
	}
	a := w.wants(w.asks(ip, "cut", "1T11", "mia"), "proof_of_work")
	if bits := a.fields["error"].(map[string]any)["details"].(map[string]any)["bits"]; bits != 16.0 {
		t.Errorf("%v bits", bits)
	}
}

// The addresses of one /48 ask for no more together than four times what one may.
func TestRequestsAreLimitedByNetwork(t *testing.T) {
	w := newWorld(t, func(o *assistant.Options) { o.BookingsPerHour = 1 })
	for i := range 5 {
		reason := ""
		if i == 4 {
			reason = "rate_limited"
		}
		w.wants(w.asks(fmt.Sprintf("2001:db8:7:%d::1", i), "cut", fmt.Sprintf("%dT10", []int{1, 2, 3, 4, 7}[i]), fmt.Sprintf("mia%d", i)), reason)
	}
}

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) { clients(t) }

func clients(t *testing.T) string {
	t.Helper()
	return outside.Install(t, "agent-clients", "../agent/testdata/client/package.json")
}

// The official clients, 1.x and 2.x, book, move and cancel as a guest; the person's part, reading the mail, is the test's.
func TestTypeScriptClient(t *testing.T) {
	dir := clients(t)
	script, err := os.ReadFile("testdata/guest.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "guest.mjs"), script, 0o644); err != nil { // beside node_modules, where imports look
		t.Fatal(err)
	}
	for _, line := range []string{"1", "2"} {
		t.Run(line, func(t *testing.T) {
			w := newWorld(t)
			server := httptest.NewServer(w.handler)
			defer server.Close()
			// The person reads the code out of the mail, over a port of their own.
			person := httptest.NewServer(personReads(w))
			defer person.Close()
			outside.Run(t, dir, "node", "guest.mjs", line, server.URL+"/api/guest/salon/mcp", person.URL)
			if n := w.live(); n != 0 {
				t.Errorf("%d bookings are left", n)
			}
		})
	}
}

// An assistant that asks with somebody's address hears what it would hear with any other. Only by the code, which was
// mailed there, does the person learn that they have that time already.
func TestAskingTellsNothingOfAnAddress(t *testing.T) {
	told := map[string]string{}
	for person, reason := range map[string]string{"mia": "already_booked", "eve": ""} {
		w := newWorld(t)
		w.Offer("class", 60, func(e *catalog.EventType) { e.Seats = 4 })
		w.Booked("class", "1T10", "mia")
		a := w.wants(w.asks(ip, "class", "1T10", person), "")
		told[person] = strings.NewReplacer(a.get("request"), "", person+"@mail.example", "").Replace(a.text)
		w.wants(w.call(ip, "confirm_booking", map[string]any{"request": a.get("request"), "code": w.code(a.get("request"))}), reason)
	}
	if told["mia"] != told["eve"] {
		t.Errorf("the address of a booking is told\n%s\nany other\n%s", told["mia"], told["eve"])
	}
}

// What a service requires makes a request of what an assistant books, the same for who has given it.
func TestAssistantsLearnOfNoConsent(t *testing.T) {
	w := newWorld(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = []catalog.ConsentKind{{Key: "patch-test", Name: "Patch test", Wording: "I had one."}}
	})
	w.Must(err)
	w.Offer("dye", 60, func(e *catalog.EventType) { e.Requires = []catalog.Requirement{{Consent: "patch-test", Within: 180}} })
	mia, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Mia", Email: "mia@mail.example"})
	w.Must(err)
	_, err = w.People.RecordConsent(t.Context(), w.Owner, mia.ID.String(), contact.ConsentInput{Kind: "patch-test"})
	w.Must(err)
	for person, at := range map[string]string{"mia": "1T10", "eve": "1T12"} {
		a := w.wants(w.asks(ip, "dye", at, person), "")
		b := w.wants(w.call(ip, "confirm_booking", map[string]any{"request": a.get("request"), "code": w.code(a.get("request"))}), "")
		if b.get("status") != "pending" {
			t.Errorf("%s: %s", person, b.text)
		}
	}
}
