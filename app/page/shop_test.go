package page_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/availability"
	"daybook/app/money"
	"daybook/app/page"
)

// barbers is a shop with ten services under three headings, one that is hidden, and people with terms of their own.
const barbers = `
workspace:
  slug: barbers
  name: Barbers
  timeZone: Europe/Berlin
  currency: EUR
  description: Cuts and shaves
  about: "We cut since 2009.\n\nThe door is level with the street."
  phone: 030 5550100
  address: Lindenstraße 12, 10969 Berlin
hosts:
  - {name: Ana Keller, about: The owner, email: ana@barbers.example, timeZone: Europe/Berlin,
     weekly: {mon: ["09:00-13:00"], tue: ["09:00-13:00"], wed: ["09:00-13:00"]},
     eventTypes: [{slug: cut, durationMinutes: 60, price: {amount: 6000}}]}
  - {name: Ben Okafor, email: ben@barbers.example, timeZone: Europe/London, weekly: {mon: ["11:00-17:00"], tue: ["13:00-17:00"]}}
  - {name: Carl Away, email: carl@barbers.example, timeZone: Europe/Berlin, active: false, weekly: {sun: ["10:00-12:00"]},
     eventTypes: [{slug: cut, price: {amount: 100}}]}
eventTypes:
  - {slug: cut, title: Haircut, category: Hair, durationMinutes: 30, price: {amount: 4500, currency: EUR},
     location: "Lindenstraße 12", hosts: [ana@barbers.example, ben@barbers.example, carl@barbers.example]}
  - {slug: shave, title: Shave, category: Beard, durationMinutes: 30, price: {amount: 3000, currency: EUR},
     addOns: [{id: towel, title: Hot towel, minutes: 10, price: {amount: 500}}], hosts: [ben@barbers.example]}
  - {slug: colour, title: Émail & Färben, category: Hair, durationMinutes: 90, hosts: [ana@barbers.example]}
  - {slug: advice, title: Advice, description: "By video.\n\nAsk for anything, also about wigs.", durationMinutes: 15,
     location: Video call, hosts: [ana@barbers.example]}
  - {slug: secret, title: Secret, hidden: true, durationMinutes: 15, hosts: [ana@barbers.example]}
  - {slug: a1, title: One, category: Care, durationMinutes: 15, hosts: [ben@barbers.example]}
  - {slug: a2, title: Two, category: Care, durationMinutes: 15, hosts: [ben@barbers.example]}
  - {slug: a3, title: Three, category: Care, durationMinutes: 15, hosts: [ben@barbers.example]}
  - {slug: a4, title: Four, category: Care, durationMinutes: 15, hosts: [ben@barbers.example]}
  - {slug: a5, title: Five, category: Care, durationMinutes: 15, hosts: [ben@barbers.example]}
`

// listed are the titles of the services that are shown.
const listed = `[...document.querySelectorAll("[data-event]")].filter(e=>e.offsetParent).map(e=>e.querySelector("h3").textContent).join()`

func newBarbers(t *testing.T) *world {
	w := newWorld(t, page.Options{})
	w.Apply(barbers)
	var err error
	w.Workspace, err = w.WorkspaceBySlug(t.Context(), "barbers")
	w.Must(err)
	w.Actors()
	return w
}

// hostID is the id of the host of that name.
func (w *world) hostID(name string) string {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for _, h := range setup.Hosts {
		if h.Name == name {
			return h.ID.String()
		}
	}
	w.T.Fatalf("no host %s", name)
	return ""
}

