package views_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostScript is the other site's own: it writes down every event and every breach of
// its policy.
const hostScript = `
window.seen=[];
for (const type of ["ready","error","booked","resize","close"])
	addEventListener("service:"+type, e => seen.push({type, id:e.target.id, ...e.detail}));
addEventListener("securitypolicyviolation", e => seen.push({type:"violation", what:e.violatedDirective+" "+e.blockedURI}));
window.heard=[];
addEventListener("message", e => heard.push(e.data.type));
window.frame = id => document.querySelector("#"+id+" iframe");
window.frames2 = n => new Promise(done => { const next = () => n-- ? requestAnimationFrame(next) : done(true); next(); });
`

// host serves a page of another site, under a strict policy: no inline style, no
// inline script, nothing from anywhere but the embed script and its frames.
func host(t testing.TB, booking, body string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/host.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, hostScript)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; script-src 'self' %[1]s; frame-src %[1]s; style-src 'none'; base-uri 'none'", booking))
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Another site</title><script src="/host.js"></script><h1>Another site</h1>%s
			<script async src="%[2]s/embed.js"></script><script async src="%[2]s/embed.js?again"></script><p id="end">End</p>`,
			strings.ReplaceAll(body, "BOOK", booking), booking)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// across starts the door under a name of another site than the host's.
func across(t testing.TB) string {
	base, _ := door(t)
	return strings.Replace(base, "127.0.0.1", "localhost", 1)
}

// inside is the tab of the frame whose address contains part, once Chromium lists it; it tells of no new frame by itself.
func inside(t testing.TB, ctx context.Context, part string) context.Context {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		all, err := chromedp.Targets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range all {
			if info.Type == "iframe" && strings.Contains(info.URL, part) {
				return attach(t, ctx, info.TargetID)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no frame shows %s", part)
	return nil
}

func attach(t testing.TB, ctx context.Context, id target.ID) context.Context {
	t.Helper()
	frame, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(id))
	t.Cleanup(cancel)
	if err := chromedp.Do(frame); err != nil {
		t.Fatal(err)
	}
	return frame
}

const has = `seen.some(e=>e.type==="%s"&&e.id==="%s")`

func happened(t testing.TB, ctx context.Context, event, id string) {
	t.Helper()
	browser.Until(t, ctx, fmt.Sprintf(has, event, id))
}

func noViolation(t testing.TB, ctx context.Context) {
	t.Helper()
	if v := browser.Eval[string](t, ctx, `JSON.stringify(seen.filter(e=>e.type==="violation"))`); v != "[]" {
		t.Errorf("the host's policy was broken: %s", v)
	}
}

// A popup above an inline calendar has the focus and hears Escape, while its page loads too, and the calendar behind it
// is out of the Tab key's reach. The site's own sheets do not change the frame; a wrong address is told.
func TestEmbedPopupAboveInline(t *testing.T) {
	ctx := browser.Open(t)
	loading, pages := make(chan struct{}), fixtureDoor()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("embed") == "popup" { // its page would take the focus, and the key, from the site
			<-loading
		}
		pages.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	load := sync.OnceFunc(func() { close(loading) })
	t.Cleanup(load)
	book := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<div id="a" data-service-url="/salon/cut?timeZone=Europe/Berlin"></div><div id="no" data-service-url="BOOK/_state/not-found"></div>
		<button id="p" data-service-popup="BOOK/salon/cut?timeZone=Europe/Berlin">Book</button>`)))
	happened(t, ctx, "ready", "a")
	happened(t, ctx, "error", "no")
	if browser.Eval[bool](t, ctx, `seen.some(e=>e.type==="ready"&&e.id==="no")`) {
		t.Error("a page that is not there is ready")
	}
	if !browser.Eval[bool](t, ctx, `frame("a").style.getPropertyPriority("border-top-width")==="important"&&frame("a").style.getPropertyPriority("max-width")==="important"`) {
		t.Error("a sheet of the site can change the frame")
	}
	browser.Do(t, ctx, chromedp.Click(chromedp.CSS("#p")))
	if !browser.Eval[bool](t, ctx, `frame("a").inert && document.querySelector("dialog").contains(document.activeElement)`) {
		t.Error("the focus is not in the popup, or the calendar behind it can be reached")
	}
	pressLast(t, ctx, kb.Escape, func() {
		t.Helper()
		happened(t, ctx, "close", "p")
		browser.Until(t, ctx, `!document.querySelector("dialog")&&document.activeElement.id==="p"&&!frame("a").inert`)
	})
	load()
	browser.Do(t, ctx, chromedp.Click(chromedp.CSS("#p")))
	happened(t, ctx, "ready", "p")
	browser.Until(t, ctx, `document.activeElement===document.querySelector("dialog iframe")`)
}

