package page_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/mail/smtp"
	"daybook/app/page"
)

// scenario is one request and what must, and must not, come of it.
type scenario struct {
	name     string
	request  string // "GET /salon", "POST /salon/cut"
	form     url.Values
	headers  []string
	status   int
	contains []string
	never    []string
}

func (w *world) play(t *testing.T, all []scenario) {
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			method, target, _ := strings.Cut(s.request, " ")
			a := w.send(method, target, s.form, s.headers...)
			if a.StatusCode != s.status {
				t.Fatalf("%s: status %d, want %d\n%.1500s", s.request, a.StatusCode, s.status, a.text)
			}
			for _, part := range s.contains {
				if !strings.Contains(a.text, part) {
					t.Errorf("%s: no %q in\n%.6000s", s.request, part, a.text)
				}
			}
			for _, part := range s.never {
				if strings.Contains(a.text, part) {
					t.Errorf("%s: %q in the page", s.request, part)
				}
			}
		})
	}
}

func TestPages(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.book("cut", "1T09:00", "mia")
	w.play(t, []scenario{
		{name: "the list", request: "GET /salon", status: 200,
			contains: []string{"<h1>Salon Ana</h1>", `href="/salon/cut"`, "€45", "Bridal styling", `"makesOffer"`, `rel="canonical" href="https://book.example.com/salon"`},
			never:    []string{">Closed<", "<script>", " style="}},
		{name: "the month", request: "GET /salon/cut?timeZone=Europe/Berlin", status: 200,
			contains: []string{"Haircut", `data-day="2026-11-30"`, `data-start="2026-11-30T08:00:00Z"`, `og:description" content="Wash, cut and dry."`, `"ReserveAction"`, `"price":"45.00"`}},
		{name: "the day's free times", request: "GET /salon/cut?date=2026-12-01&timeZone=Europe/Berlin", status: 200,
			contains: []string{`data-start="2026-12-01T08:00:00Z"`, `data-start="2026-12-01T10:00:00Z"`}, never: []string{`data-start="2026-12-01T09:00:00Z"`}},
		{name: "days are the visitor's", request: "GET /salon/bridal?date=2026-12-01&timeZone=Pacific/Auckland", status: 200,
			contains: []string{`data-start="2026-11-30T11:00:00Z"`}, never: []string{`data-start="2026-12-01T11:00:00Z"`}},
		{name: "a weekend has none, and says when", request: "GET /salon/cut?date=2026-12-05", status: 200,
			contains: []string{"This day has no free times.", `date=2026-12-07`}},
		{name: "another clock", request: "GET /salon/cut?clock=24&lang=en-US", status: 200, contains: []string{"09:00"}},
		{name: "a zone by city", request: "GET /salon/either?timeZone=new+york", status: 200, contains: []string{"New York", `data-time-zone="America/New_York"`}},
		{name: "no zone", request: "GET /salon/either?timeZone=Atlantis", status: 200, contains: []string{"No time zone has this name"}},
		{name: "seats", request: "GET /salon/course?date=2026-12-02", status: 200, contains: []string{"3 places left"}},
		{name: "German by the browser", request: "GET /salon/cut", headers: []string{"Accept-Language", "de-AT,en;q=0.5"}, status: 200, contains: []string{`lang="de"`, "November"}},
		{name: "French by the address", request: "GET /salon/cut?lang=fr", headers: []string{"Accept-Language", "de"}, status: 200, contains: []string{`lang="fr"`, "Novembre"}},
		{name: "a theme", request: "GET /salon?theme=dark", status: 200, contains: []string{`data-theme="dark"`}},
		{name: "the form", request: "GET /salon/cut?date=2026-12-01&start=2026-12-01T08:00:00Z&timeZone=Europe/Berlin", status: 200,
			contains: []string{`name="name"`, `name="email"`, `name="notes"`, `name="timeZone" value="Europe/Berlin"`, `name="start" value="2026-12-01T08:00:00Z"`}},
		{name: "the form, filled in", request: "GET /salon/asks?start=2026-12-01T08:00:00Z&name=Mia+B&email=mia@mail.example&q_length=Long&phone=030+1&q_agree=1&notes=%3Cb%3E", status: 200,
			contains: []string{`value="Mia B"`, `value="mia@mail.example"`, `<option value="Long" selected`, `value="030 1"`, `value="on" checked`, "&lt;b&gt;"}},
		{name: "the form of a time that was taken", request: "GET /salon/cut?start=2026-12-01T09:00:00Z", status: 200,
			contains: []string{"Someone just took this time", `data-start="2026-12-01T10:00:00Z"`}},
		{name: "the form of a past time is the month", request: "GET /salon/cut?start=2026-11-01T09:00:00Z", status: 200, contains: []string{`data-day=`}},
		{name: "nonsense picks", request: "GET /salon/cut?date=2026-02-31&month=99&start=x&timeZone=../../etc/passwd", status: 200, contains: []string{`data-day="2026-11-30"`}},
		{name: "a past month is this one", request: "GET /salon/cut?month=1999-01", status: 200, contains: []string{`data-day="2026-11-30"`}},
		{name: "a far month is the last one", request: "GET /salon/cut?month=2999-01", status: 200, contains: []string{`data-day="2027-01-29"`}},
		{name: "no workspace", request: "GET /nobody", status: 404, contains: []string{"There is nothing at this address"}},
		{name: "no event type", request: "GET /salon/nothing", status: 404, contains: []string{"There is nothing at this address", "See what Salon Ana offers"}},
		{name: "a closed one", request: "GET /salon/closed", status: 404, contains: []string{"Not open for booking"}, never: []string{"data-day"}},
		{name: "a form to a closed one", request: "POST /salon/closed", form: bookingForm("1T10:00", "leo"), status: 404, contains: []string{"Not open for booking"}},
		{name: "no page", request: "GET /a/b/c", status: 404, contains: []string{"There is nothing at this address"}},
		{name: "a wrong link", request: "GET /booking/abcdef", status: 404, contains: []string{"There is nothing at this address"}},
		{name: "a long wrong link", request: "GET /booking/" + strings.Repeat("z", 300), status: 404},
		{name: "head", request: "HEAD /salon/cut", status: 200, never: []string{"<"}},
		{name: "a method", request: "DELETE /salon/cut", status: 405},
		{name: "a slash", request: "GET /salon/?lang=de", status: 308},
		{name: "a form too large", request: "POST /salon/cut", form: bookingForm("1T10:00", "leo", "notes", strings.Repeat("x", 200_000)), status: 413},
	})
	if n := w.count(); n != 1 {
		t.Errorf("%d bookings, want the 1 made before", n)
	}
}

