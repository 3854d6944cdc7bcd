package rest_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/apptest/outside"
	"daybook/app/setup"
	"daybook/assets"
)

func TestMain(m *testing.M) { browser.Main(m) }

// unfilled is a mark of a guide, such as {base}.
var unfilled = regexp.MustCompile(`\{(base|version|codes|reasons|conventions|rates|holds|dry-run|error-example|event-example|events|setup-file|routes|fields|values|ids|rights|actions|commands|server-flags|tools|guest-tools)\}`)

// barePath is a path as nobody can call it.
var barePath = regexp.MustCompile(`(?:GET|POST|PATCH|DELETE|PUT) /v1/[a-z-]+|<code>/v1/[a-z-]+`)

var hrefs = regexp.MustCompile(`href="([^"]*)"`)

// site reads all pages of the documentation, by their addresses, as its menu lists them.
func (w *world) site() map[string]string {
	w.T.Helper()
	all := map[string]string{}
	first := w.do("", "GET", "/api/docs", "")
	_, menu, _ := strings.Cut(first.text, `<nav class="menu"`)
	for _, link := range hrefs.FindAllStringSubmatch(menu, -1) {
		got := w.do("", "GET", link[1], "")
		if got.Code != 200 || got.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			w.T.Fatal(link[1], got.Code, got.Header())
		}
		policy := got.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			w.T.Error(link[1], policy)
		}
		all[link[1]] = got.text
	}
	return all
}

// Every operation, object and event has a page, each link leads somewhere, and no page has what the program left open.
func TestSite(t *testing.T) {
	w := newWorld(t)
	pages := w.site()
	var doc struct {
		Paths      map[string]map[string]struct{ Summary string }
		Webhooks   map[string]any
		Components struct{ Schemas map[string]any }
	}
	w.Must(json.Unmarshal([]byte(w.do("", "GET", "/api/v1/openapi.json", "").text), &doc))
	titles := map[string]bool{}
	for path, text := range pages {
		title := regexp.MustCompile(`<h1[^>]*>(.*?)</h1>`).FindStringSubmatch(text)
		if title == nil {
			t.Fatal(path, "has no title")
		}
		titles[html.UnescapeString(title[1])] = true
		body, _, _ := strings.Cut(text, `<nav class="menu"`)
		for _, bad := range []string{"raw HTML", "%!", "style=", "onclick", `src="http`} {
			if strings.Contains(body, bad) {
				t.Error(path, "has", bad)
			}
		}
		if at := barePath.FindString(body); at != "" {
			t.Errorf("%s names the path %s without /api", path, at)
		}
		if mark := unfilled.FindString(strings.ReplaceAll(body, "{id}", "")); mark != "" && path != "/api/docs/contract" {
			t.Error(path, "has a mark that was not filled in:", mark)
		}
		for _, link := range hrefs.FindAllStringSubmatch(body, -1) {
			at, anchor, _ := strings.Cut(strings.TrimPrefix(html.UnescapeString(link[1]), base), "#")
			switch other, is := pages[at]; {
			case at == "" && strings.Contains(body, `id="`+anchor+`"`), at == "" && (anchor == "menu" || anchor == "content"):
			case is && (anchor == "" || strings.Contains(other, `id="`+anchor+`"`)):
			case strings.HasPrefix(at, "/assets/"), strings.HasPrefix(at, "/api/docs/search"), strings.HasSuffix(at, ".md"),
				at == "/api/docs/setup-file.yaml", at == "/api/v1/openapi.json", at == "/dashboard",
				at == "/dashboard/developers/keys/new", at == "https://www.standardwebhooks.com", at == "https://github.com/stripe/stripe-mock":
			default:
				t.Errorf("%s links to %s, which isn't there", path, link[1])
			}
		}
	}
	for _, item := range doc.Paths {
		for _, op := range item {
			if !titles[op.Summary] {
				t.Error("no page is about", op.Summary)
			}
		}
	}
	for name := range doc.Components.Schemas {
		if !titles[name] {
			t.Error("no page is about", name)
		}
	}
	for name := range doc.Webhooks {
		if !titles[name] {
			t.Error("no page is about", name)
		}
	}
	for page, words := range map[string][]string{
		"/api/docs/webhooks": {"X-Service-Signature", "webhook-signature", "whsec_", "standardwebhooks", "constructEvent", "410", "--webhook-allow"},
		"/api/docs/errors":   {"slot_taken", "idempotency_mismatch", "precondition_failed", "alternatives"},
		"/api/docs/embed":    {"service:booked", "data-service-popup"},
		"/api/docs/agents":   {base + "/api/mcp", "/api/guest/"},
		"/api/docs/routes":   {"/api/docs/reference/create-booking", "excludeBooking", "BookingRequest"},
		"/api/docs/fields":   {"rescheduleCount", "internalNote?"},
		"/api/docs/values":   {"on_site", "team_calendar", "bk_", "dropped"},
		"/api/docs/rights":   {"make a booking", "bookings:write", "manage members"},
		"/api/docs/audit":    {"booking.cancellation_undone", "365 days"},
		"/api/docs/contract": {"What never breaks", "/api/docs/routes"},
	} {
		for _, word := range words {
			if !strings.Contains(pages[page], word) {
				t.Errorf("%s does not tell of %s", page, word)
			}
		}
	}
}

