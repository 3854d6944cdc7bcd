package app_test

import (
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
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
	w.refused(err, fault.RateLimited, "")
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
	w.offer("ask", 3, func(e *app.EventType) { e.RequiresApproval = true })
	w.book("ask", "3T09", "first")
	w.book("ask", "3T10", "second")
	w.must(w.sql(`CREATE TRIGGER poison BEFORE UPDATE ON bookings WHEN OLD.name = 'first' BEGIN SELECT RAISE(ABORT, 'poisoned'); END`))
	w.at("+3 08:30")
	n, err := w.Lapse(t.Context(), 100)
	if n != 1 || err == nil {
		t.Errorf("%d lapsed, %v", n, err)
	}
}