// Escape is told as soon as the frame has its page, although the site hasn't said hello to it yet.
func TestEscapeBeforeHello(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<iframe src="BOOK/salon/cut?embed=popup"></iframe>`)))
	browser.Until(t, ctx, `heard.includes("ready")`)
	frame := inside(t, ctx, "embed=popup")
	browser.Eval[chromedp.Void](t, frame, `document.body.dispatchEvent(new KeyboardEvent("keydown",{key:"Escape",bubbles:true}))`)
	browser.Until(t, ctx, `heard.includes("close")`)
}

// The frame is as tall as its content, taller and shorter again, and stays so.
func TestEmbedInline(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<div id="a" data-service-url="BOOK/salon/cut?timeZone=Europe/Berlin"
		data-service-theme="dark" data-service-prefill-name="Mia Becker" data-service-prefill-email="mia@example.com" data-service-prefill-q_length="Medium"></div>`)))
	happened(t, ctx, "ready", "a")
	happened(t, ctx, "resize", "a")
	frame := inside(t, ctx, "/salon/cut")

	fits := func(what string) int {
		t.Helper()
		var inner int
		for late := time.Now().Add(30 * time.Second); time.Now().Before(late); {
			inner = browser.Eval[int](t, frame, `Math.ceil(document.querySelector("[data-page]").getBoundingClientRect().height)`)
			if browser.Eval[int](t, ctx, `frame("a").offsetHeight`) == inner {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`frames2(40)`, chromedp.EvalAwaitPromise)); err != nil {
			t.Fatal(err)
		}
		if outer := browser.Eval[int](t, ctx, `frame("a").offsetHeight`); outer != inner {
			t.Errorf("%s: the frame is %d tall, its content %d", what, outer, inner)
		}
		return inner
	}
	first := fits("at first")
	if bg := browser.Eval[string](t, frame, `document.documentElement.dataset.theme+" "+document.documentElement.dataset.embed`); bg != "dark inline" {
		t.Errorf("the frame shows %q", bg)
	}
	browser.Until(t, frame, `document.querySelector("[data-start]")`)
	browser.Eval[chromedp.Void](t, frame, `document.querySelector("[data-start]").click()`)
	browser.Until(t, frame, `document.querySelector(".details [name=name]")?.value==="Mia Becker"&&document.querySelector("[name=q_length]").value==="Medium"`)
	if form := fits("with the form"); form <= first {
		t.Errorf("the form (%d) should be taller than the month (%d), or this test shows nothing", form, first)
	}
	browser.Eval[chromedp.Void](t, frame, `history.back()`)
	browser.Until(t, frame, `document.querySelector("[data-start]")`)
	if again := fits("back at the month"); again != first {
		t.Errorf("the month was %d tall, and is %d after growing and shrinking", first, again)
	}
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844))
	browser.Until(t, frame, `innerWidth<400`)
	if narrow := fits("on a phone"); narrow <= first {
		t.Errorf("a narrow frame should be taller: %d", narrow)
	}
	browser.Do(t, ctx, chromedp.EmulateViewport(1280, 800))
	browser.Until(t, frame, `innerWidth>1000`)
	if again := fits("on a desktop again"); again != first {
		t.Errorf("%d tall, was %d", again, first)
	}
	browser.Eval[chromedp.Void](t, frame, `document.querySelector("[data-start]").click()`)
	browser.Until(t, frame, `document.querySelector(".details [name=name]")`)
	browser.Eval[chromedp.Void](t, frame, `document.querySelector(".actions button").click()`)
	happened(t, ctx, "booked", "a")
	got := browser.Eval[string](t, ctx, `{const {bookingId,start,status}=seen.find(e=>e.type==="booked");[bookingId,start,status].join(" ")}`)
	if want := "bk_01jd8z3v7m 2026-12-01T08:45:00Z confirmed"; got != want {
		t.Errorf("booked: %q, want %q", got, want)
	}
	if n := browser.Eval[int](t, ctx, `seen.filter(e=>e.type==="ready").length*10+seen.filter(e=>e.type==="booked").length`); n != 11 {
		t.Errorf("ready and booked were told %d times", n)
	}
	noViolation(t, ctx)
}

