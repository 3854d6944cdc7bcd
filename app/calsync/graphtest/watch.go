package graphtest

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"
)

// subscription calls an address when the events of a calendar change.
type subscription struct {
	object
	calendar string
	ends     time.Time
	seen     int // the last change that was told
}

func (s *Server) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// longest is for how long events may be watched:
// https://learn.microsoft.com/en-us/graph/api/resources/subscription#subscription-lifetime
const longest = 4230 * time.Minute

// until returns the end that a request asks for, which it must have in UTC, to come, and not too far away.
func (s *Server) until(o object) (time.Time, bool) {
	text, _ := o["expirationDateTime"].(string)
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil && strings.HasSuffix(text, "Z") && at.After(s.now()) && !at.After(s.now().Add(longest))
}

// https://learn.microsoft.com/en-us/graph/api/subscription-post-subscriptions
func (s *Server) subscribe(w http.ResponseWriter, r *http.Request) {
	o, ok := body(w, r, "changeType", "notificationUrl", "lifecycleNotificationUrl", "resource", "expirationDateTime",
		"clientState")
	if !ok || !takes(w, r) {
		return
	}
	ends, timely := s.until(o)
	resource, _ := o["resource"].(string)
	escaped, events := strings.CutSuffix(strings.TrimPrefix(resource, "me/calendars/"), "/events")
	calendar, err := url.PathUnescape(escaped)
	state, _ := o["clientState"].(string)
	for _, kind := range strings.Split(fmt.Sprint(o["changeType"]), ",") {
		timely = timely && slices.Contains([]string{"created", "updated", "deleted"}, kind)
	}
	known := slices.ContainsFunc(s.calendars, func(c object) bool { return c["id"] == calendar })
	if !timely || err != nil || !events || len(state) > 128 {
		refuse(w, 400, "InvalidRequest")
		return
	}
	if !known {
		refuse(w, 404, "ResourceNotFound")
		return
	}
	for _, name := range []string{"notificationUrl", "lifecycleNotificationUrl"} {
		if address, given := o[name].(string); (given || name == "notificationUrl") && !s.validates(address) {
			refuse(w, 400, "ValidationError")
			return
		}
	}
	s.seq++
	o["id"] = fmt.Sprintf("7f105c7d-2dc5-4530-97cd-%012d", s.seq)
	s.subscriptions = append(s.subscriptions, &subscription{o, calendar, ends, s.seq})
	write(w, 201, o)
}

// validates has the address say a text back, in plain text and exactly:
// https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks#notificationurl-validation
func (s *Server) validates(address string) bool {
	const text = "Validation: Testing client <application> reachability & more+"
	if s.Hears == nil || !strings.HasPrefix(address, "https://") {
		return false
	}
	r := httptest.NewRequest("POST", address+"?validationToken="+url.QueryEscape(text), strings.NewReader(""))
	r.Header.Set("Content-Type", "text/plain; charset=utf-8")
	answer := httptest.NewRecorder()
	s.Hears.ServeHTTP(answer, r)
	kind, _, err := mime.ParseMediaType(answer.Header().Get("Content-Type"))
	return err == nil && kind == "text/plain" && answer.Code == 200 && answer.Body.String() == text
}

func (s *Server) subscribed(w http.ResponseWriter, r *http.Request) int {
	id := r.PathValue("subscription")
	i := slices.IndexFunc(s.subscriptions, func(x *subscription) bool { return x.object["id"] == id })
	if i >= 0 && s.subscriptions[i].ends.After(s.now()) {
		return i
	}
	refuse(w, 404, "ResourceNotFound")
	return -1
}

// https://learn.microsoft.com/en-us/graph/api/subscription-update
func (s *Server) renew(w http.ResponseWriter, r *http.Request) {
	i := s.subscribed(w, r)
	if i < 0 {
		return
	}
	o, ok := body(w, r, "expirationDateTime", "notificationUrl")
	if !ok {
		return
	}
	ends, timely := s.until(o)
	if !timely {
		refuse(w, 400, "InvalidRequest")
		return
	}
	x := s.subscriptions[i]
	x.ends, x.object["expirationDateTime"] = ends, o["expirationDateTime"]
	write(w, 200, x.object)
}

// https://learn.microsoft.com/en-us/graph/api/subscription-delete
func (s *Server) unsubscribe(w http.ResponseWriter, r *http.Request) {
	if i := s.subscribed(w, r); i >= 0 {
		s.subscriptions = slices.Delete(s.subscriptions, i, i+1)
		w.WriteHeader(http.StatusNoContent)
	}
}

// call has subscriptions call the address of that name, all in one body:
// https://learn.microsoft.com/en-us/graph/api/resources/changenotificationcollection
func (s *Server) call(name string, all []*subscription, add object) int {
	var value []object
	for _, x := range all {
		n := object{"subscriptionId": x.object["id"], "clientState": x.object["clientState"],
			"subscriptionExpirationDateTime": x.object["expirationDateTime"], "tenantId": "84bd8158-6d4d-4958-8b9f-9d6445542f95"}
		for key, v := range add {
			n[key] = v
		}
		value = append(value, n)
	}
	text, err := json.Marshal(object{"value": value})
	if err != nil || len(all) == 0 || s.Hears == nil {
		return 0
	}
	r := httptest.NewRequest("POST", fmt.Sprint(all[0].object[name]), strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	answer := httptest.NewRecorder()
	s.Hears.ServeHTTP(answer, r)
	return answer.Code
}

// Tell has the subscriptions call whose calendars have changed, and returns what they were answered; 0 is that none
// called.
func (s *Server) Tell() int {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var all []*subscription
	for _, x := range s.subscriptions {
		changed := slices.ContainsFunc(s.events[x.calendar], func(e *event) bool { return e.changed > x.seen })
		if changed && x.ends.After(s.now()) {
			x.seen = s.seq
			all = append(all, x)
		}
	}
	return s.call("notificationUrl", all, object{"changeType": "updated", "resource": "Users/1/Events/2",
		"resourceData": object{"@odata.type": "#Microsoft.Graph.Event", "id": "2"}})
}

// Lifecycle has all subscriptions tell of themselves, with an event of
// https://learn.microsoft.com/en-us/graph/change-notifications-lifecycle-events; of "subscriptionRemoved" they end.
func (s *Server) Lifecycle(event string) int {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	all := slices.Clone(s.subscriptions)
	if event == "subscriptionRemoved" {
		s.subscriptions = nil
	}
	return s.call("lifecycleNotificationUrl", all, object{"lifecycleEvent": event})
}

// Subscriptions lists what is watched, by calendar.
func (s *Server) Subscriptions() (all []string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, x := range s.subscriptions {
		if x.ends.After(s.now()) {
			all = append(all, fmt.Sprint(x.calendar, " until ", x.ends.UTC().Format(time.DateTime)))
		}
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
