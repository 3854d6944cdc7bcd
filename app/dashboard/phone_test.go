package dashboard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/assets"
	"daybook/views/dash"
)

// bar are the texts of a phone's bar, in the order of their places.
const bar = `[...document.querySelectorAll(".side-nav > ul > li")].filter(x => x.offsetWidth > 0)
	.sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left)
	.map(x => (x.querySelector("summary") || x).innerText.trim()).join()`

// A phone has a bar of five. Where one is can always be seen, no field is zoomed into, and a lost network shows.
func TestPhone(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.look("light", 390, 844)
	b.signIn(w)
	b.open("/dashboard")
	if got := browser.Eval[string](t, b.ctx, bar); got != "Today,Calendar,Walk-in,Customers,More" {
		t.Errorf("the bar is %s", got)
	}
	if n := browser.Eval[int](t, b.ctx, `Math.max(...[...document.querySelectorAll(".side-nav > ul > li")]
		.filter(x => x.offsetWidth > 0).map(x => x.scrollWidth - x.clientWidth))`); n > 0 {
		t.Errorf("an entry of the bar is cut by %d", n)
	}

	b.click(".nav-more summary")
	b.until(`document.querySelector(".nav-more a[href='/dashboard/settings']").getBoundingClientRect().bottom < innerHeight`)
	shot(b, "phone-more")
	b.click(".nav-more a[href='/dashboard/settings']")
	b.until(`location.pathname == "/dashboard/settings" && document.querySelector(".nav-more summary.nav-on").innerText == "More"`)
	for _, path := range []string{"/dashboard/settings/feeds", "/dashboard/settings/data", "/dashboard/developers/embed", "/dashboard/hosts"} {
		b.open(path)
		const seen = `[...document.querySelectorAll("main [aria-current], .nav-more summary.nav-on")].every(x => {
			const r = x.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth })`
		b.until(seen + ` && document.querySelector(".nav-more summary.nav-on")`)
	}
	for _, path := range []string{"/dashboard/bookings", "/dashboard/contacts", "/dashboard/types/new", "/dashboard/account",
		"/dashboard/hosts/" + w.setup().Hosts[0].ID.String(), "/dashboard/analytics", "/dashboard/settings/brand"} {
		b.open(path)
		if small := browser.Eval[string](t, b.ctx, `[...document.querySelectorAll("input, select, textarea")].filter(x =>
			x.offsetWidth > 0 && !["checkbox", "radio", "color", "file"].includes(x.type) &&
			parseFloat(getComputedStyle(x).fontSize) < 16).map(x => x.name).join()`); small != "" {
			t.Errorf("%s: fields of less than 16 px: %s", path, small)
		}
	}

	offline := func(is bool) {
		_, err := chromedp.Call(b.ctx, network.OverrideNetworkState,
			network.OverrideNetworkStateParams{Offline: is, DownloadThroughput: -1, UploadThroughput: -1})
		w.Must(err)
	}
	offline(true)
	b.until(fmt.Sprintf(`document.querySelector("[data-offline]").innerText == %q`, "No connection. What you change now can’t be saved."))
	shot(b, "phone-offline")
	offline(false)
	b.until(`document.querySelector("[data-offline]").hidden`)
}

// Somebody who has just come in is booked with "+" and a name: now is picked, or the first time that is free today, and
// stays so when another service is chosen.
func TestWalkIn(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	first := *w.setup().EventType("consultation")
	first.MinimumNoticeMinutes, first.Hosts = 0, first.Hosts[:1] // another one could be free at that time, too
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, first)
	w.Must(err)
	home := b.get("/dashboard").body
	plus := between(home, `<li class="nav-new"><a href="`, `"`)
	plus += "&type=consultation"
	form := b.get(plus)
	b.wants(form, 200, "Chosen time", `name="start" value="2026-11-21T`, `name="walkin" value="1"`)
	start := between(form.body, `name="start" value="2026-`, `"`)
	b.wants(b.post("/dashboard/bookings/new", append(overrides(form),
		"type", "consultation", "start", "2026-"+start, "name", "Walk In", "email", "walk@in.example")...), 303)
	if other := b.get(plus); between(other.body, `name="start" value="2026-`, `"`) == start {
		t.Errorf("%s is offered again", start)
	}
}