// The list shows the business and its services under their headings, a host's page theirs at their own price, and both
// are searched, all without a script.
func TestShopWithoutJavaScript(t *testing.T) {
	w := newBarbers(t)
	ana := w.hostID("Ana Keller")
	w.play(t, []scenario{
		{name: "the shop", request: "GET /barbers", status: 200, contains: []string{"<h1>Barbers</h1>", "We cut since 2009.", "Lindenstraße 12, 10969 Berlin",
			"https://www.openstreetmap.org/search?query=Lindenstra%C3%9Fe+12", `href="tel:+49305550100"`, "Opening hours", "9:00\u202fAM–6:00\u202fPM", "9:00\u202fAM–1:00\u202fPM", "Closed", "from €45", "30\u00a0min",
			"– 1\u00a0hr", "from €30", `href="/barbers?host=` + ana, "AK", "The owner", `id="part-1"`, ">More</h2>", `name="q"`, `"openingHoursSpecification"`, `"lowPrice":"45.00"`, `"highPrice":"60.00"`, `"OfferCatalog"`},
			never: []string{"Secret", "Carl Away", "€1<"}},
		{name: "a host", request: "GET /barbers?host=" + ana, status: 200, contains: []string{"<h1>Ana Keller</h1>", "The owner", "€60", "/barbers/cut?host=" + ana, "All services"}, never: []string{"from €", ">Shave<"}},
		{name: "one who is away", request: "GET /barbers?host=" + w.hostID("Carl Away"), status: 200, contains: []string{"<h1>Barbers</h1>"}},
		{name: "nobody", request: "GET /barbers?host=hs_zzz", status: 200, contains: []string{"<h1>Barbers</h1>"}},
		{name: "in German", request: "GET /barbers?lang=de", status: 200, contains: []string{"Öffnungszeiten", "09:00–18:00", "ab 45", "Unser Team", "Geschlossen"}},
		{name: "with whom", request: "GET /barbers/cut", status: 200, contains: []string{"Whoever is free", "Ana Keller", "1\u00a0hr · €60", "30\u00a0min · €45", "Berlin time, as at our place"}, never: []string{"Carl Away", `name="timeZone"`}},
		{name: "with Ana", request: "GET /barbers/cut?host=" + ana, status: 200, contains: []string{"€60", "1\u00a0hr"}, never: []string{"from €45"}},
		{name: "in person, on the shop's clock", request: "GET /barbers/cut?timeZone=America/New_York&date=2026-11-30&clock=24", status: 200, contains: []string{">09:00", "Your device is set to another time."}},
		{name: "by video, on the visitor's", request: "GET /barbers/advice?timeZone=America/New_York&date=2026-11-30&clock=24", status: 200, contains: []string{">03:00", `name="timeZone"`}, never: []string{"as at our place"}},
	})
	for text, want := range map[string]string{"EMAIL farben": "Émail", "wigs": "Advice", "hair keller": "Haircut Émail", "nothing": ""} {
		a := w.get("/barbers?q=" + strings.ReplaceAll(text, " ", "+"))
		var found []string
		for _, m := range regexp.MustCompile(`<li data-event="[^"]*"( hidden)?>.*?<h3><a[^>]*>(\S+?)(?: [^<]*)?</a>`).FindAllStringSubmatch(a.text, -1) {
			if m[1] == "" {
				found = append(found, m[2])
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
		if none := strings.Contains(a.text, `data-none>`); none != (want == "") {
			t.Errorf("%q: says that nothing was found: %v", text, none)
		}
	}
}

// What the list says that a service costs and takes at least is the least of what availability offers.
func TestShopPricesAreThoseOffered(t *testing.T) {
	w := newBarbers(t)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for _, slug := range []string{"cut", "shave", "colour"} {
		free, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: slug, Days: new(7)})
		w.Must(err)
		low, high, shortest := int64(1<<60), int64(0), int64(1<<60)
		for _, s := range free.Slots() {
			offers := s.ByHost
			if len(offers) == 0 {
				offers = []availability.HostSlot{{End: s.End, Price: setup.EventType(slug).Price}}
			}
			for _, o := range offers {
				price := int64(0)
				if o.Price != nil {
					price = o.Price.Amount
				}
				low, high, shortest = min(low, price), max(high, price), min(shortest, int64(o.End-s.Start)/60_000)
			}
		}
		e := setup.EventType(slug)
		least, most, _ := setup.Prices(e)
		minutes, _ := setup.Minutes(e)
		if amount(least) != low || amount(most) != high || int64(minutes) != shortest {
			t.Errorf("%s is listed for %d to %d and %d minutes, offered for %d to %d and %d", slug, amount(least), amount(most), minutes, low, high, shortest)
		}
	}
}