// Links to the headings that the contract had before its tables and guides became pages of their own end at a line that
// leads on.
func TestOldAnchorsOfTheContract(t *testing.T) {
	w := newWorld(t)
	page := w.do("", "GET", "/api/docs/contract", "").text
	for _, anchor := range []string{"the-command", "commands", "server-flags", "files", "the-rest-api", "conventions", "routes",
		"errors", "reasons", "idempotency", "dry-run", "rates", "scopes-and-roles", "rights", "https", "resources", "fields",
		"values", "kinds-of-id", "hosts-and-open-times", "bookings", "booking", "overriding", "listing", "moving-and-cancelling",
		"editing", "states", "arrived-and-done", "pending-bookings", "holds", "invitation-links", "contacts",
		"events-and-webhooks", "booking-page-and-embed", "pictures", "agent-tools", "peoples-assistants", "agents-sign-in",
		"payments", "money-at-the-counter", "mail", "notifications-on-devices", "calendars", "the-set-up-file", "operation",
		"audit-log", "health"} {
		if n := strings.Count(page, ` id="`+anchor+`"`); n != 1 {
			t.Errorf("#%s is there %d times", anchor, n)
		}
	}
}

// The tables have all that the program knows: the routes of the document, and the codes, reasons and values of fields.
func TestSiteTables(t *testing.T) {
	w := newWorld(t)
	var doc struct {
		Paths      map[string]map[string]any
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum  []any
					Items struct{ Enum []any }
				}
			}
		}
	}
	w.Must(json.Unmarshal([]byte(w.do("", "GET", "/api/v1/openapi.json", "").text), &doc))
	page := func(name string) string { return w.do("", "GET", "/api/docs/"+name+".md", "").text }
	routes, fields, values, errors := page("routes"), page("fields"), page("values"), page("errors")
	for path, item := range doc.Paths {
		for method := range item {
			if !strings.Contains(routes, "| "+strings.ToUpper(method)+" | [`"+path+"`](") {
				t.Errorf("%s %s is not on the page of routes", method, path)
			}
		}
	}
	for name, s := range doc.Components.Schemas {
		for field, p := range s.Properties {
			if !strings.Contains(fields, "`"+field+"`") && !strings.Contains(fields, "`"+field+"?`") {
				t.Errorf("%s.%s is not on the page of fields", name, field)
			}
			for _, v := range append(p.Enum, p.Items.Enum...) {
				text, on := "`"+fmt.Sprint(v)+"`", values
				if name == "ErrorObject" || name == "ErrorDetails" {
					on = errors
				}
				if v != nil && !strings.Contains(on, text) && !strings.Contains(values, text) {
					t.Errorf("%s of %s.%s is in no table", text, name, field)
				}
			}
		}
	}
}

func TestSiteAsMarkdown(t *testing.T) {
	w := newWorld(t)
	for page, want := range map[string]string{
		"/api/docs/index.md": "# Book in five minutes\n", "/api/docs/errors.md": "# Errors\n", "/api/docs/changelog.md": "\n- `tax.vouchers` of the workspace",
		"/api/docs/reference/create-booking.md": "`POST /api/v1/bookings`", "/api/docs/objects/booking.md": "| `start` |",
	} {
		got := w.do("", "GET", page, "")
		if got.Code != 200 || got.Header().Get("Content-Type") != "text/markdown; charset=utf-8" || !strings.Contains(got.text, want) {
			t.Errorf("%s: %d %v", page, got.Code, got.Header())
		}
	}
	file := w.do("", "GET", "/api/docs/setup-file.yaml", "")
	if file.Code != 200 || file.Header().Get("Content-Type") != "text/plain; charset=utf-8" || file.text+"\n" != setup.Example {
		t.Error(file.Code, file.Header())
	}
}

