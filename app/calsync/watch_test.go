package calsync_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/calsync/google"
	"daybook/app/calsync/googletest"
	"daybook/app/calsync/graph"
	"daybook/app/calsync/graphtest"
	"daybook/app/calsync/oauthtest"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/when"
)

// watchBed is a salon whose first host has connected a stand-in, which calls the door.
type watchBed struct {
	*apptest.Salon
	google     *googletest.Server
	microsoft  *graphtest.Server
	kind       calsync.Kind
	connection calsync.Connection
	door       http.Handler

	mu    sync.Mutex
	calls []*http.Request // that the door got, with their bodies
	log   bytes.Buffer
}

// both runs a test with either stand-in.
func both(t *testing.T, test func(*watchBed)) {
	for _, k := range []calsync.Kind{calsync.Google, calsync.Microsoft} {
		t.Run(string(k), func(t *testing.T) { test(newWatchBed(t, k, "https://book.example")) })
	}
}

func newWatchBed(t *testing.T, k calsync.Kind, base string) *watchBed {
	t.Helper()
	t.Parallel()
	b := &watchBed{google: googletest.New(t), microsoft: graphtest.New(t), kind: k}
	g, m := google.New(b.google.At), graph.New(b.microsoft.At)
	client := calsync.Client{ID: oauthtest.ClientID, Secret: oauthtest.Secret}
	at, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	b.Salon = apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.BaseURL, c.Logger = at, slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Calendars = calsync.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Sources:   map[calsync.Kind]calsync.Opener{calsync.Google: g.Open, calsync.Microsoft: m.Open},
			Providers: map[calsync.Kind]calsync.Provider{calsync.Google: g, calsync.Microsoft: m},
			Clients:   map[calsync.Kind]calsync.Client{calsync.Google: client, calsync.Microsoft: client}}
	}})
	mux := http.NewServeMux()
	calsync.NewWatchDoor(b.Calendars, b.Config.Logger).Routes(mux)
	b.door = mux
	b.google.Hears, b.microsoft.Hears = http.HandlerFunc(b.hear), http.HandlerFunc(b.hear)
	b.google.Now, b.microsoft.Now = b.Clock.Now, b.Clock.Now
	setup, err := b.Setup(b.Workspace.ID)
	b.Must(err)
	session := []byte("session")
	to, err := b.Calendars.SignInURL(t.Context(), b.Owner, k, setup.Hosts[0].ID.String(), session)
	b.Must(err)
	var state, code string
	if k == calsync.Google {
		state, code = b.google.SignIn(t, to)
	} else {
		state, code = b.microsoft.SignIn(t, to)
	}
	b.connection, err = b.Calendars.SignedIn(t.Context(), b.Owner, k, session, state, code)
	b.Must(err)
	return b
}

// hear keeps a request, and hands it to the door.
func (b *watchBed) hear(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	b.Must(err)
	kept := r.Clone(r.Context())
	r.Body, kept.Body = io.NopCloser(bytes.NewReader(text)), io.NopCloser(bytes.NewReader(text))
	b.mu.Lock()
	b.calls = append(b.calls, kept)
	b.mu.Unlock()
	b.door.ServeHTTP(w, r)
}

// last is the last request that the door got, as text: its headers and its body.
func (b *watchBed) last() (headers http.Header, body string) {
	b.T.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.calls) == 0 {
		b.T.Fatal("nobody called")
	}
	r := b.calls[len(b.calls)-1]
	text, err := io.ReadAll(r.Body)
	b.Must(err)
	r.Body = io.NopCloser(bytes.NewReader(text))
	return r.Header.Clone(), string(text)
}

// send calls the door.
func (b *watchBed) send(method, path string, h http.Header, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "https://book.example/api/calendars/hints/"+path, strings.NewReader(body))
	for name, values := range h {
		r.Header[name] = values
	}
	answer := httptest.NewRecorder()
	b.door.ServeHTTP(answer, r)
	return answer
}

