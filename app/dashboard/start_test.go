package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/app/trade"
	"daybook/views"
)

// startWorld is an empty world whose new owner has set hours, for a workspace in that currency.
func startWorld(t *testing.T, currency string) (*world, *visitor, func() *catalog.Setup) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	b := w.browser()
	b.wants(b.post(strings.TrimPrefix(link, w.server.URL), "email", "ana@salon.example", "password", "correct horse battery", "name", "Salon Ana",
		"slug", "salon", "timeZone", "Europe/Berlin", "currency", currency), 303)
	b.wants(b.post("/dashboard/start/hours", "name", "Ana", "mon.from", "09:00", "mon.to", "17:00"), 303)
	return w, b, func() *catalog.Setup {
		t.Helper()
		ws, err := w.WorkspaceBySlug(t.Context(), "salon")
		w.Must(err)
		setup, err := w.Setup(ws.ID)
		w.Must(err)
		return setup
	}
}

func offered(setup *catalog.Setup) (all []string) {
	for i := range setup.EventTypes {
		e := &setup.EventTypes[i]
		price := "free"
		if e.Price != nil {
			price = e.Price.Text()
		}
		all = append(all, e.Slug+" "+price)
	}
	return all
}

// The trade's services are proposed, three of them ticked. What is ticked is saved as it was corrected, all or nothing;
// again, what is there isn't proposed, and nothing that was saved is changed.
func TestFirstRunByTrade(t *testing.T) {
	_, b, setup := startWorld(t, "EUR")
	b.wants(b.get("/dashboard/start/trade"), 200, "What do you do?", "trade=hair", "trade=garage", "/start/service\"")
	b.wants(b.get("/dashboard/start/services?trade=x"), 303)
	page := b.get("/dashboard/start/services?trade=hair")
	b.wants(page, 200, "Women’s cut and blow-dry", `value="55"`, "Balayage")
	if ticked := strings.Count(page.body, " checked"); ticked != trade.Ticked {
		t.Errorf("%d are ticked", ticked)
	}
	b.wants(b.get("/salon"), 200, "Salon Ana", "!class=\"drawing\"")
	row := func(n, title, minutes, price string) []string {
		return []string{"on." + n, "on", "title." + n, title, "minutes." + n, minutes, "price." + n, price}
	}
	form := slices.Concat([]string{"trade", "hair"}, row("0", "Women’s cut", "50", "58,50"), row("1", "Haircut", "30", ""),
		[]string{"title.2", "Never", "minutes.2", "30", "price.2", "20"})
	b.wants(b.post("/dashboard/start/services", form...), 422, "Give a price, or 0 if it is free", `value="58,50"`)
	if all := offered(setup()); len(all) != 0 {
		t.Fatalf("refused, yet there is %q", all)
	}
	form[len(form)-7] = "0"
	b.wants(b.post("/dashboard/start/services", form...), 303)
	if all := offered(setup()); !slices.Equal(all, []string{"womens-cut EUR 58.50", "haircut free"}) {
		t.Fatalf("there is %q", all)
	}
	if e := setup().EventTypes[0]; e.DurationMinutes != 50 || e.Hidden || len(e.Hosts) != 1 || setup().Workspace.Settings.Trade != trade.Hair {
		t.Errorf("saved: %+v", e)
	}
	b.wants(b.get("/salon"), 200, "class=\"drawing\"")

	// A second click makes nothing twice.
	b.wants(b.post("/dashboard/start/services", form...), 303)
	if all := offered(setup()); len(all) != 2 {
		t.Errorf("sent twice: %q", all)
	}

	// Again: nothing is ticked, and what is there isn't proposed.
	again := b.get("/dashboard/start/services?trade=barber")
	b.wants(again, 200, "Beard trim", "!value=\"Haircut\"")
	if strings.Contains(again.body, " checked") {
		t.Error("something is ticked again")
	}
	b.wants(b.post("/dashboard/start/services", slices.Concat([]string{"trade", "barber"}, row("9", "Hair cut", "20", "10"), row("8", "Online advice", "20", "0"), []string{"place.8", "online"})...), 303)
	if all := offered(setup()); !slices.Equal(all, []string{"womens-cut EUR 58.50", "haircut free", "online-advice free", "hair-cut EUR 10.00"}) {
		t.Errorf("there is %q", all)
	}

	// Address and phone, and who else works there, with the hours and services of who was there first.
	b.wants(b.post("/dashboard/start/shop", "address", "Oranienstraße 25, 10999 Berlin", "phone", "030 1234567", "colleague.1", "Ben", "email.1", "ben@salon.example", "colleague.2", "Cem", "email.2", "wrong"),
		422, "Ana", `value="Cem"`, `value="Ben"`)
	if now := setup(); len(now.Hosts) != 1 || now.Workspace.Settings.Address != "" {
		t.Errorf("refused, yet there is %+v", now.Hosts)
	}
	b.wants(b.post("/dashboard/start/shop", "address", "Oranienstraße 25, 10999 Berlin", "phone", "030 1234567", "colleague.1", "Ben", "email.1", "ben@salon.example", "colleague.2", "Cem", "email.2", "cem@salon.example"), 303)
	now := setup()
	if len(now.Hosts) != 3 || len(now.Hosts[2].Weekly) != 1 || len(now.EventTypes[2].Hosts) != 3 || now.Workspace.Settings.Phone == "" {
		t.Errorf("hosts: %+v, services: %+v", now.Hosts, now.EventTypes[2].Hosts)
	}
	if e := now.EventType("online-advice"); e == nil || e.Where == nil || e.Where.Kind != catalog.Video {
		t.Errorf("the advice: %+v", e)
	}
	for _, e := range now.EventTypes {
		if e.Slug != "online-advice" && (e.Where == nil || e.Where.Kind != catalog.InPerson) {
			t.Errorf("%s is at %+v", e.Slug, e.Where)
		}
	}
	b.wants(b.get("/dashboard/start/done"), 200, "/dashboard/poster", "Google", "Instagram", "Book online: ")
	b.wants(b.get("/dashboard/poster"), 200, "Salon Ana", "class=\"scanned\"", "/salon")
	b.wants(b.get("/dashboard/poster?kind=cards"), 200, "030")
}

