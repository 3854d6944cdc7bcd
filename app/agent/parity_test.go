package agent_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/rest"
)

// operation is what both doors can do; arguments are the tool's.
type operation struct {
	name, tool string
	arguments  string // with $id for the booking that book made, $other for one of another workspace
	method     string
	path       string // with {id} and the query
	restBody   bool   // the arguments, less id, are the body
	readOnly   bool   // with the read-only key
	later      time.Duration
	code       string
	reason     string
}

const invitee = `"invitee":{"name":"Mei","email":"mei@x.example"}`

var operations = []operation{
	{name: "services", tool: "list_event_types", arguments: `{}`, method: "GET", path: "/v1/event-types"},
	{name: "a page of services", tool: "list_event_types", arguments: `{"limit":1}`, method: "GET", path: "/v1/event-types?limit=1"},
	{name: "availability", tool: "check_availability", arguments: `{"eventType":"cut","days":2,"timeZone":"Asia/Kolkata","explain":true}`, method: "GET", path: "/v1/availability?eventType=cut&days=2&timeZone=Asia/Kolkata&explain=1"},
	{name: "availability of a hidden service", tool: "check_availability", arguments: `{"eventType":"colour","days":1}`, method: "GET", path: "/v1/availability?eventType=colour&days=1"},
	{name: "availability of nothing", tool: "check_availability", arguments: `{"eventType":"hair"}`, method: "GET", path: "/v1/availability?eventType=hair", code: "not_found"},
	{name: "availability of too much", tool: "check_availability", arguments: `{"eventType":"cut","days":63}`, method: "GET", path: "/v1/availability?eventType=cut&days=63", code: "bad_request", reason: "invalid"},
	{name: "book read-only", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, readOnly: true, code: "forbidden", reason: "read_only_key"},
	{name: "book without invitee", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:00:00Z"}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "book with neither", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-02T08:00:00Z","invitee":{"name":"Pat","email":""}}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "contact_missing"},
	{name: "book by phone", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-02T08:00:00Z","invitee":{"name":"Pat","phone":"030 901820"}}`, method: "POST", path: "/v1/bookings", restBody: true},
	{name: "book by phone again", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-02T08:00:00Z","invitee":{"name":"Pat","phone":"+49 30 901820"}}`, method: "POST", path: "/v1/bookings", restBody: true, code: "conflict", reason: "already_booked"},
	{name: "of a phone", tool: "list_bookings", arguments: `{"invitee":"030 901820","status":"confirmed"}`, method: "GET", path: "/v1/bookings?invitee=030+901820&status=confirmed"},
	{name: "book off grid", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:05:00Z",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "off_grid"},
	{name: "book at night", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T22:00:00Z",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "outside_hours"},
	{name: "book at night against another rule", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T22:00:00Z","override":["off_grid"],` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "outside_hours"},
	{name: "book against no rule", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T22:00:00Z","override":["everything"],` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "book against what is no list", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T22:00:00Z","override":"off_grid",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "book in the past", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-11-01T08:00:00Z",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "in_past"},
	{name: "book", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:00:00Z","notes":"n","metadata":{"k":"v"},` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true},
	{name: "book with a slip", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:00:00Z","dryrun":true,` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "book again", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true, code: "conflict", reason: "already_booked"},
	{name: "book what is taken", tool: "create_booking", arguments: `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Bo","email":"bo@x.example"}}`, method: "POST", path: "/v1/bookings", restBody: true, code: "conflict", reason: "slot_taken"},
	{name: "move read-only", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-01T09:00:00Z"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true, readOnly: true, code: "forbidden", reason: "read_only_key"},
	{name: "move", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-01T10:00:00+01:00","reason":"later"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true},
	{name: "move at night", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-01T22:00:00Z"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true, code: "bad_request", reason: "outside_hours"},
	{name: "move at night anyway", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-01T22:00:00Z","override":["outside_hours"]}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true},
	{name: "move by day again", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-01T09:00:00Z"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true},
	{name: "move to the same", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-01T09:00:00Z"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true},
	{name: "move to no time", tool: "reschedule_booking", arguments: `{"id":"$id","start":"soon"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "no-show too early", tool: "mark_no_show", arguments: `{"id":"$id"}`, method: "POST", path: "/v1/bookings/{id}/no-show", code: "conflict", reason: "wrong_state"},
	{name: "coming", tool: "list_bookings", arguments: `{"status":"pending,confirmed,rescheduled"}`, method: "GET", path: "/v1/bookings?status=pending,confirmed,rescheduled"},
	{name: "of a person", tool: "list_bookings", arguments: `{"invitee":"MEI@x.example","from":"2026-12-01","eventType":"cut"}`, method: "GET", path: "/v1/bookings?invitee=MEI@x.example&from=2026-12-01&eventType=cut"},
	{name: "in a wrong state", tool: "list_bookings", arguments: `{"status":"done"}`, method: "GET", path: "/v1/bookings?status=done", code: "bad_request", reason: "invalid"},
	{name: "contact", tool: "create_contact", arguments: `{"name":"Ed","email":"ed@x.example","phone":"+49 30 1","timeZone":"Europe/Rome","notes":"n"}`, method: "POST", path: "/v1/contacts", restBody: true},
	{name: "contact again", tool: "create_contact", arguments: `{"name":"Edward","email":"ED@x.example"}`, method: "POST", path: "/v1/contacts", restBody: true},
	{name: "contact by e-mail alone", tool: "create_contact", arguments: `{"email":"ED@x.example"}`, method: "POST", path: "/v1/contacts", restBody: true},
	{name: "new contact by e-mail alone", tool: "create_contact", arguments: `{"email":"new@x.example"}`, method: "POST", path: "/v1/contacts", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "contact without e-mail", tool: "create_contact", arguments: `{"name":"Ed"}`, method: "POST", path: "/v1/contacts", restBody: true, code: "bad_request", reason: "contact_missing"},
	{name: "contact with a phone alone", tool: "create_contact", arguments: `{"name":"Pat","phone":"(0151) 234 567 89"}`, method: "POST", path: "/v1/contacts", restBody: true},
	{name: "contact with a wrong phone alone", tool: "create_contact", arguments: `{"name":"Pat","phone":"12"}`, method: "POST", path: "/v1/contacts", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "contacts by phone", tool: "list_contacts", arguments: `{"phone":"+49 151 23456789"}`, method: "GET", path: "/v1/contacts?phone=%2B49+151+23456789", readOnly: true},
	{name: "contacts by phone and e-mail", tool: "list_contacts", arguments: `{"email":"ED@x.example","phone":"+49 151 23456789"}`, method: "GET", path: "/v1/contacts?email=ED@x.example&phone=%2B49+151+23456789", code: "bad_request", reason: "invalid"},
	{name: "contact read-only", tool: "create_contact", arguments: `{"name":"Ed","email":"e@x.example"}`, method: "POST", path: "/v1/contacts", restBody: true, readOnly: true, code: "forbidden", reason: "read_only_key"},
	{name: "contacts", tool: "list_contacts", arguments: `{"q":"ed","limit":1}`, method: "GET", path: "/v1/contacts?q=ed&limit=1", readOnly: true},
	{name: "contacts by e-mail", tool: "list_contacts", arguments: `{"email":"ED@x.example"}`, method: "GET", path: "/v1/contacts?email=ED@x.example", readOnly: true},
	{name: "contacts by q and e-mail", tool: "list_contacts", arguments: `{"email":"ED@x.example","q":"ed"}`, method: "GET", path: "/v1/contacts?email=ED@x.example&q=ed", code: "bad_request", reason: "invalid"},
	{name: "no-shows to come", tool: "list_bookings", arguments: `{"status":"no_show"}`, method: "GET", path: "/v1/bookings?status=no_show"},
	{name: "without a zone", tool: "list_bookings", arguments: `{"from":"2026-12-01T08:00:00","scope":"garbage"}`, method: "GET", path: "/v1/bookings?from=2026-12-01T08:00:00&scope=garbage&status=pending,confirmed,rescheduled"},
	{name: "cancel with a slip", tool: "cancel_booking", arguments: `{"id":"$id","refnd":true}`, method: "POST", path: "/v1/bookings/{id}/cancel", restBody: true, code: "bad_request", reason: "invalid"},
	{name: "cancel what is not", tool: "cancel_booking", arguments: `{"id":"bk_nothing"}`, method: "POST", path: "/v1/bookings/bk_nothing/cancel", code: "not_found"},
	{name: "cancel another's", tool: "cancel_booking", arguments: `{"id":"$other"}`, method: "POST", path: "/v1/bookings/$other/cancel", code: "not_found"},
	{name: "no-show", tool: "mark_no_show", arguments: `{"id":"$id"}`, method: "POST", path: "/v1/bookings/{id}/no-show", later: 26 * time.Hour},
	{name: "no-show again", tool: "mark_no_show", arguments: `{"id":"$id"}`, method: "POST", path: "/v1/bookings/{id}/no-show", code: "conflict", reason: "wrong_state"},
	{name: "who did not come", tool: "list_contacts", arguments: `{"minNoShows":1,"since":"2026-11-01"}`, method: "GET", path: "/v1/contacts?minNoShows=1&since=2026-11-01"},
	{name: "who did not come twice", tool: "list_contacts", arguments: `{"minNoShows":2}`, method: "GET", path: "/v1/contacts?minNoShows=2"},
	{name: "who did not come later", tool: "list_contacts", arguments: `{"minNoShows":1,"since":"2026-12-02"}`, method: "GET", path: "/v1/contacts?minNoShows=1&since=2026-12-02"},
	{name: "since alone", tool: "list_contacts", arguments: `{"since":"2026-12-02"}`, method: "GET", path: "/v1/contacts?since=2026-12-02", code: "bad_request", reason: "invalid"},
	{name: "no-shows of an e-mail", tool: "list_contacts", arguments: `{"minNoShows":1,"email":"a@x.example"}`, method: "GET", path: "/v1/contacts?minNoShows=1&email=a@x.example", code: "bad_request", reason: "invalid"},
	{name: "undo a no-show", tool: "mark_no_show", arguments: `{"id":"$id","undo":true}`, method: "POST", path: "/v1/bookings/{id}/undo"},
	{name: "undo it again", tool: "mark_no_show", arguments: `{"id":"$id","undo":true}`, method: "POST", path: "/v1/bookings/{id}/undo", code: "conflict", reason: "nothing_to_undo"},
	{name: "nobody did not come", tool: "list_contacts", arguments: `{"minNoShows":1}`, method: "GET", path: "/v1/contacts?minNoShows=1"},
	{name: "no-show after all", tool: "mark_no_show", arguments: `{"id":"$id"}`, method: "POST", path: "/v1/bookings/{id}/no-show"},
	{name: "cancel a no-show", tool: "cancel_booking", arguments: `{"id":"$id"}`, method: "POST", path: "/v1/bookings/{id}/cancel", code: "conflict", reason: "wrong_state"},
	{name: "past", tool: "list_bookings", arguments: `{"scope":"past","status":"no_show"}`, method: "GET", path: "/v1/bookings?scope=past&status=no_show"},
	{name: "walk in", tool: "create_booking", arguments: `{"eventType":"cut","walkIn":true}`, method: "POST", path: "/v1/bookings", restBody: true, later: 3*time.Minute + 10*time.Second},
	{name: "walk in beside", tool: "create_booking", arguments: `{"eventType":"cut","walkIn":true,"invitee":{"name":"Bo"}}`, method: "POST", path: "/v1/bookings", restBody: true, code: "conflict", reason: "slot_taken"},
	{name: "walk in next", tool: "create_booking", arguments: `{"eventType":"cut","walkIn":true,"start":"2026-12-01T13:00:00Z"}`, method: "POST", path: "/v1/bookings", restBody: true},
	{name: "walk in read-only", tool: "create_booking", arguments: `{"eventType":"cut","walkIn":true}`, method: "POST", path: "/v1/bookings", restBody: true, readOnly: true, code: "forbidden", reason: "read_only_key"},
	{name: "walk in at night", tool: "create_booking", arguments: `{"eventType":"cut","walkIn":true}`, method: "POST", path: "/v1/bookings", restBody: true, later: 10 * time.Hour, code: "bad_request", reason: "outside_hours"},
	{name: "book to cancel", tool: "create_booking", arguments: `{"eventType":"colour","start":"2026-12-03T08:00:00Z",` + invitee + `}`, method: "POST", path: "/v1/bookings", restBody: true},
	{name: "cancel", tool: "cancel_booking", arguments: `{"id":"$id","reason":"ill","refund":false}`, method: "POST", path: "/v1/bookings/{id}/cancel", restBody: true},
	{name: "cancel again", tool: "cancel_booking", arguments: `{"id":"$id"}`, method: "POST", path: "/v1/bookings/{id}/cancel"},
	{name: "move what is cancelled", tool: "reschedule_booking", arguments: `{"id":"$id","start":"2026-12-03T09:00:00Z"}`, method: "POST", path: "/v1/bookings/{id}/reschedule", restBody: true, code: "conflict", reason: "wrong_state"},
}

// side is a salon, the booking that was made in it last, and one of another workspace.
type side struct {
	*world
	id, other string
	do        func(operation) (code string, body json.RawMessage)
}

func (s *side) fill(text string) string {
	return strings.NewReplacer("$id", s.id, "{id}", s.id, "$other", s.other).Replace(text)
}

// TestParity does the same through REST and through the tools, in two salons alike, and expects the same codes, the
// same answers and, at the end, the same rows.
func TestParity(t *testing.T) {
	tools, restSide := newSide(t), newSide(t)
	tools.do = tools.throughTools
	server := httptest.NewServer(rest.New(restSide.Set, rest.Options{}))
	t.Cleanup(server.Close)
	restSide.do = func(op operation) (string, json.RawMessage) { return restSide.throughREST(server.URL, op) }
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			var bodies [2]string
			for i, s := range []*side{tools, restSide} {
				s.Clock.Advance(op.later)
				code, body := s.do(op)
				if reason, _ := detail(body, "reason").(string); code != op.code || reason != op.reason {
					t.Errorf("%s: %q %q, want %q %q: %s", []string{"tool", "REST"}[i], code, reason, op.code, op.reason, body)
				}
				if op.tool == "create_booking" && code == "" {
					var b booking.Booking
					must(t, json.Unmarshal(body, &b))
					s.id = b.ID.String()
				}
				if s == tools && strings.Contains(string(body), `"contact":`) {
					t.Errorf("an agent is told of contacts: %s", body)
				}
				bodies[i] = s.neutral(body)
			}
			if bodies[0] != bodies[1] {
				t.Errorf("answers differ:\ntool %s\nREST %s", bodies[0], bodies[1])
			}
		})
	}
	if a, b := tools.rows(), restSide.rows(); a != b {
		t.Errorf("rows differ:\ntool %s\nREST %s", a, b)
	}
}

func newSide(t *testing.T) *side {
	s := &side{world: newWorld(t)}
	other := s.Beside("other", "Ana", "Bo")
	furnish(other)
	b, err := s.Book(t.Context(), other.API, booking.BookInput{
		EventType: "cut", Start: "2026-12-02T08:00:00Z", Invitee: booking.Invitee{Name: "Mei", Email: "mei@x.example"}})
	must(t, err)
	s.other = b.ID.String()
	s.Alter("colour", func(e *catalog.EventType) { e.Hidden = true }) // agents act for the business: they see and book it
	return s
}

func (s *side) throughTools(op operation) (string, json.RawMessage) {
	key := s.key
	if op.readOnly {
		key = s.readOnly
	}
	arguments := s.fill(op.arguments)
	if op.tool == "list_bookings" { // as REST has it
		arguments = `{"detail":"full",` + arguments[1:]
	}
	a := s.call(op.tool, arguments, "Authorization", "Bearer "+key)
	return a.failure().Code, a.Structured
}

func (s *side) throughREST(base string, op operation) (string, json.RawMessage) {
	var body io.Reader
	if op.restBody {
		var fields map[string]json.RawMessage
		must(s.T, json.Unmarshal([]byte(s.fill(op.arguments)), &fields))
		delete(fields, "id")
		text, err := json.Marshal(fields)
		must(s.T, err)
		body = strings.NewReader(string(text))
	}
	u, err := url.Parse(base + "/api" + s.fill(op.path))
	must(s.T, err)
	r, err := http.NewRequestWithContext(s.Context(), op.method, u.String(), body)
	must(s.T, err)
	r.Header.Set("Authorization", "Bearer "+s.key)
	if op.readOnly {
		r.Header.Set("Authorization", "Bearer "+s.readOnly)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	must(s.T, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	must(s.T, err)
	if res.StatusCode < 300 {
		return "", answer
	}
	var failure struct{ Error struct{ Code string } }
	must(s.T, json.Unmarshal(answer, &failure))
	return failure.Error.Code, answer
}

func detail(body json.RawMessage, name string) any {
	var failure struct {
		Error struct{ Details map[string]any }
	}
	json.Unmarshal(body, &failure) //nolint:errcheck // a list is no failure
	return failure.Error.Details[name]
}

// neutral is a body without what must differ: ids, links, the message, the actor.
func (s *side) neutral(body json.RawMessage) string {
	var v any
	must(s.T, json.Unmarshal(body, &v))
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["rescheduleCount"] != nil { // the tools tell a booking's start on the business's clock, too
				delete(v, "local")
				delete(v, "timeZone")
				delete(v, "contact") // of REST only
			}
			if v["code"] == "not_found" { // REST says of which field
				delete(v, "details")
			}
			for _, name := range []string{"atBusiness", "businessTimeZone", "created", "unchanged", "datesTimeZone", "hostNames"} { // and a slot's, where it is asked for another's
				delete(v, name)
			}
			if _, times := v["nextAvailable"]; times {
				delete(v, "hint") // only the tools say what to do when nothing is open
			}
			for name, part := range v {
				switch name {
				case "id", "bookingId", "eventTypeId", "manageUrl", "bookingUrl", "nextCursor", "message", "requestId", "createdAt", "updatedAt":
					v[name] = fmt.Sprintf("%T", part)
				case "by":
					v[name] = strings.Replace(part.(string), "agent", "api", 1)
				default:
					walk(part)
				}
			}
		case []any:
			for _, part := range v {
				walk(part)
			}
		}
	}
	walk(v)
	text, err := json.Marshal(v)
	must(s.T, err)
	return string(text)
}

// rows are all bookings with what happened to them, contacts and events, less what must differ.
func (s *side) rows() string {
	a := app.Operator(s.Workspace.ID)
	page, err := s.Bookings(s.Context(), a, booking.ListBookingsInput{From: "2026-01-01"})
	must(s.T, err)
	var all strings.Builder
	for _, b := range page.Data {
		history, err := s.History(s.Context(), a, b.ID.String())
		must(s.T, err)
		for _, h := range history {
			fmt.Fprintln(&all, b.Invitee.Email, h.Action, h.From, h.To, h.Start, h.Reason)
		}
	}
	contacts, err := s.People.Contacts(s.Context(), a, contact.Filter{}, nil, "")
	must(s.T, err)
	for _, c := range contacts.Data {
		fmt.Fprintln(&all, c.Name, c.Email, c.Phone, c.TimeZone, c.Notes, c.Bookings, c.NoShows, c.LastBookingAt)
	}
	events, err := s.Store.EventsAfter(s.Workspace.ID, 0, 100)
	must(s.T, err)
	for _, e := range events {
		fmt.Fprintln(&all, e.Kind)
	}
	return all.String()
}
