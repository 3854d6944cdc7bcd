package dashboard

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/views/dash"
)

// asking gives the beard trim two add-ons, and a question that customers must answer; somebody is there at 13:00.
func (w *world) asking() {
	w.T.Helper()
	e := *w.setup().EventType("beard-trim")
	e.AddOns = []catalog.AddOn{{ID: "oil", Title: "Oil", Minutes: 10, Price: &money.Money{Amount: 500, Currency: "EUR"}}, {ID: "towel", Title: "Hot towel"}}
	e.Questions = []catalog.Question{{Key: "skin", Label: "Skin", Type: "text", Required: true}}
	_, err := w.Shop.SaveEventType(w.T.Context(), w.Owner, e)
	w.Must(err)
	w.booked("haircut", "13:00", "Ida Test", 1)
}

// The calendar books the time that was clicked: where the service isn't free then, the page says so, keeps the time and
// offers the next free one. What is booked can be changed there, and no question to customers binds the business.
func TestBookingFromTheCalendar(t *testing.T) {
	w := newWorld(t)
	w.asking()
	ben := w.setup().Hosts[1].ID.String()
	b := w.asOwner()
	gap := b.get(calendarURL + "?date=" + quietDay + "&new=" + ben + "&at=" + quietDay + "T12:55")
	b.wants(gap, 200, "not free at 12:55\u202fPM")
	clicked := dash.NewBookingPath + "?type=beard-trim&host=" + ben + "&date=" + quietDay + "&start=" + quietDay
	taken := b.get(clicked + "T12:10:00Z")
	b.wants(taken, 200, "1:10\u202fPM: This time can’t be taken: not one of the usual starting times, another booking is at that time", `name="at" value="13:10"`, `name="date" value="`+quietDay+`"`, "!Book anyway")
	off := b.get(clicked + "T11:05:00Z")
	b.wants(off, 200, "12:05\u202fPM", "not one of the usual starting times", "Book anyway", "Next free time: 12:20\u202fPM", "Extras", `type="checkbox" name="addOns" value="oil"`, "!required>Skin", `data-choose`)
	form := []string{"type", "beard-trim", "host", ben, "start", quietDay + "T11:05:00Z", "override", "off_grid", "name", "Paul Phone", "phone", "+49 30 7777"}
	longer := b.post(dash.NewBookingPath, append(form, "addOns", "oil", "choose", "1")...)
	b.wants(longer, 200, `name="addOns" value="oil" checked`, "€27", "Paul Phone")
	if n := strings.Count(longer.body, `name="addOns"`); n != 2 {
		t.Errorf("%d fields for two add-ons", n)
	}
	b.wants(b.post(dash.NewBookingPath, append(form, "addOns", "oil", "addOns", "towel")...), 303)
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Q: "Paul Phone"})
	w.Must(err)
	if len(found.Data) != 1 || len(found.Data[0].AddOns) != 2 || len(found.Data[0].Answers) != 0 || found.Data[0].Start.String() != quietDay+"T11:05:00Z" {
		t.Errorf("booked %+v", found.Data)
	}
	guest := booking.BookInput{EventType: "beard-trim", Start: quietDay + "T09:00:00Z", Host: ben, Invitee: booking.Invitee{Name: "Gast", Email: "gast@mail.example"}}
	if _, err := w.Book(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}, guest); err == nil || !strings.Contains(err.Error(), "Skin") {
		t.Errorf("a customer without an answer: %v", err)
	}
}

// In a browser the length and the price follow a tick, and what was typed and the focus stay.
func TestAddOnsOfANewBookingInABrowser(t *testing.T) {
	w := newWorld(t)
	w.asking()
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	b.signIn(w)
	b.look("light", 390, 844)
	b.open(dash.NewBookingPath + "?type=beard-trim&host=" + w.setup().Hosts[1].ID.String() + "&date=" + quietDay + "&start=" + quietDay + "T11:05:00Z")
	b.sees("22\u00a0€")
	b.fill("name", "Paul Phone")
	b.click(`[name=addOns][value=oil]`)
	b.sees("27\u00a0€")
	b.until(`document.activeElement.value=="oil"&&document.activeElement.checked&&document.querySelector("[name=name]").value=="Paul Phone"`)
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](broad))
	w.Must(err)
	if found != "" {
		t.Error(found)
	}
	shot(b, "book-chosen-390")
	b.look("dark", 1440, 900)
	shot(b, "book-chosen-1440")
}
