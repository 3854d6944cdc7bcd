package slot

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The input of the floors below: 60 days of Europe/Berlin over the change
// of 2027-03-28, Mon-Fri 09:00-17:00, 30 minutes, 200 busy times on a 5-minute grid
// in no order; for Find with overrides and buffers besides.
func benchRequest(hosts int) *Request {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	from := time.Date(2027, 3, 1, 0, 0, 0, 0, zone)
	schedule := &Schedule{Zone: zone, Overrides: map[Date][]Range{
		{2027, 3, 10}: {{600, 720}, {780, 900}},
		{2027, 3, 26}: nil,
		{2027, 3, 29}: nil,
		{2027, 4, 10}: {{540, 780}},
	}}
	for day := time.Monday; day <= time.Friday; day++ {
		schedule.Weekly[day] = []Range{{9 * 60, 17 * 60}}
	}
	r := &Request{
		Now: from.UnixMilli(), From: from.UnixMilli(), To: from.AddDate(0, 0, 60).UnixMilli(),
		Rules: Rules{Duration: 30 * time.Minute, Step: 30 * time.Minute, BufferBefore: 5 * time.Minute, BufferAfter: 10 * time.Minute, Window: 90 * 24 * time.Hour},
	}
	for i := range hosts {
		r.Hosts = append(r.Hosts, Host{Schedule: schedule, Busy: busyTimes(from, uint64(i))})
	}
	return r
}

func busyTimes(from time.Time, seed uint64) (busy []Span) {
	random := rand.New(rand.NewPCG(seed, 7))
	for range 200 {
		start := from.AddDate(0, 0, random.IntN(60)).Add(9*time.Hour + time.Duration(random.IntN(96))*5*time.Minute).UnixMilli()
		busy = append(busy, Span{start, start + int64(3+random.IntN(16))*5*minuteMs})
	}
	return busy
}

func BenchmarkFind(b *testing.B)    { benchFind(b, benchRequest(1)) }
func BenchmarkFind5(b *testing.B)   { benchFind(b, benchRequest(5)) }
func BenchmarkExplain(b *testing.B) { benchExplain(b, benchRequest(1)) }
func BenchmarkFloor(b *testing.B)   { benchFloor(b, benchRequest(1)) }

// BenchmarkFindBooked has sorted bookings in place of the busy times, as a host
// without a connected calendar; BenchmarkFindSeats several seats, so that every
// start is judged.
func BenchmarkFindBooked(b *testing.B) { benchFind(b, benchBooked(1)) }
func BenchmarkFindSeats(b *testing.B)  { benchFind(b, benchBooked(3)) }

func BenchmarkCheck(b *testing.B) {
	r := benchBooked(1)
	start := Find(r)[20].Start
	b.ReportAllocs()
	for b.Loop() {
		if r.Check(start, 0).Reason != Open {
			b.Fatal("not open")
		}
	}
}

func benchBooked(seats int) *Request {
	r := benchRequest(1)
	r.Rules.Seats = seats
	h := &r.Hosts[0]
	for _, s := range Merge(h.Busy) {
		h.Booked = append(h.Booked, Booking{Occupied: s, Start: s.Start, End: s.End, Same: true})
	}
	h.Busy = nil
	return r
}

func benchFind(b *testing.B, r *Request) {
	b.ReportAllocs()
	for b.Loop() {
		Find(r)
	}
}

func benchExplain(b *testing.B, r *Request) {
	b.ReportAllocs()
	for b.Loop() {
		Explain(r)
	}
}

func benchFloor(b *testing.B, r *Request) {
	from := time.UnixMilli(r.From).In(r.Hosts[0].zone())
	b.ReportAllocs()
	for b.Loop() {
		floor(from, r.Hosts[0].Busy)
	}
}

// floor is the least that answers: sort, merge, sweep, with none of the rules.
func floor(from time.Time, busy []Span) (starts []int64) {
	sorted := slices.Clone(busy)
	slices.SortFunc(sorted, byStart)
	var merged []Span
	for _, s := range sorted {
		if n := len(merged); n > 0 && s.Start <= merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, s.End)
		} else {
			merged = append(merged, s)
		}
	}
	for i := range 60 {
		day := time.Date(from.Year(), from.Month(), from.Day()+i, 9, 0, 0, 0, from.Location())
		if wd := day.Weekday(); wd == time.Saturday || wd == time.Sunday {
			continue
		}
		for start, end := day.UnixMilli(), day.UnixMilli()+8*60*minuteMs; start < end; start += 30 * minuteMs {
			for len(merged) > 0 && merged[0].End <= start {
				merged = merged[1:]
			}
			if len(merged) == 0 || merged[0].Start >= start+30*minuteMs {
				starts = append(starts, start)
			}
		}
	}
	return starts
}
