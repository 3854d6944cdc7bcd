package dashboard

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views/dash"
)

// visitDay is a Tuesday on which Ana and Ben work.
const visitDay = "2026-12-01"

// visit books the services one after the other from a time of that day on, by Berlin's clock: each is a service and the
// index of its host.
func (w *world) visit(clock, name string, items ...any) booking.Visit {
	w.T.Helper()
	start, err := time.Parse(time.RFC3339, visitDay+"T"+clock+":00+01:00")
	w.Must(err)
	in := booking.VisitInput{Start: start.UTC().Format(time.RFC3339),
		Invitee: booking.Invitee{Name: name, Email: strings.ToLower(strings.Fields(name)[0]) + "@mail.example"}}
	for i := 0; i < len(items); i += 2 {
		in.Items = append(in.Items, booking.VisitItem{EventType: items[i].(string), Host: w.setup().Hosts[items[i+1].(int)].ID.String()})
	}
	v, err := w.BookVisit(w.T.Context(), w.Owner, in)
	w.Must(err)
	return v
}

// clear frees the day of what the demo has booked.
func (w *world) clear() {
	w.T.Helper()
	from, err := time.Parse(time.RFC3339, visitDay+"T00:00:00+01:00")
	w.Must(err)
	all, _, err := w.Calendar(w.T.Context(), w.Owner, "", from, from.AddDate(0, 0, 1), false)
	w.Must(err)
	for _, b := range all {
		if b.Status.Live() {
			_, err := w.Cancel(w.T.Context(), w.Owner, b.ID.String(), app.CancelInput{})
			w.Must(err)
		}
	}
}

func (w *world) visitNow(v *booking.Visit) booking.Visit {
	w.T.Helper()
	now, err := w.Visit(w.T.Context(), w.Owner, v.ID.String())
	w.Must(err)
	return now
}

func evOf(b *booking.Booking) string { return `.ev[data-booking="` + b.ID.String() + `"]` }