func TestSlashLeadsNowhereElse(t *testing.T) {
	w := newWorld(t, page.Options{})
	for from, to := range map[string]string{
		"/salon/?lang=de": "/salon?lang=de", "/salon/cut/": "/salon/cut", "/%2Fevil.example/": "/%2Fevil.example", "/%5Cevil.example/x/": "/%5Cevil.example/x",
	} {
		if a := w.get(from); a.StatusCode != 308 || a.Header.Get("Location") != to {
			t.Errorf("%s: %d %q, want %q", from, a.StatusCode, a.Header.Get("Location"), to)
		}
	}
}

func TestBookAndReload(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	form := w.get("/salon/course?start=2026-12-01T08:00:00Z&timeZone=Asia/Tokyo&lang=fr&embed=inline")
	sent := form.hidden()
	sent.Set("name", "Mia Becker")
	sent.Set("email", " Mia@Mail.example ")
	sent.Set("notes", "Just the tips")
	action := form.all(`<form method="post" action="([^"]*)"`)[0]
	a := w.send("POST", action, sent)
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d: %.800s", a.StatusCode, a.text)
	}
	at := a.Header.Get("Location")
	if !strings.HasPrefix(at, "/booking/") || !strings.Contains(at, "new=1") || !strings.Contains(at, "embed=inline") || a.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("led to %q: %v", at, a.Header)
	}
	shown := w.get(at)
	for _, want := range []string{"data-booking-id=\"bk_", "data-booked", "Mia@Mail.example", "Just the tips", "17:00", "Tokyo", `lang="fr"`, "calendar.google.com", "outlook.live.com", "/calendar.ics"} {
		if !strings.Contains(shown.text, want) {
			t.Errorf("the confirmation has no %q", want)
		}
	}
	if shown.Header.Get("Cache-Control") != "no-store" || shown.Header.Get("Referrer-Policy") != "no-referrer" || !strings.Contains(shown.text, "noindex") {
		t.Errorf("%v", shown.Header)
	}
	// The same form again is the same confirmation; anybody who types that address into another form gets a booking
	// of their own, and learns nothing of this one.
	if again := w.send("POST", action, sent); again.Header.Get("Location") != at {
		t.Errorf("again: %d %q, want %q", again.StatusCode, again.Header.Get("Location"), at)
	}
	other := w.send("POST", "/salon/course", bookingForm("1T08:00", "x", "email", "MIA@mail.example"))
	if its := other.Header.Get("Location"); other.StatusCode != http.StatusSeeOther || strings.HasPrefix(its, strings.Split(at, "?")[0]) {
		t.Errorf("another form: %d %q\n%s", other.StatusCode, its, other.text)
	}
	p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
	w.Must(err)
	if len(p.Data) != 2 {
		t.Fatalf("%d bookings", len(p.Data))
	}
	b := p.Data[slices.IndexFunc(p.Data, func(b booking.Booking) bool { return b.Notes == "Just the tips" })]
	h, err := w.History(t.Context(), w.Owner, b.ID.String())
	w.Must(err)
	if b.Invitee.TimeZone != "Asia/Tokyo" || b.Invitee.Locale != "fr" || h[0].Actor != booking.ByInvitee {
		t.Errorf("%+v %+v", b.Invitee, h)
	}
}

