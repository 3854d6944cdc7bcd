package page_test

import (
	"net/url"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/store/enginetest"

	"github.com/chromedp/chromedp"
)

// holding has the workspace's page hold times, and counts the holds that are there.
func (w *world) holding() (holds func() int) {
	w.T.Helper()
	_, err := w.Shop.UpdateWorkspace(w.T.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.HoldsTimes = true })
	w.Must(err)
	return w.holds
}

func (w *world) holds() (n int) {
	w.T.Helper()
	w.Must(enginetest.Raw(w.T, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM holds`).Scan(&n))
	return n
}

// Where the owner wants it, a form's script holds its time by a POST: the same time again is the same hold, another one
// ends it, and the form books with it or, once it is over, without it.
func TestFormHoldsItsTime(t *testing.T) {
	w := newWorld(t, page.Options{})
	const form = "/salon/cut?start=2026-12-01T08:00:00Z"
	asks := func(at, hold, how string) string {
		t.Helper()
		a := w.send("POST", "/salon/cut", url.Values{"start": {apptest.At(at)}, "timeZone": {"Europe/Berlin"}, "name": {"M"},
			"key": {w.get(form).hidden().Get("key")}, "keep": {how}, "hold": {hold}})
		if a.StatusCode != 200 {
			t.Fatalf("status %d: %s", a.StatusCode, a.text)
		}
		return a.text
	}
	if id := asks("1T08:00", "", "1"); id != "" || strings.Contains(w.get(form).text, "data-holds") {
		t.Errorf("held %s, which nobody wanted", id)
	}
	holds := w.holding()
	if !strings.Contains(w.get(form).text, "data-holds") || holds() != 0 {
		t.Errorf("a GET made %d holds", holds())
	}
	first := asks("1T08:00", "", "1")
	if !strings.HasPrefix(first, "hd_") || asks("1T08:00", first, "1") != first || holds() != 1 {
		t.Errorf("held %q, %d holds", first, holds())
	}
	second := asks("1T09:00", first, "1")
	if second == "" || second == first || holds() != 1 {
		t.Errorf("another time: %q, %d holds", second, holds())
	}
	if asks("1T09:00", second, "0"); holds() != 0 {
		t.Errorf("%d holds after the release", holds())
	}
	third := asks("1T08:00", "", "1")
	a := w.send("POST", "/salon/cut", bookingForm("1T08:00", "mia", "hold", third))
	if a.StatusCode != 303 || holds() != 0 {
		t.Errorf("booked: %d, %d holds", a.StatusCode, holds())
	}
	fourth := asks("1T10:00", "", "1")
	w.Must(w.ReleaseHold(t.Context(), w.Owner, fourth))
	if a := w.send("POST", "/salon/cut", bookingForm("1T10:00", "bo", "hold", fourth)); a.StatusCode != 303 {
		t.Errorf("without its hold: %d", a.StatusCode)
	}
}

// The script holds once something was typed, lets go when another time is to be picked, and books with the hold.
func TestBrowserHoldsWhileTyping(t *testing.T) {
	w := newWorld(t, page.Options{})
	holds := w.holding()
	ctx, base := browser.Open(t), w.open()
	page := func() {
		t.Helper()
		browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T08:00:00Z"),
			chromedp.WaitVisible(browser.CSS(`[name=name]`)))
	}
	page()
	if holds() != 0 {
		t.Errorf("%d holds before anything was typed", holds())
	}
	fillIn(t, ctx, "Mia")
	apptest.Eventually(t, "a hold", func() bool { return holds() == 1 })
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`a.back`)), chromedp.WaitVisible(browser.CSS(`[data-start]`)))
	apptest.Eventually(t, "no hold", func() bool { return holds() == 0 })
	page()
	fillIn(t, ctx, "Mia")
	apptest.Eventually(t, "another hold", func() bool { return holds() == 1 })
	browser.Follow(t, ctx, `.actions button`)
	browser.Until(t, ctx, bookingID)
	if holds() != 0 || w.count() != 1 {
		t.Errorf("%d holds and %d bookings", holds(), w.count())
	}
}

// The form of a visit holds all of its times, and books with that hold or, once it is over, without it.
func TestFormHoldsAVisit(t *testing.T) {
	w := visitWorld(t, page.Options{})
	holds := w.holding()
	const at = "/salon/colour?with=cut&timeZone=Europe/Berlin&start=2026-12-01T09:00:00Z"
	action, sent := w.formFor(at, "mia")
	keep := func(how, hold string) string {
		t.Helper()
		asked := url.Values{"keep": {how}, "hold": {hold}}
		for name, values := range sent {
			if name != "keep" && name != "hold" {
				asked[name] = values
			}
		}
		a := w.send("POST", action, asked)
		if a.StatusCode != 200 {
			t.Fatalf("status %d: %s", a.StatusCode, a.text)
		}
		return a.text
	}
	first := keep("1", "")
	if !strings.HasPrefix(first, "hd_") || holds() != 2 || keep("1", first) != first || holds() != 2 {
		t.Fatalf("held %q, %d holds", first, holds())
	}
	if keep("0", first); holds() != 0 {
		t.Errorf("%d holds after the release", holds())
	}
	sent.Set("hold", keep("1", ""))
	if a := w.send("POST", action, sent); a.StatusCode != 303 || holds() != 0 || w.count() != 2 {
		t.Errorf("booked: %d, %d holds, %d bookings", a.StatusCode, holds(), w.count())
	}
	action, sent = w.formFor(strings.Replace(at, "12-01", "12-02", 1), "leo")
	sent.Set("hold", keep("1", ""))
	w.Must(w.ReleaseHold(t.Context(), w.Owner, sent.Get("hold")))
	if a := w.send("POST", action, sent); a.StatusCode != 303 || w.count() != 4 {
		t.Errorf("without its hold: %d, %d bookings", a.StatusCode, w.count())
	}
}
