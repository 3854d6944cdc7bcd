package slot

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
)

// shownAt returns the first and the last minute at which the zone's clock shows wall, which is written as if in UTC;
// in a gap, the first minute after it. It looks at every minute around it.
func shownAt(zone *time.Location, wall time.Time) (first, last time.Time) {
	_, offset := wall.In(zone).Zone()
	about := wall.Add(-time.Duration(offset) * time.Second)
	for at := about.Add(-3 * time.Hour); at.Before(about.Add(3 * time.Hour)); at = at.Add(time.Minute) {
		l := at.In(zone)
		shown := time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), 0, 0, time.UTC)
		switch {
		case shown.Equal(wall):
			if last = at; first.IsZero() {
				first = at
			}
		case shown.After(wall) && first.IsZero():
			return at, at
		}
	}
	return first, last
}

// Absences come on the days that another implementation of such rules gives, at the times that the clock shows, over
// changes of the clock in zones of all kinds.
func TestAbsencesComeAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Cairo",
		"Asia/Kathmandu", "Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			absenceAgrees(t, zone, random)
		}
	}
}

func absenceAgrees(t *testing.T, zone *time.Location, random *rand.Rand) {
	first := time.Date(2026, 1, 1+random.IntN(300), 0, 0, 0, 0, time.UTC)
	until := first.AddDate(0, 0, random.IntN(500))
	a := Absence{First: first.Unix() / 86400, Last: until.Unix() / 86400, From: random.IntN(24 * 60),
		Every: 1 + random.IntN(3), Monthly: random.IntN(4) == 0}
	if random.IntN(2) == 0 {
		a.From = random.IntN(4 * 60) // where clocks change
	}
	a.To = a.From + 1 + random.IntN([]int{120, 24 * 60, MaxAbsence}[random.IntN(3)])
	rule := rrule.ROption{Freq: rrule.WEEKLY, Interval: a.Every, Dtstart: first, Until: until, Wkst: rrule.MO}
	days := []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}
	for day := range days {
		if day == int(first.Weekday()) || random.IntN(3) == 0 {
			a.Weekdays[day] = true
			rule.Byweekday = append(rule.Byweekday, days[day])
		}
	}
	if a.Monthly {
		rule.Freq, rule.Byweekday, rule.Bymonthday = rrule.MONTHLY, nil, []int{first.Day()}
	}
	r, err := rrule.NewRRule(rule)
	if err != nil {
		t.Fatal(err)
	}
	all := r.All()
	if len(all) > 0 {
		not := all[random.IntN(len(all))]
		a.Except = []int64{not.Unix() / 86400}
		all = slices.DeleteFunc(all, not.Equal)
	}
	near := Span{time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC).UnixMilli()}
	var want []Span
	for _, day := range all {
		start, _ := shownAt(zone, day.Add(time.Duration(a.From)*time.Minute))
		endFirst, end := shownAt(zone, day.Add(time.Duration(a.To)*time.Minute))
		if a.To%(24*60) == 0 {
			end = endFirst
		}
		if s := (Span{start.UnixMilli(), end.UnixMilli()}); s.Meets(near) {
			want = append(want, s)
		}
	}
	if got := a.Occurrences(zone, near); !slices.Equal(got, want) {
		t.Fatalf("%s: %+v from %s\n got %v\nwant %v", zone, a, first.Format(time.DateOnly), got, want)
	}
}

// What an absence and a holiday close is what the same spans close as time off.
func TestAbsencesCloseAsTimeOffDoes(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseRange("00:00-24:00")
	if err != nil {
		t.Fatal(err)
	}
	day := func(month time.Month, d int) int64 { return time.Date(2026, month, d, 0, 0, 0, 0, zone).UnixMilli() }
	h := Host{Schedule: &Schedule{Zone: zone, Weekly: [7][]Range{{r}, {r}, {r}, {r}, {r}, {r}, {r}}},
		Absences: []Absence{
			{First: DayNumber(Date{2026, 10, 6}), Last: DayNumber(Date{2026, 11, 30}), From: 14 * 60, To: 16 * 60, Every: 2,
				Weekdays: [7]bool{time.Tuesday: true}},
			{First: DayNumber(Date{2026, 10, 4}), Last: DayNumber(Date{2026, 11, 30}), From: 120, To: 210, Every: 1,
				Weekdays: [7]bool{time.Sunday: true}, Zone: time.UTC},
		},
		Holidays: []Span{{day(10, 3), day(10, 4)}, {day(10, 31), day(11, 1)}}}
	plain := h
	plain.Absences, plain.Holidays = nil, nil
	plain.TimeOff = slices.Clone(h.Holidays)
	all := Span{day(9, 1), day(12, 31)}
	for i := range h.Absences {
		in := zone
		if h.Absences[i].Zone != nil {
			in = h.Absences[i].Zone
		}
		plain.TimeOff = append(plain.TimeOff, h.Absences[i].Occurrences(in, all)...)
	}
	if len(plain.TimeOff) != 2+4+9 {
		t.Fatalf("%d times off: %v", len(plain.TimeOff), plain.TimeOff)
	}
	for seats := 1; seats <= 2; seats++ { // one seat is swept, more are judged
		for from := day(10, 1); from < day(11, 10); from += 30 * 3600_000 {
			rules := Rules{Duration: 30 * time.Minute, BufferAfter: 5 * time.Minute, Window: 1e6 * time.Hour, Seats: seats}
			ask := Request{Now: day(9, 1), From: from, To: from + 30*3600_000, Rules: rules, Hosts: []Host{h}}
			same := ask
			same.Hosts = []Host{plain}
			open, closed := Explain(&ask)
			wantOpen, wantClosed := Explain(&same)
			if !reflect.DeepEqual(open, wantOpen) || !reflect.DeepEqual(closed, wantClosed) ||
				!reflect.DeepEqual(Find(&ask), wantOpen) {
				t.Fatalf("from %s: %v, %v; want %v, %v", time.UnixMilli(from).In(zone), open, closed, wantOpen, wantClosed)
			}
			for start := from; start < ask.To; start += 15 * 60_000 {
				if got, want := ask.Check(start, 0), same.Check(start, 0); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: %+v, want %+v", time.UnixMilli(start).In(zone), got, want)
				}
			}
		}
	}
}
