package google_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/calsync"
	"daybook/app/calsync/google"
	"daybook/app/calsync/googletest"
	"daybook/app/calsync/oauthtest"
)

type world struct {
	*testing.T
	*googletest.Server
	provider *google.Provider
	zone     *time.Location
	mu       sync.Mutex
	saved    []calsync.Credentials
	refresh  string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	s := googletest.New(t)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return &world{T: t, Server: s, provider: google.New(s.At), zone: zone, refresh: s.Grant()}
}

// open is the account as a reading or a writing has it.
func (w *world) open() calsync.Writer {
	return w.provider.Open(calsync.Opening{Connection: &calsync.Connection{ID: 7},
		Credentials: calsync.Credentials{Refresh: w.refresh}, HTTP: http.DefaultClient,
		Client: calsync.Client{Kind: calsync.Google, ID: oauthtest.ClientID, Secret: oauthtest.Secret},
		Save: func(_ context.Context, c calsync.Credentials) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.saved = append(w.saved, c)
			return nil
		}}).(calsync.Writer)
}

func (w *world) at(text string) time.Time {
	w.Helper()
	t, err := time.ParseInLocation("2006-01-02 15:04", text, w.zone)
	if err != nil {
		w.Fatal(err)
	}
	return t
}

func (w *world) asked(cursor string) calsync.Asked {
	return calsync.Asked{Calendar: googletest.Account, Cursor: cursor, From: w.at("2026-11-30 00:00").UnixMilli(),
		To: w.at("2027-11-30 00:00").UnixMilli(), Zone: w.zone}
}

func (w *world) changes(cursor string) calsync.Changes {
	w.Helper()
	got, err := w.open().Changes(w.Context(), w.asked(cursor))
	if err != nil {
		w.Fatal(err)
	}
	return got
}

// busy are the spans of each event that has some, in the zone.
func (w *world) busy(all []calsync.Item) map[string]string {
	got := map[string]string{}
	for _, i := range all {
		for _, s := range i.Spans {
			from, to := time.UnixMilli(s.Start).In(w.zone), time.UnixMilli(s.End).In(w.zone)
			got[i.Key] += from.Format("02.01. 15:04") + "-" + to.Format("02.01. 15:04")
		}
	}
	return got
}

type o = map[string]any

func timed(id, start, end string, more ...any) o {
	e := o{"id": id, "summary": "secret", "start": o{"dateTime": start}, "end": o{"dateTime": end}}
	for i := 0; i+1 < len(more); i += 2 {
		e[more[i].(string)] = more[i+1]
	}
	return e
}

const nine, ten = "2026-12-01T09:00:00+01:00", "2026-12-01T10:00:00+01:00"

