package googletest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// channel calls an address when the events of a calendar change.
type channel struct {
	id, resource, calendar, address, token string
	ends                                   time.Time
	seen                                   int // the last change that was told
	number                                 int // of messages
}

// channelID is what an id may be: https://developers.google.com/workspace/calendar/api/guides/push
var channelID = regexp.MustCompile(`^[A-Za-z0-9\-_+/=]{1,64}$`)

func (s *Server) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events/watch: "expiration" is a text with
// milliseconds in the answer, and a channel lives for params.ttl seconds, by default and at most for 604800.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "eventTypes") {
		return
	}
	o, ok := body(w, r, "id", "token", "type", "address", "params")
	if !ok {
		return
	}
	text := func(name string) string { t, _ := o[name].(string); return t }
	calendar := r.PathValue("calendar")
	address, err := url.Parse(text("address"))
	i := slices.IndexFunc(s.calendars, func(c object) bool { return c["id"] == calendar })
	params, _ := o["params"].(object)
	ttl := 604800
	if given, has := params["ttl"].(string); has {
		ttl, _ = strconv.Atoi(given) //nolint:errcheck // 0 is refused
	}
	switch {
	case i < 0 || s.calendars[i]["deleted"] == true:
		refuse(w, 404, "notFound")
	case s.calendars[i]["accessRole"] == "freeBusyReader":
		refuse(w, 400, "pushNotSupportedForRequestedResource")
	case err != nil || address.Scheme != "https":
		refuse(w, 400, "webhookUrlNotHttps")
	case text("type") != "web_hook" || !channelID.MatchString(text("id")) || len(text("token")) > 256 || ttl < 1:
		refuse(w, 400, "invalid")
	case slices.ContainsFunc(s.channels, func(c *channel) bool { return c.id == text("id") }):
		refuse(w, 400, "channelIdNotUnique")
	default:
		c := &channel{id: text("id"), resource: "resource-" + strconv.Itoa(i), calendar: calendar,
			address: address.String(), token: text("token"), seen: s.seq,
			ends: s.now().Add(time.Duration(min(ttl, 604800)) * time.Second)}
		s.channels = append(s.channels, c)
		s.tell(c, "sync")
		part(w, r, object{"kind": "api#channel", "id": c.id, "resourceId": c.resource,
			"resourceUri": s.At.API + "/calendars/" + calendar + "/events?alt=json", "token": c.token,
			"expiration": strconv.FormatInt(c.ends.UnixMilli(), 10)})
	}
}

// https://developers.google.com/workspace/calendar/api/v3/reference/channels/stop
func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	o, ok := body(w, r, "id", "resourceId")
	if !ok || !takes(w, r) {
		return
	}
	i := slices.IndexFunc(s.channels, func(c *channel) bool { return c.id == o["id"] && c.resource == o["resourceId"] })
	if i < 0 || !s.channels[i].ends.After(s.now()) {
		refuse(w, 404, "notFound")
		return
	}
	s.channels = slices.Delete(s.channels, i, i+1)
	w.WriteHeader(http.StatusNoContent)
}

// tell has a channel call; a message has no body, and any status of success takes it:
// https://developers.google.com/workspace/calendar/api/guides/push#receiving-notifications
func (s *Server) tell(c *channel, state string) int {
	if s.Hears == nil {
		return 0
	}
	c.number++
	r := httptest.NewRequest("POST", c.address, http.NoBody)
	for name, value := range map[string]string{"Channel-ID": c.id, "Channel-Token": c.token, "Resource-ID": c.resource,
		"Resource-State": state, "Resource-URI": s.At.API + "/calendars/" + c.calendar + "/events?alt=json",
		"Message-Number": strconv.Itoa(c.number), "Channel-Expiration": c.ends.UTC().Format(http.TimeFormat)} {
		r.Header.Set("X-Goog-"+name, value)
	}
	answer := httptest.NewRecorder()
	s.Hears.ServeHTTP(answer, r)
	return answer.Code
}

// Tell has the channels call whose calendars have changed, and returns what they were answered.
func (s *Server) Tell() (answers []int) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, c := range s.channels {
		changed := slices.ContainsFunc(s.events[c.calendar], func(e *event) bool { return e.changed > c.seen })
		if changed && c.ends.After(s.now()) {
			c.seen = s.seq
			answers = append(answers, s.tell(c, "exists"))
		}
	}
	return answers
}

// Channels lists what is watched, by calendar.
func (s *Server) Channels() (all []string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, c := range s.channels {
		if c.ends.After(s.now()) {
			all = append(all, fmt.Sprint(c.calendar, " until ", c.ends.UTC().Format(time.DateTime)))
		}
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