// A form that is sent many times at once, as an impatient visitor does, books once, and all see the same confirmation.
func TestContestManyClicksBookOnce(t *testing.T) {
	w := newWorld(t, page.Options{})
	sent := w.get("/salon/either?start=2026-12-01T08:00:00Z").hidden()
	sent.Set("name", "Mia")
	sent.Set("email", "mia@mail.example")
	const clicks = 12
	led := make(chan string, clicks)
	for range clicks {
		go func() { led <- w.send("POST", "/salon/either", sent).Header.Get("Location") }()
	}
	first := <-led
	for range clicks - 1 {
		if at := <-led; at != first || at == "" {
			t.Errorf("led to %q and %q", first, at)
		}
	}
	if n := w.count(); n != 1 {
		t.Errorf("%d bookings", n)
	}
}

// Of those who want the same time at once, one gets it; the others get what they typed and the next times.
func TestContestOfTwoPages(t *testing.T) {
	w := newWorld(t, page.Options{})
	const people = 8
	answers := make(chan answer, people)
	for i := range people {
		go func() {
			answers <- w.send("POST", "/salon/cut", bookingForm("1T08:00", "p"+string(rune('a'+i)), "notes", "my own notes"))
		}()
	}
	booked := 0
	for range people {
		a := <-answers
		if a.StatusCode == http.StatusSeeOther {
			booked++
			continue
		}
		if a.StatusCode != http.StatusConflict {
			t.Fatalf("status %d", a.StatusCode)
		}
		times := a.all(`type="radio" name="start" value="([^"]*)"`)
		if want := []string{"2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z"}; !slices.Equal(times, want) {
			t.Errorf("offered %v", times)
		}
		for _, want := range []string{"Someone just took this time", "my own notes", "@mail.example", `name="timeZone" value="Europe/Berlin"`} {
			if !strings.Contains(a.text, want) {
				t.Errorf("no %q", want)
			}
		}
		if a.hidden().Get("start") != "" {
			t.Error("the taken time is still in the form")
		}
	}
	if booked != 1 || w.count() != 1 {
		t.Errorf("%d booked, %d bookings", booked, w.count())
	}
}

func TestForms(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.book("rare", "3T08:00", "leo")
	asks := func(more ...string) url.Values {
		return bookingForm("1T10:00", "mia", append([]string{"q_length", "Short", "q_phone", "+49 30 1", "q_agree", "on", "q_long", "none"}, more...)...)
	}
	w.play(t, []scenario{
		{name: "all fields are looked at", request: "POST /salon/asks", form: bookingForm("1T10:00", "mia", "name", "", "email", "mia@", "q_wish", strings.Repeat("y", 501)), status: 422,
			contains: []string{"Please check 7 fields", "Please fill this in.", "name@example.com", "Please choose one", "Please tick this box", "at most 500 characters", `value="mia@"`}},
		{name: "a question without an answer", request: "POST /salon/asks", form: asks("q_length", ""), status: 422,
			contains: []string{`<a href="#f-q_length">Hair length: Please`}},
		{name: "a long question without an answer", request: "POST /salon/asks", form: asks("q_long", ""), status: 422,
			contains: []string{`<a href="#f-q_long">Which of the treatments that we offer in the spring have…: Please`}},
		{name: "an option that is none", request: "POST /salon/asks", form: asks("q_length", "Bald"), status: 422, contains: []string{"Please choose one of the options."}},
		{name: "a phone that is none", request: "POST /salon/asks", form: asks("q_phone", "call me"), status: 422, contains: []string{"Please enter a phone number", `value="call me"`}},
		{name: "control characters", request: "POST /salon/asks", form: asks("name", "M\x01a"), status: 422, contains: []string{"letters, digits and punctuation"}},
		{name: "in German", request: "POST /salon/asks?lang=de", form: asks("email", ""), status: 422, contains: []string{"Bitte"}},
		{name: "a robot", request: "POST /salon/asks", form: asks("website", "http://spam.example"), status: 422, contains: []string{"mia@mail.example"}},
		{name: "no time", request: "POST /salon/asks", form: asks("start", ""), status: 422, contains: []string{`type="radio" name="start"`, "can’t be booked any more"}},
		{name: "a past time", request: "POST /salon/asks", form: asks("start", "2026-11-01T08:00:00Z"), status: 400, contains: []string{`type="radio" name="start"`, `value="2026-11-30T`}},
		{name: "a time off the grid", request: "POST /salon/asks", form: asks("start", "2026-12-01T10:07:00Z"), status: 400, contains: []string{`value="2026-12-01T11:00:00Z"`}},
		{name: "a day that is full", request: "POST /salon/rare", form: bookingForm("3T10:00", "mia"), status: 409, contains: []string{"can’t be booked any more", `value="2026-12-04T08:00:00Z"`}},
		{name: "too soon", request: "POST /salon/cut", form: bookingForm("0T07:30", "mia"), status: 409},
		{name: "an unknown zone", request: "POST /salon/cut", form: bookingForm("4T10:00", "tim", "timeZone", "Atlantis"), status: 303},
		{name: "a body that is no form", request: "POST /salon/cut", headers: []string{"Content-Type", "application/json"}, form: url.Values{}, status: 422},
		{name: "all is well", request: "POST /salon/asks", form: asks(), status: 303},
		{name: "approval", request: "POST /salon/bridal", form: bookingForm("2T10:00", "zoe"), status: 303},
	})
	p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{EventType: "asks"})
	w.Must(err)
	if len(p.Data) != 1 || p.Data[0].Answers["agree"] != true || p.Data[0].Answers["length"] != "Short" || p.Data[0].Invitee.Phone != "+49 30 1" {
		t.Errorf("%+v", p.Data)
	}
}

// What was typed goes along to the calendar, and from there into the form of another time.
func TestTypedGoesAlong(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.book("cut", "1T08:00", "leo")
	a := w.send("POST", "/salon/cut", bookingForm("1T08:00", "mia", "notes", "a & b"))
	all := w.get(a.all(`class="other-all" href="([^"]*)"`)[0])
	form := w.get(all.all(`<a class="time" href="([^"]*)"`)[0])
	for _, want := range []string{`value="mia"`, `value="mia@mail.example"`, "a &amp; b"} {
		if !strings.Contains(form.text, want) {
			t.Errorf("no %s in %s", want, form.text)
		}
	}
	if form.Header.Get("Cache-Control") != "no-store" {
		t.Error(form.Header)
	}
}

// The file of a visit has its one event; that of a booking in it has the booking's own, and says nothing of the others.
func TestCalendarFileOfAVisit(t *testing.T) {
	w := newWorld(t, page.Options{})
	v := w.bookVisit("3T08:00", "mia", "either", "cut")
	all, second := path(v.ManageURL)+"/calendar.ics", v.Items[1]
	ofVisit := []string{"UID:" + v.ID.String() + "@", path(v.ManageURL)}
	w.play(t, []scenario{
		{name: "both", request: "GET " + all, status: 200, never: []string{"/booking/"},
			contains: append(ofVisit, "DTSTART:20261203T080000Z", "DTEND:20261203T100000Z", "SUMMARY:Either of us\\, Haircut · Salon Ana", "SEQUENCE:2")},
		{name: "the second", request: "GET " + path(second.ManageURL) + "/calendar.ics", status: 200, never: []string{"Either", "080000Z", "/visit/", v.ID.String()},
			contains: []string{"UID:" + w.CalendarUID(&second, 0), "DTSTART:20261203T090000Z", "DTEND:20261203T100000Z", "SUMMARY:Haircut · Salon Ana", "SEQUENCE:0", path(second.ManageURL)}},
	})
	if at := w.get(path(v.ManageURL)).all(`href="([^"]*/calendar\.ics)"`); len(at) != 1 || at[0] != all {
		t.Errorf("the page of the visit leads to %q", at)
	}
	_, err := w.Cancel(t.Context(), w.API, v.Items[0].ID.String(), booking.CancelInput{})
	w.Must(err)
	w.play(t, []scenario{{name: "one is left", request: "GET " + all, status: 200, never: []string{"Either"},
		contains: append(ofVisit, "DTSTART:20261203T090000Z", "SUMMARY:Haircut · Salon Ana", "SEQUENCE:3", "STATUS:CONFIRMED")}})
	one := w.bookVisit("4T08:00", "leo", "cut")
	w.play(t, []scenario{{name: "a visit of one", request: "GET " + path(one.ManageURL) + "/calendar.ics", status: 200,
		contains: []string{"UID:" + w.CalendarUID(&one.Items[0], 0), "SUMMARY:Haircut · Salon Ana"}}})
}