func amount(m *money.Money) int64 {
	if m == nil {
		return 0
	}
	return m.Amount
}

// In a browser, in two languages: words narrow the list in place, a person is chosen on it, and what they take for the
// service is what is booked.
func TestShopInABrowser(t *testing.T) {
	w := newBarbers(t)
	base, ana := w.open(), w.hostID("Ana Keller")
	ctx := browser.Open(t)
	browser.Zone(t, ctx, "America/New_York")
	for i, lang := range []string{"en", "de"} {
		all := map[string]string{"en": "All services", "de": "Alle Leistungen"}[lang]
		browser.Do(t, ctx, chromedp.Navigate(base+"/barbers?lang="+lang))
		browser.Do(t, ctx, chromedp.SendKeys(browser.CSS("#seek"), "farben"))
		browser.Until(t, ctx, listed+`==="Émail & Färben"&&location.search.includes("q=farben")`)
		browser.Until(t, ctx, `document.querySelector("[data-found]").textContent.includes("1 ")`)
		browser.Do(t, ctx, chromedp.SendKeys(browser.CSS("#seek"), "xx"))
		browser.Until(t, ctx, listed+`===""&&document.querySelector("[data-none]").offsetParent`)
		browser.Do(t, ctx, chromedp.Click(browser.CSS("[data-clear]")))
		browser.Until(t, ctx, listed+`.split(",").length===9&&document.activeElement.id==="seek"`)
		browser.Follow(t, ctx, `.team a[href*="`+ana+`"]`)
		browser.Until(t, ctx, fmt.Sprintf(`document.querySelector("h1").textContent==="Ana Keller"&&document.body.textContent.includes(%q)`, all))
		browser.Follow(t, ctx, `[data-event] a[href*="/cut?"]`)
		browser.Until(t, ctx, `document.querySelector(".people [aria-current]").textContent.includes("Ana")&&!document.querySelector("[data-zone-shop]").hidden`)
		browser.Do(t, ctx, chromedp.Click(browser.CSS(".time")))
		browser.Until(t, ctx, `document.querySelector("#details")`)
		fillIn(t, ctx, []string{"Mia", "Leo"}[i])
		browser.Follow(t, ctx, ".actions button")
		browser.Until(t, ctx, bookingID)
		b, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
		w.Must(err)
		if b.Host.Name != "Ana Keller" || b.End-b.Start != 60*60_000 || b.Price == nil || b.Price.Amount != 6000 || b.Invitee.TimeZone != "Europe/Berlin" {
			t.Errorf("%s: %s %v %+v %s", lang, b.Host.Name, b.End-b.Start, b.Price, b.Invitee.TimeZone)
		}
	}
}

// The same in two languages without scripts, where the person is chosen on the page of the service.
func TestShopInABrowserWithoutScripts(t *testing.T) {
	w := newBarbers(t)
	base, ana := w.open(), w.hostID("Ana Keller")
	ctx := browser.Open(t)
	browser.NoScript(t, ctx)
	for i, lang := range []string{"en", "de"} {
		browser.Do(t, ctx, chromedp.Navigate(base+"/barbers?lang="+lang), chromedp.SendKeys(browser.CSS("#seek"), "haircut"))
		browser.Follow(t, ctx, ".seek button")
		if got := browser.Eval[string](t, ctx, listed); got != "Haircut" {
			t.Fatalf("%s: found %q", lang, got)
		}
		browser.Follow(t, ctx, `[data-event]:not([hidden]) h3 a`)
		browser.Follow(t, ctx, `.people a[href*="`+ana+`"]`)
		browser.Follow(t, ctx, ".time")
		fillIn(t, ctx, []string{"Mia", "Leo"}[i])
		browser.Follow(t, ctx, ".actions button")
		b, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
		w.Must(err)
		if b.Host.Name != "Ana Keller" || b.Price == nil || b.Price.Amount != 6000 || !strings.HasPrefix(b.Invitee.Locale, lang) {
			t.Errorf("%s: %s %+v %s", lang, b.Host.Name, b.Price, b.Invitee.Locale)
		}
		if got := browser.Eval[string](t, ctx, `document.documentElement.lang`); !strings.HasPrefix(got, lang) {
			t.Errorf("%s: confirmed in %s", lang, got)
		}
	}
}

