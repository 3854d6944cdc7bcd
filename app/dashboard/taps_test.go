package dashboard

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/views/dash"
)

// task is one of the commonest tasks. It begins on Today unless it opens another page, and fails unless it is done.
type task struct {
	name string
	do   func(*testing.T, *workday, *hand)
}

var tasks = []task{
	{"an invitee books", func(t *testing.T, d *workday, h *hand) {
		h.open("/demo/haircut?date=2027-01-12")
		h.tap(".time")
		h.types("name", "Ines Invitee", "email", "ines"+d.date+"@mail.example")
		h.tap(".actions button")
		h.until(`document.querySelector("[data-booking-id]")`)
		who, err := d.People.Contacts(t.Context(), d.Owner, contact.Filter{Q: "ines" + d.date}, nil, "")
		d.Must(err)
		if len(who.Data) != 1 || who.Data[0].Bookings != 1 {
			t.Errorf("the invitee is %+v", who.Data)
		}
	}},
	{"book a regular who calls", func(t *testing.T, d *workday, h *hand) {
		h.tap(newLink)
		h.letters("name", d.regular.Name[:5])
		h.tap(`#who-list [data-id="` + d.regular.ID.String() + `"]`)
		h.tap(`[data-other]`)
		h.tap(`.slot[data-start*="-28T"]`)
		h.tap(makeIt)
		h.until(bookedOver)
		who, err := d.People.ContactByID(t.Context(), d.Owner, d.regular.ID.String())
		d.Must(err)
		if who.Bookings != d.regular.Bookings+1 {
			t.Errorf("%d bookings of the regular", who.Bookings)
		}
	}},
	{"book somebody who walks in", func(t *testing.T, d *workday, h *hand) {
		h.tap(walkInLink)
		h.tap(`.who-nobody button`)
		h.until(bookedOver)
		if k := d.one(t, booking.WalkIn); k.ContactID != 0 || !k.Start.Time().Equal(d.Clock.Now()) {
			t.Errorf("walked in at %s, booked for %s", d.Clock.Now(), k.Start)
		}
	}},
	{"block an hour", func(t *testing.T, d *workday, h *hand) {
		h.tap(`.sheet-gap a[href*="new=` + d.setup().Hosts[0].ID.String() + `"][href*="T14"]`)
		h.tap(`.cal-block button`)
		h.sees("Blocked for Ana Keller")
		off := d.blocked(0)
		if len(off) != 1 || !off[0].Start.Time().Equal(d.at("14:00")) || !off[0].End.Time().Equal(d.at("15:00")) {
			t.Errorf("blocked: %+v", off)
		}
	}},
	{"move a booking by an hour", func(t *testing.T, d *workday, h *hand) {
		h.tap(calendarLink)
		h.until(calendarOn)
		h.drag(event(d.amira), 0, 60)
		h.sees("Amira Test is now on")
		if k := d.now(d.amira); !k.Start.Time().Equal(d.at("12:20")) {
			t.Errorf("moved to %s", k.Start)
		}
	}},
	{"mark who is due now as a no-show", func(t *testing.T, d *workday, h *hand) {
		h.tap(`.day-now[data-booking="` + d.otto.ID.String() + `"] form[action$="/no-show"] button`)
		h.sees("Otto Test is marked as a no-show")
		if k := d.now(d.otto); k.Status != booking.NoShow {
			t.Errorf("missed, but %s", k.Status)
		}
		_, err := d.UndoMark(t.Context(), d.Owner, d.otto.ID.String(), "") // the task below marks it again
		d.Must(err)
	}},
	{"mark a no-show an hour later", func(t *testing.T, d *workday, h *hand) {
		h.tap(row(d.otto) + ` summary`)
		h.tap(row(d.otto) + ` form[action$="/no-show"] button`)
		h.sees("Otto Test is marked as a no-show")
		if k := d.now(d.otto); k.Status != booking.NoShow {
			t.Errorf("missed, but %s", k.Status)
		}
	}},
	{"change a price", func(t *testing.T, d *workday, h *hand) {
		e := d.setup().EventType("beard-trim")
		h.more()
		h.tap(`a[href="` + dash.TypesPath + `"]`)
		price := `form[action="` + dash.TypePricePath(e.ID.String()) + `"]`
		h.fields++
		h.until(fmt.Sprintf(typedIn, price+" [name=price]", fmt.Sprint(e.Price.Amount/100+1)))
		h.tap(price + ` button`)
		h.sees("Saved.")
		if now := d.setup().EventType("beard-trim"); now.Price.Amount != e.Price.Amount+100 {
			t.Errorf("costs %d", now.Price.Amount)
		}
	}},
	{"new stylist who signs in", func(t *testing.T, d *workday, h *hand) { // and does five services
		h.more()
		h.tap(`a[href="` + dash.HostsPath + `"]`)
		h.tap(`.head-actions a[href="` + dash.NewHostPath + `"]`)
		h.types("name", "Nina Vogel", "email", "nina"+d.date+"@salon.example")
		h.tap(makeIt)
		h.sees("Give this link to nina" + d.date)
		who := d.setup().HostByEmail("nina" + d.date + "@salon.example")
		var does []string
		for _, e := range d.setup().EventTypes {
			if who != nil && e.ServedBy(who.ID) {
				does = append(does, e.Slug)
			}
		}
		if who == nil || len(does) < 5 || len(who.Weekly) == 0 {
			t.Errorf("made %+v, who does %v", who, does)
		}
		_, err := d.Shop.SwitchHost(t.Context(), d.Owner, who.ID.String(), false) // for the next width
		d.Must(err)
	}},
	{"new service, picture, two add-ons", func(t *testing.T, d *workday, h *hand) {
		photo := filepath.Join(t.TempDir(), "photo.png")
		d.Must(os.WriteFile(photo, pictureFile(t, 400, 300), 0o600))
		h.more()
		h.tap(`a[href="` + dash.TypesPath + `"]`)
		h.tap(`.head-actions a[href="` + dash.NewTypePath + `"]`)
		name := "Perm " + d.date
		h.types("title", name, "durationMinutes", "90", "price", "80")
		h.taps++ // and the dialog of the system
		h.until(`document.querySelector("#f-picture").checkVisibility()`)
		h.do(chromedp.SetUploadFiles(chromedp.CSS("#f-picture"), []string{photo}))
		h.tap("#tab-addons")
		h.types("a0.title", "Mask", "a0.price", "9", "a1.title", "Gloss", "a1.price", "12")
		h.tap(makeIt)
		h.sees("Created.")
		e := d.setup().EventType(catalog.SlugOf(name))
		if e == nil || e.DurationMinutes != 90 || e.Price.Amount != 8000 || e.Picture == 0 || len(e.AddOns) != 2 || e.AddOns[1].Price.Amount != 1200 || len(e.Hosts) == 0 {
			t.Errorf("made %+v", e)
		}
	}},
	{"see who it is and what they had", func(t *testing.T, d *workday, h *hand) {
		h.tap(row(d.ida) + ` .sheet-link`)
		h.until(`document.querySelector(".visits") && document.querySelector("h1").textContent == "Ida Test"`)
		who, err := d.People.ContactByID(t.Context(), d.Owner, d.ida.ContactID.String())
		d.Must(err)
		h.sees(fmt.Sprintf("%d bookings", who.Bookings))
		all, err := d.People.ContactBookings(t.Context(), d.Owner, who.ID.String(), "")
		d.Must(err)
		for i := range all.Data {
			if k := &all.Data[i]; k.ID != d.ida.ID {
				h.until(`document.querySelector('.visits a[href="` + dash.BookingPath(k.ID.String()) + `"]')`)
			}
		}
	}},
	{"take what is due in cash", func(t *testing.T, d *workday, h *hand) {
		h.tap(row(d.ida) + ` .pay button[value=cash]`)
		h.sees("Ida Test paid ")
		k := d.now(d.ida)
		if len(k.Payments) != 1 || k.Payments[0].Method != booking.ByCash || k.Due.Amount != 0 {
			t.Errorf("paid: %+v", k.Payments)
		}
	}},
	{"give back what was paid today", func(t *testing.T, d *workday, h *hand) {
		h.tap(row(d.ida) + ` .sheet-link`)
		h.tap(`.till-acts form button`)
		h.until(`document.querySelector(".pay button[value=cash]")`)
		if k := d.now(d.ida); k.Due.Amount != k.Price.Amount {
			t.Errorf("due: %+v", k.Due)
		}
	}},
	{"take cash with a tip", func(t *testing.T, d *workday, h *hand) {
		h.tap(row(d.ida) + ` .pay a`)
		h.types("tip", "5")
		h.tap(`.pay-form button[type=submit]`)
		h.sees("Ida Test paid ")
		k := d.now(d.ida)
		if n := len(k.Payments); n == 0 || k.Payments[n-1].Tip != 500 || k.Payments[n-1].Method != booking.ByCash || k.Due.Amount != 0 {
			t.Errorf("paid: %+v", k.Payments)
		}
	}},
	{"cancel a booking", func(t *testing.T, d *workday, h *hand) {
		h.tap(row(d.amira) + ` .sheet-link`)
		h.tap(`.danger:has(form[action$="/cancel"]) summary`)
		h.tap(`form[action$="/cancel"] button`)
		h.until(`document.querySelector(".head .badge").textContent == "Cancelled"`)
		if k := d.now(d.amira); k.Status != booking.Cancelled {
			t.Errorf("cancelled, but %s", k.Status)
		}
	}},
	{"next available for a regular", func(t *testing.T, d *workday, h *hand) {
		h.tap(newLink)
		h.letters("name", d.regular.Name[:5])
		h.tap(`#who-list [data-id="` + d.regular.ID.String() + `"]`)
		h.tap(makeIt)
		h.until(bookedOver)
		who, err := d.People.ContactByID(t.Context(), d.Owner, d.regular.ID.String())
		d.Must(err)
		if who.Bookings != d.regular.Bookings+2 {
			t.Errorf("%d bookings of the regular", who.Bookings)
		}
	}},
	{"cancel what is left of a day", func(t *testing.T, d *workday, h *hand) {
		h.tap(`.head-menu summary`)
		h.tap(`.head-menu a[href="` + dash.CancelPath + `"]`)
		h.tap(`button[name=do][value=all]`)
		h.until(`document.querySelector('input[value="` + d.nina.ID.String() + `"]').checked`)
		h.tap(`.form-end .button-bad`)
		h.sees("Cancel 1 booking?")
		h.tap(`.form-end .button-danger`)
		h.sees("1 booking is being cancelled")
		d.Clock.Advance(bulk.Undoable)
		d.Must(d.Bulk.CarryOut(t.Context()))
		if k := d.now(d.nina); k.Status != booking.Cancelled {
			t.Errorf("cancelled, but %s", k.Status)
		}
	}},
	{"close the day", func(t *testing.T, d *workday, h *hand) {
		h.more()
		h.tap(tillLink)
		h.types("counted", "149")
		h.tap(`.till-close button`)
		h.sees("The day is closed.")
		day, err := d.Counter.Day(t.Context(), d.Owner, "")
		d.Must(err)
		if len(day.Closes) == 0 {
			t.Errorf("closed, but %+v", day)
		}
	}},
	{"close for a week", func(t *testing.T, d *workday, h *hand) {
		first := d.at("00:00")
		first = first.AddDate(0, 0, 8*first.Day()) // the weeks of the two days don't meet
		last := first.AddDate(0, 0, 7)
		h.more()
		h.tap(`a[href="/dashboard/hosts"]`)
		h.tap(`a[href="/dashboard/hosts/all/away"]`)
		h.types("start", first.Format("2006-01-02T00:00"), "end", last.Format("2006-01-02T00:00"))
		h.tap(`form[action="/dashboard/hosts/all/away"] .button-main`)
		h.sees("Saved.")
		for _, k := range d.setup().Hosts {
			if off := k.Away(first.Add(time.Hour), last.Add(-time.Hour)); !slices.ContainsFunc(off,
				func(a catalog.Absence) bool { return a.Everybody && !a.Holiday && !a.Start.Time().After(first) }) {
				t.Errorf("%s is away %+v", k.Name, off)
			}
		}
	}},
	{"two weeks off", func(t *testing.T, d *workday, h *hand) {
		who := d.setup().Hosts[1]
		first := d.at("00:00").AddDate(0, 3, d.at("00:00").Day())
		h.more()
		h.tap(`a[href="` + dash.HostsPath + `"]`)
		h.tap(`a[href="` + hostURL(&who) + `"]`)
		h.tap(`.tabs a[href="` + dash.HostAwayPath(who.ID.String()) + `"]`)
		h.types("start", first.Format("2006-01-02T00:00"), "end", first.AddDate(0, 0, 14).Format("2006-01-02T00:00"))
		h.tap(`form[action="` + dash.HostAwayPath(who.ID.String()) + `"] .button-main`)
		h.sees("Saved.")
		if off := d.setup().Host(who.ID).Away(first.AddDate(0, 0, 1), first.AddDate(0, 0, 2)); len(off) == 0 {
			t.Error("not away")
		}
	}},
	{"book who calls, at a gap on Today", func(t *testing.T, d *workday, h *hand) {
		h.tap(`.sheet-gap a[href*="new=` + d.setup().Hosts[1].ID.String() + `"][href*="T15"]`)
		h.letters("name", d.regular.Name[:5])
		h.tap(`#who-list [data-id="` + d.regular.ID.String() + `"]`)
		h.tap(makeIt)
		h.until(bookedOver)
		who, err := d.People.ContactByID(t.Context(), d.Owner, d.regular.ID.String())
		d.Must(err)
		if who.Bookings != d.regular.Bookings+3 {
			t.Errorf("%d bookings of the regular", who.Bookings)
		}
	}},
}

