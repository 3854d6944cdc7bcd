package calcom_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/movein"
	"daybook/app/movein/calcom"
)

// standIn answers as the API of Cal.com, version 2, is documented.
type standIn struct {
	*httptest.Server
	t        *testing.T
	versions map[string]string // that each path is asked for with
	answers  map[string]any    // by path; a list is answered page after page
	bookings map[string][]any  // by status
	busy     int               // calls that come too often first
	calls    int
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{t: t, versions: map[string]string{}, answers: map[string]any{}, bookings: map[string][]any{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) serve(w http.ResponseWriter, r *http.Request) {
	s.calls++
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer cal_live_key" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"status":"error","error":{"code":"UNAUTHORIZED","message":"Invalid API key"}}`)
		return
	}
	if s.calls%7 == 0 && s.busy > 0 {
		s.busy--
		w.Header().Set("X-RateLimit-Reset-Default", strconv.FormatInt(time.Now().Add(40*time.Second).Unix(), 10))
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	s.versions[r.URL.Path] = r.Header.Get("cal-api-version")
	q := r.URL.Query()
	answer, there := s.answers[r.URL.Path]
	if r.URL.Path == "/v2/bookings" {
		answer, there = s.bookings[q.Get("status")], true
	}
	if !there {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"status":"error","error":{"code":"NOT_FOUND"}}`)
		return
	}
	body := map[string]any{"status": "success", "data": answer}
	if all, is := answer.([]any); is && q.Has("take") {
		take, _ := strconv.Atoi(q.Get("take"))
		skip, _ := strconv.Atoi(q.Get("skip"))
		from := min(skip, len(all))
		to := min(from+take, len(all))
		body["data"] = append([]any{}, all[from:to]...)
		body["pagination"] = map[string]any{"totalItems": len(all), "hasNextPage": to < len(all)}
	}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.t.Error(err)
	}
}

type object = map[string]any

// studio fills the stand-in with a person, her event types and her team's, and 150 bookings, and returns what is offered.
func (s *standIn) studio() []*treatment {
	week := [7][][2]int{1: {{9 * 60, 17 * 60}}, 2: {{9 * 60, 17 * 60}}, 4: {{12 * 60, 20 * 60}}, 5: {{9 * 60, 12 * 60}, {13 * 60, 17 * 60}}}
	ana := &person{user: 7, zone: zone(s.t, "Europe/Berlin"), weekly: week, dates: map[string][][2]int{"2026-10-19": {}, "2026-10-24": {{10 * 60, 14 * 60}}},
		away: map[string]bool{"2026-11-02": true}}
	haircut := &treatment{id: 1, slug: "haircut", minutes: 45, step: 15, after: 10, notice: 240, days: 20, seats: 1, people: []*person{ana}}
	colour := &treatment{id: 2, slug: "colour", minutes: 90, step: 90, notice: 120, days: 730, perDay: 2, seats: 1, people: []*person{ana}}
	s.answers["/v2/me"] = object{"id": 7, "username": "ana", "email": "ana@studio.example", "name": "Ana Alt", "timeZone": "Europe/London", "defaultScheduleId": 3}
	s.answers["/v2/calendars"] = object{"connectedCalendars": []object{{"calendars": []object{{"isSelected": true}, {"isSelected": false}}}}}
	s.answers["/v2/schedules"] = []object{{"id": 3, "ownerId": 7, "name": "Working hours", "timeZone": "Europe/Berlin", "isDefault": true,
		"availability": []object{{"days": []string{"Monday", "Tuesday"}, "startTime": "09:00", "endTime": "17:00"},
			{"days": []string{"Thursday"}, "startTime": "12:00", "endTime": "20:00"}, {"days": []string{"Friday"}, "startTime": "09:00", "endTime": "12:00"},
			{"days": []string{"Friday"}, "startTime": "13:00", "endTime": "17:00"}},
		"overrides": []object{{"date": "2026-10-19", "startTime": "00:00", "endTime": "00:00"}, {"date": "2026-10-24", "startTime": "10:00", "endTime": "14:00"}}}}
	s.answers["/v2/me/ooo"] = []any{object{"start": "2026-11-02T00:00:00.000Z", "end": "2026-11-02T23:59:59.999Z"}}
	s.answers["/v2/event-types"] = []object{
		{"id": 1, "lengthInMinutes": 45, "title": "Haircut", "slug": "haircut", "description": "Wash, cut and dry.", "hidden": false, "slotInterval": 15,
			"minimumBookingNotice": 240, "afterEventBuffer": 10, "scheduleId": nil, "price": 0, "currency": "usd", "metadata": object{},
			"bookingWindow": object{"type": "calendarDays", "value": 20, "rolling": false}, "confirmationPolicy": object{"disabled": true},
			"seats": object{"disabled": true}, "recurrence": nil, "bookingLimitsCount": object{"disabled": true},
			"locations": []object{{"type": "address", "address": "Main Street 1", "public": true}},
			"bookingFields": []object{{"isDefault": true, "type": "name", "slug": "name", "required": true}, {"isDefault": true, "type": "email", "slug": "email", "required": true, "hidden": false},
				{"isDefault": false, "type": "select", "slug": "length", "label": "How long is your hair?", "required": true, "options": []string{"short", "long"}},
				{"isDefault": false, "type": "phone", "slug": "emergency", "label": "In an emergency", "required": false, "hidden": true}}},
		{"id": 2, "lengthInMinutes": 90, "lengthInMinutesOptions": []int{90, 120}, "title": "Colour", "slug": "colour", "description": "", "minimumBookingNotice": 120,
			"price": 8900, "currency": "eur", "metadata": object{}, "bookingLimitsCount": object{"day": 2}, "confirmationPolicy": object{"type": "always"},
			"locations": []object{{"type": "integration", "integration": "zoom"}}, "bookingFields": []object{}},
	}
	s.answers["/v2/teams"] = []object{{"id": 9, "name": "Studio", "slug": "studio"}, {"id": 10, "name": "Others", "slug": "others"}}
	s.answers["/v2/teams/9/event-types"] = []object{{"id": 5, "teamId": 9, "lengthInMinutes": 30, "title": "Consultation", "slug": "consultation", "schedulingType": "roundRobin",
		"hosts": []object{{"userId": 8, "mandatory": false, "name": "Bo Berg"}}, "locations": []object{}, "bookingFields": []object{}}}
	s.answers["/v2/teams/9/memberships"] = []any{object{"userId": 7, "accepted": true, "user": object{"name": "Ana Alt", "email": "ana@studio.example"}},
		object{"userId": 8, "accepted": true, "user": object{"name": "Bo Berg", "email": "bo@studio.example"}}}
	s.answers["/v2/webhooks"] = []any{object{"id": "w", "subscriberUrl": "https://crm.example/hook", "triggers": []string{"BOOKING_RESCHEDULED"}, "active": false, "secret": "hidden-secret"}}
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
		b := object{"id": i, "uid": fmt.Sprintf("uid%03d", i), "title": x.slug, "description": "", "status": "accepted", "start": start.Format(time.RFC3339),
			"end": start.Add(minutes(x.minutes)).Format(time.RFC3339), "createdAt": "2026-09-01T10:00:00.000Z", "eventType": object{"id": x.id, "slug": x.slug},
			"hosts": []object{{"id": 7, "name": "Ana Alt", "timeZone": "Europe/Berlin"}}, "location": "https://zoom.example/room",
			"attendees":              []object{{"name": fmt.Sprintf("Guest %d", i), "email": fmt.Sprintf("guest%d@mail.example", i), "timeZone": "Europe/Berlin", "absent": false}},
			"guests":                 []string{"friend@mail.example"},
			"bookingFieldsResponses": object{"name": "Guest", "email": "x", "length": "long", "notes": "By the window"}}
		status := "upcoming"
		if x == colour && i%2 == 0 {
			b["status"], status = "pending", "unconfirmed"
		}
		s.bookings[status] = append(s.bookings[status], b)
	}
	s.bookings["past"] = []any{object{"uid": "past", "status": "accepted", "start": "2026-01-05T10:00:00Z", "end": "2026-01-05T11:00:00Z",
		"attendees": []object{{"name": "Old Friend", "email": "old@mail.example", "timeZone": "Europe/Berlin"}}}}
	return offered
}

// What a key reaches becomes a salon whose open times are what its rules say; calls that come too often are made again.
func TestKeyBecomesASalon(t *testing.T) {
	s := newStandIn(t)
	offered := s.studio()
	s.busy = 2
	var waited time.Duration
	api := calcom.API{Base: s.URL, Key: "cal_live_key", Pause: func(_ context.Context, d time.Duration) error { waited += d; return nil }}
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
	if s.busy > 0 || waited < time.Minute || waited > 2*time.Minute {
		t.Errorf("waited %v, %d calls too often are left", waited, s.busy)
	}
	if s.versions["/v2/bookings"] != "2024-08-13" || s.versions["/v2/event-types"] != "2024-06-14" || s.versions["/v2/schedules"] != "2024-06-11" {
		t.Errorf("versions: %v", s.versions)
	}
	if text, err := json.Marshal(b); err != nil || strings.Contains(string(text), "hidden-") {
		t.Errorf("a secret was kept: %v", err)
	}
	pending := len(s.bookings["unconfirmed"])
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
	s := newStandIn(t)
	s.studio()
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer broken.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") }))
	defer page.Close()
	for _, c := range []struct{ base, key, want string }{
		{s.URL, "another", "the key is refused: make a new one at Cal.com under Settings"},
		{"http://cal.example", "cal_live_key", "must begin with https://"},
		{broken.URL, "cal_live_key", "out of order (502 Bad Gateway at /v2/me)"},
		{page.URL, "cal_live_key", "doesn't answer as Cal.com does"},
		{"http://127.0.0.1:1", "cal_live_key", "can't reach Cal.com at http://127.0.0.1:1"},
	} {
		_, err := calcom.FromAPI(t.Context(), calcom.API{Base: c.base, Key: c.key, Pause: func(context.Context, time.Duration) error { return nil }}, now)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.key) {
			t.Errorf("%s: %v", c.base, err)
		}
	}
}
