package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/webhook"
	"daybook/store/storetest"
)

// BenchmarkWorkspaces measures what the API and the loops ask for on PostgreSQL, in databases with few and with many
// workspaces: the median time, and how many times that of the first database it is. The least time, beside it in the log
// of -v, tells how it is without other load on the machine.
//
//	go test ./store -run XXX -bench BenchmarkWorkspaces -benchtime 1x -timeout 60m
//
// DAYBOOK_BENCH_WORKSPACES and DAYBOOK_BENCH_BOOKINGS say how many workspaces the databases have ("10 1000 10000") and
// how many bookings each workspace; the standard is small.
func BenchmarkWorkspaces(b *testing.B) {
	each := 100
	if text := os.Getenv("DAYBOOK_BENCH_BOOKINGS"); text != "" {
		var err error
		if each, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	var all []*storetest.Large
	sizes := strings.Fields(os.Getenv("DAYBOOK_BENCH_WORKSPACES"))
	if len(sizes) == 0 {
		sizes = []string{"10", "50"}
	}
	for _, size := range sizes {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		begun := time.Now()
		all = append(all, storetest.NewLarge(b, n, each))
		b.Logf("%d workspaces, %d bookings: made in %v", n, n*each, time.Since(begun).Round(time.Second))
	}
	b.ResetTimer()
	for b.Loop() {
		for _, op := range largeOps {
			median, least := sideBySide(b, all, op)
			for i, t := range median {
				b.ReportMetric(float64(t.Microseconds()), op.name+"-"+sizes[i]+"-µs")
				b.Logf("%-28s %6s workspaces %8d µs %6.2f x, at least %8d µs %6.2f x", op.name, sizes[i],
					t.Microseconds(), float64(t)/float64(median[0]),
					least[i].Microseconds(), float64(least[i])/float64(least[0]))
			}
		}
	}
}

// sideBySide is the median and the least time of op on each database, in turns.
func sideBySide(b *testing.B, all []*storetest.Large, op largeOp) (median, least []time.Duration) {
	b.Helper()
	const runs = 60
	took := make([][]time.Duration, len(all))
	for turn := range runs + 10 { // the first ones read what is kept in memory
		for i, l := range all {
			if op.before != nil {
				if err := op.before(l); err != nil {
					b.Fatal(err)
				}
			}
			begun := time.Now()
			err := op.run(l, turn)
			if turn >= 10 {
				took[i] = append(took[i], time.Since(begun))
			}
			if err == nil && op.after != nil {
				err = op.after(l)
			}
			if err != nil {
				b.Fatal(op.name, ": ", err)
			}
		}
	}
	for _, t := range took {
		slices.Sort(t)
		median, least = append(median, t[len(t)/2]), append(least, t[0])
	}
	return median, least
}

type largeOp struct {
	name          string
	run           func(l *storetest.Large, turn int) error
	before, after func(l *storetest.Large) error
}

var largeOps = []largeOp{
	{name: "book", run: func(l *storetest.Large, turn int) error { return l.Book(turn) }},
	{name: "get", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Booking(context.Background(), l.Actor(turn%10), l.Booking(turn%10, turn).String())
		return err
	}},
	{name: "list-50", run: func(l *storetest.Large, turn int) error {
		from := l.Now.AddDate(0, 0, -2).Format(time.RFC3339)
		p, err := l.Service.Bookings(context.Background(), l.Actor(turn%10), booking.ListBookingsInput{From: from})
		if err == nil && len(p.Data) != 50 {
			err = fmt.Errorf("a page of %d", len(p.Data))
		}
		return err
	}},
	{name: "availability", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Availability(context.Background(), l.Actor(turn%10), availability.Input{
			EventType: l.EventType(turn%10, 0).String(), Days: new(14)})
		return err
	}},
	{name: "find-contact", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.People.Contacts(context.Background(), l.Actor(turn%10), contact.Filter{Q: "someone1"}, nil, "")
		return err
	}},
	{name: "list-events", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Webhook.Events(context.Background(), l.Actor(turn%10), webhook.ListEventsInput{})
		return err
	}},
	{name: "list-deliveries", run: func(l *storetest.Large, turn int) error { return listDeliveries(l, turn%10, "") }},
	{name: "failed-deliveries", run: func(l *storetest.Large, turn int) error { return listDeliveries(l, turn%10, "failed") }},
	// The booking is numbered before its mails can be written.
	{name: "book-and-number", run: func(l *storetest.Large, turn int) error {
		if err := l.Book(turn); err != nil {
			return err
		}
		return l.Number(context.Background())
	}},
	{name: "write-mails", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Mail.WriteMails(context.Background(), 100)
		return err
	}},
	{name: "webhooks-none-due", run: func(l *storetest.Large, _ int) error { return claimDeliveries(l, 0) }},
	{name: "mails-none-due", run: func(l *storetest.Large, _ int) error { return claimMails(l, 0) }},
	{name: "jobs-none-due", run: func(l *storetest.Large, turn int) error {
		_, next := l.Service.Payment.NextPaymentJob(context.Background())
		_, err := l.Service.Payment.ClaimPaymentJobs(context.Background(), 10, time.Minute)
		return errors.Join(next, err)
	}},
	{name: "lapse", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Lapse(context.Background(), 100)
		return err
	}},
	{name: "webhooks-100-due",
		before: func(l *storetest.Large) error { return l.Due("deliveries", "state = 0, sending = 0, due_ms = 1", 100) },
		run:    func(l *storetest.Large, _ int) error { return claimDeliveries(l, 100) },
		after:  func(l *storetest.Large) error { return l.Over("deliveries", "state = 1, sending = 0, due_ms = 1") }},
	{name: "mails-100-due",
		before: func(l *storetest.Large) error {
			return l.Due("mails", "state = 0, sending = 0, until_ms = 9000000000000, due_ms = 1", 100)
		},
		run:   func(l *storetest.Large, _ int) error { return claimMails(l, 100) },
		after: func(l *storetest.Large) error { return l.Over("mails", "state = 1, sending = 0") }},
	{name: "sweep", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Upkeep.Sweep(context.Background(), 10)
		return err
	}},
	{name: "prune-webhooks", run: func(l *storetest.Large, turn int) error {
		_, err := l.Service.Webhook.PruneWebhooks(context.Background(), l.Now.AddDate(0, 0, -30), 500)
		return err
	}},
	{name: "tidy-mails", run: func(l *storetest.Large, turn int) error {
		return l.Service.Mail.TidyMails(context.Background())
	}},
}

