package agent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/page"
	"daybook/app/rest"
)

// TestHiddenServiceThroughEveryDoor is the table of who sees a hidden service: visitors without a link, or with one that
// can't be used, hear what they hear of an unknown service or of the link; REST, the tools, the set-up file and members
// have it as any other, and a link that can't be used is refused there with its reason. The dashboard's pages have tests
// there.
func TestHiddenServiceThroughEveryDoor(t *testing.T) {
	w := newWorld(t)
	w.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: colour, hidden: true}\n")
	restDoor, pages, links := rest.New(w.Set, rest.Options{}), http.NewServeMux(), http.NewServeMux()
	door := page.New(w.Set, page.Options{})
	door.Pages(pages)
	door.Routes(links)
	// ask sends a request with the key, or a form without one, and returns its status and text.
	ask := func(door http.Handler, key, method, path, body string) (int, string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		if strings.HasPrefix(body, "{") {
			r.Header.Set("Content-Type", "application/json")
		}
		rec := httptest.NewRecorder()
		door.ServeHTTP(rec, r)
		return rec.Code, rec.Body.String()
	}
	many := 9
	link := func(in invitation.Input) (invitation.Invitation, string) {
		t.Helper()
		l, err := w.Invitation.CreateInvitation(t.Context(), w.Owner, in)
		must(t, err)
		return l, l.URL[strings.LastIndexByte(l.URL, '/')+1:]
	}
	_, valid := link(invitation.Input{EventType: "colour", Uses: &many})
	_, another := link(invitation.Input{EventType: "cut", Uses: &many})
	_, used := link(invitation.Input{EventType: "colour"})
	_, expired := link(invitation.Input{EventType: "colour", ExpiresAt: w.Clock.Now().Add(time.Minute).Format(time.RFC3339)})
	l, revoked := link(invitation.Input{EventType: "colour"})
	must(t, w.Invitation.RevokeInvitation(t.Context(), w.Owner, l.ID.String()))
	hour := 0
	start := func() string {
		hour++
		return fmt.Sprintf("2026-12-%02dT%02d:00:00Z", 7+hour/6, 8+hour%6)
	}
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	book := func(slug, token string) *fault.Error {
		_, err := w.Book(t.Context(), visitor, booking.BookInput{EventType: slug, Start: start(), Invitation: token,
			Invitee: booking.Invitee{Name: "Mei", Email: fmt.Sprint("v", hour, "@x.example")}})
		return fault.As(err)
	}
	if e := book("colour", used); e != nil {
		t.Fatal(e)
	}
	w.Clock.Advance(time.Minute)
	for _, c := range []struct {
		name, token string
		visitor     string // the reason that a visitor who books hears; "ok", or "unknown": as of an unknown service
		page        int    // the status of the link's page
		says        string // on it
		status      int    // of REST with a full key
		reason      string
	}{
		{"no link", "", "unknown", 404, "", 201, ""},
		{"a valid link", valid, "ok", 200, "", 201, ""},
		{"an expired link", expired, "invitation_expired", 404, "This link has expired", 409, "invitation_expired"},
		{"a link that is used up", used, "invitation_used", 404, "This link was used already", 409, "invitation_used"},
		{"a revoked link", revoked, "invitation_invalid", 404, "This link doesn’t work any more", 400, "invitation_invalid"},
		{"the link of another service", another, "unknown", 200, "", 400, "invitation_invalid"},
		{"no link's token", "nonsense", "unknown", 404, "This link doesn’t work any more", 400, "invitation_invalid"},
	} {
		switch e := book("colour", c.token); {
		case c.visitor == "ok":
			if e != nil {
				t.Errorf("%s: a visitor hears %v", c.name, e)
			}
		case e == nil || e.Code != fault.NotFound || c.visitor != "unknown" && e.Reason != c.visitor:
			t.Errorf("%s: a visitor hears %#v, want %s", c.name, e, c.visitor)
		case c.visitor == "unknown":
			if none := book("nothing", c.token); none == nil || strings.ReplaceAll(none.Error(), "nothing", "colour") != e.Error() || none.Code != e.Code ||
				none.Reason != e.Reason || none.Field != e.Field || len(none.Details) != len(e.Details) {
				t.Errorf("%s: a visitor hears %#v, and of an unknown service %#v", c.name, e, none)
			}
		}
		if c.token != "" {
			for _, method := range []string{"GET", "POST"} {
				form := ""
				if method == "POST" && c.page == 404 { // who had the form open
					form = url.Values{"start": {start()}, "name": {"Mei"}, "email": {"mei@x.example"}}.Encode()
				}
				if method == "POST" && c.page == 200 {
					continue
				}
				status, text := ask(links, "", method, "/_i/"+c.token+"?lang=en", form)
				if status != c.page || !strings.Contains(text, c.says) || c.page == 404 && strings.Contains(text, "olour") {
					t.Errorf("%s: %s of its page is %d, want %d %s", c.name, method, status, c.page, c.says)
				}
			}
		}
		ofBooking := func(by string) string {
			return fmt.Sprintf(`{"eventType":"colour","start":%q,"invitation":%q,"invitee":{"name":"Bo","email":"%s%d@x.example"}}`, start(), c.token, by, hour)
		}
		body := ofBooking("r")
		status, text := ask(restDoor, w.key, "POST", "/api/v1/bookings", body)
		if status != c.status || !strings.Contains(text, c.reason) {
			t.Errorf("%s: REST answers %d %s, want %d %s", c.name, status, text, c.status, c.reason)
		}
		if status, text = ask(restDoor, w.readOnly, "POST", "/api/v1/bookings", body); status != 403 {
			t.Errorf("%s: a read-only key books: %d %s", c.name, status, text)
		}
		code := map[int]string{201: "", 400: "bad_request", 409: "conflict"}[c.status]
		answer := w.call("create_booking", ofBooking("t"))
		if reason, _ := detail(answer.Structured, "reason").(string); answer.failure().Code != code || reason != c.reason {
			t.Errorf("%s: the tool answers %+v", c.name, answer.failure())
		}
	}
	for _, path := range []string{"/salon/colour", "/salon/colour?date=2026-12-08", "/salon/colour?embed=inline"} {
		status, text := ask(pages, "", "GET", path, "")
		none, unknown := ask(pages, "", "GET", strings.ReplaceAll(path, "colour", "nobody"), "")
		if status != 404 || none != 404 || strings.ReplaceAll(text, "colour", "nobody") != unknown {
			t.Errorf("%s: %d, and of an unknown service %d", path, status, none)
		}
	}
	for _, path := range []string{"/api/v1/event-types/colour", "/api/v1/availability?eventType=colour"} {
		status, text := ask(restDoor, "", "GET", path, "") // without a key nobody learns what there is
		none, unknown := ask(restDoor, "", "GET", strings.ReplaceAll(path, "colour", "nobody"), "")
		if withoutID := func(text string) string { before, _, _ := strings.Cut(text, `"requestId"`); return before }; status != 401 || none != 401 ||
			withoutID(text) != withoutID(unknown) {
			t.Errorf("%s without a key: %d %s, and of an unknown service %d %s", path, status, text, none, unknown)
		}
		for _, key := range []string{w.key, w.readOnly} {
			if status, text := ask(restDoor, key, "GET", path, ""); status != 200 {
				t.Errorf("%s: %d %s", path, status, text)
			}
		}
	}
	if got := string(w.call("list_event_types", `{}`).Structured); !strings.Contains(got, `"slug":"colour"`) || !strings.Contains(got, `"hidden":true`) {
		t.Errorf("the tool lists %s", got)
	}
	document, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
	must(t, err)
	exported, err := document.YAML()
	must(t, err)
	if !strings.Contains(string(exported), "hidden: true") {
		t.Errorf("the file lacks it: %s", exported)
	}
}
