package page_test

import (
	"fmt"
	"log/slog"
	"net/http"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/assistant"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/serve"
)

// rush has so many visitors book within the hour, late in the booking window.
func (w *world) rush(bookings int) {
	w.T.Helper()
	a := app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}
	days, most := 31, 100
	open, err := w.Availability(w.T.Context(), a, availability.Input{EventType: "cut", From: "2026-12-05", Days: &days, Limit: &most})
	w.Must(err)
	if len(open.Slots()) < bookings {
		w.T.Fatalf("%d open times", len(open.Slots()))
	}
	for i, slot := range open.Slots()[:bookings] {
		in := apptest.Input("cut", "1T08:00", fmt.Sprintf("visitor%d", i))
		in.Start = slot.Start.String()
		_, err := w.Book(w.T.Context(), a, in)
		w.Must(err)
	}
}

// Sixty bookings of visitors within an hour are a rush where few are usual: from then on each costs a proof of work,
// also where the form was shown before. What the business books itself, and what was booked before, is no part of it.
func TestARushAsksForWork(t *testing.T) {
	w := newWorld(t, page.Options{})
	const form = "/salon/cut?start=2026-12-01T08:00:00Z"
	asks := func(want bool) answer {
		t.Helper()
		a := w.get(form)
		if strings.Contains(a.text, `data-challenge="16"`) != want || strings.Contains(a.text, `name="bymail"`) != want {
			t.Fatalf("work is asked for: %v", !want)
		}
		return a
	}
	w.rush(59)
	w.book("cut", "3T10:00", "phoned")
	before := asks(false)
	w.rush(1)
	sent := bookingForm("1T08:00", "mia", "key", before.hidden().Get("key"))
	again := w.send("POST", "/salon/cut", sent)
	if again.StatusCode != 422 || !strings.Contains(again.text, "data-again") || !strings.Contains(again.text, `data-challenge="16"`) {
		t.Fatalf("a form that was shown before: %d", again.StatusCode)
	}
	sent.Set("key", again.hidden().Get("key"))
	sent.Set("proof", prove(sent.Get("key"), false))
	if a := w.send("POST", "/salon/cut", sent); a.StatusCode != 422 || strings.Contains(a.text, "data-again") {
		t.Errorf("with a wrong proof: %d", a.StatusCode)
	}
	sent.Set("proof", prove(sent.Get("key"), true))
	if a := w.send("POST", "/salon/cut", sent); a.StatusCode != 303 {
		t.Errorf("with the work done: %d", a.StatusCode)
	}
}

// Whoever has no JavaScript in a rush is mailed a link whose button books. Until then nothing is booked, and their time is
// held for half an hour.
func TestARushConfirmsByMail(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	w.rush(60)
	live := w.live()
	sent := bookingForm("1T08:00", "mia", "bymail", "1", "key", w.get("/salon/cut?start=2026-12-01T08:00:00Z").hidden().Get("key"))
	for range 2 {
		if a := w.send("POST", "/salon/cut", sent); a.StatusCode != 200 || !strings.Contains(a.text, "mia@mail.example") || !strings.Contains(a.text, "30 minutes") {
			t.Fatalf("%d %s", a.StatusCode, a.text)
		}
	}
	if n := w.live(); n != live {
		t.Errorf("%d bookings before anything was confirmed, %d before", n, live)
	}
	all := w.asked()
	if len(all) != 1 || all[0].To != "mia@mail.example" {
		t.Fatalf("%d mails: %+v", len(all), all)
	}
	token := confirmLink.FindStringSubmatch(all[0].Text)
	if token == nil || !strings.Contains(all[0].Text, "30 minutes") || strings.Contains(all[0].Text, "assistant") {
		t.Fatalf("the mail: %s", all[0].Text)
	}
	open := func() bool {
		return strings.Contains(w.get("/salon/cut?date=2026-12-01").text, `data-start="2026-12-01T08:00:00Z"`)
	}
	if open() {
		t.Error("the time is not held")
	}
	w.Clock.Advance(29 * time.Minute)
	if open() {
		t.Error("the time is not held for half an hour")
	}
	late := bookingForm("2T08:00", "ida", "bymail", "1")
	if a := w.send("POST", "/salon/cut", late); a.StatusCode != 200 {
		t.Fatalf("another visitor: %d", a.StatusCode)
	}
	b, err := w.Guest.ConfirmByLink(t.Context(), token[1], netip.Addr{})
	w.Must(err)
	if b.Status != booking.Confirmed || w.live() != live+1 || b.Invitee.Name != "mia" || b.HostNamed {
		t.Errorf("confirmed: %+v", b)
	}
	w.Clock.Advance(31 * time.Minute)
	if !strings.Contains(w.get("/salon/cut?date=2026-12-02").text, `data-start="2026-12-02T08:00:00Z"`) {
		t.Error("a time is held for longer than half an hour")
	}
}

