// Package graphtest is a stand-in for the calendars of Microsoft Graph, written from its public documentation, whose
// addresses stand at what is quoted from it. It refuses parameters, headers and fields that are not described there.
package graphtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/calsync/graph"
	"daybook/app/calsync/oauthtest"
)

// Server is the stand-in, with one account.
type Server struct {
	oauthtest.Server
	Page      int // entries of a page at most; 0 is what the request says
	Requests  []string
	At        graph.Places
	NextHost  string // where the links of pages lead to, "" for here
	seq       int    // of changes
	oldest    int    // the first change whose delta token is still taken
	calendars []object
	events    map[string][]*event // of each calendar
	failures  []failure
	url       string

	subscriptions []*subscription
	Hears         http.Handler     // what subscriptions call; nil is nothing
	Now           func() time.Time // nil is time.Now
}

type object = map[string]any

type event struct {
	object
	changed int
	removed bool
}

type failure struct {
	status int
	code   string
	header http.Header
}

// Account is the e-mail address of the account, Calendar the id of its own calendar, and Shared of one for reading.
const (
	Account  = "ana@outlook.example"
	Calendar = "AAMkAGI2TGuLAAA="
	Shared   = "AAMkAGI2TGuLBBB="
)

// New returns a stand-in with those calendars.
func New(t testing.TB) *Server {
	s := &Server{events: map[string][]*event{}}
	s.Scopes, s.Rotates = []string{"offline_access", "Calendars.ReadWrite"}, true
	s.Params = url.Values{"prompt": {"select_account"}}
	// https://learn.microsoft.com/en-us/graph/api/resources/calendar
	s.calendars = []object{
		{"id": Calendar, "name": "Calendar", "canEdit": true, "isDefaultCalendar": true,
			"owner": object{"name": "Ana", "address": Account}},
		{"id": Shared, "name": "Bob's", "canEdit": false, "isDefaultCalendar": false,
			"owner": object{"name": "Bob", "address": "bob@outlook.example"}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/common/oauth2/v2.0/token", s.Token)
	mux.HandleFunc("GET /v1.0/me/calendars", s.api(s.list))
	mux.HandleFunc("GET /v1.0/me/calendars/{calendar}/calendarView/delta", s.api(s.delta))
	mux.HandleFunc("GET /v1.0/me/calendars/{calendar}/events", s.api(s.find))
	mux.HandleFunc("POST /v1.0/me/calendars/{calendar}/events", s.api(s.create))
	mux.HandleFunc("PATCH /v1.0/me/calendars/{calendar}/events/{event}", s.api(s.update))
	mux.HandleFunc("DELETE /v1.0/me/calendars/{calendar}/events/{event}", s.api(s.remove))
	mux.HandleFunc("GET /v1.0/me/events/{event}", s.api(s.get))
	mux.HandleFunc("GET /v1.0/me/events/{event}/instances", s.api(s.instances))
	mux.HandleFunc("POST /v1.0/subscriptions", s.api(s.subscribe))
	mux.HandleFunc("PATCH /v1.0/subscriptions/{subscription}", s.api(s.renew))
	mux.HandleFunc("DELETE /v1.0/subscriptions/{subscription}", s.api(s.unsubscribe))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.url = server.URL
	s.At = graph.Places{Auth: s.url + "/{tenant}/oauth2/v2.0/authorize", Token: s.url + "/{tenant}/oauth2/v2.0/token",
		API: s.url + "/v1.0"}
	return s
}

// Add adds an event as its owner makes one, or replaces the one of that id.
func (s *Server) Add(calendar string, e map[string]any) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.save(calendar, e)
}

// Drop deletes an event, as its owner does. Of an occurrence nothing is told but that the series has changed.
func (s *Server) Drop(calendar, id string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	e := s.one(calendar, id)
	e.removed = true
	s.touch(e)
	if master, ok := e.object["seriesMasterId"].(string); ok {
		for _, other := range s.events[calendar] {
			if other.object["id"] == master || other.object["seriesMasterId"] == master && !other.removed {
				s.touch(other)
			}
		}
	}
}

// Event returns an event as it is kept, or nil.
func (s *Server) Event(calendar, id string) map[string]any {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if e := s.one(calendar, id); e != nil && !e.removed {
		return e.object
	}
	return nil
}

// Fail has the next request fail, with a code of https://learn.microsoft.com/en-us/graph/errors
func (s *Server) Fail(status int, code string, header ...string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	f := failure{status, code, http.Header{}}
	for i := 0; i+1 < len(header); i += 2 {
		f.header.Set(header[i], header[i+1])
	}
	s.failures = append(s.failures, f)
}

// ForgetTokens has all delta tokens be too old.
func (s *Server) ForgetTokens() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.seq++
	s.oldest = s.seq
}

