package page_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/page"
)

// chosen adds services with something to choose: add-ons that take longer, and a class with mats for which several come.
const chosen = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
eventTypes:
  - slug: trim
    title: Trim
    durationMinutes: 30
    price: {amount: 4000, currency: EUR}
    hosts: [ana@salon.example]
    addOnGroups: [{id: hair, title: Your hair, required: true, max: 1}]
    addOns:
      - {id: beard, title: Beard, minutes: 15, price: {amount: 800, currency: EUR}}
      - {id: short, title: Short, group: hair}
      - {id: long, title: Long, minutes: 30, price: {amount: 2000, currency: EUR}, group: hair}
  - slug: yoga
    title: Yoga
    durationMinutes: 60
    seats: 6
    price: {amount: 1000, currency: EUR}
    hosts: [ana@salon.example]
    addOns: [{id: mat, title: Mat, price: {amount: 300, currency: EUR}}]
  - slug: dye
    title: Dye
    durationMinutes: 30
    price: {amount: 4000, currency: EUR}
    hosts: [ana@salon.example]
    addOnGroups: [{id: tone, title: Tone, required: true, max: 1}, {id: care, title: Care, required: true}]
    addOns:
      - {id: dark, title: Dark, minutes: 30, price: {amount: 900, currency: EUR}, group: tone}
      - {id: light, title: Light, minutes: 20, price: {amount: 500, currency: EUR}, group: tone}
      - {id: oil, title: Oil, minutes: 5, price: {amount: 250, currency: EUR}, group: care}
`

// What the address chooses decides times, length and price, and goes with the form; a choice that is gone when the form
// is sent keeps what was typed.
func TestChoiceGoesWithTheForm(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(chosen)
	w.book("cut", "1T10:00", "mia")
	w.play(t, []scenario{
		{name: "one of a group is chosen", request: "GET /salon/trim?date=2026-12-01&timeZone=Europe/Berlin", status: 200,
			contains: []string{`type="radio" id="choice-hair-0" name="addOns.hair" value="short" checked`, "+15 min · +€8", "+30 min · +€20",
				`data-start="2026-12-01T09:30:00Z"`, "addOns=short"}},
		{name: "longer and dearer", request: "GET /salon/trim?date=2026-12-01&timeZone=Europe/Berlin&addOns.hair=long&addOns=beard", status: 200,
			contains: []string{"1 hr 15 min", "€68", "Beard, Long", `value="beard" checked`, `data-start="2026-12-01T08:30:00Z"`, "addOns=beard,long"},
			never:    []string{`data-start="2026-12-01T09:30:00Z"`}},
		{name: "what can't be chosen is left out", request: "GET /salon/trim?addOns=gold,short,long", status: 200,
			contains: []string{"addOns=short"}, never: []string{"gold", "addOns=short,long"}},
		{name: "the form", request: "GET /salon/trim?addOns=beard,long&start=2026-12-01T08:00:00Z&timeZone=Europe/Berlin", status: 200,
			contains: []string{`name="addOns" value="beard,long"`, "€68", "10:15"}},
		{name: "names of those who come", request: "GET /salon/yoga?seats=3&start=2026-12-01T08:00:00Z", status: 200,
			contains: []string{`name="seats" value="3"`, `name="participants"`, "€30", "3 places"}},
		{name: "no more seats than there are", request: "GET /salon/yoga?seats=99&date=2026-12-01", status: 200,
			contains: []string{`<option value="6" selected`}, never: []string{`value="7"`}},
		{name: "one that can't be had when the form is sent", request: "POST /salon/trim", form: bookingForm("1T08:00", "leo", "addOns", "beard,gold", "notes", "Hello"),
			status: 422, contains: []string{"not offered like this any more", `value="leo"`, "Hello", `value="beard,short"`}},
		{name: "too many names", request: "POST /salon/yoga", form: bookingForm("1T08:00", "leo", "seats", "2", "participants", "Ann\nBen\nCyd"),
			status: 422, contains: []string{"at most 2 names", "Ann\nBen\nCyd"}},
	})
	if n := w.count(); n != 1 {
		t.Errorf("%d bookings", n)
	}

	// The list says the least that what must be chosen makes it, to people and to machines.
	w.play(t, []scenario{
		{name: "the list", request: "GET /salon", status: 200, contains: []string{"from €47.50", "55\u00a0min", `"price":"47.50"`, "from €40", "from €10"},
			never: []string{"€49"}},
		{name: "its page", request: "GET /salon/dye?date=2026-12-01", status: 200, contains: []string{"€51.50", "1\u00a0hr 5\u00a0min", `"price":"47.50"`}},
	})
}

// Add-ons, seats and names, chosen in the browser: in English with scripts, in German without.
func TestChoiceInBrowser(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	w.Apply(chosen)
	base := w.open()
	const facts = `document.querySelector(".facts").innerText`
	book := func(person string) booking.Booking {
		t.Helper()
		fillIn(t, ctx, person)
		browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=participants]`), "Ann\nBen"))
		browser.Follow(t, ctx, `.actions button`)
		browser.Until(t, ctx, bookingID)
		b, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
		w.Must(err)
		if got := browser.Eval[string](t, ctx, `document.body.innerText`); !strings.Contains(got, "Ann, Ben") || !strings.Contains(got, "39") {
			t.Errorf("the booking says\n%s", got)
		}
		return b
	}
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/yoga?lang=en&date=2026-12-02&timeZone=Europe/Berlin"))
	browser.Until(t, ctx, `document.querySelector("[data-choice] button").hidden`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[value=mat]`)))
	browser.Until(t, ctx, `location.search.includes("addOns=mat")&&document.activeElement.value==="mat"&&`+facts+`.includes("€13")`)
	browser.Eval[chromedp.Void](t, ctx, `{const s=document.querySelector("#choice-seats");s.value="3";s.dispatchEvent(new Event("change",{bubbles:true}))}`)
	browser.Until(t, ctx, `location.search.includes("seats=3")&&`+facts+`.includes("€39")`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start="2026-12-02T09:00:00Z"]`)))
	browser.Until(t, ctx, `document.activeElement.id==="details-title"`)
	if b := book("Mia"); b.Seats != 3 || b.Price.Amount != 3900 || len(b.AddOns) != 1 || !slices.Equal(b.Participants, []string{"Ann", "Ben"}) {
		t.Errorf("with scripts: %+v", b)
	}

	browser.NoScript(t, ctx)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/yoga?lang=de&date=2026-12-02&timeZone=Europe/Berlin"),
		chromedp.Click(browser.CSS(`[value=mat]`)), chromedp.SetValue(browser.CSS(`#choice-seats`), "3"))
	browser.Follow(t, ctx, `.choices button`)
	if got := browser.Eval[string](t, ctx, facts); !strings.Contains(got, "3 Plätze") || !strings.Contains(got, "39") {
		t.Errorf("the facts are %q", got)
	}
	browser.Follow(t, ctx, `[data-start="2026-12-02T09:00:00Z"]`)
	if b := book("Leo"); b.Seats != 3 || b.Price.Amount != 3900 || len(b.AddOns) != 1 {
		t.Errorf("without scripts: %+v", b)
	}
	if got := w.get("/salon/yoga?date=2026-12-02&timeZone=Europe/Berlin").text; strings.Contains(got, `data-start="2026-12-02T09:00:00Z"`) {
		t.Error("a full class is offered")
	}
}
