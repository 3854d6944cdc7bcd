package views_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/app/apptest/browser"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// door starts the fixture door and counts the forms that reach it.
func door(t testing.TB) (base string, posts *atomic.Int32) {
	t.Helper()
	posts = new(atomic.Int32)
	inner := fixtureDoor()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			posts.Add(1)
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, posts
}

func fill(t testing.TB, ctx context.Context) {
	t.Helper()
	browser.Do(t, ctx,
		chromedp.SendKeys(browser.CSS(`[name=name]`), "Mia Becker"),
		chromedp.SendKeys(browser.CSS(`[name=email]`), "mia@example.com"),
		chromedp.SetValue(browser.CSS(`[name=q_length]`), "Medium"),
		chromedp.SendKeys(browser.CSS(`[name=notes]`), "Just the tips"))
}

const focused = `(document.activeElement.id||document.activeElement.dataset.day||document.activeElement.dataset.start||document.activeElement.name)`

// Plain links and forms book, with no script at all.
func TestBookingWithoutJavaScript(t *testing.T) {
	ctx := browser.Open(t)
	base, posts := door(t)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon"))
	browser.Follow(t, ctx, `.event a`)
	browser.Follow(t, ctx, `#next`)
	browser.Follow(t, ctx, `#prev`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`#zone-summary`)), chromedp.SendKeys(browser.CSS(`#zone`), "Asia/Tokyo"))
	browser.Follow(t, ctx, `.zone-form button`)
	browser.Until(t, ctx, `document.querySelector("#zone-summary").innerText.includes("Tokyo")`)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin"))
	browser.Follow(t, ctx, `[data-day="2026-12-02"]`)
	browser.Follow(t, ctx, `[data-start]`)
	fill(t, ctx)
	browser.Follow(t, ctx, `.actions button`)
	if id := browser.Eval[string](t, ctx, `document.querySelector("[data-booking-id]").dataset.bookingId`); id == "" || posts.Load() != 1 {
		t.Errorf("booking %q after %d posts", id, posts.Load())
	}
}

