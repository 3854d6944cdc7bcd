package apptest

import (
	"sync"
	"time"
)

// Monday is when the standard salon's clock stands: 2026-11-30 08:00 in Berlin, an hour before work.
var Monday = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

// Clock stands still until it is moved, or runs with the machine's and can be moved ahead of it. Goroutines share it.
type Clock struct {
	mu   sync.Mutex
	base func() time.Time
	off  time.Duration
	tick time.Duration // by which each reading moves it
}

// Standing returns a clock that stands at that time.
func Standing(at time.Time) *Clock { return &Clock{base: func() time.Time { return at }} }

// Running returns a clock that shows the machine's time.
func Running() *Clock { return &Clock{base: time.Now} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += c.tick
	return c.base().Add(c.off)
}

// Tick makes each reading move the clock by d, as time passes between two.
func (c *Clock) Tick(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick = d
}

// Advance moves the clock forward, or back when d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += d
}

// Set moves the clock to that time.
func (c *Clock) Set(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = to.Sub(c.base())
}
