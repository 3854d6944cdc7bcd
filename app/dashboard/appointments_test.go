package dashboard

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
)

var (
	anyHidden = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)"`)
	anySelect = regexp.MustCompile(`(?s)<select id="[^"]+" name="([^"]+)">(.*?)</select>`)
	anyChosen = regexp.MustCompile(`<option value="([^"]*)" selected`)
)

// appointments sends the form of a preview of appointments, with other values for some of its fields.
func (b *visitor) appointments(preview response, changed ...string) response {
	b.w.T.Helper()
	form, body := url.Values{}, mainOf(preview.body)
	for _, m := range anyHidden.FindAllStringSubmatch(body, -1) {
		form.Add(m[1], html.UnescapeString(m[2]))
	}
	for _, m := range anySelect.FindAllStringSubmatch(body, -1) {
		chosen := anyChosen.FindStringSubmatch(m[2])
		if chosen == nil {
			chosen = []string{"", ""}
		}
		form.Set(m[1], chosen[1])
	}
	for i := 0; i < len(changed); i += 2 {
		form.Set(changed[i], changed[i+1])
	}
	var fields []string
	for name, values := range form {
		for _, value := range values {
			fields = append(fields, name, value)
		}
	}
	return b.post("/dashboard/contacts/import/appointments", fields...)
}

// A file of appointments is shown with what is to be chosen, and imported once nothing is open.
func TestAppointmentsPage(t *testing.T) {
	const page = "/dashboard/contacts/import/appointments"
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/contacts/import"), 200, page)
	b.wants(b.get(page), 200, "Import appointments")
	b.wants(b.upload(page, "a,b\n1,x@mail.example\n"), 422, "The first line needs headings")
	r := b.upload(page, "Date,Time,Duration,Service,Staff,Name,Email,Price\n"+
		"2027-01-12,09:10,30,Balayage <b>,Zoe,Lea Moved,lea@mail.example,45\n2027-01-12,09:20,30,Balayage <b>,Zoe,Kim,kim@mail.example,=1+1\n")
	b.wants(r, 200, "2 lines for which you choose below", "Make it: 30 minutes", "Balayage &lt;b&gt;", `!value="import"`)
	people := anySelect.FindAllStringSubmatch(r.body, -1)
	host := ""
	for _, m := range people {
		if m[1] == "person-zoe" {
			host = regexp.MustCompile(`value="(hs_[^"]*)"`).FindStringSubmatch(m[2])[1]
		}
	}
	r = b.appointments(r, "person-zoe", host)
	b.wants(r, 200, "1 appointment to come", "1 appointment at a time that is taken", "Import 1 appointment", "Send the reminder of 1")
	line3 := b.appointments(r, "at3", "2027-01-12T11:00")
	b.wants(line3, 200, "2 appointments to come", "Import 2 appointments", "!time that is taken")
	r = b.appointments(line3, "do", "import")
	b.wants(r, 200, "Imported", "2 appointments to come", "!left out")
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 50, Descending: true})
	w.Must(err)
	imported := 0
	for i := range all {
		if all[i].Imported != nil {
			imported++
		}
	}
	if imported != 2 {
		t.Errorf("%d bookings were imported", imported)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for i := range setup.EventTypes {
		if e := &setup.EventTypes[i]; strings.HasPrefix(e.Title, "Balayage <") && !e.Hidden {
			t.Errorf("the new service is on the page: %+v", e)
		}
	}
}

// What was cancelled there is listed unticked, and what was paid there stands beside Pay.
func TestAppointmentsPageOfTheSecondEvening(t *testing.T) {
	const page = "/dashboard/contacts/import/appointments"
	w := newWorld(t)
	b := w.asOwner()
	host := w.setup().Hosts[0].Name
	file := "Date,Time,Duration,Service,Staff,Name,Email,Price,Deposit paid,Status,Id\n" +
		"2027-01-12,09:10,30,Balayage," + host + ",Lea Moved,lea@mail.example,45,20 by card,ok,1\n" +
		"2027-01-12,10:10,30,Balayage," + host + ",Kim,kim@mail.example,4x5,,ok,2\n"
	r := b.upload(page, file)
	b.wants(r, 200, "1 price that can’t be read", "Line 3", "Paid there")
	b.wants(b.appointments(r, "do", "import"), 200, "2 appointments to come")
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 50, Descending: true})
	w.Must(err)
	lea := "/dashboard/bookings/" + all[1].ID.String()
	b.wants(b.get(lea), 200, "From the other program: Deposit paid: 20 by card")
	b.wants(b.get(lea+"/pay"), 200, "From the other program: Deposit paid: 20 by card")
	r = b.upload(page, strings.ReplaceAll(file, ",ok,", ",cancelled,"))
	b.wants(r, 200, "Cancelled there", `name="cancel" value="2">`, `name="cancel" value="3">`, "Do what is ticked")
	b.wants(b.appointments(r, "do", "import", "cancel", "3"), 200, "1 appointment cancelled, as it was there")
	for i, want := range []booking.Status{booking.Cancelled, booking.Confirmed} {
		if got, err := w.Reader(t.Context()).Booking(w.Workspace.ID, all[i].ID); err != nil || got.Status != want {
			t.Errorf("%s is %s, %v", got.Invitee.Name, got.Status, err)
		}
	}
}

