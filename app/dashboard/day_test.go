package dashboard

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/views/dash"
)

// workday is a day without bookings of the demo's, with those of the tests: Amira has her beard trimmed by Ben at
// 11:20, Ida her hair cut by Ana at 12:00, Otto had his cut by Ana at 9:30, and Nina comes to Ben at 15:20.
type workday struct {
	*world
	date                   string
	amira, ida, otto, nina booking.Booking
	regular                booking.Contact
}

// workdays are a Tuesday and a Wednesday, one for each width.
func (w *world) workdays() (days []*workday) {
	w.T.Helper()
	for _, date := range []string{quietDay, "2026-12-23"} {
		days = append(days, &workday{world: w, date: date, amira: w.bookedOn(date, "beard-trim", "11:20", "Amira Test", 1),
			ida: w.bookedOn(date, "haircut", "12:00", "Ida Test", 0), otto: w.bookedOn(date, "haircut", "09:30", "Otto Test", 0),
			nina: w.bookedOn(date, "beard-trim", "15:20", "Nina Test", 1)})
	}
	return days
}

// at is a time of the day by Berlin's clock.
func (d *workday) at(clock string) time.Time {
	d.T.Helper()
	t, err := time.Parse(time.RFC3339, d.date+"T"+clock+":00+01:00")
	d.Must(err)
	return t
}

// now is the booking as it is in the database.
func (d *workday) now(b booking.Booking) booking.Booking {
	d.T.Helper()
	b, err := d.Booking(d.T.Context(), d.Owner, b.ID.String())
	d.Must(err)
	return b
}

// of are the bookings of the day under a name, in the database.
func (d *workday) of(name string) (found []booking.Booking) {
	d.T.Helper()
	all, _, err := d.Calendar(d.T.Context(), d.Owner, "", d.at("00:00"), d.at("23:59"), false)
	d.Must(err)
	for _, b := range all {
		if b.Invitee.Name == name {
			found = append(found, b)
		}
	}
	return found
}

// one is the only booking of the day under a name.
func (d *workday) one(t *testing.T, name string) booking.Booking {
	t.Helper()
	found := d.of(name)
	if len(found) != 1 {
		t.Fatalf("%d bookings of %s", len(found), name)
	}
	return found[0]
}

// blocked are the times of the day in which a host is away.
func (d *workday) blocked(host int) (all []catalog.Absence) {
	d.T.Helper()
	h := d.setup().Hosts[host]
	return h.Away(d.at("00:00"), d.at("23:59"))
}

// Where things are, on pages of the dashboard.
const (
	calendarLink = `.side-nav a[href="` + calendarURL + `"]`
	todayLink    = `.side-nav a[href="/dashboard"]`
	tillLink     = `a[href="/dashboard/till"]`
	walkInLink   = `.walk-in, .nav-new a`
	makeIt       = `.form-end button[type=submit]`
	newLink      = `.head-actions a[href="` + dash.NewBookingPath + `"]`
	bookedOver   = `!document.querySelector("dialog") && document.querySelector('.said a[href^="/dashboard/bookings/bk_"]')`
	calendarOn   = `document.querySelector('.ev[tabindex="0"]')`
)

func event(b booking.Booking) string { return `.ev[data-booking="` + b.ID.String() + `"]` }
func row(b booking.Booking) string {
	return `:is(.sheet-row, .day-now)[data-booking="` + b.ID.String() + `"]`
}

// more opens the menu of a phone's bar that has the other pages; a desktop has them at the side.
func (h *hand) more() {
	h.t.Helper()
	if h.phone {
		h.tap(".nav-more summary")
	}
}

// A day at the counter, with a mouse at a desktop and with a finger on a phone: somebody walks in and leaves a phone
// number, bookings are dragged to another person, an hour is blocked, somebody does not come and then does, cash is
// taken with a tip, the rest of the day is cancelled, and the drawer is counted. What the screen says is in the database.
func TestWorkingDay(t *testing.T) {
	w := newWorld(t)
	days := w.workdays()
	b := w.browse()
	w.Clock.Set(days[0].at("08:00"))
	b.signIn(w)
	for i, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			h := (&tab{t, b.ctx, b.url}).hand(width)
			days[i].work(t, h)
		})
	}
}

