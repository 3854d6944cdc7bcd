package movetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Token is the token that Calendly and EasyAppointments take.
const Token = "the-token"

// Calendly answers as the API of Calendly, version 2, is documented.
type Calendly struct {
	*httptest.Server
	Lists map[string][]any // by path
	Me    map[string]any   // who the token is of
	Busy  int              // calls that come too often first
}

// NewCalendly starts a stand-in that has nothing.
func NewCalendly(t testing.TB) *Calendly {
	c := &Calendly{Lists: map[string][]any{}}
	c.Server = httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(c.Close)
	return c
}

func (c *Calendly) serve(w http.ResponseWriter, r *http.Request) {
	switch all, there := c.Lists[r.URL.Path]; {
	case r.Header.Get("Authorization") != "Bearer "+Token:
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/users/me" && c.Me != nil:
		json.NewEncoder(w).Encode(object{"resource": c.Me})
	case strings.HasSuffix(r.URL.Path, "/invitees") && c.Busy > 0:
		c.Busy--
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

// Studio fills it with Ana Alt and Bo Berg, the services Haircut of hers and Consultation of the team, a webhook with a secret, and n
// bookings, an hour after each other from a time on: each tenth is a consultation with Bo.
func (c *Calendly) Studio(n int, from time.Time) {
	const at = "https://api.calendly.com"
	c.Me = object{"uri": at + "/users/ANA", "name": "Ana Alt", "email": "ana@studio.example", "timezone": "Europe/Berlin", "current_organization": at + "/organizations/ORG"}
	c.Lists["/organization_memberships"] = []any{object{"user": object{"uri": at + "/users/ANA", "name": "Ana Alt", "email": "ana@studio.example"}},
		object{"user": object{"uri": at + "/users/BO", "name": "Bo Berg", "email": "bo@studio.example", "timezone": "Europe/Paris"}}}
	c.Lists["/user_availability_schedules"] = []any{object{"uri": at + "/user_availability_schedules/1", "default": true, "name": "Working hours", "timezone": "Europe/Berlin", "rules": []object{
		{"type": "wday", "wday": "monday", "intervals": []object{{"from": "08:30", "to": "17:00"}}}, {"type": "wday", "wday": "tuesday", "intervals": []object{}},
		{"type": "date", "date": "2026-10-19", "intervals": []object{}}}},
		object{"uri": at + "/user_availability_schedules/2", "default": false, "name": "Evenings", "rules": []object{}}}
	c.Lists["/event_types"] = []any{object{"uri": at + "/event_types/CUT", "name": "Haircut", "slug": "haircut", "kind": "solo", "active": true, "duration": 45, "profile": object{"type": "User", "owner": at + "/users/ANA"},
		"locations": []object{{"kind": "physical", "location": "Main Street 1"}}, "custom_questions": []object{{"name": "How long is your hair?", "type": "single_select", "enabled": true, "required": true, "answer_choices": []string{"short", "long"}},
			{"name": "Off", "type": "string", "enabled": false}}},
		object{"uri": at + "/event_types/TEAM", "name": "Consultation", "slug": "consultation", "kind": "solo", "pooling_type": "round_robin", "active": true, "duration": 30, "profile": object{"type": "Team", "owner": at + "/teams/T"}}}
	c.Lists["/webhook_subscriptions"] = []any{object{"callback_url": "https://crm.example/hook", "events": []string{"invitee.created"}, "state": "active", "signing_key": "hidden-key"}}
	for i := range n {
		id, service, member := fmt.Sprintf("EV%03d", i), "CUT", "ANA"
		if i%10 == 0 {
			service, member = "TEAM", "BO"
		}
		start := from.Add(time.Duration(i) * time.Hour)
		c.Lists["/scheduled_events"] = append(c.Lists["/scheduled_events"], object{"uri": at + "/scheduled_events/" + id, "status": "active", "start_time": start, "end_time": start.Add(45 * time.Minute),
			"created_at": from.AddDate(0, 0, -9), "event_type": at + "/event_types/" + service, "location": object{"type": "zoom", "join_url": "https://zoom.example/x"}, "event_memberships": []object{{"user": at + "/users/" + member}}})
		c.Lists["/scheduled_events/"+id+"/invitees"] = []any{object{"uri": at + "/scheduled_events/" + id + "/invitees/P", "name": fmt.Sprintf("Guest %d", i), "email": fmt.Sprintf("g%d@mail.example", i),
			"status": "active", "timezone": "Europe/Berlin", "questions_and_answers": []object{{"question": "How long is your hair?", "answer": "long"}}}}
	}
}