// In another currency than that of the proposals no price is proposed, and none that is missing is taken for free.
func TestFirstRunInAnotherCurrency(t *testing.T) {
	_, b, setup := startWorld(t, "CHF")
	b.wants(b.get("/dashboard/start/services?trade=nails"), 200, "Manicure", `value="45"`, `!value="35"`, "CHF")
	b.wants(b.post("/dashboard/start/services", "trade", "nails", "on.0", "on", "title.0", "Manicure", "minutes.0", "45", "price.0", ""), 422, "Give a price")
	b.wants(b.post("/dashboard/start/services", "trade", "nails"), 422, "Tick at least one service")
	if all := offered(setup()); len(all) != 0 {
		t.Errorf("there is %q", all)
	}
	b.wants(b.get("/dashboard/start/shop"), 200)
	b.wants(b.get("/dashboard/start/done"), 200)
}

// Every trade has a picture, and a name in each language.
func TestTradesAreShown(t *testing.T) {
	for _, of := range trade.All {
		if !views.Drawn(string(of)) {
			t.Errorf("%s has no picture", of)
		}
		for _, l := range views.Locales {
			if key := "trade_is_" + string(of); l.T(key) == key || l.T(key) == "" {
				t.Errorf("%s has no name in %s", of, l.Name)
			}
		}
	}
}

// The first run fits on a phone and on a desk, in light and dark, and what is printed can be read by a machine.
func TestFirstRunInABrowser(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	b := w.browse()
	browser.Language(t, b.ctx, "de")
	axe := browser.Axe(t)
	see := func(name string) {
		t.Helper()
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 820, 1024, 1440} {
				b.look(theme, width, 900)
				shot(b, fmt.Sprintf("start-%s-%s-%d", name, theme, width))
				if wide := browser.Eval[int](t, b.ctx, `document.documentElement.scrollWidth-innerWidth`); wide > 0 {
					t.Errorf("%s at %d is %d px too wide", name, width, wide)
				}
			}
			browser.Accessible(t, b.ctx, axe)
		}
		b.look("light", 390, 844)
	}
	next := func(path string) {
		t.Helper()
		b.click("form button.button-main")
		b.until("location.pathname=='/dashboard/start/" + path + "'")
	}
	b.open(strings.TrimPrefix(link, w.server.URL))
	b.fill("email", "ana@salon.example", "password", "correct horse battery", "name", "Salon Ana", "slug", "salon")
	next("hours")
	b.fill("name", "Ana")
	next("trade")
	see("trade")
	b.click("a[href$='trade=hair']")
	b.until("location.pathname=='/dashboard/start/services'")
	see("services")
	next("shop")
	see("shop")
	b.fill("address", "Oranienstraße 25, 10999 Berlin")
	next("done")
	see("done")
	b.open("/dashboard/poster")
	see("poster")
	b.open("/dashboard/poster?kind=cards")
	see("cards")
	b.open("/salon")
	see("page")
}
