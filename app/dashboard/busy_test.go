package dashboard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/views/dash"
)

// on is a time of Berlin's winter.
func on(day, clock string) time.Time {
	at, err := time.Parse(time.RFC3339, day+"T"+clock+":00+01:00")
	if err != nil {
		panic(err)
	}
	return at
}

// busyWeek connects Ana's and Ben's calendars and fills them in the week of the quiet day; it returns Ana's booking
// that meets a busy time, and her other one.
func (w *world) busyWeek() (met, clear booking.Booking) {
	w.T.Helper()
	w.other.busy(on(quietDay, "10:00"), time.Hour)
	w.other.busy(on(quietDay, "10:30"), time.Hour) // overlaps: they are one
	w.other.busy(on("2026-12-23", "00:00"), 24*time.Hour)
	w.other.busy(on("2026-12-24", "21:00"), time.Hour) // after hours
	met, clear = w.booked("haircut", "09:00", "Mia Amann", 0), w.booked("haircut", "15:00", "Leo Kern", 0)
	w.other.busy(met.Start.Time().Add(10*time.Minute), 10*time.Minute)
	w.connectCalendar(0)
	return met, clear
}

// What a host's other calendars hold stands in the day, the week of the host, the week of all, and the month, as "Busy"
// and with overlapping ones as one; a booking that meets such a time is marked in each.
func TestBusyTimesInEachView(t *testing.T) {
	w := newWorld(t)
	met, clear := w.busyWeek()
	ana, ben := w.setup().Hosts[0].ID.String(), w.setup().Hosts[1].ID.String()
	at := dash.CalendarPath + "?date=" + quietDay
	b := w.asOwner()
	for name, c := range map[string]struct {
		path  string
		wants []string
	}{
		"day":          {at, []string{"Busy 10\u2060–\u206011:30", "Busy 9:10\u2060–\u20609:20", "Clash", "!Busy all day"}},
		"week":         {at + "&span=week&host=" + ana, []string{"Busy 10\u2060–\u206011:30", "Busy all day", "Clash"}},
		"week of all":  {at + "&span=week", []string{"Busy 9:10\u2060–\u20609:20\u202fAM, 10\u2060–\u206011:30", "Busy all day", "!21:00", "Clash"}},
		"week of Ben":  {at + "&span=week&host=" + ben, []string{"!Busy", "!Clash"}},
		"month":        {at + "&span=month", []string{">Busy 1\u00a0hr 40\u00a0min<", ">Busy 8\u00a0hr<", "1 clash", "months-hatch size-2", "months-hatch size-5"}},
		"another week": {dash.CalendarPath + "?span=week&date=2027-01-19", []string{"!Busy", "!Clash"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := b.get(c.path)
			b.wants(r, 200, c.wants...)
			if n := strings.Count(r.body, "ev-clash"); !strings.Contains(name, "month") && n > 1 {
				t.Errorf("%d bookings are marked", n)
			}
		})
	}
	b.wants(b.get(at+"&booking="+met.ID.String()), 200, "is busy in another calendar at this time: 9:10–9:20\u202fAM")
	b.wants(b.get(at+"&booking="+clear.ID.String()), 200, "!is busy in another calendar")
	b.wants(b.get(at+"&span=month&booking="+met.ID.String()), 200, "is busy in another calendar at this time: 9:10–9:20\u202fAM")

	stranger := w.staff(w.setup().Hosts[1].ID)
	for _, span := range []string{"", "&span=week", "&span=month"} {
		stranger.wants(stranger.get(at+span), 200, "!Busy", "!clash", "!Clash")
	}
	w.Clock.Advance(met.End.Time().Sub(w.Clock.Now()))
	b = w.asOwner()
	for _, span := range []string{"", "&span=week", "&span=month"} {
		b.wants(b.get(at+span), 200, "Busy", "!clash", "!Clash") // what is over needs nobody's care
	}
}

