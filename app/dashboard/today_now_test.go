package dashboard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/views/dash"
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
		over, due := 0, int64(0)
		for i := range all {
			k := &all[i]
			if k.Start.Time().After(now) && (next == nil || k.Start.Time().Equal(first)) {
				next, first = append(next, k.Invitee.Name), k.Start.Time()
			}
			if k.End.Time().Add(time.Hour).Before(now) {
				over, due = over+1, due+k.Price.Amount/100
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
			want := fmt.Sprintf("%d over · €%d due", over, due)
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
		h.until(`[...document.querySelectorAll(".sheet > .sheet-rows > .sheet-row b")].some((x) => x.checkVisibility() && x.textContent == "` + k.Invitee.Name + `")`)
	}
	on(first)
	h.until(`(window.print = () => { window.printed = true }, true)`)
	h.tap(`.head-menu summary`)
	h.tap(`.head-menu [data-print]`)
	h.until(`window.printed`)
	h.open("/dashboard")
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
	h.sees("1 done · 1 over · €22 · €22 due")
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

// However many work, the page is as wide as the screen, and free times that begin together are one line. Somebody at the
// keys is left where they were when the day is refreshed, what they unfolded stays so, and so do the faces they came to.
// The name of who is next can be read.
func TestTodayOfMany(t *testing.T) {
	w := newWorld(t)
	all, at := w.busyDay()
	for _, name := range []string{"Elif Demir", "Farid Omar", "Gerda Grün", "Hanna Maximiliane Oberleitner", "Ivo Petrov", "Jana Novak"} {
		h := w.setup().Hosts[0]
		h.ID, h.Name, h.Picture, h.Email = 0, name, 0, strings.ToLower(strings.Fields(name)[0])+"@salon.example"
		_, err := w.Shop.SaveHost(t.Context(), w.Owner, h)
		w.Must(err)
	}
	w.Clock.Set(at("10:25"))
	b := w.browse()
	b.signIn(w)
	for _, width := range []int64{320, 390, 1024, 1440} {
		b.look("light", width, 844)
		b.open("/dashboard")
		b.until(`document.querySelectorAll(".faces a").length == 10`)
		shot(b, fmt.Sprint("many-", width))
		if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
			t.Errorf("%d scrolls sideways by %d", width, wide)
		}
		if n := browser.Eval[int](t, b.ctx, `(() => { const rows = [...document.querySelector(".sheet > .sheet-rows").children];
			return rows.slice(0, rows.findIndex((x) => x.matches(".sheet-next"))).filter((x) => x.matches(".sheet-gap")).length })()`); n > 2 {
			t.Errorf("%d: %d free times before who is next", width, n)
		}
		if cut := browser.Eval[int](t, b.ctx, `(() => { const x = document.querySelector(".sheet-next .sheet-who b"); return x.scrollWidth - x.clientWidth })()`); cut > 0 && width > 400 {
			t.Errorf("%d: the name of who is next is cut by %d", width, cut)
		}
	}
	b.look("light", 390, 844)
	d := &workday{world: w, date: "2026-12-23"}
	w.Clock.Set(at("12:10"))
	b.open("/dashboard")
	last := all[slices.IndexFunc(all, func(k booking.Booking) bool { return k.Start.Time().Equal(at("15:00")) })]
	b.click(row(last) + ` .sheet-fold > summary`)
	b.until(`document.querySelector('` + row(last) + ` .sheet-fold').open`)
	browser.Eval[bool](t, b.ctx, `(document.querySelector(".faces ul").scrollLeft = 300, true)`)
	for i, focused := range []string{row(last) + ` .sheet-fold > summary`, `.sheet-over > summary`, row(last) + ` .sheet-link`} {
		browser.Eval[bool](t, b.ctx, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, focused))
		k := w.bookedOn(d.date, "consultation", []string{"15:00", "17:15", "15:30"}[i], fmt.Sprint("Late Lea ", i), 0)
		b.until(`document.querySelector('.sheet-row[data-booking="` + k.ID.String() + `"]')`)
		if !browser.Eval[bool](t, b.ctx, fmt.Sprintf(`document.activeElement == document.querySelector(%q)`, focused)) {
			t.Errorf("after a refresh the focus is no longer on %s", focused)
		}
		if !browser.Eval[bool](t, b.ctx, `document.querySelector('`+row(last)+` .sheet-fold').open`) {
			t.Error("what was unfolded is folded after a refresh")
		}
		if n := browser.Eval[float64](t, b.ctx, `document.querySelector(".faces ul").scrollLeft`); n != 300 {
			t.Errorf("after a refresh the faces are at %.0f", n)
		}
	}
}

// Free are people with whom something can be booked, from now on, and those who are free for the same time are one line.
func TestTodayOffersWhatIsFree(t *testing.T) {
	w := newWorld(t)
	_, at := w.busyDay()
	h := w.setup().Hosts[0]
	h.ID, h.Name, h.Picture, h.Email = 0, "Elif Demir", 0, "elif@salon.example"
	_, err := w.Shop.SaveHost(t.Context(), w.Owner, h)
	w.Must(err)
	w.Clock.Set(at("10:25"))
	b := w.asOwner()
	page := b.get("/dashboard")
	b.wants(page, 200, ">Elif<", "Free 10:25", "Ben Okafor", "!Free from", "!Free 10:20", "!Free 9:") // Clara's next one comes at half past
	for _, m := range regexp.MustCompile(`Free \d[^<]*`).FindAllString(page.body, -1) {
		if strings.Contains(m, "Elif") {
			t.Errorf("%s, who does nothing", m)
		}
	}
}

