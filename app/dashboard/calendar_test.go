package dashboard

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/assets"
)

const (
	calendarURL = "/dashboard/bookings/calendar"
	// A Tuesday on which the demo has no bookings: Ana works 9 to 13 and 14 to 18, Ben 10 to 14 and 15 to 19.
	quietDay = "2026-12-22"
)

// booked books on the quiet day, at a time of Berlin's clock.
func (w *world) booked(kind, clock, name string, host int) booking.Booking {
	w.T.Helper()
	return w.bookedOn(quietDay, kind, clock, name, host)
}

// bookedOn books on a day of the winter.
func (w *world) bookedOn(day, kind, clock, name string, host int) booking.Booking {
	w.T.Helper()
	b, err := w.Book(w.T.Context(), w.Owner, booking.BookInput{EventType: kind, Start: day + "T" + clock + ":00+01:00",
		Host:    w.setup().Hosts[host].ID.String(),
		Invitee: booking.Invitee{Name: name, Email: strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@mail.example", Phone: "+49 30 1234"}})
	w.Must(err)
	return b
}

// reach is a place in the middle of what stands in a column of the calendar, at a part of its height, and how large a
// column and a minute are.
const reach = `(()=>{
	const x = document.querySelector(%q);
	x.scrollIntoView({block: "center"});
	const r = x.getBoundingClientRect(), c = x.closest(".cal-col"), s = getComputedStyle(c);
	const n = (name) => +s.getPropertyValue(name), high = c.getBoundingClientRect().height;
	return [r.left + r.width / 2, r.top + r.height * %f, c.getBoundingClientRect().width, high / (n("--till") - n("--from")) / 60];
})()`

// pull presses the mouse on the middle of an element and moves it by so many columns and minutes; it does not let go.
func (b *tab) pull(selector string, columns, minutes float64) (x, y float64) {
	b.t.Helper()
	return b.pullAt(selector, .5, columns, minutes)
}

// pullAt presses at another height of the element, 1 being its lower edge.
func (b *tab) pullAt(selector string, height, columns, minutes float64) (x, y float64) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
	at := browser.Eval[[]float64](b.t, b.ctx, fmt.Sprintf(reach, selector, height))
	x, y = at[0]+columns*at[2], at[1]+minutes*at[3]
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]), chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, (at[0]+x)/2, (at[1]+y)/2, chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
	return x, y
}

func (b *tab) letGo(x, y float64) {
	b.t.Helper()
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft))
}

