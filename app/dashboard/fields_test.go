package dashboard

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/browser"
)

// fields wants nothing to lie over a field of the page that is shown, at any width.
func (b *tab) fields(name string) {
	b.t.Helper()
	for _, width := range browser.Uncovered(b.t, b.ctx, name) {
		b.look("light", width, 844)
		shot(b, fmt.Sprintf("covered-%s-%d", filepath.Base(name), width))
	}
}

var partOfPath = regexp.MustCompile(`/(?:[a-z]{2}_[0-9a-z]+|[0-9a-f]{16,}|[A-Za-z0-9_-]{20,})`)

// partOfName is what names of fields have of what they are about, such as an id or a number.
var partOfName = regexp.MustCompile(`[a-z]{2}_[0-9a-z]+|[0-9]+`)

// Links of a page, and its fields by their names.
var (
	anchor = regexp.MustCompile(`<a [^>]*href="([^"]+)"[^>]*>`)
	entry  = regexp.MustCompile(`<(?:input|select|textarea)\b[^>]*\bname="([^"]+)"[^>]*>`)
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

// Every page that links of the dashboard lead to is visited, one of each kind and in German, whose words are long:
// whatever form is added is looked at without being named here.
func TestNothingLiesOverAField(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	browser.Language(t, b.ctx, "de")
	b.signIn(w)
	var open []string
	seen := map[string]bool{}
	visit := func(href string) {
		u, err := url.Parse(href)
		if err != nil || u.Host != "" && "http://"+u.Host != w.server.URL || u.Scheme != "" && u.Scheme != "http" {
			return
		}
		if !strings.HasPrefix(u.Path, "/dashboard") && u.Path != "/api/docs" || seen[kind(u)] {
			return
		}
		seen[kind(u)] = true
		open = append(open, u.RequestURI())
	}
	for _, pages := range []map[string]string{w.pages(), w.businessPages()} {
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			visit(pages[name])
		}
	}
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
		var fields []string
		for _, field := range entry.FindAllStringSubmatch(answer.body, -1) {
			if !strings.Contains(field[0], `type="hidden"`) {
				fields = append(fields, partOfName.ReplaceAllString(field[1], "*"))
			}
		}
		slices.Sort(fields)
		form := strings.Join(slices.Concat([]string{partOfPath.ReplaceAllString(page, "/*")}, slices.Compact(fields)), " ")
		if len(fields) > 0 && !forms[form] {
			forms[form] = true
			looked++
			b.open(path)
			b.fields(path)
		}
	}
	t.Logf("%d pages with fields of %d kinds of addresses", looked, len(seen))
	if looked < 40 {
		t.Errorf("only %d pages with fields were found", looked)
	}
}

// The same holds for what members see before they are in, and where a program asks them for access.
func TestNothingLiesOverAFieldOfTheEntrance(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	browser.Language(t, b.ctx, "de")
	_, link, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "ben@salon.example", Role: app.ManagerRole})
	w.Must(err)
	b.open(strings.TrimPrefix(link, w.server.URL))
	b.fields("invitation")
	w.asOwner().addApp()
	b.open("/login")
	b.fields("login")
	b.fill("email", w.salon.Email, "password", w.salon.Password)
	b.click("button[type=submit]")
	b.until("location.pathname=='/login/second'")
	b.fields("second")
	member := w.browse()
	browser.Language(t, member.ctx, "de")
	member.open(strings.TrimPrefix(link, w.server.URL))
	member.fill("password", "correct horse battery")
	member.click("button[type=submit]")
	member.until("location.pathname=='/dashboard'")
	member.open(w.programAsks("https://claude.ai/api/mcp/auth_callback"))
	member.until(`document.querySelector("[value=allow]")`)
	member.fields("consent")
	member.open("/dashboard/account/security/confirm")
	member.fields("confirm")
}

// In set-up a new owner types a closing time with the mouse, whatever the window's width.
func TestNothingLiesOverAFieldOfSetUp(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	b := w.browse()
	browser.Language(t, b.ctx, "de")
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
	b.until("document.querySelector('[name=name]').getAttribute('aria-invalid')=='true'") // nobody is guessed from the mailbox
	b.fill("name", "Ana")
	b.click("form button.button-main")
	b.until("location.pathname=='/dashboard/start/trade'")
	b.fields("trade")
	b.click("a[href$='trade=hair']")
	b.until("location.pathname=='/dashboard/start/services'")
	b.fields("services")
	b.click("form button.button-main")
	b.until("location.pathname=='/dashboard/start/shop'")
	b.fields("shop")
}
