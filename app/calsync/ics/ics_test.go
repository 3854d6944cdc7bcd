package ics

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"daybook/app/address"
	"daybook/app/calsync"
	"daybook/app/fault"
)

// file is a calendar with those events: lines of a VEVENT, each in a text of its own.
func file(events ...string) string {
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nX-WR-CALNAME:Ana\\, at home\r\n"
	for _, e := range events {
		text += "BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\n" + e + "\r\nEND:VEVENT\r\n"
	}
	return text + "END:VCALENDAR\r\n"
}

const dentist = "UID:dentist\r\nDTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z"

var march = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func asked(cursor string) calsync.Asked {
	return calsync.Asked{Cursor: cursor, From: march.UnixMilli(), To: march.AddDate(0, 1, 0).UnixMilli(), Zone: time.UTC}
}

// at is a source for a path of a server that answers so.
func at(t testing.TB, path string, answer http.HandlerFunc) calsync.Source {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return of(server.URL + path)
}

func of(address string) calsync.Source {
	return Open(calsync.Opening{Connection: &calsync.Connection{Name: "example.com"},
		Credentials: calsync.Credentials{Address: address}, HTTP: &http.Client{Timeout: 30 * time.Second}})
}

func TestAFileIsReadOnceUntilItChanges(t *testing.T) {
	text, tag, conditional := file(dentist), `"1"`, 0
	s := at(t, "/secret.ics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		w.Header().Set("Last-Modified", "Sun, 01 Mar 2026 00:00:00 GMT")
		if r.Header.Get("If-None-Match") == tag && r.Header.Get("If-Modified-Since") == "Sun, 01 Mar 2026 00:00:00 GMT" {
			conditional++
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/calendar")
		io.WriteString(w, text)
	})
	names, err := s.Calendars(t.Context())
	if err != nil || len(names) != 1 || names[0].Name != "Ana, at home" || !names[0].ReadOnly || names[0].ID != "" {
		t.Fatalf("%+v, %v", names, err)
	}
	first, err := s.Changes(t.Context(), asked(""))
	if err != nil || !first.All || len(first.Items) != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	start := march.AddDate(0, 0, 1).Add(9 * time.Hour).UnixMilli()
	want := calsync.Span{Start: start, End: start + time.Hour.Milliseconds()}
	x := first.Items[0]
	if x.Key != "dentist" || x.UID != "dentist" || x.ETag == "" || len(x.Spans) != 1 || x.Spans[0] != want {
		t.Errorf("%+v, want %+v", x, want)
	}
	second, err := s.Changes(t.Context(), asked(first.Cursor))
	if err != nil || second.All || len(second.Items) != 0 || second.Cursor != first.Cursor || conditional != 1 {
		t.Errorf("unchanged: %+v, %v, %d answers of 304", second, err, conditional)
	}
	if whole, err := s.Changes(t.Context(), asked("")); err != nil || !whole.All || len(whole.Items) != 1 {
		t.Errorf("with no cursor everything is read: %+v, %v", whole, err)
	}
	text, tag = file(), `"2"`
	third, err := s.Changes(t.Context(), asked(first.Cursor))
	if err != nil || !third.All || len(third.Items) != 0 || third.Cursor == first.Cursor {
		t.Errorf("emptied: %+v, %v", third, err)
	}
}

// What is odd about UIDs makes no two events one, and nothing that can't be stored.
func TestEveryEventHasAKey(t *testing.T) {
	times := "DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z"
	long := strings.Repeat("x", 5000)
	s := at(t, "/", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "\xef\xbb\xbf\r\n"+file(times, times, "UID:"+long+"\r\n"+times, "UID:"+long+"y\r\n"+times,
			"UID:a\x00b\xff\r\n"+times, "UID:series\r\nRRULE:FREQ=DAILY;COUNT=3\r\n"+times,
			"UID:series\r\nRECURRENCE-ID:20260303T090000Z\r\nSTATUS:CANCELLED\r\n"+strings.ReplaceAll(times, "0302", "0303")))
	})
	got, err := s.Changes(t.Context(), asked(""))
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, x := range got.Items {
		keys[x.Key] = true
		if len(x.Key) > 255 || len(x.UID) > 255 || strings.Contains(x.Key+x.UID, "\x00") || !utf8.ValidString(x.Key+x.UID) {
			t.Errorf("the key %q of %q can't be stored", x.Key, x.UID)
		}
		if x.UID == "series" && len(x.Spans) != 2 {
			t.Errorf("%+v", x)
		}
	}
	if len(keys) != 6 || len(got.Items) != 6 {
		t.Errorf("%d keys of %d events: %v", len(keys), len(got.Items), keys)
	}
}