// The calendars have the names that their owner sees; those that can't be written say so.
func TestCalendars(t *testing.T) {
	w := newWorld(t)
	w.Page = 1
	got, err := w.open().Calendars(t.Context())
	want := []calsync.Remote{
		{ID: googletest.Account, Name: "Ana", Primary: true, Owner: googletest.Account},
		{ID: "team@group.calendar.example", Name: "Team", ReadOnly: true},
		{ID: "boss@gmail.example", Name: "Boss", ReadOnly: true},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Every kind of event is busy or not as its owner sees it, on two pages, and nothing of what it says is asked for.
func TestBusyTimes(t *testing.T) {
	w := newWorld(t)
	w.Page = 5
	me := func(response string) any { return []any{o{"self": true, "responseStatus": response}} }
	for _, e := range []o{
		timed("plain", nine, ten), timed("zulu", "2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z"),
		timed("free", nine, ten, "transparency", "transparent"), timed("place", nine, ten, "eventType", "workingLocation"),
		timed("away", nine, ten, "eventType", "outOfOffice"), timed("focus", nine, ten, "eventType", "focusTime"),
		timed("declined", nine, ten, "attendees", me("declined")), timed("asked", nine, ten, "attendees", me("needsAction")),
		timed("perhaps", nine, ten, "status", "tentative"), timed("gone", nine, ten, "status", "cancelled"),
		timed("before", "2025-12-01T09:00:00Z", "2025-12-01T10:00:00Z"), timed("moment", nine, nine),
		// The clocks are set forward on this day, so that it has 23 hours.
		{"id": "day", "start": o{"date": "2027-03-28"}, "end": o{"date": "2027-03-29"}},
		timed("weekly_20261201T080000Z", nine, ten, "recurringEventId", "weekly"),
	} {
		w.Add(googletest.Account, e)
	}
	got := w.changes("")
	want := map[string]string{"zulu": "01.12. 10:00-01.12. 11:00", "day": "28.03. 00:00-29.03. 00:00"}
	for _, id := range []string{"plain", "away", "focus", "asked", "perhaps", "weekly_20261201T080000Z"} {
		want[id] = "01.12. 09:00-01.12. 10:00"
	}
	if busy := w.busy(got.Items); !reflect.DeepEqual(busy, want) || !got.All || len(got.Items) != 12 {
		t.Errorf("got %d items, %+v", len(got.Items), busy)
	}
	for _, r := range w.Requests {
		if strings.Contains(r, "summary") || strings.Contains(r, "description") {
			t.Errorf("%s asks for what an event says", r)
		}
	}
}

// A second reading has only what changed, and what was deleted; a token that is too old has everything read again.
func TestSyncTokens(t *testing.T) {
	w := newWorld(t)
	w.Add(googletest.Account, timed("one", nine, ten))
	w.Add(googletest.Account, timed("two", nine, ten))
	first := w.changes("")
	if first.Cursor == "" || len(first.Items) != 2 {
		t.Fatalf("got %+v", first)
	}
	w.Cancel(googletest.Account, "one")
	w.Add(googletest.Account, timed("two", ten, "2026-12-01T11:00:00+01:00"))
	w.Add(googletest.Account, timed("beyond", "2037-12-01T09:00:00Z", "2037-12-01T10:00:00Z"))
	got := w.changes(first.Cursor)
	if got.All || !reflect.DeepEqual(got.Gone, []string{"one"}) || len(got.Items) != 2 ||
		!reflect.DeepEqual(w.busy(got.Items), map[string]string{"two": "01.12. 10:00-01.12. 11:00"}) {
		t.Errorf("got %+v", got)
	}
	w.ForgetSyncTokens()
	if _, err := w.open().Changes(t.Context(), w.asked(got.Cursor)); !errors.Is(err, calsync.ErrCursor) {
		t.Errorf("a forgotten token: %v", err)
	}
	if all := w.changes(""); !all.All || len(all.Items) != 1 {
		t.Errorf("read everything: %+v", all)
	}
}

// An event that can't be understood is not taken for free, unless it is marked so.
func TestUnclear(t *testing.T) {
	w := newWorld(t)
	w.Add(googletest.Account, o{"id": "free", "transparency": "transparent", "start": o{}, "end": o{}})
	w.changes("")
	w.Server.Add("team@group.calendar.example", o{"id": "broken", "start": o{"dateTime": "soon"}, "end": o{}})
	of := w.asked("")
	of.Calendar = "team@group.calendar.example"
	of.From, of.To = 0, time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	// The stand-in takes a time that it can't read for one long ago.
	of.From = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	if got, err := w.open().Changes(t.Context(), of); !errors.Is(err, calsync.ErrUnclear) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Each refusal is what calsync knows.
func TestRefusals(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		status int
		reason string
		header []string
		want   calsync.Problem
		after  time.Duration
	}{
		{403, "rateLimitExceeded", nil, calsync.SlowDown, time.Minute},
		{403, "userRateLimitExceeded", nil, calsync.SlowDown, time.Minute},
		{403, "quotaExceeded", nil, calsync.SlowDown, 15 * time.Minute},
		{429, "rateLimitExceeded", []string{"Retry-After", "77"}, calsync.SlowDown, 77 * time.Second},
		{429, "rateLimitExceeded", nil, calsync.SlowDown, time.Minute},
		{503, "backendError", []string{"Retry-After", "5"}, calsync.SlowDown, 5 * time.Second},
		{403, "insufficientPermissions", nil, calsync.SignIn, 0},
		{404, "notFound", nil, calsync.NotFound, 0},
		{500, "backendError", nil, calsync.ServerFailed, 0},
		{403, "accessNotConfigured", nil, calsync.ServerFailed, 0},
	} {
		w.Fail(c.status, c.reason, c.header...)
		_, err := w.open().Changes(t.Context(), w.asked(""))
		var later *calsync.Later
		if calsync.ProblemOf(err) != c.want || errors.As(err, &later) && later.After != c.after {
			t.Errorf("%d %s: %v, %s", c.status, c.reason, err, calsync.ProblemOf(err))
		}
	}
	of := w.asked("")
	of.Calendar = "nobody@gmail.example"
	if _, err := w.open().Changes(t.Context(), of); !errors.Is(err, calsync.ErrNotFound) {
		t.Errorf("an unknown calendar: %v", err)
	}
}

// An access that is over is renewed once, for everybody who reads at the time, and saved; a withdrawn sign-in says so.
func TestAccess(t *testing.T) {
	w := newWorld(t)
	w.changes("")
	if len(w.saved) != 1 || w.saved[0].Refresh != w.refresh || w.saved[0].Access == "" ||
		w.saved[0].Expires < time.Now().Add(50*time.Minute).UnixMilli() {
		t.Fatalf("saved %+v", w.saved)
	}
	w.changes("")
	if w.Renewals != 1 {
		t.Errorf("%d renewals: another reading uses the same access", w.Renewals)
	}
	w.ExpireAccess()
	const readers = 8
	var here sync.WaitGroup // all have asked before one is refused
	var asked atomic.Int64
	here.Add(readers)
	w.Before = func(*http.Request) {
		if asked.Add(1) <= readers {
			here.Done()
			here.Wait()
		}
	}
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			s := w.open()
			if _, err := s.Changes(t.Context(), w.asked("")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if w.Renewals != 2 || len(w.saved) != 2 {
		t.Errorf("%d renewals, %d saved", w.Renewals, len(w.saved))
	}
	w.Withdraw()
	if _, err := w.open().Changes(t.Context(), w.asked("")); !errors.Is(err, calsync.ErrSignIn) {
		t.Errorf("withdrawn: %v", err)
	}
}

func (w *world) entry() calsync.Entry {
	return calsync.Entry{UID: "daybook-bk_0123456789abc@book.example", Title: "Haircut: Eva", Description: "short",
		Location: "Salon", URL: "https://book.example/x", Start: w.at("2026-12-02 11:00"), End: w.at("2026-12-02 12:00")}
}

// A copy is made, known again, changed and removed; what somebody else did to it is never overwritten.
func TestWriting(t *testing.T) {
	w := newWorld(t)
	e := w.entry()
	s := w.open()
	key, etag, err := s.Put(t.Context(), googletest.Account, "", "", e)
	if err != nil || key != google.EventID(e.UID) || etag == "" {
		t.Fatalf("made: %q %q %v", key, etag, err)
	}
	kept := w.Event(googletest.Account, key)
	if kept["summary"] != "Haircut: Eva" || kept["attendees"] != nil ||
		!reflect.DeepEqual(kept["start"], o{"dateTime": "2026-12-02T11:00:00+01:00", "timeZone": "Europe/Berlin"}) {
		t.Errorf("kept %v", kept)
	}
	read := w.changes("").Items
	if len(read) != 1 || read[0].UID != e.UID || read[0].Key != key || read[0].ETag != etag ||
		read[0].Start != e.Start.UnixMilli() || read[0].End != e.End.UnixMilli() {
		t.Errorf("read %+v", read)
	}
	// The answer was lost: it is found, not made twice, and says what it is to say now.
	if found, same, err := s.Find(t.Context(), googletest.Account, e.UID); err != nil || found != key || same != etag {
		t.Errorf("found: %q %q %v", found, same, err)
	}
	e.Title = "Haircut"
	again, etag, err := s.Put(t.Context(), googletest.Account, "", "", e)
	if err != nil || again != key || w.Event(googletest.Account, key)["summary"] != "Haircut" {
		t.Errorf("made again: %q %v, %v", again, err, w.Event(googletest.Account, key))
	}
	moved := e
	moved.Start, moved.End = e.Start.Add(time.Hour), e.End.Add(time.Hour)
	if _, _, err := s.Put(t.Context(), googletest.Account, "", "", moved); !errors.Is(err, calsync.ErrConflict) {
		t.Errorf("another of that UID: %v", err)
	}
	_, newer, err := s.Put(t.Context(), googletest.Account, key, etag, moved)
	if err != nil || newer == etag {
		t.Fatalf("moved: %q %v", newer, err)
	}
	// Somebody moves it there.
	w.Add(googletest.Account, timed(key, nine, ten))
	if _, _, err := s.Put(t.Context(), googletest.Account, key, newer, e); !errors.Is(err, calsync.ErrConflict) {
		t.Errorf("written over another's change: %v", err)
	}
	if err := s.Remove(t.Context(), googletest.Account, key, newer); !errors.Is(err, calsync.ErrConflict) {
		t.Errorf("removed another's change: %v", err)
	}
	// And deletes it.
	w.Cancel(googletest.Account, key)
	if _, _, err := s.Put(t.Context(), googletest.Account, key, newer, e); !errors.Is(err, calsync.ErrGone) {
		t.Errorf("written after it was deleted: %v", err)
	}
	if err := s.Remove(t.Context(), googletest.Account, key, newer); err != nil {
		t.Errorf("removed after it was deleted: %v", err)
	}
	if found, _, err := s.Find(t.Context(), googletest.Account, e.UID); err != nil || found != "" {
		t.Errorf("found what was deleted: %q %v", found, err)
	}
	if found, _, err := s.Find(t.Context(), googletest.Account, "daybook-never"); err != nil || found != "" {
		t.Errorf("found what never was: %q %v", found, err)
	}
	// It can be made anew although its id is taken, and removed.
	key, etag, err = s.Put(t.Context(), googletest.Account, "", "", e)
	if err != nil || w.Event(googletest.Account, key)["status"] != "confirmed" {
		t.Fatalf("made anew: %v", err)
	}
	if err := s.Remove(t.Context(), googletest.Account, key, etag); err != nil ||
		w.Event(googletest.Account, key)["status"] != "cancelled" {
		t.Errorf("removed: %v", err)
	}
	if err := s.Remove(t.Context(), googletest.Account, "unknown", etag); err != nil {
		t.Errorf("removed what never was: %v", err)
	}
	_, _, err = s.Put(t.Context(), "team@group.calendar.example", "", "", e)
	if !errors.Is(err, calsync.ErrReadOnly) {
		t.Errorf("a calendar that can't be written: %v", err)
	}
	w.Fail(403, "rateLimitExceeded")
	if _, _, err = s.Put(t.Context(), googletest.Account, "", "", e); calsync.ProblemOf(err) != calsync.SlowDown {
		t.Errorf("too many writes: %v", err)
	}
}

// A sign-in asks for the least, by PKCE; its code is good for one client, address and verifier. It can be taken back.
func TestSignIn(t *testing.T) {
	w := newWorld(t)
	client := calsync.Client{Kind: calsync.Google, ID: oauthtest.ClientID, Secret: oauthtest.Secret}
	const back, verifier = "https://book.example/back", "0123456789012345678901234567890123456789012"
	sign := func() string {
		state, code := w.SignIn(t, w.provider.SignInURL(client, back, "the state", verifier))
		if state != "the state" {
			t.Errorf("the state is %q", state)
		}
		return code
	}
	h := http.DefaultClient
	code := sign()
	for what, try := range map[string][2]string{"verifier": {back, "another" + verifier}, "address": {back + "/x", verifier}} {
		if _, err := w.provider.Exchange(t.Context(), h, client, try[0], code, try[1]); !errors.Is(err, calsync.ErrSignIn) {
			t.Errorf("another %s: %v", what, err)
		}
	}
	got, err := w.provider.Exchange(t.Context(), h, client, back, code, verifier)
	if err != nil || got.Refresh == "" || got.Access == "" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if _, err := w.provider.Exchange(t.Context(), h, client, back, code, verifier); !errors.Is(err, calsync.ErrSignIn) {
		t.Errorf("the code again: %v", err)
	}
	client.Secret = "another"
	if _, err := w.provider.Exchange(t.Context(), h, client, back, sign(), verifier); !errors.Is(err, calsync.ErrSignIn) {
		t.Errorf("another secret: %v", err)
	}
	w.refresh = got.Refresh
	w.changes("")
	for range 2 { // the second time there is nothing left to take back
		if err := w.provider.Revoke(t.Context(), h, got); err != nil {
			t.Errorf("revoke: %v", err)
		}
	}
	if _, err := w.open().Changes(t.Context(), w.asked("")); !errors.Is(err, calsync.ErrSignIn) {
		t.Errorf("read after it was taken back: %v", err)
	}
}
