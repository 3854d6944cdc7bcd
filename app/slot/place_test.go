package slot

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Between two bookings at different places lies the longer of their ways, before a start and after it, whether starts are
// searched, explained or checked. The oracle says what is open.
func TestTheWayToAnotherPlace(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 8))
	minutes := func(n int) time.Duration { return time.Duration(random.IntN(n)) * 5 * time.Minute }
	schedule := &Schedule{Zone: time.UTC, Weekly: allDay()}
	const from = 20_000 * dayMs
	for range 80 {
		r := &Request{Now: from, From: from, To: from + 12*60*minuteMs, Hosts: make([]Host, 1+random.IntN(2)),
			Rules: Rules{Duration: 20 * time.Minute, Step: 5 * time.Minute, BufferBefore: minutes(5), BufferAfter: minutes(5),
				Seats: 1 + random.IntN(2), Window: 240 * time.Hour, Place: 1, Travel: minutes(8)}}
		for i := range r.Hosts {
			r.Hosts[i].Schedule = schedule
			for range 6 {
				start := from + minutes(12*12).Milliseconds()
				end := start + 15*minuteMs
				r.Hosts[i].Booked = append(r.Hosts[i].Booked, Booking{Start: start, End: end, Same: random.IntN(3) == 0,
					Occupied: Span{start - minutes(4).Milliseconds(), end + minutes(4).Milliseconds()},
					Place:    Place(random.IntN(3)), Travel: minutes(8)})
			}
		}
		agree(t, r, 15)
	}
}

func allDay() (weekly [7][]Range) {
	for day := range weekly {
		weekly[day] = []Range{{0, 24 * 60}}
	}
	return weekly
}

func TestNobodyTravelsToACallOrToTheSamePlace(t *testing.T) {
	const hour = 60 * minuteMs
	at := func(h int64) int64 { return h * hour }
	schedule := &Schedule{Weekly: allDay()}
	r := &Request{To: at(24), Rules: Rules{Duration: time.Hour, Step: 30 * time.Minute, Window: 240 * time.Hour,
		Travel: 30 * time.Minute},
		Hosts: []Host{{Schedule: schedule, Booked: []Booking{{Occupied: Span{at(12), at(13)}, Start: at(12), End: at(13)}}}}}
	b := &r.Hosts[0].Booked[0]
	for _, c := range []struct {
		here, there Place
		travel      time.Duration // of the booking
		want        int64         // minutes that must lie between them
	}{{0, 0, 0, 0}, {0, 7, 0, 0}, {7, 0, 0, 0}, {7, 7, time.Hour, 0}, {7, 8, 0, 30}, {7, 8, time.Hour, 60}} {
		r.Rules.Place, b.Place, b.Travel = c.here, c.there, c.travel
		for between := int64(0); between <= 90; between += 30 {
			open := between >= c.want
			for _, start := range []int64{at(11) - between*minuteMs, at(13) + between*minuteMs} {
				if got := r.Check(start, 0); (got.Reason == Open) != open || !open && got.Reason != Buffer {
					t.Errorf("%+v, %d minutes apart: %+v", c, between, got)
				}
				found := false
				for _, s := range Find(r) {
					found = found || s.Start == start
				}
				if found != open {
					t.Errorf("%+v, %d minutes apart: offered is %v", c, between, found)
				}
			}
		}
	}
}
