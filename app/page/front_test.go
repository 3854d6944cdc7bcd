package page_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	door "daybook/app/page"
)

// photograph is about as heavy as one of a camera: every pixel differs a little from those beside it.
func photograph(t testing.TB, width, height, of int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			v := 128 + 60*math.Sin(float64(x*of)/37) + 40*math.Cos(float64(y)/23) + 20*math.Sin(float64(x*y)/9001)
			m.Set(x, y, color.RGBA{uint8(v), uint8(v * .8), uint8(v*.6) + uint8(of*9), 255})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// showPhotos gives the workspace so many photos; the second says what it shows.
func (w *world) showPhotos(n int) {
	w.T.Helper()
	var all []catalog.Photo
	for i := range n {
		p, _, err := w.Pictures.Upload(w.T.Context(), w.Owner, photograph(w.T, 1600, 1000, i+1))
		w.Must(err)
		all = append(all, catalog.Photo{Picture: p.ID})
		if i == 1 {
			all[i].Text = "Chairs by the window"
		}
	}
	_, err := w.Shop.UpdateWorkspace(w.T.Context(), w.Owner, func(of *catalog.Workspace) {
		of.Settings.Photos, of.Settings.ReviewsURL = all, "https://reviews.example/barbers"
	})
	w.Must(err)
}

var picture = regexp.MustCompile(`<img[^>]*>`)

// The first photo is loaded at once, the others once they are near, each in its own place; all are links to the whole
// picture. Where the page stands inside another site, there are none. Reviews are a link that tells nothing.
func TestPhotosOfTheShop(t *testing.T) {
	w := newBarbers(t)
	before := w.get("/barbers")
	for _, never := range []string{"data-photo", "shop-head-photo", "reviews"} {
		if strings.Contains(before.text, never) {
			t.Errorf("without photos: %s", never)
		}
	}
	w.showPhotos(3)
	a := w.get("/barbers")
	all := picture.FindAllString(a.text, -1)
	if len(all) != 4 { // and that of the dialog
		t.Fatalf("%d pictures: %v", len(all), all)
	}
	for i, img := range all[:3] {
		first := strings.Contains(img, `fetchpriority="high"`) && !strings.Contains(img, "lazy")
		if first != (i == 0) || !strings.Contains(img, `width="1600" height="1000"`) || !strings.Contains(img, "320w, ") {
			t.Errorf("%d: %s", i, img)
		}
	}
	for _, alt := range []string{`alt="Barbers, photo 1"`, `alt="Chairs by the window"`, `alt="Barbers, photo 3"`} {
		if !strings.Contains(a.text, alt) {
			t.Errorf("no %s", alt)
		}
	}
	link := regexp.MustCompile(`href="(/_p/[^"]+/1600.jpg)" data-photo`).FindAllStringSubmatch(a.text, -1)
	if len(link) != 3 || w.get(link[0][1]).StatusCode != 200 || !strings.Contains(a.text, `property="og:image" content="https://book.example.com`+strings.TrimSuffix(link[0][1], "jpg")+`preview.jpg"`) ||
		!strings.Contains(a.text, `"image":"https://book.example.com`+link[0][1]) {
		t.Errorf("%v in %.3000s", link, a.text)
	}
	if !strings.Contains(a.text, `href="https://reviews.example/barbers" target="_blank" rel="noopener"`) {
		t.Error("no link to the reviews")
	}
	for _, other := range []string{"/barbers?embed=inline", "/barbers?embed=popup", "/barbers?host=" + w.hostID("Ana Keller")} {
		if strings.Contains(w.get(other).text, "data-photo") {
			t.Errorf("%s shows photos", other)
		}
	}
}

// Nothing moves while the page loads, and its first service stands in the first screen.
func TestShopFrontFitsTheFirstScreen(t *testing.T) {
	w := newBarbers(t)
	w.showPhotos(4)
	base := w.open()
	ctx := browser.Open(t)
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `window.moved=0;
		new PerformanceObserver(l=>{for(const e of l.getEntries())moved+=e.value}).observe({type:"layout-shift",buffered:true})`})
	w.Must(err)
	// On a phone: the middle one of three widths, at three pixels for one of the page's, too.
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(3)), chromedp.Navigate(base+"/barbers?lang=en"))
	browser.Until(t, ctx, `document.querySelector(".shop-photo img").currentSrc.endsWith("/800.jpg")`)
	for _, screen := range []struct{ width, height, most int64 }{{320, 640, 640}, {390, 844, 660}, {820, 1180, 760}, {1024, 768, 760}, {1440, 900, 700}} {
		browser.Do(t, ctx, chromedp.EmulateViewport(screen.width, screen.height), chromedp.Navigate(base+"/barbers?lang=en"))
		browser.Until(t, ctx, `(i=>i.complete&&i.naturalWidth>0)(document.querySelector(".shop-photo img"))`)
		if moved := browser.Eval[float64](t, ctx, `moved`); moved > 0.001 {
			t.Errorf("%d: %v moved", screen.width, moved)
		}
		if at := browser.Eval[int64](t, ctx, `Math.round(document.querySelector(".event").getBoundingClientRect().top)`); at > screen.most {
			t.Errorf("%d: the first service is at %d", screen.width, at)
		}
		if found := browser.Eval[string](t, ctx, broad); found != "" {
			t.Errorf("%d: %s", screen.width, found)
		}
	}
	browser.Accessible(t, ctx, browser.Axe(t))
}