// The dashboard can be put on a home screen. Its worker keeps assets and one page without anything private, which shows
// when the server can't be reached.
func TestInstallable(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.look("light", 390, 844)
	b.signIn(w)
	b.open("/dashboard")
	b.until(`navigator.serviceWorker.controller && navigator.serviceWorker.controller.state == "activated"`)
	found, err := chromedp.Call(b.ctx, page.GetInstallabilityErrors, cdp.Empty{})
	w.Must(err)
	for _, e := range found.InstallabilityErrors {
		if e.ErrorID != "in-incognito" { // as every tab of these tests is
			t.Errorf("not installable: %s %v", e.ErrorID, e.ErrorArguments)
		}
	}
	read, err := chromedp.Call(b.ctx, page.GetAppManifest, page.GetAppManifestParams{})
	w.Must(err)
	if len(read.Errors) > 0 || !strings.Contains(read.Data, `"name":"Salon Linden"`) {
		t.Errorf("the manifest: %v %s", read.Errors, read.Data)
	}
	for _, path := range []string{"/dashboard/contacts", "/dashboard/bookings", "/dashboard"} {
		b.open(path)
		b.until(`document.querySelector("h1")`)
	}
	b.until(`(async () => window.kept = (await Promise.all((await caches.keys()).map(async (name) =>
		(await (await caches.open(name)).keys()).map((r) => new URL(r.url).pathname)))).flat())()`)
	b.until(`window.kept?.length`)
	kept := browser.Eval[[]string](t, b.ctx, "kept")
	asset := regexp.MustCompile(`^/assets/[a-z0-9-]+\.[0-9a-f]{12}\.(css|js|svg|png)$`)
	for _, path := range kept {
		if path != dash.OfflinePath && !asset.MatchString(path) {
			t.Errorf("the worker keeps %s", path)
		}
	}
	if !slices.Contains(kept, dash.OfflinePath) || !slices.Contains(kept, assets.Path("dash.css")) {
		t.Errorf("the worker keeps %v", kept)
	}
	w.door.Shutdown(t.Context())
	w.server.CloseClientConnections()
	w.Must(w.server.Listener.Close())
	b.open("/dashboard/bookings")
	b.sees("No connection")
	b.until(`getComputedStyle(document.querySelector(".gate-card")).display == "grid"`)
	if text := browser.Eval[string](t, b.ctx, `document.documentElement.outerHTML`); strings.Contains(text, "Salon Linden") ||
		strings.Contains(text, w.salon.Email) {
		t.Error("the page for no network says who is signed in")
	}
	shot(b, "phone-no-network")
}

// between is the text that stands after the first from and before the next to.
func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return strings.ReplaceAll(text, "&amp;", "&")
}

// A form of a booking that is sent twice, as by a second tap or after an answer that got lost, books once, and leads to what it booked.
func TestBookingSentTwice(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	class := *w.setup().EventType("consultation")
	class.MinimumNoticeMinutes, class.Hosts, class.Seats = 0, class.Hosts[:1], 5
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, class)
	w.Must(err)
	form := b.get("/dashboard/bookings/new?type=consultation&date=2026-11-21&start=next")
	key, start := between(form.body, `name="once" value="`, `"`), "2026-"+between(form.body, `name="start" value="2026-`, `"`)
	for _, nobody := range []string{"1", "1", ""} { // the third is another form with the same key
		sent := append(overrides(form), "type", "consultation", "start", start, "walkin", "1", "once", key, "nobody", nobody)
		b.wants(b.post("/dashboard/bookings/new", sent...), 303)
	}
	most := 100
	now, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{EventType: "consultation", Limit: &most})
	w.Must(err)
	walkIns := 0
	for _, one := range now.Data {
		if one.Invitee.Name == booking.WalkIn {
			walkIns++
		}
	}
	if walkIns != 2 {
		t.Errorf("%d bookings", walkIns)
	}
	again := b.get("/dashboard/bookings/new?type=consultation&date=2026-11-21&start=next")
	if other := between(again.body, `name="once" value="`, `"`); other == key || len(key) < 20 {
		t.Errorf("the key %q comes again", other)
	}
}