func (b *watchBed) tend() {
	b.T.Helper()
	b.Must(b.Calendars.TendWatches(b.T.Context()))
}

// watched lists what the stand-in watches.
func (b *watchBed) watched() []string {
	if b.kind == calsync.Google {
		return b.google.Channels()
	}
	return b.microsoft.Subscriptions()
}

// change has somebody add an event to the calendar, and the stand-in tell of it.
func (b *watchBed) change(id, start, end string) {
	b.T.Helper()
	zoned := func(at string) map[string]any { return map[string]any{"dateTime": at + ":00Z"} }
	if b.kind == calsync.Google {
		b.google.Add(googletest.Account, map[string]any{"id": id, "start": zoned(start), "end": zoned(end)})
		if got := fmt.Sprint(b.google.Tell()); got != "[204]" {
			b.T.Errorf("the door answered %s", got)
		}
		return
	}
	at := func(at string) map[string]any { return map[string]any{"dateTime": at + ":00", "timeZone": "UTC"} }
	b.microsoft.Add(graphtest.Calendar, map[string]any{"id": id, "type": "singleInstance", "iCalUId": id, "showAs": "busy",
		"start": at(start), "end": at(end)})
	if got := b.microsoft.Tell(); got != http.StatusAccepted {
		b.T.Errorf("the door answered %d", got)
	}
}

// due is how long it is until the connection is read.
func (b *watchBed) due() time.Duration {
	b.T.Helper()
	c, err := b.Store.Reader(b.T.Context()).(calsync.Reader).CalendarConnection(0, b.connection.ID)
	b.Must(err)
	return c.DueAt.Time().Sub(b.Clock.Now())
}

// row is what is kept of the only watch.
func (b *watchBed) row() calsync.CalendarWatch {
	b.T.Helper()
	all, err := b.Store.Reader(b.T.Context()).(calsync.Reader).CalendarWatches(b.connection.ID)
	b.Must(err)
	if len(all) != 1 {
		b.T.Fatalf("%d watches", len(all))
	}
	return all[0]
}

func (b *watchBed) requests() []string {
	if b.kind == calsync.Google {
		b.google.Mu.Lock()
		defer b.google.Mu.Unlock()
		return b.google.Requests
	}
	b.microsoft.Mu.Lock()
	defer b.microsoft.Mu.Unlock()
	return b.microsoft.Requests
}

// A change at the account is read within seconds: the loop watches the calendar, the account calls, the loop reads.
func TestAHintLeadsToAReading(t *testing.T) {
	both(t, func(b *watchBed) {
		b.Run(calsync.NewLoop(b.Calendars, nil, b.Calendars.TendWatches))
		apptest.Eventually(b.T, "the calendar is watched", func() bool {
			all, err := b.Store.Reader(b.T.Context()).(calsync.Reader).CalendarWatches(b.connection.ID)
			b.Must(err)
			return len(all) == 1 && all[0].Remote != ""
		})
		b.Clock.Advance(10 * time.Second) // and less than the five minutes
		b.change("dentist", "2026-11-30T11:00", "2026-11-30T12:00")
		apptest.Eventually(b.T, "the calendar is read", func() bool {
			all, err := b.Store.Reader(b.T.Context()).(calsync.Reader).BusyTimes(b.Workspace.ID, b.connection.Host, 0, 1<<62, 10)
			b.Must(err)
			return len(all) == 1
		})
	})
}

