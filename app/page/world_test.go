package page_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/app/serve"
	"daybook/app/setup"
	"daybook/store"
	"daybook/store/enginetest"
)

// monday is the start of the tests: 2026-11-30 08:00 in Berlin, an hour before work.
var monday = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

// The salon of the tests: Ana works from Monday to Friday, and has one haircut an hour.
const salon = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}}
  - {name: Ben, email: ben@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"]}}
eventTypes:
  - {slug: cut, title: Haircut, description: "Wash, cut and dry.\n\nCome early.", durationMinutes: 60, price: {amount: 4500, currency: EUR}, hosts: [ana@salon.example], cancellationNoticeMinutes: 1440, location: "Oranienstraße 25, Berlin"}
  - {slug: either, title: Either of us, durationMinutes: 60, hosts: [ana@salon.example, ben@salon.example]}
  - {slug: bridal, title: Bridal styling, durationMinutes: 60, hosts: [ana@salon.example], requiresApproval: true}
  - {slug: course, title: Braiding course, durationMinutes: 60, seats: 3, hosts: [ana@salon.example]}
  - {slug: rare, title: Twice a day, durationMinutes: 60, maxPerDay: 1, hosts: [ana@salon.example]}
  - {slug: closed, title: Closed, durationMinutes: 60, active: false, hosts: [ana@salon.example]}
  - slug: asks
    title: Many questions
    durationMinutes: 60
    hosts: [ana@salon.example]
    questions:
      - {key: length, label: Hair length, type: choice, options: [Short, Long], required: true}
      - {key: phone, label: Your phone, type: phone, required: true}
      - {key: agree, label: I have read the terms, type: checkbox, required: true}
      - {key: long, label: "Which of the treatments that we offer in the spring have you had before, and how was it?", type: text, required: true}
      - {key: wish, label: Any wish, type: text}
      - {key: story, label: Tell us more, type: long_text}
`

// world is a door on a real store, behind the whole server, with a clock that stands still until it is moved.
type world struct {
	t       testing.TB
	service *rooms.Set
	store   *store.Store
	handler http.Handler
	ws      catalog.Workspace

	mu  sync.Mutex
	now time.Time
}

func newWorld(t testing.TB, o page.Options) *world {
	t.Helper()
	w := &world{t: t, now: monday, store: store.New(enginetest.Open(t))}
	base := &url.URL{Scheme: "https", Host: "book.example.com"}
	w.service = rooms.New(rooms.Config{Config: app.Config{Store: w.store, Clock: w.clock, BaseURL: base}})
	w.apply(salon)
	var err error
	w.ws, err = w.service.WorkspaceBySlug("salon")
	w.must(err)
	door := page.New(w.service, o)
	w.handler, err = serve.Handler(serve.Config{Routes: door.Routes, Pages: door.Pages, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("127.0.0.0/8")}})
	w.must(err)
	return w
}

func (w *world) apply(text string) {
	w.t.Helper()
	doc, err := setup.Parse([]byte(text))
	w.must(err)
	_, err = w.service.SetupFile.ApplySetup(w.t.Context(), app.Operator(0), doc, false)
	w.must(err)
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) owner() app.Actor { return app.Actor{Kind: record.ByOwner, Workspace: w.ws.ID} }

// book makes a booking as the owner would: at is "2T09:00", UTC, on the second day after Monday.
func (w *world) book(eventType, at, person string) record.Booking {
	w.t.Helper()
	b, err := w.service.Book(w.t.Context(), w.owner(), record.BookInput{EventType: eventType, Start: start(at),
		Invitee: record.Invitee{Name: person, Email: person + "@mail.example", TimeZone: "Europe/Berlin"}})
	w.must(err)
	return b
}

// count is how many live bookings there are.
func (w *world) count() int {
	w.t.Helper()
	p, err := w.service.Bookings(w.t.Context(), w.owner(), record.ListBookingsInput{Status: "confirmed,pending,rescheduled"})
	w.must(err)
	return len(p.Data)
}

func start(at string) string {
	day, clock, _ := strings.Cut(at, "T")
	t, err := time.Parse("15:04", clock)
	if err != nil {
		return at
	}
	return monday.Truncate(24*time.Hour).AddDate(0, 0, int(day[0]-'0')).Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute).Format(time.RFC3339)
}

// answer is what came back.
type answer struct {
	*http.Response
	text string
}

func (w *world) send(method, path string, form url.Values, headers ...string) answer {
	w.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, path, body)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return answer{rec.Result(), rec.Body.String()}
}

func (w *world) get(path string, headers ...string) answer {
	return w.send("GET", path, nil, headers...)
}

// booking is the form that an honest browser sends.
func booking(at, person string, more ...string) url.Values {
	form := url.Values{"start": {start(at)}, "name": {person}, "email": {person + "@mail.example"}, "notes": {""}, "timeZone": {"Europe/Berlin"}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// path is the address of a link that the answer leads to, or of a booking's manage page.
func path(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		panic(err)
	}
	return u.RequestURI()
}

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// hidden are the hidden inputs of the answer's form.
func (a answer) hidden() url.Values {
	v := url.Values{}
	for _, m := range hiddenInput.FindAllStringSubmatch(a.text, -1) {
		v.Set(m[1], html.UnescapeString(m[2]))
	}
	return v
}

// all are what the pattern's group matches in the answer.
func (a answer) all(pattern string) (found []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(a.text, -1) {
		found = append(found, html.UnescapeString(m[1]))
	}
	return found
}
