package dashboard

import (
	"path"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/when"
	"daybook/views/dash"
)

// A new booking slides over the calendar and leaves it as it was: by its key and by "+", closed by Escape, by its link and
// by going back, with a mouse and with a finger. The first free time is picked, and follows the service.
func TestNewBookingSlidesOverThePage(t *testing.T) {
	w := newWorld(t)
	day := w.workdays()[0]
	b, axe := w.browse(), browser.Axe(t)
	w.Clock.Set(day.at("10:02"))
	b.signIn(w)
	const (
		over = `document.querySelector("dialog.drawer[open]")`
		// the calendar is the same element as before, scrolled as before, under the same address
		same = `!` + over + ` && window.kept.isConnected && window.kept.scrollTop === 150 && location.search === "?date=` + quietDay + `"`
	)
	for _, width := range widths {
		h := (&tab{t, b.ctx, b.url}).hand(width)
		h.open("/dashboard/types")
		h.open(calendarURL + "?date=" + quietDay)
		h.until(calendarOn)
		h.until(`(window.kept = document.querySelector(".cal-scroll"), window.kept.scrollTop = 150, window.kept.scrollTop === 150)`)
		open := func() {
			t.Helper()
			if h.phone {
				h.tap(`.cal-menu summary`)
				h.tap(`.cal-menu a[href^="/dashboard/bookings/new"]`)
			} else {
				h.do(chromedp.KeyEvent("n"))
			}
			h.until(over + ` && document.activeElement.name === "name"`)
		}
		open()
		h.do(chromedp.KeyEvent(kb.Escape))
		h.until(same)
		open()
		h.tap(`.drawer .form-end [data-slide-back]`)
		h.until(same)
		open()
		h.do(chromedp.NavigateBack())
		h.until(same)
		open()
		// Who walks in stands first: nothing to press or fill in comes before that button, and nothing stands above it.
		h.until(`(([first, ...more]) => first.closest(".who-nobody") && first.tagName === "BUTTON" && first.innerText.includes("Walk-in") &&
			more.every((x) => first.contains(x) || x.getBoundingClientRect().top >= first.getBoundingClientRect().top))(
			[...document.querySelectorAll(".drawer form.form-pick :is(a, button, input, select, textarea, summary)")].filter((x) => x.checkVisibility()))`)
		browser.Accessible(t, h.ctx, axe)
		for range 40 {
			h.do(chromedp.KeyEvent(kb.Tab))
			if at := browser.Eval[string](t, h.ctx, `document.activeElement === document.body || `+over+`.contains(document.activeElement) ? "" : document.activeElement.outerHTML`); at != "" {
				t.Fatalf("Tab leaves what slid over the page, for %s", at)
			}
		}
		name := "Dora Drawer " + map[bool]string{true: "by finger", false: "by mouse"}[h.phone]
		h.types("name", name)
		h.until(`document.querySelector(".form-end > p").innerText.includes("December 22")`)
		h.tap(`.tile:has([value=beard-trim])`)
		h.until(`!document.querySelector("[aria-busy=true]") && document.querySelector(".drawer [data-terms]").innerText.includes("20") && document.querySelector(".drawer [name=name]").value === "` + name + `"`)
		h.tap(`.drawer ` + makeIt)
		h.until(bookedOver + ` && location.search === "?date=` + quietDay + `" && document.querySelector(".ev[data-booking]")`)
		made := day.one(t, name)
		if made.EventType != "beard-trim" || made.Start < when.At(day.at("10:02")) {
			t.Errorf("booked %s at %s", made.EventType, made.Start)
		}
		h.until(`document.querySelector('` + event(made) + `')`)
		if where := browser.Eval[string](t, h.ctx, `document.querySelector(".said a").getAttribute("href")`); where != dash.BookingPath(made.ID.String()) {
			t.Errorf("what was booked is at %s", where)
		}
		h.do(chromedp.NavigateBack()) // to the page before the calendar
		h.until(`location.pathname === "/dashboard/types"`)
	}
}

// Without a script the form is a page, which leads back to where it was opened; only to pages of the dashboard.
func TestNewBookingLeadsBack(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const back = calendarURL + "?date=" + quietDay
	form := b.get(dash.NewBookingPath + "?back=" + "%2Fdashboard%2Fbookings%2Fcalendar%3Fdate%3D" + quietDay)
	b.wants(form, 200, `class="back" href="`+back+`"`, `name="back" value="`+back+`"`, `name="soon" value="1"`)
	typed := []string{"type", "haircut", "start", between(form.body, `name="start" value="`, `"`), "nobody", "1"}
	if made := b.post(dash.NewBookingPath, append(typed, "back", back)...); made.status != 303 || !strings.HasPrefix(made.location, calendarURL+"?booked=bk_") ||
		!strings.HasSuffix(made.location, "&date="+quietDay+"&said=booked") {
		t.Errorf("%d to %s", made.status, made.location)
	}
	b.wants(b.get(dash.NewBookingPath+"?back=https%3A%2F%2Felsewhere.example%2Fdashboard"), 200, "!elsewhere")
	b.wants(b.get(dash.NewBookingPath+"?back=%2Fdashboard%2F..%2F%2Felsewhere.example"), 200, "!elsewhere")
	typed[3] = quietDay + "T13:00:00Z"
	if made := b.post(dash.NewBookingPath, append(typed, "back", "//elsewhere.example/dashboard")...); !strings.HasPrefix(made.location, dash.BookingPath("bk_")) {
		t.Errorf("%d to %s", made.status, made.location)
	}
}