// Loaded twice, several on a page, added later, given another address, taken away.
func TestEmbedSeveral(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<div id="a" data-service-url="BOOK/salon"></div><div id="b" data-service-url="BOOK/salon/cut"></div>
		<div id="bad" data-service-url="javascript:alert(1)"></div><div id="plain"></div>`)))
	happened(t, ctx, "ready", "a")
	happened(t, ctx, "ready", "b")
	browser.Until(t, ctx, `performance.getEntriesByType("resource").filter(e=>e.name.includes("/embed.js")&&e.responseEnd).length===2`)
	if n := browser.Eval[int](t, ctx, `document.querySelectorAll("iframe").length`); n != 2 {
		t.Errorf("%d frames for two elements", n)
	}
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(`{const d=document.createElement("section"),e=document.createElement("div");e.id="later";e.dataset.serviceUrl="%s/salon";d.append(e);document.body.append(d)}`, book))
	happened(t, ctx, "ready", "later")
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(`document.querySelector("#plain").dataset.serviceUrl="%s/salon"`, book))
	happened(t, ctx, "ready", "plain")
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(`document.querySelector("#a").dataset.serviceUrl="%s/salon/cut"`, book))
	browser.Until(t, ctx, `seen.filter(e=>e.type==="ready"&&e.id==="a").length===2&&document.querySelectorAll("#a iframe").length===1`)
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector("#later").dataset.servicePrefillName="Ada"`)
	browser.Until(t, ctx, `seen.filter(e=>e.type==="ready"&&e.id==="later").length===2&&frame("later").src.includes("name=Ada")`)
	// An element that the site empties stays empty when another of its attributes changes, and one that loses its address
	// keeps its frame.
	browser.Eval[chromedp.Void](t, ctx, `{const e=document.querySelector("#plain");e.textContent="";e.className="x";e.dataset.servicePrefillName="Ada";
		window.was=frame("later");document.querySelector("#later").removeAttribute("data-service-url")}`)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`frames2(2)`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	if got := browser.Eval[string](t, ctx, `(frame("plain")?"filled again ":"")+(frame("later")===was?"":frame("later").src)`); got != "" {
		t.Error(got)
	}
	// Taken out and put back: it still follows its content.
	browser.Eval[chromedp.Void](t, ctx, `{const b=document.querySelector("#b");b.remove();window.kept=b}`)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`frames2(2)`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	browser.Eval[chromedp.Void](t, ctx, `{kept.querySelector("iframe").style.height="77px";document.body.append(kept)}`)
	browser.Until(t, ctx, `frame("b").offsetHeight>200`)
	noViolation(t, ctx)
}