// With JavaScript the page never reloads on the way to the form, the address follows,
// the focus lands where the next step is, and going back works.
func TestBookingWithoutReload(t *testing.T) {
	ctx := browser.Open(t)
	base, posts := door(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut"))
	browser.Eval[chromedp.Void](t, ctx, `window.mark=1`)

	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-day="2026-12-03"]`)))
	browser.Until(t, ctx, `location.search.includes("date=2026-12-03")&&document.activeElement.id==="times-title"`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`#next`)))
	browser.Until(t, ctx, `document.querySelector("#month-title").innerText.includes("January")&&document.activeElement.id==="next"`)
	browser.Until(t, ctx, `document.querySelector("[data-live]").innerText.includes("January 2027")`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.empty a`)))
	browser.Until(t, ctx, `document.querySelector("#month-title").innerText.includes("February")`)
	browser.Eval[chromedp.Void](t, ctx, `history.go(-2)`)
	browser.Until(t, ctx, `document.querySelector("#month-title").innerText.includes("December")`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`#clock-24`)))
	browser.Until(t, ctx, `document.querySelector("[data-start]").innerText.trim()==="09:00"&&document.activeElement.id==="clock-24"`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start]`)))
	browser.Until(t, ctx, `document.activeElement.id==="details-title"&&location.search.includes("start=2026-12-03T08:00:00Z")`)
	browser.Eval[chromedp.Void](t, ctx, `history.back()`)
	browser.Until(t, ctx, `document.querySelector("[data-day]")`)
	browser.Eval[chromedp.Void](t, ctx, `history.forward()`)
	browser.Until(t, ctx, `document.querySelector("[name=email]")`)
	if !browser.Eval[bool](t, ctx, `window.mark===1`) {
		t.Error("the page was loaded anew on the way")
	}
	fill(t, ctx)
	browser.Eval[chromedp.Void](t, ctx, `{const b=document.querySelector(".actions button");b.click();b.click();b.click()}`)
	browser.Until(t, ctx, `document.querySelector("[data-booking-id]")`)
	browser.Until(t, ctx, `!location.search.includes("new=1")&&document.activeElement.tagName==="H1"`)
	if posts.Load() != 1 {
		t.Errorf("%d forms were sent", posts.Load())
	}
}

// The whole way by keyboard.
func TestKeyboardOnly(t *testing.T) {
	ctx := browser.Open(t)
	base, _ := door(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut"))
	browser.Until(t, ctx, `document.querySelector("[data-grid]").getAttribute("role")==="grid"`)
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			browser.Do(t, ctx, chromedp.KeyEvent(k))
		}
	}
	at := func(want string) {
		t.Helper()
		browser.Until(t, ctx, focused+`===`+`"`+want+`"`)
	}
	if n := browser.Eval[int](t, ctx, `document.querySelectorAll('[data-day][tabindex="0"]').length`); n != 1 {
		t.Fatalf("%d days are in the tab order", n)
	}
	for range 20 {
		press(kb.Tab)
		if browser.Eval[string](t, ctx, `document.activeElement.dataset.day||""`) != "" {
			break
		}
	}
	at("2026-12-01")
	press(kb.ArrowRight)
	at("2026-12-02")
	press(kb.ArrowDown)
	at("2026-12-09")
	press(kb.End)
	at("2026-12-12")
	press(kb.Home)
	at("2026-12-06")
	if !browser.Eval[bool](t, ctx, `document.activeElement.getAttribute("aria-disabled")==="true"`) {
		t.Error("a day without times should be reached, and say so")
	}
	press(kb.Enter)
	at("2026-12-06")
	press(kb.PageDown)
	at("2027-01-06")
	press(kb.PageUp)
	at("2026-12-06")
	press(kb.ArrowUp)
	at("2026-11-29")
	press(kb.ArrowDown)
	at("2026-12-06")
	press(kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft, kb.Enter)
	at("times-title")
	press(kb.Tab)
	at("2026-12-03T08:00:00Z")
	press(kb.Enter)
	at("details-title")
	press(kb.Tab)
	at("f-name")
}

// The browser's zone is taken until the visitor chooses one, by search.
func TestTimeZone(t *testing.T) {
	ctx := browser.Open(t)
	base, _ := door(t)
	browser.Zone(t, ctx, "America/New_York")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?clock=24"))
	browser.Until(t, ctx, `location.search.includes("timeZone=America%2FNew_York")||location.search.includes("timeZone=America/New_York")`)
	browser.Until(t, ctx, `document.querySelector('[data-start="2026-12-01T08:00:00Z"]').innerText.trim()==="03:00"`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`#zone-summary`)))
	browser.Until(t, ctx, `document.activeElement.id==="zone"&&document.querySelectorAll("#zone-list li").length>400`)
	browser.Do(t, ctx, chromedp.KeyEvent("sao pau"))
	browser.Until(t, ctx, `document.querySelectorAll("#zone-list li").length===1`)
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Enter))
	browser.Until(t, ctx, `document.querySelector("#zone-summary").innerText.includes("Sao Paulo")&&document.activeElement.id==="zone-summary"`)
	browser.Until(t, ctx, `document.querySelector('[data-start="2026-12-01T08:00:00Z"]').innerText.trim()==="05:00"`)
	browser.Do(t, ctx, chromedp.Reload())
	if !browser.Eval[bool](t, ctx, `document.querySelector("#zone-summary").innerText.includes("Sao Paulo")`) {
		t.Error("a reload lost the chosen zone")
	}
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`#zone-summary`)))
	browser.Until(t, ctx, `document.activeElement.id==="zone"`)
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape))
	browser.Until(t, ctx, `!document.querySelector("[data-zone]").open&&document.activeElement.id==="zone-summary"`)
}