func (s *Server) one(calendar, id string) *event {
	for of, all := range s.events {
		for _, e := range all {
			if e.object["id"] == id && (of == calendar || calendar == "") {
				return e
			}
		}
	}
	return nil
}

func (s *Server) save(calendar string, o object) *event {
	e := s.one(calendar, o["id"].(string))
	if e == nil {
		e = &event{}
		s.events[calendar] = append(s.events[calendar], e)
	}
	e.object, e.removed = o, false
	s.touch(e)
	return e
}

func (s *Server) touch(e *event) {
	s.seq++
	e.changed = s.seq
	e.object["@odata.etag"] = fmt.Sprintf(`W/"%dAAA=="`, s.seq)
}

func (s *Server) api(do func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.Requests = append(s.Requests, r.Method+" "+r.URL.RequestURI())
		if !s.Knows(r) {
			refuse(w, 401, "InvalidAuthenticationToken")
			return
		}
		if len(s.failures) > 0 {
			f := s.failures[0]
			s.failures = s.failures[1:]
			maps.Copy(w.Header(), f.header)
			refuse(w, f.status, f.code)
			return
		}
		id := r.PathValue("calendar")
		if id != "" && !slices.ContainsFunc(s.calendars, func(c object) bool { return c["id"] == id }) {
			refuse(w, 404, "ErrorItemNotFound")
			return
		}
		do(w, r)
	}
}

// refuse answers as https://learn.microsoft.com/en-us/graph/errors has it.
func refuse(w http.ResponseWriter, status int, code string) {
	write(w, status, object{"error": object{"code": code, "message": "refused", "innerError": object{}}})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the caller is gone
}

func takes(w http.ResponseWriter, r *http.Request, names ...string) bool {
	for name, values := range r.URL.Query() {
		if !slices.Contains(names, name) || len(values) != 1 {
			refuse(w, 400, "BadRequest "+name)
			return false
		}
	}
	return true
}

// https://learn.microsoft.com/en-us/graph/api/user-list-calendars
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "$select", "$top", "$skip", "$filter", "$orderby") {
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("$skip")) //nolint:errcheck // 0
	body := object{"@odata.context": "calendars"}
	to := len(s.calendars)
	if s.Page > 0 && from+s.Page < to {
		to = from + s.Page
		body["@odata.nextLink"] = s.link("/v1.0/me/calendars?%24skip=" + strconv.Itoa(to))
	}
	body["value"] = s.calendars[from:to]
	write(w, 200, body)
}

func (s *Server) link(path string) string {
	if s.NextHost != "" {
		return s.NextHost + path
	}
	return s.url + path
}

var (
	preference = regexp.MustCompile(`^outlook\.timezone="UTC"$|^odata\.maxpagesize=(\d+)$`)
	state      = regexp.MustCompile(`^(\d+)-(\d+)-(\d+)-(\d+)$`) // since, from, to, skip
)

// https://learn.microsoft.com/en-us/graph/api/event-delta: "$select is not supported"; the parameters of the first
// request stand in the tokens of the links. https://learn.microsoft.com/en-us/graph/delta-query-events
func (s *Server) delta(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "startDateTime", "endDateTime", "$deltatoken", "$skiptoken") {
		return
	}
	size := 10
	utc := false
	for _, p := range r.Header.Values("Prefer") {
		m := preference.FindStringSubmatch(p)
		if m == nil {
			refuse(w, 400, "BadRequest Prefer "+p)
			return
		}
		utc = utc || m[1] == ""
		if m[1] != "" {
			size, _ = strconv.Atoi(m[1]) //nolint:errcheck // digits
		}
	}
	if s.Page > 0 {
		size = s.Page
	}
	q := r.URL.Query()
	var since, skip int
	var from, to int64
	if token := q.Get("$deltatoken") + q.Get("$skiptoken"); token != "" {
		m := state.FindStringSubmatch(token)
		if m == nil || q.Has("startDateTime") || q.Has("endDateTime") {
			refuse(w, 400, "BadRequest")
			return
		}
		fmt.Sscanf(token, "%d-%d-%d-%d", &since, &from, &to, &skip) //nolint:errcheck // it matches
		if since > 0 && since < s.oldest {
			refuse(w, 410, "SyncStateNotFound")
			return
		}
	} else {
		start, err := time.Parse(time.RFC3339, q.Get("startDateTime"))
		end, wrong := time.Parse(time.RFC3339, q.Get("endDateTime"))
		if err != nil || wrong != nil {
			refuse(w, 400, "ErrorInvalidParameter")
			return
		}
		from, to = start.UnixMilli(), end.UnixMilli()
	}
	all := s.view(r.PathValue("calendar"), since, from, to)
	body := object{"@odata.context": "Collection(event)"}
	path := "/v1.0/me/calendars/" + url.PathEscape(r.PathValue("calendar")) + "/calendarView/delta?"
	last := min(len(all), skip+size)
	// A series is never on two pages.
	for last < len(all) && all[last]["seriesMasterId"] != nil {
		last++
	}
	if last < len(all) {
		body["@odata.nextLink"] = s.link(path + fmt.Sprintf("%%24skiptoken=%d-%d-%d-%d", since, from, to, last))
	} else {
		body["@odata.deltaLink"] = s.link(path + fmt.Sprintf("%%24deltatoken=%d-%d-%d-0", s.seq, from, to))
	}
	if !utc {
		refuse(w, 400, "the stand-in wants times in UTC")
		return
	}
	body["value"] = all[skip:last]
	write(w, 200, body)
}