// A morning at the calendar: bookings stand at their minutes; one is opened, moved within a column and to another host,
// refused with the reason, and undone; an hour is blocked with two clicks; another person's booking arrives meanwhile.
func TestWorkingInTheCalendar(t *testing.T) {
	w := newWorld(t)
	amira, ida := w.booked("beard-trim", "10:20", "Amira Test", 1), w.booked("haircut", "12:15", "Ida Test", 0)
	next := w.booked("beard-trim", "10:40", "Otto Test", 1)
	event := func(b booking.Booking) string { return `.ev[data-booking="` + b.ID.String() + `"]` }
	b := w.browse()
	b.look("light", 1440, 900)
	b.signIn(w)
	b.open(calendarURL + "?date=" + quietDay)
	b.until(`document.querySelector('.ev[tabindex="0"]')`) // the script has begun
	b.until(`(window.marked = true)`)

	// To the minute: 10:20 to 10:40, the next one below it in the same lane, and nothing cut in between.
	place := browser.Eval[[]float64](t, b.ctx, fmt.Sprintf(`(()=>{
		const a = document.querySelector('%s'), o = document.querySelector('%s'), c = a.closest(".cal-col"), s = getComputedStyle(c);
		const from = +s.getPropertyValue("--from"), till = +s.getPropertyValue("--till"), box = c.getBoundingClientRect();
		const minute = (y) => from * 60 + (y - box.top) / box.height * (till - from) * 60;
		const x = a.getBoundingClientRect(), y = o.getBoundingClientRect();
		return [minute(x.top), minute(x.bottom), minute(y.top), x.left - y.left];
	})()`, event(amira), event(next)))
	for i, want := range []float64{620, 640, 640, 0} {
		if got := place[i]; got < want-1 || got > want+1 {
			t.Errorf("place %d: %.2f, want %.0f", i, got, want)
		}
	}

	// The panel has an address, takes the focus, hears Escape, and gives the focus back.
	b.click(event(amira))
	b.sees("030 1234")
	b.until(`window.marked && location.search.includes("booking=") && document.activeElement.id=="panel-h"`)
	shot(b, "calendar-panel")
	other := w.booked("haircut", "15:00", "Lea Anders", 1)
	b.until(fmt.Sprintf(`document.querySelector('%s') && document.activeElement.id=="panel-h"`, event(other)))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(fmt.Sprintf(`!document.querySelector(".cal-panel") && document.activeElement===document.querySelector('%s')`, event(amira)))
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	b.until(fmt.Sprintf(`document.activeElement===document.querySelector('%s')`, event(next)))

	// Ana does not offer what Ben does; the reason is said in words, and nothing has moved.
	x, y := b.pull(event(amira), -1, 0)
	b.letGo(x, y)
	b.sees("Ana Keller doesn’t offer Beard trim")
	b.until(`document.querySelector(".toast-bad[role=alert]")`)
	x, y = b.pull(event(amira), 0, 20)
	b.until(`document.querySelector(".ev-ghost.ev-meets")`) // it is seen before it is let go
	b.letGo(x, y)
	b.sees("it would overlap with Otto Test")

	// To another host and time, while somebody else books: what is held stays, and the new booking shows up afterwards.
	x, y = b.pull(event(ida), 1, 5*60)
	b.until(`document.querySelector(".ev-ghost:not(.ev-meets)")`)
	asked := `performance.getEntriesByType("resource").filter(e => e.initiatorType == "fetch").length`
	before := browser.Eval[int](t, b.ctx, asked)
	late := w.booked("beard-trim", "18:20", "Nora Spät", 1)
	b.until(fmt.Sprintf(`%s > %d`, asked, before))
	b.until(fmt.Sprintf(`document.querySelector(".ev-ghost") && !document.querySelector('%s')`, event(late)))
	b.letGo(x, y)
	b.sees("Ida Test is now on")
	b.until(fmt.Sprintf(`document.querySelector('%s') && !location.search.includes("moved")`, event(late)))
	moved, err := w.Booking(t.Context(), w.Owner, ida.ID.String())
	w.Must(err)
	if moved.Host.Name != "Ben Okafor" || moved.Start.String() != quietDay+"T16:15:00Z" {
		t.Errorf("moved to %s at %s", moved.Host.Name, moved.Start)
	}
	shot(b, "calendar-moved")
	b.click("[data-toast] form button")
	b.sees("Ida Test is back on")
	back, err := w.Booking(t.Context(), w.Owner, ida.ID.String())
	w.Must(err)
	if back.Host.Name != "Ana Keller" || back.Start != ida.Start {
		t.Errorf("back to %s at %s", back.Host.Name, back.Start)
	}

	b.lengthens(w, ida, event(ida))

	// The quarter under the mouse is the one that a click takes, and it stays marked beside the panel. An hour in two clicks,
	// and free again; dragging over a gap takes its length.
	gap := `.cal-col[data-host="` + w.setup().Hosts[0].ID.String() + `"] .gap.sh-15`
	at := browser.Eval[[]float64](t, b.ctx, fmt.Sprintf(reach, gap, .8))
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	b.until(`/3:45\sPM/.test(document.querySelector(".cal-hint")?.textContent)`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	b.until(`document.querySelector(".cal-block [name=from]")?.value=="15:45" && /3:45\sPM/.test(document.querySelector(".cal-chosen").textContent)`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector(".cal-panel") && !document.querySelector(".cal-chosen")`)
	b.click(gap)
	b.until(`document.querySelector(".cal-block [name=from]")`)
	b.click(".cal-block button")
	b.until(`document.querySelector(".cal-col .off-away")`)
	b.sees("Blocked for Ana Keller")
	b.click("[data-toast] form button")
	b.until(`document.querySelector(".cal-scroll") && !document.querySelector(".off-away")`)
	x, y = b.pull(gap, 0, 45)
	b.letGo(x, y)
	b.until(`document.querySelector(".cal-block [name=to]")?.value=="16:15" && document.querySelector(".cal-block [name=from]").value=="15:30"`)
	b.sees("Colour and cut")

	// On a phone the columns scroll beside the hours, and the panel lies over them.
	b.look("light", 390, 844)
	b.open(calendarURL + "?date=" + quietDay)
	b.until(`document.querySelector('.ev[tabindex="0"]')`)
	b.until(`(()=>{
		const s = document.querySelector(".cal-scroll"), h = document.querySelector(".cal-hours");
		s.scrollLeft = 1000;
		return s.scrollLeft > 50 && Math.abs(h.getBoundingClientRect().left - s.getBoundingClientRect().left) < 3;
	})()`)
	b.click(event(amira))
	b.until(`document.activeElement.id=="panel-h" && document.querySelector(".cal-panel").getBoundingClientRect().bottom<=innerHeight+1`)
	b.until(`document.documentElement.scrollWidth<=innerWidth`)
	shot(b, "calendar-panel-phone")
	b.click("[data-close]")
	b.until(`!document.querySelector(".cal-panel")`)

	// With a finger: a swipe scrolls, and after holding still a booking goes along, to another time.
	_, err = chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	w.Must(err)
	b.look("light", 390, 844)
	b.open(calendarURL + "?date=" + quietDay + "&host=" + amira.Host.ID.String())
	b.until(`document.querySelector('.ev[tabindex="0"]')`)
	x, y = b.finger(event(amira), .5, false)
	for i := range 5 {
		b.touch(input.DispatchTouchEventTypeTouchMove, x, y-float64(i)*30)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(`!document.querySelector(".ev-ghost") && !document.querySelector(".cal-panel") && scrollY + document.querySelector(".cal-scroll").scrollTop > 60`)
	b.until(`(()=>{ // a page that still glides after the swipe would go on gliding under the finger
		const at = scrollY + document.querySelector(".cal-scroll").scrollTop;
		window.rest = window.place === at ? (window.rest || 0) + 1 : 0;
		window.place = at;
		return window.rest > 10;
	})()`)
	x, y = b.finger(event(amira), .5, true)
	hour := browser.Eval[float64](t, b.ctx, `document.querySelector(".cal-hours .cal-col > span").getBoundingClientRect().height`)
	for i := range 4 {
		b.touch(input.DispatchTouchEventTypeTouchMove, x, y+float64(i+1)*hour/3)
		b.until(`document.querySelector(".ev-ghost")`)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.sees("Amira Test is now on")
	held, err := w.Booking(t.Context(), w.Owner, amira.ID.String())
	w.Must(err)
	if held.Start.String() != quietDay+"T10:40:00Z" {
		t.Errorf("the finger moved it to %s", held.Start)
	}
	x, y = b.finger(event(amira), .85, true) // its lower edge
	for i := range 4 {
		b.touch(input.DispatchTouchEventTypeTouchMove, x, y+float64(i+1)*hour/16)
		b.until(`document.querySelector(".ev-ghost")`)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.sees("Amira Test: 35\u00a0min now")
	if held, err = w.Booking(t.Context(), w.Owner, amira.ID.String()); err != nil || held.End-held.Start != 35*60_000 {
		t.Errorf("the finger pulled its end to %s, %v", held.End, err)
	}
}

// lengthens gives a booking of 45 minutes, which ends with the working hours, other lengths: by its lower edge, by the
// button of a refusal, and by keys, which move it, too.
func (b *tab) lengthens(w *world, k booking.Booking, event string) {
	b.t.Helper()
	lasts := func(minutes int) {
		b.t.Helper()
		now, err := w.Booking(b.t.Context(), w.Owner, k.ID.String())
		w.Must(err)
		if got := int(now.End-now.Start) / 60_000; got != minutes || now.Start != k.Start || now.Host.ID != k.Host.ID {
			b.t.Errorf("%d minutes from %s with %s, want %d", got, now.Start, now.Host.Name, minutes)
		}
	}
	x, y := b.pullAt(event, .97, 0, -10)
	b.until(`document.querySelector(".ev-ghost time").textContent.includes("12:50")`)
	b.letGo(x, y)
	b.sees("Ida Test: 35\u00a0min now, until 12:50")
	lasts(35)
	b.click("[data-toast] form button")
	b.sees("Ida Test: 45\u00a0min again")
	lasts(45)
	x, y = b.pullAt(event, .97, 0, 15)
	b.letGo(x, y)
	b.sees("Length not changed: Ana Keller isn’t at work for the whole time")
	lasts(45)
	b.click("[data-toast] form button")
	b.sees("Ida Test: 1\u00a0hr now, until 1:15")
	lasts(60)
	b.click("[data-toast] form button")
	b.until(`document.querySelector("[data-toast]")?.innerText.includes("45\u00a0min again")`)
	lasts(45)

	said := func(text string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelector("[data-announce]").textContent.includes(%q)`, text))
	}
	shift := chromedp.KeyModifiers(chromedp.ModifierShift)
	b.until(fmt.Sprintf(`(document.querySelector('%s').focus(), true)`, event))
	b.until(fmt.Sprintf(`document.getElementById(document.querySelector('%s').getAttribute("aria-describedby")).textContent.includes("Shift")`, event))
	b.do(chromedp.KeyEvent(kb.ArrowUp, shift), chromedp.KeyEvent(kb.ArrowUp, shift))
	said("12:50")
	late := w.booked("beard-trim", "17:20", "Pia Spät", 1) // what is held stays while this arrives
	asked := `performance.getEntriesByType("resource").filter(e => e.initiatorType == "fetch").length`
	before := browser.Eval[int](b.t, b.ctx, asked)
	b.until(fmt.Sprintf(`%s > %d`, asked, before))
	b.until(`document.querySelector(".ev-ghost time")?.textContent.includes("12:50")`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.sees("Ida Test: 35\u00a0min now")
	lasts(35)
	b.until(fmt.Sprintf(`document.querySelector('.ev[data-booking="%s"]') && document.activeElement===document.querySelector('%s')`, late.ID, event))
	b.do(chromedp.KeyEvent(" "))
	said("Picked up: ")
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	said("Ben Okafor")
	b.until(`!document.querySelector("[data-announce]").textContent.includes("can’t go there")`)
	b.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	said("Ana Keller, can’t go there") // in the break
	b.do(chromedp.KeyEvent(kb.Escape))
	said("Put back.")
	b.until(fmt.Sprintf(`!document.querySelector(".ev-ghost") && document.activeElement===document.querySelector('%s')`, event))
	b.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.sees("Ida Test is now on")
	b.click("[data-toast] form button")
	b.sees("Ida Test is back on")
	lasts(35)
}