// A visit is linked in the calendar. Dragged, all of it moves, by as much; dragged by its mark, one service does; both
// can be undone. What doesn't fit says so.
func TestDragAVisit(t *testing.T) {
	w := newWorld(t)
	w.clear()
	v := w.visit("09:30", "Vera Visit", "haircut", 0, "beard-trim", 1)
	first, second := &v.Items[0], &v.Items[1]
	if first.Host.ID == second.Host.ID {
		t.Fatal("one person does both")
	}
	b := w.browse()
	b.look("light", 1440, 900)
	b.signIn(w)
	b.open("/dashboard/bookings/calendar?date=" + visitDay)
	b.until(calendarOn)
	b.until(fmt.Sprintf(`document.querySelector(%q).innerText.includes("1/2") && document.querySelector(%q).innerText.includes("2/2")`,
		evOf(first), evOf(second)))

	// Pointed at, both stand out.
	over := browser.Eval[[]float64](t, b.ctx, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2] })()`, evOf(first)))
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, over[0], over[1]))
	b.until(fmt.Sprintf(`document.querySelector(%q).matches(".ev-kin")`, evOf(second)))
	b.shoot("visit-calendar", 1440)

	starts := func(a, c string) {
		t.Helper()
		now, berlin := w.visitNow(&v), w.setup().Zone
		for i, want := range []string{a, c} {
			if got := now.Items[i].Start.Time().In(berlin).Format("15:04"); got != want {
				t.Errorf("service %d is at %s, want %s", i+1, got, want)
			}
		}
	}
	x, y := b.pull(evOf(first), 0, 120)
	b.until(`document.querySelectorAll(".ev-ghost").length == 2`)
	b.shoot("visit-dragged", 1440)
	b.letGo(x, y)
	b.sees("The visit of Vera Visit has moved")
	starts("11:30", "12:15")
	b.click(".toast button")
	b.sees("The visit of Vera Visit is back")
	starts("09:30", "10:15")

	// What is dragged lands where it was dropped, also the second one.
	x, y = b.pull(evOf(second), 0, 60)
	b.letGo(x, y)
	b.sees("The visit of Vera Visit has moved")
	starts("10:30", "11:15")

	// By its mark, one service.
	mark := evOf(second) + " .ev-alone"
	b.until(fmt.Sprintf(`(() => { const r = document.querySelector(%[1]q).getBoundingClientRect();
		return document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)?.closest(%[1]q) })()`, mark))
	at := browser.Eval[[]float64](t, b.ctx, fmt.Sprintf(`(() => { const x = document.querySelector(%q), r = x.getBoundingClientRect(),
		c = x.closest(".cal-col"), s = getComputedStyle(c); return [r.left + r.width / 2, r.top + r.height / 2,
		c.getBoundingClientRect().height / ((s.getPropertyValue("--till") - s.getPropertyValue("--from")) * 60)] })()`, mark))
	x, y = at[0], at[1]+60*at[2]
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]), chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, x, y-10, chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
	b.until(`document.querySelectorAll(".ev-ghost").length == 1`)
	b.letGo(x, y)
	b.until(`document.querySelector(".toast")?.innerText.includes("Vera Visit is now on")`)
	now := w.visitNow(&v)
	if now.Items[0].Start != v.Items[0].Start.Add(time.Hour) || now.Items[1].Start <= v.Items[1].Start.Add(time.Hour) {
		t.Errorf("moved to %s and %s", now.Items[0].Start, now.Items[1].Start)
	}
	b.click(".toast button")
	b.sees("Vera Visit is back")
	starts("10:30", "11:15")

	// Where only the other service can't go, both are red.
	w.bookedOn(visitDay, "beard-trim", "15:40", "Otto Test", 1)
	b.open("/dashboard/bookings/calendar?date=" + visitDay)
	b.until(calendarOn)
	x, y = b.pull(evOf(first), 0, 270)
	b.until(`document.querySelectorAll(".ev-ghost.ev-meets").length == 2`)
	b.letGo(x, y)
	b.until(`document.querySelector(".toast-bad")`)
	starts("10:30", "11:15")
}

// Without a script a visit is moved by the page for it, and dropped where it doesn't fit it stays.
func TestMoveAVisitByItsPage(t *testing.T) {
	w := newWorld(t)
	w.clear()
	v := w.visit("09:30", "Vera Visit", "haircut", 0, "beard-trim", 1)
	b := w.asOwner()
	move := dash.BookingMovePath(v.Items[1].ID.String())
	b.wants(b.get(move), 200, "Whole visit", "Only this service", `name="at"`, "Haircut, Beard trim", `name="whole"`)
	b.wants(b.get(move+"?alone=1"), 200, "Whole visit", `name="at"`)
	b.wants(b.get(move+"?whole=1&date="+visitDay+"&start=2026-12-01T10:00:00Z"), 200, "11:00", "Ana Keller", "Ben Okafor")
	b.wants(b.post(move, "whole", "1", "start", "2026-12-01T02:00:00Z"), 422, "Whole visit")
	b.wants(b.post(move, "whole", "1", "start", "2026-12-01T10:00:00Z"), 303)
	if now := w.visitNow(&v); now.Start.String() != "2026-12-01T10:00:00Z" || now.Items[1].Start != now.Items[0].End {
		t.Errorf("moved to %s", now.Start)
	}
	other := w.setup().Hosts[2].ID.String()
	drop := []string{"booking", v.Items[1].ID.String(), "start", visitDay + "T13:00", "back", "/dashboard/bookings/calendar?date=" + visitDay}
	b.wants(b.post("/dashboard/bookings/calendar/move", append(drop, "host", other)...), 409, "stays with the people")
	night := append(drop[:2:2], "start", visitDay+"T03:00", "back", drop[5])
	refused := b.post("/dashboard/bookings/calendar/move", night...)
	b.wants(refused, 422, "Not moved", "Move anyway")
	b.wants(b.post("/dashboard/bookings/calendar/move", append(night, overrides(refused)...)...), 303)
	if now := w.visitNow(&v); now.Items[1].Start.Time().Hour() != 2 || now.Items[1].Start != now.Items[0].End {
		t.Errorf("moved to %s", now.Start)
	}
	b.wants(b.get(move+"?whole=1&date="+visitDay+"&at=04:10"), 200, "Against your rules", "Move anyway")
	b.wants(b.post(move, "whole", "1", "start", "2026-12-01T03:10:00Z", "override", "outside_hours"), 303)
	b.wants(b.get("/dashboard/bookings/calendar?date="+visitDay+"&booking="+v.Items[0].ID.String()), 200, "Same visit",
		"booking="+v.Items[1].ID.String(), "data-visit")
}

// The wait of a colour is filled by its plus: with a beard trim, by clicks.
func TestFillAWait(t *testing.T) {
	w := newWorld(t)
	w.clear()
	trim := *w.setup().EventType("beard-trim")
	trim.Hosts = []catalog.HostRef{{ID: w.setup().Hosts[0].ID}, {ID: w.setup().Hosts[1].ID}}
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, trim)
	w.Must(err)
	morning, noon := w.visit("09:00", "Mia Colour", "colour", 0), w.visit("14:00", "Nia Colour", "colour", 0)
	waits := []booking.BookedPart{morning.Items[0].Parts[1], noon.Items[0].Parts[1]}
	for i, wait := range waits {
		width := widths[i]
		tab := w.browse()
		tab.signIn(w)
		h := tab.hand(width)
		h.open("/dashboard/bookings/calendar?date=" + visitDay)
		h.until(calendarOn)
		h.shoot("visit-wait", width)
		h.tap(`a.off-wait[href*="` + url.QueryEscape(wait.Start.Time().In(w.setup().Zone).Format("T15:04")) + `"]`)
		h.tap(`.cal-panel a[href*="type=beard-trim"]`)
		h.types("name", fmt.Sprint("Bert Beard ", width), "phone", "030 1234567")
		h.tap(makeIt)
		h.until(bookedOver)
	}
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: "030 1234567"})
	w.Must(err)
	for _, b := range found.Data {
		if b.Host.ID != morning.Items[0].Host.ID || !slices.ContainsFunc(waits, func(p booking.BookedPart) bool { return p.Start <= b.Start && b.End <= p.End }) {
			t.Errorf("%s to %s with %s is not in the wait", b.Start, b.End, b.Host.Name)
		}
	}
	if len(found.Data) != 2 {
		t.Errorf("%d bookings in the wait", len(found.Data))
	}
}

// On Today a person stands once, with all that is done; arriving, staying away and paying is said of all at once.
func TestTodayShowsAVisitOnce(t *testing.T) {
	w := newWorld(t)
	w.clear()
	v := w.visit("10:00", "Vera Visit", "haircut", 0, "beard-trim", 1, "haircut", 0)
	w.Clock.Set(v.Items[0].Start.Time().Add(5 * time.Minute))
	b := w.asOwner()
	page := b.get("/dashboard")
	b.wants(page, 200, "sheet-part", "sheet-also", "€112", `name="visit" value="1"`)
	if card, rows := strings.Count(page.body, `class="now-name"`), strings.Count(page.body, `class="sheet-row" data-booking`); card != 1 || rows != 0 {
		t.Errorf("%d cards and %d rows, want one card of the person", card, rows)
	}
	id := v.Items[0].ID.String()
	said := b.post("/dashboard/bookings/"+id+"/arrived", "back", "today", "visit", "1")
	b.wants(said, 303)
	for _, k := range w.visitNow(&v).Items {
		if k.ArrivedAt == 0 {
			t.Errorf("%s has not arrived", k.EventType)
		}
	}
	b.wants(b.get(said.location), 200, "Vera Visit", `name="visit" value="1"`)
	b.wants(b.post("/dashboard/bookings/"+id+"/undo", "back", "today", "visit", "1", "of", "arrived"), 303)
	for _, k := range w.visitNow(&v).Items {
		if k.ArrivedAt != 0 {
			t.Errorf("%s has arrived still", k.EventType)
		}
	}
	b.wants(b.post("/dashboard/bookings/"+id+"/no-show", "back", "today", "visit", "1"), 303)
	now := w.visitNow(&v)
	if now.Items[0].Status != booking.NoShow || now.Items[1].Status == booking.NoShow {
		t.Errorf("missed: %s and %s", now.Items[0].Status, now.Items[1].Status) // the second has not begun
	}
	b.wants(b.post("/dashboard/bookings/"+id+"/undo", "back", "today", "visit", "1", "of", "no_show"), 303)

	// One payment for all of it: each booking has its own, and its receipt.
	pay := "/dashboard/bookings/" + id + "/pay"
	b.wants(b.get("/dashboard/bookings/"+id), 200, "All of the visit: €112 due")
	b.wants(b.get(pay+"?visit=1&back=/dashboard"), 200, "€112", `value="112"`, `name="visit" value="1"`)
	b.wants(b.post(pay, "visit", "1", "amount", "113", "method", "cash", "back", "/dashboard"), 422, "€112")
	took := b.post(pay, "visit", "1", "amount", "112", "due", "112", "tip", "8", "method", "cash", "back", "/dashboard")
	b.wants(took, 303)
	b.wants(b.get(took.location), 200, "Vera Visit paid €120")
	b.wants(b.post(pay, "visit", "1", "amount", "112", "due", "112", "method", "cash", "back", "/dashboard"), 303) // tapped twice
	tips := int64(0)
	for _, k := range w.visitNow(&v).Items {
		if len(k.Payments) != 1 || k.Payments[0].Amount != k.Price.Amount || k.Payments[0].Receipt == nil || k.Due.Amount != 0 {
			t.Errorf("%s is paid by %+v", k.EventType, k.Payments)
			continue
		}
		tips += k.Payments[0].Tip
	}
	if tips != 800 {
		t.Errorf("a tip of %d", tips)
	}
	tab := w.browse()
	tab.signIn(w)
	for _, width := range widths {
		tab.look("light", width, 900)
		tab.open("/dashboard")
		tab.shoot("visit-today", width)
	}
}

// A column shows the time that is kept free around a visit's bookings for whom, or what, it belongs to: a room that goes on
// has none between two people.
func TestColumnsShowTheirOwnBuffers(t *testing.T) {
	w := newWorld(t)
	w.clear()
	b := w.asOwner()
	b.wants(b.post("/dashboard/resources/new", "name", "Cabin Red", "kind", "room", "count", "1", "always", "on"), 303)
	for _, slug := range []string{"haircut", "beard-trim"} {
		e := *w.setup().EventType(slug)
		e.BufferBeforeMinutes, e.BufferAfterMinutes = 5, 10
		e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{w.thing("Cabin Red").ID}, During: catalog.DuringAll}}
		_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
		w.Must(err)
	}
	w.visit("10:00", "Vera Visit", "haircut", 0, "beard-trim", 1)
	const page = "/dashboard/bookings/calendar?date=" + visitDay
	for view, want := range map[string]int{"": 4, "&view=rooms": 2} {
		if n := strings.Count(b.get(page+view).body, `class="off off-buffer`); n != want {
			t.Errorf("%q shows %d buffers, want %d", view, n, want)
		}
	}
}
