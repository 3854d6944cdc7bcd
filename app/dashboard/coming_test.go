package dashboard

import (
	"testing"
	"time"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// tomorrows is a booking of tomorrow that stands.
func (w *world) tomorrows() booking.Booking {
	w.T.Helper()
	day := web.Midnight(w.Clock.Now().In(w.setup().Zone))
	all, _, err := w.Calendar(w.T.Context(), w.Owner, "", day.AddDate(0, 0, 1), day.AddDate(0, 0, 8), false)
	w.Must(err)
	for _, b := range all {
		if e := w.setup().EventTypeByID(b.EventTypeID); b.Status.Stands() && b.Visit == nil && b.Invitee.Email != "" && e.Seats < 2 {
			w.Clock.Set(b.Start.Time().Add(-20 * time.Hour))
			return b
		}
	}
	w.T.Fatal("nothing is booked tomorrow")
	return booking.Booking{}
}

// What an invitee says stands on the booking, in the lists, on Today and in the calendar; the business notes what it was told,
// and asks again.
func TestComingIsShown(t *testing.T) {
	w := newWorld(t)
	k := w.tomorrows()
	id, b := k.ID.String(), w.asOwner()
	at := dash.BookingPath(id)
	b.wants(b.get(at), 200, "!"+dash.BookingDoPath(id, dash.DoComing), "!"+dash.BookingDoPath(id, dash.DoAskComing))
	w.Alter(k.EventType, func(e *catalog.EventType) { e.AsksComing = true })
	b.wants(b.get(at), 200, dash.BookingDoPath(id, dash.DoComing), dash.BookingDoPath(id, dash.DoNotComing), "Ask whether they come")
	b.wants(b.post(dash.BookingDoPath(id, dash.DoAskComing)), 303)
	b.wants(b.get(at+"?said=asked"), 200, "The question is on its way.")
	w.Must(w.AskedComing(t.Context(), w.Owner, id, k.Start))
	b.wants(b.get(at), 200, "No answer", "Ask again", "no answer yet", "Asked whether they come")
	b.wants(b.get(dash.CalendarPath+"?span=month&date="+k.Start.Time().In(w.setup().Zone).Format(time.DateOnly)), 200, `<span class="sr">1 without an answer</span>`)
	b.wants(b.post(dash.BookingDoPath(id, dash.DoNotComing)), 303)
	b.wants(b.get(at+"?said=not_coming"), 200, "Not coming", "The booking stands until it is cancelled")
	b.wants(b.get(at), 200, "!Ask again", "!"+dash.BookingDoPath(id, dash.DoNotComing))
	b.wants(b.get("/dashboard"), 200, "Not coming: "+k.Invitee.Name+" (")
	day := k.Start.Time().In(w.setup().Zone).Format(time.DateOnly)
	for _, span := range []string{"day", "week"} {
		b.wants(b.get(dash.CalendarPath+"?span="+span+"&date="+day+"&host="+k.Host.ID.String()), 200, "ev-not-coming", "<i>Not coming</i>")
	}
	month := dash.CalendarPath + "?span=month&date=" + day
	b.wants(b.get(month), 200, "months-says-warn", `<span class="sr">1 not coming</span>`, "!1 without an answer")
	b.wants(b.get(dash.BookingsPath), 200, "Not coming")
	b.wants(b.post(dash.BookingDoPath(id, dash.DoComing)), 303)
	b.wants(b.get(at), 200, `badge-good">Coming`)
	b.wants(b.get("/dashboard"), 200, "!Not coming: ")
	b.wants(b.get(month), 200, "months-says-good", `<span class="sr">1 coming</span>`, "!months-says-warn")
	w.Clock.Set(k.Start.Time().Add(time.Minute))
	b.wants(b.get(at), 200, "!"+dash.BookingDoPath(id, dash.DoNotComing), `!badge-good">Coming`)
	b.wants(b.get(month), 200, "!months-says")
	b.wants(b.post(dash.BookingDoPath(id, dash.DoNotComing)), 409, "The appointment has begun")
}

// The owner sees what a customer says on their phone without loading anything: on Today, in the calendar and on the booking.
func TestAnswersTurnPages(t *testing.T) {
	w := newWorld(t)
	k := w.tomorrows()
	w.Alter(k.EventType, func(e *catalog.EventType) { e.AsksComing = true })
	b := w.browse()
	b.look("light", 1440, 900)
	b.signIn(w)
	day := k.Start.Time().In(w.setup().Zone).Format(time.DateOnly)
	_, invitee, err := w.BookingByToken(t.Context(), k.ManageURL[len(w.server.URL+"/booking/"):])
	w.Must(err)
	yes := true
	for _, c := range []struct{ path, no, yes string }{
		{"/dashboard", `document.querySelector(".alerts")?.textContent.includes("Not coming: ")`, `!document.body.textContent.includes("Not coming: ")`},
		{dash.CalendarPath + "?span=day&date=" + day + "&host=" + k.Host.ID.String(), `document.querySelector(".ev-not-coming[data-booking='` + k.ID.String() + `']")`,
			`document.querySelector(".ev-coming[data-booking='` + k.ID.String() + `']")`},
		{dash.BookingPath(k.ID.String()), `document.querySelector(".head .badge-warn")?.textContent === "Not coming"`,
			`document.querySelector(".head .badge-good")?.textContent === "Coming"`},
	} {
		b.open(c.path)
		b.until(`document.querySelector("[data-live]")`)
		browser.Eval[bool](t, b.ctx, `(window.kept = true)`)
		for range 2 {
			yes = !yes
			_, err := w.AnswerComing(t.Context(), invitee, k.ID.String(), yes, booking.ComingByPage)
			w.Must(err)
			b.until(`window.kept && ` + map[bool]string{true: c.yes, false: c.no}[yes])
		}
	}
}