func TestAnswersThatAreNoCalendar(t *testing.T) {
	answer := func(code int, text string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			io.WriteString(w, text)
		}
	}
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   error
		later  time.Duration
	}{
		"a page":       {answer(200, "<!doctype html><title>Sign in</title>", "Content-Type", "text/calendar"), calsync.ErrNotOne, 0},
		"nothing":      {answer(200, ""), calsync.ErrNotOne, 0},
		"no content":   {answer(204, ""), calsync.ErrNotOne, 0},
		"a contact":    {answer(200, "BEGIN:VCARD\r\nEND:VCARD\r\n"), calsync.ErrNotOne, 0},
		"signed out":   {answer(401, file(dentist)), calsync.ErrSignIn, 0},
		"not allowed":  {answer(403, file(dentist)), calsync.ErrSignIn, 0},
		"moved away":   {answer(404, file(dentist)), calsync.ErrNotFound, 0},
		"gone":         {answer(410, file(dentist)), calsync.ErrNotFound, 0},
		"quota":        {answer(429, "", "Retry-After", "90"), nil, 90 * time.Second},
		"quota a date": {answer(429, "", "Date", "Sun, 01 Mar 2026 00:00:00 GMT", "Retry-After", "Sun, 01 Mar 2026 00:10:00 GMT"), nil, 10 * time.Minute},
		"for ever":     {answer(503, "", "Retry-After", "99999999999999"), nil, day},
		"nonsense":     {answer(429, "", "Retry-After", "-5"), nil, 0},
		"half a file":  {answer(200, strings.TrimSuffix(file(dentist), "END:VCALENDAR\r\n")), calsync.ErrUnclear, 0},
		"odd event":    {answer(200, file(dentist, "UID:odd\r\nDTSTART:tomorrow")), calsync.ErrUnclear, 0},
		"endless work": {answer(200, file("UID:x\r\nDTSTART:19000101T000000Z\r\nDTEND:19000101T000001Z\r\nRRULE:FREQ=SECONDLY")), calsync.ErrTooMuch, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := at(t, "/", c.answer).Changes(t.Context(), asked(""))
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if later := (*calsync.Later)(nil); c.want == nil && (!errors.As(err, &later) || later.After != c.later) {
				t.Errorf("%v, want to be asked in %s", err, c.later)
			}
		})
	}
	var status *calsync.Status
	if _, err := at(t, "/", answer(500, "")).Changes(t.Context(), asked("")); !errors.As(err, &status) || status.Code != 500 {
		t.Error(err)
	}
	if _, err := at(t, "/", answer(503, "")).Changes(t.Context(), asked("")); !errors.As(err, &status) || status.Code != 503 {
		t.Error(err)
	}
	if _, err := at(t, "/", answer(200, file())).Changes(t.Context(), asked("no cursor of ours")); !errors.Is(err, calsync.ErrCursor) {
		t.Error(err)
	}
	if _, err := at(t, "/", answer(304, "")).Changes(t.Context(), asked("")); !errors.As(err, &status) || status.Code != 304 {
		t.Error("a 304 that nobody asked for:", err)
	}
}

// A packed answer of any size takes no more memory than the largest that is taken.
func TestBombs(t *testing.T) {
	packed := &strings.Builder{}
	z := gzip.NewWriter(packed)
	io.WriteString(z, strings.TrimSuffix(file(dentist), "END:VCALENDAR\r\n"))
	line := "X-FILL:" + strings.Repeat("0", 60) + "\r\n"
	for range 3 * calsync.MaxResponse / 2 / len(line) {
		io.WriteString(z, line)
	}
	z.Close()
	s := at(t, "/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, packed.String())
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := s.Changes(t.Context(), asked(""))
	runtime.ReadMemStats(&after)
	if !errors.Is(err, calsync.ErrTooMuch) {
		t.Error(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2*calsync.MaxResponse {
		t.Errorf("%d bytes for an answer that isn't taken", used)
	}
}

func TestRedirects(t *testing.T) {
	hops := 5
	s := at(t, "/0", func(w http.ResponseWriter, r *http.Request) {
		n := 0
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		if from := r.Header.Get("Referer"); from != "" { // which may be the secret address
			t.Errorf("%s is told that it was asked from %s", r.URL, from)
		}
		if n < hops {
			http.Redirect(w, r, fmt.Sprintf("/%d", n+1), http.StatusFound)
			return
		}
		io.WriteString(w, file(dentist))
	})
	if got, err := s.Changes(t.Context(), asked("")); err != nil || len(got.Items) != 1 {
		t.Errorf("5 redirects: %+v, %v", got, err)
	}
	hops = 6
	var status *calsync.Status
	if _, err := s.Changes(t.Context(), asked("")); !errors.As(err, &status) {
		t.Error("6 redirects:", err)
	}
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked without TLS") }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	s = Open(calsync.Opening{Connection: &calsync.Connection{}, HTTP: secure.Client(),
		Credentials: calsync.Credentials{Address: secure.URL + "/secret"}})
	if _, err := s.Changes(t.Context(), asked("")); !errors.Is(err, calsync.ErrForbidden) || strings.Contains(err.Error(), "secret") {
		t.Error("a redirect to http:", err)
	}
}

// What the address law refuses is said so, without the address, and time that runs out is no calendar's fault.
func TestNoAnswer(t *testing.T) {
	refused := &http.Client{Transport: round(func(*http.Request) (*http.Response, error) {
		return nil, &address.Refused{Reason: fault.Textf("10.0.0.1 is private")}
	})}
	s := Open(calsync.Opening{Connection: &calsync.Connection{}, HTTP: refused,
		Credentials: calsync.Credentials{Address: "https://10.0.0.1/secret"}})
	if _, err := s.Calendars(t.Context()); calsync.ProblemOf(err) != calsync.Forbidden || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	asking := make(chan struct{})
	s = at(t, "/", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.TrimSuffix(file(dentist), "END:VCALENDAR\r\n"))
		w.(http.Flusher).Flush()
		close(asking)
		<-r.Context().Done()
	})
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-asking; stop() }()
	if _, err := s.Changes(ctx, asked("")); calsync.ProblemOf(err) != calsync.Unreachable {
		t.Error(err)
	}
}

type round func(*http.Request) (*http.Response, error)

func (r round) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }
