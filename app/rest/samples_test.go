package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/apptest/outside"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/demo"
	"daybook/app/mail/smtp"
	"daybook/app/rest"
	"daybook/app/rest/openapi"
	"daybook/app/right"
	"daybook/app/subjects"
)

// sampleShop is the demo behind a door that the samples of the documentation call. An operation is carried out once, for
// the first sample that asks for it; the others must send the very same, and get the same answer.
type sampleShop struct {
	t         *testing.T
	door      http.Handler
	set       *subjects.Set
	full, pub string // keys
	mu        sync.Mutex
	done      map[string]sampleCall // by operation
}

type sampleCall struct {
	request string
	code    int
	header  http.Header
	body    []byte
}

func newSampleShop(t *testing.T) *sampleShop {
	t.Helper()
	now := apptest.Monday.Add(5 * time.Hour)
	w := apptest.New(t, apptest.Options{Empty: true, Clock: apptest.Standing(now),
		With: func(c *subjects.Config) { c.BaseURL.Host, c.Vault = "book.test", testVault }})
	r, err := demo.Fill(t.Context(), w.Set, w.Config, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.AddPictures(t.Context(), w.Set, r); err != nil {
		t.Fatal(err)
	}
	known, err := w.Account.Authenticate(r.Key)
	if err != nil {
		t.Fatal(err)
	}
	owner := app.Operator(known.Actor(booking.ByAPI).Workspace)
	if _, err := w.Shop.UpdateWorkspace(t.Context(), owner, func(x *catalog.Workspace) { x.Settings.Consents = testConsents }); err != nil {
		t.Fatal(err)
	}
	key, err := w.Account.CreateKey(t.Context(), owner, account.KeyInput{Name: "samples", Scope: account.FullScope, RateLimit: 1_000_000,
		Areas: right.Settings | right.Contacts | right.Members | right.Keys | right.Payments})
	if err != nil {
		t.Fatal(err)
	}
	public, err := w.Account.CreateKey(t.Context(), owner, account.KeyInput{Name: "page", Scope: account.PublicScope,
		Limits: account.Limits{Origins: []string{"https://page.example"}}, RateLimit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return &sampleShop{t: t, set: w.Set, door: rest.New(w.Set, rest.Options{Version: "test"}), full: key.Value, pub: public.Value, done: map[string]sampleCall{}}
}

// call sends a request to the door and returns the answer's JSON; the test fails unless it is a success.
func (s *sampleShop) call(method, path, body string) map[string]any {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.full)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	got := httptest.NewRecorder()
	s.door.ServeHTTP(got, r)
	if got.Code > 299 {
		s.t.Fatalf("%s %s %s: %d %s", method, path, body, got.Code, got.Body)
	}
	var answer map[string]any
	if got.Body.Len() > 0 {
		if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil {
			s.t.Fatal(err)
		}
	}
	return answer
}

// free returns the start and end of a time at which the service can be booked.
func (s *sampleShop) free(eventType string) (start, end string) {
	s.t.Helper()
	slots, _ := s.call("GET", "/api/v1/availability?limit=1&days=31&eventType="+eventType, "")["data"].([]any)
	if len(slots) == 0 {
		s.t.Fatalf("nothing is free for %s", eventType)
	}
	start, _ = object(slots[0])["start"].(string)
	end, _ = object(slots[0])["end"].(string)
	return start, end
}

// book books the service at the next free time.
func (s *sampleShop) book(eventType string) (id string) {
	s.t.Helper()
	start, _ := s.free(eventType)
	id, _ = s.call("POST", "/api/v1/bookings", fmt.Sprintf(`{"eventType":%q,"start":%q,"invitee":{"name":"Sam","email":"%s@x.example"}}`,
		eventType, start, start[:13]+eventType))["id"].(string)
	return id
}

// first returns the id of the first one of a list that has the value in its field; "" is any.
func (s *sampleShop) first(path, field, value string) (id string) {
	s.t.Helper()
	rows, _ := s.call("GET", "/api/v1/"+path, "")["data"].([]any)
	for _, row := range rows {
		if field == "" || fmt.Sprint(object(row)[field]) == value {
			id, _ = object(row)["id"].(string)
			return id
		}
	}
	s.t.Fatalf("%s has none whose %s is %q", path, field, value)
	return ""
}

// today returns a booking that has begun.
func (s *sampleShop) today() string {
	s.t.Helper()
	return s.first("bookings?from=2026-11-30T00:00:00Z&to=2026-11-30T12:30:00Z&status=confirmed&limit=100", "noShow", "<nil>")
}

// begun books what the body begins to say, at a time today that is over, and returns its id.
func (s *sampleShop) begun(path, body string) (id string) {
	s.t.Helper()
	id, _ = s.call("POST", "/api/v1/"+path, body+`"invitee":{"name":"Vi","email":"vi@x.example"},
		"override":["in_past","outside_hours","off_grid"]}`)["id"].(string)
	return id
}

// upload sends a picture, and returns the id that it got.
func (s *sampleShop) upload(path string) string {
	s.t.Helper()
	r := httptest.NewRequest("POST", "/api/v1/"+path, bytes.NewReader(drawn(s.t, 2)))
	r.Header.Set("Authorization", "Bearer "+s.full)
	r.Header.Set("Content-Type", "image/jpeg")
	got := httptest.NewRecorder()
	s.door.ServeHTTP(got, r)
	var made struct{ ID string }
	if err := json.Unmarshal(got.Body.Bytes(), &made); err != nil || got.Code != 201 {
		s.t.Error(got.Code, got.Body, err)
	}
	return made.ID
}

// prepare makes what a sample of the operation is about, and returns the id in its path and, old and new in turn, what
// else of it is there only in the documentation.
func (s *sampleShop) prepare(operation string) (id string, names []string) {
	s.t.Helper()
	post := func(path, body string) string {
		id, _ := s.call("POST", "/api/v1/"+path, body)["id"].(string)
		return id
	}
	start, _ := s.free("haircut")
	names = []string{"ana@example.com", "ana@salon-linden.example", `"slug":"haircut"`, `"slug":"fringe"`,
		"2026-12-01T09:00:00Z", start, "2026-12-01T10:30:00Z", start}
	switch operation {
	case "getBooking", "rescheduleBooking", "cancelBooking", "recordPayment", "answerComing":
		id = s.book("haircut")
	case "resendMail":
		id = s.book("haircut")
		for n := 1; n > 0; {
			var err error
			if n, err = s.set.Mail.WriteMails(s.t.Context(), 100); err != nil {
				s.t.Error(err)
			}
		}
	case "editBooking":
		id = s.book("haircut")
		end, _ := s.call("GET", "/api/v1/bookings/"+id, "")["end"].(string)
		names = append(names, "2026-12-01T10:15:00Z", end)
	case "issueReceipt":
		id = s.book("haircut")
		s.call("POST", "/api/v1/bookings/"+id+"/payments", `{"amount":1000,"method":"cash"}`)
	case "confirmBooking", "declineBooking":
		id = s.book("bridal")
	case "markArrived", "markDone":
		id = s.today()
	case "markNoShow":
		id = s.begun("bookings", `{"eventType":"haircut","start":"2026-11-30T05:05:00Z",`)
	case "undoMark":
		id = s.today()
		s.call("POST", "/api/v1/bookings/"+id+"/arrived", "")
	case "createVisit":
		slots, _ := s.call("GET", "/api/v1/availability?limit=1&days=31&items=haircut,beard-trim", "")["data"].([]any)
		at, _ := object(slots[0])["start"].(string)
		names = append([]string{"2026-12-01T09:00:00Z", at}, names...)
	case "getVisit", "cancelVisit", "rescheduleVisit":
		id = post("visits", `{"items":[{"eventType":"haircut"}],"start":"`+start+`","invitee":{"name":"Vi","email":"`+operation+`@x.example"}}`)
		start, _ = s.free("haircut")
		names = []string{"2026-12-01T10:30:00Z", start}
	case "getSeries", "cancelSeries", "rescheduleSeries":
		at, _ := s.free("haircut")
		made := s.call("POST", "/api/v1/series", `{"repeat":{"every":1,"unit":"week","count":1},"conflicts":"nearest","eventType":"haircut","start":"`+at+
			`","invitee":{"name":"Se","email":"`+operation+`@x.example"}}`)
		id, _ = made["id"].(string)
		bookings, _ := made["bookings"].([]any)
		first, _ := object(bookings[0])["id"].(string)
		start, _ = s.free("haircut")
		names = []string{"bk_1p4s8ywa0g0s1", first, "2026-12-01T10:30:00Z", start}
	case "getWaitlistEntry", "endWaitlistEntry":
		id = post("waitlist", `{"items":[{"eventType":"haircut"}],"wishes":[{"from":"2026-12-01","to":"2026-12-04"}],"invitee":{"name":"Wa","email":"`+operation+`@x.example"}}`)
	case "offerWaitlistEntry":
		s.set.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
		id = post("waitlist", `{"items":[{"eventType":"haircut"}],"wishes":[{"from":"2026-12-01","to":"2026-12-04"}],"invitee":{"name":"Of","email":"`+operation+`@x.example"}}`)
	case "joinPublicWaitlist":
		s.set.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	case "markVisitNoShow":
		id = s.begun("visits", `{"items":[{"eventType":"haircut"}],"start":"2026-11-30T06:05:00Z",`)
	case "refundPayment":
		paid := s.book("haircut")
		payments, _ := s.call("POST", "/api/v1/bookings/"+paid+"/payments", `{"amount":1000,"method":"cash"}`)["payments"].([]any)
		id, _ = object(payments[0])["id"].(string)
	case "getReceipt":
		id = s.first("receipts", "", "")
	case "createSale":
		id = s.book("haircut")
		names = append(names, "pd_1p4s8yvz04k2c", post("products", `{"name":"`+operation+`","price":{"amount":1290}}`))
	case "getSale", "changeSale", "paySale", "voidSale":
		id = post("sales", `{"lines":[{"kind":"service","bookingId":"`+s.book("haircut")+`"}]}`)
		names = append(names, "pd_1p4s8yvz04k2c", post("products", `{"name":"`+operation+`","price":{"amount":1290}}`))
	case "getPass", "listPassEntries", "showPassCode":
		post("sales", `{"lines":[{"kind":"voucher","amount":5000}],"payments":[{"method":"cash","amount":5000}]}`)
		id = s.first("passes", "", "")
	case "findPass":
		post("sales", `{"lines":[{"kind":"voucher","amount":5000}],"payments":[{"method":"cash","amount":5000}]}`)
		code, _ := s.call("POST", "/api/v1/passes/"+s.first("passes", "", "")+"/code", "")["code"].(string)
		names = append(names, "7M2K-Q9TD-4WXZ-0H5C", code)
	case "refundSale":
		wax := post("products", `{"name":"`+operation+`","price":{"amount":1290}}`)
		id = post("sales", `{"lines":[{"kind":"tip","amount":500},{"kind":"product","productId":"`+wax+`"}],"payments":[{"method":"cash","amount":1790}]}`)
	case "releaseHold":
		id = post("holds", `{"eventType":"haircut","start":"`+start+`"}`)
	case "getEventType", "changeEventType":
		id = "haircut"
	case "retireEventType":
		id = post("event-types", `{"slug":"gone","title":"Gone","durationMinutes":15}`)
	case "deleteOverride":
		id = s.first("hosts", "", "")
		s.call("POST", "/api/v1/hosts/"+id+"/overrides", `{"date":"2026-12-24","hours":[]}`)
	case "endTimeOff":
		id = s.first("hosts", "", "")
		names = append(names, openapi.ExampleTimeOff, post("hosts/"+id+"/time-off", `{"start":"2026-12-29","end":"2026-12-30"}`))
	case "getHost", "changeHost", "listOverrides", "setOverride", "listTimeOff", "giveTimeOff":
		id = s.first("hosts", "", "")
	case "retireHost":
		id = post("hosts", `{"name":"Gus","email":"gus@x.example"}`)
	case "getResource", "changeResource":
		id = s.first("resources", "", "")
	case "retireResource":
		id = post("resources", `{"name":"Gone"}`)
	case "getProduct", "changeProduct", "deleteProduct":
		id = post("products", `{"name":"`+operation+`","price":{"amount":1290}}`)
	case "getContact", "changeContact", "mergeContacts", "deleteContact":
		id = post("contacts", `{"name":"`+operation+`","email":"`+operation+`@x.example"}`)
		names = append(names, "ct_1p4s8yvz04k2c", post("contacts", `{"name":"Into","email":"into@x.example"}`), "+49 30 901820", "+49 30 901821")
	case "getContactCard", "listContactEntries", "createContactEntry", "pinContactEntry", "deleteContactEntry", "listContactFiles",
		"uploadContactFile", "getContactFile", "getContactFileContent", "deleteContactFile":
		id = post("contacts", `{"name":"`+operation+`","email":"`+operation+`@x.example"}`)
		names = append(names, "en_1p4s8ywa0g0q1", post("contacts/"+id+"/entries", `{"kind":"note","text":"Likes tea"}`),
			"cf_1p4s8ywa0g0q2", s.upload("contacts/"+id+"/files"))
	case "listContactConsents", "createContactConsent", "withdrawContactConsent", "listContactHealth", "createContactHealth", "deleteContactHealth":
		id = post("contacts", `{"name":"`+operation+`","email":"`+operation+`@x.example"}`)
		names = append(names, "cs_1p4s8ywa0g0q3", post("contacts/"+id+"/consents", `{"kind":"health"}`),
			"he_1p4s8ywa0g0q4", post("contacts/"+id+"/health", `{"kind":"allergy","text":"PPD"}`))
	case "getMember":
		id = s.first("members", "", "")
	case "changeMember", "removeMember", "inviteMemberAgain":
		id = post("members", `{"email":"`+operation+`@x.example","role":"manager"}`)
	case "getInvitation", "revokeInvitation", "resendInvitation":
		id = post("invitations", `{"eventType":"haircut","email":"in@x.example"}`)
	case "deletePicture":
		id = s.upload("pictures")
	case "getPayment":
		id = "pay_1p4s8ywa0g0m3"
	case "getPicture":
		id = s.first("pictures", "", "")
	case "getWebhookDelivery", "redeliverWebhook":
		hook := post("webhook-endpoints", `{"url":"https://hooks.example.com/`+operation+`","events":["booking.created"]}`)
		id = post("webhook-endpoints/"+hook+"/test", "")
	case "getWebhookEndpoint", "changeWebhookEndpoint", "deleteWebhookEndpoint", "testWebhookEndpoint", "rotateWebhookSecret":
		id = post("webhook-endpoints", `{"url":"https://hooks.example.com/`+operation+`","events":["booking.created"]}`)
	}
	return id, names
}

// ServeHTTP takes /LANGUAGE/OPERATION/api/v1/…, and refuses what is for the operation with "refused-" before it.
func (s *sampleShop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.SplitN(r.URL.Path, "/", 4)
	operation, path := parts[2], "/"+parts[3]
	body, _ := io.ReadAll(r.Body)
	if json.Valid(body) {
		var compact bytes.Buffer
		json.Compact(&compact, sortedJSON(body))
		body = compact.Bytes()
	}
	sent := fmt.Sprint(r.Method, " ", path, "?", r.URL.RawQuery, "\n", r.Header.Get("Authorization"), r.Header.Get("Content-Type"),
		" key: ", r.Header.Get("Idempotency-Key") != "", "\n", string(body))
	if strings.HasPrefix(operation, "refused-") {
		w.WriteHeader(http.StatusConflict)
		io.WriteString(w, `{"error":{"code":"conflict"}}`)
		return
	}
	known, is := s.done[operation]
	if !is {
		id, names := s.prepare(operation)
		replace := strings.NewReplacer(append(names, openapi.ExampleID, id)...)
		again := httptest.NewRequest(r.Method, replace.Replace(path)+"?"+r.URL.RawQuery, strings.NewReader(replace.Replace(string(body))))
		again.Header = r.Header.Clone()
		if strings.Contains(path, "/public/") {
			again.Header.Set("Authorization", "Bearer "+s.pub)
			again.Header.Set("Origin", "https://page.example")
		}
		got := httptest.NewRecorder()
		s.door.ServeHTTP(got, again)
		known = sampleCall{sent, got.Code, got.Header(), got.Body.Bytes()}
		s.done[operation] = known
	} else if known.request != sent {
		s.t.Errorf("%s of %s sends\n%s\nothers\n%s", parts[1], operation, sent, known.request)
	}
	if kind := known.header.Get("Content-Type"); kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(known.code)
	w.Write(known.body)
}

// drawn returns a picture that nobody has, as JPEG.
func drawn(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	m.Pix[0] = 200 * shade
	var text bytes.Buffer
	if err := jpeg.Encode(&text, m, nil); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// sortedJSON returns JSON with the members of each object in order.
func sortedJSON(text []byte) []byte {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return text
	}
	text, _ = json.Marshal(v)
	return text
}

// TestSamplesRun runs the samples of every operation, in each of the four languages, as they are pasted. Each is a
// success on the demo, but for one payment online, of which it has none, and says so; each sends what the others send; and where the server refuses it, the program fails.
func TestSamplesRun(t *testing.T) {
	for _, tool := range []string{"node", "curl", "bash", "go"} {
		_, missing := exec.LookPath(tool)
		outside.Needs(t, "samples", missing)
	}
	out, missing := exec.Command("python3", "-c", "import requests").CombinedOutput()
	if missing != nil {
		missing = fmt.Errorf("python3 with requests: %w: %s", missing, out)
	}
	outside.Needs(t, "samples", missing)
	shop := newSampleShop(t)
	server := httptest.NewServer(shop)
	defer server.Close()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) string {
		got := httptest.NewRecorder()
		shop.door.ServeHTTP(got, httptest.NewRequest("GET", path, nil))
		if got.Code != 200 {
			t.Fatal(path, got.Code)
		}
		return got.Body.String()
	}
	write("picture.jpg", string(drawn(t, 1)))
	program := "package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\t\"log\"\n\t\"net/http\"\n\t\"os\"\n\t\"strings\"\n)\n\n" +
		"func main() { samples[os.Args[1]]() }\n\nvar samples = map[string]func(){\n"
	var names []string
	for _, path := range regexp.MustCompile(`href="(/api/docs/reference/[^"]+)"`).FindAllStringSubmatch(read("/api/docs"), -1) {
		dashed := strings.TrimPrefix(path[1], "/api/docs/reference/")
		name := regexp.MustCompile("-.").ReplaceAllStringFunc(dashed, func(s string) string { return strings.ToUpper(s[1:]) })
		if slices.Contains(names, name) {
			continue
		}
		text := read(path[1] + ".md")
		languages := map[string]bool{}
		for _, f := range fences.FindAllStringSubmatch(text, -1) {
			if languages[f[1]] || f[1] == "json" {
				continue
			}
			languages[f[1]] = true
			for _, as := range []string{name, "refused-" + name} {
				sample := strings.ReplaceAll(f[2], base, server.URL+"/"+f[1]+"/"+as)
				switch f[1] {
				case "go":
					program += fmt.Sprintf("%q: func() {\n%s\n},\n", as, sample)
				case "js":
					write(as+".mjs", sample)
				case "python":
					write(as+".py", sample)
				case "sh":
					write(as+".sh", sample)
				}
			}
		}
		if len(languages) != 4 {
			t.Errorf("%s has samples in %v", name, languages)
		}
		names = append(names, name)
	}
	if len(names) < 80 {
		t.Fatalf("%d operations: %v", len(names), names)
	}
	write("main.go", program+"}\n")
	write("go.mod", "module samples\n\ngo 1.24\n")
	run := func(command ...string) (string, error) {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "DAYBOOK_KEY="+shop.full, "NO_PROXY=*", "no_proxy=*", "GOFLAGS=-buildvcs=false", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("go", "build", "-o", "samples", "."); err != nil {
		t.Fatalf("the samples in Go: %v\n%s", err, out)
	}
	all := slices.Clone(names)
	for _, name := range names {
		all = append(all, "refused-"+name)
	}
	judge := func(language, name, out string, failed bool) {
		refused := strings.HasPrefix(name, "refused-") || name == "getPayment"
		if failed != refused {
			t.Errorf("%s in %s: failed: %t, and refused: %t: %s", name, language, failed, refused, out)
		}
	}
	for _, name := range all {
		out, err := run("./samples", name)
		judge("Go", name, out, err != nil)
	}
	for _, name := range names { // curl says what was answered, not how it went
		if out, err := run("bash", "-e", name+".sh"); err != nil {
			t.Errorf("%s by curl: %v: %s", name, err, out)
		}
	}
	// One process each, which tells of every sample on a line.
	batches := map[string][]string{
		"JavaScript": {"node", "--input-type=module", "-e", `for (const name of process.argv.slice(1)) {
			const print = console.log; console.log = () => {}; let how = "ok"; const before = process.exitCode;
			try { await import(process.cwd() + "/" + name + ".mjs"); } catch (e) { how = "failed " + String(e).replaceAll("\n", " "); }
			console.log = print; console.log(name, how); }`},
		"Python": {"python3", "-c", `import sys, io, contextlib
for name in sys.argv[1:]:
    how = "ok"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(open(name + ".py").read(), name, "exec"), {})
    except Exception as e:
        how = "failed " + str(e).replace("\n", " ")
    print(name, how)`},
	}
	for language, command := range batches {
		out, err := run(append(command, all...)...)
		if err != nil {
			t.Errorf("%s: %v: %s", language, err, out)
		}
		for _, name := range all {
			line := regexp.MustCompile(`(?m)^` + name + ` (ok|failed.*)$`).FindStringSubmatch(out)
			if line == nil {
				t.Errorf("%s in %s has no outcome: %s", name, language, out)
				continue
			}
			judge(language, name, line[1], line[1] != "ok")
		}
	}
	for _, name := range names {
		got := shop.done[name]
		if good := got.code/100 == 2; good == (name == "getPayment") {
			t.Errorf("%s on the demo: %d %s\n%s", name, got.code, got.body, got.request)
		}
	}
}
