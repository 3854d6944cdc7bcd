package access

import (
	"net/netip"
	"runtime"
	"testing"
	"time"
)

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers held
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// As many callers as are remembered take the memory that maxCallers tells, with some room, however often they call.
func TestCallersTakeLittleMemory(t *testing.T) {
	for each, most := range map[int]int64{1: 12e6, 120: 70e6} {
		before, c, now := heap(), new(Calls), time.Unix(1_800_000_000, 0)
		for i := range maxCallers + 1000 {
			from := netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, byte(i >> 16), byte(i >> 8), byte(i)})
			for range each {
				if _, err := c.Count(now, from, "key_1m8nm1pc0c ", 120); err != nil {
					t.Fatal(err)
				}
			}
		}
		took := heap() - before
		t.Logf("%d calls each: %.1f MB", each, float64(took)/1e6)
		if took > most {
			t.Errorf("%d calls each take %d bytes, at most %d were promised", each, took, most)
		}
		runtime.KeepAlive(c)
	}
}
