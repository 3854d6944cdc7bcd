package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/apptest/outside"
	"daybook/app/catalog"
	"daybook/app/money"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) { browser.Main(m) }

// viewOf reads a view as clients do.
func (w *world) viewOf(uri string) string {
	w.Helper()
	var got struct {
		Result struct {
			Contents []struct {
				URI, MimeType, Text string
				Meta                map[string]any `json:"_meta"`
			}
		}
	}
	res := w.request("POST", "/api/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri))
	must(w.T, json.NewDecoder(res.Body).Decode(&got))
	if len(got.Result.Contents) != 1 || got.Result.Contents[0].URI != uri || got.Result.Contents[0].MimeType != "text/html;profile=mcp-app" {
		w.Fatalf("%s: %+v", uri, got)
	}
	return got.Result.Contents[0].Text
}

// Each view of a tool is there, is small, loads nothing and has nothing of a workspace.
func TestViews(t *testing.T) {
	w := newWorld(t)
	var list struct {
		Result struct {
			Resources []struct{ URI, MimeType string }
			Tools     []struct {
				Name string
				Meta struct {
					UI struct{ ResourceURI string }
				} `json:"_meta"`
			}
			Capabilities struct {
				Resources  map[string]any
				Extensions map[string]any
			}
		}
	}
	ask := func(method, params string) {
		t.Helper()
		res := w.request("POST", "/api/mcp/desk", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
		must(t, json.NewDecoder(res.Body).Decode(&list))
	}
	ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	if list.Result.Capabilities.Resources == nil || list.Result.Capabilities.Extensions["io.modelcontextprotocol/ui"] == nil {
		t.Errorf("%+v", list.Result.Capabilities)
	}
	ask("resources/list", "{}")
	ask("tools/list", "{}")
	of := map[string]string{}
	for _, r := range list.Result.Resources {
		text := w.viewOf(r.URI)
		of[r.URI] = ""
		if len(text) > 60_000 || r.MimeType != "text/html;profile=mcp-app" {
			t.Errorf("%s: %s, %d bytes", r.URI, r.MimeType, len(text))
		}
		t.Logf("%s: %d bytes", r.URI, len(text))
		for _, never := range []string{"http:", "https:", "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "src=", "@import", "url(", w.Workspace.Slug} {
			if strings.Contains(text, never) {
				t.Errorf("%s has %s", r.URI, never)
			}
		}
		if strings.Count(text, "</script>") != 2 || strings.Contains(text, `:"chat_`) {
			t.Errorf("%s is not whole", r.URI)
		}
	}
	for _, tool := range list.Result.Tools {
		if uri := tool.Meta.UI.ResourceURI; uri != "" {
			if _, there := of[uri]; !there {
				t.Errorf("%s: no %s", tool.Name, uri)
			}
			of[uri] = tool.Name
		}
	}
	for uri, tool := range of {
		if tool == "" {
			t.Errorf("no tool has %s", uri)
		}
	}
	if len(of) != 3 {
		t.Errorf("%d views", len(of))
	}
}

// host is a program that shows views, as a page in a browser.
type host struct {
	*world
	ctx   context.Context // the page
	url   string
	shown map[string]any
}

// newHost serves a host page made of the official library, and its sandbox at another origin.
func newHost(w *world) *host {
	w.Helper()
	dir := outside.Install(w.T, "agent-clients", "testdata/apps/package.json")
	script, err := os.ReadFile("testdata/apps/host.mjs")
	must(w.T, err)
	must(w.T, os.WriteFile(filepath.Join(dir, "host.mjs"), script, 0o644))
	outside.Run(w.T, dir, "esbuild", "host.mjs", "--bundle", "--format=esm", "--outfile=host.js", "--log-level=error")
	h := &host{world: w, ctx: browser.Open(w.T)}
	sandbox := httptest.NewServer(http.FileServer(http.Dir("testdata/apps")))
	w.Cleanup(sandbox.Close)
	mux := http.NewServeMux()
	mux.Handle("/host.js", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/shown", func(rw http.ResponseWriter, r *http.Request) {
		h.shown["sandbox"] = strings.Replace(sandbox.URL, "127.0.0.1", "localhost", 1) + "/sandbox.html"
		json.NewEncoder(rw).Encode(h.shown) //nolint:errcheck // the page would say so
	})
	mux.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(rw, `<!doctype html><html lang="en"><title>host</title><style>body{margin:0}iframe{border:0;width:100%;display:block}</style><body><script type="module" src="/host.js"></script>`)
	})
	page := httptest.NewServer(mux)
	w.Cleanup(page.Close)
	h.url = page.URL
	return h
}