// The owner imports appointments in a browser, in German: chooses who does what a stranger did and another time for one that
// meets another, and finds them in the calendar. No page scrolls sideways or breaks a rule of WCAG 2.2 AA that a machine
// can check, with much on it or little, in the light and the dark.
func TestAppointmentsMoveInABrowser(t *testing.T) {
	w := newWorld(t)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	axe := browser.Axe(t)
	b.look("light", 1280, 900)
	b.signIn(w)
	see := func(name string) { t.Helper(); b.fits("appointments-"+name, axe) }

	long := strings.Repeat("Donaudampfschifffahrt", 4)
	var much strings.Builder
	fmt.Fprintf(&much, "Datum;Uhrzeit;Dauer;Leistung;Mitarbeiter;Name;E-Mail;Preis;Status;%s\n", long)
	for i := range 60 {
		fmt.Fprintf(&much, "%02d.02.2027;10:00;45;%s %d;%s;%s;p%d@mail.example;45,00;%s;x\n", 1+i%20, long, i%8, long, long[:60], i,
			[]string{"bestätigt", "storniert", "x"}[i%3])
		fmt.Fprintf(&much, "bald;;;%s;;%s;p%d@mail.example;;;\n", long, long[:60], i)
	}
	few := "Datum;Uhrzeit;Dauer;Leistung;Mitarbeiter;Name;E-Mail;Preis\n" +
		"12.01.2027;09:00;30;Balayage;Zoe;Lea;lea@mail.example;45,00\n12.01.2027;09:20;30;Balayage;Zoe;Kim;kim@mail.example;45,00\n" +
		"12.01.2026;09:20;30;Balayage;Zoe;Kim;kim@mail.example;45,00\n"
	dir := t.TempDir()
	give := func(name, text string) {
		path := filepath.Join(dir, name+".csv")
		w.Must(os.WriteFile(path, []byte(text), 0o600))
		b.open("/dashboard/contacts/import/appointments")
		b.until("document.querySelector('#file')")
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path}))
		b.click("form[enctype] button[type=submit]")
		b.until("document.querySelector('#columns-h')")
	}
	b.open("/dashboard/contacts/import/appointments")
	see("start")
	give("much", much.String())
	see("much")
	give("few", few)
	b.fill("person-zoe", "new")
	b.click("section[aria-labelledby=people-h] button")
	b.until("document.querySelector('[name=\"email-zoe\"][aria-invalid]')")
	see("person")
	b.fill("email-zoe", "zoe@salon.example")
	b.click("section[aria-labelledby=people-h] button")
	b.until("document.querySelector('#overlaps-h')")
	see("overlap")
	b.fill("at3", "2027-01-12T11:00")
	b.click("section[aria-labelledby=overlaps-h] button")
	b.until("!document.querySelector('#overlaps-h')")
	b.click("button[value=import]")
	b.until("document.querySelector('.notice-good')")
	b.sees("2 kommende Termine")
	see("done")
	page := browser.Eval[string](t, b.ctx, "document.querySelector('.notice-good a[href*=\"/imports/\"]').getAttribute('href')")
	const again = "Datum;Uhrzeit;Dauer;Leistung;Mitarbeiter;Name;E-Mail;Preis;Status\n12.01.2027;09:00;30;Balayage;Zoe;Lea;lea@mail.example;45,00;storniert\n" +
		"14.01.2027;09:00;30;Pilates;Zoe;Ann;ann@mail.example;45,00;\n14.01.2027;09:00;30;Pilates;Zoe;Ben;ben@mail.example;gratis;\n"
	give("again", again)
	b.sees("Ein Kurs?")
	see("class")
	b.open("/dashboard/bookings/calendar?date=2027-01-12")
	b.sees("Lea")
	b.sees("Kim")
	b.open(page)
	see("undo")
	b.click("form[action$='/undo'] button")
	b.until("!document.querySelector('form[action$=\"/undo\"]')")
	b.sees("wie vor dem Import")
	see("undone")
}
