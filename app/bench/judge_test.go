package bench

import (
	"strings"
	"testing"
)

func TestBound(t *testing.T) {
	of := func(p50, server, busy float64) *Row {
		r := &Row{P50: p50, Server: &server, Busy: &busy}
		if server == 0 {
			r.Server = nil
		}
		return r
	}
	for _, c := range []struct {
		name        string
		row         *Row
		way, commit float64
		want        Bound
		says        string
	}{
		{"a slow disk", of(30, 25, .2), .1, 12, BoundDisk, "12 ms per commit: that is what bounds bookings. That is slow"},
		{"an SSD", of(8, 7, .3), .1, 4.1, BoundDisk, "The disk takes 4.1 ms per commit: that is what bounds bookings. An SSD with"},
		{"a quick SSD", of(1, .9, .5), .05, .4, BoundDisk, "a quick one"},
		{"a disk that is no matter", of(8, 7, .3), .1, .5, BoundServer, "Neither the disk (0.5 ms"},
		{"far away", of(60, 12, .2), 45, 4, BoundNetwork, "The way to the server and back takes 45 ms of the 60 ms"},
		{"on another continent", of(161.7, 12, .2), 99.7, 122, BoundNetwork, "takes 100 ms of the 162 ms"},
		{"a very slow disk", of(300, 290, .2), .1, 122, BoundDisk, "takes 122 ms per commit"},
		{"far away, behind a proxy that tells nothing", of(60, 0, .2), 45, 4, BoundNetwork, "on its machine"},
		{"near, behind a proxy that tells nothing", of(60, 0, .2), .2, 4, BoundServer, "Neither"},
		{"no time left", of(8, 7, .97), .1, .5, BoundProcessor, "The processor is what bounds bookings, not the disk"},
		{"waits before the server has it", of(20, 3, .2), .1, 4, BoundProcessor, "The processor"},
	} {
		r := &Report{Network: Spread{P50: c.way}, Commit: Spread{P50: c.commit}, Paths: []Row{*c.row}}
		if r.judge(); r.Bound != c.want || !strings.Contains(strings.Join(r.Verdict, "\n"), c.says) {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, r.Bound, r.Verdict, c.want, c.says)
		}
	}
}

func TestVerdict(t *testing.T) {
	half := 0.2
	r := &Report{Clients: 8, Network: Spread{P50: .1}, Commit: Spread{P50: 4}, Paths: []Row{
		{Name: "book", PerSecond: 100, P50: 8, Server: &half, weight: 1, Requests: 9, Errors: 2, Error: "no"},
		{Name: "page", PerSecond: 300, P50: 8, Server: &half, weight: 3},
		{Name: "read", PerSecond: 1, P50: 8, Server: &half},
	}}
	r.judge()
	text := strings.Join(r.Verdict, "\n")
	for _, want := range []string{"book: 2 of 11 requests failed, the first with: no", "Reading waits for the processor",
		"about 3000 guests a minute", "takes 3 % of that: the server holds it"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for perSecond, want := range map[float64]string{2.5: "more than half", 1: "more than the server can do"} {
		r := &Report{Paths: []Row{{Name: "book", PerSecond: perSecond, P50: 8, weight: 1}}}
		if r.judge(); !strings.Contains(strings.Join(r.Verdict, "\n"), want) {
			t.Errorf("%v a second: %q, want %q", perSecond, r.Verdict, want)
		}
	}
	for x, want := range map[float64]int{7.9: 7, 99.9: 99, 128: 120, 5437: 5400} {
		if got := rounded(x); got != want {
			t.Errorf("%v is rounded to %d, not %d", x, got, want)
		}
	}
}
