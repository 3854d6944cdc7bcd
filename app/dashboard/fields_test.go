package dashboard

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
)

// covered lists the fields of a page over whose middle something else lies when the field stands in the middle of the
// window. What belongs to the field counts as the field: its labels, and what they hold. A field in a box that is closed
// or has no size can't be pressed anyway; open ones can.
const covered = `(()=>{
	const out = [];
	for (const f of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
		if (f.disabled || f.closest("[inert], [aria-hidden=true], dialog:not([open])")) continue; // such as a trap for robots
		if (!f.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
		let box = f.getBoundingClientRect();
		if (box.width < 3 || box.height < 3 || f.closest(".sr")) continue; // for readers of the screen
		if (getComputedStyle(f).clipPath !== "none" || getComputedStyle(f).pointerEvents === "none") continue;
		f.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
		box = f.getBoundingClientRect();
		const x = box.left + box.width / 2, y = box.top + box.height / 2;
		const hit = document.elementFromPoint(x, y);
		const mine = hit && (hit === f || f.contains(hit) || [...(f.labels || [])].some(l => l.contains(hit)));
		if (!mine && hit && hit.closest(".cal-panel") && !f.closest(".cal-panel")) continue;
		if (!mine) out.push((f.name || f.id || f.type) + " (" + Math.round(x) + "," + Math.round(y) + "): " +
			(hit ? hit.tagName.toLowerCase() + "." + hit.className + " " + hit.textContent.trim().slice(0, 30) : "outside the window"));
	}
	return out.join("\n");
})()`

// fieldWidths are a phone, a tablet upright, a small desktop and a large one.
var fieldWidths = []int64{390, 820, 1024, 1440}

// fields wants nothing to lie over a field of the page that is shown, at any width.
func (b *tab) fields(name string) {
	b.t.Helper()
	for _, width := range fieldWidths {
		b.look("light", width, 844)
		found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](covered))
		if err != nil {
			b.t.Fatalf("%s: %v", name, err)
		}
		if found != "" {
			b.t.Errorf("%s at %d: under the middle of\n%s", name, width, found)
			shot(b, fmt.Sprintf("covered-%s-%d", filepath.Base(name), width))
		}
	}
}

var partOfPath = regexp.MustCompile(`/(?:[a-z]{2}_[0-9a-z]+|[0-9a-f]{16,}|[A-Za-z0-9_-]{20,})`)

// partOfName is what names of fields have of what they are about, such as an id or a number.
var partOfName = regexp.MustCompile(`[a-z]{2}_[0-9a-z]+|[0-9]+`)

// Links of a page, and its fields by their names.
var (
	anchor = regexp.MustCompile(`<a [^>]*href="([^"]+)"[^>]*>`)
	entry  = regexp.MustCompile(`<(?:input|select|textarea)\b[^>]*\bname="([^"]+)"`)
)

// kind is an address without ids and values: of each kind one page is looked at.
func kind(u *url.URL) string {
	keys := []string{}
	for k := range u.Query() {
		if k != "lang" && k != "clock" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return partOfPath.ReplaceAllString(u.Path, "/*") + "?" + strings.Join(keys, "&")
}

// Every page that links of the dashboard and of the booking page lead to is visited, one of each kind: whatever form is
// added is looked at without being named here.
func TestNothingLiesOverAField(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	var open []string
	seen := map[string]bool{}
	visit := func(href string) {
		u, err := url.Parse(href)
		if err != nil || u.Host != "" && "http://"+u.Host != w.server.URL || u.Scheme != "" && u.Scheme != "http" {
			return
		}
		if u.Path == "" || strings.HasPrefix(u.Path, "/assets") || strings.HasPrefix(u.Path, "/api") || seen[kind(u)] {
			return
		}
		seen[kind(u)] = true
		open = append(open, u.RequestURI())
	}
	for _, path := range w.pages() {
		visit(path)
	}
	for _, path := range w.businessPages() {
		visit(path)
	}
	visit("/salon")
	client := w.browser()
	client.wants(client.post("/login", "email", w.salon.Email, "password", w.salon.Password), http.StatusSeeOther)
	looked, forms := 0, map[string]bool{}
	for len(open) > 0 {
		path := open[0]
		open = open[1:]
		answer := client.get(path)
		if answer.status != http.StatusOK || !strings.Contains(answer.body, "<!doctype html>") && !strings.Contains(answer.body, "<html") {
			continue // a download, or a page that isn't there
		}
		for _, link := range anchor.FindAllStringSubmatch(answer.body, -1) {
			if !strings.Contains(link[0], " download") {
				visit(html.UnescapeString(link[1]))
			}
		}
		// The same page with the same fields looks the same for another query.
		page, _, _ := strings.Cut(path, "?")
		form := partOfPath.ReplaceAllString(page, "/*")
		fields := entry.FindAllStringSubmatch(answer.body, -1)
		for _, field := range fields {
			form += " " + partOfName.ReplaceAllString(field[1], "*")
		}
		if len(fields) > 0 && !forms[form] {
			forms[form] = true
			looked++
			b.look("light", 1440, 844)
			b.open(path)
			b.fields(path)
		}
	}
	t.Logf("%d pages with fields of %d kinds of addresses", looked, len(seen))
	if looked < 40 {
		t.Errorf("only %d pages with fields were found", looked)
	}
}

// In set-up a new owner types a closing time with the mouse, whatever the window's width.
func TestNothingLiesOverAFieldOfSetUp(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	b := w.browse()
	b.open("/login")
	b.fields("/login")
	b.open(strings.TrimPrefix(link, w.server.URL))
	b.fields("set-up")
	b.fill("email", "ana@salon.example", "password", "correct horse battery", "name", "Salon Ana", "slug", "salon")
	b.click("main button[type=submit], form button.button-main")
	b.until("location.pathname=='/dashboard/start/hours'")
	b.fields("hours")
	// Where the mouse presses the closing time of Monday it is the time that is pressed, and no break is added.
	b.look("light", 1440, 900)
	b.until(`document.querySelector("[data-hours=mon] [data-hours-add]:not([hidden])")`)
	shot(b, "setup-hours-1440")
	for _, part := range []string{"0.1", "0.5", "0.9"} {
		got := browser.Eval[string](t, b.ctx, `(()=>{const f=document.querySelector("[name='mon.to']");f.scrollIntoView({block:"center"});
			const r=f.getBoundingClientRect();return document.elementFromPoint(r.left+r.width*`+part+`,r.top+r.height/2).name||"something else"})()`)
		if got != "mon.to" {
			t.Errorf("at %s of the closing time lies %s", part, got)
		}
	}
	b.do(chromedp.Click(chromedp.CSS("[name='mon.to']")))
	if spans := browser.Eval[int](t, b.ctx, `document.querySelectorAll("[data-hours=mon] .hours-span").length`); spans != 1 {
		t.Errorf("a click on the closing time made %d spans", spans)
	}
	b.click("form button.button-main")
	b.until("location.pathname=='/dashboard/start/service'")
	b.fields("service")
}
