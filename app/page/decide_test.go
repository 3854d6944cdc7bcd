package page_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/page"
	"daybook/app/subjects"
)

// bed has one host, and an event type whose bookings wait for approval. Its server doesn't know its address: links are
// paths.
type bed struct {
	*apptest.Salon
	mux *http.ServeMux
}

func newBed(t testing.TB) *bed {
	x := &bed{mux: http.NewServeMux()}
	x.Salon = apptest.New(t, apptest.Options{TimeZone: "UTC", Hosts: []string{"Ana"}, Hours: "00:00-24:00", With: func(c *subjects.Config) { c.BaseURL = nil }})
	x.Offer("cut", 60, func(e *catalog.EventType) { e.RequiresApproval = true })
	page.NewDecisions(x.Set, slog.New(slog.DiscardHandler)).Routes(x.mux)
	return x
}

func (x *bed) book(hour string) booking.Booking {
	x.T.Helper()
	b, err := x.Book(x.T.Context(), x.API, booking.BookInput{EventType: "cut", Start: apptest.At("1T" + hour), Invitee: booking.Invitee{Name: "Bo <b>", Email: "bo@mail.example"}})
	x.Must(err)
	return b
}

func (x *bed) status(b booking.Booking) booking.Status {
	x.T.Helper()
	b, err := x.Booking(x.T.Context(), x.API, b.ID.String())
	x.Must(err)
	return b.Status
}

func (x *bed) link(b booking.Booking) string {
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	return x.Mail.DecideURL(setup, b.ID)
}

func (x *bed) do(method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	x.mux.ServeHTTP(w, r)
	return w
}

func (x *bed) want(w *httptest.ResponseRecorder, code int, text string) {
	x.T.Helper()
	if w.Code != code || !strings.Contains(w.Body.String(), text) {
		x.T.Errorf("%d, want %d with %q:\n%s", w.Code, code, text, w.Body)
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Referrer-Policy") != "no-referrer" {
		x.T.Errorf("headers %v", w.Header())
	}
}

// Opening a link, however often and by whomever, decides nothing; the button does, once.
func TestTheButtonDecides(t *testing.T) {
	x := newBed(t)
	yes, no := x.book("10"), x.book("11")
	for range 3 {
		x.want(x.do("GET", x.link(yes), nil), 200, `value="confirm"`)
		x.do("HEAD", x.link(yes), nil)
	}
	x.want(x.do("POST", x.link(yes), nil), 400, `value="confirm"`)
	if s := x.status(yes); s != booking.Pending {
		t.Fatal(s)
	}
	x.want(x.do("POST", x.link(yes), url.Values{"decision": {"confirm"}}), 200, "Bo &lt;b&gt; has been told")
	x.want(x.do("POST", x.link(no), url.Values{"decision": {"decline"}, "reason": {"full"}}), 200, "time is free again")
	if a, b := x.status(yes), x.status(no); a != booking.Confirmed || b != booking.Cancelled {
		t.Errorf("%s, %s", a, b)
	}
	x.want(x.do("GET", x.link(yes), nil), 200, "nothing left to decide")
	x.want(x.do("POST", x.link(yes), url.Values{"decision": {"decline"}}), 200, "nothing left to decide")
	if s := x.status(yes); s != booking.Confirmed {
		t.Errorf("decided twice: %s", s)
	}
}

func TestLinksOfNothing(t *testing.T) {
	x := newBed(t)
	b := x.book("10")
	link := x.link(b)
	_, token, _ := strings.Cut(b.ManageURL, "/booking/")
	for _, path := range []string{"/booking/x/decide", "/booking/" + token + "/decide", strings.Replace(link, "/decide", "0/decide", 1), "/mail/x/stop"} {
		x.want(x.do("GET", path, nil), 404, "")
		x.want(x.do("POST", path, url.Values{"decision": {"confirm"}}), 404, "")
	}
	x.Clock.Advance(49 * time.Hour)
	x.want(x.do("GET", link, nil), 200, "nothing left to decide")
	x.want(x.do("POST", link, url.Values{"decision": {"confirm"}}), 200, "nothing left to decide")
	if s := x.status(b); s != booking.Pending {
		t.Error(s)
	}
}

func TestMailsAreEndedByTheButton(t *testing.T) {
	x := newBed(t)
	b := x.book("10")
	x.Must(func() error {
		_, err := x.Confirm(t.Context(), x.API, b.ID.String())
		return err
	}())
	reminders := func() (waiting []mail.Mail) {
		_, err := x.Mail.WriteMails(t.Context(), 100)
		x.Must(err)
		page, err := x.Mail.Mails(t.Context(), app.Operator(x.Workspace.ID), mail.ListInput{State: "waiting"})
		x.Must(err)
		for _, m := range page.Data {
			if m.Kind == catalog.MailReminder {
				waiting = append(waiting, m)
			}
		}
		return waiting
	}
	all := reminders()
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	link := x.Mail.UnsubscribeURL(setup, all[0].ID)
	x.want(x.do("GET", link, nil), 200, "bo@mail.example will get no more reminders from Salon")
	if about, err := x.Mail.MailSubject(t.Context(), &all[0]); err != nil || about.Dropped != "" {
		t.Error("opening the page ended them", err)
	}
	x.want(x.do("POST", link, url.Values{"List-Unsubscribe": {"One-Click"}}), 200, "no more of them")
	if about, err := x.Mail.MailSubject(t.Context(), &all[0]); err != nil || about.Dropped == "" {
		t.Error("not ended", err)
	}
	x.book("12")
	if n := len(reminders()); n != len(all) {
		t.Errorf("%d reminders", n)
	}
}

// Who decides about one service of a visit reads that it is about all of them.
func TestAVisitIsDecidedByOneButton(t *testing.T) {
	x := newBed(t)
	x.Offer("nails", 30, nil)
	x.want(x.do("GET", x.link(x.book("08:00")), nil), 200, "Confirm this booking?")
	v, err := x.BookVisit(t.Context(), x.API, booking.VisitInput{Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "nails"}},
		Start: apptest.At("1T10:00"), Invitee: booking.Invitee{Name: "Mia", Email: "mia@mail.example"}})
	x.Must(err)
	asked := x.do("GET", x.link(v.Items[0]), nil)
	x.want(asked, 200, "All services of this visit that wait for your answer are confirmed or declined together.")
	x.want(asked, 200, "11:00")
	x.want(x.do("POST", x.link(v.Items[0]), url.Values{"decision": {"decline"}}), 200, "Declined")
	for _, b := range v.Items {
		if x.status(b) != booking.Cancelled {
			t.Errorf("%s is %s", b.EventType, x.status(b))
		}
	}
	if alone := x.do("GET", x.link(x.book("13:00")), nil).Body.String(); strings.Contains(alone, "All services") {
		t.Error("a booking of no visit speaks of one")
	}
}
