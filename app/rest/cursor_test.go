package rest_test

import (
	"encoding/base64"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app/booking"
)

// cursorLists are the lists that take a cursor, each with a search, of which the ones that have rows are marked. The
// events are not among them: their cursor is the id of an event.
func (w *world) cursorLists() map[string]bool {
	return map[string]bool{
		"bookings?": true, "bookings?scope=all": true, "bookings?from=2026-12-01": true, "bookings?host=" + ana.String(): true,
		"bookings?eventType=class": true, "bookings?q=bo": true, "bookings?status=confirmed,pending": true,
		"contacts?": true, "contacts?q=bo": true, "event-types?": true, "hosts?": true, "resources?": true, "products?": true, "products?q=wax": true, "members?": false,
		"hosts/" + ana.String() + "/overrides?": true, "hosts/" + bob.String() + "/overrides?": false,
		"hosts/" + ana.String() + "/time-off?": true, "hosts/" + bob.String() + "/time-off?": false,
		"availability?eventType=wash&": true, "availability?eventType=color&": true,
		"availability?eventType=color&host=" + ana.String() + "&": true,
		"availability?eventType=color&weekdays=tue,wed,thu&":      true,
		"availability?eventType=color&firstPerDay=1&":             true,
		"receipts?": false, "pictures?": false, "invitations?": true, "webhook-endpoints?": true, "payments?": false,
	}
}

// listed fills the lists, and returns a key that may read them all.
func (w *world) listed() (key string) {
	w.T.Helper()
	key = w.manager()
	for i, at := range []string{"08", "09", "10"} {
		w.book("class", "2026-12-02T"+at+":00:00Z", "bo"+itoa(i)+"@x.example")
	}
	for _, day := range []string{"2027-01-05", "2027-01-06"} {
		w.made(key, "POST", "/api/v1/hosts/"+ana.String()+"/overrides", `{"date":"`+day+`","hours":[]}`)
		w.made(key, "POST", "/api/v1/hosts/"+ana.String()+"/time-off",
			`{"start":"`+day+`T00:00:00Z","end":"`+day+`T10:00:00Z"}`)
		w.made(key, "POST", "/api/v1/resources", `{"name":"Room `+day+`"}`)
		w.made(key, "POST", "/api/v1/products", `{"name":"Wax `+day+`","price":{"amount":900}}`)
		w.made(key, "POST", "/api/v1/invitations", `{"eventType":"cut"}`)
		w.made(key, "POST", "/api/v1/webhook-endpoints", hook(hookURL+day, "booking.created"))
	}
	return key
}

func (w *world) made(key, method, path, body string) {
	w.T.Helper()
	if got := w.do(key, method, path, body); got.Code >= 300 {
		w.T.Fatalf("%s %s: %d %s", method, path, got.Code, got.text)
	}
}

// TestCursorsAreOfOneList: a list refuses the cursors of every other list, and its own of every other search.
func TestCursorsAreOfOneList(t *testing.T) {
	w := newWorld(t)
	key := w.listed()
	lists := w.cursorLists()
	for from, rows := range lists {
		if !rows {
			continue
		}
		first := w.do(key, "GET", "/api/v1/"+from+"&limit=1", "").json(t)
		cursor, ok := first["nextCursor"].(string)
		if !ok {
			t.Errorf("%s: has no second page: %v", from, first)
			continue
		}
		for to := range lists {
			got := w.do(key, "GET", "/api/v1/"+to+"&limit=1&cursor="+cursor, "")
			if to == from {
				if got.Code != 200 {
					t.Errorf("%s: its own cursor: %d %s", to, got.Code, got.text)
				}
				continue
			}
			if got.Code != 400 || !strings.Contains(got.text, `"field":"cursor"`) {
				t.Errorf("%s with the cursor of %s: %d %.300s", to, from, got.Code, got.text)
			}
		}
	}
}

