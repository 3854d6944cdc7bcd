package views_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	. "daybook/views"
)

func render(t testing.TB, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func fixtureQuery() Query { return Query{TimeZone: "Europe/Berlin"} }

// The names that scripts and tests of others rely on (app/contract.md, Booking page and embed).
func TestHooks(t *testing.T) {
	l := MatchLocale("en", "")
	for state, wants := range map[string][]string{
		"event":   {`data-day="2026-12-01"`, `data-start="2026-12-01T08:00:00Z"`, `name="timeZone"`, `data-view="event"`},
		"details": {`name="name"`, `name="email"`, `name="notes"`, `name="timeZone"`, `name="start"`, `method="post"`},
		"booked":  {`data-booking-id="bk_01jd8z3v7m"`, `data-booking-start="2026-12-01T08:45:00Z"`, `data-booked`},
		"booking": {`data-booking-id="bk_01jd8z3v7m"`},
	} {
		html := render(t, states[state](l, fixtureQuery()))
		for _, want := range wants {
			if !strings.Contains(html, want) {
				t.Errorf("%s: no %s", state, want)
			}
		}
	}
	event := render(t, states["event"](l, fixtureQuery()))
	if !regexp.MustCompile(`<a[^>]*data-day="2026-12-06"[^>]*aria-disabled="true"`).MatchString(event) ||
		regexp.MustCompile(`<a[^>]*data-day="2026-12-06"[^>]*href`).MatchString(event) {
		t.Error("a day without times should be disabled and lead nowhere")
	}
	if strings.Contains(render(t, states["booking"](l, fixtureQuery())), "data-booked") {
		t.Error("only a fresh booking may be told to the embedding page")
	}
	if strings.Contains(event, "<script>alert") {
		t.Error("the JSON-LD escaped from its block")
	}
}

// Every state renders in every language, without a text that is missing.
func TestEveryStateInEveryLanguage(t *testing.T) {
	for _, l := range Locales {
		for _, name := range stateNames() {
			html := render(t, states[name](l, fixtureQuery()))
			if !strings.Contains(html, `lang="`+l.Tag+`"`) || strings.Contains(html, "{{") {
				t.Errorf("%s %s", l.Tag, name)
			}
			if key := regexp.MustCompile(`>\s*(head|text|error|field|submit|times|days)_\w+`).FindString(html); key != "" {
				t.Errorf("%s %s shows a key: %s", l.Tag, name, key)
			}
		}
	}
}

// Everything a first visit loads, as it goes over the wire.
func TestFirstLoadIsSmall(t *testing.T) {
	server := httptest.NewServer(fixtureDoor())
	defer server.Close()
	total := 0
	load := func(path string) string {
		req, _ := http.NewRequest("GET", server.URL+path, nil)
		req.Header.Set("Accept-Encoding", "gzip")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("%s: %v %v", path, res, err)
		}
		defer res.Body.Close()
		content, _ := io.ReadAll(res.Body)
		size := len(content)
		if res.Header.Get("Content-Encoding") == "" {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(content)
			w.Close()
			size = min(size, b.Len())
		}
		t.Logf("%6d %s", size, path)
		total += size
		return string(content)
	}
	html := load("/salon/cut")
	for _, m := range regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`).FindAllStringSubmatch(html, -1) {
		load(m[1])
	}
	if t.Logf("%6d in all", total); total >= 50_000 {
		t.Errorf("%d bytes", total)
	}
}

func TestQueryReadsOnlyWhatMakesSense(t *testing.T) {
	req := httptest.NewRequest("GET", `/salon/cut?date=2026-12-01&month=12&start=2026-12-01T10:00:00%2B01:00&timeZone=Europe/Berlin&clock=13&lang=de&theme=dark&embed=popup&name=Mia+B%26c&email=m%40x.de&q_length=Short&evil=1`, nil)
	q := ReadQuery(req.URL.Query())
	if q.Date != "2026-12-01" || q.Month != "" || q.Start != "2026-12-01T09:00:00Z" || q.Clock != "" || q.Theme != "dark" || q.Embed != Popup || q.Prefill.Get("evil") != "" {
		t.Errorf("%+v", q)
	}
	want := "/salon/cut?date=2026-12-01&start=2026-12-01T09:00:00Z&timeZone=Europe/Berlin&lang=de&theme=dark&embed=popup&email=m%40x.de&name=Mia+B%26c&q_length=Short#details"
	if got := EventPath("salon", "cut", q); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	again := ReadQuery(httptest.NewRequest("GET", strings.TrimSuffix(want, "#details"), nil).URL.Query())
	if EventPath("salon", "cut", again) != want {
		t.Error("an address does not survive being read and written")
	}
}

func TestFindZone(t *testing.T) {
	for typed, want := range map[string]string{"europe/berlin": "Europe/Berlin", "New York": "America/New_York", "berlin": "Europe/Berlin", " UTC ": "UTC", "": "", "Atlantis": "", "../etc/passwd": ""} {
		if got := FindZone(typed); got != want {
			t.Errorf("FindZone(%q) = %q, want %q", typed, got, want)
		}
	}
	for _, z := range Zones {
		if _, err := time.LoadLocation(z); err != nil {
			t.Error(err)
		}
	}
}

func TestCSPNamesOnlyRealSources(t *testing.T) {
	csp := CSP("'none'", "https://cdn.example.com/logo.png", "/logo.png", "x; script-src *")
	if !strings.Contains(csp, "img-src 'self' data: https://cdn.example.com;") || strings.Contains(csp, "script-src *") || strings.Contains(csp, "unsafe") {
		t.Error(csp)
	}
}

func BenchmarkEventView(b *testing.B) {
	v := fixturePick(MatchLocale("de", ""), fixtureQuery(), pickPath)
	for b.Loop() {
		EventView(v).Render(context.Background(), io.Discard)
	}
}
