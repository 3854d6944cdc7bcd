package dashboard

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest/browser"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/notice"
	"daybook/app/record"
	"daybook/app/when"
)

var listedInput = regexp.MustCompile(`name="listed" value="([^"]+)"`)

// chosen is the form of a list of bookings, all of them chosen but those left out.
func chosen(page string, out ...string) (form []string) {
	for _, m := range listedInput.FindAllStringSubmatch(page, -1) {
		listed := html.UnescapeString(m[1])
		id, _, _ := strings.Cut(listed, "~")
		if form = append(form, "listed", listed); !slices.Contains(out, id) {
			form = append(form, "booking", id)
		}
	}
	return form
}

// fullDay is a day with the bookings of one host that the tests add to: paid in part at the counter, by phone only.
func (w *world) fullDay() (day time.Time, all []record.Booking) {
	w.T.Helper()
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	kind := w.setup().EventType("haircut")
	host := kind.Hosts[0].ID.String()
	for i, who := range []record.Invitee{{Name: "Mia Mail", Email: "mia@mail.example", Locale: "de"},
		{Name: "Pia Phone", Phone: "+4930901820"}, {Name: "Otto Out", Email: "otto@mail.example"}} {
		start := time.Date(2026, 12, 13, 10+i, 0, 0, 0, w.setup().Zone)
		b, err := w.Book(w.T.Context(), w.Owner, record.BookInput{EventType: kind.Slug, Host: host, Invitee: who,
			Start: start.Format(time.RFC3339), Answers: w.answers(kind.Slug), Override: []string{"outside_hours", "off_grid", "too_far"}})
		w.Must(err)
		day, all = start, append(all, b)
	}
	return day, all
}

// A day of somebody who is ill is cancelled from a list that says who is told and how; its time is closed first.
func TestCancellingADay(t *testing.T) {
	w := newWorld(t)
	day, all := w.fullDay()
	mia, pia, otto := all[0], all[1], all[2]
	host := mia.Host.ID.String()
	b := w.asOwner()
	for _, page := range []string{"/dashboard", "/dashboard/bookings/calendar", "/dashboard/hosts/" + host} {
		b.wants(b.get(page), 200, `href="/dashboard/bookings/cancel`)
	}
	const path = "/dashboard/bookings/cancel"
	at := path + "?host=" + host + "&date=2026-12-13"
	b.wants(b.get(path+"?date=2026-12-07&from=12:00&to=11:00"), 422, "notice-bad")
	b.wants(b.get(path+"?host=hs_0"), 404)
	b.wants(b.get(path+"?date=2020-01-01"), 200, "No bookings")
	b.wants(b.get(at+"&from=11:00&to=11:15"), 200, "Pia Phone", "!Mia Mail", "!Otto Out")
	page := b.get(at)
	before := len(w.setup().Host(mia.Host.ID).TimeOff)
	b.wants(page, 200, "Mia Mail", "E-mail to mia@mail.example", `href="tel:+4930901820"`, "3 bookings chosen", "2 get an e-mail",
		"1 to tell yourself", "Deutsch, as Mia Mail gets it", "English")
	form := append(chosen(page.body, otto.ID.String()), "message", "Ana ist krank", "block", "on")
	b.wants(b.post(at, append(form, "do", "mail")...), 200, "Ana ist krank", "2 bookings chosen", "!Otto Out gets it")
	b.wants(b.post(at, "message", "x"), 422, "Choose at least one booking")
	b.wants(b.post(at, append(chosen(page.body), "message", strings.Repeat("x", 501), "block", "on")...), 422, "500")
	b.wants(b.post(at, form...), 200, "2 bookings are cancelled")
	b.wants(b.post(at, form...), 200, "2 bookings are cancelled", "Tell them yourself", "Call 030 901820", "They get an e-mail",
		"mia@mail.example", "Not chosen", "Otto Out", "!Not cancelled")
	if off := w.setup().Host(mia.Host.ID).TimeOff; len(off) != before+1 || off[len(off)-1].Start != when.At(web.Midnight(day)) {
		t.Errorf("time off, sent twice: %v, %d before", off, before)
	}
	for _, k := range []record.Booking{mia, pia} {
		k, err := w.Booking(t.Context(), w.Owner, k.ID.String())
		if err != nil || k.Status != record.Cancelled || k.Cancellation.Reason != "Ana ist krank" {
			t.Errorf("%s: %s, %+v, %v", k.Invitee.Name, k.Status, k.Cancellation, err)
		}
	}
	if n := toldOfEnding(w, mia); n != 1 {
		t.Errorf("%d mails of it", n)
	}
	_, err := w.Book(t.Context(), w.Owner, record.BookInput{EventType: mia.EventType, Host: host, Start: mia.Start.String(), Invitee: mia.Invitee, Answers: w.answers(mia.EventType),
		Override: []string{"outside_hours", "off_grid", "too_far"}})
	w.Refused(err, fault.Conflict, "slot_taken")

	staff := w.staff(mia.Host.ID)
	staff.wants(staff.get(path+"?date=2026-12-13"), 200, "Otto Out", `!name="host"`)
	var other string
	for _, h := range w.setup().Hosts {
		if h.ID != mia.Host.ID {
			other = h.ID.String()
		}
	}
	staff.wants(staff.get(path+"?date=2026-12-13&host="+other), 200, "Otto Out") // their own, whatever is asked for
	staff.wants(staff.post(path+"?date=2026-12-13", chosen(staff.get(path+"?date=2026-12-13").body)...), 200, "1 booking is cancelled")
}

