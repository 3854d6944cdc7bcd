package dashboard

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/views/dash"
)

// keyboard works on pages as a person without a mouse does.
type keyboard struct{ *tab }

// press presses keys, one after the other.
func (k keyboard) press(keys ...string) {
	k.t.Helper()
	for _, key := range keys {
		k.do(chromedp.KeyEvent(key))
	}
}

// focused is whether what has the focus is found by the selector, can be seen as having it, and lies in the window
// uncovered, but for what it holds or is held by.
const focused = `(() => {
	const x = document.activeElement;
	if (!x || !x.matches(%q)) return "";
	const seen = x.closest("label") ?? x, r = seen.getBoundingClientRect(), style = getComputedStyle(x);
	const at = [r.left + Math.min(r.width, innerWidth) / 2, r.top + Math.min(r.height, 40) / 2], hit = document.elementFromPoint(...at);
	if (!hit) return "lies outside the window";
	if (!seen.contains(hit) && !hit.contains(seen)) return "lies under " + hit.outerHTML.slice(0, 80);
	const around = x.parentElement ? getComputedStyle(x.parentElement) : style;
	const shown = [style, around, getComputedStyle(seen)].some((s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none");
	return shown ? "there" : "has a focus that can't be seen";
})()`

// to goes by Tab to what the selector finds.
func (k keyboard) to(selector string) {
	k.t.Helper()
	k.until(fmt.Sprintf(`!document.querySelector("[aria-busy=true]") && [...document.querySelectorAll(%q)].some((x) => x.checkVisibility())`, selector))
	var trail []string
	for range 250 {
		trail = append(trail, browser.Eval[string](k.t, k.ctx, `document.activeElement.outerHTML.slice(0, 60)`))
		switch at := browser.Eval[string](k.t, k.ctx, fmt.Sprintf(focused, selector)); at {
		case "there":
			return
		case "":
			k.press(kb.Tab)
		default:
			k.t.Fatalf("%s %s", selector, at)
		}
	}
	k.t.Fatalf("Tab doesn't lead to %s, but to %q", selector, trail[len(trail)-40:])
}

// enter goes to what the selector finds and presses Enter.
func (k keyboard) enter(selector string) {
	k.t.Helper()
	k.to(selector)
	k.press(kb.Enter)
}

// writes goes to the field of that name and types over what it has.
func (k keyboard) writes(name, text string) {
	k.t.Helper()
	field := fmt.Sprintf("[name='%s']", name)
	k.to(field)
	browser.Eval[bool](k.t, k.ctx, `(document.activeElement.select(), true)`)
	k.press(text)
	k.until(fmt.Sprintf(`document.activeElement.value == %q`, text))
}

