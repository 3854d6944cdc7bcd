package page_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/text"
	"daybook/app/waitlist"
)

// The form asks for what somebody can wait by: an address, where texts go a number alone besides, and where no mails go the number
// only. Of each it says what is wrong.
func TestWaitlistFormTakesANumberAlone(t *testing.T) {
	w := newMailing(t)
	const path = "/salon/_wait/either?lang=en"
	number := func(values ...string) answer {
		t.Helper()
		return w.send("POST", path, joins(append([]string{"email", "", "phone", herNumber}, values...)...))
	}
	if a := number(); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, `id="f-email-error"`) {
		t.Errorf("without texts: %d", a.StatusCode)
	}
	w.sendsTexts()
	if a := number(); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, `id="f-email-error"`) {
		t.Errorf("of a service that asks for an address: %d", a.StatusCode)
	}
	w.Alter("either", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	for lang, want := range map[string]string{"en": "A mobile number alone is enough", "de": "Eine Handynummer allein genügt", "fr": "Un numéro de portable suffit",
		"es": "También basta un número de móvil"} {
		a := w.get("/salon/_wait/either?lang=" + lang)
		if !strings.Contains(a.text, want) || strings.Contains(a.text, `name="texts" checked`) || !strings.Contains(a.text, `name="texts"`) {
			t.Errorf("%s lacks %q, or its box is ticked", lang, want)
		}
	}
	for name, c := range map[string]struct{ phone, field, says string }{
		"neither":         {"", "email", "your e-mail address or your phone number"},
		"no number":       {"12", "phone", "phone number"},
		"a land line":     {"+49 30 901820", "phone", "We can’t text this number"},
		"another country": {"+44 7911 123456", "phone", "We can’t text this number"},
	} {
		a := number("phone", c.phone)
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, `id="f-`+c.field+`-error"`) || !strings.Contains(a.text, c.says) {
			t.Errorf("%s: %d: %s", name, a.StatusCode, a.text)
		}
	}
	if a := number("texts", "on"); a.StatusCode != http.StatusAccepted || !strings.Contains(a.text, "01511 2345678") {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	if all := w.waitlist(); len(all) != 1 || all[0].Invitee.Email != "" || !strings.HasPrefix(all[0].Agreed, "Send me texts about my appointments. ") ||
		strings.Contains(all[0].Agreed, "can only call you") {
		t.Errorf("%+v", all)
	}
	number()
	number()
	if a := number(); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, "You have been texted already") {
		t.Errorf("a fourth text: %d", a.StatusCode)
	}
	w.Must(w.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, w.Workspace.ID, "+4915112345679") }))
	if a := number("phone", "+4915112345679"); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, "Give an e-mail address") {
		t.Errorf("after STOP: %d", a.StatusCode)
	}
	w.Mail.ShareMailServer(nil)
	if a := w.get(path); strings.Contains(a.text, `name="email"`) || !strings.Contains(a.text, "First we text you a link") {
		t.Errorf("where no mails go: %d: %s", a.StatusCode, a.text)
	}
	if a := w.get("/salon/_wait/cut"); a.StatusCode != http.StatusConflict {
		t.Errorf("where no mails go, of a service that asks for an address: %d", a.StatusCode)
	}
	if a := w.get("/salon/either"); !strings.Contains(a.text, `href="/salon/_wait/either`) {
		t.Error("the page doesn't lead there")
	}
}

