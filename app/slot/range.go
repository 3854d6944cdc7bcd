package slot

import (
	"fmt"
	"slices"

	"daybook/app/fault"
)

const dayMinutes = 24 * 60

// Range is a wall-clock range in minutes after 00:00 of the day it begins on: 0 <= Start < 1440 and Start < End <=
// Start+1440. An End beyond 1440 is on the next day; 1440 is its first instant.
type Range struct{ Start, End int }

// ParseRange reads "09:00-12:00" or "00:00-24:00". An end at or before the start is on the next day: "22:00-02:00", and
// "22:00-00:00" is "22:00-24:00". The error says what was expected.
func ParseRange(s string) (Range, error) {
	if len(s) == 11 && s[5] == '-' {
		start, ok := parseClock(s[:5])
		end, ok2 := parseClock(s[6:])
		if ok && ok2 && start < dayMinutes {
			if end <= start {
				end += dayMinutes
			}
			return Range{start, end}, nil
		}
	}
	return Range{}, fault.Errorf("%q is not a range of hours like 09:00-12:00, 22:00-02:00 or 00:00-24:00", s)
}

// parseClock reads "00:00" to "24:00" as minutes.
func parseClock(s string) (minutes int, ok bool) {
	for i, c := range []byte(s) {
		if (i == 2) != (c == ':') || i != 2 && (c < '0' || c > '9') {
			return 0, false
		}
	}
	h := int(s[0]-'0')*10 + int(s[1]-'0')
	m := int(s[3]-'0')*10 + int(s[4]-'0')
	return h*60 + m, m < 60 && h*60+m <= dayMinutes
}

// String writes the range as ParseRange reads it.
func (r Range) String() string {
	end := r.End
	if end > dayMinutes {
		end -= dayMinutes
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d", r.Start/60, r.Start%60, end/60, end%60)
}

// CheckDay reports the first text that is no range, or the first two ranges that overlap, among those that begin on one
// day. Ranges may touch and come in any order.
func CheckDay(ranges []Range) error {
	for _, r := range ranges {
		if r.Start < 0 || r.Start >= dayMinutes || r.End <= r.Start || r.End > r.Start+dayMinutes {
			return fault.Errorf("minutes %d to %d are not a range of hours", r.Start, r.End)
		}
	}
	sorted := slices.SortedFunc(slices.Values(ranges), func(a, b Range) int { return a.Start - b.Start })
	for i := 1; i < len(sorted); i++ {
		if sorted[i].Start < sorted[i-1].End {
			return fault.Errorf("%v and %v overlap", sorted[i-1], sorted[i])
		}
	}
	return nil
}