// What they ticked on the form counts once they confirm by the link in the mail: texts with the wording that stood there.
func TestTicksTravelWithTheMail(t *testing.T) {
	w, _ := newRush(t)
	w.sendsTexts()
	w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = catalog.AskBoth })
	confirms := func(person, at, number, from string, more ...string) (answer, booking.Texts) {
		t.Helper()
		sent := bookingForm(at, person, append([]string{"bymail", "1", "phone", number}, more...)...)
		if a := w.send("POST", "/salon/cut", sent, "X-Forwarded-For", from); a.StatusCode != 200 {
			t.Fatalf("%s: %d %s", person, a.StatusCode, a.text)
		}
		link := ""
		for _, m := range w.asked() {
			if strings.HasPrefix(m.To, person) {
				link = confirmLink.FindString(m.Text)
			}
		}
		a := w.send("POST", link, nil)
		if a.StatusCode != 303 {
			t.Fatalf("%s: %d %s", person, a.StatusCode, a.text)
		}
		token := strings.TrimPrefix(strings.Split(path(a.Header.Get("Location")), "?")[0], "/booking/")
		b, _, err := w.BookingByToken(t.Context(), token)
		w.Must(err)
		c, err := w.People.ContactByID(t.Context(), w.Owner, b.ContactID.String())
		w.Must(err)
		return w.get(a.Header.Get("Location")), *c.Texts
	}
	if _, got := confirms("una", "2T09:00", "+4915112345670", "203.0.113.61"); got.State != booking.TextsUnknown {
		t.Errorf("without a tick: %+v", got)
	}
	if _, got := confirms("zoe", "2T10:00", "+4915112345671", "203.0.113.62", "texts", "on"); got.State != booking.TextsYes ||
		got.By != booking.ByInvitee || !strings.HasPrefix(got.Wording, "Send me texts about my appointments. ") || !strings.Contains(got.Wording, "Reply STOP") {
		t.Errorf("ticked: %+v", got)
	}
	w.Must(w.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, w.Workspace.ID, "+4915112345672") }))
	if a, got := confirms("jo", "2T11:00", "+4915112345672", "203.0.113.63", "texts", "on"); got.State != booking.TextsStopped ||
		!strings.Contains(a.text, "STOP was sent from this number") {
		t.Errorf("after STOP: %+v", got)
	}
}

var confirmLink = regexp.MustCompile(`/booking/([^/\s]+)/confirm`)

// asked are the mails that ask visitors to confirm what they book.
func (w *world) asked() (sent []smtp.Message) {
	w.T.Helper()
	all, err := w.Store.Mails(w.Owner.Workspace, mail.Filter{Limit: 1000})
	w.Must(err)
	for i := range all {
		if all[i].Kind != catalog.MailGuest {
			continue
		}
		about, err := w.Mail.MailSubject(w.T.Context(), &all[i])
		w.Must(err)
		about.Sends = true
		m, err := mail.ComposeAbout(w.T.Context(), w.Mail, &all[i], &about, netmail.Address{})
		w.Must(err)
		sent = append(sent, *m)
	}
	return sent
}