// view returns the window's events that have changed, each series before its parts.
func (s *Server) view(calendar string, since int, from, to int64) (all []object) {
	sorted := slices.Clone(s.events[calendar])
	order := func(e *event) string {
		if master, ok := e.object["seriesMasterId"].(string); ok {
			return master + " "
		}
		return e.object["id"].(string)
	}
	slices.SortStableFunc(sorted, func(a, b *event) int { return strings.Compare(order(a), order(b)) })
	for _, e := range sorted {
		o := e.object
		start, end := when(o["start"]), when(o["end"])
		switch {
		case e.changed <= since, e.removed && (since == 0 || o["seriesMasterId"] != nil):
		case e.removed:
			all = append(all, object{"@odata.type": "#microsoft.graph.event", "id": o["id"],
				"@removed": object{"reason": "deleted"}})
		case o["type"] != "seriesMaster" && (start >= to || end <= from):
		case o["type"] == "occurrence": // https://github.com/microsoftgraph/microsoft-graph-docs/issues/7632
			all = append(all, object{"@odata.type": "#microsoft.graph.event", "@odata.etag": o["@odata.etag"],
				"seriesMasterId": o["seriesMasterId"], "type": "occurrence", "id": o["id"], "start": o["start"],
				"end": o["end"]})
		default:
			all = append(all, o)
		}
	}
	return all
}

func when(v any) int64 {
	o, _ := v.(object)
	t, _ := time.Parse("2006-01-02T15:04:05", fmt.Sprint(o["dateTime"])) //nolint:errcheck // zero
	return t.UnixMilli()
}

// https://learn.microsoft.com/en-us/graph/api/event-get
func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	e := s.one("", r.PathValue("event"))
	if !takes(w, r, "$select", "$expand") {
		return
	}
	if e == nil || e.removed {
		refuse(w, 404, "ErrorItemNotFound")
		return
	}
	write(w, 200, e.object)
}

// https://learn.microsoft.com/en-us/graph/api/event-list-instances
func (s *Server) instances(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	start, err := time.Parse(time.RFC3339, q.Get("startDateTime"))
	end, wrong := time.Parse(time.RFC3339, q.Get("endDateTime"))
	if !takes(w, r, "startDateTime", "endDateTime", "$select", "$skip") {
		return
	}
	if err != nil || wrong != nil {
		refuse(w, 400, "ErrorInvalidParameter")
		return
	}
	if e := s.one("", r.PathValue("event")); e == nil || e.removed {
		refuse(w, 404, "ErrorItemNotFound")
		return
	}
	all := []object{}
	for _, events := range s.events {
		for _, e := range events {
			if o := e.object; !e.removed && o["seriesMasterId"] == r.PathValue("event") &&
				when(o["start"]) < end.UnixMilli() && when(o["end"]) > start.UnixMilli() {
				all = append(all, o)
			}
		}
	}
	from, _ := strconv.Atoi(q.Get("$skip")) //nolint:errcheck // 0
	body, to := object{"@odata.context": "instances"}, len(all)
	if s.Page > 0 && from+s.Page < to {
		to = from + s.Page
		q.Set("$skip", strconv.Itoa(to))
		body["@odata.nextLink"] = s.link(r.URL.Path + "?" + q.Encode())
	}
	body["value"] = all[from:to]
	write(w, 200, body)
}