func (d *workday) work(t *testing.T, h *hand) {
	d.Clock.Set(d.at("10:12"))
	h.open("/dashboard")
	h.tap(walkInLink)
	h.types("name", "Wanda Walk", "phone", "030 1234567")
	h.tap(makeIt)
	h.until(bookedOver)
	walkIn := d.one(t, "Wanda Walk")
	if walkIn.Start != when.At(d.at("10:12")) || walkIn.Invitee.Phone != "+49301234567" || walkIn.Invitee.Email != "" ||
		walkIn.Status != booking.Confirmed {
		t.Errorf("the walk-in is %+v", walkIn)
	}
	who, err := d.People.ContactByID(t.Context(), d.Owner, walkIn.ContactID.String())
	d.Must(err)
	if who.Phone != "+49301234567" {
		t.Errorf("their contact is %+v", who)
	}

	// To a person who doesn't do that, and to one who does.
	h.tap(calendarLink)
	h.until(calendarOn)
	h.drag(event(d.amira), -1, 0)
	h.sees("Ana Keller doesn’t offer Beard trim")
	if now := d.now(d.amira); now.Start != d.amira.Start || now.Host.Name != "Ben Okafor" {
		t.Errorf("what was refused is with %s at %s", now.Host.Name, now.Start)
	}
	h.drag(event(d.ida), 1, 30)
	h.sees("Ida Test is now on")
	if now := d.now(d.ida); now.Start != when.At(d.at("12:30")) || now.Host.Name != "Ben Okafor" {
		t.Errorf("moved to %s at %s", now.Host.Name, now.Start)
	}

	h.tap(`.cal-col[data-host="` + d.setup().Hosts[0].ID.String() + `"] .gap.sh-15`)
	h.tap(`.cal-block button`)
	h.sees("Blocked for Ana Keller")
	if off := d.blocked(0); len(off) != 1 || off[0].End.Time().Sub(off[0].Start.Time()) != time.Hour {
		t.Errorf("blocked: %+v", off)
	}

	d.Clock.Set(d.at("12:25"))
	h.tap(todayLink)
	h.tap(row(d.amira) + ` summary`)
	h.tap(row(d.amira) + ` form[action$="/no-show"] button`)
	h.sees("Amira Test is marked as a no-show")
	if now := d.now(d.amira); now.Status != booking.NoShow {
		t.Errorf("missed, but %s", now.Status)
	}
	h.tap(`[data-toast] button`)
	h.sees("taken back")
	if now := d.now(d.amira); now.Status != booking.Confirmed || app.LastMark(&now) != "" {
		t.Errorf("not missed after all, but %s", now.Status)
	}

	h.tap(`.sheet-over > summary`)
	h.tap(row(d.otto) + ` summary`)
	h.tap(row(d.otto) + ` .pay a`)
	h.types("tip", "5")
	h.tap(`.pay-methods label:has([value=cash])`)
	h.tap(`.pay-form button[type=submit]`)
	h.sees("Otto Test paid ")
	now := d.now(d.otto)
	if len(now.Payments) != 1 || now.Due.Amount != 0 {
		t.Fatalf("paid: %+v, due: %+v", now.Payments, now.Due)
	}
	if p := now.Payments[0]; p.Method != booking.ByCash || p.Amount != 4500 || p.Tip != 500 {
		t.Errorf("paid: %+v", p)
	}

	// Ben is ill: what is left of the day is cancelled at once.
	h.tap(todayLink)
	h.tap(`.head-menu summary`)
	h.tap(`.head-menu a[href="` + dash.CancelPath + `"]`)
	h.types("from", "12:30")
	h.tap(`.cancel-choose button`)
	h.until(`document.querySelectorAll(".cancel-row").length == 2`)
	for _, k := range []booking.Booking{d.ida, d.nina} {
		h.tap(`input[value="` + k.ID.String() + `"]`)
	}
	h.types("message", "Ben is ill")
	h.tap(`.form-end .button-bad`)
	h.sees("Cancel 2 bookings?")
	h.tap(`.form-end .button-danger`)
	h.sees("2 bookings are being cancelled")
	d.Clock.Advance(bulk.Undoable)
	d.Must(d.Bulk.CarryOut(t.Context()))
	for _, k := range []booking.Booking{d.ida, d.nina} {
		if now := d.now(k); now.Status != booking.Cancelled || now.Cancellation.Reason != "Ben is ill" {
			t.Errorf("%s is %s, %+v", now.Invitee.Name, now.Status, now.Cancellation)
		}
	}

	d.Clock.Set(d.at("19:05"))
	h.more()
	h.tap(tillLink)
	h.types("opening", "100", "counted", "149")
	h.tap(`.till-close button`)
	h.sees("The day is closed.")
	day, err := d.Counter.Day(t.Context(), d.Owner, "")
	d.Must(err)
	if n := len(day.Closes); n != 1 || day.Closes[0].Expected != 15000 || day.Closes[0].Difference != -100 {
		t.Errorf("closed as %+v", day)
	}
	h.do(chromedp.Navigate(h.url + "/dashboard"))
}
