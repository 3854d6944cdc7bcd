package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/page"
	"daybook/views"
)

// anotherSite serves a page of another site under a strict policy, which writes down what the embed script tells it.
func anotherSite(t testing.TB, book, body string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/host.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `window.seen=[];
			for (const type of ["ready","booked","resize","close","error"]) addEventListener("service:"+type, e => seen.push({type, id:e.target.id, ...e.detail}));
			addEventListener("securitypolicyviolation", e => seen.push({type:"violation", what:e.violatedDirective}));`)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; script-src 'self' %[1]s; frame-src %[1]s; style-src 'none'", book))
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Another site</title><script src="/host.js"></script>%s<script async src="%s/embed.js"></script>`,
			strings.ReplaceAll(body, "BOOK", book), book)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// frameOf attaches to the frame whose address contains part, once Chromium lists it; it tells of no new frame by itself.
func frameOf(t testing.TB, ctx context.Context, part string) context.Context {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		all, err := chromedp.Targets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range all {
			if info.Type == "iframe" && strings.Contains(info.URL, part) {
				frame, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(info.TargetID))
				t.Cleanup(cancel)
				if err := chromedp.Do(frame); err != nil {
					t.Fatal(err)
				}
				return frame
			}
		}
	}
	t.Fatalf("no frame shows %s", part)
	return nil
}

// Inside another site, in place and over it: the booking is made in the frame, and the site hears of it.
func TestEmbedded(t *testing.T) {
	for name, body := range map[string]string{
		"inline": `<div id="a" data-service-url="BOOK/salon/cut?date=2026-12-03&amp;timeZone=Europe/Berlin" data-service-prefill-name="Mia" data-service-prefill-email="mia@mail.example"></div>`,
		"popup":  `<button id="a" data-service-popup="BOOK/salon/cut?date=2026-12-03&amp;timeZone=Europe/Berlin" data-service-prefill-name="Mia" data-service-prefill-email="mia@mail.example">Book</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := browser.Open(t)
			w := newWorld(t, page.Options{})
			book := strings.Replace(w.open(), "127.0.0.1", "localhost", 1)
			browser.Do(t, ctx, chromedp.Navigate(anotherSite(t, book, body)))
			if name == "popup" {
				browser.Until(t, ctx, `window.daybookEmbed`)
				browser.Do(t, ctx, chromedp.Click(browser.CSS("#a")))
			}
			browser.Until(t, ctx, `seen.some(e=>e.type==="ready")&&seen.some(e=>e.type==="resize")`)
			frame := frameOf(t, ctx, "/salon/cut")
			browser.Until(t, frame, `document.querySelector("[data-start]")`)
			browser.Eval[chromedp.Void](t, frame, `document.querySelector("[data-start]").click()`)
			browser.Until(t, frame, `document.querySelector(".details [name=name]")?.value==="Mia"`)
			browser.Eval[chromedp.Void](t, frame, `document.querySelector(".actions button").click()`)
			browser.Until(t, ctx, `seen.some(e=>e.type==="booked")`)
			p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
			w.Must(err)
			if len(p.Data) != 1 {
				t.Fatalf("%d bookings", len(p.Data))
			}
			b := p.Data[0]
			want := fmt.Sprintf("%s %s confirmed", b.ID, b.Start)
			if got := browser.Eval[string](t, ctx, `{const {bookingId,start,status}=seen.find(e=>e.type==="booked");[bookingId,start,status].join(" ")}`); got != want {
				t.Errorf("the site heard %q, want %q", got, want)
			}
			// Moving it in the frame is no second booking.
			inside := frameOf(t, ctx, "/booking/")
			browser.Until(t, inside, bookingID)
			browser.Eval[chromedp.Void](t, inside, `document.querySelector('.changes a[href*="/reschedule"]').click()`)
			browser.Until(t, inside, `document.querySelector('[data-view=event] [data-start]')`)
			browser.Eval[chromedp.Void](t, inside, `document.querySelector("[data-start]").click()`)
			browser.Until(t, inside, `document.querySelector('[data-view=move] button')`)
			browser.Eval[chromedp.Void](t, inside, `document.querySelector(".actions button").click()`)
			browser.Until(t, inside, `document.querySelector('[data-booking-status=rescheduled]')`)
			if n := browser.Eval[int](t, ctx, `seen.filter(e=>e.type==="booked").length`); n != 1 {
				t.Errorf("booked was told %d times", n)
			}
			if name == "popup" {
				browser.Eval[chromedp.Void](t, inside, `document.querySelector("[data-close]").click()`)
				browser.Until(t, ctx, `!document.querySelector("dialog")&&document.activeElement.id==="a"&&seen.some(e=>e.type==="close"&&e.bookingId)`)
			}
			if v := browser.Eval[string](t, ctx, `JSON.stringify(seen.filter(e=>e.type==="violation"))`); v != "[]" {
				t.Error(v)
			}
		})
	}
}