var filter = regexp.MustCompile(`^singleValueExtendedProperties/Any\(ep: ` +
	`ep/id eq '(String \{[0-9a-f-]{36}\} Name [a-z]+)' and ep/value eq '([^']*)'\)$`)

// https://learn.microsoft.com/en-us/graph/api/singlevaluelegacyextendedproperty-get
func (s *Server) find(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r, "$select", "$filter", "$top") {
		return
	}
	m := filter.FindStringSubmatch(r.URL.Query().Get("$filter"))
	if m == nil || strings.Contains(r.URL.RawQuery, "+") {
		refuse(w, 400, "ErrorInvalidUrlQueryFilter")
		return
	}
	found := []object{}
	for _, e := range s.events[r.PathValue("calendar")] {
		all, _ := e.object["singleValueExtendedProperties"].([]any)
		for _, p := range all {
			if p := p.(object); !e.removed && p["id"] == m[1] && p["value"] == m[2] {
				found = append(found, object{"@odata.etag": e.object["@odata.etag"], "id": e.object["id"]})
			}
		}
	}
	write(w, 200, object{"value": found})
}

// sent are the fields of https://learn.microsoft.com/en-us/graph/api/resources/event that are written; attendees are
// refused here, since nobody is to be invited.
var sent = []string{"subject", "body", "start", "end", "location", "showAs", "transactionId",
	"singleValueExtendedProperties"}

func body(w http.ResponseWriter, r *http.Request, fields ...string) (o object, ok bool) {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil || r.Header.Get("Content-Type") != "application/json" {
		refuse(w, 400, "BadRequest")
		return nil, false
	}
	for name := range o {
		if !slices.Contains(fields, name) {
			refuse(w, 400, "RequestBodyRead "+name)
			return nil, false
		}
	}
	return o, true
}

// writable reports whether the calendar may be written, and answers otherwise.
func (s *Server) writable(w http.ResponseWriter, r *http.Request) bool {
	if r.PathValue("calendar") == Shared {
		refuse(w, 403, "ErrorAccessDenied")
		return false
	}
	return true
}

// https://learn.microsoft.com/en-us/graph/api/calendar-post-events: the same event of the same transactionId is made
// once; another one is refused, even after the first was deleted.
func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	if !takes(w, r) || !s.writable(w, r) {
		return
	}
	o, ok := body(w, r, sent...)
	if !ok {
		return
	}
	for _, e := range s.events[r.PathValue("calendar")] {
		if o["transactionId"] == nil || e.object["transactionId"] != o["transactionId"] {
			continue
		}
		if !e.removed && when(e.object["start"]) == when(o["start"]) && e.object["subject"] == o["subject"] {
			write(w, 201, e.object)
			return
		}
		refuse(w, 409, "ErrorDuplicateTransactionId")
		return
	}
	if when(o["start"]) < 0 || when(o["end"]) < 0 {
		refuse(w, 400, "ErrorPropertyValidationFailure")
		return
	}
	o["id"], o["type"] = fmt.Sprintf("AAMkNew/%d=", s.seq), "singleInstance"
	o["iCalUId"] = "040000008200E00074C5B7101A82E008"
	write(w, 201, s.save(r.PathValue("calendar"), o).object)
}

// changed returns the event that a request changes, or nil when that is answered already.
func (s *Server) changed(w http.ResponseWriter, r *http.Request) *event {
	e := s.one(r.PathValue("calendar"), r.PathValue("event"))
	switch match := r.Header.Get("If-Match"); {
	case !takes(w, r) || !s.writable(w, r):
	case e == nil || e.removed:
		refuse(w, 404, "ErrorItemNotFound")
	case match != "" && match != e.object["@odata.etag"]:
		refuse(w, 412, "ErrorIrresolvableConflict")
	default:
		return e
	}
	return nil
}

// https://learn.microsoft.com/en-us/graph/api/event-update: the transactionId can't be changed.
func (s *Server) update(w http.ResponseWriter, r *http.Request) {
	e := s.changed(w, r)
	if e == nil {
		return
	}
	o, ok := body(w, r, sent...)
	if !ok {
		return
	}
	if o["transactionId"] != nil {
		refuse(w, 400, "ErrorInvalidRequest")
		return
	}
	maps.Copy(e.object, o)
	s.touch(e)
	write(w, 200, e.object)
}

// https://learn.microsoft.com/en-us/graph/api/event-delete
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	if e := s.changed(w, r); e != nil {
		e.removed = true
		s.touch(e)
		w.WriteHeader(http.StatusNoContent)
	}
}