// Who has only a keyboard, a window as small as at 200 % zoom, colours of their own and no wish for motion books, too:
// the focus can be seen at each step, and so can what is chosen.
func TestShopForEverybody(t *testing.T) {
	w := newBarbers(t)
	base, ana := w.open(), w.hostID("Ana Keller")
	ctx := browser.Open(t)
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			browser.Do(t, ctx, chromedp.KeyEvent(k))
		}
	}
	to := func(selector string) { // by the Tab key
		t.Helper()
		for range 60 {
			press(kb.Tab)
			at := browser.Eval[string](t, ctx, fmt.Sprintf(`(()=>{const x=document.activeElement,r=x.getBoundingClientRect();
				const seen=(s)=>s.outlineStyle!=="none"&&parseFloat(s.outlineWidth)>=1||s.boxShadow!=="none";
				if(x!==document.body&&!seen(getComputedStyle(x))&&!seen(getComputedStyle(x,"::after")))return "no focus is seen on "+x.outerHTML.slice(0,200);
				if(r.bottom<=0||r.top>=innerHeight)return "the focus is outside the window on "+x.outerHTML.slice(0,200);
				return x.matches(%q)?"there":""})()`, selector))
			if at == "there" {
				return
			}
			if at != "" {
				t.Error(at)
			}
		}
		t.Fatalf("no Tab reaches %s\n%s", selector, browser.Text(ctx))
	}
	narrow := func(place string) {
		t.Helper()
		for _, width := range []int64{320, 640} {
			browser.Do(t, ctx, chromedp.EmulateViewport(width, 400))
			if found := browser.Eval[string](t, ctx, broad); found != "" {
				t.Errorf("%s at %d: %s", place, width, found)
			}
		}
	}
	chosen := func(selector, other string) { // looks unlike another one, in colours of the visitor's own
		t.Helper()
		media := func(forced string) {
			_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "forced-colors", Value: forced}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
			w.Must(err)
		}
		media("active")
		const look = `((s)=>s.backgroundColor+s.color+s.transitionDuration)(getComputedStyle(document.querySelector(%q)))`
		one, two := browser.Eval[string](t, ctx, fmt.Sprintf(look, selector)), browser.Eval[string](t, ctx, fmt.Sprintf(look, other))
		if one == two || !strings.HasSuffix(one, ")0s") {
			t.Errorf("%s looks like %s, or moves: %s, %s", selector, other, one, two)
		}
		media("none")
	}
	browser.Do(t, ctx, chromedp.Navigate(base+"/barbers?lang=en"))
	narrow("the shop")
	to("#seek")
	press("haircut")
	browser.Until(t, ctx, listed+`==="Haircut"`)
	to("[data-event] h3 a")
	press(kb.Enter)
	browser.Until(t, ctx, `document.querySelector("[data-view=event]")`)
	narrow("the service")
	to(`.people a[href*="` + ana + `"]`)
	press(kb.Enter)
	browser.Until(t, ctx, `document.querySelector(".people [aria-current]").textContent.includes("Ana")&&document.activeElement.closest(".people")`)
	chosen(".people [aria-current]", ".people a:not([aria-current])")
	chosen(".day[aria-current]", ".day:not([aria-current])")
	to(".day[href]")
	press(kb.Enter)
	browser.Until(t, ctx, `document.activeElement.id==="times-title"`)
	to(".time")
	press(kb.Enter)
	browser.Until(t, ctx, `document.activeElement.id==="details-title"`)
	narrow("the form")
	to("[name=name]")
	press("Mia")
	to("[name=email]")
	press("mia@mail.example")
	to(".actions button")
	press(kb.Enter)
	browser.Until(t, ctx, bookingID)
	narrow("the booking")
	if w.count() != 1 {
		t.Errorf("%d bookings", w.count())
	}
}

