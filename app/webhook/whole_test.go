package webhook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// A booking and what is told of it are one: when the delivery can't be written, nothing is.
func TestNoDeliveryNoBooking(t *testing.T) {
	b := newBed(t)
	b.endpoint("https://example.com/hook")
	raw := enginetest.Raw(t, b.Store.Engine)
	enginetest.Break(t, raw, "deliveries", "INSERT", "")
	if _, err := b.book(); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Fatal("booked without its delivery:", err)
	}
	var rows int
	err := raw.QueryRow(`SELECT (SELECT COUNT(*) FROM bookings) + (SELECT COUNT(*) FROM events) + (SELECT COUNT(*) FROM contacts) + (SELECT COUNT(*) FROM booking_history)`).Scan(&rows)
	if err != nil || rows != 0 {
		t.Errorf("%d rows were left (%v)", rows, err)
	}
	enginetest.Mend(t, raw, "deliveries")
	b.mustBook()
	if n := len(b.deliveries("pending")); n != 1 {
		t.Errorf("%d deliveries", n)
	}
}

// Three times, 64 want one slot: one is booked, and each endpoint hears of it once.
func TestContest(t *testing.T) {
	b := newBed(t)
	for _, path := range []string{"/a", "/b", "/c"} {
		b.endpoint("https://example.com" + path)
	}
	for round := 1; round <= 3; round++ {
		start := b.Clock.Now().Add(time.Duration(round) * time.Hour).Truncate(time.Minute).UTC().Format(time.RFC3339)
		var all sync.WaitGroup
		for i := range 64 {
			all.Go(func() {
				name := fmt.Sprintf("p%d", i)
				_, err := b.Book(context.Background(), b.API, booking.BookInput{
					EventType: "cut", Start: start, Invitee: booking.Invitee{Name: name, Email: name + "@x.example"},
				})
				if err != nil && !fault.Is(err, fault.Conflict) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(b.deliveries("")); n != 3*round {
			t.Errorf("round %d: %d deliveries, want %d", round, n, 3*round)
		}
	}
}

// pruned counts the runs of the next test: ids never go back, so each must begin later than all clocks before it.
var pruned atomic.Int64

func TestOldOnesArePruned(t *testing.T) {
	b := newBed(t)
	b.Clock.Advance(time.Duration(pruned.Add(1)) * 365 * 24 * time.Hour)
	r := newReceiver(t, nil)
	e := b.endpoint(r.URL)
	off := b.endpoint(r.URL)
	l, _ := b.run(func(o *webhook.Options) { o.Keep = 1 << 62 }) // the loop's own pruning stays out of it
	for range 3 {
		b.mustBook()
	}
	apptest.Eventually(t, "delivered", func() bool { return len(b.deliveries("delivered")) == 6 })
	if err := b.Webhook.DeleteEndpoint(t.Context(), b.API, off.ID.String()); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(31 * 24 * time.Hour)
	if _, err := b.Webhook.DisableEndpoint(t.Context(), b.API, e.ID.String()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Webhook.EnableEndpoint(t.Context(), b.API, e.ID.String()); err != nil {
		t.Fatal(err)
	}
	b.mustBook()
	l.Wake()
	apptest.Eventually(t, "delivered", func() bool { return len(b.deliveries("delivered")) == 7 })
	steps := 0
	for more := true; more; steps++ {
		var err error
		if more, err = b.Webhook.PruneWebhooks(t.Context(), b.Clock.Now().Add(-30*24*time.Hour), 2); err != nil {
			t.Fatal(err)
		}
	}
	events, err := b.Store.EventsAfter(b.API.Workspace, 0, 10)
	if n := len(b.deliveries("")); n != 1 || len(events) != 1 || err != nil || steps < 4 {
		t.Errorf("%d deliveries and %d events are left after %d steps (%v), want one of each", n, len(events), steps, err)
	}
}

// Several claim at the same time, more than a statement takes: each delivery is claimed once, with the lease that the
// row has, so that its outcome can be saved; what is claimed is not claimed again.
func TestContestOfClaims(t *testing.T) {
	const many = 75
	b := newBed(t)
	e := b.endpoint("https://example.com/a")
	for range many {
		b.mustBook()
	}
	var mu sync.Mutex
	var all []webhook.Claimed
	claim := func(limit int) int {
		batches, err := b.Webhook.ClaimDeliveries(context.Background(), []webhook.Claim{{Lane: e.ID, Limit: limit}}, time.Minute)
		if err != nil || len(batches) != 1 {
			t.Error(len(batches), err)
			return 0
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, batches[0].Deliveries...)
		return len(batches[0].Deliveries)
	}
	if n := claim(1); n != 1 {
		t.Errorf("claimed %d instead of one", n)
	}
	if n := claim(66); n != 66 {
		t.Errorf("claimed %d instead of 66", n)
	}
	var several sync.WaitGroup
	for range 4 {
		several.Go(func() {
			for claim(3) > 0 {
			}
		})
	}
	several.Wait()
	seen := map[booking.DeliveryID]bool{}
	var outcomes []webhook.Outcome
	for _, c := range all {
		seen[c.ID] = true
		outcomes = append(outcomes, webhook.Outcome{ID: c.ID, Workspace: c.Workspace, Endpoint: e.ID, Lease: c.Lease,
			State: webhook.DeliveryDelivered, Status: 200})
	}
	if len(all) != many || len(seen) != many || claim(100) != 0 {
		t.Errorf("%d claims of %d deliveries", len(all), len(seen))
	}
	b.Must(b.Webhook.SettleDeliveries(t.Context(), outcomes))
	if n := len(b.deliveries("delivered")); n != many {
		t.Errorf("%d are delivered", n)
	}
}