// Only a call with the watch's own token does something, and all are answered the same.
func TestOnlyTheRightTokenCounts(t *testing.T) {
	both(t, func(b *watchBed) {
		b.tend()
		b.Clock.Advance(time.Minute)
		b.change("a", "2026-11-30T11:00", "2026-11-30T12:00")
		if got := b.due(); got > 0 {
			t.Errorf("after a hint it is due in %s", got)
		}
		h, body := b.last()
		read, err := b.Calendars.ReadCalendars(b.T.Context(), b.Owner, b.connection.ID.String())
		if b.Must(err); read.State != calsync.OK {
			b.T.Fatalf("read %s", read.Problem)
		}
		b.Clock.Advance(time.Minute)
		token, watched := h.Get("X-Goog-Channel-Token"), h.Get("X-Goog-Channel-ID")
		if b.kind == calsync.Microsoft {
			token, watched = between(body, `"clientState":"`), between(body, `"subscriptionId":"`)
		}
		if len(token) != 43 || watched == "" {
			b.T.Fatalf("the call has the token %q and is of %q", token, watched)
		}
		before := b.due()
		for _, c := range []struct{ from, to string }{{token, token[1:] + "x"}, {token, ""}, {watched, "unknown"},
			{token, strings.Repeat("x", 5000)}, {watched, ""}} {
			wrong := h.Clone()
			for name, values := range wrong {
				if values[0] == c.from {
					wrong.Set(name, c.to)
				}
			}
			answer := b.send("POST", string(b.kind), wrong, strings.ReplaceAll(body, c.from, c.to))
			if answer.Code/100 != 2 || answer.Body.Len() > 0 || b.due() != before {
				b.T.Errorf("with %.10q it is answered %d %q, and due in %s", c.to, answer.Code, answer.Body, b.due())
			}
		}
		other := map[calsync.Kind]string{calsync.Google: "microsoft", calsync.Microsoft: "google"}[b.kind]
		b.send("POST", other, http.Header{"X-Goog-Channel-Id": {watched}, "X-Goog-Channel-Token": {token}},
			fmt.Sprintf(`{"value":[{"subscriptionId":%q,"clientState":%q}]}`, watched, token))
		if b.due() != before {
			b.T.Error("the other account's door takes it")
		}
		answer := b.send("POST", string(b.kind), h, body)
		if want := map[calsync.Kind]int{calsync.Google: 204, calsync.Microsoft: 202}[b.kind]; answer.Code != want || b.due() > 0 {
			b.T.Errorf("the right one is answered %d, and due in %s", answer.Code, b.due())
		}
	})
}

func between(text, before string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, `"`)
	return text
}

// However many calls come, a connection is read at most every few seconds; one that fails keeps its pause, and a call
// while it is read is not lost.
func TestHintsAreBounded(t *testing.T) {
	b := newWatchBed(t, calsync.Google, "https://book.example")
	b.tend()
	b.Clock.Advance(time.Second)
	b.change("a", "2026-11-30T11:00", "2026-11-30T12:00")
	if got := b.due(); got != 4*time.Second {
		t.Errorf("a second after a reading it is due in %s", got)
	}
	b.Clock.Advance(time.Minute)
	b.Must(b.SQL(`UPDATE calendar_connections SET reading = 7, due_ms = due_ms + 100000`))
	claimed := b.due()
	b.change("b", "2026-11-30T11:00", "2026-11-30T12:00")
	b.tend()
	if b.due() != claimed {
		t.Error("a hint ends the lease of a reading")
	}
	b.Must(b.SQL(`UPDATE calendar_connections SET reading = 0, due_ms = due_ms + 100000`))
	b.tend()
	if got := b.due(); got > 0 {
		t.Errorf("after the reading it is due in %s", got)
	}
	b.Must(b.SQL(`UPDATE calendar_connections SET state = 'failing', due_ms = due_ms + 100000`))
	b.change("c", "2026-11-30T11:00", "2026-11-30T12:00")
	if got := b.due(); got <= 0 {
		t.Error("a hint ends the pause after a failure")
	}
}

