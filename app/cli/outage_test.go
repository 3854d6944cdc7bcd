package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/store/pgtest"
)

// While PostgreSQL is away every door says that it can't answer at the moment, and when to ask again. It works by itself
// when PostgreSQL is back, and what was asked for with an Idempotency-Key meanwhile was not answered for good.
func TestPostgresIsAway(t *testing.T) {
	t.Parallel()
	pgtest.Shared(t) // skips where there is no PostgreSQL
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Remove() })
	place := server.URL("postgres")
	daybook(t, t.TempDir(), "", "migrate", "up", "--db", place)
	c := startCluster(t, place, 1)
	url := c.nodes[0].url

	doors := []struct{ name, method, path, contentType, body string }{
		{"a list", "GET", "/api/v1/bookings", "", ""},
		{"a booking", "POST", "/api/v1/bookings", "application/json", ""},
		{"availability", "GET", "/api/v1/availability?eventType=e0&days=3", "", ""},
		{"a tool", "POST", "/api/mcp", "application/json",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_contacts"}}`},
		{"a booking page", "GET", "/crash/e0", "", ""},
		{"the dashboard", "GET", "/dashboard", "", ""},
		{"a calendar", "GET", "/calendar/38hb83cr0nazh5r1pt07fp6q9yn5eygv7syq3rc.ics", "", ""},
		{"a link of a mail", "GET", "/booking/38hb83cr0nazh5r1pt07fp6q9yn5eygv7syq3rc/decide", "", ""},
	}
	start := c.first.Format("2006-01-02T15:04:05Z07:00")
	booking := `{"eventType":"e0","start":"` + start + `","invitee":{"name":"P","email":"p@mail.example"}}`
	ask := func(i int) (*http.Response, string) {
		t.Helper()
		d := doors[i]
		if d.name == "a booking" {
			d.body = booking
		}
		req, err := http.NewRequest(d.method, url+d.path, strings.NewReader(d.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "application/json, text/event-stream, text/html")
		req.Header.Set("Content-Type", d.contentType)
		if strings.HasPrefix(d.path, "/api/") {
			req.Header.Set("Authorization", "Bearer "+c.key)
		}
		if d.method == "POST" {
			req.Header.Set("Idempotency-Key", "while it is away")
		}
		req.AddCookie(&http.Cookie{Name: "daybook", Value: strings.Repeat("x", 43)})
		res, err := c.client.Do(req)
		if err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		return res, string(text)
	}

	if res, text := ask(0); res.StatusCode != http.StatusOK { // connections that will be lost
		t.Fatal(res.StatusCode, text)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	for range 3 { // on lost connections, and on none
		for i, d := range doors {
			res, text := ask(i)
			if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
				t.Errorf("%s while PostgreSQL is away: %d, Retry-After %q: %.300s", d.name, res.StatusCode, res.Header.Get("Retry-After"), text)
			}
			var body struct {
				Error struct{ Code, Message string }
			}
			if !strings.HasPrefix(d.path, "/api/v1/") {
				continue
			}
			if err := json.Unmarshal([]byte(text), &body); err != nil || body.Error.Code != "unavailable" ||
				!strings.Contains(body.Error.Message, "in a moment") {
				t.Errorf("%s: %.300s, %v", d.name, text, err)
			}
		}
	}
	if err := server.Run(); err != nil {
		t.Fatal(err)
	}
	var first string
	apptest.Eventually(t, "something is booked after PostgreSQL is back", func() bool {
		res, text := ask(1)
		if res.StatusCode != http.StatusCreated && res.StatusCode != http.StatusServiceUnavailable {
			t.Fatal(res.StatusCode, text)
		}
		first = text
		return res.StatusCode == http.StatusCreated
	})
	if res, text := ask(1); res.StatusCode != http.StatusCreated || !bytes.Equal([]byte(text), []byte(first)) ||
		res.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the key again: %d %s", res.StatusCode, text)
	}
	if n := len(c.bookings(t, url)); n != 1 {
		t.Errorf("%d bookings", n)
	}
	for i, d := range doors {
		if res, text := ask(i); res.StatusCode >= 500 {
			t.Errorf("%s when PostgreSQL is back: %d %.300s", d.name, res.StatusCode, text)
		}
	}
}
