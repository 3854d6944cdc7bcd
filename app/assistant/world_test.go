package assistant_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/assistant"
	"daybook/app/booking"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/serve"
	"daybook/app/subjects"
)

const salon = `
workspace: {slug: salon, name: "Salon [Ana]", timeZone: Europe/Berlin, currency: EUR, description: Cuts and colour, assistantsMayBook: true}
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}}
eventTypes:
  - {slug: cut, title: Haircut, description: "Wash, cut and dry.\n\nCome early.", durationMinutes: 60, price: {amount: 4500, currency: EUR}, hosts: [ana@salon.example], cancellationNoticeMinutes: 1440}
  - {slug: secret, title: Model for trainees, durationMinutes: 60, hidden: true, hosts: [ana@salon.example]}
  - {slug: closed, title: Perm, durationMinutes: 60, active: false, hosts: [ana@salon.example]}
  - {slug: long, title: Colour, durationMinutes: 120, hosts: [ana@salon.example]}
`

const quiet = `
workspace: {slug: quiet, name: Quiet Corner, timeZone: Europe/Berlin}
hosts: [{name: Bo, email: bo@quiet.example, weekly: {mon: ["09:00-17:00"]}}]
eventTypes: [{slug: talk, title: A talk, durationMinutes: 60, hosts: [bo@quiet.example]}]
`

// world is the salon, where assistants may book, and another business, where they may not, behind the whole server.
type world struct {
	*apptest.Salon
	handler http.Handler
}

func newWorld(t testing.TB, with ...func(*assistant.Options)) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{Empty: true, With: func(c *subjects.Config) {
		c.BaseURL.Host = "book.example.com"
		c.Assistants = []netip.Prefix{netip.MustParsePrefix("160.79.104.0/21")}
	}})}
	w.Apply(salon)
	w.Apply(quiet)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	o := assistant.Options{BookingsPerHour: 30, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}
	for _, change := range with {
		change(&o)
	}
	door, pages := assistant.New(w.Set, o), page.New(w.Set, page.Options{})
	var err error
	w.handler, err = serve.Handler(serve.Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
		Routes: func(mux *http.ServeMux) { door.Routes(mux); pages.Routes(mux) },
		Pages:  func(mux *http.ServeMux) { door.Pages(mux); pages.Pages(mux) }})
	w.Must(err)
	return w
}

func (w *world) do(method, path string) *httptest.ResponseRecorder {
	a := httptest.NewRecorder()
	w.handler.ServeHTTP(a, httptest.NewRequest(method, path, nil))
	return a
}

// has checks what an answer says and what it doesn't.
func (w *world) has(path string, status int, contains, never []string) {
	w.T.Helper()
	a := w.do("GET", path)
	text := a.Body.String()
	if a.Code != status {
		w.T.Errorf("%s: %d, want %d: %.300s", path, a.Code, status, text)
	}
	for _, part := range contains {
		if !strings.Contains(text, part) {
			w.T.Errorf("%s lacks %q:\n%s", path, part, text)
		}
	}
	for _, part := range never {
		if strings.Contains(text, part) {
			w.T.Errorf("%s has %q", path, part)
		}
	}
}

func input(eventType, at, person string) booking.BookInput {
	return apptest.Input(eventType, at, person)
}