// The gallery is moved through by keyboard inside itself, and a photo is shown large over the page, turned, and left.
func TestPhotosLarge(t *testing.T) {
	w := newBarbers(t)
	w.showPhotos(5)
	base := w.open()
	ctx := browser.Open(t)
	enter := func() { // a key of the browser's protocol goes on to what has the focus next, whatever a script says
		t.Helper()
		browser.Until(t, ctx, `!document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true}))`)
	}
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(base+"/barbers?lang=en"))
	browser.Until(t, ctx, `document.querySelectorAll("[data-photo]").length===5`)
	browser.Eval[chromedp.Void](t, ctx, `document.querySelector(".gallery a").focus()`)
	for range 8 {
		if browser.Eval[bool](t, ctx, `document.activeElement===[...document.querySelectorAll(".gallery a")].at(-1)`) {
			break
		}
		browser.Do(t, ctx, chromedp.KeyEvent(kb.Tab))
	}
	browser.Until(t, ctx, `(r=>r.left>=0&&r.right<=innerWidth)(document.activeElement.getBoundingClientRect())&&document.activeElement.closest(".gallery")&&scrollX===0`)
	enter()
	browser.Until(t, ctx, `document.querySelector("dialog[open]")`)
	const shown = `(i=>i.complete&&i.naturalWidth>0&&i.alt)(document.querySelector("dialog[open] img")||{})`
	browser.Until(t, ctx, shown+`==="Barbers, photo 5"`)
	over := browser.Eval[bool](t, ctx, `document.elementFromPoint(innerWidth/2,innerHeight/2).closest("dialog")!==null`)
	if !over {
		t.Error("the photo doesn't lie over the page")
	}
	browser.Accessible(t, ctx, browser.Axe(t))
	browser.Do(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
	browser.Until(t, ctx, shown+`==="Barbers, photo 1"`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-photo-by="1"]`)))
	browser.Until(t, ctx, shown+`==="Chairs by the window"&&document.querySelector("dialog[open] [aria-live]").textContent==="Chairs by the window"`)
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape))
	browser.Until(t, ctx, `!document.querySelector("dialog[open]")&&document.activeElement.closest(".gallery")`)
	enter()
	browser.Until(t, ctx, shown+`==="Barbers, photo 5"`)
	browser.Do(t, ctx, chromedp.MouseClickXY(195, 422))
	if !browser.Eval[bool](t, ctx, `!!document.querySelector("dialog[open]")`) {
		t.Error("a tap on the photo closes it")
	}
	browser.Do(t, ctx, chromedp.MouseClickXY(195, 750))
	browser.Until(t, ctx, `!document.querySelector("dialog[open]")`)
	browser.NoScript(t, ctx)
	browser.Do(t, ctx, chromedp.Navigate(base+"/barbers?lang=en"))
	browser.Follow(t, ctx, ".gallery a")
	if at := browser.Eval[string](t, ctx, `location.pathname`); !strings.HasPrefix(at, "/_p/") {
		t.Errorf("without a script a photo leads to %s", at)
	}
}

// chosenHere is what the bar says, and what lies under the middle of its button.
const chosenHere = `(b=>{if(!b)return"";const a=b.querySelector(".button"),r=a.getBoundingClientRect();
	return b.querySelector("p").innerText.replace(/\s+/g," ")+"|"+(document.elementFromPoint(r.left+r.width/2,r.top+r.height/2)===a)})(document.querySelector(".shop-chosen"))`

// Two services are chosen on the page of the shop with a thumb, one is given up and chosen again, and the bar that is
// always in sight leads to the times of both.
func TestChosenOnTheShopsPage(t *testing.T) {
	w := visitWorld(t, door.Options{})
	base := w.open()
	ctx := browser.Open(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	for _, width := range []int64{320, 390, 1440} {
		browser.Do(t, ctx, chromedp.EmulateViewport(width, 844, chromedp.EmulateTouch), chromedp.Navigate(base+"/salon?lang=en"))
		tap := func(selector, until string) {
			t.Helper()
			browser.Do(t, ctx, chromedp.Click(browser.CSS(selector)))
			browser.Until(t, ctx, until)
		}
		tap("#take-colour", chosenHere+`==="Colour 1 hr 30 min · €80|true"&&document.activeElement.id==="take-colour"`)
		tap("#take-cut", chosenHere+`==="2 services 2 hr 30 min · €125|true"`)
		tap("#take-colour", chosenHere+`==="Haircut 1 hr · €45|true"`)
		tap("#take-colour", chosenHere+`==="2 services 2 hr 30 min · €125|true"`)
		if width < 960 { // in the bar, too
			tap(".chosen-all summary", `(r=>document.elementFromPoint(r.left+r.width/2,r.top+r.height/2)?.closest("#give-cut"))(document.querySelector("#give-cut").getBoundingClientRect())`)
			browser.Accessible(t, ctx, browser.Axe(t))
			tap("#give-cut", chosenHere+`==="Colour 1 hr 30 min · €80|true"&&document.activeElement.matches("[data-category] h2")`)
			tap("#take-cut", chosenHere+`==="2 services 2 hr 30 min · €125|true"`)
		}
		if found := browser.Eval[string](t, ctx, broad); found != "" {
			t.Errorf("%d: %s", width, found)
		}
		browser.Accessible(t, ctx, browser.Axe(t))
		hidden := browser.Eval[string](t, ctx, `(()=>{for(const x of document.querySelectorAll("main a")){if(!x.offsetParent||x.closest(".shop-chosen"))continue;x.focus();
			const r=x.getBoundingClientRect(),at=document.elementFromPoint(r.left+r.width/2,r.top+Math.min(r.height/2,20));
			if(!at||at.closest(".shop-chosen"))return x.outerHTML.slice(0,160)}return ""})()`)
		if hidden != "" {
			t.Errorf("%d: the bar lies over what has the focus: %s", width, hidden)
		}
		browser.Follow(t, ctx, ".shop-chosen .button")
		browser.Until(t, ctx, `document.querySelectorAll(".basket li").length===2&&document.querySelector(".time,.day")`)
		// The way back keeps what is chosen.
		browser.Follow(t, ctx, ".about .business")
		browser.Until(t, ctx, chosenHere+`==="2 services 2 hr 30 min · €125|true"`)
	}
}

// The same by plain links: each leads to the page with what is chosen, at the service; a card leads to the times of all.
func TestChosenWithoutJavaScript(t *testing.T) {
	w := visitWorld(t, door.Options{})
	one := w.get("/salon")
	href := func(a answer, pattern string) string {
		t.Helper()
		m := regexp.MustCompile(pattern).FindStringSubmatch(a.text)
		if m == nil {
			t.Fatalf("no %s in %.4000s", pattern, a.text)
		}
		return strings.ReplaceAll(m[1], "&amp;", "&")
	}
	take := func(a answer, slug string) string {
		return href(a, fmt.Sprintf(`id="take-%s" href="([^"#]+)#service-%s"`, slug, slug))
	}
	if strings.Contains(one.text, "shop-chosen") {
		t.Error("something is chosen on a new page")
	}
	two := w.get(take(one, "cut"))
	if !strings.Contains(two.text, "1\u00a0hr · €45") || !strings.Contains(two.text, `rel="canonical" href="https://book.example.com/salon"`) {
		t.Errorf("%.6000s", two.text)
	}
	three := w.get(take(two, "beard"))
	if got := href(three, `<h3><a href="([^"]*)">Brow tint`); got != "/salon/cut?with=beard,tint" {
		t.Errorf("the card of a third service leads to %s", got)
	}
	if got := href(three, `class="button button-main" href="([^"]+)"`); got != "/salon/cut?with=beard" {
		t.Errorf("the bar leads to %s", got)
	}
	if got := take(three, "cut"); got != "/salon?with=beard" {
		t.Errorf("giving up the first leads to %s", got)
	}
	if got := w.get("/salon?with=cut,secret,nothing,beard,cut"); !strings.Contains(got.text, "2 services") {
		t.Error("what can't be chosen isn't left out")
	}
	full := w.get("/salon?with=colour,cut,beard,tint,lash,nails")
	if strings.Contains(full.text, `id="take-feet"`) || !strings.Contains(full.text, "6 services") {
		t.Error("a seventh service can be chosen")
	}
	const alone = "Booked on its own"
	if !strings.Contains(full.text, alone) || strings.Contains(three.text, alone) {
		t.Error("the card of a service that can't be added doesn't say so, or another does")
	}
	if inline := w.get("/salon?embed=inline&with=cut"); strings.Contains(inline.text, `id="take-`) || strings.Contains(inline.text, "shop-chosen") {
		t.Error("services are chosen where the bar may be out of sight")
	}
}

