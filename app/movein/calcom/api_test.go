package calcom_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/movein"
	"daybook/app/movein/calcom"
	"daybook/app/movein/movetest"
)

// studioByKey fills the stand-in with a person, her event types and her team's, and 150 bookings, and returns what is offered.
func studioByKey(t *testing.T, s *movetest.Calcom) []*treatment {
	s.Studio()
	week := [7][][2]int{1: {{9 * 60, 17 * 60}}, 2: {{9 * 60, 17 * 60}}, 4: {{12 * 60, 20 * 60}}, 5: {{9 * 60, 12 * 60}, {13 * 60, 17 * 60}}}
	ana := &person{user: 7, zone: zone(t, "Europe/Berlin"), weekly: week, dates: map[string][][2]int{"2026-10-19": {}, "2026-10-24": {{10 * 60, 14 * 60}}},
		away: map[string]bool{"2026-11-02": true}}
	haircut := &treatment{id: 1, slug: "haircut", minutes: 45, step: 15, after: 10, notice: 240, days: 20, seats: 1, people: []*person{ana}}
	colour := &treatment{id: 2, slug: "colour", minutes: 90, step: 90, notice: 120, days: 730, perDay: 2, seats: 1, people: []*person{ana}}
	random := rand.New(rand.NewPCG(41, 2))
	offered := []*treatment{haircut, colour}
	for i := range 150 {
		x := offered[min(1, i%4/3)]
		open := x.open(now.AddDate(0, 0, 365))
		start := open[random.IntN(len(open))]
		if x == colour && i < 40 {
			start = open[random.IntN(min(30, len(open)))]
		}
		if len(open) < 150 && x == haircut { // some of its times stay open
			x = colour
			open = x.open(now.AddDate(0, 0, 365))
			start = open[len(open)/2+random.IntN(len(open)/2)]
		}
		x.book(start)
		status := "upcoming"
		if x == colour && i%2 == 0 {
			status = "unconfirmed"
		}
		s.Book(i, int(x.id), x.slug, start, minutes(x.minutes), status)
	}
	return offered
}

// What a key reaches becomes a salon whose open times are what its rules say; calls that come too often are made again.
func TestKeyBecomesASalon(t *testing.T) {
	s := movetest.NewCalcom(t)
	offered := studioByKey(t, s)
	s.Busy = 2
	var waited time.Duration
	api := calcom.API{Base: s.URL, Key: movetest.CalcomKey, Pause: func(_ context.Context, d time.Duration) error { waited += d; return nil }}
	read := func() movein.Business {
		t.Helper()
		b, err := calcom.FromAPI(t.Context(), api, now)
		if err != nil {
			t.Fatal(err)
		}
		return *b
	}
	w := apptest.New(t, apptest.Options{Clock: apptest.Standing(now), Hosts: []string{}})
	b := read()
	if s.Busy > 0 || waited < time.Minute || waited > 2*time.Minute {
		t.Errorf("waited %v, %d calls too often are left", waited, s.Busy)
	}
	if s.Versions["/v2/bookings"] != "2024-08-13" || s.Versions["/v2/event-types"] != "2024-06-14" || s.Versions["/v2/schedules"] != "2024-06-11" {
		t.Errorf("versions: %v", s.Versions)
	}
	if text, err := json.Marshal(b); err != nil || strings.Contains(string(text), "hidden-") {
		t.Errorf("a secret was kept: %v", err)
	}
	pending := len(s.Bookings["unconfirmed"])
	m, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, b)
	w.Must(err)
	if got, want := figures(m), fmt.Sprintf("hosts {2 0} services {3 0} customers {151 0} upcoming 150 waiting %d moved 0 same 0", pending); got != want {
		t.Fatalf("moved:\n%s\nwant\n%s\n%s", got, want, whys(m.Left))
	}
	for _, want := range []string{"hours Bo Berg: has no schedule", "program Others: the key doesn't reach the event types of this team", "bookings of 1 others of your teams",
		"service Colour: its length can be chosen there (90 120)", "service Colour: it takes place by zoom there", "calendar Ana Alt: 1 calendars"} {
		if !strings.Contains(whys(m.Left), want) {
			t.Errorf("%q is not in\n%s", want, whys(m.Left))
		}
	}
	if len(m.Webhooks) != 1 || m.Webhooks[0].Active || !slices.Equal(m.Webhooks[0].Events, []string{"booking.rescheduled"}) {
		t.Errorf("webhooks: %+v", m.Webhooks)
	}
	openAsRulesSay(t, w, offered, 120)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	if e := setup.EventType("haircut"); len(e.Questions) != 1 || e.Questions[0].Type != "choice" || e.Where.Text != "Main Street 1" || e.BookingWindowDays != 20 {
		t.Errorf("haircut: %+v", e)
	}
	if e := setup.EventType("colour"); !e.RequiresApproval || e.Price.Amount != 8900 || e.MaxPerDay != 2 {
		t.Errorf("colour: %+v", e)
	}
	again, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got, want := figures(again), "hosts {0 2} services {0 3} customers {0 151} upcoming 0 waiting 0 moved 0 same 150"; got != want {
		t.Errorf("again:\n%s\nwant\n%s\n%s", got, want, whys(again.Left))
	}
}

// What is wrong with a key, an address or a server is said.
func TestKeyIsRefused(t *testing.T) {
	s := movetest.NewCalcom(t)
	s.Studio()
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer broken.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") }))
	defer page.Close()
	for _, c := range []struct{ base, key, want string }{
		{s.URL, "another", "the key is refused: make a new one at Cal.com under Settings"},
		{"http://cal.example", movetest.CalcomKey, "must begin with https://"},
		{broken.URL, movetest.CalcomKey, "out of order (502 Bad Gateway at /v2/me)"},
		{page.URL, movetest.CalcomKey, "doesn't answer as Cal.com does"},
		{"http://127.0.0.1:1", movetest.CalcomKey, "can't reach Cal.com at http://127.0.0.1:1"},
	} {
		_, err := calcom.FromAPI(t.Context(), calcom.API{Base: c.base, Key: c.key, Pause: func(context.Context, time.Duration) error { return nil }}, now)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.key) {
			t.Errorf("%s: %v", c.base, err)
		}
	}
}