// What another window says, or our own page in an old version, changes nothing.
func TestEmbedRefusesForgedMessages(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<div id="a" data-service-url="BOOK/salon/cut"></div><button id="p" data-service-popup="BOOK/salon/cut">Book</button>
		<iframe id="other" src="BOOK/_forger"></iframe>`)))
	happened(t, ctx, "resize", "a")
	before := browser.Eval[int](t, ctx, `frame("a").offsetHeight`)
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(`{
		const say=(data,source,origin)=>dispatchEvent(new MessageEvent("message",{data,source,origin}));
		const w=frame("a").contentWindow, ours=%q;
		postMessage({daybook:1,type:"resize",height:5000},"*");               // the host to itself
		say({daybook:1,type:"resize",height:5001},window,ours);               // our origin, another window
		say({daybook:1,type:"booked",bookingId:"bk_x",start:"x"},document.querySelector("#other").contentWindow,ours);
		say({daybook:1,type:"resize",height:5002},w,"https://evil.example");  // our window, another origin
		say({daybook:1,type:"booked",bookingId:"bk_x",start:"x"},w,"null");
		say({daybook:2,type:"resize",height:5003},w,ours);                    // another version
		say({type:"resize",height:5004},w,ours);
		say("resize",w,ours); say(null,w,ours);
		for (const height of [-1,0,NaN,"x",1e9,{},null]) say({daybook:1,type:"resize",height},w,ours);
	}`, book))
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`frames2(10)`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	if after := browser.Eval[int](t, ctx, `frame("a").offsetHeight`); after != before {
		t.Errorf("a forged message changed the height from %d to %d", before, after)
	}
	if browser.Eval[bool](t, ctx, `seen.some(e=>e.type==="booked")`) {
		t.Error("a forged message was told as a booking")
	}
	// The same way of speaking, from the right window and origin, is heard.
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(`dispatchEvent(new MessageEvent("message",{data:{daybook:1,type:"resize",height:1234},source:frame("a").contentWindow,origin:%q}))`, book))
	browser.Until(t, ctx, `frame("a").offsetHeight===1234`)

	// The page in the frame listens to its parent only: a hello from elsewhere gets nothing.
	browser.Do(t, ctx, chromedp.Navigate(book+"/salon/cut?timeZone=Europe/Berlin"))
	if browser.Eval[bool](t, ctx, `{postMessage({daybook:1,type:"hello"},"*");"embed" in document.documentElement.dataset}`) {
		t.Error("a page that is not framed took itself for one")
	}
}

// pressLast presses a key that closes the popup, and wants it closed. The frame may be gone before the browser has
// answered for the key, which it then never does: what the key did is what counts.
func pressLast(t *testing.T, ctx context.Context, key string, closed func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	pressed := make(chan error, 1)
	go func() { pressed <- chromedp.Do(ctx, chromedp.KeyEvent(key)) }()
	closed()
	cancel()
	if err := <-pressed; err != nil {
		t.Logf("the popup closed while the key was pressed: %v", err)
	}
}

func TestEmbedPopup(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<button id="p" data-service-popup="BOOK/salon/cut?timeZone=Europe/Berlin">Book now</button>
		<a id="link" href="BOOK/salon/cut" data-service-popup="BOOK/salon/cut">Book</a> <span id="span" data-service-popup="BOOK/salon/cut"><b id="b">Book</b></span>`)))
	browser.Until(t, ctx, `document.querySelector("#span").tabIndex===0`)
	opened := func() { t.Helper(); browser.Until(t, ctx, `document.querySelector("dialog")?.open`) }
	closed := func(id string) {
		t.Helper()
		browser.Until(t, ctx, `!document.querySelector("dialog")&&document.documentElement.style.overflow===""&&document.activeElement.id==="`+id+`"`)
		browser.Until(t, ctx, fmt.Sprintf(`seen.some(e=>e.type==="close"&&e.id==="%s")`, id))
		browser.Eval[chromedp.Void](t, ctx, `seen=seen.filter(e=>e.type==="violation")`)
	}
	// By keyboard, closed from inside the frame, which has the focus.
	browser.Do(t, ctx, chromedp.Focus(browser.CSS("#p")), chromedp.KeyEvent(kb.Enter))
	opened()
	happened(t, ctx, "ready", "p")
	if !browser.Eval[bool](t, ctx, `document.documentElement.style.overflow==="hidden"&&document.activeElement.tagName==="IFRAME"`) {
		t.Error("the page behind should not scroll, and the frame should have the focus")
	}
	if name := browser.Eval[string](t, ctx, `document.querySelector("dialog").getAttribute("aria-label")+"|"+document.querySelector("dialog iframe").title`); name != "Book now|Book now" {
		t.Errorf("the dialog is called %q", name)
	}
	frame := inside(t, ctx, "embed=popup")
	pressLast(t, frame, kb.Escape, func() { t.Helper(); closed("p") })
	// By mouse, closed by Escape on the host's side, by the button, by the backdrop.
	browser.Do(t, ctx, chromedp.Click(browser.CSS("#p")))
	happened(t, ctx, "ready", "p") // a page that is ready takes the focus
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector("dialog button").focus()`)
	pressLast(t, ctx, kb.Escape, func() { t.Helper(); closed("p") })
	browser.Do(t, ctx, chromedp.Click(browser.CSS("#link")))
	opened()
	browser.Do(t, ctx, chromedp.Click(browser.CSS("dialog button")))
	closed("link")
	browser.Do(t, ctx, chromedp.Click(browser.CSS("#b")))
	opened()
	browser.Do(t, ctx, chromedp.MouseClickXY(8, 8))
	closed("span")
	browser.Do(t, ctx, chromedp.Focus(browser.CSS("#span")), chromedp.KeyEvent(" "))
	opened()
	browser.Until(t, ctx, `seen.some(e=>e.type==="resize"&&e.id==="span")`)
	// It is as tall as its content, as far as the window allows.
	if !browser.Eval[bool](t, ctx, `{const r=document.querySelector("dialog iframe").getBoundingClientRect();r.top>=0&&r.bottom<=innerHeight&&r.height>300}`) {
		t.Error("the popup does not fit the window")
	}
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector("dialog button").click()`)
	closed("span")
	noViolation(t, ctx)
}