// The watch is renewed before its end; old ones are ended there, and their tokens are forgotten.
func TestWatchesAreRenewed(t *testing.T) {
	both(t, func(b *watchBed) {
		b.tend()
		first := b.row()
		life := first.Ends.Time().Sub(b.Clock.Now())
		if want := map[calsync.Kind]time.Duration{calsync.Google: 168 * time.Hour, calsync.Microsoft: 70 * time.Hour}[b.kind]; life != want {
			b.T.Errorf("it is watched for %s", life)
		}
		if early := first.Ends - first.DueAt; early < when.Instant(10*time.Hour/time.Millisecond) || early > when.Instant(14*time.Hour/time.Millisecond) {
			b.T.Errorf("it is renewed %s before its end", time.Duration(early)*time.Millisecond)
		}
		b.Clock.Advance(life - 20*time.Hour)
		b.tend()
		if again := b.row(); again.Ends != first.Ends {
			b.T.Error("it is renewed too early")
		}
		b.Clock.Advance(10 * time.Hour)
		b.tend()
		second := b.row()
		if all := b.watched(); len(all) != 1 || second.Ends <= first.Ends || second.Tries != 0 {
			b.T.Errorf("it is watched by %v until %s", all, second.Ends)
		}
		if renewed := first.Remote == second.Remote; renewed != (b.kind == calsync.Microsoft) ||
			bytes.Equal(first.Hash, second.Hash) != renewed {
			b.T.Errorf("renewed %v: %+v", renewed, second)
		}
		b.change("a", "2026-12-30T11:00", "2026-12-30T12:00") // is still heard of
		b.Clock.Advance(30 * when.Day)                        // the server was off
		n := len(b.requests())
		b.tend()
		if all := b.watched(); len(all) != 1 {
			b.T.Errorf("after it was over it is watched by %v", all)
		}
		if asked := strings.Join(b.requests()[n:], " "); strings.Contains(asked, "PATCH") {
			b.T.Errorf("what is over is renewed: %s", asked)
		}
	})
}

// A watch that its account doesn't know any more is made anew, also when the account says so.
func TestAWatchThatIsGone(t *testing.T) {
	b := newWatchBed(t, calsync.Microsoft, "https://book.example")
	b.tend()
	first := b.row()
	hears := b.microsoft.Hears
	b.microsoft.Hears = nil // the message is lost
	b.microsoft.Lifecycle("subscriptionRemoved")
	b.microsoft.Hears = hears
	b.Clock.Advance(60 * time.Hour)
	b.tend()
	second := b.row()
	if second.Remote == first.Remote || len(b.watched()) != 1 {
		t.Errorf("after a 404 it is watched by %v", b.watched())
	}
	if got := b.microsoft.Lifecycle("reauthorizationRequired"); got != http.StatusAccepted {
		t.Errorf("answered %d", got)
	}
	n := len(b.requests())
	b.tend()
	if asked := strings.Join(b.requests()[n:], " "); !strings.HasPrefix(asked, "PATCH /v1.0/subscriptions/"+second.Remote) {
		t.Errorf("to be renewed, it asks %q", asked)
	}
	b.Clock.Advance(time.Minute)
	b.microsoft.Lifecycle("missed")
	if got := b.due(); got > 0 {
		t.Errorf("after calls were missed it is due in %s", got)
	}
	b.microsoft.Lifecycle("subscriptionRemoved")
	b.tend()
	if third := b.row(); third.Remote == second.Remote || len(b.watched()) != 1 {
		t.Errorf("after it was removed it is watched by %v", b.watched())
	}
}

// What is disconnected, or not used any more, isn't watched.
func TestWatchesEnd(t *testing.T) {
	both(t, func(b *watchBed) {
		b.tend()
		choose := func(blocks bool) {
			b.T.Helper()
			for _, k := range b.connection.Calendars {
				if !k.ReadOnly {
					b.Must(b.Calendars.ChooseCalendars(b.T.Context(), b.Owner, b.connection.ID.String(),
						map[calsync.CalendarID]calsync.Choice{k.ID: {Blocks: blocks}}))
				}
			}
			b.Clock.Advance(2 * time.Minute)
			b.tend()
		}
		choose(false)
		all, err := b.Store.Reader(b.T.Context()).(calsync.Reader).CalendarWatches(b.connection.ID)
		if b.Must(err); len(all) != 0 || len(b.watched()) != 0 {
			b.T.Errorf("a calendar that isn't used is watched by %v, %v", all, b.watched())
		}
		choose(true)
		if len(b.watched()) != 1 {
			b.T.Errorf("a calendar that is used again is watched by %v", b.watched())
		}
		_, err = b.Calendars.DisconnectCalendars(b.T.Context(), b.Owner, b.connection.ID.String(), false)
		if b.Must(err); len(b.watched()) != 0 {
			b.T.Errorf("after disconnecting it is watched by %v", b.watched())
		}
		b.Clock.Advance(2 * time.Minute)
		b.tend()
		if len(b.watched()) != 0 {
			b.T.Errorf("and then by %v", b.watched())
		}
	})
}