// What is typed into the page below outlives a booking; a list of mistakes leads to fields of the form above; no id stands
// twice. What is typed while a choice is on its way stays, and the last choice counts.
func TestDrawerKeepsWhatIsTyped(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	h := b.hand(1440)
	h.open(contactURL(w.called().ID))
	h.fill("notes", "Likes tea")
	h.until(`(document.activeElement.blur(), true)`)
	h.do(chromedp.KeyEvent("n"))
	h.until(`document.querySelector("dialog.drawer[open]") && document.activeElement.name === "name"`)
	if twice := browser.Eval[string](t, h.ctx, `(all => all.filter((x, i) => all.indexOf(x) !== i).join())([...document.querySelectorAll("[id]")].map(x => x.id))`); twice != "" {
		t.Errorf("two of %s", twice)
	}
	const inDrawer = `(name => document.querySelector(".drawer form [name=" + name + "]"))`
	h.until(`(` + inDrawer + `("email").value = "nope", true)`)
	h.tap(`.drawer ` + makeIt)
	h.tap(`.drawer .notice-bad a[href$="email"]`)
	h.until(`document.activeElement === ` + inDrawer + `("email") && document.querySelector("dialog.drawer[open]")`)
	h.until(`(` + inDrawer + `("email").value = "", true)`)

	// Answers come when the test lets them.
	h.until(`(window.held = [], window.real = fetch, window.fetch = (...a) => new Promise((yes, no) => {
		a[1]?.signal?.addEventListener("abort", () => no(new DOMException("", "AbortError")));
		held.push(() => real(...a).then(yes, no)); }), true)`)
	h.tap(`.tile:has([value=colour])`)
	h.tap(`.tile:has([value=beard-trim])`)
	h.until(`held.length >= 2`)
	h.until(`(` + inDrawer + `("notes").focus(), ` + inDrawer + `("notes").value = "Bring a photo", true)`)
	h.until(`(held.reverse().forEach(go => go()), window.fetch = real, true)`)
	h.until(`document.querySelector(".drawer [data-terms]").innerText.includes("20") && document.querySelector(".drawer [name=type]:checked").value === "beard-trim" &&
		document.activeElement === ` + inDrawer + `("notes") && document.activeElement.value === "Bring a photo"`)
	h.until(`(` + inDrawer + `("name").value = "Nora Notes", true)`)
	h.tap(`.drawer ` + makeIt)
	h.until(bookedOver)
	h.until(`document.querySelector("#main [name=notes]").value === "Likes tea"`)
	made, err := w.Booking(t.Context(), w.Owner, path.Base(browser.Eval[string](t, h.ctx, `document.querySelector(".said a").pathname`)))
	w.Must(err)
	if made.Invitee.Name != "Nora Notes" || made.Notes != "Bring a photo" || made.EventType != "beard-trim" {
		t.Errorf("booked %s of %+v, %q", made.EventType, made.Invitee, made.Notes)
	}
	h.until(`(document.querySelectorAll("form[data-typed]").forEach((x) => delete x.dataset.typed), true)`) // left without asking
}

// The steps of the form: a host that now has chosen is nobody's wish, a refusal leaves the next free time free to follow
// the service, and other times of another service keep the notes.
func TestStepsOfANewBooking(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(w.workdays()[0].at("10:02"))
	b := w.asOwner()
	now := b.get(dash.NewBookingPath + "?type=haircut&date=" + quietDay + "&start=next")
	anyone := between(now.body, `name="anyone" value="`, `"`)
	if anyone == "" || !strings.Contains(now.body, `<option value="`+anyone+`" selected`) {
		t.Fatalf("now is with %q: %s", anyone, mainOf(now.body))
	}
	typed := []string{"type", "haircut", "host", anyone, "anyone", anyone, "walkin", "1", "date", quietDay, "start", quietDay + "T09:02:00Z"}
	b.wants(b.post(dash.NewBookingPath, append(typed, "time", "start=soon")...), 200, `name="soon" value="1"`, `!<option value="`+anyone+`" selected`)

	refused := b.post(dash.NewBookingPath, "type", "haircut", "start", quietDay+"T13:00:00Z", "soon", "1", "name", "Mia", "email", "nope")
	b.wants(refused, 422, `name="soon" value="1"`, `name="start" value="`+quietDay+`T13:00:00Z"`)

	other := b.post(dash.NewBookingPath, "type", "haircut", "start", quietDay+"T13:00:00Z", "soon", "1", "notes", "Nuts", "time", "date="+quietDay)
	choose := between(other.body, `<form method="post" action="/dashboard/bookings/new" class="filters filters-pick" data-auto`, `</form>`)
	for _, has := range []string{`name="notes" value="Nuts"`, `name="choose" value="1"`} {
		if !strings.Contains(choose, has) {
			t.Errorf("choosing another service lacks %s: %s", has, choose)
		}
	}
	if strings.Count(choose, `name="type"`) != 1 {
		t.Error("the service is asked for twice")
	}
	b.wants(b.post(dash.NewBookingPath, "type", "colour", "date", quietDay, "notes", "Nuts", "choose", "1"), 200, `class="slot"`, `name="notes" value="Nuts"`)
	b.wants(b.post(dash.NewBookingPath, "type", "colour", "date", quietDay, "at", "14:00", "notes", "Nuts", "choose", "1"), 200, "2:00\u202fPM", "Nuts</textarea>")
}