// What the builder makes works as it is pasted: with its text, its colour and its theme.
func TestPastedSnippets(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	book := strings.Replace(w.open(), "127.0.0.1", "localhost", 1)
	made := views.Embedding{Base: book, Path: "/salon/cut", Theme: "dark", Accent: "#c2410c", Text: "Book & <go>"}
	const shown = `[document.documentElement.dataset.theme, !!document.querySelector("link[href*=brand-c2410c]")].join()`
	for _, made.Kind = range []string{views.EmbedInline, views.EmbedPopup, views.EmbedButton, views.EmbedFrame} {
		browser.Do(t, ctx, chromedp.Navigate(anotherSite(t, book, made.HTML())))
		if made.Kind == views.EmbedPopup || made.Kind == views.EmbedButton {
			browser.Until(t, ctx, `getComputedStyle(document.querySelector("button")).backgroundColor=="rgb(194, 65, 12)"`)
			want := "Book & <go> static"
			if made.Kind == views.EmbedButton {
				want = "Book & <go> fixed"
			}
			if got := browser.Eval[string](t, ctx, `(b=>b.textContent+" "+getComputedStyle(b).position)(document.querySelector("button"))`); got != want {
				t.Errorf("%s shows %q, want %q", made.Kind, got, want)
			}
			browser.Do(t, ctx, chromedp.Click(browser.CSS("button")))
		}
		if made.Kind != views.EmbedFrame {
			browser.Until(t, ctx, `seen.some(e=>e.type==="ready")`)
		}
		if got := browser.Eval[string](t, frameOf(t, ctx, "/salon/cut"), shown); got != "dark,true" {
			t.Errorf("%s: the page in the frame has %s", made.Kind, got)
		}
	}
}

// A frame that shows nothing is told of after ten seconds, and one that shows something never. A prefill that the site changes
// is taken over, and what lies over the site closes by its button and by Escape, whatever the site's sheet says.
func TestEmbedOfARoughSite(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	book := strings.Replace(w.open(), "127.0.0.1", "localhost", 1)
	site := anotherSite(t, book, `<button id="over" data-service-popup="BOOK/salon/cut">Book</button>
		<div id="blocked" data-service-url="http://127.0.0.2:9/salon/cut"></div>
		<div id="shown" data-service-url="BOOK/salon/cut" data-service-prefill-name="Mia"></div>`)
	began := time.Now() // the script begins to count before the page has all of its frames
	browser.Do(t, ctx, chromedp.Navigate(site))
	const blocked = `seen.filter(e=>e.type==="error").map(e=>e.id+" "+new URL(e.url).host).join()`
	browser.Until(t, ctx, `seen.some(e=>e.type==="ready"&&e.id==="shown")`)
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector("#shown").setAttribute("data-service-prefill-name","Bo")`)
	browser.Until(t, ctx, `document.querySelectorAll("#shown iframe").length===1&&document.querySelector("#shown iframe").src.includes("name=Bo")`)
	browser.Until(t, ctx, blocked+`!==""`)
	if took := time.Since(began); took < 9*time.Second {
		t.Errorf("it was told after %v", took)
	}
	if got := browser.Eval[string](t, ctx, blocked); got != "blocked 127.0.0.2:9" {
		t.Errorf("told of %q", got)
	}
	// The site's policy forbids sheets, but not those that a script makes.
	browser.Eval[chromedp.Void](t, ctx, `{const s=new CSSStyleSheet();s.replaceSync("dialog,dialog *,button{display:none!important;opacity:0!important;pointer-events:none!important}#over{display:block!important;opacity:1!important;pointer-events:auto!important}");document.adoptedStyleSheets=[s]}`)
	for i, ends := range []func(){
		func() { browser.Do(t, ctx, chromedp.Click(browser.CSS("dialog button"))) },
		func() { browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape)) },
	} {
		browser.Eval[chromedp.Void](t, ctx, `document.querySelector("#over").click()`)
		browser.Until(t, ctx, `document.querySelector("dialog[open] button")?.checkVisibility({opacityProperty:true,visibilityProperty:true})`)
		ends()
		browser.Until(t, ctx, fmt.Sprintf(`!document.querySelector("dialog")&&seen.filter(e=>e.type==="close").length===%d`, i+1))
	}
}
