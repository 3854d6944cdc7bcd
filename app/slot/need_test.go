package slot

import (
	"reflect"
	"testing"
	"time"
)

// Busy times of rooms close a start as the host's own do, as busy; the rooms' bookings do whatever is waived. Of several
// rooms one against which the least stands is taken, and of several rules that could be waived the one that is.
func TestBusyRooms(t *testing.T) {
	at := func(hour, minute int64) int64 { return (hour*60 + minute) * Minute }
	free := Resource{}
	busyNow := Resource{Busy: []Span{{at(10, 0), at(11, 0)}}}
	bookedNow := Resource{Booked: []Booking{{Start: at(10, 15), End: at(10, 30)}}}
	bufferNow := Resource{Booked: []Booking{{Start: at(11, 0), End: at(11, 30), Occupied: Span{at(10, 45), at(11, 30)}}}}
	both := Resource{Busy: busyNow.Busy, Booked: bufferNow.Booked}
	lunch := Resource{Busy: []Span{{at(10, 20), at(10, 40)}}}
	for name, c := range map[string]struct {
		rooms   []Resource
		needs   []Need
		waived  []Reason
		reason  Reason
		against Reasons
		chosen  []int
		things  bool
		need    int
	}{
		"one is busy":            {rooms: []Resource{busyNow}, reason: Busy, against: busy, things: true},
		"waived":                 {rooms: []Resource{busyNow}, waived: []Reason{Busy}, against: busy, chosen: []int{0}},
		"another is free":        {rooms: []Resource{busyNow, free}, chosen: []int{1}},
		"and so it is waived":    {rooms: []Resource{busyNow, free}, waived: []Reason{Busy}, chosen: []int{1}},
		"booked beside it":       {rooms: []Resource{bookedNow, busyNow}, reason: Busy, against: busy, things: true},
		"booked, never waived":   {rooms: []Resource{bookedNow}, waived: []Reason{Busy, Buffer}, reason: ResourceTaken, against: resourceTaken},
		"the other one, waived":  {rooms: []Resource{bookedNow, busyNow}, waived: []Reason{Busy}, against: busy, chosen: []int{1}},
		"a buffer comes first":   {rooms: []Resource{busyNow, bufferNow}, reason: Buffer, against: buffer},
		"the buffer is waived":   {rooms: []Resource{busyNow, bufferNow}, waived: []Reason{Buffer}, against: buffer, chosen: []int{1}},
		"busy is waived instead": {rooms: []Resource{bufferNow, busyNow}, waived: []Reason{Busy}, against: busy, chosen: []int{1}},
		"both of one":            {rooms: []Resource{both}, waived: []Reason{Busy, Buffer}, against: busy | buffer, chosen: []int{0}},
		"one of the two":         {rooms: []Resource{both}, waived: []Reason{Busy}, reason: Buffer, against: busy | buffer},
		"the second need": {rooms: []Resource{free, busyNow}, needs: []Need{{OneOf: []int{0}}, {OneOf: []int{1, 0}}}, reason: Busy,
			against: busy, things: true, need: 1},
		"only while there is work": {rooms: []Resource{lunch}, needs: []Need{{OneOf: []int{0}, Work: true}}, chosen: []int{0}},
		"and all the while":        {rooms: []Resource{lunch}, reason: Busy, against: busy, things: true},
	} {
		r := &Request{Now: 0, From: at(10, 0), To: at(10, 0) + 1, Resources: c.rooms, Needs: c.needs,
			Hosts: []Host{{Schedule: &Schedule{Weekly: [7][]Range{4: {{Start: 8 * 60, End: 18 * 60}}}}}}, // a Thursday
			Rules: Rules{Duration: time.Hour, Step: time.Hour, Window: 24 * time.Hour}}
		if c.needs == nil {
			r.Needs = []Need{{}}
			for i := range c.rooms {
				r.Needs[0].OneOf = append(r.Needs[0].OneOf, i)
			}
		} else if c.needs[0].Work {
			for _, w := range [][2]int64{{0, 20}, {40, 60}} {
				s := Span{w[0] * Minute, w[1] * Minute}
				r.Rules.Works = append(r.Rules.Works, Work{s, s})
			}
		}
		v := r.Waiving(at(10, 0), 0, ReasonsOf(c.waived...))
		if v.Reason != c.reason || v.Against != c.against || !reflect.DeepEqual(v.Resources, c.chosen) {
			t.Errorf("%s: %q, %v, %v", name, v.Reason, v.Against.List(), v.Resources)
		}
		if _, closed := Explain(r); c.things && (len(closed) != 1 || !closed[0].Things || closed[0].Need != c.need) {
			t.Errorf("%s: closed %+v", name, closed)
		}
	}
}