// The way back keeps what was chosen; a service that was simply opened is not.
func TestChosenIsKeptOnTheWayBack(t *testing.T) {
	w := visitWorld(t, door.Options{})
	if a := w.get("/salon?with=cut"); !strings.Contains(a.text, `class="button button-main" href="/salon/cut?chosen=1"`) {
		t.Errorf("one service that is chosen: %.6000s", a.text)
	}
	const time = "start=2026-12-02T10:00:00Z"
	ana := w.hostID("Ana")
	for path, back := range map[string]string{
		"/salon/cut":                                "/salon",
		"/salon/cut?" + time:                        "/salon",
		"/salon/cut?chosen=1":                       "/salon?with=cut",
		"/salon/cut?chosen=1&" + time:               "/salon?with=cut",
		"/salon/cut?add=1":                          "/salon?with=cut",
		"/salon/cut?with=beard":                     "/salon?with=cut,beard",
		"/salon/cut?with=beard&add=1":               "/salon?with=cut,beard",
		"/salon/cut?with=beard&" + time:             "/salon?with=cut,beard",
		"/salon?with=cut&host=" + ana:               "/salon?with=cut",
		"/salon?with=cut,beard&lang=en&host=" + ana: "/salon?with=cut,beard&amp;lang=en",
	} {
		a := w.get(path)
		got := "no way back"
		if m := regexp.MustCompile(`class="business" href="([^"]*)"`).FindStringSubmatch(a.text); m != nil {
			got = m[1]
		}
		if got != back {
			t.Errorf("%s leads back to %s, want %s", path, got, back)
		}
	}
}