// frame is a view that is shown.
type frame struct {
	*host
	ctx context.Context // of the view itself
}

// show has a view show what a tool answered.
func (h *host) show(view string, a answer, set map[string]any) *frame {
	h.Helper()
	h.shown = map[string]any{"html": h.viewOf("ui://daybook/" + view), "arguments": map[string]any{}, "theme": "light", "locale": "en-US",
		"result": map[string]any{"content": a.Content, "structuredContent": a.Structured, "isError": a.IsError}}
	for name, value := range set {
		h.shown[name] = value
	}
	browser.Do(h.T, h.ctx, chromedp.Navigate(h.url))
	browser.Until(h.T, h.ctx, `window.given`)
	f := &frame{host: h}
	apptest.Eventually(h.T, "the view's frame is there", func() bool {
		all, err := chromedp.Targets(h.ctx)
		must(h.T, err)
		for _, target := range all {
			if target.Type == "iframe" && target.URL == "about:srcdoc" {
				ctx, cancel := chromedp.NewContext(h.ctx, chromedp.WithTargetID(target.TargetID))
				h.Cleanup(cancel)
				f.ctx = ctx
				return true
			}
		}
		return false
	})
	f.until(`view.childElementCount > 0`)
	return f
}

func (f *frame) until(js string) { f.Helper(); browser.Until(f.T, f.ctx, js) }

func (f *frame) text() string { return browser.Eval[string](f.T, f.ctx, `document.body.innerText`) }

// press clicks with the mouse on the button that says so. A browser that is busy may drop the press before it knows what
// lies under the pointer: then nothing has heard of it, and it is pressed again, as a person would.
func (f *frame) press(says string) {
	f.Helper()
	height := browser.Eval[int](f.T, f.ctx, `Math.ceil(document.body.getBoundingClientRect().height)`)
	browser.Until(f.T, f.host.ctx, fmt.Sprintf(`document.querySelector("iframe").clientHeight >= %d`, height)) // it has grown
	for _, ctx := range []context.Context{f.ctx, f.host.ctx} {                                                 // a browser drops what is pressed before it has drawn
		browser.Eval[bool](f.T, ctx, `window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true; })) > 0`)
		browser.Until(f.T, ctx, `window.drawn`)
	}
	at := browser.Eval[[]float64](f.T, f.ctx, fmt.Sprintf(`(() => {
		const x = [...document.querySelectorAll("button")].find((b) => b.innerText.includes(%q));
		const r = x.getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2];
	})()`, says))
	browser.Eval[bool](f.T, f.ctx, `window.pressed = false; addEventListener("click", () => { window.pressed = true; }, { capture: true, once: true }); true`)
	for range 3 {
		browser.Do(f.T, f.host.ctx, chromedp.MouseClickXY(at[0], at[1]))
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if browser.Eval[bool](f.T, f.ctx, `window.pressed`) {
				return
			}
		}
	}
	f.Fatalf("nothing hears of a click on %s", says)
}

func (f *frame) said() []string { return browser.Eval[[]string](f.T, f.host.ctx, `window.said`) }

