package page_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
)

// bookVisit books services one after the other, as the owner would: at is as apptest.At has it.
func (w *world) bookVisit(at, person string, eventTypes ...string) booking.Visit {
	w.T.Helper()
	in := booking.VisitInput{Start: apptest.At(at), Invitee: booking.Invitee{Name: person, Email: person + "@mail.example",
		TimeZone: "Europe/Berlin"}}
	for _, e := range eventTypes {
		in.Items = append(in.Items, booking.VisitItem{EventType: e})
	}
	v, err := w.BookVisit(w.T.Context(), w.Owner, in)
	w.Must(err)
	return v
}

// visitNow is the visit as the owner sees it.
func (w *world) visitNow(v booking.Visit) booking.Visit {
	w.T.Helper()
	now, err := w.Visit(w.T.Context(), w.Owner, v.ID.String())
	w.Must(err)
	return now
}

func states(v booking.Visit) string {
	var all []string
	for _, b := range v.Items {
		all = append(all, b.Start.String()+" "+string(b.Status))
	}
	return strings.Join(all, ", ")
}

// The page of a visit shows all of its services and their sum, and the link of each, which leads back.
func TestVisitPage(t *testing.T) {
	w := newWorld(t, page.Options{})
	v := w.bookVisit("1T10:00", "mia", "cut", "either")
	shown := w.get(path(v.ManageURL) + "?new=1")
	for _, want := range []string{"You’re booked", "Haircut", "Either of us", "€45", "Move all", "Cancel all", "10:00", "Total", `data-visit-id="` + v.ID.String(), "calendar.google.com"} {
		if !strings.Contains(strings.ReplaceAll(shown.text, "\u202f", " "), want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, b := range v.Items {
		link := path(b.ManageURL) + "?visit=" + path(v.ManageURL)[len("/visit/"):]
		if !strings.Contains(shown.text, link) {
			t.Errorf("no link to %s", link)
		}
		back := `href="` + path(v.ManageURL)
		for at, want := range map[string]bool{link: true, path(b.ManageURL): false, path(b.ManageURL) + "?visit=abcdefghijklmnopqrstuvwxyz": false} {
			if got := strings.Contains(w.get(at).text, back); got != want {
				t.Errorf("%s leads back: %v", at, got)
			}
		}
	}
}

// The link of a visit opens that visit and nothing else; one that was altered opens nothing, and the link of one booking
// opens that booking only.
func TestStrangersAndVisits(t *testing.T) {
	w := newWorld(t, page.Options{})
	v, other := w.bookVisit("1T10:00", "mia", "cut", "either"), w.bookVisit("2T10:00", "leo", "cut", "either")
	token := strings.TrimPrefix(path(v.ManageURL), "/visit/")
	one := strings.TrimPrefix(path(v.Items[0].ManageURL), "/booking/")
	swapped := token[:len(token)-26] + strings.TrimPrefix(path(other.ManageURL), "/visit/")[len(token)-26:]
	flipped := token[:len(token)-1] + string("ab"[btoi(token[len(token)-1] == 'a')])
	for _, at := range []string{"/visit/" + flipped, "/visit/" + swapped, "/visit/" + one, "/booking/" + token, "/visit/" + token[:13], "/visit/x"} {
		for _, rest := range []string{"", "/calendar.ics", "/reschedule", "/cancel"} {
			if a := w.get(at + rest); a.StatusCode != 404 {
				t.Errorf("GET %s is %d", at+rest, a.StatusCode)
			}
			if a := w.send("POST", at+rest, url.Values{"start": {apptest.At("3T10:00")}}); strings.Contains("/reschedule /cancel", rest) && rest != "" && a.StatusCode != 404 {
				t.Errorf("POST %s is %d", at+rest, a.StatusCode)
			}
		}
	}
	for _, at := range []string{"/visit/" + token, "/visit/" + token + "/cancel", "/visit/" + token + "/reschedule", "/visit/" + token + "/calendar.ics"} {
		a := w.get(at)
		h := a.Header
		if a.StatusCode != 200 || h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%s: %d %v", at, a.StatusCode, h)
		}
		for _, b := range other.Items {
			if strings.Contains(a.text, b.ID.String()) || strings.Contains(a.text, b.ManageURL) || strings.Contains(a.text, "leo@") {
				t.Errorf("%s shows another visit", at)
			}
		}
	}
	text := w.get(path(v.Items[0].ManageURL)).text
	for _, hidden := range []string{token, v.Items[1].ID.String(), path(v.Items[1].ManageURL)} {
		if strings.Contains(text, hidden) {
			t.Errorf("the page of one booking shows %s", hidden)
		}
	}
	foreign := path(v.Items[0].ManageURL) + "?visit=" + strings.TrimPrefix(path(other.ManageURL), "/visit/")
	if strings.Contains(w.get(foreign).text, path(other.ManageURL)) {
		t.Error("the page of a booking leads to another visit")
	}
	if got := states(w.visitNow(v)); got != states(v) {
		t.Errorf("it was changed: %s", got)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Within the cancellation notice of one of its services, a visit is neither moved nor cancelled as a whole, and its page
// says so.
func TestVisitWithinNotice(t *testing.T) {
	w := newWorld(t, page.Options{})
	v := w.bookVisit("1T10:00", "mia", "either", "cut")
	w.Clock.Set(v.Items[1].Start.Time().Add(-23 * 3600e9))
	at := path(v.ManageURL)
	shown := w.get(at).text
	if strings.Contains(shown, "Move all") || strings.Contains(shown, "Cancel all") || !strings.Contains(shown, "Changes are possible until 24 hours before") {
		t.Error("the page offers what is refused")
	}
	for _, rest := range []string{"/reschedule", "/cancel"} {
		if a := w.get(at + rest); a.StatusCode != 303 || a.Header.Get("Location") != at {
			t.Errorf("%s: %d %s", rest, a.StatusCode, a.Header.Get("Location"))
		}
		if a := w.send("POST", at+rest, url.Values{"start": {apptest.At("3T10:00")}}); a.StatusCode != 409 {
			t.Errorf("POST %s: %d", rest, a.StatusCode)
		}
	}
	if got := states(w.visitNow(v)); got != states(v) {
		t.Errorf("it was changed: %s", got)
	}
}

// A visit moved to a time that somebody else has got meanwhile is offered others, and stays where it is.
func TestVisitMovedToATakenTime(t *testing.T) {
	w := newWorld(t, page.Options{})
	v := w.bookVisit("1T10:00", "mia", "cut", "cut")
	w.book("cut", apptest.At("2T11:00"), "leo")
	a := w.send("POST", path(v.ManageURL)+"/reschedule", url.Values{"start": {apptest.At("2T10:00")}})
	if a.StatusCode != 409 || len(a.all(`data-start="([^"]+)"`)) == 0 {
		t.Errorf("%d %v", a.StatusCode, a.all(`data-start="([^"]+)"`))
	}
	if got := states(w.visitNow(v)); got != states(v) {
		t.Errorf("it was changed: %s", got)
	}
}

// A service of a visit that its customer moves onto another one stays, and other times are offered.
func TestServiceMovedOntoItsVisit(t *testing.T) {
	w := newWorld(t, page.Options{})
	v := w.bookVisit("1T10:00", "mia", "cut", "either")
	a := w.send("POST", path(v.Items[1].ManageURL)+"/reschedule", url.Values{"start": {v.Items[0].Start.String()}})
	if a.StatusCode != 409 || len(a.all(`data-start="([^"]+)"`)) == 0 {
		t.Errorf("%d %v", a.StatusCode, a.all(`data-start="([^"]+)"`))
	}
	if got := states(w.visitNow(v)); got != states(v) {
		t.Errorf("it was changed: %s", got)
	}
}

// Moving a visit counts as often as it has bookings that are moved.
func TestVisitMovesAreLimitedAsBookingsAre(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 3})
	v := w.bookVisit("1T10:00", "mia", "cut", "cut")
	move := func(to string) int {
		return w.send("POST", path(v.ManageURL)+"/reschedule", url.Values{"start": {apptest.At(to)}}, "X-Forwarded-For", "203.0.113.9").StatusCode
	}
	if a, b := move("2T10:00"), move("3T10:00"); a != 303 || b != 429 {
		t.Errorf("%d, then %d", a, b)
	}
}

// A customer moves all of a visit, cancels one of its services and then the rest, at 390 px, without a script.
func TestVisitInBrowser(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	v := w.bookVisit("2026-12-01T09:00:00Z", "mia", "cut", "either")
	at := w.open() + path(v.ManageURL)
	browser.NoScript(t, ctx)
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(at+"?new=1&embed=inline"))
	browser.Follow(t, ctx, `.changes a[href*="/reschedule"]`)
	browser.Follow(t, ctx, `.month-near [data-day="2026-12-02"]`)
	browser.Follow(t, ctx, `[data-start="2026-12-02T09:00:00Z"]`)
	browser.Follow(t, ctx, `.actions button`)
	if got := states(w.visitNow(v)); got != "2026-12-02T09:00:00Z rescheduled, 2026-12-02T10:00:00Z rescheduled" {
		t.Fatalf("moved: %s", got)
	}
	if got := browser.Eval[string](t, ctx, `document.querySelector("h1").innerText`); got != "Your booking has moved" {
		t.Errorf("it says %q", got)
	}
	browser.Follow(t, ctx, `.visit-row:nth-child(2) .visit-open`)
	browser.Follow(t, ctx, `.changes a[href*="/cancel"]`)
	browser.Follow(t, ctx, `.actions button`)
	if got := states(w.visitNow(v)); got != "2026-12-02T09:00:00Z rescheduled, 2026-12-02T10:00:00Z cancelled" {
		t.Fatalf("one cancelled: %s", got)
	}
	browser.Follow(t, ctx, `.after a[href^="/visit/"]`)
	if got := browser.Eval[string](t, ctx, `[...document.querySelectorAll(".visit-row")].map(e=>e.dataset.status).join()`); got != "rescheduled,cancelled" {
		t.Errorf("the page shows %s", got)
	}
	browser.Follow(t, ctx, `.changes a[href*="/cancel"]`)
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=reason]`), "Ill"))
	browser.Follow(t, ctx, `.actions button`)
	now := w.visitNow(v)
	if got := states(now); got != "2026-12-02T09:00:00Z cancelled, 2026-12-02T10:00:00Z cancelled" || now.Items[0].Cancellation.Reason != "Ill" {
		t.Errorf("all cancelled: %s", got)
	}
	if got := browser.Eval[string](t, ctx, `document.querySelector("h1").innerText+" "+document.documentElement.dataset.embed`); got != "Booking cancelled inline" {
		t.Errorf("it says %q", got)
	}
}

// No page of a visit is wider than the screen, cuts words off, or can't be read in the dark.
func TestVisitPagesFit(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w := newWorld(t, page.Options{})
	w.Alter("cut", func(e *catalog.EventType) { e.Title = "Dauerwellenbehandlungsvorbesprechungsterminvereinbarung" })
	v := w.bookVisit("2026-12-01T09:00:00Z", "mia", "cut", "either", "cut")
	base := w.open() + path(v.ManageURL)
	for _, at := range []string{base + "?new=1", base + "/cancel?x=1", base + "/reschedule?x=1", base + "/reschedule?start=2026-12-02T09:00:00Z"} {
		for _, theme := range []string{"light", "dark"} {
			browser.Do(t, ctx, chromedp.Navigate(at+"&lang=de&theme="+theme))
			for _, width := range []int64{320, 390, 820, 1440} {
				browser.Do(t, ctx, chromedp.EmulateViewport(width, 844))
				if found := browser.Eval[string](t, ctx, broad); found != "" {
					t.Errorf("%s %s at %d: %s", at, theme, width, found)
				}
			}
			browser.Accessible(t, ctx, axe)
		}
	}
}