// finger puts a finger on an element, at that part of its height, and holds it there until the element can be moved.
func (b *tab) finger(selector string, height float64, hold bool) (x, y float64) {
	b.t.Helper()
	at := browser.Eval[[]float64](b.t, b.ctx, fmt.Sprintf(`(()=>{
		const x = document.querySelector(%q);
		x.scrollIntoView({block: "center"});
		const r = x.getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height * %f];
	})()`, selector, height))
	b.touch(input.DispatchTouchEventTypeTouchStart, at...)
	if hold {
		b.until(`document.querySelector(".ev-ghost")`)
	}
	return at[0], at[1]
}

// touch tells the page where the finger is now.
func (b *tab) touch(kind input.DispatchTouchEventType, at ...float64) {
	b.t.Helper()
	points := []*input.TouchPoint{}
	if len(at) == 2 {
		points = append(points, &input.TouchPoint{X: at[0], Y: at[1]})
	}
	if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
		b.t.Fatal(err)
	}
}

// Without a script the same is done by links and forms, and staff reach nobody else's time.
func TestCalendarWithoutScript(t *testing.T) {
	w := newWorld(t)
	amira := w.booked("beard-trim", "10:20", "Amira Test", 1)
	hosts := w.setup().Hosts
	ana, ben := hosts[0].ID.String(), hosts[1].ID.String()
	b := w.asOwner()
	day := calendarURL + "?date=" + quietDay
	b.wants(b.get(day), 200, "sh-10 sm-20 eh-10 em-40", "Not working", "Break", "at="+quietDay+"T15%3A00", "booking="+amira.ID.String())
	b.wants(b.get(day+"&booking="+amira.ID.String()), 200, "Amira Test", "tel:+49301234", "€22 due", "/move", `action="`+"/dashboard/bookings/"+amira.ID.String()+"/cancel?back=")
	b.wants(b.get(day+"&booking=bk_0"), 200, "!cal-panel")
	b.wants(b.get(day+"&new="+ana+"&at="+quietDay+"T15:00"), 200, "Block time", "start="+quietDay+"T14%3A00%3A00Z", `value="16:00"`)
	b.wants(b.post(calendarURL+"/block", "host", ana, "day", quietDay, "from", "16:00", "to", "15:00", "back", day), 422, "The end must come after the beginning")
	blocked := b.post(calendarURL+"/block", "host", ana, "day", quietDay, "from", "15:00", "to", "16:00", "reason", "Dentist", "back", day)
	b.wants(blocked, 303)
	b.wants(b.get(blocked.location), 200, "Blocked for Ana Keller", "Time off · Dentist", "sh-15 sm-0 eh-16 em-0", "Undo")
	weekly := b.post(calendarURL+"/block", "host", ana, "day", quietDay, "from", "16:00", "to", "16:30", "reason", "Choir",
		"repeat", "week", "days", "tue", "days", "thu", "until", "2027-01-31", "back", day)
	b.wants(weekly, 303)
	b.wants(b.get(weekly.location), 200, "Blocked for Ana Keller", "Every week · Tue, Thu · until")
	b.wants(b.get(calendarURL+"?date=2026-12-31"), 200, "Time off · Choir")
	b.wants(b.post(calendarURL+"/block", "host", ana, "day", quietDay, "from", "17:00", "to", "17:30", "repeat", "week", "until", "2026-12-01", "back", day), 422,
		`<option value="week" selected`, `<details class="more" open`, `value="2026-12-01"`)
	met := b.post(calendarURL+"/block", "host", ben, "day", "2026-12-15", "from", "10:00", "to", "11:00", "repeat", "week", "back", day)
	b.wants(b.get(met.location), 200, "Amira Test")
	b.wants(b.post(calendarURL+"/free", "away", ben+"~2026-12-15T09:00:00Z~2026-12-15T10:00:00Z", "back", day), 303)
	b.wants(b.get(day+"&new="+ben+"&at="+quietDay+"T12:05"), 200, "Every week", "not free at 12:05", "Next free time: 12:20", "date="+quietDay+"&amp;host="+ben+"&amp;start="+quietDay+"T11%3A05%3A00Z&amp;type=beard-trim")
	over := b.post(calendarURL+"/block", "host", ben, "day", quietDay, "from", "10:00", "to", "11:00", "back", day)
	b.wants(b.get(over.location), 200, "1 booking is in this time", "Amira Test")
	b.wants(b.post(calendarURL+"/free", "away", w.away(1, 0), "back", day), 303)
	b.wants(b.post(calendarURL+"/free", "away", w.away(0, 0), "back", "https://elsewhere.example/"), 303)

	move := func(clock, host string, form ...string) response {
		return b.post(calendarURL+"/move", append([]string{"booking", amira.ID.String(), "start", quietDay + "T" + clock, "host", host, "back", day}, form...)...)
	}
	b.wants(move("10:30", ben), 422, "begins every 20 minutes", "toast-bad")
	b.wants(move("10:20", ana), 422, "Ana Keller doesn’t offer Beard trim")
	b.wants(move("20:00", ben), 422, "isn’t at work")
	w.booked("haircut", "11:15", "Ida Test", 1) // until 12:00, and ten minutes kept free
	b.wants(move("11:20", ben), 409, "would overlap with Ida Test", "Free on that day")
	b.wants(move("12:00", ben), 409, "no room for the buffer beside Ida Test")
	done := move("12:20", ben)
	b.wants(done, 303)
	b.wants(b.get(done.location), 200, "Amira Test is now on", `name="start" value="`+quietDay+`T10:20"`)
	b.wants(b.get(move("10:20", ben, "undo", "1").location), 200, "Amira Test is back on", "!Undo")

	// Another end: refused like a move, and against the rules; the seats of a session end together.
	grow := func(end string, form ...string) response {
		return b.post(calendarURL+"/grow", append([]string{"booking", amira.ID.String(), "end", end, "back", day}, form...)...)
	}
	b.wants(grow(quietDay+"T11:20"), 409, "Length not changed: it would overlap with Ida Test", "!Change anyway")
	b.wants(grow(quietDay+"T10:20"), 422, "The end must be after the start")
	b.wants(grow("soon"), 422, "toast-bad")
	longer := b.get(grow(quietDay+"T11:00", "override", "buffer").location)
	b.wants(longer, 200, "Amira Test: 40\u00a0min now", `name="end" value="`+quietDay+`T09:40:00Z"`)
	b.wants(b.get(day+"&booking="+amira.ID.String()), 200, "Length changed")
	b.wants(b.get(grow(quietDay+"T09:40:00Z", "undo", "1").location), 200, "Amira Test: 20\u00a0min again", "!Undo")

	// On the day the panel marks with one tap, and takes back with one, and stays open.
	w.Clock.Set(amira.Start.Time().Add(-time.Hour))
	b = w.asOwner()
	open := day + "&booking=" + amira.ID.String()
	tap := func(mark, shown string) {
		t.Helper()
		r := b.get(open)
		address := html.UnescapeString(regexp.MustCompile(`action="([^"]*/` + mark + `\?[^"]*)"`).FindStringSubmatch(r.body + ` action="/` + mark + `?"`)[1])
		r = b.post(address)
		b.wants(r, 303)
		b.wants(b.get(r.location), 200, "Amira Test", "cal-panel", shown)
	}
	tap("arrived", "Undo arrived")
	tap("done", "Undo done")
	tap("undo", "Undo arrived")
	tap("undo", "/arrived?")

	b.wants(b.get(day+"&span=week"), 200, "Amira Test", "plan-shut", "Ana Keller", "9\u202fAM")
	b.wants(b.get(day+"&span=month"), 200, "2 bookings", calendarURL+"?date="+quietDay)
	staff := w.staff(hosts[0].ID)
	staff.wants(staff.get(day), 200, "Ana Keller", "!Ben Okafor", "!Amira Test")
	staff.wants(staff.get(day+"&booking="+amira.ID.String()), 200, "!Amira Test")
	staff.wants(staff.get(day+"&new="+ben+"&at="+quietDay+"T15:00"), 200, "!cal-panel")
	staff.wants(staff.post(calendarURL+"/block", "host", ben, "day", quietDay, "from", "15:00", "to", "16:00", "back", day), 404)
	staff.wants(staff.post(calendarURL+"/grow", "booking", amira.ID.String(), "end", quietDay+"T11:00", "back", day), 404)
	staff.wants(staff.post(calendarURL+"/move", "booking", amira.ID.String(), "start", quietDay+"T15:00", "host", ben, "back", day), 403)
}