func TestManage(t *testing.T) {
	w := newWorld(t, page.Options{})
	b := w.book("cut", "3T08:00", "mia")
	at := path(b.ManageURL)
	w.book("cut", "3T10:00", "leo")
	w.play(t, []scenario{
		{name: "see", request: "GET " + at, status: 200, contains: []string{b.ID.String(), "Your booking", at + "/reschedule", at + "/cancel", "mia"}, never: []string{"data-booked"}},
		{name: "a changed link", request: "GET " + at[:len(at)-1] + "x", status: 404},
		{name: "the calendar", request: "GET " + at + "/calendar.ics", status: 200,
			contains: []string{"BEGIN:VCALENDAR", "UID:" + w.CalendarUID(&b, 0), "DTSTART:20261203T080000Z", "DTEND:20261203T090000Z", "METHOD:PUBLISH", "STATUS:CONFIRMED", "SEQUENCE:0"}},
		{name: "pick another time", request: "GET " + at + "/reschedule?date=2026-12-03&timeZone=Europe/Berlin", status: 200,
			contains: []string{"Currently", `data-start="2026-12-03T09:00:00Z"`, at + "/reschedule?date=2026-12-03&amp;start=2026-12-03T09:00:00Z"},
			never:    []string{`data-start="2026-12-03T08:00:00Z"`, `data-start="2026-12-03T10:00:00Z"`}},
		{name: "confirm it", request: "GET " + at + "/reschedule?start=2026-12-03T09:00:00Z", status: 200, contains: []string{"Move to this time?", `name="start" value="2026-12-03T09:00:00Z"`}},
		{name: "one that is taken", request: "GET " + at + "/reschedule?start=2026-12-03T10:00:00Z", status: 200, contains: []string{"Someone just took this time", `value="2026-12-03T11:00:00Z"`}},
		{name: "move to a taken one", request: "POST " + at + "/reschedule", form: url.Values{"start": {"2026-12-03T10:00:00Z"}}, status: 409, contains: []string{`type="radio" name="start" value="2026-12-03T11:00:00Z"`}},
		{name: "move to none", request: "POST " + at + "/reschedule", form: url.Values{"start": {"2026-12-03T10:10:00Z"}}, status: 400},
		{name: "move without a time", request: "POST " + at + "/reschedule", form: url.Values{}, status: 303},
		{name: "a reason too long", request: "POST " + at + "/cancel", form: url.Values{"reason": {strings.Repeat("x", 501)}}, status: 422, contains: []string{"at most 500"}},
		{name: "move", request: "POST " + at + "/reschedule?theme=dark", form: url.Values{"start": {"2026-12-04T09:00:00Z"}, "reason": {"Ill"}}, status: 303},
		{name: "moved", request: "GET " + at + "?new=1", status: 200, contains: []string{"Your booking has moved", "Moved from", `data-booking-status="rescheduled"`}, never: []string{"data-booked"}},
		{name: "ask to cancel", request: "GET " + at + "/cancel", status: 200, contains: []string{"Cancel this booking?"}},
		{name: "cancel", request: "POST " + at + "/cancel", form: url.Values{"reason": {"Fell <ill>"}}, status: 303},
		{name: "again", request: "POST " + at + "/cancel", form: url.Values{}, status: 303},
		{name: "cancelled", request: "GET " + at, status: 200, contains: []string{"Booking cancelled", "Fell &lt;ill&gt;", "Book another time", `class="verdict verdict-over"`}, never: []string{at + "/cancel", at + "/reschedule", "calendar.google"}},
		{name: "its calendar", request: "GET " + at + "/calendar.ics", status: 200, contains: []string{"STATUS:CANCELLED", "SEQUENCE:1"}},
		{name: "cancelled can't be moved", request: "POST " + at + "/reschedule", form: url.Values{"start": {"2026-12-04T09:00:00Z"}}, status: 409, contains: []string{"Booking cancelled"}},
		{name: "nor asked for", request: "GET " + at + "/reschedule", status: 303},
		{name: "no put", request: "PUT " + at, status: 405},
	})
}

// Who was chosen stays when the booking moves: the page offers times with them alone, as many as the move accepts.
func TestMoveKeepsWhoWasChosen(t *testing.T) {
	w := newWorld(t, page.Options{})
	book := func(at, person string) booking.Booking {
		in := apptest.Input("either", at, person)
		in.Host = w.hostID("Ben")
		b, err := w.Book(t.Context(), w.Owner, in)
		w.Must(err)
		return b
	}
	b := book("1T08:00", "mia")
	book("1T10:00", "leo") // Ana is free then
	at := path(b.ManageURL) + "/reschedule"
	const theirs, others, next = "2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z"
	for _, more := range []string{"", "&host=" + w.hostID("Ana"), "&host=x"} {
		w.play(t, []scenario{
			{name: "pick another time", request: "GET " + at + "?date=2026-12-01" + more, status: 200,
				contains: []string{`data-start="` + theirs, "Ben"}, never: []string{`data-start="` + others}},
			{name: "one of another", request: "GET " + at + "?start=" + others + more, status: 200,
				contains: []string{"Someone just took this time", `value="` + next}},
		})
	}
	w.play(t, []scenario{
		{name: "move to one of another", request: "POST " + at, form: url.Values{"start": {others}}, status: 409,
			contains: []string{`value="` + next}, never: []string{`value="` + others}},
		{name: "move", request: "POST " + at, form: url.Values{"start": {next}}, status: 303},
	})
	if got := w.made(b.ID.String()).Host.Name; got != "Ben" {
		t.Errorf("moved to %s", got)
	}
}

