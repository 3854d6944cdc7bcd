// Package googletest is a stand-in for Google Calendar, written from its public documentation, whose addresses stand at
// what is quoted from it. It refuses parameters, fields and bodies that are not described there.
package googletest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/calsync/google"
	"daybook/app/calsync/oauthtest"
)

// Server is the stand-in, with one account.
type Server struct {
	oauthtest.Server
	Page      int // entries of a page at most; 0 is what the request says
	Requests  []string
	At        google.Places
	Before    func(*http.Request) // is called for each request of the API, unlocked; may be nil
	seq       int                 // of changes
	oldest    int                 // the first change whose sync token is still taken
	calendars []object
	events    map[string][]*event // of each calendar
	failures  []failure
	channels  []*channel
	Hears     http.Handler     // what channels call; nil is nothing
	Now       func() time.Time // nil is time.Now
}

type object = map[string]any

type event struct {
	object
	changed int
}

type failure struct {
	status int
	reason string
	header http.Header
}

// Account is the e-mail address of the account, and so the id of its primary calendar.
const Account = "ana@gmail.example"

// New returns a stand-in with a primary calendar, one that is shared for reading, and one of which only is told when it
// is busy.
func New(t testing.TB) *Server {
	s := &Server{events: map[string][]*event{}}
	s.Scopes = []string{"https://www.googleapis.com/auth/calendar.calendarlist.readonly",
		"https://www.googleapis.com/auth/calendar.readonly", "https://www.googleapis.com/auth/calendar.events"}
	s.Params = url.Values{"access_type": {"offline"}, "prompt": {"consent"}}
	// https://developers.google.com/workspace/calendar/api/v3/reference/calendarList
	s.calendars = []object{
		{"kind": "calendar#calendarListEntry", "id": Account, "summary": Account, "summaryOverride": "Ana",
			"accessRole": "owner", "primary": true, "timeZone": "Europe/Berlin"},
		{"kind": "calendar#calendarListEntry", "id": "team@group.calendar.example", "summary": "Team",
			"accessRole": "reader"},
		{"kind": "calendar#calendarListEntry", "id": "boss@gmail.example", "summary": "Boss",
			"accessRole": "freeBusyReader"},
		{"kind": "calendar#calendarListEntry", "id": "old@group.calendar.example", "summary": "Old",
			"accessRole": "owner", "deleted": true},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/token", s.Token)
	mux.HandleFunc("/revoke", s.Revoke)
	mux.HandleFunc("GET /calendar/v3/users/me/calendarList", s.api(s.calendarList))
	mux.HandleFunc("GET /calendar/v3/calendars/{calendar}/events", s.api(s.list))
	mux.HandleFunc("POST /calendar/v3/calendars/{calendar}/events", s.api(s.insert))
	mux.HandleFunc("GET /calendar/v3/calendars/{calendar}/events/{event}", s.api(s.get))
	mux.HandleFunc("PATCH /calendar/v3/calendars/{calendar}/events/{event}", s.api(s.patch))
	mux.HandleFunc("DELETE /calendar/v3/calendars/{calendar}/events/{event}", s.api(s.remove))
	mux.HandleFunc("POST /calendar/v3/calendars/{calendar}/events/watch", s.api(s.watch))
	mux.HandleFunc("POST /calendar/v3/channels/stop", s.api(s.stop))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.At = google.Places{Auth: server.URL + "/auth", Token: server.URL + "/token", Revoke: server.URL + "/revoke",
		API: server.URL + "/calendar/v3"}
	return s
}

// Add adds an event as its owner makes one, or replaces the one of that id.
func (s *Server) Add(calendar string, e map[string]any) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.save(calendar, e)
}

// Cancel deletes an event, as its owner does.
func (s *Server) Cancel(calendar, id string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if e := s.find(calendar, id); e != nil {
		e.object["status"] = "cancelled"
		s.touch(e)
	}
}

// Event returns an event as it is kept, or nil.
func (s *Server) Event(calendar, id string) map[string]any {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if e := s.find(calendar, id); e != nil {
		return e.object
	}
	return nil
}

// Fail has the next request of the API fail. reason is one of
// https://developers.google.com/workspace/calendar/api/guides/errors
func (s *Server) Fail(status int, reason string, header ...string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	f := failure{status, reason, http.Header{}}
	for i := 0; i+1 < len(header); i += 2 {
		f.header.Set(header[i], header[i+1])
	}
	s.failures = append(s.failures, f)
}

// ForgetSyncTokens has all sync tokens be too old.
func (s *Server) ForgetSyncTokens() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.seq++
	s.oldest = s.seq
}

func (s *Server) find(calendar, id string) *event {
	for _, e := range s.events[calendar] {
		if e.object["id"] == id {
			return e
		}
	}
	return nil
}

func (s *Server) save(calendar string, o object) *event {
	if o["status"] == nil {
		o["status"] = "confirmed"
	}
	if o["iCalUID"] == nil {
		o["iCalUID"] = fmt.Sprint(o["id"], "@google.com")
	}
	e := s.find(calendar, o["id"].(string))
	if e == nil {
		e = &event{}
		s.events[calendar] = append(s.events[calendar], e)
	}
	e.object = o
	s.touch(e)
	return e
}