// The loser of a race keeps what was typed and sees other times.
func TestTakenKeepsWhatWasTyped(t *testing.T) {
	ctx := browser.Open(t)
	base, _ := door(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin&date=2026-12-03&start="+url.QueryEscape(takenStart)))
	fill(t, ctx)
	browser.Follow(t, ctx, `.actions button`)
	browser.Until(t, ctx, `document.activeElement.classList.contains("notice")`)
	got := browser.Eval[string](t, ctx, `["name","email","notes","q_length"].map(n=>document.querySelector("[name="+n+"]").value).join("|")+"|"+document.querySelectorAll("[data-start]").length`)
	if want := "Mia Becker|mia@example.com|Just the tips|Medium|3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start]`)))
	browser.Follow(t, ctx, `.actions button`)
	browser.Until(t, ctx, `document.querySelector("[data-booking-id]")`)
}

// At 360 pixels, and at 200 % zoom of a small laptop, nothing is cut off to the side, save for strips that scroll.
func TestNothingOverflowsSideways(t *testing.T) {
	ctx := browser.Open(t)
	base, _ := door(t)
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for _, state := range stateNames() {
			if lang != "de" && state != "event" && state != "details-errors" {
				continue
			}
			at := base + "/_state/" + state + "?timeZone=America/Argentina/ComodRivadavia&clock=12&lang=" + lang
			show(t, ctx, at, "light", screens[0])
			for _, s := range []screen{{"phone", 320, 640}, {"phone", 360, 780}, {"zoom", 640, 400}, {"tablet", 768, 1024}, {"edge", 960, 800}} {
				browser.Do(t, ctx, chromedp.EmulateViewport(s.width, s.height))
				if over := browser.Eval[string](t, ctx, `[...document.querySelectorAll("body *")].filter(e=>!e.closest(".pot,.sr,[data-strip]")&&e.getBoundingClientRect().right>innerWidth+.5).map(e=>e.className||e.tagName).join(" ")`); over != "" {
					t.Errorf("%s %s %d: wider than the screen: %s", state, lang, s.width, over)
				}
			}
		}
	}
}

// A picked day moves nothing on a desktop.
func TestDesktopDoesNotJump(t *testing.T) {
	ctx := browser.Open(t)
	base, _ := door(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	const where = `JSON.stringify([".card",".month-grid",".turn",".times",".month-foot"].map(s=>{const r=document.querySelector(s).getBoundingClientRect();return [s,r.x,r.y,r.width,r.height]}))`
	browser.Do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(base+"/salon/cut"))
	want := browser.Eval[string](t, ctx, where)
	for _, q := range []string{"date=2026-12-09", "month=2027-01", "month=2027-02", "month=2026-11", "date=2026-12-06"} {
		browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin&"+q))
		if got := browser.Eval[string](t, ctx, where); got != want {
			t.Errorf("%s moved something:\n%s\n%s", q, got, want)
		}
	}
}

// No state needs anything that the policy forbids, and none logs an error.
func TestPolicyHolds(t *testing.T) {
	ctx := browser.Open(t)
	base, _ := door(t)
	var mu sync.Mutex
	var said []string
	if err := chromedp.Listen(ctx, func(ev any) {
		if e, ok := ev.(*log.EventEntryAdded); ok {
			mu.Lock()
			said = append(said, e.Entry.URL+": "+e.Entry.Text)
			mu.Unlock()
		}
	}); err != nil {
		t.Fatal(err)
	}
	heard := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(said)
	}
	for _, state := range stateNames() {
		browser.Do(t, ctx, chromedp.Navigate(base+"/_state/"+state+"?timeZone=Europe/Berlin"))
		html, err := chromedp.Run(ctx, chromedp.OuterHTML(browser.CSS("html")))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html, " style=") || strings.Contains(html, "<style") || strings.Contains(html, " onclick") {
			t.Errorf("%s: inline style or handler", state)
		}
		if !browser.Eval[bool](t, ctx, `getComputedStyle(document.documentElement).getPropertyValue("--brand")!==""&&getComputedStyle(document.body).margin==="0px"`) {
			t.Errorf("%s: the stylesheets did not apply", state)
		}
	}
	if all := heard(); len(all) > 0 {
		t.Errorf("the console says:\n%s", strings.Join(all, "\n"))
	}
	// And it would say so, if something did break the policy.
	browser.Eval[chromedp.Void](t, ctx, `{const s=document.createElement("style");s.textContent="b{}";document.head.append(s)}`)
	for range 100 {
		if len(heard()) > 0 {
			return
		}
		browser.Eval[chromedp.Void](t, ctx, `1`)
	}
	t.Error("a breach of the policy was not heard of")
}
