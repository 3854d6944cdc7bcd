package main

import (
	"slices"
	"testing"
	"time"
)

// Ranks of the 95 % interval of a median, as tables of the binomial distribution give them.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		n                 int
		median, low, high float64
	}{
		{6, 3.5, 1, 6}, {9, 5, 2, 8}, {20, 10.5, 6, 15}, {25, 13, 8, 18}, {40, 20.5, 14, 27},
	} {
		var values []float64
		for i := c.n; i > 0; i-- {
			values = append(values, float64(i))
		}
		if median, low, high := interval(values); median != c.median || low != c.low || high != c.high {
			t.Errorf("of 1 to %d: %v, %v to %v; want %v, %v to %v", c.n, median, low, high, c.median, c.low, c.high)
		}
	}
}

// No slot is booked twice: each booking of the plan would answer 409 otherwise.
func TestPlan(t *testing.T) {
	p := newPlan(time.Now())
	all := p.filled()
	for i := range posts {
		all = append(all, p.post(i))
	}
	n := len(all)
	slices.Sort(all)
	if got := len(slices.Compact(all)); got != n {
		t.Errorf("%d of %d bookings are of a slot that another one takes", n-got, n)
	}
}