// An account that doesn't watch is asked again later, with longer and longer pauses, and read as before.
func TestAFailureToWatchStopsNoReading(t *testing.T) {
	both(t, func(b *watchBed) {
		fail := func(status int, reason string, header ...string) calsync.CalendarWatch {
			b.T.Helper()
			if b.kind == calsync.Google {
				b.google.Fail(status, reason, header...)
			} else {
				b.microsoft.Fail(status, reason, header...)
			}
			b.tend()
			return b.row()
		}
		wait := func(w calsync.CalendarWatch) time.Duration {
			return w.DueAt.Time().Sub(b.Clock.Now()).Round(time.Minute)
		}
		w := fail(500, "backendError")
		if got := wait(w); w.Tries != 1 || w.Remote != "" || got != time.Minute {
			b.T.Errorf("after a failure: %+v, again in %s", w, got)
		}
		b.Clock.Advance(2 * time.Minute)
		w = fail(429, "rateLimitExceeded", "Retry-After", "7200")
		if got := wait(w); w.Tries != 2 || got < 108*time.Minute || got > 132*time.Minute {
			b.T.Errorf("after it was asked to wait: again in %s", got)
		}
		b.Clock.Advance(3 * time.Hour)
		w = fail(400, "pushNotSupportedForRequestedResource")
		if got := wait(w); got < 21*time.Hour || got > 27*time.Hour {
			b.T.Errorf("after it was refused: again in %s", got)
		}
		read, err := b.Calendars.ReadCalendars(b.T.Context(), b.Owner, b.connection.ID.String())
		if b.Must(err); read.State != calsync.OK {
			b.T.Errorf("read: %s", read.Problem)
		}
		b.Clock.Advance(28 * time.Hour)
		b.tend()
		if w = b.row(); w.Tries != 0 || len(b.watched()) != 1 {
			b.T.Errorf("then it is watched by %v, %+v", b.watched(), w)
		}
	})
}

// Nothing is watched by a server that accounts can't call.
func TestOnlyPublicServersAreCalled(t *testing.T) {
	for base, want := range map[string]int{"https://book.example": 1, "https://book.example:8443/x": 1, "http://book.example": 0,
		"https://localhost": 0, "https://salon": 0, "https://192.168.1.7": 0, "https://[::1]:8443": 0, "https://salon.local": 0,
		"https://8.8.8.8": 1} {
		t.Run(base, func(t *testing.T) {
			b := newWatchBed(t, calsync.Google, base)
			b.tend()
			if got := len(b.watched()); got != want {
				t.Errorf("%d are watched, want %d", got, want)
			}
		})
	}
}