// What somebody presses in a view is said in the chat, and names of strangers are only ever text.
func TestViewsInAHost(t *testing.T) {
	w := newWorld(t)
	h := newHost(w)
	const bad = `<img src=x onerror="document.title='hit'">`
	w.Offer("trim", 60, func(e *catalog.EventType) {
		e.Hosts, e.Price = []catalog.HostRef{{ID: 1}, {ID: 2}}, &money.Money{Amount: 4500, Currency: "EUR"}
	})
	f := h.show("times", w.call("check_availability", `{"eventType":"trim","days":3,"timeZone":"Europe/Berlin"}`), nil)
	f.press("10:00")
	f.until(`document.querySelector("select")`)
	f.press("Ask for")
	f.until(`document.querySelector("[role=status]")`)
	if said := f.said(); len(said) != 1 || !strings.Contains(said[0], "(start 2026-11-30T09:00:00Z)") || !strings.Contains(said[0], "Monday, November 30") {
		t.Errorf("said %q", said)
	}
	browser.Accessible(t, f.ctx, browser.Axe(t))

	book := fmt.Sprintf(`{"eventType":"trim","start":"2026-12-01T09:00:00Z","invitee":{"name":%q,"phone":"030 1234567"}`, bad)
	f = h.show("confirm", w.call("create_booking", book+`,"dryRun":true}`), map[string]any{"locale": "de-DE"})
	for _, says := range []string{"Soll das geschehen?", "Dienstag, 1. Dezember, 10:00", bad, "Vor Ort zu zahlen", "45,00"} {
		if text := f.text(); !strings.Contains(text, says) {
			t.Errorf("no %s in %s", says, text)
		}
	}
	f.press("Ja, bitte")
	f.until(`document.querySelector("[role=status]")`)
	if said := f.said(); len(said) != 1 || said[0] != "Ja, bitte machen." {
		t.Errorf("said %q", said)
	}
	browser.Accessible(t, f.ctx, browser.Axe(t))

	f = h.show("confirm", w.call("create_booking", book+`}`), map[string]any{"mute": true, "theme": "dark"})
	if text := f.text(); !strings.Contains(text, "Done") || strings.Contains(text, "Yes") {
		t.Error(text)
	}
	f = h.show("confirm", w.call("create_booking", book+`,"host":"Ana"}`), nil) // taken
	if text := f.text(); !strings.Contains(text, "already") {
		t.Error(text)
	}

	var made struct{ Data []struct{ ID string } }
	w.get("list_bookings", `{}`, &made)
	for call, says := range map[string][]string{
		"take_payment " + fmt.Sprintf(`{"id":%q,"method":"cash","tip":500,"tendered":6000,"discount":{"percent":10,"reason":"Regular"},"dryRun":true}`, made.Data[0].ID): {"Bezahlt", "40,50", "Trinkgeld", "5,00", "Rabatt", "4,50", "Rückgeld", "14,50"},
		`sell_voucher {"amount":5000,"method":"cash","dryRun":true}`:                                            {"Bezahlt", "50,00"},
		`set_time_off {"host":"Ana","start":"2026-12-01","end":"2026-12-01","bookings":"cancel","dryRun":true}`: {"Ana", "Ab", bad, "Abgesagt", "Di"},
	} {
		name, arguments, _ := strings.Cut(call, " ")
		f = h.show("confirm", w.callAt("/api/mcp/desk", name, arguments, "Authorization", "Bearer "+w.keyWith("settings")), map[string]any{"locale": "de"})
		for _, want := range append(says, "Ja, bitte") {
			if text := f.text(); !strings.Contains(text, want) {
				t.Errorf("%s: no %s in %s", name, want, text)
			}
		}
	}

	for _, detail := range []string{"brief", "full"} {
		f = h.show("day", w.call("list_bookings", `{"detail":"`+detail+`"}`), map[string]any{"locale": "fr"})
		if text := f.text(); !strings.Contains(text, "mardi 1 décembre") || !strings.Contains(text, "10:00–11:00") || !strings.Contains(text, bad) || !strings.Contains(text, "Ana") {
			t.Errorf("%s: %s", detail, text)
		}
		if browser.Eval[int](t, f.ctx, `document.querySelectorAll("img").length`) != 0 {
			t.Error("a name became an element")
		}
	}
	browser.Accessible(t, f.ctx, browser.Axe(t))
	browser.Eval[bool](t, h.ctx, `teardown().then(() => { window.gone = true; }) && true`)
	browser.Until(t, h.ctx, `window.gone`)
}
