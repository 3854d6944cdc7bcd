package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
)

// sendsTexts makes the workspace one that sends texts, as a sender would.
func (w *world) sendsTexts() {
	w.T.Helper()
	w.Must(w.SQL(`UPDATE workspaces SET texts = 1, revision = revision + 1`))
	w.ForgetSetup(w.Workspace.ID)
}

// A visitor agrees to texts by a box that is unticked at first and no condition, without any script at the width of a phone;
// its wording is kept. Who has sent STOP is told to send START, and stays stopped.
func TestTextsAreTicked(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	w.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: cut, asksFor: both}\n")
	base := w.open()
	browser.Resize(t, ctx, 390, 844)
	browser.NoScript(t, ctx)
	number := "+4915112345678"
	books := func(day, person string, tick bool) booking.Booking {
		t.Helper()
		browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?lang=en&date="+day))
		browser.Follow(t, ctx, `[data-start="`+day+`T09:00:00Z"]`)
		fillIn(t, ctx, person)
		browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[type=tel]`), number))
		if tick {
			if browser.Eval[bool](t, ctx, `document.querySelector("[name=texts]").checked || document.querySelector("[name=texts]").required`) {
				t.Error("the box is ticked at first, or must be ticked")
			}
			browser.Do(t, ctx, chromedp.Click(browser.CSS(`[name=texts]`)))
		}
		browser.Follow(t, ctx, `.actions button`)
		b, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
		w.Must(err)
		return b
	}
	texts := func(b booking.Booking) booking.Texts {
		t.Helper()
		c, err := w.People.ContactByID(t.Context(), w.Owner, b.ContactID.String())
		w.Must(err)
		return *c.Texts
	}
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?lang=en&date=2026-12-02"))
	browser.Follow(t, ctx, `[data-start="2026-12-02T09:00:00Z"]`)
	if browser.Eval[bool](t, ctx, `!!document.querySelector("[name=texts]")`) {
		t.Error("a business that sends no texts asks for them")
	}
	w.sendsTexts()
	if got := texts(books("2026-12-02", "Una", false)); got.State != booking.TextsUnknown {
		t.Errorf("without a tick: %+v", got)
	}
	mia := books("2026-12-03", "Mia", true)
	got := texts(mia)
	if got.State != booking.TextsYes || got.By != booking.ByInvitee || !strings.HasPrefix(got.Wording, "Send me texts about my appointments. ") ||
		!strings.Contains(got.Wording, "confirmations, changes") || !strings.Contains(got.Wording, "Message and data rates may apply. Reply STOP") {
		t.Errorf("%+v", got)
	}
	if said := browser.Eval[string](t, ctx, `document.body.innerText`); strings.Contains(said, "START") {
		t.Error(said)
	}
	w.Must(w.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, w.Workspace.ID, number) }))
	bo := books("2026-12-04", "Bo", true)
	if said := browser.Eval[string](t, ctx, `document.body.innerText`); !strings.Contains(said, "STOP was sent from this number") {
		t.Error(said)
	}
	if got := texts(bo); got.State != booking.TextsStopped {
		t.Errorf("after STOP: %+v", got)
	}
}

// The page of a visit, too, asks for texts, in every language, and only where a number is asked for.
func TestTextsOfVisits(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: cut, asksFor: both}\n")
	w.sendsTexts()
	for lang, want := range map[string]string{"en": "Send me texts", "de": "SMS zu meinen Terminen", "fr": "Recevoir des SMS", "es": "Recibir SMS"} {
		for path, has := range map[string]bool{"/salon/cut?start=2026-12-02T09:00:00Z": true, "/salon/cut?with=either&timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z": true,
			"/salon/either?start=2026-12-02T09:00:00Z": false} {
			if got := w.get(path + "&lang=" + lang); strings.Contains(got.text, want) != has {
				t.Errorf("%s in %s: %v", path, lang, !has)
			}
		}
	}
	w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = catalog.AskEmail })
	if got := w.get("/salon/cut?start=2026-12-02T09:00:00Z&lang=en"); strings.Contains(got.text, "Send me texts") {
		t.Error("no number is asked for")
	}
}
