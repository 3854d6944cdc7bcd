package rest_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/apptest/outside"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/right"
)

// TestOutsideValidator has ajv hold live answers of every route, and the document's examples, against the document.
func TestOutsideValidator(t *testing.T) {
	tools := outside.Modules(t, "openapi", "ajv", "ajv-formats", "openapi-typescript", "typescript")
	w := newWorld(t)
	ids := w.furnish()
	w.eventType("full", 30, func(e *catalog.EventType) {
		e.Price, e.NoShowFee, e.Seats, e.MaxPerDay = &money.Money{Amount: 1, Currency: "EUR"}, &money.Money{Amount: 2, Currency: "EUR"}, 2, 3
		e.Questions = []catalog.Question{{Key: "q", Label: "Q", Type: "choice", Required: true, Options: []string{"a"}}}
		e.MailsOff, e.ReminderMinutes = []catalog.MailKind{catalog.MailReminder}, []int{60}
	})
	const hooks = "/api/v1/webhook-endpoints"
	made := w.do(w.full, "POST", hooks, hook(hookURL, "*"))
	hookID, _ := made.json(t)["id"].(string)
	keys := map[string]string{"": w.full, "full": w.full, "read-only": w.readOnly, "foreign": w.foreign, "none": ""}
	for _, s := range scenarios {
		key, known := keys[s.key]
		if !known {
			key = s.key
		}
		w.do(key, cmp.Or(s.method, "GET"), "/api"+ids.Replace(s.path), ids.Replace(s.body))
	}
	w.do(w.full, "POST", hooks, hook("http://x", "nothing"))
	post := func(id, action, body string) {
		if got := w.do(w.full, "POST", "/api/v1/bookings/"+id+"/"+action, body); got.Code != 200 {
			t.Errorf("%s: %d %s", action, got.Code, got.text)
		}
	}
	post(w.book("talk", "2026-12-07T08:00:00Z", "ok@x.example"), "confirm", "")
	post(w.book("talk", "2026-12-07T09:00:00Z", "no@x.example"), "decline", `{"reason":"full"}`)
	moved := w.book("class", "2026-12-07T11:00:00Z", "mo@x.example")
	post(moved, "reschedule", `{"start":"2026-12-07T12:00:00Z"}`)
	for n := 1; n > 0; {
		var err error
		n, err = w.Mail.WriteMails(t.Context(), 100)
		w.Must(err)
	}
	w.do(w.full, "POST", "/api/v1/bookings/"+moved+"/resend", "")
	post(moved, "coming", `{"answer":"yes"}`)
	w.do(w.full, "POST", "/api/v1/bookings/"+moved+"/coming", `{"answer":"maybe"}`)
	w.do(w.full, "PATCH", "/api/v1/bookings/"+moved, `{"internalNote":"x","notes":null,"metadata":{"a":"b"}}`)
	due := w.book("color", "2026-12-08T14:00:00Z", "due@x.example")
	paid := w.do(w.full, "POST", "/api/v1/bookings/"+due+"/payments", `{"amount":100,"tip":50,"method":"cash","note":"n"}`)
	receipt, _ := w.do(w.full, "POST", "/api/v1/bookings/"+due+"/receipt", "").json(t)["id"].(string)
	payments, _ := paid.json(t)["payments"].([]any)
	id, _ := object(payments[0])["id"].(string)
	w.do(w.full, "POST", "/api/v1/payments/"+id+"/refund", `{"amount":20}`)
	w.do(w.full, "GET", "/api/v1/receipts/"+receipt, "")
	for _, path := range []string{"receipts", "receipts?booking=" + due, "till"} {
		w.do(w.full, "GET", "/api/v1/"+path, "")
	}
	const products, sales = "/api/v1/products", "/api/v1/sales"
	shop := w.keyOf(account.KeyInput{Scope: account.FullScope, Areas: right.Settings})
	product, _ := w.do(shop, "POST", products, `{"name":"Shampoo","price":{"amount":1290},"stock":4}`).json(t)["id"].(string)
	w.do(shop, "PATCH", products+"/"+product, `{"stock":null,"number":"40-1"}`)
	sold := w.book("color", "2026-12-09T08:00:00Z", "sale@x.example")
	lines := `"lines":[{"kind":"service","bookingId":"` + sold + `"},{"kind":"product","productId":"` + product + `",
		"discount":{"percent":10,"reason":"damaged"}},{"kind":"tip","amount":300}]`
	sale, _ := w.do(w.full, "POST", sales, `{`+lines+`}`).json(t)["id"].(string)
	w.do(w.full, "PATCH", sales+"/"+sale, `{`+lines+`,"discount":{"amount":100,"reason":"regular"}}`)
	w.do(w.full, "POST", sales+"/"+sale+"/payments", `{"payments":[{"method":"cash","amount":1000,"tendered":2000}]}`)
	w.do(w.full, "POST", sales+"/"+sale+"/refund", `{"lines":[2],"amount":100}`)
	void, _ := w.do(w.full, "POST", sales, `{"lines":[{"kind":"tip","amount":300}]}`).json(t)["id"].(string)
	w.do(w.full, "POST", sales+"/"+void+"/void", "")
	ten, _ := w.do(shop, "POST", products, `{"name":"Ten cuts","price":{"amount":40000},"pass":{"credits":10,"days":365}}`).json(t)["id"].(string)
	bought := w.do(w.full, "POST", sales, `{"lines":[{"kind":"pass","productId":"`+ten+`"},{"kind":"voucher","amount":5000,"for":"Mia"}],
		"payments":[{"method":"cash","amount":45000}]}`).json(t)["id"].(string)
	passes, _ := w.do(w.full, "GET", "/api/v1/passes?sale="+bought, "").json(t)["data"].([]any)
	bearer := object(passes[0])["id"].(string)
	code, _ := w.do(w.full, "POST", "/api/v1/passes/"+bearer+"/code", "").json(t)["code"].(string)
	w.do(w.full, "POST", "/api/v1/pass-codes", `{"code":"`+code+`"}`)
	w.do(w.full, "POST", "/api/v1/pass-codes", `{"code":"0000-0000-0000-0000"}`)
	w.do(w.full, "POST", "/api/v1/bookings/"+w.book("color", "2026-12-09T14:00:00Z", "pass@x.example")+"/payments", `{"method":"voucher","amount":0,"pass":"`+code+`"}`)
	w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"color","start":"2026-12-10T14:00:00Z","invitee":{"name":"Pia","email":"pia@x.example"},"payWith":{"pass":"`+code+`"}}`)
	for _, path := range []string{"", "/entries"} {
		w.do(w.full, "GET", "/api/v1/passes/"+bearer+path, "")
	}
	for _, path := range []string{products, products + "/" + product, sales, sales + "/" + sale, "/api/v1/accounts"} {
		w.do(shop, "GET", path, "")
	}
	w.do(shop, "PATCH", "/api/v1/accounts", `{"cash":"1600"}`)
	w.do(w.full, "POST", "/api/v1/holds", `{"eventType":"full","start":"2026-12-10T09:00:00Z","minutes":5}`)
	for _, slug := range []string{"lather", "rinse"} {
		w.eventType(slug, 30, nil)
	}
	w.do(w.full, "GET", "/api/v1/availability?items=lather,rinse&hosts=,"+ana.String()+"&order=any&samePerson=prefer&maxGap=5", "")
	const visitor = `"invitee":{"name":"Vi","email":"vi@x.example"}`
	visit, _ := w.do(w.full, "POST", "/api/v1/visits", `{"items":[{"eventType":"lather"},{"eventType":"rinse"}],"start":"2026-12-11T09:00:00Z",`+visitor+`}`).json(t)["id"].(string)
	for range 4 { // until nobody is free
		w.do(w.full, "POST", "/api/v1/visits", `{"items":[{"eventType":"rinse"},{"eventType":"lather"}],"start":"2026-12-11T09:00:00Z",
			"invitee":{"name":"Vi","phone":"+4930901820"}}`)
	}
	missed, _ := w.do(w.full, "POST", "/api/v1/visits", `{"items":[{"eventType":"lather"},{"eventType":"rinse"}],"start":"2026-12-09T13:00:00Z",`+visitor+`}`).json(t)["id"].(string)
	w.do(w.full, "GET", "/api/v1/visits/"+visit, "")
	waits, _ := w.do(w.full, "POST", "/api/v1/waitlist", `{"items":[{"eventType":"lather"},{"eventType":"rinse"}],"order":"any","wishes":[{"from":"2026-12-08",
		"to":"2026-12-11","days":["tue"],"hours":["09:00-12:00"]}],"until":"2026-12-10",`+visitor+`}`).json(t)["id"].(string)
	w.do(w.full, "POST", "/api/v1/waitlist/"+waits+"/offer", `{"start":"2026-12-15T09:00:00Z"}`)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	w.do(w.full, "POST", "/api/v1/waitlist/"+waits+"/offer", `{"start":"2026-12-15T09:00:00Z"}`)
	w.do(w.full, "GET", "/api/v1/waitlist/"+waits, "")
	w.do(w.full, "DELETE", "/api/v1/waitlist/"+waits, "")
	w.do(w.full, "GET", "/api/v1/waitlist?status=ended", "")
	w.do(w.full, "GET", "/api/v1/waitlist?status=gone", "")
	const often = `"eventType":"rinse","start":"2026-12-14T09:00:00Z",` + visitor
	series := w.do(w.full, "POST", "/api/v1/series", `{"repeat":{"every":1,"unit":"week","count":3},`+often+`}`).json(t)
	w.do(w.full, "POST", "/api/v1/series", `{"repeat":{"every":1,"unit":"week","count":3},`+often+`}`)
	w.do(w.full, "POST", "/api/v1/series", `{"repeat":{"every":1,"unit":"day","until":"2026-12-18","days":["mon"]},`+often+`}`)
	bookings, _ := series["bookings"].([]any)
	first, _ := object(bookings[1])["id"].(string)
	of := "/api/v1/series/" + series["id"].(string)
	w.do(w.full, "GET", of, "")
	w.do(w.full, "GET", "/api/v1/bookings?scope=all&series="+series["id"].(string), "")
	w.do(w.full, "POST", of+"/reschedule", `{"from":"`+first+`","scope":"following","start":"2026-12-21T12:00:00Z"}`)
	w.do(w.full, "POST", of+"/cancel", `{"from":"`+first+`","scope":"following","reason":"away"}`)
	w.do(w.full, "POST", "/api/v1/visits/"+visit+"/reschedule", `{"start":"2026-12-11T12:00:00Z"}`)
	w.do(w.full, "POST", "/api/v1/visits/"+visit+"/cancel", "")
	picture := w.do(w.full, "POST", "/api/v1/pictures", smallPNG(t, 400), "Content-Type", "image/png").json(t)["id"]
	for _, path := range []string{"pictures", "pictures/" + picture.(string)} {
		w.do(w.full, "GET", "/api/v1/"+path, "")
	}
	w.do(w.full, "POST", "/api/v1/till/close", `{"counted":120,"note":"short"}`)
	w.Clock.Advance(10 * 24 * time.Hour)
	for _, mark := range []string{"arrived", "done", "undo", "undo", "no-show"} {
		post(moved, mark, "")
	}
	w.do(w.full, "POST", "/api/v1/visits/"+missed+"/no-show", "")
	w.Clock.Advance(-10 * 24 * time.Hour)
	for _, path := range []string{hooks, hooks + "/" + hookID, hooks + "/wh_nothing", "/api/v1/events", "/api/v1/event-types", "/api/v1/event-types/full",
		"/api/v1/availability?eventType=full&explain=1", "/api/v1/contacts", "/api/v1/bookings?from=2020-01-01"} {
		w.do(w.full, "GET", path, "")
	}
	const deliveries = "/api/v1/webhook-deliveries"
	sent, _ := w.do(w.full, "GET", deliveries, "").json(t)["data"].([]any)
	delivery := deliveries + "/" + object(sent[0])["id"].(string)
	w.do(w.full, "GET", delivery, "")
	w.do(w.full, "POST", delivery+"/redeliver", "")
	w.eventType("vip", 30, func(e *catalog.EventType) { e.Hidden = true })
	const links = "/api/v1/invitations"
	link := w.do(w.full, "POST", links, `{"eventType":"vip","uses":3,"expiresAt":"2027-12-24T18:00:00Z","host":"`+ana.String()+`"}`)
	mailed, _ := w.do(w.full, "POST", links, `{"eventType":"vip","email":"bo@x.example"}`).json(t)["id"].(string)
	w.do(w.full, "POST", links+"/"+mailed+"/resend", "")
	linkID, _ := link.json(t)["id"].(string)
	w.do(w.full, "POST", links+"/"+linkID+"/resend", "")
	for _, path := range []string{links, links + "?eventType=vip&limit=1", links + "/" + linkID, links + "/inv_nothing"} {
		w.do(w.full, "GET", path, "")
	}
	w.do(w.full, "DELETE", links+"/"+linkID, "")
	w.manageAll()
	public := w.publicKey(account.Limits{})
	w.do(public, "GET", visitors+"event-types", "")
	w.do(public, "GET", visitors+"availability?eventType=cut", "")
	w.do(public, "POST", visitors+"bookings", bookingBody("talk", "2026-12-07T14:00:00Z", "page@x.example"))
	const wait = `{"items":[{"eventType":"cut"}],"wishes":[{"from":"2026-12-08","to":"2026-12-11"}],` + visitor + `}`
	w.do(public, "POST", visitors+"waitlist", wait)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	w.do(public, "POST", visitors+"waitlist", wait)
	dir := t.TempDir()
	document, answers := filepath.Join(dir, "openapi.json"), filepath.Join(dir, "answers.json")
	w.Must(os.WriteFile(document, []byte(w.do("", "GET", "/api/v1/openapi.json", "").text), 0o600))
	text, err := json.Marshal(w.heard)
	w.Must(err)
	w.Must(os.WriteFile(answers, text, 0o600))
	script, err := filepath.Abs("testdata/outside/check.mjs")
	w.Must(err)
	t.Log(outside.Run(t, dir, "node", script, document, answers, filepath.Dir(tools)))
	for _, want := range routesOf(t, document) {
		if !strings.HasSuffix(want.name, "/content") && !slices.ContainsFunc(w.heard, func(a heard) bool { return a.Status < 300 && want.form.MatchString(a.Method+" "+a.Path) }) {
			t.Errorf("no success of %s was held against the document", want.name)
		}
	}
}

type routeForm struct {
	name string
	form *regexp.Regexp
}

// routesOf are the operations of a document that answer a body.
func routesOf(t *testing.T, document string) (all []routeForm) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range object(parse(t, text)["paths"]) {
		for method := range object(item) {
			if method != "delete" {
				name := strings.ToUpper(method) + " " + path
				all = append(all, routeForm{name, regexp.MustCompile("^" + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(name, "[^/]+") + "$")})
			}
		}
	}
	return all
}

// TestTypeScript generates types from the document and compiles a program with them.
func TestTypeScript(t *testing.T) {
	tools := outside.Modules(t, "openapi", "ajv", "ajv-formats", "openapi-typescript", "typescript")
	w := newWorld(t)
	dir := t.TempDir()
	w.Must(os.WriteFile(filepath.Join(dir, "openapi.json"), []byte(w.do("", "GET", "/api/v1/openapi.json", "").text), 0o600))
	use, err := os.ReadFile("testdata/outside/use.ts")
	w.Must(err)
	w.Must(os.WriteFile(filepath.Join(dir, "use.ts"), use, 0o600))
	outside.Run(t, dir, "node", filepath.Join(tools, "openapi-typescript", "bin", "cli.js"), "openapi.json", "-o", "api.d.ts")
	outside.Run(t, dir, "node", filepath.Join(tools, "typescript", "bin", "tsc"), "--strict", "--noEmit", "use.ts")
	types, err := os.ReadFile(filepath.Join(dir, "api.d.ts"))
	w.Must(err)
	text := strings.Replace(string(types), "export type $defs = Record<string, never>;", "", 1) // the generator's own, always there
	for _, bad := range []string{`\bany\b`, `Record<string, never>`} {
		code := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(text, "")
		code = strings.ReplaceAll(code, `"any"`, "") // an order
		if at := regexp.MustCompile(bad).FindStringIndex(code); at != nil {
			t.Errorf("the types have %s: …%s", bad, code[max(0, at[0]-300):at[1]])
		}
	}
}

// TestGoClients has both generators of Go read the document, compiles what they make, and calls a server with it. Their
// modules are those of testdata/outside/goclients/go.sum. It takes minutes the first time, so it runs only where
// DAYBOOK_GOCLIENTS names a folder for it, which keeps what was generated.
func TestGoClients(t *testing.T) {
	dir := os.Getenv("DAYBOOK_GOCLIENTS")
	if dir == "" {
		outside.Needs(t, "go-clients", errors.New("DAYBOOK_GOCLIENTS names no folder"))
	}
	w := newWorld(t)
	server := httptest.NewServer(w.door)
	defer server.Close()
	w.Must(os.RemoveAll(dir))
	w.Must(os.CopyFS(dir, os.DirFS("testdata/outside/goclients")))
	w.Must(os.Rename(filepath.Join(dir, "mod"), filepath.Join(dir, "go.mod")))
	w.Must(os.WriteFile(filepath.Join(dir, "openapi.json"), []byte(w.do("", "GET", "/api/v1/openapi.json", "").text), 0o600))
	w.Must(os.Mkdir(filepath.Join(dir, "oapi"), 0o700))
	run := func(command ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -trimpath", "GOWORK=off", "NO_PROXY=*", "no_proxy=*")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("go", "mod", "download"); err != nil {
		outside.Needs(t, "go-clients", fmt.Errorf("%w: %s", err, out))
	}
	w.do(w.full, "POST", "/api/v1/contacts", `{"name":"Fay","phone":"+4930901820"}`)
	w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"color","start":"2026-12-01T08:00:00Z","invitee":{"name":"Bo","phone":"+4930901823"},
		"answers":{"tone":"red","first":true}}`)
	for _, command := range [][]string{
		{"go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "oapi", "-o", "oapi/client.go", "openapi.json"},
		{"go", "tool", "ogen", "--config", "ogen.yml", "--target", "ogen", "--package", "ogen", "--clean", "openapi.json"},
		{"go", "build", "-o", "clients", "."},
		{"./clients", server.URL, w.full},
	} {
		if out, err := run(command...); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
		}
	}
}