// Where nothing can be booked yet, Today, the calendar and the list of bookings say what to do first, and none leads to a
// booking.
func TestNothingCanBeBookedYet(t *testing.T) {
	w := newWorld(t)
	b := w.stranger()
	b.wants(b.get("/dashboard"), 200, "First set up your team and services", `href="/dashboard/hosts/new"`, "Next steps", "!nav-new",
		"!Share your booking page", `!class="sheet-sums"`, "!next-h")
	b.wants(b.get(calendarURL), 200, "Nobody on the team yet", `href="/dashboard/hosts/new"`, "!cal-hours", "!cal-go")
	b.wants(b.get(dash.BookingsPath), 200, "First set up your team and services", `href="/dashboard/hosts/new"`, "!Share your booking page", "!filters-more")
}

// Who is done but has not paid stays in the list; when that is given up, the fold says what is due. Its money is what was
// taken today, with tips, as below it. Done is only of whom somebody said so, or who paid.
func TestTodayFoldsWhatIsSettled(t *testing.T) {
	w := newWorld(t)
	all, at := w.busyDay()
	w.Clock.Set(at("09:10"))
	b := w.asOwner()
	k := all[0] // Ana's at nine
	path := "/dashboard/bookings/" + k.ID.String()
	b.wants(b.post(path+"/done", "back", "today"), 303)
	b.wants(b.get("/dashboard"), 200, "!sheet-over", `>€45 due</span>`, `action="`+path+`/pay"`)
	b.wants(b.post(path+"/pay", "amount", "45", "due", "45", "tip", "5", "method", "cash", "back", "/dashboard"), 303)
	b.wants(b.get("/dashboard"), 200, "<span>1 done · €50</span>", ">€50</a>")
	w.Clock.Set(at("12:30"))
	b.wants(b.get("/dashboard"), 200, "<span>1 done · 5 over · €50 · €185 due</span>")
	ana := "/dashboard?host=" + k.Host.ID.String()
	b.wants(b.get(ana), 200, "<span>1 done · 1 over · €50 · €45 due</span>", "!<dt>Taken", "!€649")
	w.Clock.Set(at("13:40")) // who is over for longer than that stays, where it was just said that it is done
	b.wants(b.post("/dashboard/bookings/"+all[2].ID.String()+"/done", "back", "today"), 303)
	b.wants(b.get(ana), 200, "!2 done")
}

// A visit of two people: the day of each has their own part, at its time, with its price, and counts only that.
func TestTodayOfOneInAVisit(t *testing.T) {
	w := newWorld(t)
	w.clear()
	v := w.visit("10:00", "Vera Visit", "haircut", 0, "beard-trim", 1, "haircut", 0)
	w.bookedOn(visitDay, "beard-trim", "10:00", "Emil Early", 1)
	w.bookedOn(visitDay, "beard-trim", "11:20", "Lars Late", 1)
	d := &workday{world: w, date: visitDay}
	ben := v.Items[1].Host.ID
	w.Clock.Set(d.at("10:05"))
	owner, staff := w.asOwner(), w.staff(ben)
	for name, get := range map[string]func() response{
		"the owner": func() response { return owner.get("/dashboard?host=" + ben.String()) },
		"staff":     func() response { return staff.get("/dashboard") },
	} {
		page := get()
		_, page.body, _ = strings.Cut(page.body, `class="card sheet"`)
		page.body, _, _ = strings.Cut(page.body, `id="next-h"`)
		staff.wants(page, 200, "3 bookings", ">10:45\u202fAM<", "!Haircut", "!€112")
		if vera, late := strings.Index(page.body, "Vera Visit"), strings.Index(page.body, "Lars Late"); vera < 0 || vera > late {
			t.Errorf("for %s Vera is at %d and Lars at %d", name, vera, late)
		}
	}
	for i, k := range v.Items {
		owner.wants(owner.post("/dashboard/bookings/"+k.ID.String()+"/pay", "amount", []string{"45", "22", "45"}[i], "due", []string{"45", "22", "45"}[i],
			"method", "cash", "back", "/dashboard"), 303)
	}
	w.Clock.Set(d.at("13:30"))
	owner.wants(owner.get("/dashboard?host="+ben.String()), 200, "<span>1 done · 2 over · €22 · €44 due</span>")
	owner.wants(owner.get("/dashboard?host="+v.Items[0].Host.ID.String()), 200, "<span>2 done · €90</span>", "2 bookings")
	owner.wants(owner.get("/dashboard"), 200, "<span>1 done · 2 over · €112 · €44 due</span>", "5 bookings")
}

// What began yesterday says so, and is none of today's bookings.
func TestTodayAfterMidnight(t *testing.T) {
	w := newWorld(t)
	d := &workday{world: w, date: quietDay}
	for clock, name := range map[string]string{"21:50": "Early Evening", "23:30": "Nora Night"} {
		_, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "haircut", Start: "2026-12-21T" + clock + ":00+01:00",
			Host: w.setup().Hosts[0].ID.String(), Override: []string{"outside_hours", "off_grid"},
			Invitee: booking.Invitee{Name: name, Email: "night@mail.example"}})
		w.Must(err)
	}
	w.bookedOn(quietDay, "haircut", "12:00", "Ida Test", 0)
	w.Clock.Set(d.at("00:05"))
	b := w.asOwner()
	b.wants(b.get("/dashboard"), 200, "Nora Night", "<span>Mon, 11:30\u202fPM", "1 booking<", "!Early Evening")
	w.Clock.Set(d.at("00:30"))
	b.wants(b.get("/dashboard"), 200, "<span>Mon, 11:30\u202fPM</span>", "1 booking<")
}