// A token stands nowhere but at the account: not in the log, and not in the database.
func TestTokensAreSecret(t *testing.T) {
	both(t, func(b *watchBed) {
		b.tend()
		b.Clock.Advance(time.Minute)
		b.change("a", "2026-11-30T11:00", "2026-11-30T12:00")
		h, body := b.last()
		token := h.Get("X-Goog-Channel-Token")
		if b.kind == calsync.Microsoft {
			token = between(body, `"clientState":"`)
		}
		b.send("POST", string(b.kind), h, strings.ReplaceAll(body, token, token+"x"))
		b.Clock.Advance(8 * when.Day)
		b.google.Fail(500, "backendError")
		b.microsoft.Fail(500, "backendError")
		b.tend()
		b.Clock.Advance(time.Hour)
		b.tend()
		_, err := b.Calendars.DisconnectCalendars(b.T.Context(), b.Owner, b.connection.ID.String(), false)
		b.Must(err)
		if text := b.log.String(); len(token) != 43 || strings.Contains(text, token) || !strings.Contains(text, "could not be watched") {
			b.T.Errorf("the log says\n%s", text)
		}
	})
	b := newWatchBed(t, calsync.Google, "https://book.example")
	b.tend()
	if w := b.row(); len(w.Hash) != 32 {
		t.Errorf("kept is %q", w.Hash)
	}
}

// The door takes no large bodies, no flood, and nothing but POST; what Microsoft wants to have back is plain text.
func TestTheDoor(t *testing.T) {
	b := newWatchBed(t, calsync.Microsoft, "https://book.example")
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "google", "", 405}, {"GET", "microsoft?validationToken=x", "", 405}, {"POST", "other", "", 404},
		{"POST", "google", "", 204}, {"POST", "microsoft", "", 400}, {"POST", "microsoft", "{", 400},
		{"POST", "microsoft", `{"value":[]}`, 202}, {"POST", "microsoft", `{"value":[{"subscriptionId":7}]}`, 400},
		{"POST", "microsoft", `{"value":["` + strings.Repeat("x", 300<<10) + `"]}`, 413},
		{"POST", "microsoft", `{"value":[` + strings.Repeat(`{"subscriptionId":"a","clientState":"b"},`, 500) + `{}]}`, 202},
		{"POST", "microsoft?validationToken=" + strings.Repeat("x", 3000), "", 400},
	} {
		if got := b.send(c.method, c.path, nil, c.body); got.Code != c.want {
			t.Errorf("%s %.40s %.40q: %d, want %d", c.method, c.path, c.body, got.Code, c.want)
		}
	}
	got := b.send("POST", "microsoft?validationToken=%3Cscript%3Ea%20b%2B%3C%2Fscript%3E", nil, "")
	if got.Code != 200 || got.Body.String() != "<script>a b+</script>" || got.Header().Get("Content-Type") != "text/plain; charset=utf-8" ||
		got.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("answered %d %q %v", got.Code, got.Body, got.Header())
	}
	refused := 0
	for range 300 {
		if answer := b.send("POST", "google", nil, ""); answer.Code == 503 && answer.Header().Get("Retry-After") != "" {
			refused++
		}
	}
	if refused < 100 || refused > 130 {
		t.Errorf("%d of 300 at once were refused", refused)
	}
	b.Clock.Advance(time.Second)
	if answer := b.send("POST", "google", nil, ""); answer.Code != 204 {
		t.Errorf("a second later: %d", answer.Code)
	}
}

// A workspace that is deleted isn't listened to.
func TestADeletedWorkspaceHearsNothing(t *testing.T) {
	b := newWatchBed(t, calsync.Google, "https://book.example")
	b.tend()
	b.Clock.Advance(time.Minute)
	b.change("a", "2026-11-30T11:00", "2026-11-30T12:00")
	h, _ := b.last()
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error {
		return tx.(interface {
			MarkWorkspaceGone(ws catalog.WorkspaceID, now when.Instant) error
		}).MarkWorkspaceGone(b.Workspace.ID, when.At(b.Clock.Now()))
	}))
	all, err := b.Store.Reader(t.Context()).(calsync.Reader).CalendarWatches(b.connection.ID)
	b.Must(err)
	if answer := b.send("POST", "google", h, ""); answer.Code != 204 || len(all) != 0 {
		t.Errorf("answered %d, and %d are kept", answer.Code, len(all))
	}
	b.Clock.Advance(8 * when.Day)
	n := len(b.requests())
	b.tend()
	if asked := b.requests()[n:]; len(asked) > 0 {
		t.Errorf("the account is asked %s", asked)
	}
}