func (s *Server) touch(e *event) {
	s.seq++
	e.changed = s.seq
	e.object["etag"] = fmt.Sprintf(`"%d"`, 3000000000000000+s.seq)
}

// api has a request refused as Google does, before it is answered.
func (s *Server) api(do func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.Before != nil {
			s.Before(r)
		}
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.Requests = append(s.Requests, r.Method+" "+r.URL.RequestURI())
		if !s.Knows(r) {
			refuse(w, 401, "authError")
			return
		}
		if len(s.failures) > 0 {
			f := s.failures[0]
			s.failures = s.failures[1:]
			for name, values := range f.header {
				w.Header()[name] = values
			}
			refuse(w, f.status, f.reason)
			return
		}
		do(w, r)
	}
}

// refuse answers as https://developers.google.com/workspace/calendar/api/guides/errors has it.
func refuse(w http.ResponseWriter, status int, reason string) {
	write(w, status, object{"error": object{"code": status, "message": reason,
		"errors": []object{{"domain": "calendar", "reason": reason, "message": reason}}}})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the caller is gone
}

// takes reports whether the request has no parameters but those, and answers it otherwise.
func takes(w http.ResponseWriter, r *http.Request, names ...string) bool {
	for name, values := range r.URL.Query() {
		if !slices.Contains(append(names, "fields"), name) || len(values) != 1 {
			refuse(w, 400, "unknownParameter "+name)
			return false
		}
	}
	return true
}

// https://developers.google.com/workspace/calendar/api/v3/reference/calendarList/list
func (s *Server) calendarList(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "maxResults", "minAccessRole", "pageToken", "showDeleted", "showHidden", "syncToken") {
		return
	}
	all := slices.DeleteFunc(slices.Clone(s.calendars), func(c object) bool { return c["deleted"] == true })
	s.page(w, r, object{"kind": "calendar#calendarList"}, all, 250)
}

// page answers with a part of all.
func (s *Server) page(w http.ResponseWriter, r *http.Request, body object, all []object, most int) {
	from, err := strconv.Atoi(r.URL.Query().Get("pageToken"))
	if err != nil && r.URL.Query().Get("pageToken") != "" {
		refuse(w, 400, "invalid pageToken")
		return
	}
	size := 100
	if text := r.URL.Query().Get("maxResults"); text != "" {
		if size, err = strconv.Atoi(text); err != nil || size < 1 || size > most {
			refuse(w, 400, "invalid maxResults")
			return
		}
	}
	if s.Page > 0 {
		size = min(size, s.Page)
	}
	to := min(len(all), from+size)
	body["items"] = all[from:to]
	if to < len(all) {
		delete(body, "nextSyncToken")
		body["nextPageToken"] = strconv.Itoa(to)
	}
	part(w, r, body)
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events/list
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "alwaysIncludeEmail", "eventTypes", "iCalUID", "maxAttendees", "maxResults", "orderBy", "pageToken",
		"privateExtendedProperty", "q", "sharedExtendedProperty", "showDeleted", "showHiddenInvitations", "singleEvents",
		"syncToken", "timeMax", "timeMin", "timeZone", "updatedMin") {
		return
	}
	q, calendar := r.URL.Query(), r.PathValue("calendar")
	if !slices.ContainsFunc(s.calendars, func(c object) bool { return c["id"] == calendar && c["deleted"] != true }) {
		refuse(w, 404, "notFound")
		return
	}
	since, from, to := 0, time.Time{}, time.Time{}
	if token := q.Get("syncToken"); token != "" {
		// "There are several query parameters that cannot be specified together with nextSyncToken"
		for _, name := range []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty",
			"timeMin", "timeMax", "updatedMin"} {
			if q.Has(name) {
				refuse(w, 400, "syncToken with "+name)
				return
			}
		}
		m := syncToken.FindStringSubmatch(token)
		if m == nil || m[2] != q.Get("singleEvents") {
			refuse(w, 400, "invalid syncToken")
			return
		}
		since, _ = strconv.Atoi(m[1]) //nolint:errcheck // digits
		if since < s.oldest {
			refuse(w, 410, "fullSyncRequired")
			return
		}
	} else {
		var err, wrong error
		if from, err = moment(q.Get("timeMin")); err == nil {
			to, wrong = moment(q.Get("timeMax"))
		}
		if err != nil || wrong != nil || !to.IsZero() && !from.Before(to) {
			refuse(w, 400, "timeRangeEmpty")
			return
		}
	}
	var all []object
	for _, e := range s.events[calendar] {
		start, end := when(e.object["start"]), when(e.object["end"])
		switch {
		case e.changed <= since, since == 0 && e.object["status"] == "cancelled":
		case since == 0 && (!to.IsZero() && !start.Before(to) || !from.IsZero() && !end.After(from)):
		case e.object["status"] == "cancelled": // only these are sure to be there
			all = append(all, object{"id": e.object["id"], "etag": e.object["etag"], "status": "cancelled"})
		default:
			all = append(all, e.object)
		}
	}
	s.page(w, r, object{"kind": "calendar#events", "summary": "secret", "timeZone": "Europe/Berlin",
		"nextSyncToken": fmt.Sprintf("sync-%d-%s", s.seq, q.Get("singleEvents"))}, all, 2500)
}