// away is the key of a host's time off.
func (w *world) away(host, n int) string {
	w.T.Helper()
	h := w.setup().Hosts[host]
	var all []catalog.TimeOff
	for _, a := range h.TimeOff {
		if a.Start.String()[:10] == quietDay {
			all = append(all, a)
		}
	}
	if len(all) <= n {
		w.T.Fatalf("%s has no time off on %s", h.Name, quietDay)
	}
	return h.ID.String() + "~" + all[n].Start.String() + "~" + all[n].End.String()
}

// Seats of one session are one thing in the calendar, and its panel lists the others.
func TestSessionInTheCalendar(t *testing.T) {
	w := newWorld(t)
	e := catalog.NewEventType()
	e.Slug, e.Title, e.DurationMinutes, e.Seats, e.Hosts = "yoga", "Yoga", 60, 8, []catalog.HostRef{{ID: w.setup().Hosts[0].ID}}
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
	w.Must(err)
	var first booking.Booking
	for i := range 4 {
		k := w.booked("yoga", "10:00", fmt.Sprintf("Guest %d", i), 0)
		if i == 0 {
			first = k
		}
	}
	b := w.asOwner()
	page := b.get(calendarURL + "?date=" + quietDay)
	b.wants(page, 200, "Yoga", "4 of 8", "!Guest 1")
	if n := strings.Count(page.body, "data-booking="); n != 1 {
		t.Errorf("%d things for one session", n)
	}
	b.wants(b.get(calendarURL+"?date="+quietDay+"&booking="+first.ID.String()), 200, "Guest 0", "Guest 1", "Guest 3", "Yoga · 4 of 8")
	b.wants(b.post(calendarURL+"/grow", "booking", first.ID.String(), "end", quietDay+"T11:30", "back", calendarURL+"?date="+quietDay), 409, "all its seats end together")
}

// paintBytes is what a browser fetches before it can draw the page: the document, its sheet and its scripts, packed.
func paintBytes(t *testing.T, body string) (total int) {
	t.Helper()
	pack := func(content []byte) {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(content)
		z.Close()
		total += out.Len()
	}
	pack([]byte(body))
	for _, name := range []string{"dash.css", "dash.js", "calendar.js"} {
		r, err := http.NewRequest("GET", assets.Path(name), nil)
		if err != nil {
			t.Fatal(err)
		}
		w := &written{header: http.Header{}}
		assets.Handler(nil).ServeHTTP(w, r)
		pack(w.Bytes())
	}
	return total
}

// written keeps what a handler writes.
type written struct {
	bytes.Buffer
	header http.Header
}

func (w *written) Header() http.Header { return w.header }
func (w *written) WriteHeader(int)     {}