// Busy times in a browser: where they stand, that the booking over one leaves an edge of it, and no rule broken.
func TestBusyTimesInABrowser(t *testing.T) {
	axe := browser.Axe(t)
	w := newWorld(t)
	met, _ := w.busyWeek()
	b := w.browse()
	b.signIn(w)
	at := dash.CalendarPath + "?date=" + quietDay
	ana := w.setup().Hosts[0].ID.String()
	b.look("light", 1280, 844)
	for _, span := range []string{"", "&span=week&host=" + ana} {
		b.open(at + span)
		const edges = `(()=>{
			const day = document.querySelector('.cal-col[data-day="%s"]%s'), box = (s) => day.querySelector(s).getBoundingClientRect();
			const busy = [...day.querySelectorAll(".off-busy")].map((x) => x.getBoundingClientRect()), ev = box(".ev-clash");
			const over = busy.filter((r) => r.top < ev.bottom && r.bottom > ev.top);
			return [busy.length, over.length, Math.round(over[0].right - ev.right), Math.round(busy.at(-1).height * 40 / 90)];
		})()`
		got := browser.Eval[[]int](t, b.ctx, fmt.Sprintf(edges, quietDay, `[data-host="`+ana+`"]`))
		if got[0] != 2 || got[1] != 1 || got[2] < 12 {
			t.Errorf("%s: %d busy times, %d under the booking, with an edge of %d px", span, got[0], got[1], got[2])
		}
	}
	b.open(at + "&span=month")
	b.click(`.months a[href*="` + quietDay + `"]`)
	b.until(`document.querySelector(".ev-clash")`)
	b.click(".ev-clash")
	b.sees("is busy in another calendar")
	b.accessible("busy-day", at, axe)
	b.accessible("busy-week", at+"&span=week&host="+ana, axe)
	b.accessible("busy-week-all", at+"&span=week", axe)
	b.accessible("busy-month", at+"&span=month", axe)
	b.accessible("busy-panel", at+"&booking="+met.ID.String(), axe)
}

// A week of 1,400 bookings of ten people, and with seventy busy times of their other calendars. One page is one
// operation; B/page is the size of an answer that is not compressed.
func BenchmarkWeekOfAll(b *testing.B) {
	w := newEmptyWorld(b)
	var hosts, all strings.Builder
	for i := range 10 {
		fmt.Fprintf(&hosts, "  - {name: Host %d, email: h%[1]d@mail.example, timeZone: Europe/Berlin, weekly: {", i)
		for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
			fmt.Fprintf(&hosts, "%s: ['08:00-18:00'], ", day)
		}
		fmt.Fprintf(&hosts, "}}\n")
		fmt.Fprintf(&all, "h%d@mail.example, ", i)
	}
	w.Apply("workspace: {slug: salon, name: Bench, timeZone: Europe/Berlin, currency: EUR}\nhosts:\n" + hosts.String() +
		"eventTypes:\n  - {slug: cut, title: Cut, durationMinutes: 30, slotStepMinutes: 30, bookingWindowDays: 60, hosts: [" + all.String() + "]}\n")
	for i := range 1400 {
		at := on("2026-12-14", "08:00").AddDate(0, 0, i/200).Add(time.Duration(i%20) * 30 * time.Minute)
		_, err := w.Book(b.Context(), w.Owner, booking.BookInput{EventType: "cut", Start: at.Format(time.RFC3339),
			Host: w.setup().Hosts[i/20%10].ID.String(), Invitee: booking.Invitee{Name: fmt.Sprint("Person ", i), Email: fmt.Sprint("p", i, "@mail.example")}})
		w.Must(err)
	}
	_, err := w.Account.CreateUser(b.Context(), app.Operator(w.Workspace.ID), account.UserInput{Email: "o@mail.example", Role: app.OwnerRole, Password: "correct horse battery"})
	w.Must(err)
	v := w.as("o@mail.example", "correct horse battery")
	page := func(span string) func(b *testing.B) {
		return func(b *testing.B) {
			size := 0
			for b.Loop() {
				r := v.get(dash.CalendarPath + "?date=2026-12-15" + span)
				size = len(r.body)
				if r.status != 200 {
					b.Fatal(r.status)
				}
			}
			b.ReportMetric(float64(size), "B/page")
		}
	}
	spans := map[string]string{"day": "", "week": "&span=week", "month": "&span=month"}
	for name, span := range spans {
		b.Run(name+"/none", page(span))
	}
	for i := range 7 {
		for j := range 3 {
			w.other.busy(on("2026-12-14", "09:10").AddDate(0, 0, i).Add(time.Duration(j)*2*time.Hour), time.Hour)
		}
	}
	for i := range 10 {
		w.connectCalendar(i)
	}
	for name, span := range spans {
		b.Run(name+"/busy", page(span))
	}
}