// newRush is a salon in a rush, and what visitors see of it: the form with its work, the same sent by who can't do that,
// and what comes of it.
func newRush(t testing.TB) (*world, []state) {
	w := newWorld(t, page.Options{})
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	w.Alter("either", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	door, team, guests := page.New(w.Set, page.Options{}), page.NewDecisions(w.Set, slog.New(slog.DiscardHandler)), assistant.New(w.Set, assistant.Options{})
	var err error
	w.handler, err = serve.Handler(serve.Config{Pages: door.Pages, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
		Routes: func(mux *http.ServeMux) { door.Routes(mux); team.Routes(mux); guests.Routes(mux) }})
	w.Must(err)
	w.rush(60)
	confirm := func(eventType, person, at string) string {
		if a := w.send("POST", "/salon/"+eventType, bookingForm(at, person, "bymail", "1"), "X-Forwarded-For", "203.0.113."+at[:1]); a.StatusCode != 200 {
			t.Fatalf("%s: %d %s", person, a.StatusCode, a.text)
		}
		for _, m := range w.asked() {
			if strings.HasPrefix(m.To, person) {
				return confirmLink.FindString(m.Text)
			}
		}
		t.Fatalf("%s got no mail", person)
		return ""
	}
	waits, done, gone := confirm("cut", "mia", "1T08:00"), confirm("cut", "leo", "3T08:00"), confirm("course", "ida", "4T08:00")
	if a := w.send("POST", done, nil); a.StatusCode != 303 {
		t.Fatalf("confirmed: %d", a.StatusCode)
	}
	w.Alter("course", func(e *catalog.EventType) { e.Active = false })
	a := w.send("POST", "/salon/either", bookingForm("1T12:00", "Ida", "bymail", "1", "email", "", "phone", "+49 30 901820"))
	if a.StatusCode != 303 {
		t.Fatalf("by phone: %d", a.StatusCode)
	}
	pending := path(a.Header.Get("Location"))
	b, _, err := w.BookingByToken(t.Context(), strings.TrimPrefix(strings.Split(pending, "?")[0], "/booking/"))
	w.Must(err)
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	return w, []state{
		{name: "rush-form", at: "/salon/cut?start=" + apptest.At("2T09:00")},
		{name: "rush-again", at: "/salon/cut", form: bookingForm("2T09:00", "mia")},
		{name: "rush-mailed", at: "/salon/cut", form: bookingForm("2T10:00", "zoe", "bymail", "1")},
		{name: "rush-waits", at: "/salon/cut", form: bookingForm("2T11:00", "zoe", "bymail", "1")},
		{name: "rush-confirm", at: waits},
		{name: "rush-over", at: done},
		{name: "rush-gone", at: gone, form: url.Values{"yes": {"1"}}},
		{name: "rush-pending", at: pending},
		{name: "rush-decide", at: path(w.Mail.DecideURL(setup, b.ID))},
	}
}

// Visitors who book by themselves are told of no assistant, and on the page that asks for their yes of the zone as in
// the mail that led there.
func TestARushKnowsNoAssistants(t *testing.T) {
	w, all := newRush(t)
	for _, s := range all {
		a := w.send(map[bool]string{true: "GET", false: "POST"}[s.form == nil], s.at, s.form)
		if strings.Contains(a.text, "assistant") {
			t.Errorf("%s: %s", s.name, a.text)
		}
		if s.name == "rush-confirm" && !strings.Contains(a.text, "(Berlin, GMT+1)") {
			t.Errorf("%s: %s", s.name, a.text)
		}
	}
}

// live is how many live bookings there are, of up to a hundred.
func (w *world) live() int {
	w.T.Helper()
	limit := 100
	p, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Limit: &limit})
	w.Must(err)
	return len(p.Data)
}

// Where no mail goes out, or only a telephone number is known, the business must confirm the booking.
func TestARushWithoutMailIsPending(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Alter("either", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	w.rush(60)
	for name, sent := range map[string]url.Values{
		"no mail goes out": bookingForm("1T08:00", "mia", "bymail", "1"),
		"a phone only":     bookingForm("1T09:00", "ida", "bymail", "1", "email", "", "phone", "+49 30 901820"),
	} {
		a := w.send("POST", "/salon/either", sent)
		if a.StatusCode != 303 {
			t.Fatalf("%s: %d %s", name, a.StatusCode, a.text)
		}
		shown := w.get(path(a.Header.Get("Location")))
		if !strings.Contains(shown.text, `data-booking-status="pending"`) {
			t.Errorf("%s: %s", name, shown.text)
		}
	}
}

// A browser sends a form again by itself that was shown before the rush, and does the work.
func TestARushInBrowser(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	w.rush(59)
	browser.Do(t, ctx, chromedp.Navigate(w.open()+"/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z"))
	fillIn(t, ctx, "Mia")
	w.rush(1)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, bookingID)
}
