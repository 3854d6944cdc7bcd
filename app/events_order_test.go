package app_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/webhook"
)

// Two servers with 16 writers each book different hosts, so that nothing makes them wait for one another. Whoever pages
// through the events meanwhile from the last one seen, and whoever follows the history, meets each once.
func TestListsThatAreFollowedMissNothing(t *testing.T) {
	const hosts, writers, each = 16, 32, 8
	names := make([]string, hosts)
	for i := range names {
		names[i] = fmt.Sprintf("h%d", i)
	}
	w := &world{Salon: apptest.New(t, apptest.Options{Hosts: names})}
	for i := range hosts {
		w.Offer(names[i], 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: catalog.HostID(i + 1)}} })
	}
	servers := []*apptest.Salon{w.Salon, w.Another()}
	f, followed := w.follower("calendar", 7)

	var all sync.WaitGroup
	for writer := range writers {
		s := servers[writer%2]
		all.Go(func() {
			for i := range each {
				start := fmt.Sprintf("%dT%d", 1+i, 9+writer/hosts)
				b, err := s.Book(t.Context(), w.API, apptest.Input(names[writer%hosts], start, fmt.Sprintf("p%dx%d", writer, i)))
				if err == nil && i%4 == 0 {
					_, err = s.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	booked := make(chan struct{})
	go func() { all.Wait(); close(booked) }()

	seen, after, ten := map[string]int{}, "", 10
	poll := func(s *apptest.Salon) {
		for more := true; more; {
			page, err := s.Webhook.Events(t.Context(), w.API, webhook.ListEventsInput{After: after, Limit: &ten})
			w.Must(err)
			for _, body := range page.Data {
				var e struct{ ID string }
				w.Must(json.Unmarshal(body, &e))
				seen[e.ID]++
				after = e.ID
			}
			more = page.HasMore
		}
	}
	for round, over := 0, false; !over; round++ {
		select {
		case <-booked:
			over = true
		default:
		}
		poll(servers[round%2])
		w.follow(f)
	}

	const want = writers * (each + each/4)
	events, err := w.Store.EventsAfter(w.Workspace.ID, 0, 2*want)
	w.Must(err)
	if len(events) != want || len(*followed) != want {
		t.Errorf("%d events, and %d entries followed, want %d", len(events), len(*followed), want)
	}
	missed, twice := 0, 0
	for _, e := range events {
		switch n := seen[e.ID.String()]; {
		case n == 0:
			missed++
		case n > 1:
			twice++
		}
	}
	if missed > 0 || twice > 0 || len(seen) != want {
		t.Errorf("saw %d of %d events: %d missed, %d seen twice", len(seen), want, missed, twice)
	}
	last := int64(0)
	of := map[booking.BookingID]int{}
	for _, e := range *followed {
		if e.Number <= last || e.Seq != of[e.Booking]+1 {
			t.Fatalf("behind %d: %+v", last, e)
		}
		last, of[e.Booking] = e.Number, e.Seq
	}
}
