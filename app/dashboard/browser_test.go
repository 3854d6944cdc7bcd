package dashboard

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/contact"
	"daybook/views/dash"
)

func TestMain(m *testing.M) { browser.Main(m) }

// tab is a tab on the world's server, for as long as the test runs.
type tab struct {
	t   testing.TB
	ctx context.Context
	url string
}

func (w *world) browse() *tab {
	w.T.Helper()
	b := &tab{w.T, browser.Open(w.T), w.server.URL}
	browser.Zone(w.T, b.ctx, "Europe/Berlin")
	return b
}

func (b *tab) look(theme string, width, height int64) {
	b.t.Helper()
	browser.Media(b.t, b.ctx, theme)
	b.do(chromedp.EmulateViewport(width, height))
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	browser.Do(b.t, b.ctx, steps...)
}

// until waits for an expression to become true.
func (b *tab) until(js string) { b.t.Helper(); browser.Until(b.t, b.ctx, js) }

// accessible opens the page on a phone and a desktop, and wants no rule of WCAG 2.2 AA broken, in the light or the dark,
// and nothing that scrolls sideways. What breaks a rule does so on a phone: a desktop is asked for them when there is time.
// What else is to hold is asked of the same page, which takes longer to load than to look at.
func (b *tab) accessible(name, path, axe string, also ...func(b *tab, width int64)) {
	widths := []int64{390, 1280}
	b.look("light", widths[0], 844)
	b.open(path)
	for _, width := range widths {
		b.t.(*testing.T).Run(fmt.Sprintf("%s %d", name, width), func(t *testing.T) {
			b := &tab{t, b.ctx, b.url}
			browser.Resize(t, b.ctx, width, 844)
			if width == widths[0] || apptest.Long() {
				browser.Accessible(t, b.ctx, axe)
			}
			if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
				t.Errorf("scrolls sideways by %d", wide)
			}
			for _, holds := range also {
				holds(b, width)
			}
			for _, theme := range []string{"dark", "light"} {
				browser.Media(t, b.ctx, theme)
				shot(b, fmt.Sprintf("%s-%d-%s", name, width, theme))
			}
		})
	}
}

func (b *tab) open(path string) { b.t.Helper(); b.do(chromedp.Navigate(b.url + path)) }

// click clicks on what the selector finds. A page that is refreshed may exchange that for its like just before the
// press, which then has not happened: what is there now is pressed.
func (b *tab) click(selector string) {
	b.t.Helper()
	short, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	for {
		b.until(fmt.Sprintf("document.querySelector(%q)", selector))
		err := chromedp.Do(short, chromedp.Click(chromedp.CSS(selector)))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "Could not find node") || short.Err() != nil {
			b.t.Fatalf("%s: %v\n%s", selector, err, browser.Text(b.ctx))
		}
	}
}

// fill sets the inputs of these names, as if typed.
func (b *tab) fill(pairs ...string) {
	b.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		b.until(fmt.Sprintf(`(()=>{const x=document.querySelector('[name="%s"]');if(!x)return false;x.focus();x.value=%q;x.dispatchEvent(new Event("input",{bubbles:true}));x.dispatchEvent(new Event("change",{bubbles:true}));return true})()`, pairs[i], pairs[i+1]))
	}
}

func (b *tab) sees(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

// signIn gives the tab the owner's session and opens no page: the form of the entrance has tests of its own, and takes
// longer than most pages that tests are about.
func (b *tab) signIn(w *world) {
	b.t.Helper()
	at, err := url.Parse(w.server.URL)
	w.Must(err)
	for _, c := range w.asOwner().client.Jar.Cookies(at) {
		_, err := chromedp.Call(b.ctx, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: b.url,
			HTTPOnly: new(true), SameSite: network.CookieSameSiteLax})
		w.Must(err)
	}
}