var syncToken = regexp.MustCompile(`^sync-(\d+)-(true|false|)$`)

func moment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339, text)
}

// when returns the time of a start or an end; a date begins in UTC.
func when(v any) time.Time {
	o, _ := v.(object)
	if text, ok := o["dateTime"].(string); ok {
		t, _ := time.Parse(time.RFC3339, text) //nolint:errcheck // zero
		return t
	}
	text, _ := o["date"].(string)
	t, _ := time.Parse(time.DateOnly, text) //nolint:errcheck // zero
	return t
}

// writable reports whether the account may write the calendar, and answers otherwise.
func (s *Server) writable(w http.ResponseWriter, r *http.Request) bool {
	for _, c := range s.calendars {
		if c["id"] == r.PathValue("calendar") {
			if c["accessRole"] != "owner" && c["accessRole"] != "writer" {
				refuse(w, 403, "requiredAccessLevel")
				return false
			}
			return true
		}
	}
	refuse(w, 404, "notFound")
	return false
}

// sent are the fields of https://developers.google.com/workspace/calendar/api/v3/reference/events that may be written;
// attendees are refused here, since nobody is to be invited.
var sent = []string{"colorId", "description", "end", "extendedProperties", "guestsCanInviteOthers",
	"guestsCanSeeOtherGuests", "id", "location", "reminders", "sequence", "source", "start", "status", "summary",
	"transparency", "visibility"}

var eventID = regexp.MustCompile(`^[a-v0-9]{5,1000}$`)

func body(w http.ResponseWriter, r *http.Request, fields ...string) (o object, ok bool) {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil || r.Header.Get("Content-Type") != "application/json" {
		refuse(w, 400, "parseError")
		return nil, false
	}
	for name := range o {
		if !slices.Contains(fields, name) {
			refuse(w, 400, "invalid "+name)
			return nil, false
		}
	}
	if source, has := o["source"].(object); has && !strings.HasPrefix(fmt.Sprint(source["url"]), "http") {
		refuse(w, 400, "invalid source")
		return nil, false
	}
	return o, true
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
func (s *Server) insert(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "conferenceDataVersion", "maxAttendees", "sendUpdates", "supportsAttachments") || !s.writable(w, r) ||
		!silent(w, r) {
		return
	}
	o, ok := body(w, r, sent...)
	if !ok {
		return
	}
	id, given := o["id"].(string)
	switch {
	case when(o["start"]).IsZero() || when(o["end"]).IsZero():
		refuse(w, 400, "required")
	case given && !eventID.MatchString(id):
		refuse(w, 400, "invalid id")
	case s.find(r.PathValue("calendar"), id) != nil:
		refuse(w, 409, "duplicate")
	default:
		if !given {
			o["id"] = fmt.Sprintf("made%d", s.seq)
		}
		part(w, r, s.save(r.PathValue("calendar"), o).object)
	}
}

func silent(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Query().Get("sendUpdates") != "none" {
		refuse(w, 400, "the stand-in wants sendUpdates=none")
		return false
	}
	return true
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "alwaysIncludeEmail", "maxAttendees", "timeZone") {
		return
	}
	if e := s.find(r.PathValue("calendar"), r.PathValue("event")); e != nil {
		part(w, r, e.object)
		return
	}
	refuse(w, 404, "notFound")
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events/patch, and for If-Match
// https://developers.google.com/workspace/calendar/api/guides/version-resources
func (s *Server) patch(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "alwaysIncludeEmail", "conferenceDataVersion", "maxAttendees", "sendUpdates",
		"supportsAttachments") || !s.writable(w, r) || !silent(w, r) {
		return
	}
	o, ok := body(w, r, sent...)
	if !ok {
		return
	}
	e := s.find(r.PathValue("calendar"), r.PathValue("event"))
	switch match := r.Header.Get("If-Match"); {
	case e == nil:
		refuse(w, 404, "notFound")
	case match != "" && match != e.object["etag"]:
		refuse(w, 412, "conditionNotMet")
	default:
		for name, value := range o {
			e.object[name] = value
		}
		s.touch(e)
		part(w, r, e.object)
	}
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events/delete
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "sendUpdates") || !s.writable(w, r) || !silent(w, r) {
		return
	}
	e := s.find(r.PathValue("calendar"), r.PathValue("event"))
	switch match := r.Header.Get("If-Match"); {
	case e == nil:
		refuse(w, 404, "notFound")
	case e.object["status"] == "cancelled":
		refuse(w, 410, "deleted")
	case match != "" && match != e.object["etag"]:
		refuse(w, 412, "conditionNotMet")
	default:
		e.object["status"] = "cancelled"
		s.touch(e)
		w.WriteHeader(http.StatusNoContent)
	}
}