// What is tapped while an answer is awaited is chosen, too; what was cleared from the search doesn't come back.
func TestChosenInQuickSuccession(t *testing.T) {
	w := visitWorld(t, door.Options{})
	base := w.open()
	ctx := browser.Open(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(base+"/salon?lang=en&q=colour"))
	browser.Until(t, ctx, `document.querySelector("#seek").value==="colour"&&!document.querySelector("#take-cut").checkVisibility()`)
	browser.Eval[chromedp.Void](t, ctx, `{const f=fetch;window.held=[];window.fetch=(...a)=>new Promise(go=>held.push(go)).then(()=>f(...a));
		const seek=document.querySelector("#seek");seek.value="";seek.dispatchEvent(new Event("input",{bubbles:true}))}`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS("#take-colour")), chromedp.Click(browser.CSS("#take-cut")))
	browser.Until(t, ctx, `(held.splice(0).forEach(go=>go()),`+chosenHere+`==="2 services 2 hr 30 min · €125|true")`)
	if at := browser.Eval[string](t, ctx, `location.search`); strings.Contains(at, "q=") {
		t.Errorf("the search is back: %s", at)
	}
}

// Book leads to what a search shows, and to the search itself where that is nothing.
func TestBookLeadsToWhatIsShown(t *testing.T) {
	w := newBarbers(t)
	w.showPhotos(2)
	base := w.open()
	ctx := browser.Open(t)
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(base+"/barbers?lang=en&q=e"))
	browser.Until(t, ctx, `document.querySelector("#seek")&&document.querySelector(".shop-book a")`)
	const seek = `{const s=document.querySelector("#seek");s.value=%s;s.dispatchEvent(new Event("input",{bubbles:true}));document.querySelector(".shop-book a").click()}`
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(seek, `[...document.querySelectorAll("[data-category] h3")].at(-1).textContent`))
	browser.Until(t, ctx, `document.activeElement.matches("[data-category] h2")&&document.activeElement.checkVisibility()`)
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(seek, `"qqqq"`))
	browser.Until(t, ctx, `document.activeElement.id==="seek"`)
}

