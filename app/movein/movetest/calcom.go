// Package movetest has stand-ins for the programs from which a business moves in: each answers as its API is documented, to one key, and
// with what a test fills it with.
package movetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

type object = map[string]any

// CalcomKey is the key that Calcom takes.
const CalcomKey = "cal_live_key"

// Calcom answers as the API of Cal.com, version 2, is documented.
type Calcom struct {
	*httptest.Server
	Versions map[string]string // that each path is asked for with
	Answers  map[string]any    // by path; a list is answered page after page
	Bookings map[string][]any  // by status
	Busy     int               // calls that come too often first

	t     testing.TB
	calls int
}

// NewCalcom starts a stand-in that has nothing.
func NewCalcom(t testing.TB) *Calcom {
	c := &Calcom{t: t, Versions: map[string]string{}, Answers: map[string]any{}, Bookings: map[string][]any{}}
	c.Server = httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(c.Close)
	return c
}

func (c *Calcom) serve(w http.ResponseWriter, r *http.Request) {
	c.calls++
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer "+CalcomKey {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"status":"error","error":{"code":"UNAUTHORIZED","message":"Invalid API key"}}`)
		return
	}
	if c.calls%7 == 0 && c.Busy > 0 {
		c.Busy--
		w.Header().Set("X-RateLimit-Reset-Default", strconv.FormatInt(time.Now().Add(40*time.Second).Unix(), 10))
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	c.Versions[r.URL.Path] = r.Header.Get("cal-api-version")
	q := r.URL.Query()
	answer, there := c.Answers[r.URL.Path]
	if r.URL.Path == "/v2/bookings" {
		answer, there = c.Bookings[q.Get("status")], true
	}
	if !there {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"status":"error","error":{"code":"NOT_FOUND"}}`)
		return
	}
	body := object{"status": "success", "data": answer}
	if all, is := answer.([]any); is && q.Has("take") {
		take, _ := strconv.Atoi(q.Get("take"))
		skip, _ := strconv.Atoi(q.Get("skip"))
		from := min(skip, len(all))
		to := min(from+take, len(all))
		body["data"] = append([]any{}, all[from:to]...)
		body["pagination"] = object{"totalItems": len(all), "hasNextPage": to < len(all)}
	}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		c.t.Error(err)
	}
}

// Studio fills it with Ana Alt, her event types haircut (1, of 45 minutes) and colour (2, of 90), one of her team with Bo Berg, another team
// that she doesn't reach, a webhook with a secret, and somebody who came in the past.
func (c *Calcom) Studio() {
	c.Answers["/v2/me"] = object{"id": 7, "username": "ana", "email": "ana@studio.example", "name": "Ana Alt", "timeZone": "Europe/London", "defaultScheduleId": 3}
	c.Answers["/v2/calendars"] = object{"connectedCalendars": []object{{"calendars": []object{{"isSelected": true}, {"isSelected": false}}}}}
	c.Answers["/v2/schedules"] = []object{{"id": 3, "ownerId": 7, "name": "Working hours", "timeZone": "Europe/Berlin", "isDefault": true,
		"availability": []object{{"days": []string{"Monday", "Tuesday"}, "startTime": "09:00", "endTime": "17:00"},
			{"days": []string{"Thursday"}, "startTime": "12:00", "endTime": "20:00"}, {"days": []string{"Friday"}, "startTime": "09:00", "endTime": "12:00"},
			{"days": []string{"Friday"}, "startTime": "13:00", "endTime": "17:00"}},
		"overrides": []object{{"date": "2026-10-19", "startTime": "00:00", "endTime": "00:00"}, {"date": "2026-10-24", "startTime": "10:00", "endTime": "14:00"}}}}
	c.Answers["/v2/me/ooo"] = []any{object{"start": "2026-11-02T00:00:00.000Z", "end": "2026-11-02T23:59:59.999Z"}}
	c.Answers["/v2/event-types"] = []object{
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
	c.Answers["/v2/teams"] = []object{{"id": 9, "name": "Studio", "slug": "studio"}, {"id": 10, "name": "Others", "slug": "others"}}
	c.Answers["/v2/teams/9/event-types"] = []object{{"id": 5, "teamId": 9, "lengthInMinutes": 30, "title": "Consultation", "slug": "consultation", "schedulingType": "roundRobin",
		"hosts": []object{{"userId": 8, "mandatory": false, "name": "Bo Berg"}}, "locations": []object{}, "bookingFields": []object{}}}
	c.Answers["/v2/teams/9/memberships"] = []any{object{"userId": 7, "accepted": true, "user": object{"name": "Ana Alt", "email": "ana@studio.example"}},
		object{"userId": 8, "accepted": true, "user": object{"name": "Bo Berg", "email": "bo@studio.example"}}}
	c.Answers["/v2/webhooks"] = []any{object{"id": "w", "subscriberUrl": "https://crm.example/hook", "triggers": []string{"BOOKING_RESCHEDULED"}, "active": false, "secret": "hidden-secret"}}
	c.Bookings["past"] = []any{object{"uid": "past", "status": "accepted", "start": "2026-01-05T10:00:00Z", "end": "2026-01-05T11:00:00Z",
		"attendees": []object{{"name": "Old Friend", "email": "old@mail.example", "timeZone": "Europe/Berlin"}}}}
}

// Book adds the booking of guest n of one of Studio's event types with Ana Alt: "upcoming", or "unconfirmed", which waits for approval.
func (c *Calcom) Book(n, eventType int, slug string, start time.Time, length time.Duration, status string) {
	b := object{"id": n, "uid": fmt.Sprintf("uid%03d", n), "title": slug, "description": "", "status": "accepted", "start": start.Format(time.RFC3339),
		"end": start.Add(length).Format(time.RFC3339), "createdAt": "2026-09-01T10:00:00.000Z", "eventType": object{"id": eventType, "slug": slug},
		"hosts": []object{{"id": 7, "name": "Ana Alt", "timeZone": "Europe/Berlin"}}, "location": "https://zoom.example/room",
		"attendees":              []object{{"name": fmt.Sprintf("Guest %d", n), "email": fmt.Sprintf("guest%d@mail.example", n), "timeZone": "Europe/Berlin", "absent": false}},
		"guests":                 []string{"friend@mail.example"},
		"bookingFieldsResponses": object{"name": "Guest", "email": "x", "length": "long", "notes": "By the window"}}
	if status == "unconfirmed" {
		b["status"] = "pending"
	}
	c.Bookings[status] = append(c.Bookings[status], b)
}
