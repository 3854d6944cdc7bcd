package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
)

// busyDay is a Wednesday on which all four work and the demo has no bookings, with 19 bookings.
func (w *world) busyDay() (all []booking.Booking, at func(clock string) time.Time) {
	w.T.Helper()
	d := &workday{world: w, date: "2026-12-23"}
	for host, day := range []struct{ kind, clocks string }{
		{"haircut", "09:00 10:00 11:00 14:00 16:00"},
		{"beard-trim", "10:00 11:20 12:20 15:00 17:00 18:00"},
		{"haircut", "09:00 10:30 12:00 15:00"},
		{"blow-dry", "10:00 12:00 13:00 17:00"},
	} {
		for i, clock := range strings.Fields(day.clocks) {
			name := [...]string{"Anna Amsel", "Bruno Buchfink", "Carla Czerny-Drosselbart", "Dora Distelfink"}[host]
			all = append(all, w.bookedOn(d.date, day.kind, clock, fmt.Sprintf("%s %c", name, 'A'+i), host))
		}
	}
	slices.SortStableFunc(all, func(a, b booking.Booking) int { return a.Start.Time().Compare(b.Start.Time()) })
	return all, d.at
}

// lies is how far down an element ends and whether it is what lies at its middle.
const lies = `((x) => {
	if (!x) return [9999, 0];
	const r = x.getBoundingClientRect(), hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
	return [r.bottom, hit && (x.contains(hit) || hit.contains(x)) && hit.closest(".day-now") ? 1 : 0];
})`