// Once the services are out of sight, Book leads back to them, on narrow and on wide screens; it lies over nothing that
// has the focus.
func TestBookIsAlwaysAtHand(t *testing.T) {
	w := newBarbers(t)
	w.showPhotos(5)
	base := w.open()
	ctx := browser.Open(t)
	const book = `(a=>{const r=a.getBoundingClientRect();return document.elementFromPoint(r.left+r.width/2,r.top+r.height/2)===a})(document.querySelector(".shop-book a"))`
	for _, width := range []int64{390, 1440} {
		browser.Do(t, ctx, chromedp.EmulateViewport(width, 700), chromedp.Navigate(base+"/barbers?lang=en"))
		browser.Until(t, ctx, `document.querySelector(".shop-book a")&&!`+book)
		browser.Eval[chromedp.Void](t, ctx, `document.querySelector(".team h2").scrollIntoView({block:"center"})`)
		browser.Until(t, ctx, book)
		for _, of := range []string{".team a", ".gallery a", ".shop-facts a"} {
			hidden := browser.Eval[string](t, ctx, fmt.Sprintf(`(()=>{for(const x of document.querySelectorAll(%q)){x.focus();
				const r=x.getBoundingClientRect(),at=document.elementFromPoint(r.left+r.width/2,r.top+r.height/2);if(!at||at.closest(".shop-book"))return x.outerHTML.slice(0,160)}return ""})()`, of))
			if hidden != "" {
				t.Errorf("%d: Book lies over %s", width, hidden)
			}
		}
		browser.Eval[chromedp.Void](t, ctx, `document.querySelector(".team h2").scrollIntoView({block:"center"})`)
		browser.Until(t, ctx, book)
		browser.Do(t, ctx, chromedp.Click(browser.CSS(".shop-book a")))
		browser.Until(t, ctx, `(r=>r.top>=0&&r.bottom<=innerHeight)(document.querySelector("#part-1").getBoundingClientRect())&&document.activeElement.id==="part-1"`)
	}
}