// toldOfEnding counts the mails of a cancellation to the invitee of a booking.
func toldOfEnding(w *world, b record.Booking) (n int) {
	w.T.Helper()
	for written := 1; written > 0; {
		var err error
		written, err = w.Mail.WriteMails(w.T.Context(), 100)
		w.Must(err)
	}
	page, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{Booking: b.ID.String()})
	w.Must(err)
	for _, m := range page.Data {
		if m.Kind == notice.MailCancelled {
			n++
		}
	}
	return n
}

// The list and what became of it are read by a machine's rules in both themes, and work with a thumb.
func TestCancellingADayOnAPhone(t *testing.T) {
	w := newWorld(t)
	_, all := w.fullDay()
	b := w.browse()
	axe := browser.Axe(t)
	b.signIn(w)
	at := "/dashboard/bookings/cancel?" + url.Values{"host": {all[0].Host.ID.String()}, "date": {"2026-12-13"}}.Encode()
	b.accessible("cancel", at, axe)
	for _, width := range []int64{1440, 390} { // the form that corrects a booking, open
		b.look("light", width, 844)
		b.open("/dashboard/bookings/" + all[0].ID.String())
		b.click(`details:has(form[action$="/edit"]) > summary`)
		b.until(`document.querySelector('form[action$="/edit"] textarea').checkVisibility()`)
		for _, theme := range []string{"dark", "light"} {
			browser.Media(t, b.ctx, theme)
			browser.Accessible(t, b.ctx, axe)
			shot(b, "edit-"+strconv.FormatInt(width, 10)+"-"+theme)
		}
		if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
			t.Errorf("the edit form scrolls sideways by %d at %d", wide, width)
		}
	}
	b.look("light", 390, 844)
	b.open(at)
	b.click(`input[value="` + all[2].ID.String() + `"]`)
	b.fill("message", "I am ill, sorry")
	b.click(`button[value=mail]`)
	b.until(`document.querySelector(".cancel-mail").innerText.includes("I am ill, sorry")`)
	b.until(`!document.querySelector('input[value="` + all[2].ID.String() + `"]').checked`)
	b.click(".form-end .button-danger")
	b.sees("2 bookings are cancelled")
	for _, theme := range []string{"dark", "light"} {
		browser.Media(t, b.ctx, theme)
		browser.Accessible(t, b.ctx, axe)
		shot(b, "cancelled-390-"+theme)
	}
	if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
		t.Errorf("the result scrolls sideways by %d", wide)
	}
}