// An address without a page is an error as everywhere under /api, and only GET reads pages.
func TestSiteElsewhere(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/api/docs/nothing", "/api/docs/nothing.md", "/api/docs/reference/"} {
		if got := w.do("", "GET", path, ""); got.Code != 404 || got.Header().Get("Content-Type") != "application/json" {
			t.Error(path, got.Code, got.Header())
		}
	}
	for _, path := range []string{"/api/docs", "/api/docs/errors"} {
		if got := w.do("", "POST", path, ""); got.Code != 405 || got.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Error(path, got.Code, got.Header())
		}
	}
}

// The pages are light or dark as was chosen in the dashboard.
func TestSiteFollowsTheDashboard(t *testing.T) {
	w := newWorld(t)
	for chosen, want := range map[string]string{"": `data-theme=""`, "dark": `data-theme="dark"`, "light": `data-theme="light"`, `"><b>`: `data-theme=""`} {
		got := w.do("", "GET", "/api/docs", "", "Cookie", "daybook-theme="+chosen)
		if got.Code != 200 || !strings.Contains(got.text, `<html lang="en" `+want) || got.Header().Get("Vary") != "Cookie" {
			t.Errorf("%q: %d %v", chosen, got.Code, got.Header())
		}
	}
}

func TestSiteSearch(t *testing.T) {
	w := newWorld(t)
	for query, want := range map[string]string{
		"slot_taken":       `href="/api/docs/errors#reasons"`,
		"cancel%20booking": `href="/api/docs/reference/cancel-booking#cancel-a-booking"`,
		"INVITEE.EMAIL":    `href="/api/docs/errors`,
		"zzzz":             "No page has all the words of “zzzz”",
		"":                 "Type a word above",
		"%3Czzzz%3E":       "No page has all the words of “&lt;zzzz&gt;”",
		"%00%ff%C4%B0zzzz": "No page has all the words",
		"cancel%20zzzz":    `href="/api/docs/reference/cancel-booking#cancel-a-booking"`,
		"standardwebhooks": `href="/api/docs/webhooks#verify"`,
	} {
		got := w.do("", "GET", "/api/docs/search?q="+query, "")
		if got.Code != 200 || !strings.Contains(got.text, want) {
			t.Errorf("%q: %d, and not %s", query, got.Code, want)
		}
	}
	if got := w.do("", "GET", "/api/docs/search?q="+strings.Repeat("b%20", 4000), ""); got.Code != 200 {
		t.Error("a long search:", got.Code)
	}
}

// What integrators type leads to the page that says it, and not to one that has the word somewhere.
func TestSiteSearchFindsWhatPeopleType(t *testing.T) {
	w := newWorld(t)
	for query, want := range map[string]string{
		"cancel booking":      "reference/cancel-booking#cancel-a-booking",
		"rate limit":          "requests#rates",
		"cors":                "public-keys#keys-for-web-pages",
		"429":                 "requests#rates",
		"slot_taken":          "errors#reasons",
		"no show":             "reference/mark-no-show#record-a-no-show",
		"python":              "requests#a-typed-client",
		"refund":              "reference/refund-sale#give-money-of-a-sale-back",
		"webhook signature":   "webhooks#verify",
		"how do I reschedule": "reference/reschedule-booking#move-a-booking",
		"pagination":          "requests#lists",
		"SDK":                 "requests#a-typed-client",
		"idempotency":         "requests#retries",
		"verify hmac":         "webhooks#verify",
		"time zone":           "requests#conventions",
		"test mode":           "holds#try-without-harm",
		"price":               "take-payments#take-payments-by-api",
		"phone":               "requests#conventions",
		"retry":               "requests#retries",
		"api key":             "requests#keys",
		"crm":                 "crm#keep-a-crm-in-step",
		"wordpress":           "embed#embed-the-booking-page",
		"list services":       "reference/list-event-types#list-event-types",
		"open slots":          "reference/get-availability#list-open-slots",
	} {
		var hits []struct{ Page, Heading, Address string }
		got := w.do("", "GET", "/api/docs/search.json?q="+url.QueryEscape(query), "")
		w.Must(json.Unmarshal([]byte(got.text), &hits))
		if len(hits) == 0 || hits[0].Address != "/api/docs/"+want {
			t.Errorf("%q: %v, not %s first", query, hits, want)
		}
	}
}