// pages are what is looked at, by the name of its picture.
func (w *world) pages() map[string]string {
	w.T.Helper()
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	waiting, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "pending"})
	w.Must(err)
	past, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Scope: "past"})
	w.Must(err)
	people, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	host, kind := "/dashboard/hosts/"+setup.Hosts[0].ID.String(), "/dashboard/types/"+setup.EventTypes[0].ID.String()
	connected := dash.CalendarsConnectionPath(w.connectCalendar(0).ID.String())
	room := setup.Resources[0].ID.String()
	rooms, err := w.Calendars.ConnectCalendars(w.T.Context(), w.Owner, calsync.Input{Host: room, Kind: calsync.CalDAV,
		Address: "https://8.8.8.8/", User: "studio@salon", Password: "secret", Name: "Gemeinsamer Raumkalender des Hauses"})
	w.Must(err)
	return map[string]string{
		"room": dash.ResourcePath(room), "room-calendar": dash.CalendarsConnectionPath(rooms.ID.String()),
		"calendars": dash.CalendarsPath, "calendars-new": dash.NewCalendarsPath, "calendars-icloud": dash.NewCalendarsPath + "?place=icloud",
		"calendars-google": dash.CalendarsClientPath("google"), "calendars-microsoft": dash.CalendarsClientPath("microsoft"), "calendars-connection": connected, "calendars-end": connected + "/disconnect",
		"today": "/dashboard", "integrations": dash.IntegrationsPath, "account": "/dashboard/account",
		"bookings": "/dashboard/bookings", "bookings-none": "/dashboard/bookings?q=zzz", "calendar": "/dashboard/bookings/calendar?date=2026-11-24",
		"calendar-week": "/dashboard/bookings/calendar?date=2026-11-24&span=week", "calendar-month": "/dashboard/bookings/calendar?span=month",
		"calendar-booking": "/dashboard/bookings/calendar?date=2026-11-24&booking=" + waiting.Data[0].ID.String(),
		"calendar-new":     "/dashboard/bookings/calendar?date=2026-11-24&at=2026-11-24T10:15&new=" + setup.Hosts[0].ID.String(),
		"calendar-rooms":   "/dashboard/bookings/calendar?date=2026-11-24&view=rooms",
		"cancel":           "/dashboard/bookings/cancel?date=2026-11-24",
		"booking-new":      "/dashboard/bookings/new", "booking-new-form": "/dashboard/bookings/new?start=2026-11-24T08:00:00Z",
		"booking-pending": "/dashboard/bookings/" + waiting.Data[0].ID.String(), "booking-past": "/dashboard/bookings/" + past.Data[0].ID.String(), "booking-move": "/dashboard/bookings/" + waiting.Data[0].ID.String() + "/move",
		"types": "/dashboard/types", "products": dash.ProductsPath, "products-archived": dash.ProductsPath + "?tab=archived", "products-none": dash.ProductsPath + "?q=zzz", "product-new": dash.NewProductPath, "product": w.someProducts(), "invitations": "/dashboard/invitations", "invitation-new": "/dashboard/invitations/new", "type": kind, "type-parts": "/dashboard/types/" + setup.EventType("colour").ID.String(), "type-new": "/dashboard/types/new",
		"hosts": "/dashboard/hosts", "host": host, "host-services": host + "/services", "host-hours": host + "/hours", "host-calendar": host + "/calendar", "host-sign-in": host + "/sign-in", "host-dates": host + "/dates?date=2026-11-24", "host-away": host + "/away", "closed": "/dashboard/hosts/all/away", "host-why": host + "/why?date=2026-11-24",
		"contacts": "/dashboard/contacts", "contact": "/dashboard/contacts/" + people.Data[0].ID.String(), "contact-edit": "/dashboard/contacts/" + people.Data[0].ID.String() + "/edit", "import": "/dashboard/contacts/import",
		"analytics": "/dashboard/analytics", "till": "/dashboard/till", "receipts": "/dashboard/till/receipts", "booking-pay": "/dashboard/bookings/" + past.Data[0].ID.String() + "/pay", "keys": "/dashboard/developers", "key-new": "/dashboard/developers/keys/new", "webhooks": "/dashboard/developers/webhooks", "webhook-new": "/dashboard/developers/webhooks/new",
		"agents": "/dashboard/developers/agents", "embed": "/dashboard/developers/embed",
		"move-in": dash.BringPath, "move-in-form": dash.BringPath + "?from=calcom",
		"settings": "/dashboard/settings", "accounts": dash.AccountsPath, "books": dash.BooksPath, "brand": "/dashboard/settings/brand", "mail": "/dashboard/settings/mail", "members": "/dashboard/settings/members", "feeds": "/dashboard/settings/feeds", "payments": "/dashboard/settings/payments", "data": "/dashboard/settings/data",
		"not-found": "/dashboard/bookings/bk_0",
	}
}

