package decide_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/decide"
	"daybook/app/mail"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/store"
	"daybook/store/enginetest"
)

// bed has one host, and an event type whose bookings wait for approval.
type bed struct {
	*rooms.Set
	t   testing.TB
	ws  catalog.Workspace
	mux *http.ServeMux
	now time.Time
}

func newBed(t testing.TB) *bed {
	x := &bed{t: t, mux: http.NewServeMux(), now: time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)}
	st := store.New(enginetest.Open(t))
	var err error
	x.Set = rooms.New(rooms.Config{Config: app.Config{Store: st, Clock: func() time.Time { return x.now }}})
	x.ws, err = x.CreateWorkspace(t.Context(), app.Operator(0), app.WorkspaceInput{Slug: "salon", Name: "Salon", TimeZone: "UTC"})
	x.must(err)
	x.must(st.Write(t.Context(), func(tx app.Tx) error {
		h := catalog.Host{ID: 1, WorkspaceID: x.ws.ID, Name: "Ana", Email: "ana@s.example", TimeZone: "UTC", Active: true, Hours: catalog.Hours{Weekly: map[string][]string{"tue": {"00:00-24:00"}}}}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes, e.Hosts = 1, x.ws.ID, "cut", "Cut", 60, 60, []catalog.HostRef{{ID: 1}}
		e.RequiresApproval = true
		return tx.InsertEventType(&e)
	}))
	decide.New(x.Set, slog.New(slog.DiscardHandler)).Routes(x.mux)
	return x
}

func (x *bed) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *bed) book(hour string) record.Booking {
	x.t.Helper()
	b, err := x.Book(x.t.Context(), app.Actor{Kind: record.ByAPI, Workspace: x.ws.ID}, record.BookInput{EventType: "cut", Start: "2026-12-01T" + hour + ":00:00Z", Invitee: record.Invitee{Name: "Bo <b>", Email: "bo@mail.example"}})
	x.must(err)
	return b
}

func (x *bed) status(b record.Booking) record.Status {
	x.t.Helper()
	b, err := x.Booking(x.t.Context(), app.Actor{Kind: record.ByAPI, Workspace: x.ws.ID}, b.ID.String())
	x.must(err)
	return b.Status
}

func (x *bed) link(b record.Booking) string {
	setup, err := x.Setup(x.ws.ID)
	x.must(err)
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
	x.t.Helper()
	if w.Code != code || !strings.Contains(w.Body.String(), text) {
		x.t.Errorf("%d, want %d with %q:\n%s", w.Code, code, text, w.Body)
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Referrer-Policy") != "no-referrer" {
		x.t.Errorf("headers %v", w.Header())
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
	if s := x.status(yes); s != record.Pending {
		t.Fatal(s)
	}
	x.want(x.do("POST", x.link(yes), url.Values{"decision": {"confirm"}}), 200, "Bo &lt;b&gt; has been told")
	x.want(x.do("POST", x.link(no), url.Values{"decision": {"decline"}, "reason": {"full"}}), 200, "time is free again")
	if a, b := x.status(yes), x.status(no); a != record.Confirmed || b != record.Cancelled {
		t.Errorf("%s, %s", a, b)
	}
	x.want(x.do("GET", x.link(yes), nil), 200, "nothing left to decide")
	x.want(x.do("POST", x.link(yes), url.Values{"decision": {"decline"}}), 200, "nothing left to decide")
	if s := x.status(yes); s != record.Confirmed {
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
	x.now = x.now.Add(49 * time.Hour)
	x.want(x.do("GET", link, nil), 200, "nothing left to decide")
	x.want(x.do("POST", link, url.Values{"decision": {"confirm"}}), 200, "nothing left to decide")
	if s := x.status(b); s != record.Pending {
		t.Error(s)
	}
}

func TestMailsAreEndedByTheButton(t *testing.T) {
	x := newBed(t)
	b := x.book("10")
	x.must(func() error {
		_, err := x.Confirm(t.Context(), app.Actor{Kind: record.ByAPI, Workspace: x.ws.ID}, b.ID.String())
		return err
	}())
	reminders := func() (waiting []mail.Mail) {
		_, err := x.Mail.WriteMails(t.Context(), 100)
		x.must(err)
		page, err := x.Mail.Mails(t.Context(), app.Operator(x.ws.ID), mail.ListInput{State: "waiting"})
		x.must(err)
		for _, m := range page.Data {
			if m.Kind == catalog.MailReminder {
				waiting = append(waiting, m)
			}
		}
		return waiting
	}
	all := reminders()
	setup, err := x.Setup(x.ws.ID)
	x.must(err)
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