// A page that never comes, as the site's policy blocks it or its server is down, is told after ten seconds.
func TestEmbedTellsOfAFrameThatStaysEmpty(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	browser.Do(t, ctx, chromedp.Navigate(host(t, book, `<div id="a" data-service-url="/salon"></div><div id="blocked" data-service-url="https://blocked.invalid/salon"></div>
		<div id="gone" data-service-url="https://blocked.invalid/gone"></div>`)))
	happened(t, ctx, "ready", "a")
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector("#gone").remove()`)
	happened(t, ctx, "error", "blocked")
	if at := browser.Eval[float64](t, ctx, `performance.now()`); at < 9000 {
		t.Errorf("told after %v ms already", at)
	}
	if got := browser.Eval[string](t, ctx, `seen.filter(e=>e.type==="error").map(e=>e.id+" "+e.url).join()`); got != "blocked https://blocked.invalid/salon?embed=inline" {
		t.Error("errors:", got)
	}
}

// A popup can be closed by its button and by Escape, whatever sheet the site has, beside a calendar in place too.
func TestEmbedPopupClosesUnderAnySheet(t *testing.T) {
	ctx := browser.Open(t)
	book := across(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Another site</title><script>%s</script>
			<style>button,div{display:none!important} button,dialog *{visibility:hidden!important;opacity:0!important} #a{display:block!important}</style>
			<a href="#" id="p" data-service-popup="%[2]s/salon/cut">Book</a><div id="a" data-service-url="%[2]s/salon/cut"></div><script async src="%[2]s/embed.js"></script>`, hostScript, book)
	}))
	t.Cleanup(site.Close)
	browser.Do(t, ctx, chromedp.Navigate(site.URL))
	happened(t, ctx, "ready", "a")
	for n, close := range []func(){
		func() {
			// On a busy machine the browser still sends a first press to the frame that lay there before the sheet.
			apptest.Eventually(t, "a press on the button closes", func() bool {
				open := browser.Eval[bool](t, ctx, `!!document.querySelector("dialog")`)
				if open {
					browser.Do(t, ctx, chromedp.Click(chromedp.CSS("dialog button")), chromedp.Sleep(200*time.Millisecond))
				}
				return !open
			})
		},
		func() {
			// Pressed on the side of the site, as in TestEmbedPopup: the frame has a target of its own for keys.
			browser.Eval[chromedp.Void](t, ctx, `document.querySelector("dialog button").focus()`)
			pressLast(t, ctx, kb.Escape, func() { browser.Until(t, ctx, `!document.querySelector("dialog")`) })
		},
	} {
		browser.Do(t, ctx, chromedp.Click(chromedp.CSS("#p")))
		browser.Until(t, ctx, fmt.Sprintf(`seen.filter(e=>e.type==="ready"&&e.id==="p").length===%d`, n+1))
		if at := browser.Eval[string](t, ctx, `{const b=document.querySelector("dialog button"),r=b.getBoundingClientRect();
			String(b.checkVisibility({opacityProperty:true,visibilityProperty:true})&&document.elementFromPoint(r.x+r.width/2,r.y+r.height/2)===b)}`); at != "true" {
			t.Fatal("the button that closes isn't seen")
		}
		close()
		browser.Until(t, ctx, fmt.Sprintf(`seen.filter(e=>e.type==="close").length===%d`, n+1))
	}
}