// The form with the box for texts is there for everybody.
func TestWaitlistFormIsAccessible(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w := newMailing(t)
	w.sendsTexts()
	w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	base := w.open()
	browser.Resize(t, ctx, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/_wait/cut"))
	browser.Accessible(t, ctx, axe)
}

// A customer without an e-mail address finds a day full and asks to be told, at the width of a phone: the link that confirms it comes
// by text, as does what is offered, and they take it.
func TestWaitsAndTakesByText(t *testing.T) {
	ctx := browser.Open(t)
	w, phone := newTexting(t)
	w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	mux := http.NewServeMux()
	page.NewDecisions(w.Set, slog.New(slog.DiscardHandler)).Routes(mux)
	mux.Handle("/", w.handler)
	w.handler = mux
	base := w.open()
	w.Clock.Set(apptest.Monday.Add(3 * time.Hour))
	stop := w.Run(text.NewLoop(text.LoopConfig{Service: w.Text}))
	defer stop()
	texts := 0
	link := func() string {
		t.Helper()
		texts++
		apptest.Eventually(t, "the text comes", func() bool { return len(phone.Sent()) >= texts })
		got := phone.Sent()[texts-1]
		to := regexp.MustCompile(`https://book\.example\.com(/\S+)`).FindStringSubmatch(got.Text)
		if got.To != herNumber || to == nil {
			t.Fatalf("%+v", got)
		}
		return base + to[1]
	}
	shot := func(name string) {
		t.Helper()
		if wide := browser.Eval[int](t, ctx, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d px wide", name, wide)
		}
		if dir := os.Getenv("DAYBOOK_TEST_SHOTS"); dir != "" {
			for _, width := range []int64{390, 1440} {
				browser.Resize(t, ctx, width, 844)
				for _, theme := range []string{"light", "dark"} {
					browser.Media(t, ctx, theme)
					browser.Shot(t, ctx, dir, fmt.Sprintf("wait-%s-%d-%s", name, width, theme))
				}
			}
			browser.Resize(t, ctx, 390, 844)
			browser.Media(t, ctx, "light")
		}
	}
	b := w.hers("2T11:00")
	day := apptest.Monday.AddDate(0, 0, 2).Format(time.DateOnly)
	browser.Resize(t, ctx, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?lang=en&date="+day))
	browser.Follow(t, ctx, `a[href*="/_wait/cut"]`)
	shot("form")
	browser.Eval[chromedp.Void](t, ctx, `for(const n of ["from0","to0"]){const f=document.querySelector("[name="+n+"]");f.value="`+day+`"}`)
	browser.Do(t, ctx,
		chromedp.SendKeys(browser.CSS(`[name=name]`), "Bo Berg"),
		chromedp.SendKeys(browser.CSS(`[name=phone]`), "0151 12345678"),
		chromedp.Click(browser.CSS(`[name=texts]`)))
	browser.Follow(t, ctx, `.actions button`)
	shot("texted")
	if said := browser.Eval[string](t, ctx, `document.body.innerText`); !strings.Contains(said, "01511 2345678") {
		t.Error(said)
	}
	browser.Do(t, ctx, chromedp.Navigate(link()))
	shot("ask")
	if e := w.waitlist()[0]; e.Status != waitlist.Unconfirmed {
		t.Fatalf("opening the link made it %v", e.Status)
	}
	browser.Follow(t, ctx, `button[value=confirm]`)
	if e := w.waitlist()[0]; e.Status != waitlist.Waiting {
		t.Fatalf("confirmed: %v", e.Status)
	}
	w.Must(w.Waitlist.CarryOut(t.Context()))
	_, err := w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Must(w.Waitlist.CarryOut(t.Context()))
	if e := w.waitlist()[0]; e.Offer == nil || e.Offer.Start != b.Start {
		t.Fatalf("offered: %+v", e.Offer)
	}
	browser.Do(t, ctx, chromedp.Navigate(link()))
	browser.Follow(t, ctx, `button[value=offer]`)
	browser.Follow(t, ctx, `button[value=take]`)
	browser.Do(t, ctx, chromedp.Navigate(base+browser.Eval[string](t, ctx, `new URL(document.querySelector("a.button-main").href).pathname`)))
	taken, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
	w.Must(err)
	if taken.Status != booking.Confirmed || taken.Start != b.Start || taken.Invitee.Phone != herNumber || taken.Invitee.Email != "" ||
		w.waitlist()[0].BookingID != taken.ID {
		t.Errorf("took %+v", taken)
	}
}