func listDeliveries(l *storetest.Large, w int, state string) error {
	_, err := l.Service.Webhook.Deliveries(context.Background(), l.Actor(w), webhook.ListDeliveriesInput{State: state})
	return err
}

// claimDeliveries claims what is due, which is n deliveries, as the loop does.
func claimDeliveries(l *storetest.Large, n int) error {
	ctx := context.Background()
	waiting, err := l.Service.Webhook.WaitingEndpoints(ctx)
	if err != nil {
		return err
	}
	var claims []webhook.Claim
	for _, w := range waiting {
		claims = append(claims, webhook.Claim{Lane: w.Lane, Limit: 10})
	}
	claimed := 0
	batches, err := l.Service.Webhook.ClaimDeliveries(ctx, claims, time.Minute)
	for _, b := range batches {
		claimed += len(b.Deliveries)
	}
	if err == nil && claimed < n {
		err = fmt.Errorf("%d of %d deliveries were claimed", claimed, n)
	}
	return err
}

// claimMails does the same with mails.
func claimMails(l *storetest.Large, n int) error {
	ctx := context.Background()
	if _, err := l.Service.Mail.HasDueMails(ctx); err != nil {
		return err
	}
	if _, err := l.Service.Mail.DueMailServers(ctx); err != nil {
		return err
	}
	claimed, err := l.Service.Mail.ClaimMails(ctx, 0, time.Minute, 100)
	if err == nil && len(claimed) < n {
		err = fmt.Errorf("%d of %d mails were claimed", len(claimed), n)
	}
	return err
}
