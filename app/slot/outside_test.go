package slot_test

import (
	"testing"
	"time"

	"daybook/app/slot"
)

// What is outside of the hours meets no start that Explain lists, and together with the hours it is all of the range:
// in a zone whose clocks go back on the day, with a break and a closed day.
func TestOutside(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour int) int64 { return time.Date(2026, 10, day, hour, 0, 0, 0, berlin).UnixMilli() }
	s := &slot.Schedule{Zone: berlin, Overrides: map[slot.Date][]slot.Range{{Year: 2026, Month: 10, Day: 26}: nil}}
	for day := range s.Weekly {
		s.Weekly[day] = []slot.Range{{Start: 9 * 60, End: 12 * 60}, {Start: 13 * 60, End: 17 * 60}}
	}
	r := &slot.Request{Now: at(1, 0), From: at(25, 0), To: at(28, 10), Hosts: []slot.Host{{Schedule: s}, {}},
		Rules: slot.Rules{Duration: time.Hour, Window: 100 * 24 * time.Hour}}
	want := []slot.Span{{at(25, 0), at(25, 9)}, {at(25, 12), at(25, 13)}, {at(25, 17), at(27, 9)},
		{at(27, 12), at(27, 13)}, {at(27, 17), at(28, 9)}, {at(25, 0), at(28, 10)}}
	all := slot.Outside(r)
	if len(all) != len(want) {
		t.Fatalf("%d spans, want %d: %v", len(all), len(want), all)
	}
	for i, c := range all {
		if got := (slot.Span{Start: c.Start, End: c.End}); got != want[i] || c.Reason != slot.OutsideHours || c.Host != i/5 {
			t.Errorf("%d: %+v, want %v", i, c, want[i])
		}
	}
	open, closed := slot.Explain(r)
	if len(open) != 2*7+1 || len(closed) != 0 {
		t.Errorf("%d open, %d closed", len(open), len(closed))
	}
	r.Rules.Dates = []int64{at(26, 14)}
	if all := slot.Outside(r); len(all) != 4 || all[0].End != at(26, 14) || all[1].Start != at(26, 15) {
		t.Errorf("with a date: %v", all)
	}
}
