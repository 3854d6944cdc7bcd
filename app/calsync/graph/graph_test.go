package graph_test

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/app/calsync"
	"daybook/app/calsync/graph"
	"daybook/app/calsync/graphtest"
	"daybook/app/calsync/oauthtest"
)

type world struct {
	*testing.T
	*graphtest.Server
	provider *graph.Provider
	zone     *time.Location
	saved    []calsync.Credentials
	refresh  string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	s := graphtest.New(t)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return &world{T: t, Server: s, provider: graph.New(s.At), zone: zone, refresh: s.Grant()}
}

func (w *world) open() calsync.Writer {
	return w.provider.Open(calsync.Opening{Connection: &calsync.Connection{ID: 7},
		Credentials: calsync.Credentials{Refresh: w.refresh}, HTTP: http.DefaultClient,
		Client: calsync.Client{Kind: calsync.Microsoft, ID: oauthtest.ClientID, Secret: oauthtest.Secret},
		Save: func(_ context.Context, c calsync.Credentials) error {
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
	return calsync.Asked{Calendar: graphtest.Calendar, Cursor: cursor, From: w.at("2026-11-30 00:00").UnixMilli(),
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
			got[i.Key] += from.Format("02.01. 15:04") + "-" + to.Format("02.01. 15:04") + " "
		}
	}
	return got
}

type o = map[string]any

// timed is an event at a time in UTC, "2026-12-01T08", of an hour.
func timed(id, hour string, more ...any) o {
	end, err := time.Parse("2006-01-02T15", hour)
	if err != nil {
		panic(err)
	}
	e := o{"id": id, "subject": "secret", "type": "singleInstance", "showAs": "busy", "isAllDay": false,
		"isCancelled": false, "start": o{"dateTime": hour + ":00:00.0000000", "timeZone": "UTC"},
		"end":            o{"dateTime": end.Add(time.Hour).Format("2006-01-02T15:04:05") + ".0000000", "timeZone": "UTC"},
		"responseStatus": o{"response": "organizer", "time": "0001-01-01T00:00:00Z"}}
	for i := 0; i+1 < len(more); i += 2 {
		e[more[i].(string)] = more[i+1]
	}
	return e
}

const eight = "2026-12-01T08"

// The calendars have their names; those that can't be written say so.
func TestCalendars(t *testing.T) {
	w := newWorld(t)
	w.Page = 1
	got, err := w.open().Calendars(t.Context())
	want := []calsync.Remote{{ID: graphtest.Calendar, Name: "Calendar", Primary: true, Owner: graphtest.Account},
		{ID: graphtest.Shared, Name: "Bob's", ReadOnly: true}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Every kind of event is busy or not as its owner sees it, on several pages.
func TestBusyTimes(t *testing.T) {
	w := newWorld(t)
	w.Page = 4
	for _, e := range []o{
		timed("plain", eight), timed("tentative", eight, "showAs", "tentative"), timed("oof", eight, "showAs", "oof"),
		timed("unknown", eight, "showAs", "unknown"), timed("free", eight, "showAs", "free"),
		timed("elsewhere", eight, "showAs", "workingElsewhere"), timed("cancelled", eight, "isCancelled", true),
		timed("declined", eight, "responseStatus", o{"response": "declined"}),
		timed("invited", eight, "responseStatus", o{"response": "notResponded"}), timed("before", "2025-12-01T08"),
		// The clocks are set forward on this day, so that it has 23 hours.
		timed("day", "2027-03-28T00", "isAllDay", true, "end", o{"dateTime": "2027-03-29T00:00:00.0000000", "timeZone": "UTC"}),
	} {
		w.Add(graphtest.Calendar, e)
	}
	got := w.changes("")
	want := map[string]string{"day": "28.03. 00:00-29.03. 00:00 "}
	for _, id := range []string{"plain", "tentative", "oof", "unknown", "invited"} {
		want[id] = "01.12. 09:00-01.12. 10:00 "
	}
	if busy := w.busy(got.Items); !reflect.DeepEqual(busy, want) || !got.All || len(got.Items) != 10 {
		t.Errorf("got %d items, %+v", len(got.Items), busy)
	}
}

func (w *world) series(id, showAs string) {
	w.Add(graphtest.Calendar, timed(id, "2026-12-01T08", "type", "seriesMaster", "showAs", showAs))
	w.Add(graphtest.Calendar, timed(id+"-1", "2026-12-01T08", "type", "occurrence", "seriesMasterId", id))
	w.Add(graphtest.Calendar, timed(id+"-2", "2026-12-08T08", "type", "occurrence", "seriesMasterId", id))
	w.Add(graphtest.Calendar, timed(id+"-3", "2026-12-15T12", "type", "exception", "seriesMasterId", id, "showAs", showAs))
}

// A series is one item with all its times. When one of them is deleted, which Graph does not say, it is no longer busy.
func TestSeries(t *testing.T) {
	w := newWorld(t)
	w.Page = 2
	w.series("weekly", "busy")
	w.series("walk", "free")
	w.Add(graphtest.Calendar, timed("walk-4", "2026-12-22T08", "type", "exception", "seriesMasterId", "walk"))
	first := w.changes("")
	want := map[string]string{"walk": "22.12. 09:00-22.12. 10:00 ",
		"weekly": "01.12. 09:00-01.12. 10:00 08.12. 09:00-08.12. 10:00 15.12. 13:00-15.12. 14:00 "}
	if busy := w.busy(first.Items); !reflect.DeepEqual(busy, want) || len(first.Items) != 2 {
		t.Fatalf("got %+v", busy)
	}
	w.Drop(graphtest.Calendar, "weekly-2")
	second := w.changes(first.Cursor)
	want = map[string]string{"weekly": "01.12. 09:00-01.12. 10:00 15.12. 13:00-15.12. 14:00 "}
	if busy := w.busy(second.Items); !reflect.DeepEqual(busy, want) || len(second.Gone) != 0 {
		t.Errorf("after one was deleted: %+v, %v", busy, second.Gone)
	}
	// A part comes without its series, or the series without its other parts: all of them are asked for.
	w.Add(graphtest.Calendar, timed("weekly-3", "2026-12-16T12", "type", "exception", "seriesMasterId", "weekly"))
	third := w.changes(second.Cursor)
	want = map[string]string{"weekly": "01.12. 09:00-01.12. 10:00 16.12. 13:00-16.12. 14:00 "}
	if busy := w.busy(third.Items); !reflect.DeepEqual(busy, want) {
		t.Errorf("after one was moved: %+v", busy)
	}
	w.Add(graphtest.Calendar, timed("weekly", "2026-12-01T08", "type", "seriesMaster", "showAs", "busy"))
	fourth := w.changes(third.Cursor)
	if busy := w.busy(fourth.Items); !reflect.DeepEqual(busy, want) {
		t.Errorf("after the series alone came: %+v", busy)
	}
	if busy := w.busy(w.changes("").Items); busy["weekly"] != want["weekly"] {
		t.Errorf("read everything: %+v", busy)
	}
	last := w.changes("")
	w.Drop(graphtest.Calendar, "weekly")
	if got := w.changes(last.Cursor); len(got.Items) != 0 || !reflect.DeepEqual(got.Gone, []string{"weekly"}) {
		t.Errorf("the series was deleted: %+v", got)
	}
}

// In a full reading a series that doesn't come with its parts is asked for.
func TestOrphans(t *testing.T) {
	w := newWorld(t)
	w.Add(graphtest.Shared, timed("far", eight, "type", "seriesMaster", "showAs", "free"))
	w.Add(graphtest.Calendar, timed("far-1", eight, "type", "occurrence", "seriesMasterId", "far"))
	w.Add(graphtest.Calendar, timed("lost-1", eight, "type", "occurrence", "seriesMasterId", "lost"))
	if got := w.changes(""); len(got.Items) != 1 || got.Items[0].Key != "far" || len(got.Items[0].Spans) != 0 {
		t.Errorf("got %+v", got.Items)
	}
}

// A second reading has only what changed, and what was deleted; a token that is too old has everything read again.
func TestDelta(t *testing.T) {
	w := newWorld(t)
	w.Add(graphtest.Calendar, timed("one", eight))
	w.Add(graphtest.Calendar, timed("two", eight))
	first := w.changes("")
	w.Drop(graphtest.Calendar, "one")
	w.Add(graphtest.Calendar, timed("two", "2026-12-01T09"))
	got := w.changes(first.Cursor)
	if got.All || !reflect.DeepEqual(got.Gone, []string{"one"}) ||
		!reflect.DeepEqual(w.busy(got.Items), map[string]string{"two": "01.12. 10:00-01.12. 11:00 "}) {
		t.Errorf("got %+v", got)
	}
	w.ForgetTokens()
	if _, err := w.open().Changes(t.Context(), w.asked(got.Cursor)); !errors.Is(err, calsync.ErrCursor) {
		t.Errorf("a forgotten token: %v", err)
	}
	w.Fail(400, "SyncStateInvalid")
	if _, err := w.open().Changes(t.Context(), w.asked(got.Cursor)); !errors.Is(err, calsync.ErrCursor) {
		t.Errorf("an invalid state: %v", err)
	}
	// A cursor of another place is none.
	if _, err := w.open().Changes(t.Context(), w.asked("https://graph.example/v1.0/x")); !errors.Is(err, calsync.ErrCursor) {
		t.Errorf("a cursor elsewhere: %v", err)
	}
}

// A link that leads elsewhere is not followed, so that nobody else gets the access.
func TestLinksStayHere(t *testing.T) {
	w := newWorld(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked, with %q", r.URL, r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	w.Page = 1
	w.Add(graphtest.Calendar, timed("one", eight))
	w.Add(graphtest.Calendar, timed("two", eight))
	for _, host := range []string{elsewhere.URL, strings.Replace(w.At.API, "http://", "http://me@", 1),
		strings.TrimSuffix(w.At.API, "/v1.0") + "/.."} {
		w.NextHost = host
		if _, err := w.open().Changes(t.Context(), w.asked("")); !errors.Is(err, calsync.ErrForbidden) {
			t.Errorf("pages of %s: %v", host, err)
		}
		if _, err := w.open().Calendars(t.Context()); !errors.Is(err, calsync.ErrForbidden) {
			t.Errorf("calendars of %s: %v", host, err)
		}
	}
}

// Each refusal is what calsync knows.
func TestRefusals(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		status int
		code   string
		header []string
		want   calsync.Problem
		after  time.Duration
	}{
		{429, "ApplicationThrottled", []string{"Retry-After", "77"}, calsync.SlowDown, 77 * time.Second},
		{429, "ApplicationThrottled", nil, calsync.SlowDown, time.Minute},
		{503, "ErrorServerBusy", []string{"Retry-After", "5"}, calsync.SlowDown, 5 * time.Second},
		{403, "ErrorAccessDenied", nil, calsync.SignIn, 0}, {404, "ErrorItemNotFound", nil, calsync.NotFound, 0},
		{500, "ErrorInternalServerError", nil, calsync.ServerFailed, 0},
	} {
		w.Fail(c.status, c.code, c.header...)
		_, err := w.open().Changes(t.Context(), w.asked(""))
		var later *calsync.Later
		if calsync.ProblemOf(err) != c.want || errors.As(err, &later) && later.After != c.after {
			t.Errorf("%d %s: %v, %s", c.status, c.code, err, calsync.ProblemOf(err))
		}
	}
	w.Add(graphtest.Calendar, timed("odd", eight, "start", o{"dateTime": "soon", "timeZone": "UTC"}))
	of := w.asked("")
	of.From = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() // the stand-in takes such a time for one long ago
	if _, err := w.open().Changes(t.Context(), of); !errors.Is(err, calsync.ErrUnclear) {
		t.Errorf("an unclear time: %v", err)
	}
}

// An access that is over is renewed with the newest refresh token; a withdrawn sign-in says so.
func TestAccess(t *testing.T) {
	w := newWorld(t)
	w.changes("")
	w.ExpireAccess()
	w.changes("")
	if len(w.saved) != 2 || w.Renewals != 2 || w.saved[1].Refresh == w.refresh || w.saved[1].Access == "" {
		t.Errorf("%d renewals, saved %+v", w.Renewals, w.saved)
	}
	w.Withdraw()
	if _, err := w.open().Changes(t.Context(), w.asked("")); !errors.Is(err, calsync.ErrSignIn) {
		t.Errorf("withdrawn: %v", err)
	}
}

// Two servers of a database renew an access at a time: the one that comes late uses what the other has kept.
func TestRenewedByAnotherServer(t *testing.T) {
	w := newWorld(t)
	w.Once = true
	first := calsync.Credentials{Refresh: w.refresh}
	kept := first
	loads := 0
	open := func(late int) calsync.Source { // another process, which sees what is kept at its late-th look
		return graph.New(w.At).Open(calsync.Opening{Connection: &calsync.Connection{ID: 7}, Credentials: first,
			HTTP: http.DefaultClient, Client: calsync.Client{Kind: calsync.Microsoft, ID: oauthtest.ClientID, Secret: oauthtest.Secret},
			Load: func(context.Context) (calsync.Credentials, error) {
				if loads++; loads < late {
					return first, nil
				}
				return kept, nil
			},
			Save: func(_ context.Context, c calsync.Credentials) error {
				kept = c
				return nil
			}})
	}
	for i := range 3 {
		loads = 0
		if _, err := open(i).Changes(t.Context(), w.asked("")); err != nil || w.Renewals != 1 {
			t.Fatalf("server %d: %v, %d renewals", i, err, w.Renewals)
		}
	}
}

func (w *world) entry() calsync.Entry {
	return calsync.Entry{UID: "daybook-bk_0123456789abc@book.example", Title: "Haircut: Eva", Description: "short",
		Location: "Salon", URL: "https://book.example/x", Start: w.at("2026-12-02 11:00"), End: w.at("2026-12-02 12:00"),
		Stamp: w.at("2026-12-01 10:00")}
}

// A copy is made, known again, changed and removed; what somebody else did to it is never overwritten.
func TestWriting(t *testing.T) {
	w := newWorld(t)
	e, s := w.entry(), w.open()
	put := func(key, etag string, e calsync.Entry) (string, string, error) {
		return s.Put(t.Context(), graphtest.Calendar, key, etag, e)
	}
	key, etag, err := put("", "", e)
	if err != nil || key == "" || etag == "" {
		t.Fatalf("made: %q %q %v", key, etag, err)
	}
	kept := w.Event(graphtest.Calendar, key)
	if kept["subject"] != "Haircut: Eva" || kept["attendees"] != nil ||
		!reflect.DeepEqual(kept["start"], o{"dateTime": "2026-12-02T10:00:00", "timeZone": "UTC"}) ||
		!reflect.DeepEqual(kept["body"], o{"contentType": "text", "content": "short\n\nhttps://book.example/x"}) {
		t.Errorf("kept %v", kept)
	}
	read := w.changes("").Items
	if len(read) != 1 || read[0].UID != e.UID || read[0].Key != key || read[0].ETag != etag ||
		read[0].Start != e.Start.UnixMilli() || read[0].End != e.End.UnixMilli() {
		t.Errorf("read %+v", read)
	}
	// The answer was lost: it is not made twice.
	if again, same, err := put("", "", e); err != nil || again != key || same != etag {
		t.Errorf("made again: %q %q %v", again, same, err)
	}
	if found, same, err := s.Find(t.Context(), graphtest.Calendar, e.UID); err != nil || found != key || same != etag {
		t.Errorf("found: %q %q %v", found, same, err)
	}
	moved := e
	moved.Start, moved.End = e.Start.Add(time.Hour), e.End.Add(time.Hour)
	if there, _, err := put("", "", moved); !errors.Is(err, calsync.ErrConflict) || there != key {
		t.Errorf("another of that UID: %q %v", there, err)
	}
	_, newer, err := put(key, etag, moved)
	if err != nil || newer == etag {
		t.Fatalf("moved: %q %v", newer, err)
	}
	if _, _, err := put(key, etag, e); !errors.Is(err, calsync.ErrConflict) {
		t.Errorf("written over another's change: %v", err)
	}
	if err := s.Remove(t.Context(), graphtest.Calendar, key, etag); !errors.Is(err, calsync.ErrConflict) {
		t.Errorf("removed another's change: %v", err)
	}
	w.Drop(graphtest.Calendar, key)
	if _, _, err := put(key, newer, e); !errors.Is(err, calsync.ErrGone) {
		t.Errorf("written after it was deleted: %v", err)
	}
	if err := s.Remove(t.Context(), graphtest.Calendar, key, newer); err != nil {
		t.Errorf("removed after it was deleted: %v", err)
	}
	if found, _, err := s.Find(t.Context(), graphtest.Calendar, e.UID); err != nil || found != "" {
		t.Errorf("found what was deleted: %q %v", found, err)
	}
	// It can be made anew although its transactionId is taken, is known for what it is, and is removed.
	anew, etag, err := put("", "", e)
	if err != nil || anew == key {
		t.Fatalf("made anew: %q %v", anew, err)
	}
	if read := w.changes("").Items; len(read) != 1 || read[0].UID != e.UID {
		t.Errorf("read anew: %+v", read)
	}
	if err := s.Remove(t.Context(), graphtest.Calendar, anew, etag); err != nil || w.Event(graphtest.Calendar, anew) != nil {
		t.Errorf("removed: %v", err)
	}
	if _, _, err := s.Put(t.Context(), graphtest.Shared, "", "", e); !errors.Is(err, calsync.ErrReadOnly) {
		t.Errorf("a calendar that can't be written: %v", err)
	}
}

// An invitation of ours that its host has taken into the calendar is known by its UID, which Exchange wraps.
func TestInvitationsOfOurs(t *testing.T) {
	w := newWorld(t)
	const uid = "bk_0123456789abc@book.example"
	wrapped := "040000008200E00074C5B7101A82E00800000000000000000000000000000000000000002A000000" +
		hex.EncodeToString([]byte("vCal-Uid\x01\x00\x00\x00"+uid+"\x00"))
	w.Add(graphtest.Calendar, timed("wrapped", eight, "iCalUId", strings.ToUpper(wrapped)))
	w.Add(graphtest.Calendar, timed("bare", eight, "iCalUId", uid))
	w.Add(graphtest.Calendar, timed("foreign", eight, "iCalUId", "x", "transactionId", "7E163156-7762-4BEB-A1C6-729EA81755A7"))
	got := map[string]string{}
	for _, i := range w.changes("").Items {
		got[i.Key] = i.UID
	}
	if want := map[string]string{"wrapped": uid, "bare": uid, "foreign": "x"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

// A sign-in asks for the least, by PKCE, at the client's tenant.
func TestSignIn(t *testing.T) {
	w := newWorld(t)
	client := calsync.Client{Kind: calsync.Microsoft, ID: oauthtest.ClientID, Secret: oauthtest.Secret}
	const back, verifier = "https://book.example/back", "0123456789012345678901234567890123456789012"
	_, code := w.SignIn(t, w.provider.SignInURL(client, back, "the state", verifier))
	got, err := w.provider.Exchange(t.Context(), http.DefaultClient, client, back, code, verifier)
	if err != nil || got.Refresh == "" {
		t.Fatalf("got %+v, %v", got, err)
	}
	w.refresh = got.Refresh
	w.changes("")
	if err := w.provider.Revoke(t.Context(), http.DefaultClient, got); err != nil {
		t.Errorf("there is nothing to revoke: %v", err)
	}
	client.Tenant = "salon.example"
	if u := w.provider.SignInURL(client, back, "x", verifier); !strings.Contains(u, "/salon.example/oauth2/v2.0/authorize?") {
		t.Errorf("the tenant's address is %s", u)
	}
}