// TestAvailabilityGoesOnByItsCursorAlone: the next pages need no from, to or days, and answer as with them; others are
// refused.
func TestAvailabilityGoesOnByItsCursorAlone(t *testing.T) {
	w := newWorld(t)
	const list = "/api/v1/availability?eventType=color"
	whole := w.walk(list+"&from=2026-12-20&days=3&limit=100", "start")
	for _, span := range []string{"&from=2026-12-20&days=3", "&from=2026-12-20&to=2026-12-23"} {
		first := w.do(w.full, "GET", list+span+"&limit=2", "").json(t)
		cursor := "&cursor=" + first["nextCursor"].(string)
		for _, again := range []string{"", span, "&from=2026-12-20T00:00:00Z"} {
			page := w.do(w.readOnly, "GET", list+again+"&explain=true"+cursor, "")
			rest := page.json(t)
			var starts []string
			for _, row := range rest["data"].([]any) {
				starts = append(starts, object(row)["start"].(string))
			}
			if page.Code != 200 || !slices.Equal(starts, whole[2:]) || rest["hasMore"] != false {
				t.Errorf("%s, then %q: %d, %v instead of %v", span, again, page.Code, starts, whole[2:])
			}
		}
		for _, other := range []string{"&from=2026-12-21", "&days=4", "&to=2026-12-24", "&days=3&from=2026-12-19"} {
			got := w.do(w.full, "GET", list+other+cursor, "")
			if got.Code != 400 || !strings.Contains(got.text, `"field":"cursor"`) {
				t.Errorf("%s, then %q: %d %s", span, other, got.Code, got.text)
			}
		}
	}
	if got := w.do(w.full, "GET", list+"&explain=true&to=2020-01-01", ""); got.Code != 200 {
		t.Errorf("a span that has passed: %d %s", got.Code, got.text)
	}
}

// FuzzCursors: no cursor that a caller writes makes a list panic, whether it is any text or one that the list gave with
// other numbers.
func FuzzCursors(f *testing.F) {
	w := newWorld(f)
	key := w.listed()
	var lists []string
	for list := range w.cursorLists() {
		lists = append(lists, list)
	}
	slices.Sort(lists)
	marks := make([]string, len(lists)) // of lists that have a second page
	for i, list := range lists {
		if next, ok := w.do(key, "GET", "/api/v1/"+list+"&limit=1", "").json(f)["nextCursor"].(string); ok {
			raw, err := base64.RawURLEncoding.DecodeString(next)
			w.Must(err)
			marks[i] = string(raw)
			f.Add(i, next, int64(1), int64(2), int64(3), int64(4))
		}
		const most, least = int64(1<<63 - 1), int64(-1 << 63)
		f.Add(i, "bnhrYzIwZzA", most, most, most, most)
		f.Add(i, "", least, least, least, least)
		f.Add(i, booking.EventID(1).String(), int64(0), most, least, int64(7))
		f.Add(i, "x", int64(1_800_000_000_000), int64(0), int64(1_800_000_000_000), int64(62))
	}
	lists, marks = append(lists, "events?"), append(marks, "")
	f.Fuzz(func(t *testing.T, of int, text string, a, b, c, d int64) {
		of = (of%len(lists) + len(lists)) % len(lists)
		cursors := []string{text}
		if marks[of] != "" {
			parts := strings.Split(marks[of], ".")
			for i, n := range []int64{a, b, c, d}[:len(parts)-1] {
				parts[i+1] = strconv.FormatInt(n, 36)
			}
			cursors = append(cursors, base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "."))))
		}
		for _, cursor := range cursors {
			for _, more := range []string{"", "&explain=true"} {
				if more != "" && !strings.HasPrefix(lists[of], "availability") {
					continue
				}
				r := httptest.NewRequest("GET", base+"/api/v1/"+lists[of]+"&cursor="+url.QueryEscape(cursor)+more, nil)
				r.Header.Set("Authorization", "Bearer "+key)
				got := httptest.NewRecorder()
				w.door.ServeHTTP(got, r)
				if got.Code != 200 && got.Code != 400 {
					t.Errorf("%s%s with %q: %d %s", lists[of], more, cursor, got.Code, got.Body)
				}
			}
		}
	})
}
