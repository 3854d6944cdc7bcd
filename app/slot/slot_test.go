package slot

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string]Range{
		"09:00-12:00": {540, 720},
		"00:00-24:00": {0, 1440},
		"22:00-02:00": {1320, 1560},
		"22:00-24:00": {1320, 1440},
		"09:00-09:00": {540, 1980},
		"23:59-23:58": {1439, 2878},
	} {
		got, err := ParseRange(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("ParseRange(%q) = %v, %v, written %q", text, got, err, got)
		}
	}
	for text, want := range map[string]Range{"22:00-00:00": {1320, 1440}, "00:00-00:00": {0, 1440}} {
		if got, err := ParseRange(text); err != nil || got != want {
			t.Errorf("ParseRange(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "9:00-12:00", "09:00", "24:00-25:00", "24:00-01:00", "09:60-10:00", "09:00-24:01", "09:00–12:00", "0a:00-12:00", "09:00-12:00 ", "-1:00-12:00", "09-00:12-00"} {
		if r, err := ParseRange(text); err == nil || !strings.Contains(err.Error(), "09:00-12:00") {
			t.Errorf("ParseRange(%q) = %v, %v", text, r, err)
		}
	}
}

func TestEveryRangeIsReadAsWritten(t *testing.T) {
	for start := 0; start < 1440; start += 7 {
		for end := start + 1; end <= start+1440; end += 11 {
			r := Range{start, end}
			if got, err := ParseRange(r.String()); err != nil || got != r {
				t.Fatalf("%v written %q is read as %v, %v", [2]int{start, end}, r.String(), got, err)
			}
		}
	}
}

func TestCheckDay(t *testing.T) {
	for _, ok := range [][]Range{nil, {{540, 720}, {720, 1020}}, {{1320, 1560}, {60, 180}}, {{720, 1020}, {540, 720}}} {
		if err := CheckDay(ok); err != nil {
			t.Errorf("CheckDay(%v): %v", ok, err)
		}
	}
	for want, bad := range map[string][]Range{
		"09:00-12:00 and 11:00-13:00 overlap": {{660, 780}, {540, 720}},
		"22:00-02:00 and 23:00-24:00 overlap": {{1320, 1560}, {1380, 1440}},
		"minutes 720 to 720":                  {{720, 720}},
		"minutes 1440 to 1500":                {{1440, 1500}},
		"minutes 0 to 1441":                   {{0, 1441}},
		"minutes -1 to 60":                    {{-1, 60}},
	} {
		if err := CheckDay(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckDay(%v) = %v, want %q", bad, err, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	if d, err := ParseDate("2028-02-29"); err != nil || d != (Date{2028, time.February, 29}) || d.String() != "2028-02-29" {
		t.Errorf("ParseDate = %v, %v", d, err)
	}
	for _, text := range []string{"", "2027-02-29", "2027-2-9", "29.02.2028"} {
		if _, err := ParseDate(text); err == nil || !strings.Contains(err.Error(), "2026-12-24") {
			t.Errorf("ParseDate(%q): %v", text, err)
		}
	}
}

func TestTaken(t *testing.T) {
	for _, r := range []Reason{Booked, Buffer, TimeOff, Busy} {
		if !r.Taken() {
			t.Errorf("%q is not taken", r)
		}
	}
	for _, r := range []Reason{Open, Inactive, InPast, TooSoon, TooFar, OutsideHours, OffGrid, DayFull} {
		if r.Taken() {
			t.Errorf("%q is taken", r)
		}
	}
}

// TestSparseRequests holds what callers may leave out.
func TestSparseRequests(t *testing.T) {
	always := &Schedule{}
	for d := range always.Weekly {
		always.Weekly[d] = []Range{{0, 1440}}
	}
	rules := Rules{Duration: time.Hour, Window: 48 * time.Hour}
	hours := int64(3_600_000)
	for name, c := range map[string]struct {
		request Request
		open    int
	}{
		"no hosts":         {Request{To: 24 * hours, Rules: rules}, 0},
		"no schedule":      {Request{To: 24 * hours, Rules: rules, Hosts: []Host{{}}}, 0},
		"no zone is UTC":   {Request{To: 24 * hours, Rules: rules, Hosts: []Host{{Schedule: always}}}, 24},
		"no duration":      {Request{To: 24 * hours, Rules: Rules{Window: rules.Window}, Hosts: []Host{{Schedule: always}}}, 0},
		"to before from":   {Request{From: 24 * hours, To: 12 * hours, Rules: rules, Hosts: []Host{{Schedule: always}}}, 0},
		"no end":           {Request{From: -1 << 62, To: 1 << 62, Rules: rules, Hosts: []Host{{Schedule: always}}}, 49},
		"before 1970":      {Request{Now: -48 * hours, From: -48 * hours, To: -24 * hours, Rules: rules, Hosts: []Host{{Schedule: always}}}, 24},
		"an empty booking": {Request{To: 3 * hours, Rules: rules, Hosts: []Host{{Schedule: always, Booked: []Booking{{Start: hours, End: hours, Same: true}}}}}, 2},
		"empty busy times": {Request{To: 3 * hours, Rules: rules, Hosts: []Host{{Schedule: always, Busy: []Span{{hours, hours}, {2 * hours, hours}}}}}, 3},
	} {
		if got := Find(&c.request); len(got) != c.open {
			t.Errorf("%s: %d open starts, want %d", name, len(got), c.open)
		}
	}
	r := Request{Rules: rules, Hosts: []Host{{Schedule: always}}}
	for _, host := range []int{-1, 1} {
		if got := r.Check(0, host).Reason; got != OutsideHours {
			t.Errorf("host %d: %q", host, got)
		}
	}
}

// TestRequestIsNotChanged, so that requests may share their lists.
func TestRequestIsNotChanged(t *testing.T) {
	for _, seats := range []int{1, 3} {
		r, same := benchRequest(2), benchRequest(2)
		r.Rules.Seats, same.Rules.Seats = seats, seats
		slots, _ := Explain(r)
		Find(r)
		r.Check(slots[0].Start, 0)
		if !reflect.DeepEqual(r, same) {
			t.Errorf("%d seats: the request was changed", seats)
		}
	}
}

// TestAllocations holds the number of allocations of a usual request.
func TestAllocations(t *testing.T) {
	r := benchRequest(1)
	if n := testing.AllocsPerRun(20, func() { Find(r) }); n > 16 {
		t.Errorf("Find allocates %v times, want at most 16", n)
	}
}
