package calendly_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/movein"
	"daybook/app/movein/calendly"
	"daybook/app/movein/call"
)

var now = time.Date(2026, 10, 12, 6, 0, 0, 0, time.UTC)

type object = map[string]any

// standIn answers as the API of Calendly, version 2, is documented.
type standIn struct {
	lists map[string][]any
	me    object
	busy  int
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch all, there := s.lists[r.URL.Path]; {
	case r.Header.Get("Authorization") != "Bearer the-token":
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/users/me" && s.me != nil:
		json.NewEncoder(w).Encode(object{"resource": s.me})
	case strings.HasSuffix(r.URL.Path, "/invitees") && s.busy > 0:
		s.busy--
		w.Header().Set("X-RateLimit-Reset", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	case there:
		from, _ := strconv.Atoi(r.URL.Query().Get("page_token"))
		count, _ := strconv.Atoi(r.URL.Query().Get("count"))
		page := object{"collection": append([]any{}, all[from:min(from+count, len(all))]...), "pagination": object{"next_page_token": nil}}
		if from+count < len(all) {
			page["pagination"] = object{"next_page_token": strconv.Itoa(from + count)}
		}
		json.NewEncoder(w).Encode(page)
	default:
		w.WriteHeader(http.StatusForbidden)
	}
}

// Calendly becomes a salon: hosts with hours, hidden services with questions, and what is to come; again it changes nothing.
func TestCalendlyBecomesASalon(t *testing.T) {
	const at = "https://api.calendly.com"
	s := &standIn{busy: 1, me: object{"uri": at + "/users/ANA", "name": "Ana Alt", "email": "ana@studio.example", "timezone": "Europe/Berlin", "current_organization": at + "/organizations/ORG"},
		lists: map[string][]any{
			"/organization_memberships": {object{"user": object{"uri": at + "/users/ANA", "name": "Ana Alt", "email": "ana@studio.example"}},
				object{"user": object{"uri": at + "/users/BO", "name": "Bo Berg", "email": "bo@studio.example", "timezone": "Europe/Paris"}}},
			"/user_availability_schedules": {object{"uri": at + "/user_availability_schedules/1", "default": true, "name": "Working hours", "timezone": "Europe/Berlin", "rules": []object{
				{"type": "wday", "wday": "monday", "intervals": []object{{"from": "08:30", "to": "17:00"}}}, {"type": "wday", "wday": "tuesday", "intervals": []object{}},
				{"type": "date", "date": "2026-10-19", "intervals": []object{}}}},
				object{"uri": at + "/user_availability_schedules/2", "default": false, "name": "Evenings", "rules": []object{}}},
			"/event_types": {object{"uri": at + "/event_types/CUT", "name": "Haircut", "slug": "haircut", "kind": "solo", "active": true, "duration": 45, "profile": object{"type": "User", "owner": at + "/users/ANA"},
				"locations": []object{{"kind": "physical", "location": "Main Street 1"}}, "custom_questions": []object{{"name": "How long is your hair?", "type": "single_select", "enabled": true, "required": true, "answer_choices": []string{"short", "long"}},
					{"name": "Off", "type": "string", "enabled": false}}},
				object{"uri": at + "/event_types/TEAM", "name": "Consultation", "slug": "consultation", "kind": "solo", "pooling_type": "round_robin", "active": true, "duration": 30, "profile": object{"type": "Team", "owner": at + "/teams/T"}}},
			"/webhook_subscriptions": {object{"callback_url": "https://crm.example/hook", "events": []string{"invitee.created"}, "state": "active", "signing_key": "hidden-key"}},
		}}
	for i := range 130 { // more than a page
		id, service := fmt.Sprintf("EV%03d", i), "CUT"
		member := "ANA"
		if i%10 == 0 {
			service, member = "TEAM", "BO"
		}
		start := now.Add(time.Duration(i+2) * time.Hour)
		s.lists["/scheduled_events"] = append(s.lists["/scheduled_events"], object{"uri": at + "/scheduled_events/" + id, "status": "active", "start_time": start, "end_time": start.Add(45 * time.Minute),
			"created_at": now.AddDate(0, 0, -9), "event_type": at + "/event_types/" + service, "location": object{"type": "zoom", "join_url": "https://zoom.example/x"}, "event_memberships": []object{{"user": at + "/users/" + member}}})
		s.lists["/scheduled_events/"+id+"/invitees"] = []any{object{"uri": at + "/scheduled_events/" + id + "/invitees/P", "name": fmt.Sprintf("Guest %d", i), "email": fmt.Sprintf("g%d@mail.example", i),
			"status": "active", "timezone": "Europe/Berlin", "questions_and_answers": []object{{"question": "How long is your hair?", "answer": "long"}}}}
	}
	server := httptest.NewServer(s)
	defer server.Close()
	waited := time.Duration(0)
	api := call.Server{Base: server.URL, Key: "the-token", Pause: func(_ context.Context, d time.Duration) error { waited += d; return nil }}
	read := func() movein.Business {
		t.Helper()
		b, err := calendly.Read(t.Context(), api, now)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := json.Marshal(b); strings.Contains(string(text), "hidden-") {
			t.Error("a secret was kept")
		}
		return *b
	}
	w := apptest.New(t, apptest.Options{Clock: apptest.Standing(now), Hosts: []string{}})
	figures := func(m movein.MovedBusiness) string {
		return fmt.Sprint(m.Hosts, m.Services, m.Customers, m.Upcoming, m.Waiting, m.Moved, m.Same)
	}
	m, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got := figures(m); got != "{2 0} {2 0} {130 0} 130 0 0 0" || waited != 30*time.Second {
		t.Fatalf("moved %s after %v\n%+v", got, waited, m.Left)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	cut, team := setup.EventType("haircut"), setup.EventType("consultation")
	if !cut.Hidden || !team.Hidden || cut.Where.Text != "Main Street 1" || len(cut.Questions) != 1 || cut.Questions[0].Type != "choice" || len(team.Hosts) != 1 {
		t.Errorf("%+v\n%+v", cut, team)
	}
	h := setup.HostByEmail("ana@studio.example")
	if len(h.Weekly) != 1 || h.Weekly["mon"][0] != "08:30-17:00" || len(h.Overrides) != 1 || h.TimeZone != "Europe/Berlin" {
		t.Errorf("hours %+v", h.Hours)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 200})
	w.Must(err)
	long := 0
	for i := range all {
		for _, answer := range all[i].Answers {
			if answer == "long" {
				long++
			}
		}
	}
	if len(all) != 130 || long != 117 || !strings.Contains(all[0].InternalNote, "https://zoom.example/x") {
		t.Errorf("%d bookings, %d answers, %+v", len(all), long, all[0])
	}
	if len(m.Webhooks) != 1 || m.Webhooks[0].Events[0] != "booking.created" {
		t.Errorf("webhooks %+v", m.Webhooks)
	}
	again, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got := figures(again); got != "{0 2} {0 2} {0 130} 0 0 0 130" {
		t.Errorf("again %s\n%+v", got, again.Left)
	}
	if _, err := calendly.Read(t.Context(), call.Server{Base: server.URL, Key: "another"}, now); err == nil || !strings.Contains(err.Error(), "make a personal access token") {
		t.Errorf("another token: %v", err)
	}
}