// What was found is on its page: a line of a sample, such as a comment of YAML, is no heading.
func TestSiteSearchLeadsToHeadings(t *testing.T) {
	w := newWorld(t)
	pages := w.site()
	seen := map[string]bool{}
	for _, query := range []string{"price", "phone", "booking", "the", "answers", "body", "parameters", "mail", "e", "file", "json"} {
		found := w.do("", "GET", "/api/docs/search?q="+query, "").text
		_, found, _ = strings.Cut(found, `<ol class="hits">`)
		found, _, _ = strings.Cut(found, "</ol>")
		for _, link := range hrefs.FindAllStringSubmatch(found, -1) {
			at, anchor, _ := strings.Cut(html.UnescapeString(link[1]), "#")
			seen[link[1]] = true
			if !strings.Contains(pages[at], ` id="`+anchor+`"`) {
				t.Errorf("%q finds %s, which isn't there", query, link[1])
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d places were found", len(seen))
	}
}

var fences = regexp.MustCompile("(?s)```(\\w+)\n(.*?)\n```")

// Each sample is a program of its language.
func TestSamplesAreWellFormed(t *testing.T) {
	w := newWorld(t)
	node, noNode := exec.LookPath("node")
	python, noPython := exec.LookPath("python3")
	dir := t.TempDir()
	var scripts, programs []string
	for path := range w.site() {
		text := w.do("", "GET", strings.TrimSuffix(path+"/index", "/index")+".md", "").text
		if path == "/api/docs" {
			text = w.do("", "GET", "/api/docs/index.md", "").text
		}
		for i, f := range fences.FindAllStringSubmatch(text, -1) {
			name := filepath.Join(dir, strings.ReplaceAll(path, "/", "_")+string(rune('a'+i)))
			switch f[1] {
			case "go":
				if _, err := parser.ParseFile(token.NewFileSet(), name, "package p\nfunc f() {\n"+f[2]+"\n}", 0); err != nil {
					t.Errorf("%s: %v\n%s", path, err, f[2])
				}
			case "js":
				scripts = append(scripts, name+".mjs")
				w.Must(os.WriteFile(name+".mjs", []byte(f[2]), 0o600))
			case "python":
				programs = append(programs, name+".py")
				w.Must(os.WriteFile(name+".py", []byte(f[2]), 0o600))
			case "json":
				if !json.Valid([]byte(f[2])) {
					t.Errorf("%s: no JSON: %s", path, f[2])
				}
			}
		}
	}
	if len(scripts) < 30 || len(programs) < 30 {
		t.Fatalf("%d scripts and %d programs", len(scripts), len(programs))
	}
	outside.Needs(t, "agent-clients", noNode)
	check := `const { execFileSync } = require("node:child_process"), vm = require("node:vm"), fs = require("node:fs");
		for (const f of process.argv.slice(1)) {
			const text = fs.readFileSync(f, "utf8").replace(/^import .*$/gm, "");
			try { new vm.Script("(async () => {" + text + "\n})"); } catch (e) { console.log(f, e.message, text); process.exitCode = 1; }
		}`
	if out, err := exec.Command(node, append([]string{"-e", check}, scripts...)...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	outside.Needs(t, "caldav", noPython) // Debian's CalDAV servers are written in it
	if out, err := exec.Command(python, append([]string{"-c", "import ast,sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), f)"}, programs...)...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// The first page's commands book and cancel, pasted one after the other; those of the page of holds book what they held.
func TestFiveMinutes(t *testing.T) {
	curl, missing := exec.LookPath("curl")
	if missing == nil {
		_, missing = exec.LookPath("bash")
	}
	outside.Needs(t, "curl", missing)
	w := newWorld(t)
	server := httptest.NewServer(w.door)
	defer server.Close()
	run := func(page string) string {
		t.Helper()
		text := strings.ReplaceAll(w.do("", "GET", "/api/docs/"+page, "").text, base, server.URL)
		script := "set -eu\n"
		for _, f := range fences.FindAllStringSubmatch(text, -1) {
			if f[1] == "sh" {
				script += f[2] + "\n"
			}
		}
		command := exec.Command("bash", "-c", script)
		command.Env = append(os.Environ(), "DAYBOOK_KEY="+w.full, "NO_PROXY=*")
		out, err := command.CombinedOutput()
		if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "}") || strings.Contains(string(out), `"error"`) {
			t.Errorf("%s of %s: %v\n%s", curl, page, err, out)
		}
		return string(out)
	}
	if out := run("index.md"); !strings.Contains(out, `"status":"confirmed"`) || !strings.Contains(out, `"status":"cancelled"`) {
		t.Error(out)
	}
	run("crm.md")
	if out := run("holds.md"); !strings.Contains(out, `"status":"confirmed"`) || !strings.Contains(out, `"dryRun":true`) {
		t.Error(out)
	}
}

// The pages can be used by everybody, fit a telephone, and their tabs and buttons work.
func TestSiteInABrowser(t *testing.T) {
	ctx := browser.Open(t)
	axe := browser.Axe(t)
	w := newWorld(t)
	mux := http.NewServeMux()
	mux.Handle("/api/", w.door)
	mux.Handle(assets.Prefix, assets.Handler(func(string) ([]byte, bool) { return nil, false }))
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, page := range []string{"", "/errors", "/routes", "/fields", "/rights", "/operation", "/contract", "/webhooks", "/setup-file", "/reference/create-booking", "/objects/booking", "/search?q=cancel"} {
		browser.Do(t, ctx, chromedp.Navigate(server.URL+"/api/docs"+page))
		for _, width := range []int64{1280, 390} {
			browser.Resize(t, ctx, width, 844)
			if wide := browser.Eval[int64](t, ctx, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s is %d px wide on a screen of %d", page, wide, width)
			}
			if width == 390 || apptest.Long() { // what breaks a rule does so on a phone
				browser.Accessible(t, ctx, axe)
			}
		}
	}
	browser.Do(t, ctx, chromedp.Navigate(server.URL+"/api/docs/reference/create-booking"))
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector('[data-language=python]').click()`)
	shown := `[...document.querySelectorAll(".sample:has(.tabs) pre")].filter(p => p.checkVisibility()).map(p => p.firstElementChild.className).join()`
	if got := browser.Eval[string](t, ctx, shown); got != "language-python" {
		t.Errorf("after Python was chosen there is %q", got)
	}
	browser.Do(t, ctx, chromedp.Navigate(server.URL+"/api/docs/reference/list-bookings"))
	if got := browser.Eval[string](t, ctx, shown); got != "language-python" {
		t.Errorf("on the next page there is %q", got)
	}
}

// What is typed into the search is suggested below it, for the pointer and for keys.
func TestSiteSuggestions(t *testing.T) {
	ctx := browser.Open(t)
	axe := browser.Axe(t)
	w := newWorld(t)
	mux := http.NewServeMux()
	mux.Handle("/api/", w.door)
	mux.Handle(assets.Prefix, assets.Handler(func(string) ([]byte, bool) { return nil, false }))
	server := httptest.NewServer(mux)
	defer server.Close()
	const field, shown = `input[name=q]`, `[...document.querySelectorAll("[role=option]")].filter(o => o.checkVisibility()).length`
	for _, width := range []int64{1280, 390} {
		browser.Resize(t, ctx, width, 844)
		browser.Do(t, ctx, chromedp.Navigate(server.URL+"/api/docs/times"), chromedp.SendKeys(field, "pagin"),
			chromedp.WaitVisible(`[role=option]`), chromedp.SendKeys(field, "ation"), chromedp.WaitVisible(`//*[@role="option"]//b[text()="Lists"]`))
		browser.Accessible(t, ctx, axe)
		if dir := os.Getenv("DAYBOOK_SHOTS"); dir != "" {
			browser.Shot(t, ctx, dir, fmt.Sprint("docs-suggested-", width))
		}
		if wide := browser.Eval[int64](t, ctx, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("suggestions are %d px wide on a screen of %d", wide, width)
		}
		browser.Do(t, ctx, chromedp.SendKeys(field, kb.Escape))
		if n := browser.Eval[int](t, ctx, shown); n != 0 {
			t.Errorf("after Escape there are still %d suggestions", n)
		}
		browser.Do(t, ctx, chromedp.SendKeys(field, kb.ArrowDown), chromedp.WaitVisible(`[role=option][aria-selected=true]`),
			chromedp.SendKeys(field, kb.Enter), chromedp.WaitVisible(`#lists`))
		if at := browser.Eval[string](t, ctx, "location.pathname + location.hash"); at != "/api/docs/requests#lists" {
			t.Errorf("Enter on the first suggestion leads to %s", at)
		}
		browser.Do(t, ctx, chromedp.SendKeys(field, "hmac"), chromedp.WaitVisible(`[role=option]`), chromedp.SendKeys(field, kb.Enter), chromedp.WaitVisible(`.hits`))
		browser.Do(t, ctx, chromedp.Navigate(server.URL+"/api/docs"), chromedp.SendKeys(field, "hmac sig"), chromedp.WaitVisible(`[role=option]`), chromedp.Click(`[role=option]`), chromedp.WaitVisible(`#verify`))
	}
}