// called is a customer who comes often and has a phone number.
func (w *world) called() booking.Contact {
	w.T.Helper()
	people, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{Q: "+4930555"}, nil, "")
	w.Must(err)
	i := slices.IndexFunc(people.Data, func(c booking.Contact) bool { return c.Phone != "" && c.Bookings > 3 })
	if i < 0 {
		w.T.Fatal("nobody with a phone number comes often")
	}
	return people.Data[i]
}

// clocks are when the tasks are done, where it isn't a quarter past ten.
var clocks = map[string]string{"see who it is and what they had": "12:05", "take what is due in cash": "12:05",
	"give back what was paid today": "12:06", "take cash with a tip": "12:07", "cancel what is left of a day": "14:00", "close the day": "19:05",
	"mark a no-show an hour later": "10:30", "mark who is due now as a no-show": "09:35", "cancel a booking": "12:05", "close for a week": "12:10"}

// The commonest tasks take as many clicks and taps as the package's documentation says.
func TestTaps(t *testing.T) {
	said, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	days := w.workdays()
	b := w.browse()
	w.Clock.Set(days[0].at("08:00"))
	b.signIn(w)
	taken := map[string][]string{}
	for i, width := range widths {
		h := b.hand(width)
		d := days[i]
		d.regular = w.called()
		for _, k := range tasks {
			d.Clock.Set(d.at(cmp.Or(clocks[k.name], "10:12")))
			h.open("/dashboard")
			h.taps, h.fields = 0, 0
			k.do(t, d, h)
			n := fmt.Sprint(h.taps)
			if h.fields > 0 {
				n += fmt.Sprintf("+%d", h.fields)
			}
			taken[k.name] = append(taken[k.name], n)
		}
	}
	rows := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}(\d\S*) +(\d\S*)`).FindAllStringSubmatch(string(said), -1) {
		rows[m[1]] = m[2:]
	}
	delete(rows, "task") // the heading
	if len(rows) != len(tasks) {
		t.Errorf("the table has %d tasks, not %d", len(rows), len(tasks))
	}
	for _, k := range tasks {
		if fmt.Sprint(rows[k.name]) != fmt.Sprint(taken[k.name]) {
			t.Errorf("%s takes %v, the table says %v", k.name, taken[k.name], rows[k.name])
		}
	}
}
