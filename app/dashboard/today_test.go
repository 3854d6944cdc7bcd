package dashboard

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// begun is a booking of today that has just begun and costs nothing when it is missed; the clock is moved there.
func (w *world) begun() *booking.Booking {
	w.T.Helper()
	day := web.Midnight(w.Clock.Now().In(w.setup().Zone))
	all, _, err := w.Calendar(w.T.Context(), w.Owner, "", day, day.AddDate(0, 0, 1), false)
	w.Must(err)
	for i := range all {
		if b := &all[i]; b.Status.Stands() && b.NoShowFee == nil && b.Start.Time().After(w.Clock.Now()) {
			w.Clock.Set(b.Start.Time().Add(2 * time.Minute))
			return b
		}
	}
	w.T.Fatal("nothing is booked today")
	return nil
}

// On Today bookings are marked as arrived, done and missed with one tap, and each can be taken back, on a desktop and on
// a phone; on paper there is the day and nothing else.
func TestDaySheet(t *testing.T) {
	w := newWorld(t)
	k := w.begun()
	id := k.ID.String()
	row := row(*k)
	b := w.browse()
	b.look("light", 1440, 900)
	b.signIn(w)
	last := func(want app.Mark) {
		t.Helper()
		now, err := w.Booking(t.Context(), w.Owner, id)
		w.Must(err)
		if got := app.LastMark(&now); got != want {
			t.Errorf("the last mark is %q, want %q", got, want)
		}
	}
	for _, width := range []int64{1440, 390} {
		b.look("light", width, 844)
		b.open("/dashboard?host=" + k.Host.ID.String())
		b.until(`document.querySelector(".faces [aria-current]")`)
		b.click(row + ` form[action$="/arrived"] button`)
		b.sees("has arrived.")
		last(app.ArrivedMark)
		b.until(`document.querySelector('` + row + ` .badge').textContent=="Arrived" && !document.querySelector('` + row + ` form[action$="/no-show"]')`)
		b.click(`[data-toast] button`)
		b.sees("taken back")
		last("")
		b.click(row + ` form[action$="/done"] button`)
		b.sees(": done.")
		last(app.DoneMark)
		b.open("/dashboard?host=" + k.Host.ID.String())                                      // without the toast
		b.until(`document.querySelector('` + row + ` .badge').textContent.endsWith(" due")`) // so it is not folded yet
		b.click(row + ` .sheet-fold > summary`)
		b.click(row + ` form[action$="/undo"] button`)
		b.sees("taken back")
		b.click(row + ` form[action$="/no-show"] button`)
		b.sees("is marked as a no-show")
		last(app.NoShowMark)
		b.click(`[data-toast] button`)
		b.sees("taken back")
		last("")
		b.until(`location.search=="?host=` + k.Host.ID.String() + `"`)
	}
	b.open("/dashboard/bookings/" + id)
	b.click(`form[action$="/done"] button`)
	b.until(`document.querySelector(".head .badge").textContent=="Done"`)
	b.open("/dashboard")
	axe := browser.Axe(t)
	for _, width := range []int64{390, 1440} {
		b.look("light", width, 844)
		b.open("/dashboard?said=done." + id)
		b.sees(": done.")
		browser.Accessible(t, b.ctx, axe)
		if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
			t.Errorf("%d scrolls sideways by %d", width, wide)
		}
	}
	w.sheetShots(b)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	w.Must(err)
	b.until(`["header.side", ".toast", ".sheet-acts", ".day-more", ".day-next", ".day-now", ".alerts", ".faces", ".head-actions"].every((s) =>
		!document.querySelector(s)?.checkVisibility())`)
	b.until(`document.querySelectorAll(".sheet-row").length>5 && getComputedStyle(document.body).backgroundColor=="rgb(255, 255, 255)"`)
	shot(b, "sheet-print")
}

// sheetShots writes pictures for people to look at, when DAYBOOK_SHOTS names a directory.
func (w *world) sheetShots(b *tab) {
	if os.Getenv("DAYBOOK_SHOTS") == "" {
		return
	}
	for _, width := range []int64{390, 1440} {
		for _, theme := range []string{"dark", "light"} {
			b.look(theme, width, 844)
			b.open("/dashboard")
			shot(b, "sheet-"+theme+map[bool]string{true: "-phone", false: ""}[width < 400])
		}
	}
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b.open("/dashboard")
	shot(b, "sheet-german")
	w.asOwner().post("/dashboard/account/language", "locale", "")
	b.open("/dashboard")
}

// Without a script the marks are forms. Staff have the sheet of their own host and no figures; what they may not see
// they can't mark.
func TestDaySheetOfStaff(t *testing.T) {
	w := newWorld(t)
	k := w.begun()
	path := dash.BookingDoPath(k.ID.String(), "arrived")
	var other *visitor
	for _, h := range w.setup().Hosts {
		if h.ID != k.Host.ID {
			other = w.staff(h.ID)
			break
		}
	}
	if page := other.get("/dashboard").body; strings.Contains(page, k.ID.String()) || strings.Contains(page, "<dt>Value</dt>") {
		t.Error("staff see the bookings of another host, or the day's value")
	}
	for _, path := range []string{path, dash.BookingDoPath(k.ID.String(), "done"), dash.BookingDoPath(k.ID.String(), "undo")} {
		other.wants(other.post(path, "back", "today"), 404)
	}
	owner := w.asOwner()
	owner.wants(owner.get("/dashboard"), 200, `action="`+path+`"`, "<dt>Value</dt>", `href="tel:`, "Free ")
	said := owner.post(path, "back", "today")
	if to, err := url.Parse(said.header.Get("Location")); err != nil || to.Query().Get("said") != "arrived."+k.ID.String() {
		t.Errorf("a mark leads to %s, %v", said.header.Get("Location"), err)
	}
	owner.wants(owner.get(said.header.Get("Location")), 200, "has arrived.", `name="of" value="arrived"`)
	owner.wants(owner.post(dash.BookingDoPath(k.ID.String(), "undo"), "of", "arrived", "back", "today"), 303)
	owner.wants(owner.post(dash.BookingDoPath(k.ID.String(), "undo"), "of", "arrived"), 409, "taken back")
	w.Clock.Set(k.End.Time().Add(time.Minute))
	owner.wants(owner.get(dash.BookingPath(k.ID.String())), 200, `>Past</span>`)
}
