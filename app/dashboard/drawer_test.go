package dashboard

import (
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
		h.open(calendarURL + "?date=" + quietDay)
		h.until(calendarOn)
		h.until(`(window.kept = document.querySelector(".cal-scroll"), window.kept.scrollTop = 150, window.kept.scrollTop === 150)`)
		open := func() {
			t.Helper()
			if h.phone {
				h.tap(`.cal-bar a[href^="/dashboard/bookings/new"]`)
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
	typed[3] = quietDay + "T13:00:00Z"
	if made := b.post(dash.NewBookingPath, append(typed, "back", "//elsewhere.example/dashboard")...); !strings.HasPrefix(made.location, dash.BookingPath("bk_")) {
		t.Errorf("%d to %s", made.status, made.location)
	}
}
