package dashboard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
)

// faintest is the least contrast that a text of what the selector finds has to what lies behind it, as it is drawn with
// opacity, and that text.
const faintest = `((selector) => {
	const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const drawn = (color, on) => {
		ink.globalAlpha = 1;
		ink.fillStyle = "rgb(" + on + ")";
		ink.fillRect(0, 0, 1, 1);
		ink.fillStyle = color;
		ink.fillRect(0, 0, 1, 1);
		return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const light = (c) => c.map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const page = drawn(getComputedStyle(document.querySelector(".cal-scroll")).backgroundColor, [255, 255, 255]);
	let least = 99, whose = "nothing";
	for (const x of document.querySelectorAll(selector)) {
		if (x.closest(".sr") || !x.textContent.trim()) continue;
		let seen = 1, behind = page;
		const up = [];
		for (let p = x; p && !p.matches(".cal-scroll"); p = p.parentElement) up.unshift(p);
		for (const p of up) seen *= +getComputedStyle(p).opacity;
		for (const p of up) behind = drawn(getComputedStyle(p).backgroundColor, behind);
		const mixed = (c) => c.map((v, i) => v * seen + page[i] * (1 - seen));
		const [a, b] = [light(mixed(drawn(getComputedStyle(x).color, behind))), light(mixed(behind))].sort((a, b) => b - a);
		const ratio = (a + .05) / (b + .05);
		if (ratio < least) [least, whose] = [ratio, x.textContent.trim()];
	}
	return [Math.round(least * 10) / 10, whose];
})`

// What is over can be read, by day and by night.
func TestPastBookingsCanBeRead(t *testing.T) {
	w := newWorld(t)
	d := &workday{world: w, date: quietDay}
	for i, kind := range []string{"haircut", "colour", "blow-dry"} {
		w.booked(kind, []string{"09:00", "10:00", "14:00"}[i], "Past "+kind, 0)
	}
	w.booked("beard-trim", "10:20", "Past beard", 1)
	missed := w.booked("haircut", "12:00", "Past missed", 1)
	w.Clock.Set(d.at("17:30"))
	_, err := w.MarkNoShow(t.Context(), w.Owner, missed.ID.String())
	w.Must(err)
	b := w.browse()
	b.signIn(w)
	for _, theme := range []string{"light", "dark"} {
		for _, page := range []string{"", "&span=week"} {
			b.look(theme, 1440, 900)
			b.open(calendarURL + "?date=" + quietDay + page)
			b.until(`document.querySelectorAll(".ev-over").length >= 5`)
			shot(b, "calendar-past-"+theme+page)
			found := browser.Eval[[]any](t, b.ctx, faintest+`(".ev-over :is(b, time, span, i)")`)
			if ratio := found[0].(float64); ratio < 4.5 || ratio > 21 {
				t.Errorf("%s%s: %v has a contrast of %.1f", theme, page, found[1], ratio)
			}
		}
	}
}

// A tablet held upright has the calendar of a desktop: all columns with their faces, the tools with the date's field in one
// line, the navigation at the side, and the hours where a phone still has buttons.
func TestCalendarOnATablet(t *testing.T) {
	w := newWorld(t)
	w.booked("haircut", "10:00", "Ida Test", 0)
	b := w.browse()
	b.signIn(w)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	for _, width := range []int64{820, 1024} {
		b.look("light", width, 1180)
		b.open(calendarURL + "?date=" + quietDay)
		b.until(`document.querySelector('.ev[tabindex="0"]')`)
		shot(b, fmt.Sprintf("calendar-tablet-%d", width))
		for what, js := range map[string]string{
			"four columns in the window": `[...document.querySelectorAll(".cal-column")].filter((x) => x.getBoundingClientRect().right <= innerWidth).length === 4`,
			"a face above each": `[...document.querySelectorAll(".cal-head .face")].filter((x) => {
				const r = x.getBoundingClientRect();
				return document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2) === x;
			}).length === 4`,
			"the tools in one line": `new Set([".cal-go", ".cal-date [type=date]", ".cal-bar > .segments", ".cal-bar > .segments:last-child"]
				.map((s) => { const r = document.querySelector(s).getBoundingClientRect(); return Math.round((r.top + r.bottom) / 20); })).size === 1`,
			"a date to choose":       `document.querySelector(".cal-date [type=date]").checkVisibility()`,
			"navigation at the side": `(({ right, height }) => right < 100 && height > 500)(document.querySelector(".side-nav").getBoundingClientRect())`,
			"hours in the first 200": `document.querySelector(".cal-scroll").getBoundingClientRect().top < 200`,
			"nothing sideways":       `document.documentElement.scrollWidth <= innerWidth`,
		} {
			if !browser.Eval[bool](t, b.ctx, js) {
				t.Errorf("at %d: not %s", width, what)
			}
		}
	}
}

