package webhook_test

import (
	"context"
	"net/netip"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// bed is a salon whose only host is free around the clock, for sessions of a minute. Its clock runs.
type bed struct {
	*apptest.Salon
	slot atomic.Int64
}

func newBed(t testing.TB) *bed { return openBed(t, "") }

// openBed is a server on the database of another bed, if place names one.
func openBed(t testing.TB, place string) *bed {
	t.Helper()
	b := &bed{Salon: apptest.New(t, apptest.Options{
		Clock: apptest.Running(), TimeZone: "UTC", Hosts: []string{"ana"}, Hours: "00:00-24:00", Place: place,
		With: func(c *subjects.Config) { c.Webhook = webhook.Config{Allow: loopback} },
	})}
	if place == "" {
		b.Offer("cut", 1, func(e *catalog.EventType) { e.BookingWindowDays, e.MinimumNoticeMinutes = 365, 0 })
	}
	return b
}

// book books the next free minute.
func (b *bed) book() (booking.Booking, error) {
	n := b.slot.Add(1)
	start := b.Clock.Now().Truncate(time.Minute).Add(time.Duration(n+5) * time.Minute)
	return b.Book(context.Background(), b.API, booking.BookInput{
		EventType: "cut", Start: start.UTC().Format(time.RFC3339),
		Invitee: booking.Invitee{Name: "Bo", Email: "bo" + strconv.FormatInt(n, 10) + "@x.example"},
	})
}

func (b *bed) mustBook() booking.Booking {
	b.T.Helper()
	k, err := b.book()
	if err != nil {
		b.T.Fatal(err)
	}
	return k
}

func (b *bed) endpoint(url string, kinds ...string) webhook.NewEndpoint {
	b.T.Helper()
	if kinds == nil {
		kinds = []string{"*"}
	}
	e, err := b.Webhook.CreateEndpoint(context.Background(), b.API, webhook.EndpointInput{URL: url, Events: kinds})
	if err != nil {
		b.T.Fatal(err)
	}
	return e
}

// run starts a loop that ends with the test, or when stop is called.
func (b *bed) run(with ...func(*webhook.Options)) (l *webhook.Loop, stop func()) {
	b.T.Helper()
	o := webhook.Options{Allow: loopback, Version: "test"}
	for _, f := range with {
		f(&o)
	}
	l = webhook.New(b.Webhook, o)
	return l, b.Run(l)
}

func (b *bed) deliveries(state string) []webhook.Delivery {
	b.T.Helper()
	limit := 100
	page, err := b.Webhook.Deliveries(context.Background(), b.API, webhook.ListDeliveriesInput{State: state, Limit: &limit})
	if err != nil {
		b.T.Fatal(err)
	}
	return page.Data
}

// until waits for the newest delivery to fit.
func (b *bed) until(what string, fits func(webhook.Delivery) bool) webhook.Delivery {
	b.T.Helper()
	var d webhook.Delivery
	apptest.Eventually(b.T, what, func() bool {
		if all := b.deliveries(""); len(all) > 0 {
			d = all[0]
		}
		return fits(d)
	})
	return d
}

func in(state webhook.DeliveryState, attempts int) func(webhook.Delivery) bool {
	return func(d webhook.Delivery) bool { return d.State == state && d.Attempts == attempts }
}
