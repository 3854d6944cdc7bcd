package access

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"
)

// In no 60 seconds does an address make more calls than its most, wherever a minute of the clock begins.
func TestCallsOfAnyMinute(t *testing.T) {
	var c Calls
	ana := netip.MustParseAddr("203.0.113.7")
	start := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	if _, err := c.Count(start, netip.MustParseAddr("203.0.113.8"), "", 120); err != nil {
		t.Fatal(err)
	}
	passed := func(at time.Time, n int) (passed int) {
		for range n {
			if _, err := c.Count(at, ana, "", 120); err == nil {
				passed++
			}
		}
		return passed
	}
	if n := passed(start.Add(59900*time.Millisecond), 130); n != 120 {
		t.Errorf("%d calls at once", n)
	}
	if n := passed(start.Add(60100*time.Millisecond), 130); n != 0 {
		t.Errorf("%d more within a second", n)
	}
	left, err := c.Count(start.Add(61*time.Second), ana, "", 120)
	if err == nil || left.Reset != 58900*time.Millisecond {
		t.Errorf("there is room in %v, %v", left.Reset, err)
	}
	if n := passed(start.Add(119900*time.Millisecond), 130); n != 120 {
		t.Errorf("%d calls a minute later", n)
	}
	if n := passed(start, 1); n != 1 {
		t.Error("a clock that was set back refuses")
	}
}

// However many networks call, the next one is let in, and what is remembered stays bounded.
func TestCallsOfManyNetworks(t *testing.T) {
	var c Calls
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for i := range 100_001 {
		a := [16]byte{0x20, 0x01}
		binary.BigEndian.PutUint32(a[4:], uint32(i))
		if _, err := c.Count(now, netip.AddrFrom16(a), "", 120); err != nil {
			t.Fatalf("network %d: %v", i, err)
		}
	}
	if len(c.callers) != maxCallers || c.latest.Len() != maxCallers {
		t.Errorf("%d and %d are remembered", len(c.callers), c.latest.Len())
	}
	for range 10 {
		now = now.Add(time.Minute)
		if _, err := c.Count(now, netip.MustParseAddr("203.0.113.7"), "", 120); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.callers) > maxCallers-10 {
		t.Errorf("%d are remembered of those who are quiet", len(c.callers))
	}
}