// A working day by keyboard alone: somebody walks in, a regular who calls is booked, a booking is moved in the calendar, a
// customer's card is read, one is marked as not come and that taken back, cash is taken, a price is changed, what is left
// of the day is cancelled with its question, and the drawer is counted. Wherever the focus goes it is seen.
func TestWorkingDayByKeyboard(t *testing.T) {
	w := newWorld(t)
	d := w.workdays()[0]
	b := w.browse()
	w.Clock.Set(d.at("08:00"))
	b.signIn(w)
	b.look("light", 1440, 900)
	k := keyboard{b}
	d.regular = w.called()

	w.Clock.Set(d.at("10:12"))
	k.open(dash.TodayPath)
	k.enter(`.walk-in`)
	k.enter(`.who-nobody button`)
	k.until(bookedOver)
	if x := d.one(t, booking.WalkIn); !x.Start.Time().Equal(w.Clock.Now()) {
		t.Errorf("walked in at %s, booked for %s", w.Clock.Now(), x.Start)
	}

	k.open(dash.TodayPath)
	k.press("n")
	k.until(`document.activeElement?.role === "combobox"`)
	k.press(d.regular.Name[:5])
	k.until(`document.querySelector('#who-list [data-id="` + d.regular.ID.String() + `"]')`)
	for range 20 {
		k.press(kb.ArrowDown)
		if browser.Eval[bool](t, k.ctx, `document.querySelector("#who-list [aria-selected=true]")?.dataset.id == "`+d.regular.ID.String()+`"`) {
			break
		}
	}
	// A key of the browser's protocol sends the form whatever a script says.
	k.until(`!document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true}))`)
	k.until(`document.querySelector("[name=contact]")?.value == "` + d.regular.ID.String() + `"`)
	k.enter(makeIt)
	k.until(bookedOver)
	who, err := w.People.ContactByID(t.Context(), w.Owner, d.regular.ID.String())
	w.Must(err)
	if who.Bookings != d.regular.Bookings+1 {
		t.Errorf("%d bookings of the regular", who.Bookings)
	}

	k.open(calendarURL + "?date=" + d.date)
	k.until(calendarOn)
	k.to(`.ev`)
	// The arrows go from booking to booking: to Ben's first, and down from there.
	at := func() string { return browser.Eval[string](t, k.ctx, `document.activeElement.dataset.booking ?? ""`) }
	k.press(kb.ArrowRight)
	for was := ""; at() != was; {
		was = at()
		k.press(kb.ArrowUp)
	}
	for was := ""; at() != was && at() != d.amira.ID.String(); {
		was = at()
		k.press(kb.ArrowDown)
	}
	if at() != d.amira.ID.String() {
		t.Fatalf("the arrows end at %q", at())
	}
	k.press(" ", kb.ArrowUp, kb.Enter)
	k.sees("Not moved: ")
	k.enter(`[data-toast] button`) // anyway
	k.sees("Amira Test is now on")
	if now := d.now(d.amira); now.Start == d.amira.Start {
		t.Error("moved nowhere")
	}

	w.Clock.Set(d.at("10:30"))
	k.open(dash.TodayPath)
	k.enter(row(d.otto) + ` summary`)
	k.enter(row(d.otto) + ` form[action$="/no-show"] button`)
	k.sees("Otto Test is marked as a no-show")
	k.enter(`[data-toast] button`)
	k.sees("taken back")

	w.Clock.Set(d.at("12:05"))
	k.open(dash.TodayPath)
	k.enter(row(d.ida) + ` .sheet-link`)
	k.until(`document.querySelector(".visits") && document.querySelector("h1").textContent == "Ida Test"`)
	k.open(dash.TodayPath)
	k.enter(row(d.ida) + ` summary`)
	k.enter(row(d.ida) + ` .pay button[value=cash]`)
	k.sees("Ida Test paid ")
	if now := d.now(d.ida); now.Due.Amount != 0 {
		t.Errorf("due: %+v", now.Due)
	}

	e := w.setup().EventType("beard-trim")
	k.enter(`.side-nav a[href="` + dash.TypesPath + `"]`)
	price := `form[action="` + dash.TypePricePath(e.ID.String()) + `"]`
	k.to(price + ` [name=price]`)
	browser.Eval[bool](t, k.ctx, `(document.activeElement.select(), true)`)
	k.press("33", kb.Enter)
	k.sees("Saved.")
	if now := w.setup().EventType("beard-trim"); now.Price.Amount != 3300 {
		t.Errorf("costs %d", now.Price.Amount)
	}

	w.Clock.Set(d.at("14:00"))
	k.open(dash.TodayPath)
	k.enter(`.head-menu summary`)
	k.enter(`.head-menu a[href="` + dash.CancelPath + `"]`)
	k.enter(`button[name=do][value=all]`)
	k.until(`document.querySelector('input[value="` + d.nina.ID.String() + `"]').checked`)
	k.enter(`.form-end .button-bad`)
	k.sees("Cancel ")
	k.enter(`.form-end .button-danger`)
	k.sees("being cancelled")
	w.Clock.Advance(bulk.Undoable)
	w.Must(w.Bulk.CarryOut(t.Context()))
	if now := d.now(d.nina); now.Status != booking.Cancelled {
		t.Errorf("cancelled, but %s", now.Status)
	}

	w.Clock.Set(d.at("19:05"))
	k.open(dash.TodayPath)
	k.enter(`.side-nav ` + tillLink)
	k.writes("counted", "149")
	k.enter(`.till-close button`)
	k.sees("The day is closed.")
}
