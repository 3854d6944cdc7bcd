package feed_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"

	goical "github.com/emersion/go-ical"

	"daybook/app"
	"daybook/app/feed"
)

func TestAFeed(t *testing.T) {
	s := apptest.New(t, apptest.Options{Hosts: []string{"ana", "bob"}, Hours: "00:00-24:00"})
	ws, api := s.Workspace, s.API
	s.Offer("cut", 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	book := func(hour int, host string) booking.Booking {
		in := apptest.Input("cut", apptest.Hours(hour), "Bo")
		in.Host, in.Notes = host, "hush"
		b, err := s.Book(t.Context(), api, in)
		must(t, err)
		return b
	}
	gone := book(30, catalog.HostID(1).String())
	book(40, catalog.HostID(1).String())
	book(50, catalog.HostID(2).String())
	_, err := s.Cancel(t.Context(), api, gone.ID.String(), app.CancelInput{})
	must(t, err)

	var log bytes.Buffer
	mux := http.NewServeMux()
	feed.New(s.Feed, slog.New(slog.NewTextHandler(&log, nil))).Routes(mux)
	get := func(address string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", address, nil)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
	address := func(host string, anew bool) string {
		u, err := s.Feed.FeedURL(context.Background(), app.Operator(ws.ID), host, anew)
		must(t, err)
		return u
	}
	all, ana := address("", false), address("ana@salon.example", false)
	if all != address("", false) || all == ana || !strings.HasPrefix(all, "https://book.example/calendar/") {
		t.Fatal(all, ana)
	}
	for u, want := range map[string]int{all: 2, ana: 1} {
		w := get(u)
		c, err := goical.NewDecoder(w.Body).Decode()
		must(t, err)
		if w.Code != 200 || len(c.Events()) != want || w.Header().Get("Content-Type") != "text/calendar; charset=utf-8" || !strings.HasPrefix(w.Header().Get("Cache-Control"), "private") {
			t.Errorf("%d, %d events, %v", w.Code, len(c.Events()), w.Header())
		}
		for _, e := range c.Events() { // as in the mails, which have the server's name
			uid := e.Props.Get("UID").Value
			if mailed := strings.Contains(uid, "-hs_"); mailed != (u == ana) || !strings.HasSuffix(uid, "@book.example") {
				t.Errorf("the event is named %s", uid)
			}
		}
	}
	first := get(all)
	tag, since := first.Header().Get("ETag"), first.Header().Get("Last-Modified")
	if get(all, "If-None-Match", tag).Code != 304 || get(all, "If-Modified-Since", since).Code != 304 {
		t.Error("not 304", tag, since)
	}
	book(60, catalog.HostID(2).String())
	if w := get(all, "If-None-Match", tag); w.Code != 200 || w.Header().Get("ETag") == tag {
		t.Error("304 after a change")
	}
	if w := get(all, "If-Modified-Since", since); w.Code != 200 {
		t.Error("304 after a change within a second")
	}
	renewed := address("", true)
	altered := renewed[:len(renewed)-5] + "0.ics"
	if altered == renewed {
		altered = renewed[:len(renewed)-5] + "1.ics"
	}
	for _, u := range []string{all, altered, strings.TrimSuffix(renewed, ".ics"), "/calendar/x.ics", "/calendar/.ics"} {
		if w := get(u); w.Code != 404 {
			t.Errorf("%s: %d", u, w.Code)
		}
	}
	if get(renewed).Code != 200 || get(ana).Code != 200 {
		t.Error("the new one, or another's, has ended")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	token := strings.TrimSuffix(renewed[strings.LastIndex(renewed, "/")+1:], ".ics")
	if _, err := s.Feed.CalendarByToken(ended, token); err != context.Canceled {
		t.Errorf("for a caller who hung up: %v", err)
	}
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ended, "GET", renewed, nil))
	if log.Len() > 0 {
		t.Errorf("a caller who hung up is logged: %s", log.String())
	}
	must(t, s.Feed.RevokeFeed(t.Context(), app.Operator(ws.ID), ""))
	if get(renewed).Code != 404 || get(ana).Code != 200 {
		t.Error("not revoked, or too much")
	}
}

// A host's feed has their services of a visit, and those that they do beside somebody else; everybody's has each once.
func TestAFeedOfVisits(t *testing.T) {
	s := apptest.New(t, apptest.Options{Hosts: []string{"ana", "bob"}, Hours: "00:00-24:00"})
	s.Offer("cut", 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	s.Offer("duo", 60, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}}
		e.Needs = []catalog.Need{{Hosts: 2}}
	})
	visit := booking.VisitInput{Start: apptest.Hours(40), Invitee: apptest.Input("", "", "Mia").Invitee, Items: []booking.VisitItem{
		{EventType: "cut", Host: catalog.HostID(1).String()}, {EventType: "cut", Host: catalog.HostID(2).String()}}}
	v, err := s.BookVisit(t.Context(), s.API, visit)
	must(t, err)
	in := apptest.Input("duo", apptest.Hours(50), "Di")
	in.Host = catalog.HostID(1).String()
	duo, err := s.Book(t.Context(), s.API, in)
	must(t, err)
	for host, want := range map[string][]booking.BookingID{
		"": {v.Items[0].ID, v.Items[1].ID, duo.ID}, "ana@salon.example": {v.Items[0].ID, duo.ID}, "bob@salon.example": {v.Items[1].ID, duo.ID},
	} {
		address, err := s.Feed.FeedURL(t.Context(), app.Operator(s.Workspace.ID), host, false)
		must(t, err)
		c, err := s.Feed.CalendarByToken(t.Context(), strings.TrimSuffix(address[strings.LastIndex(address, "/")+1:], ".ics"))
		must(t, err)
		var got []booking.BookingID
		for i := range c.Bookings {
			got = append(got, c.Bookings[i].ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %v, want %v", host, got, want)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
