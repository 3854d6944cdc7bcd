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

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

type css = chromedp.CSS

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
	do(t, ctx,
		chromedp.SendKeys(css(`[name=name]`), "Mia Becker"),
		chromedp.SendKeys(css(`[name=email]`), "mia@example.com"),
		chromedp.SetValue(css(`[name=q_length]`), "Medium"),
		chromedp.SendKeys(css(`[name=notes]`), "Just the tips"))
}

const focused = `(document.activeElement.id||document.activeElement.dataset.day||document.activeElement.dataset.start||document.activeElement.name)`

// Plain links and forms book, with no script at all.
func TestBookingWithoutJavaScript(t *testing.T) {
	ctx := browse(t)
	base, posts := door(t)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate(base+"/salon"))
	follow(t, ctx, `.event a`)
	follow(t, ctx, `#next`)
	follow(t, ctx, `#prev`)
	do(t, ctx, chromedp.Click(css(`#zone-summary`)), chromedp.SendKeys(css(`#zone`), "Asia/Tokyo"))
	follow(t, ctx, `.zone-form button`)
	until(t, ctx, `document.querySelector("#zone-summary").innerText.includes("Tokyo")`)
	do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin"))
	follow(t, ctx, `[data-day="2026-12-02"]`)
	follow(t, ctx, `[data-start]`)
	fill(t, ctx)
	follow(t, ctx, `.actions button`)
	if id := eval[string](t, ctx, `document.querySelector("[data-booking-id]").dataset.bookingId`); id == "" || posts.Load() != 1 {
		t.Errorf("booking %q after %d posts", id, posts.Load())
	}
}

// With JavaScript the page never reloads on the way to the form, the address follows,
// the focus lands where the next step is, and going back works.
func TestBookingWithoutReload(t *testing.T) {
	ctx := browse(t)
	base, posts := door(t)
	zoneOverride(t, ctx, "Europe/Berlin")
	do(t, ctx, chromedp.Navigate(base+"/salon/cut"))
	eval[chromedp.Void](t, ctx, `window.mark=1`)

	do(t, ctx, chromedp.Click(css(`[data-day="2026-12-03"]`)))
	until(t, ctx, `location.search.includes("date=2026-12-03")&&document.activeElement.id==="times-title"`)
	do(t, ctx, chromedp.Click(css(`#next`)))
	until(t, ctx, `document.querySelector("#month-title").innerText.includes("January")&&document.activeElement.id==="next"`)
	until(t, ctx, `document.querySelector("[data-live]").innerText.includes("January 2027")`)
	do(t, ctx, chromedp.Click(css(`.empty a`)))
	until(t, ctx, `document.querySelector("#month-title").innerText.includes("February")`)
	eval[chromedp.Void](t, ctx, `history.go(-2)`)
	until(t, ctx, `document.querySelector("#month-title").innerText.includes("December")`)
	do(t, ctx, chromedp.Click(css(`#clock-24`)))
	until(t, ctx, `document.querySelector("[data-start]").innerText.trim()==="09:00"&&document.activeElement.id==="clock-24"`)
	do(t, ctx, chromedp.Click(css(`[data-start]`)))
	until(t, ctx, `document.activeElement.id==="details-title"&&location.search.includes("start=2026-12-03T08:00:00Z")`)
	eval[chromedp.Void](t, ctx, `history.back()`)
	until(t, ctx, `document.querySelector("[data-day]")`)
	eval[chromedp.Void](t, ctx, `history.forward()`)
	until(t, ctx, `document.querySelector("[name=email]")`)
	if !eval[bool](t, ctx, `window.mark===1`) {
		t.Error("the page was loaded anew on the way")
	}
	fill(t, ctx)
	eval[chromedp.Void](t, ctx, `{const b=document.querySelector(".actions button");b.click();b.click();b.click()}`)
	until(t, ctx, `document.querySelector("[data-booking-id]")`)
	until(t, ctx, `!location.search.includes("new=1")&&document.activeElement.tagName==="H1"`)
	if posts.Load() != 1 {
		t.Errorf("%d forms were sent", posts.Load())
	}
}