func TestNotice(t *testing.T) {
	w := newWorld(t, page.Options{})
	b := w.book("cut", "1T08:00", "mia") // changes are possible until an hour after the clock's time
	at := path(b.ManageURL)
	if a := w.get(at); !strings.Contains(a.text, at+"/cancel") {
		t.Error("can't be cancelled in time")
	}
	w.Clock.Advance(61 * time.Minute)
	w.play(t, []scenario{
		{name: "see", request: "GET " + at, status: 200, contains: []string{"until 24 hours before"}, never: []string{at + "/cancel", at + "/reschedule"}},
		{name: "cancel", request: "POST " + at + "/cancel", form: url.Values{}, status: 409, contains: []string{"until 24 hours before"}},
		{name: "move", request: "POST " + at + "/reschedule", form: url.Values{"start": {apptest.At("3T09:00")}}, status: 409},
		{name: "the form", request: "GET " + at + "/cancel", status: 303},
	})
	w.Clock.Advance(48 * time.Hour)
	w.play(t, []scenario{{name: "past", request: "GET " + at, status: 200, contains: []string{"Thank you for your visit"}, never: []string{"until 24"}}})
}

func TestPendingAndDeclined(t *testing.T) {
	w := newWorld(t, page.Options{})
	at := w.send("POST", "/salon/bridal", bookingForm("3T08:00", "mia")).Header.Get("Location")
	w.play(t, []scenario{{name: "waits", request: "GET " + at, status: 200, contains: []string{"Request sent", `data-booking-status="pending"`}, never: []string{"calendar.google"}}})
	id := w.get(at).all(`data-booking-id="([^"]*)"`)[0]
	_, err := w.Decline(t.Context(), w.Owner, id, "On holiday")
	w.Must(err)
	w.play(t, []scenario{{name: "declined", request: "GET " + at, status: 200, contains: []string{"Salon Ana had to cancel", "On holiday"}}})
	at = w.send("POST", "/salon/bridal", bookingForm("3T08:00", "leo")).Header.Get("Location")
	w.Clock.Advance(49 * time.Hour)
	_, err = w.Lapse(t.Context(), 10)
	w.Must(err)
	w.play(t, []scenario{{name: "lapsed", request: "GET " + at, status: 200, contains: []string{"not confirmed in time"}}})
}

// awayInDecember is a change of the salon.
var awayInDecember = strings.Replace(salon, "timeZone: Europe/Berlin, weekly", "timeZone: Europe/Berlin, timeOff: [{start: 2026-11-30T00:00:00Z, end: 2027-01-05T00:00:00Z}], weekly", 1)

func TestFullMonth(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(awayInDecember)
	w.play(t, []scenario{
		{name: "the month asked for", request: "GET /salon/cut?month=2026-12", status: 200, contains: []string{"No free times left in December", "date=2027-01-05", "Next available"}, never: []string{"data-start"}},
		{name: "the first with times", request: "GET /salon/cut", status: 200, contains: []string{`data-day="2027-01-05"`, `data-start="2027-01-05T08:00:00Z"`}},
	})
}

func TestSecurityHeaders(t *testing.T) {
	w := newWorld(t, page.Options{})
	b := w.book("cut", "3T08:00", "mia")
	for target, framable := range map[string]bool{"/salon": true, "/salon/cut": true, path(b.ManageURL): true, path(b.ManageURL) + "/cancel": true, "/nothing/at/all": false} {
		a := w.get(target)
		csp := a.Header.Get("Content-Security-Policy")
		if strings.Contains(csp, "unsafe") || !strings.Contains(csp, "script-src 'self'") || strings.Contains(csp, "frame-ancestors *") != framable || (a.Header.Get("X-Frame-Options") == "DENY") == framable {
			t.Errorf("%s: %v", target, a.Header)
		}
		if len(a.Cookies()) > 0 || a.Header.Get("Referrer-Policy") == "" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", target, a.Header)
		}
		if strings.Contains(a.text, " style=") || strings.Contains(a.text, "<style") || strings.Contains(a.text, " onclick") {
			t.Errorf("%s has inline style or script", target)
		}
	}
}

