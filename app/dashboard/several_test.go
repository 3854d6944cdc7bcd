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
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
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
func (w *world) fullDay() (day time.Time, all []booking.Booking) {
	w.T.Helper()
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	kind := w.setup().EventType("haircut")
	host := kind.Hosts[0].ID.String()
	for i, who := range []booking.Invitee{{Name: "Mia Mail", Email: "mia@mail.example", Locale: "de"},
		{Name: "Pia Phone", Phone: "+4930901820"}, {Name: "Otto Out", Email: "otto@mail.example"}} {
		start := time.Date(2026, 12, 13, 10+i, 0, 0, 0, w.setup().Zone)
		b, err := w.Book(w.T.Context(), w.Owner, booking.BookInput{EventType: kind.Slug, Host: host, Invitee: who,
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
	b.wants(page, 200, "Mia Mail", "E-mail to mia@mail.example", `href="tel:+4930901820"`, "! checked", "!bookings chosen")
	b.wants(b.post(at, append(chosen(page.body, all[0].ID.String(), pia.ID.String(), otto.ID.String()), "do", "all")...), 200,
		"3 bookings chosen", "2 people are told by e-mail", "1 person to tell yourself", "Deutsch, as Mia Mail gets it", "English")
	form := append(chosen(page.body, otto.ID.String()), "message", "Ana ist krank", "block", "on")
	b.wants(b.post(at, append(form, "do", "mail")...), 200, "Ana ist krank", "2 bookings chosen", "!Otto Out gets it")
	b.wants(b.post(at, "message", "x"), 422, "Choose at least one booking")
	b.wants(b.post(at, append(chosen(page.body), "message", strings.Repeat("x", 501), "block", "on")...), 422, "500")
	asks := b.post(at, form...)
	b.wants(asks, 200, "Cancel 2 bookings?", "1 person is told by e-mail", "1 person to tell yourself", "No money goes back", "This time is closed")
	yes := append(form, "do", "yes", "form", formKey(t, asks.body))
	waits := b.wantsRedirect(b.post(at, yes...))
	if again := b.wantsRedirect(b.post(at, yes...)); again != waits { // a double click
		t.Errorf("sent twice: %s and %s", waits, again)
	}
	b.wants(b.get(waits), 200, "2 bookings are being cancelled", `action="`+waits+`/undo"`, "Mia Mail")
	for _, page := range []string{"/dashboard", "/dashboard/bookings/calendar", "/dashboard/bookings/" + mia.ID.String()} {
		b.wants(b.get(page), 200, "2 bookings are being cancelled", `action="`+waits+`/undo"`, `data-left="60"`)
	}
	b.wants(b.get("/dashboard/bookings/calendar?date=2026-12-13"), 200, "Being cancelled")
	b.wants(b.get(at), 200, "Is being cancelled already", "disabled")
	w.Clock.Advance(bulk.Undoable)
	w.Must(w.Bulk.CarryOut(t.Context()))
	b.wants(b.get("/dashboard"), 200, "2 bookings are cancelled", `action="`+waits+`/seen"`)
	b.wants(b.get(waits), 200, "2 bookings are cancelled", "Tell them yourself", "Call 030 901820", "They get an e-mail",
		"mia@mail.example", "Not chosen", "Otto Out", "!Not cancelled")
	b.wants(b.post(waits+"/undo"), 409, "can’t be undone any more")
	b.wantsRedirect(b.post(waits + "/seen"))
	b.wants(b.get("/dashboard"), 200, "!2 bookings are cancelled")
	if off := w.setup().Host(mia.Host.ID).TimeOff; len(off) != before+1 || off[len(off)-1].Start != when.At(web.Midnight(day)) {
		t.Errorf("time off, sent twice: %v, %d before", off, before)
	}
	for _, k := range []booking.Booking{mia, pia} {
		k, err := w.Booking(t.Context(), w.Owner, k.ID.String())
		if err != nil || k.Status != booking.Cancelled || k.Cancellation.Reason != "Ana ist krank" {
			t.Errorf("%s: %s, %+v, %v", k.Invitee.Name, k.Status, k.Cancellation, err)
		}
	}
	if n := toldOfEnding(w, mia); n != 1 {
		t.Errorf("%d mails of it", n)
	}
	_, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: mia.EventType, Host: host, Start: mia.Start.String(), Invitee: mia.Invitee, Answers: w.answers(mia.EventType),
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
	form = chosen(staff.get(path + "?date=2026-12-13").body)
	asks = staff.post(path+"?date=2026-12-13", form...)
	staff.wants(asks, 200, "Cancel 1 booking?")
	waits = staff.wantsRedirect(staff.post(path+"?date=2026-12-13", append(form, "do", "yes", "form", formKey(t, asks.body))...))
	staff.wantsRedirect(staff.post(waits + "/undo"))
	staff.wants(staff.get(waits), 200, "Undone: 1 booking stays")
	staff.wants(staff.get("/dashboard"), 200, "!being cancelled")
}

// Who is in the chair can't be ticked for cancelling the rest of the day, and a form that chooses them all the same, such
// as one that was shown before they came, leaves them.
func TestWhoIsInTheChairStays(t *testing.T) {
	w := newWorld(t)
	_, all := w.fullDay()
	mia, pia := all[0], all[1]
	at := "/dashboard/bookings/cancel?date=2026-12-13&host=" + mia.Host.ID.String()
	box := func(k booking.Booking, page string) string {
		return regexp.MustCompile(`<input type="checkbox" name="booking" value="` + k.ID.String() + `"[^>]*>`).FindString(page)
	}
	w.Clock.Advance(mia.Start.Time().Sub(w.Clock.Now()) - time.Minute)
	b := w.asOwner()
	before := b.get(at)
	if got := box(mia, before.body); got == "" || strings.Contains(got, " disabled") {
		t.Errorf("before it begins: %s", got)
	}
	form := chosen(before.body)
	w.Clock.Advance(11 * time.Minute)
	page := b.post(at, append(form, "do", "all")...)
	b.wants(page, 200, "2 bookings chosen", "There now, or done")
	if got := box(mia, page.body); !strings.Contains(got, " disabled") || strings.Contains(got, " checked") {
		t.Errorf("in the chair: %s", got)
	}
	if got := box(pia, page.body); strings.Contains(got, " disabled") || !strings.Contains(got, " checked") {
		t.Errorf("who comes later: %s", got)
	}
	asks := b.post(at, form...)
	b.wants(asks, 200, "Cancel 2 bookings?")
	waits := b.wantsRedirect(b.post(at, append(form, "do", "yes", "form", formKey(t, asks.body))...))
	w.Clock.Advance(bulk.Undoable)
	w.Must(w.Bulk.CarryOut(t.Context()))
	b.wants(b.get(waits), 200, "2 bookings are cancelled", "There now, or done", "Mia Mail")
	for i, want := range []booking.Status{booking.Confirmed, booking.Cancelled, booking.Cancelled} {
		if k, err := w.Booking(t.Context(), w.Owner, all[i].ID.String()); err != nil || k.Status != want {
			t.Errorf("%s: %s, %v", all[i].Invitee.Name, k.Status, err)
		}
	}
	if n := toldOfEnding(w, mia); n != 0 {
		t.Errorf("%d mails to who is in the chair", n)
	}
}

// formKey is the key of the form that asks before bookings are cancelled.
func formKey(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`name="form" value="([A-Z0-9]+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no form with a key")
	}
	return m[1]
}

// wantsRedirect is where the answer to a form leads.
func (b *visitor) wantsRedirect(r response) string {
	b.w.T.Helper()
	if r.status != 303 {
		b.w.T.Fatalf("got %d, want a redirect: %s", r.status, r.body)
	}
	return r.location
}

// The bookings in a time off that was just saved are to be moved; nothing is ticked, and cancelling comes second.
func TestTimeOffMovesFirst(t *testing.T) {
	w := newWorld(t)
	_, all := w.fullDay()
	b := w.asOwner()
	host := all[0].Host.ID.String()
	to := b.wantsRedirect(b.post("/dashboard/hosts/"+host+"/away", "start", "2026-12-13T00:00", "end", "2026-12-14T00:00", "reason", "Away"))
	page := b.get(to)
	b.wants(page, 200, "3 bookings in this time", "Move Mia Mail", "! checked", "!button-danger")
	move := regexp.MustCompile(`href="(/dashboard/bookings/` + all[0].ID.String() + `/move\?back=[^"]+)"`).FindStringSubmatch(page.body)
	if move == nil {
		t.Fatal("no link to move")
	}
	path := html.UnescapeString(move[1])
	form := b.get(path)
	b.wants(form, 200, `name="back"`)
	u, err := url.Parse(path)
	w.Must(err)
	back := b.wantsRedirect(b.post(u.Path, "start", "2026-12-15T10:00:00+01:00", "host", "", "back", u.Query().Get("back"), "override", "outside_hours",
		"override", "off_grid", "override", "too_far"))
	b.wants(b.get(back), 200, "2 bookings in this time", "!Mia Mail")
	if strings.Contains(b.wantsRedirect(b.post("/dashboard/bookings/"+all[1].ID.String()+"/move", "start", "2026-12-15T14:00:00+01:00",
		"back", "https://evil.example/dashboard/bookings/cancel", "override", "outside_hours", "override", "off_grid", "override", "too_far")), "evil") {
		t.Error("it leads anywhere")
	}
}

// toldOfEnding counts the mails of a cancellation to the invitee of a booking.
func toldOfEnding(w *world, b booking.Booking) (n int) {
	w.T.Helper()
	for written := 1; written > 0; {
		var err error
		written, err = w.Mail.WriteMails(w.T.Context(), 100)
		w.Must(err)
	}
	page, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{Booking: b.ID.String()})
	w.Must(err)
	for _, m := range page.Data {
		if m.Kind == catalog.MailCancelled {
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
	for n, width := range []int64{390, 1440} {
		b.look("light", width, 844)
		b.open(at)
		b.until(`document.querySelectorAll("[name=booking]").length > 0 && !document.querySelector("[name=booking]:checked")`)
		b.click(`input[value="` + all[n].ID.String() + `"]`)
		b.fill("message", "I am ill, sorry")
		b.until(`(document.querySelector("button[value=mail]").scrollIntoView({block:"center"}),true)`) // out from under the bar at the bottom
		b.click(`button[value=mail]`)
		if n == 0 {
			b.until(`document.querySelector(".cancel-mail").innerText.includes("I am ill, sorry")`)
		}
		b.sees("1 booking chosen")
		b.until(`document.querySelectorAll("[name=booking]:checked").length === 1`)
		b.click(".form-end .button-bad")
		b.sees("Cancel 1 booking?")
		looks := func(name string) {
			for _, theme := range []string{"dark", "light"} {
				browser.Media(t, b.ctx, theme)
				browser.Accessible(t, b.ctx, axe)
				shot(b, name+"-"+strconv.FormatInt(width, 10)+"-"+theme)
			}
			if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
				t.Errorf("%s scrolls sideways by %d at %d", name, wide, width)
			}
		}
		looks("cancel-ask")
		b.click(".form-end .button-danger")
		b.sees("1 booking is being cancelled")
		looks("cancel-waits")
		b.open("/dashboard")
		b.until(`document.querySelector("[data-cancelling] [data-left]") !== null`)
		looks("cancel-today")
		if n == 0 { // undone
			b.click("[data-cancelling] form button")
			b.sees("Undone: 1 booking stays")
			continue
		}
		w.Clock.Advance(bulk.Undoable)
		w.Must(w.Bulk.CarryOut(t.Context())) // the page hears of it
		b.until(`document.querySelector("[data-cancelling]")?.innerText.includes("1 booking is cancelled")`)
		b.click("[data-cancelling] a")
		b.sees("Tell them yourself")
		looks("cancelled")
	}
	for n, want := range []booking.Status{booking.Confirmed, booking.Cancelled} { // the first was undone
		if k, err := w.Booking(t.Context(), w.Owner, all[n].ID.String()); err != nil || k.Status != want {
			t.Errorf("%s is %s, want %s, %v", k.Invitee.Name, k.Status, want, err)
		}
	}
}