// DAYBOOK_SHOTS=dir go test ./app/dashboard -run Screenshots writes a picture of every page, and dashboard.png, which is
// kept in assets/screenshots for the README.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		t.Skip("DAYBOOK_SHOTS names no directory")
	}
	w := newWorld(t)
	b := w.browse()
	shoot := func(name, path string) {
		if only := os.Getenv("DAYBOOK_SHOTS_ONLY"); only != "" && !slices.Contains(strings.Split(only, ","), name) {
			return
		}
		for _, v := range []struct {
			theme         string
			screen        string
			width, height int64
		}{{"light", "desktop", 1440, 900}, {"dark", "desktop", 1440, 900}, {"light", "phone", 390, 844}, {"dark", "phone", 390, 844}} {
			if want := os.Getenv("DAYBOOK_SHOTS_THEME"); want != "" && want != v.theme {
				continue
			}
			b.look(v.theme, v.width, v.height)
			b.open(path)
			browser.Shot(t, b.ctx, dir, fmt.Sprintf("%s-%s-%s", name, v.screen, v.theme))
		}
	}
	shoot("login", "/login")
	b.look("light", 1280, 800)
	b.signIn(w)
	for name, path := range w.pages() {
		shoot(name, path)
	}
	b.look("light", 1400, 812)
	b.open("/dashboard/bookings/calendar?date=2026-11-25") // everybody works on that day
	b.until(calendarOn)
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	w.Must(err)
	w.Must(os.WriteFile(filepath.Join(dir, "dashboard.png"), png, 0o644))
}

// No page, on a phone or a desktop, light or dark, breaks a rule of WCAG 2.2 AA that a machine can check; none scrolls
// sideways; and each says one thing first.
func TestNoAccessibilityViolations(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	axe := browser.Axe(t)
	check := func(name, path string, also ...func(*tab, int64)) {
		if only := os.Getenv("DAYBOOK_SHOTS_ONLY"); only != "" && !slices.Contains(strings.Split(only, ","), name) {
			return
		}
		b.accessible(name, path, axe, also...)
	}
	check("login", "/login")
	b.look("light", 1280, 800)
	b.signIn(w)
	pages := w.pages()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		check(name, pages[name], (*tab).leads)
	}
}

func TestSetUpInABrowser(t *testing.T) {
	w := newEmptyWorld(t)
	b := w.browse()
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	b.open(strings.TrimPrefix(link, w.server.URL))
	b.until(`document.querySelector("[name=timeZone]").value=="Europe/Berlin"`)
	b.fill("email", "ana@salon.example", "password", "correct horse battery", "name", "Salon Äna & Söhne")
	b.until(`document.querySelector("[name=slug]").value=="salon-aena-soehne"`)
	shot(b, "setup-1")
	b.click("button[type=submit]")
	b.sees("When can people book you?")
	b.click(`[data-hours=mon] [data-hours-add]`)
	b.until(`document.querySelectorAll("[data-hours=mon] .hours-span").length==2`)
	b.click(`[data-hours=mon] .hours-span:last-of-type [data-hours-drop]`)
	shot(b, "setup-2")
	b.fill("name", "Ana")
	b.click("button[type=submit]")
	b.sees("What do you do?")
	b.click("a[href$='/start/service']")
	b.sees("What can people book?")
	b.fill("title", "First consultation", "price", "45.5")
	shot(b, "setup-3")
	b.click("button[type=submit]")
	b.sees("Where do people find you?")
	b.click("form.gate-form button[type=submit]")
	b.sees("Your booking page is live")
	shot(b, "setup-4")
	b.click(`a[href="/dashboard"]`)
	b.sees("Nothing is booked yet")
	shot(b, "setup-5")
}

func shot(b *tab, name string) {
	if dir := os.Getenv("DAYBOOK_SHOTS"); dir != "" {
		browser.Shot(b.t, b.ctx, dir, name)
	}
}