// What is dragged says its time, and before it is dropped it is red where what the calendar shows refuses it: a booking and
// what is kept free around one, time off, closed hours, what is past or too soon, a session without a seat, somebody who
// doesn't do it. It is red nowhere else. Rooms and things, the most a day, how far ahead one can book and what the customer
// has elsewhere are not looked at: there the server's answer is the first word.
func TestDraggedTurnsRedWhereItCannotGo(t *testing.T) {
	w := newWorld(t)
	d := &workday{world: w, date: quietDay}
	w.Clock.Set(d.at("08:00"))
	ida, lea := w.booked("haircut", "10:00", "Ida Test", 0), w.booked("haircut", "16:00", "Lea Test", 0)
	_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, ida.Host.ID.String(), quietDay+"T15:00", quietDay+"T15:30", "Dentist")
	w.Must(err)
	yoga, tint := catalog.NewEventType(), catalog.NewEventType()
	yoga.Slug, yoga.Title, yoga.DurationMinutes, yoga.SlotStepMinutes, yoga.BufferAfterMinutes = "yoga", "Yoga", 60, 30, 15
	yoga.Seats, yoga.Hosts = 3, []catalog.HostRef{{ID: w.setup().Hosts[0].ID}}
	tint.Slug, tint.Title, tint.DurationMinutes, tint.SlotStepMinutes, tint.BufferAfterMinutes = "tint", "Tint", 120, 30, 15
	tint.Parts, tint.Hosts = []catalog.Part{{Work: 45}, {Wait: 40}, {Work: 35}}, []catalog.HostRef{{ID: w.setup().Hosts[2].ID}, {ID: w.setup().Hosts[3].ID}}
	for _, e := range []catalog.EventType{yoga, tint} {
		_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
		w.Must(err)
	}
	const others = "2026-12-23" // a Wednesday on which all four work
	for i, clock := range []string{"10:00", "10:00", "14:00", "16:00", "16:00", "16:00"} {
		w.bookedOn(others, "yoga", clock, fmt.Sprint("Guest", i), 0)
	}
	joining, parted := w.bookedOn(others, "yoga", "11:30", "Joining Test", 0), w.bookedOn(others, "tint", "09:00", "Tina Test", 2)
	advice := w.bookedOn(others, "consultation", "12:45", "Cora Test", 2)
	b := w.browse()
	b.signIn(w)
	b.look("light", 1440, 1500) // the whole day, so that nothing scrolls meanwhile
	for _, x := range []struct {
		where   string
		clock   string
		of      booking.Booking
		columns float64
		minutes float64
		at      string
		red     bool
	}{
		{"free", "08:00", ida, 0, 75, "11:15 AM", false},
		{"the first of the day", "08:00", ida, 0, -60, "9:00 AM", false},
		{"before the day", "08:00", ida, 0, -75, "8:45 AM", true},
		{"until the break", "08:00", ida, 0, 135, "12:15 PM", false},
		{"into the break", "08:00", ida, 0, 150, "12:30 PM", true},
		{"in the break", "08:00", ida, 0, 195, "1:15 PM", true},
		{"well before time off", "08:00", ida, 0, 240, "2:00 PM", false},
		{"without time to clear up before time off", "08:00", ida, 0, 255, "2:15 PM", true},
		{"in time off", "08:00", ida, 0, 285, "2:45 PM", true},
		{"over a booking", "08:00", ida, 0, 330, "3:30 PM", true},
		{"where the other clears up", "08:00", ida, 0, 405, "4:45 PM", true},
		{"another host", "08:00", ida, 1, 0, "10:00 AM", false},
		{"another host's closed hour", "08:00", ida, 1, -60, "9:00 AM", true},
		{"still to come", "11:10", lea, 0, -120, "2:00 PM", false},
		{"too soon", "11:10", lea, 0, -270, "11:30 AM", true},
		{"past", "11:10", lea, 0, -300, "11:00 AM", true},

		{"into a session of two", "08:00", joining, 0, -90, "10:00 AM", false},
		{"into a session of one", "08:00", joining, 0, 150, "2:00 PM", false},
		{"into a session without a seat", "08:00", joining, 0, 270, "4:00 PM", true},
		{"into the middle of a session", "08:00", joining, 0, -60, "10:30 AM", true},
		{"its wait over a booking", "08:00", parted, 0, 180, "12:00 PM", false},
		{"its second part over a booking", "08:00", parted, 0, 150, "11:30 AM", true},
		{"its second part just before a booking", "08:00", parted, 0, 90, "10:30 AM", false},
		{"its second part after closing", "08:00", parted, 0, 390, "3:30 PM", true},
		{"into the wait of another", "08:00", advice, 0, -165, "10:00 AM", false},
		{"a host who doesn't do it", "08:00", parted, -1, 60, "10:00 AM", true},
		{"another host who does it", "08:00", parted, 1, 60, "10:00 AM", false},
	} {
		d := &workday{world: w, date: x.of.Start.Time().In(w.setup().Zone).Format(time.DateOnly)}
		w.Clock.Set(d.at(x.clock))
		b.open(calendarURL + "?date=" + d.date)
		b.until(`document.querySelector('.ev[tabindex="0"]')`)
		px, py := b.pull(`.ev[data-booking="`+x.of.ID.String()+`"]`, x.columns, x.minutes)
		b.until(`document.querySelector(".ev-ghost")?.dataset.when`)
		shot(b, "drag-"+strings.ReplaceAll(x.where, " ", "-"))
		when := strings.ReplaceAll(browser.Eval[string](t, b.ctx, `document.querySelector(".ev-ghost").dataset.when`), "\u202f", " ")
		red := browser.Eval[bool](t, b.ctx, `document.querySelector(".ev-ghost").matches(".ev-meets")`)
		if when != x.at || red != x.red {
			t.Errorf("%s: says %q and is red: %t", x.where, when, red)
		}
		b.letGo(px, py)
		b.until(`document.querySelector("[data-toast]")`)
		if refused := browser.Eval[bool](t, b.ctx, `!!document.querySelector(".toast-bad")`); refused != x.red {
			t.Errorf("%s: dropping it was refused: %t", x.where, refused)
		}
		w.Clock.Set(d.at("08:00"))
		_, err := w.Reschedule(t.Context(), w.Owner, x.of.ID.String(), app.RescheduleInput{Start: x.of.Start.String(), Host: x.of.Host.ID.String()})
		w.Must(err)
	}

	// What it says stays true while the page is open: the time goes on in each column.
	w.Clock.Set((&workday{world: w, date: others}).at("08:00"))
	b.open(calendarURL + "?date=" + others)
	b.until(`document.querySelector('.ev[tabindex="0"]')`)
	px, py := b.pull(`.ev[data-booking="`+parted.ID.String()+`"]`, 0, 90)
	b.until(`document.querySelector(".ev-ghost:not(.ev-meets)")?.dataset.when.startsWith("10:30")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.letGo(px, py)
	b.until(`document.querySelectorAll(".cal-now").length === 4`)
	b.until(`((real) => { Date.now = () => real() + 150 * 60e3; document.dispatchEvent(new Event("shown")); return true; })(Date.now.bind(Date))`)
	for i, minute := range browser.Eval[[]float64](t, b.ctx, `[...document.querySelectorAll(".cal-now")].map((x) => {
		const c = x.closest(".cal-col"), n = (name) => +getComputedStyle(c).getPropertyValue(name), box = c.getBoundingClientRect();
		return n("--from") * 60 + (x.getBoundingClientRect().top - box.top) / box.height * (n("--till") - n("--from")) * 60;
	})`) {
		if minute < 629 || minute > 632 {
			t.Errorf("150 minutes after 8:00 the line of column %d is at minute %.1f", i, minute)
		}
	}
	px, py = b.pull(`.ev[data-booking="`+parted.ID.String()+`"]`, 0, 90)
	b.until(`document.querySelector(".ev-ghost.ev-meets")?.dataset.when.startsWith("10:30")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.letGo(px, py)
	w.Clock.Set(d.at("08:00"))

	// What comes back to its place is not red, and a longer end is red where it doesn't fit.
	b.open(calendarURL + "?date=" + quietDay)
	b.until(`document.querySelector('.ev[tabindex="0"]')`)
	b.pull(`.ev[data-booking="`+lea.ID.String()+`"]`, 0, -60)
	b.until(`document.querySelector(".ev-ghost.ev-meets")`)
	at := browser.Eval[[]float64](t, b.ctx, `(()=>{ const r = document.querySelector(".ev-held").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1], chromedp.ButtonLeft))
	b.until(`document.querySelector(".ev-ghost:not(.ev-meets)")`)
	b.letGo(at[0], at[1])
	b.pullAt(`.ev[data-booking="`+lea.ID.String()+`"]`, .98, 0, 60)
	b.until(`document.querySelector(".ev-ghost:not(.ev-meets)")?.dataset.when.includes("5:45")`)
	b.letGo(at[0], at[1]) // its old middle: shorter
	b.until(`document.querySelector("[data-toast]")`)

	// Under a mouse a closed hour is red, too; on a tablet the finger's time stands above it.
	b.open(calendarURL + "?date=" + quietDay)
	b.until(`document.querySelector('.ev[tabindex="0"]')`)
	for selector, red := range map[string]bool{".gap.sh-8": true, ".gap.sh-11": false} {
		gap := `.cal-col[data-host="` + ida.Host.ID.String() + `"] ` + selector
		at = browser.Eval[[]float64](t, b.ctx, fmt.Sprintf(reach, gap, .6))
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
		b.until(fmt.Sprintf(`document.querySelector(".cal-hint")?.textContent.includes(":30") && document.querySelector(".cal-hint").matches(".cal-no") === %t`, red))
	}
	_, err = chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	w.Must(err)
	b.look("light", 820, 1180)
	b.open(calendarURL + "?date=" + quietDay)
	b.until(`document.querySelector('.ev[tabindex="0"]')`)
	x, y := b.finger(`.ev[data-booking="`+ida.ID.String()+`"]`, .5, true)
	for i := range 4 {
		b.touch(input.DispatchTouchEventTypeTouchMove, x, y+float64(i+1)*18)
	}
	b.until(`document.querySelector(".ev-ghost:not(.ev-meets)")?.dataset.when.startsWith("11:00")`)
	shot(b, "drag-finger")
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.sees("Ida Test is now on")
}

// On a phone the mark at the lower edge of a booking, by which it is made longer, lies below the words.
func TestGripLiesBelowTheWords(t *testing.T) {
	w := newWorld(t)
	w.booked("haircut", "09:00", "Ida Test", 0)
	w.booked("blow-dry", "10:00", "Amira Test", 0)
	w.booked("beard-trim", "10:20", "Otto Test", 1)
	b := w.browse()
	b.signIn(w)
	_, err := chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	w.Must(err)
	b.look("light", 390, 844)
	b.open(calendarURL + "?date=" + quietDay)
	b.until(`document.querySelectorAll(".ev-grip").length >= 3`)
	found := browser.Eval[[]string](t, b.ctx, `[...document.querySelectorAll(".ev:has(.ev-grip)")].flatMap((x) => {
		const grip = x.querySelector(".ev-grip"), mark = getComputedStyle(grip, "::after"), box = grip.getBoundingClientRect();
		if (+mark.opacity === 0) return [];
		const top = box.bottom - parseFloat(mark.bottom) - parseFloat(mark.height), text = document.createRange();
		return [...x.querySelectorAll("b, time, span:not(.sr, .ev-grip)")].flatMap((part) => {
			text.selectNodeContents(part);
			return [...text.getClientRects()].filter((r) => r.width > 1 && r.bottom > top + 1.5 && r.top < box.bottom).map((r) => part.textContent + " ends at " + r.bottom + ", the mark begins at " + top);
		});
	})`)
	for _, wrong := range found {
		t.Error(wrong)
	}
}
