package bench

import (
	"fmt"
	"math"
	"strconv"
)

// Bound is what most of the time of a request is spent on.
type Bound string

// What a request can wait for.
const (
	BoundDisk      Bound = "disk"      // commits
	BoundNetwork   Bound = "network"   // the way, and the proxies on it
	BoundProcessor Bound = "processor" // of the server's machine
	BoundServer    Bound = "server"    // none of these alone
)

// The marks by which it is judged.
const (
	// most is the part of a request's time from which on something bounds it: more than all else together.
	most = 0.5
	// waits is how many commits a booking waits for, when others book at the same time: half of the one that is under
	// way, in the middle, and its own.
	waits = 1.5
	// full is how busy a processor is that has no time to lose.
	full = 0.85
	// A commit of an SSD with a capacitor takes well below a millisecond, one of an SSD without about 1 to 5, one of
	// a disk that turns, or of a volume across a network, 8 and more.
	quick, slow = 1.0, 8.0
	// rush is how many guests a minute a busy business has on the day on which its bookings open: a thousand within ten
	// minutes. Half of what the server can do is kept for whoever else is there.
	rush  = 100
	spare = 2
)

// bound is what bounds the requests of a row, where the way to the server and back, and a commit, take that long while
// it rests.
func (r *Row) bound(way, commit float64) Bound {
	switch {
	case r.P50 <= 0:
		return BoundServer
	case way >= most*r.P50:
		return BoundNetwork
	case r.Server == nil: // whoever is on the way takes away what the server tells
		return BoundServer
	case commit*waits >= most**r.Server && *r.Server >= most*r.P50:
		return BoundDisk
	case r.Busy != nil && *r.Busy >= full, *r.Server < (1-most)*r.P50: // it was there, and nobody had time for it
		return BoundProcessor
	}
	return BoundServer
}

// judge says what the figures mean.
func (r *Report) judge() {
	visit := 0.0 // seconds of the whole server that a guest's visit takes
	for i := range r.Paths {
		p := &r.Paths[i]
		if p.Errors > 0 {
			r.say("%s: %d of %d requests failed, the first with: %s", p.Name, p.Errors, p.Errors+p.Requests, p.Error)
		}
		if p.weight > 0 {
			visit += float64(p.weight) / p.PerSecond
		}
	}
	book := &r.Paths[0]
	r.Bound = book.bound(r.Network.P50, r.Commit.P50)
	switch r.Bound {
	case BoundDisk:
		r.say("The disk takes %s ms per commit: that is what bounds bookings.%s", two(r.Commit.P50), r.disk())
	case BoundNetwork:
		r.say("The way to the server and back takes %s ms of the %s ms of a booking: that is what bounds bookings. To "+
			"see the server alone, run this on its machine, with the address that it listens on.",
			two(r.Network.P50), two(book.P50))
	case BoundProcessor:
		r.say("The processor is what bounds bookings, not the disk (%s ms per commit): requests wait for it, behind each "+
			"other, this command and whatever else runs on the server's machine.", two(r.Commit.P50))
	case BoundServer:
		r.say("Neither the disk (%s ms per commit) nor the network (%s ms there and back) nor the processor alone "+
			"bounds bookings.", two(r.Commit.P50), two(r.Network.P50))
	}
	r.reads()
	if visit > 0 && !math.IsInf(visit, 0) {
		r.Guests = rounded(60 / visit)
		r.say("%s", r.guests())
	}
}

// reads says what bounds those that write nothing, where most of them wait for the same.
func (r *Report) reads() {
	waits, least, longest := 0, math.Inf(1), 0.0
	for _, p := range r.Paths[1:] {
		if p.Server != nil && p.bound(r.Network.P50, 0) == BoundProcessor {
			waits++
			least, longest = min(least, *p.Server), max(longest, *p.Server)
		}
	}
	if waits > len(r.Paths[1:])/2 {
		r.say("Reading waits for the processor: the server itself needs %s to %s ms. More processors answer more at a "+
			"time; so does taking away what else runs there, such as this command.", two(least), two(longest))
	}
}

// two is a time with the two digits that a measurement of seconds knows, or more before the point.
func two(ms float64) string {
	if ms >= 99.5 { // which two digits would write with an exponent
		return strconv.FormatFloat(ms, 'f', 0, 64)
	}
	return strconv.FormatFloat(ms, 'g', 2, 64)
}

// rounded has two digits: a measurement of seconds knows no more.
func rounded(x float64) int {
	step := math.Pow(10, math.Floor(math.Log10(x))-1)
	if step < 1 {
		return int(x)
	}
	return int(math.Floor(x/step) * step)
}

func (r *Report) say(format string, args ...any) {
	r.Verdict = append(r.Verdict, fmt.Sprintf(format, args...))
}

// disk says what kind of disk takes that long for a commit.
func (r *Report) disk() string {
	switch c := r.Commit.P50; {
	case c < quick:
		return " It is a quick one: no other will be much quicker."
	case c < slow:
		return " An SSD with power-loss protection takes less than 1 ms."
	}
	return " That is slow, as of a disk that turns or a volume across a network: an SSD takes 1 to 5 ms, one with " +
		"power-loss protection less than 1 ms."
}

// guests says whether the server holds a rush.
func (r *Report) guests() string {
	text := fmt.Sprintf("With %d at a time, about %d guests a minute can each look at three pages, ask for open times "+
		"three times and book. ", r.Clients, r.Guests)
	if r.Guests >= rush*spare {
		return text + fmt.Sprintf("A rush of 1,000 guests in ten minutes takes %d %% of that: the server holds it.",
			max(1, rush*100/r.Guests))
	}
	if r.Guests >= rush {
		return text + "A rush of 1,000 guests in ten minutes takes more than half of that: it is held, slowly."
	}
	return text + "A rush of 1,000 guests in ten minutes is more than the server can do."
}