// heights are those of what a selector finds, rounded up.
func (b *tab) heights(selector string) []float64 {
	b.t.Helper()
	return browser.Eval[[]float64](b.t, b.ctx, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((x) => x.checkVisibility())
		.map((x) => Math.round(x.getBoundingClientRect().height * 10) / 10)`, selector))
}

// At any hour the next customer's name is seen on a phone without scrolling, rows are low, free times are slits that can
// be hit, and what is over is one line; at 1440 the page begins with now, too, and says one thing larger than all others.
func TestTodayIsNow(t *testing.T) {
	w := newWorld(t)
	all, at := w.busyDay()
	later := w.bookedOn("2026-12-29", "haircut", "10:00", "Later Lotte", 0)
	b := w.browse()
	w.Clock.Set(at("08:00"))
	b.signIn(w)
	axe := browser.Axe(t)
	for _, clock := range []string{"08:00", "09:10", "12:30", "17:00", "19:30"} {
		now := at(clock)
		w.Clock.Set(now)
		var next []string
		var first time.Time
		over := 0
		for i := range all {
			k := &all[i]
			if k.Start.Time().After(now) && (next == nil || k.Start.Time().Equal(first)) {
				next, first = append(next, k.Invitee.Name), k.Start.Time()
			}
			if k.End.Time().Add(time.Hour).Before(now) {
				over++
			}
		}
		if next == nil {
			next = append(next, later.Invitee.Name)
		}
		for _, width := range []int64{390, 1440, 320, 820} {
			b.look("light", width, 844)
			b.open("/dashboard")
			b.until(`document.querySelector(".day-now .sheet-link, .day-now .empty")`)
			shot(b, fmt.Sprintf("now-%s-%d", strings.ReplaceAll(clock, ":", ""), width))
			name := browser.Eval[string](t, b.ctx, `(document.querySelector(".now-then b") || document.querySelector(".now-name a")).textContent`)
			if !slices.ContainsFunc(next, func(n string) bool { return strings.HasPrefix(name, n) }) {
				t.Errorf("%s at %d: next is %q, want one of %q", clock, width, name, next)
			}
			for _, selector := range []string{".now-name a", ".now-then b"} {
				if selector == ".now-then b" && !browser.Eval[bool](t, b.ctx, `!!document.querySelector(".now-then")`) {
					continue
				}
				if p := browser.Eval[[]float64](t, b.ctx, lies+`(document.querySelector("`+selector+`"))`); p[0] > 844 || p[1] == 0 && width < 1000 {
					t.Errorf("%s at %d: %s ends at %.0f and lies under %v", clock, width, selector, p[0], p[1])
				}
			}
			for _, h := range b.heights(".sheet > .sheet-rows > .sheet-row") {
				if h > 56 && width > 352 {
					t.Errorf("%s at %d: a row is %.1f high", clock, width, h)
				}
			}
			for _, h := range b.heights(".sheet-gap a") {
				if h < 24 || h > 32 && width > 352 {
					t.Errorf("%s at %d: a free time is %.1f high", clock, width, h)
				}
			}
			text := browser.Eval[string](t, b.ctx, `document.querySelector(".sheet-over > summary")?.innerText.trim() || ""`)
			want := fmt.Sprintf("%d done", over)
			if over == 0 {
				want = ""
			}
			if text != want {
				t.Errorf("%s at %d: %q is over, want %q", clock, width, text, want)
			}
			if n := len(b.heights(".faces a")); n != 4 {
				t.Errorf("%s at %d: %d faces", clock, width, n)
			}
			if found := browser.Eval[string](t, b.ctx, small); found != "" {
				t.Errorf("%s at %d: %s", clock, width, found)
			}
			if width == 1440 {
				big := browser.Eval[[]float64](t, b.ctx, `(() => {
					const size = (x) => parseFloat(getComputedStyle(x).fontSize), n = document.querySelector(".now-name");
					return [size(n), [...document.querySelectorAll("#main *")].filter((x) => size(x) >= size(n) && !n.contains(x)).length];
				})()`)
				if big[0] < 28 || big[1] != 0 {
					t.Errorf("%s: the largest line is of %.0f px, and %.0f more are as large", clock, big[0], big[1])
				}
			}
		}
		b.look("light", 390, 844)
		b.open("/dashboard")
		browser.Accessible(t, b.ctx, axe)
	}
}

// The customer on the card is said to be here, pays, and is done; the next one who should be here follows. Somebody does
// not come. What is over says how many came, how many did not, and what was paid. All is done by taps on what is seen.
func TestTodayCardActs(t *testing.T) {
	w := newWorld(t)
	all, at := w.busyDay()
	d := &workday{world: w, date: "2026-12-23"}
	b := w.browse()
	w.Clock.Set(at("09:10"))
	b.signIn(w)
	h := b.hand(390)
	h.open("/dashboard")
	first, second := all[0], all[1] // Ana's at nine, and Clara's
	on := func(k booking.Booking) {
		t.Helper()
		h.until(`document.querySelector(".day-now .now-name")?.textContent == "` + k.Invitee.Name + `"`)
	}
	on(first)
	h.tap(`.day-now form[action$="/arrived"] button`)
	h.sees(first.Invitee.Name + " has arrived.")
	if k := d.now(first); app.LastMark(&k) != app.ArrivedMark {
		t.Errorf("arrived, but %s", k.Status)
	}
	on(second)
	h.tap(`.day-now form[action$="/no-show"] button`)
	h.sees(second.Invitee.Name + " is marked as a no-show")
	if k := d.now(second); k.Status != booking.NoShow {
		t.Errorf("missed, but %s", k.Status)
	}
	on(first) // nobody else should be here
	h.tap(`.day-now .pay button[value=cash]`)
	h.sees(first.Invitee.Name + " paid ")
	h.tap(`.day-now form[action$="/done"] button`)
	h.sees(first.Invitee.Name + ": done.")
	third := all[2]
	on(third)
	h.sees("1 done · 1 no-show · " + "€45")
	h.tap(`.sheet-over > summary`)
	h.until(`document.querySelectorAll(".sheet-over .sheet-row").length == 2`)

	// Another change comes: what was unfolded stays so, and is up to date.
	w.Clock.Set(at("12:30"))
	k := w.bookedOn(d.date, "consultation", "17:15", "Late Lea", 0)
	h.until(`document.querySelector('.sheet-row[data-booking="` + k.ID.String() + `"]') && document.querySelector(".sheet-over").open`)
	h.until(`document.querySelectorAll(".sheet-over .sheet-row").length > 2`)

	// The row of somebody who is over but has not paid says so, and leads to the booking; by the menu it is paid here.
	last := all[slices.IndexFunc(all, func(k booking.Booking) bool { return k.Start.Time().Equal(at("11:20")) })]
	h.tap(row(last) + ` summary`)
	h.tap(row(last) + ` .pay button[value=cash]`)
	h.sees(last.Invitee.Name + " paid ")
	h.until(`document.querySelector(".sheet-over > summary").innerText.includes("€67")`)
	h.open("/dashboard?host=" + last.Host.ID.String())
	h.sees("2 done · €22")
	h.tap(`.sheet-over > summary`)
	h.tap(row(last) + ` .sheet-link`)
	h.until(`document.querySelector("h1").textContent == "` + last.Invitee.Name + `"`)
}

// A day without bookings has its free times and who comes on another day; a day on which nobody works says so. The day of
// one person has no faces and names them once. Nobody has "0 done".
func TestTodayOfNobody(t *testing.T) {
	w := newWorld(t)
	later := w.bookedOn("2026-12-29", "haircut", "10:00", "Later Lotte", 0)
	d := &workday{world: w, date: quietDay}
	w.Clock.Set(d.at("10:12"))
	b := w.asOwner()
	b.wants(b.get("/dashboard"), 200, "No bookings today", "sheet-gap", `class="faces"`, later.Invitee.Name, "Dec 29", "!sheet-over", "!sheet-fold",
		"!>Arrived<", "!0 done", "!€0</span>")
	one := b.get("/dashboard?host=" + w.setup().Hosts[0].ID.String())
	b.wants(one, 200, `id="sheet-h">Ana Keller<`, `aria-current="page"`, ">All<", "!Free 10:15 AM–2:00 PM")
	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.get("/dashboard"), 200, `id="sheet-h">Ana Keller<`, `!class="faces"`)
	d.date = "2026-12-25"
	w.Clock.Set(d.at("10:12"))
	b.wants(b.post("/dashboard/hosts/all/away", "start", "2026-12-25T00:00", "end", "2026-12-26T00:00"), 303)
	b.wants(b.get("/dashboard"), 200, "Nobody works today.", "No bookings today", later.Invitee.Name, `!class="faces"`)
	d.date = "2026-12-30"
	w.Clock.Set(d.at("10:12"))
	b.wants(b.get("/dashboard"), 200, "Nothing today", "Nothing is booked yet", "!now-name")
}
