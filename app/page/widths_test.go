package page_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/catalog"
)

// broad lists what is wider than the window, or cut off where words should wrap.
const broad = `(()=>{
	const wide = document.documentElement.scrollWidth - innerWidth;
	const cut = [...document.querySelectorAll("h1, h2, h3, p, label, legend, dt, dd, .facts span, .business span, .event h2, .time, .button")]
		.filter(x => !x.closest(".sr, [hidden]") && x.clientWidth > 1 && getComputedStyle(x).webkitLineClamp === "none" && x.scrollWidth > x.clientWidth + 1)
		.map(x => x.tagName + "." + x.className + " " + x.textContent.trim().slice(0, 40));
	return (wide > 0 ? "scrolls sideways by " + wide + ". " : "") + cut.join("; ");
})()`

// German words that are longer than a line make no booking page scroll sideways and are not cut off, from small phones
// to desktops.
func TestLongWordsWrap(t *testing.T) {
	const word = "Dauerwellenbehandlungsvorbesprechungsterminvereinbarung"
	ctx := browser.Open(t)
	w, all := newDemo(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Name = "Friseurmeisterbetriebsgemeinschaft " + word })
	w.Must(err)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for _, e := range setup.EventTypes {
		e.Title, e.Location = word+" "+e.Title, "Donaudampfschifffahrtsgesellschaftskapitänskajüte"
		e.Description = word + word
		_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
		w.Must(err)
	}
	base := w.open()
	for _, s := range all {
		call(t, ctx, base, s, "&lang=de", "light", screens[0])
		for _, width := range []int64{320, 390, 820, 1440} {
			browser.Do(t, ctx, chromedp.EmulateViewport(width, 844))
			found, err := chromedp.Run(ctx, chromedp.Evaluate[string](broad))
			w.Must(err)
			if found != "" {
				t.Errorf("%s at %d: %s", s.name, width, found)
			}
		}
	}
}

// Without an answer from the server, a click on a time and the form both say so beside what was pressed; what was typed
// stays, and pressing again goes on.
func TestLostNetwork(t *testing.T) {
	ctx := browser.Open(t)
	w, all := newDemo(t)
	base := w.open()
	at := map[string]state{}
	for _, s := range all {
		at[s.name] = s
	}
	const cut = `(window.answer = fetch, window.fetch = () => Promise.reject(new TypeError("Failed to fetch")), window.marked = true)`
	beside := func(selector string) string {
		return fmt.Sprintf(`(()=>{const x=document.querySelector(".lost");if(!x)return false;const a=x.getBoundingClientRect(),p=document.querySelector(%q).getBoundingClientRect();`+
			`return marked&&x.getAttribute("role")==="alert"&&x.textContent.length>20&&Math.min(Math.abs(a.top-p.bottom),Math.abs(p.top-a.bottom))<20})()`, selector)
	}

	call(t, ctx, base, at["month"], "", "light", screens[1])
	browser.Until(t, ctx, cut)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(".time")))
	browser.Until(t, ctx, beside(".time"))
	browser.Until(t, ctx, `(window.fetch = answer, true)`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(".time")))
	browser.Until(t, ctx, `!document.querySelector(".lost") && document.querySelector("[name=email]")`)

	const set = `(()=>{for(const [k,v] of [["name","Mia Becker"],["email","mia@mail.example"]])document.querySelector("[name="+k+"]").value=v;return true})()`
	browser.Until(t, ctx, set)
	browser.Until(t, ctx, cut)
	browser.Do(t, ctx, chromedp.Click(browser.CSS("form[method=post] [type=submit]")))
	browser.Until(t, ctx, beside("form[method=post] [type=submit]"))
	browser.Until(t, ctx, `document.querySelector("[name=name]").value === "Mia Becker"`)
	browser.Until(t, ctx, `(window.fetch = answer, true)`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS("form[method=post] [type=submit]")))
	browser.Until(t, ctx, `document.querySelector("[data-booking-id]")`)
}