func TestGzip(t *testing.T) {
	w := newWorld(t, page.Options{})
	plain := w.get("/salon/cut")
	packed := w.get("/salon/cut", "Accept-Encoding", "br, gzip;q=0.8")
	r, err := gzip.NewReader(bytes.NewReader([]byte(packed.text)))
	w.Must(err)
	text, err := io.ReadAll(r)
	w.Must(err)
	if string(text) != plain.text || packed.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(packed.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%v", packed.Header)
	}
	if a := w.get("/salon/cut", "Accept-Encoding", "gzip;q=0"); a.Header.Get("Content-Encoding") != "" {
		t.Error("gzip was refused, and sent")
	}
}

// The whole first load: the page and all it needs.
func TestFirstLoad(t *testing.T) {
	w := newWorld(t, page.Options{})
	a := w.get("/salon/either", "Accept-Encoding", "gzip")
	size := len(a.text)
	plain := w.get("/salon/either")
	for _, asset := range plain.all(`(?:href|src)="(/assets/[^"]*)"`) {
		size += len(w.get(asset, "Accept-Encoding", "gzip").text)
	}
	t.Logf("first load: %d bytes, of which the page has %d", size, len(a.text))
	if size >= 50<<10 {
		t.Errorf("%d bytes", size)
	}
}

func TestLimit(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 3})
	post := func(from string, i int) answer {
		return w.send("POST", "/salon/course", bookingForm("2T10:00", "p"+from[:1]+string(rune('a'+i)), "start", time.Date(2026, 12, 1+i%3, 9+i/3, 0, 0, 0, time.UTC).Format(time.RFC3339)), "X-Forwarded-For", from)
	}
	for i := range 3 {
		if a := post("203.0.113.9", i); a.StatusCode != 303 {
			t.Fatalf("%d: %d", i, a.StatusCode)
		}
	}
	w.Clock.Advance(10 * time.Minute)
	a := post("203.0.113.9", 3)
	if a.StatusCode != 429 || a.Header.Get("Retry-After") != "3000" || !strings.Contains(a.text, "Too many requests") {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	for i, from := range []string{"203.0.113.10", "127.0.0.1", "2001:db8::1", "2001:db8::2", "2001:db8::3"} {
		if a := post(from, 4+i); a.StatusCode != 303 {
			t.Errorf("%s: %d", from, a.StatusCode)
		}
	}
	if a := post("2001:db8::4", 10); a.StatusCode != 429 {
		t.Errorf("the fourth of one /64: %d", a.StatusCode)
	}
	w.Clock.Advance(50*time.Minute + time.Second)
	if a := post("203.0.113.9", 11); a.StatusCode != 303 {
		t.Errorf("an hour later: %d", a.StatusCode)
	}
}

// Many addresses of one network book no more together than a multiple of one: a /48 four times, a /24 ten times.
func TestLimitOfANetwork(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 2})
	post := func(from string) int {
		return w.send("POST", "/salon/cut", bookingForm("2T10:00", "mia"), "X-Forwarded-For", from).StatusCode
	}
	for network, most := range map[string]int{"2001:db8:7:%d::1": 8, "203.0.113.%d": 20} {
		for i := range most {
			if code := post(fmt.Sprintf(network, i)); code == 429 {
				t.Errorf(network+": %d", i, code)
			}
		}
		if code := post(fmt.Sprintf(network, most)); code != 429 {
			t.Errorf(network+", one too many: %d", most, code)
		}
	}
	for _, from := range []string{"2001:db8:8::1", "203.0.114.1"} {
		if code := post(from); code == 429 {
			t.Errorf("the network beside it, %s: %d", from, code)
		}
	}
	w.Clock.Advance(time.Hour + time.Second)
	if code := post("203.0.113.77"); code == 429 {
		t.Errorf("an hour later: %d", code)
	}
}
