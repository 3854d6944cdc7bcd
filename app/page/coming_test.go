package page_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
)

// answered is what the invitee of a booking has said, "" for nothing.
func (w *world) answered(b booking.Booking) booking.ComingAnswer {
	w.T.Helper()
	now, err := w.Booking(w.T.Context(), w.Owner, b.ID.String())
	w.Must(err)
	return now.SaysComing()
}

// Opening the page, however often and by whatever program, answers nothing; its buttons do, until the start.
func TestComingPage(t *testing.T) {
	w := newWorld(t, page.Options{})
	b, other := w.book("cut", "1T10:00", "mia"), w.book("cut", "1T12:00", "leo")
	at := path(b.ManageURL) + "/coming"
	send := func(answer string) answer {
		return w.send("POST", at, url.Values{"answer": {answer}})
	}
	want := func(text string, hidden ...string) {
		t.Helper()
		a := w.get(at)
		if a.StatusCode != 200 || !strings.Contains(a.text, text) {
			t.Errorf("%d, without %q", a.StatusCode, text)
		}
		for _, no := range hidden {
			if strings.Contains(a.text, no) {
				t.Errorf("it has %q", no)
			}
		}
		h := a.Header
		if h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("headers %v", h)
		}
	}
	for range 3 {
		want("Are you coming?", "Cancel the appointment")
		w.send("HEAD", at, nil)
		w.get(at + "?answer=yes")
	}
	if a := send("maybe"); a.StatusCode != 400 {
		t.Errorf("maybe is %d", a.StatusCode)
	}
	if got := w.answered(b); got != "" {
		t.Fatalf("a look answered %q", got)
	}
	if a := send("yes"); a.StatusCode != 303 || a.Header.Get("Location") != at {
		t.Errorf("%d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	want("You’re coming", "Cancel the appointment")
	if got := w.answered(b); got != "yes" {
		t.Errorf("said %q", got)
	}
	send("no")
	want("The appointment stands until it is cancelled or moved.")
	want(path(b.ManageURL) + "/cancel")
	want(path(b.ManageURL) + "/reschedule")
	if got, all := w.answered(b), w.answered(other); got != "no" || all != "" {
		t.Errorf("said %q, and the other %q", got, all)
	}
	token := path(b.ManageURL)[len("/booking/"):]
	last := map[bool]string{true: "8", false: "0"}[strings.HasSuffix(token, "0")]
	for _, wrong := range []string{"/booking/x/coming", "/booking/" + token[:len(token)-1] + last + "/coming", "/visit/" + token + "/coming"} {
		if a, sent := w.get(wrong), w.send("POST", wrong, url.Values{"answer": {"yes"}}); a.StatusCode != 404 || sent.StatusCode != 404 {
			t.Errorf("%s is %d and %d", wrong, a.StatusCode, sent.StatusCode)
		}
	}
	w.Clock.Set(b.Start.Time().Add(-time.Hour)) // too late to cancel online
	want("Changes are possible until", path(b.ManageURL)+"/cancel")
	w.Clock.Set(b.Start.Time())
	for _, a := range []answer{w.get(at), send("yes")} {
		if a.StatusCode != 303 || a.Header.Get("Location") != path(b.ManageURL) {
			t.Errorf("once it has begun: %d to %s", a.StatusCode, a.Header.Get("Location"))
		}
	}
	if got := w.answered(b); got != "no" {
		t.Errorf("said %q after the start", got)
	}
}

// One network address may not answer without an end.
func TestAnswersAreBounded(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 3})
	b := w.book("cut", "1T10:00", "mia")
	codes := map[int]int{}
	for i := range 6 {
		codes[w.send("POST", path(b.ManageURL)+"/coming", url.Values{"answer": {[]string{"yes", "no"}[i%2]}}).StatusCode]++
	}
	if codes[303] != 3 || codes[429] != 3 {
		t.Errorf("answered with %v", codes)
	}
}

// The page of a visit asks for all of it that hasn't begun.
func TestComingPageOfAVisit(t *testing.T) {
	w := newWorld(t, page.Options{})
	v := w.bookVisit("1T10:00", "mia", "cut", "either")
	at := path(v.ManageURL) + "/coming"
	if a := w.get(at); a.StatusCode != 200 || !strings.Contains(a.text, "Haircut") || !strings.Contains(a.text, "Either of us") {
		t.Errorf("%d", a.StatusCode)
	}
	w.send("POST", at, url.Values{"answer": {"no"}})
	for _, b := range v.Items {
		if got := w.answered(b); got != "no" {
			t.Errorf("%s says %q", b.EventType, got)
		}
	}
	if a := w.get(at); !strings.Contains(a.text, path(v.ManageURL)+"/cancel") {
		t.Error("nothing leads to cancelling")
	}
}

// On a phone, without scripts too, somebody says that they can't come, and that they come after all.
func TestTapsComing(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w := newWorld(t, page.Options{})
	w.Alter("cut", func(e *catalog.EventType) { e.Title = "Dauerwellenbehandlungsvorbesprechungsterminvereinbarung" })
	b, v := w.book("cut", "1T10:00", "mia"), w.bookVisit("2T10:00", "leo", "cut", "either")
	base := w.open()
	at := base + path(b.ManageURL) + "/coming"
	browser.Resize(t, ctx, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(at))
	browser.Follow(t, ctx, `button[name=answer][value=no]`)
	browser.Until(t, ctx, `document.querySelector(".coming[data-answer=no] a[href*='/cancel']")`)
	if got := w.answered(b); got != "no" {
		t.Errorf("said %q", got)
	}
	browser.Follow(t, ctx, `button[name=answer][value=yes]`)
	browser.Until(t, ctx, `document.querySelector(".coming[data-answer=yes] .notice-good")`)
	if got := w.answered(b); got != "yes" {
		t.Errorf("said %q", got)
	}
	for _, answer := range []string{"", "yes", "no"} {
		for _, page := range []string{path(b.ManageURL), path(v.ManageURL)} {
			if answer != "" {
				w.send("POST", page+"/coming", url.Values{"answer": {answer}})
			}
			for _, theme := range []string{"light", "dark"} {
				browser.Do(t, ctx, chromedp.Navigate(base+page+"/coming?lang=de&theme="+theme))
				for _, width := range []int64{320, 390, 820, 1024, 1440} {
					browser.Do(t, ctx, chromedp.EmulateViewport(width, 844))
					if found := browser.Eval[string](t, ctx, broad); found != "" {
						t.Errorf("%q %s at %d: %s", answer, theme, width, found)
					}
				}
				browser.Accessible(t, ctx, axe)
			}
		}
	}
	browser.NoScript(t, ctx)
	browser.Do(t, ctx, chromedp.Navigate(at))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`button[name=answer][value=yes]`)))
	browser.Until(t, ctx, `document.querySelector(".coming[data-answer=yes]")`)
	if got := w.answered(b); got != "yes" {
		t.Errorf("without scripts it said %q", got)
	}
}