// The whole way by keyboard.
func TestKeyboardOnly(t *testing.T) {
	ctx := browse(t)
	base, _ := door(t)
	zoneOverride(t, ctx, "Europe/Berlin")
	do(t, ctx, chromedp.Navigate(base+"/salon/cut"))
	until(t, ctx, `document.querySelector("[data-grid]").getAttribute("role")==="grid"`)
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			do(t, ctx, chromedp.KeyEvent(k))
		}
	}
	at := func(want string) {
		t.Helper()
		until(t, ctx, focused+`===`+`"`+want+`"`)
	}
	if n := eval[int](t, ctx, `document.querySelectorAll('[data-day][tabindex="0"]').length`); n != 1 {
		t.Fatalf("%d days are in the tab order", n)
	}
	for range 20 {
		press(kb.Tab)
		if eval[string](t, ctx, `document.activeElement.dataset.day||""`) != "" {
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
	if !eval[bool](t, ctx, `document.activeElement.getAttribute("aria-disabled")==="true"`) {
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
	ctx := browse(t)
	base, _ := door(t)
	zoneOverride(t, ctx, "America/New_York")
	do(t, ctx, chromedp.Navigate(base+"/salon/cut?clock=24"))
	until(t, ctx, `location.search.includes("timeZone=America%2FNew_York")||location.search.includes("timeZone=America/New_York")`)
	until(t, ctx, `document.querySelector('[data-start="2026-12-01T08:00:00Z"]').innerText.trim()==="03:00"`)
	do(t, ctx, chromedp.Click(css(`#zone-summary`)))
	until(t, ctx, `document.activeElement.id==="zone"&&document.querySelectorAll("#zone-list li").length>400`)
	do(t, ctx, chromedp.KeyEvent("sao pau"))
	until(t, ctx, `document.querySelectorAll("#zone-list li").length===1`)
	do(t, ctx, chromedp.KeyEvent(kb.Enter))
	until(t, ctx, `document.querySelector("#zone-summary").innerText.includes("Sao Paulo")&&document.activeElement.id==="zone-summary"`)
	until(t, ctx, `document.querySelector('[data-start="2026-12-01T08:00:00Z"]').innerText.trim()==="05:00"`)
	do(t, ctx, chromedp.Reload())
	if !eval[bool](t, ctx, `document.querySelector("#zone-summary").innerText.includes("Sao Paulo")`) {
		t.Error("a reload lost the chosen zone")
	}
	do(t, ctx, chromedp.Click(css(`#zone-summary`)))
	until(t, ctx, `document.activeElement.id==="zone"`)
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, `!document.querySelector("[data-zone]").open&&document.activeElement.id==="zone-summary"`)
}

// The loser of a race keeps what was typed and sees other times.
func TestTakenKeepsWhatWasTyped(t *testing.T) {
	ctx := browse(t)
	base, _ := door(t)
	zoneOverride(t, ctx, "Europe/Berlin")
	do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin&date=2026-12-03&start="+url.QueryEscape(takenStart)))
	fill(t, ctx)
	follow(t, ctx, `.actions button`)
	until(t, ctx, `document.activeElement.classList.contains("notice")`)
	got := eval[string](t, ctx, `["name","email","notes","q_length"].map(n=>document.querySelector("[name="+n+"]").value).join("|")+"|"+document.querySelectorAll("[data-start]").length`)
	if want := "Mia Becker|mia@example.com|Just the tips|Medium|3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	do(t, ctx, chromedp.Click(css(`[data-start]`)))
	follow(t, ctx, `.actions button`)
	until(t, ctx, `document.querySelector("[data-booking-id]")`)
}

// At 360 pixels, and at 200 % zoom of a small laptop, nothing is cut off to the side.
func TestNothingOverflowsSideways(t *testing.T) {
	ctx := browse(t)
	base, _ := door(t)
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for _, s := range []screen{{"phone", 320, 640}, {"phone", 360, 780}, {"zoom", 640, 400}, {"tablet", 768, 1024}, {"edge", 960, 800}} {
			for _, state := range stateNames() {
				if lang != "de" && state != "event" && state != "details-errors" {
					continue
				}
				show(t, ctx, base+"/_state/"+state+"?timeZone=America/Argentina/ComodRivadavia&clock=12&lang="+lang, "light", s)
				if over := eval[string](t, ctx, `[...document.querySelectorAll("body *")].filter(e=>!e.closest(".pot,.sr")&&e.getBoundingClientRect().right>innerWidth+.5).map(e=>e.className||e.tagName).join(" ")`); over != "" {
					t.Errorf("%s %s %d: wider than the screen: %s", state, lang, s.width, over)
				}
			}
		}
	}
}

// A picked day moves nothing on a desktop.
func TestDesktopDoesNotJump(t *testing.T) {
	ctx := browse(t)
	base, _ := door(t)
	zoneOverride(t, ctx, "Europe/Berlin")
	const where = `JSON.stringify([".card",".month-grid",".turn",".times",".month-foot"].map(s=>{const r=document.querySelector(s).getBoundingClientRect();return [s,r.x,r.y,r.width,r.height]}))`
	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(base+"/salon/cut"))
	want := eval[string](t, ctx, where)
	for _, q := range []string{"date=2026-12-09", "month=2027-01", "month=2027-02", "month=2026-11", "date=2026-12-06"} {
		do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin&"+q))
		if got := eval[string](t, ctx, where); got != want {
			t.Errorf("%s moved something:\n%s\n%s", q, got, want)
		}
	}
}

// No state needs anything that the policy forbids, and none logs an error.
func TestPolicyHolds(t *testing.T) {
	ctx := browse(t)
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
		do(t, ctx, chromedp.Navigate(base+"/_state/"+state+"?timeZone=Europe/Berlin"))
		html, err := chromedp.Run(ctx, chromedp.OuterHTML(css("html")))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html, " style=") || strings.Contains(html, "<style") || strings.Contains(html, " onclick") {
			t.Errorf("%s: inline style or handler", state)
		}
		if !eval[bool](t, ctx, `getComputedStyle(document.documentElement).getPropertyValue("--brand")!==""&&getComputedStyle(document.body).margin==="0px"`) {
			t.Errorf("%s: the stylesheets did not apply", state)
		}
	}
	if all := heard(); len(all) > 0 {
		t.Errorf("the console says:\n%s", strings.Join(all, "\n"))
	}
	// And it would say so, if something did break the policy.
	eval[chromedp.Void](t, ctx, `{const s=document.createElement("style");s.textContent="b{}";document.head.append(s)}`)
	for range 100 {
		if len(heard()) > 0 {
			return
		}
		eval[chromedp.Void](t, ctx, `1`)
	}
	t.Error("a breach of the policy was not heard of")
}
