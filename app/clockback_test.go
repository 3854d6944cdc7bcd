package app_test

import (
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// A clock that is set back an hour keeps nobody out for longer than the minute of the rate.
func TestClockSetBackStopsNobody(t *testing.T) {
	w := newWorld(t)
	k := account.Key{ID: 1, RateLimit: 2}
	w.at("10:00")
	for range 2 {
		if _, err := w.Account.Allow(k); err != nil {
			t.Fatal(err)
		}
	}
	w.at("09:00")
	limit, err := w.Account.Allow(k)
	w.Refused(err, fault.RateLimited, "")
	if limit.RetryAfter.Minutes() > 1 {
		t.Errorf("come again in %v", limit.RetryAfter)
	}
	w.at("09:01")
	if _, err := w.Account.Allow(k); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

// A booking that can't lapse does not hold up the others.
func TestOneFailingLapseHoldsUpNobody(t *testing.T) {
	w := newWorld(t)
	w.offer("ask", 3, func(e *catalog.EventType) { e.RequiresApproval = true })
	w.Booked("ask", "3T09", "first")
	w.Booked("ask", "3T10", "second")
	enginetest.Break(t, enginetest.Raw(t, w.Store.Engine), "bookings", "UPDATE", "OLD.name = 'first'")
	w.at("+3 08:30")
	n, err := w.Lapse(t.Context(), 100)
	if n != 1 || err == nil {
		t.Errorf("%d lapsed, %v", n, err)
	}
}

// What waited for its turn when the clock was set back an hour waits no hour longer; reminders stay at their times, and
// a lease that no server can hold any more ends.
func TestWhatWaitsWhenTheClockIsSetBack(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = []int{60} })
	w.endpoint("booking.created")
	w.at("10:00")
	w.Booked("cut", "1T11", "ida")
	w.writeMails()
	waiting, err := w.Webhook.WaitingEndpoints(t.Context())
	w.Must(err)
	claims := []webhook.Claim{{Lane: waiting[0].Lane, Limit: 1}}
	claimed := func() int {
		batches, err := w.Webhook.ClaimDeliveries(t.Context(), claims, 25*time.Second)
		w.Must(err)
		return len(batches[0].Deliveries)
	}
	if n := claimed(); n != 1 {
		t.Fatalf("%d deliveries", n)
	}
	w.at("09:00")
	w.Must(w.Upkeep.ClockSetBack(t.Context(), time.Hour))
	mails, err := w.Mail.ClaimMails(t.Context(), 0, time.Minute, 10)
	w.Must(err)
	if len(mails) == 0 {
		t.Error("the mails wait on")
	}
	for _, m := range mails {
		if m.Kind == catalog.MailReminder {
			t.Error("a reminder is due")
		}
	}
	if claimed() != 0 {
		t.Error("a lease that a server may hold was ended")
	}
	w.Must(w.Upkeep.ReleaseLost(t.Context()))
	if n := claimed(); n != 1 {
		t.Errorf("%d deliveries after the lost leases were released", n)
	}
}