// The JSON-LD of the list is one object that names each service under its heading.
func TestShopData(t *testing.T) {
	w := newBarbers(t)
	found := w.get("/barbers").all(`(?s)<script[^>]*application/ld\+json[^>]*>(.*?)</script>`)
	if len(found) != 1 {
		t.Fatal(found)
	}
	var d struct {
		Type    string `json:"@type"`
		Address string
		Hours   []struct{ DayOfWeek, Opens, Closes string } `json:"openingHoursSpecification"`
		Catalog struct {
			Items []struct {
				Name  string
				Items []json.RawMessage `json:"itemListElement"`
			} `json:"itemListElement"`
		} `json:"hasOfferCatalog"`
	}
	w.Must(json.Unmarshal([]byte(found[0]), &d))
	if d.Type != "LocalBusiness" || d.Address == "" || len(d.Hours) != 4 || d.Hours[0].DayOfWeek != "https://schema.org/Monday" || d.Hours[0].Opens != "09:00" || d.Hours[0].Closes != "18:00" {
		t.Errorf("%+v", d)
	}
	if c := d.Catalog.Items; len(c) != 4 || c[0].Name != "Hair" || len(c[0].Items) != 2 || c[3].Name != "" || len(c[3].Items) != 1 {
		t.Errorf("%+v", d.Catalog)
	}
}

// A booking has one length and one price, whatever the service has with others.
func TestBookingHasOnePriceAndLength(t *testing.T) {
	w := newBarbers(t)
	b := w.book("cut", "1T11:00", "leo")
	for _, at := range []string{"", "/cancel", "/reschedule"} {
		text := w.get(path(b.ManageURL) + at).text
		if !strings.Contains(text, "€60") || strings.Contains(text, "from €") || strings.Contains(text, "hr – ") || strings.Contains(text, "– 1") {
			t.Errorf("%q: %.4000s", at, text[strings.Index(text, "<main"):])
		}
	}
}

// In place of a time that was taken, the form offers those of the one whose price it shows, and books with them.
func TestOtherTimesAtThePriceShown(t *testing.T) {
	w := newBarbers(t)
	ana, ben := w.hostID("Ana Keller"), w.hostID("Ben Okafor")
	w.book("cut", "1T11:00", "leo") // Ana's last on that day; Ben begins at 13:00
	const hers, his = `value="2026-12-02T08:00:00Z"`, `value="2026-12-01T13:00:00Z"`
	taken := w.send("POST", "/barbers/cut", bookingForm("1T11:00", "mia", "with", ana))
	if taken.StatusCode != 409 || !strings.Contains(taken.text, "€60") || !strings.Contains(taken.text, hers) || strings.Contains(taken.text, his) {
		t.Errorf("%d\n%.3000s", taken.StatusCode, taken.text)
	}
	typed := bookingForm("2T08:00", "mia")
	for name, value := range taken.hidden() {
		typed[name] = value
	}
	a := w.send("POST", "/barbers/cut", typed)
	if a.StatusCode != 303 {
		t.Fatalf("%d %.800s", a.StatusCode, a.text)
	}
	b := w.made(w.get(a.Header.Get("Location")).all(`data-booking-id="([^"]*)"`)[0])
	if b.Host.ID.String() != ana || b.Price.Amount != 6000 || b.HostNamed {
		t.Errorf("booked with %s for %+v, named %v", b.Host.Name, b.Price, b.HostNamed)
	}
	w.play(t, []scenario{{name: "opened too late", request: "GET /barbers/cut?start=2026-12-01T11:00:00Z", status: 200,
		contains: []string{his, "€45", `name="with" value="` + ben}, never: []string{"from €", hers}}})
}
