package busy_test

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"daybook/app/calendar/busy"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// calendar puts components, divided by semicolons and spaces where that reads better, into a calendar.
func calendar(body string) string {
	return "BEGIN:VCALENDAR\nVERSION:2.0\n" + strings.TrimSpace(body) + "\nEND:VCALENDAR\n"
}

// event is a VEVENT of some lines.
func event(lines ...string) string {
	return "BEGIN:VEVENT\n" + strings.Join(lines, "\n") + "\nEND:VEVENT\n"
}

func window(from, to string) (a, b int64) {
	first, err1 := time.Parse(time.DateOnly, from)
	last, err2 := time.Parse(time.DateOnly, to)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	return first.UnixMilli(), last.UnixMilli()
}

// in2026 is the window and the zone of most tests.
func in2026(t testing.TB) busy.Options {
	from, to := window("2026-01-01", "2027-01-01")
	return busy.Options{From: from, To: to, Zone: zone(t, "Europe/Berlin")}
}

// units leaves out the ends of a duration that say nothing.
var units = strings.NewReplacer("h0m0s ", "h", "m0s ", "m", " ", "")

// written is spans as text in UTC: 2026-03-01 09:00+45m.
func written(spans []busy.Span) string {
	var list []string
	for _, s := range spans {
		length := time.Duration(s.End-s.Start) * time.Millisecond
		list = append(list, time.UnixMilli(s.Start).UTC().Format("2006-01-02 15:04")+"+"+units.Replace(length.String()+" "))
	}
	return strings.Join(list, ", ")
}

// only is the spans of a calendar's events together.
func only(t testing.TB, text string, o busy.Options) string {
	t.Helper()
	events, err := busy.Read(strings.NewReader(text), o)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var all []busy.Span
	for _, e := range events {
		all = append(all, e.Spans...)
	}
	return written(all)
}

// The examples of RFC 5545 §3.8.5.3, with the dates that stand there. The one of every three hours has its UNTIL as the
// erratum has it: 17:00 in New York is 21:00 UTC.
func TestExamplesOfTheRFC(t *testing.T) {
	text, err := os.ReadFile("testdata/rfc5545.txt")
	if err != nil {
		t.Fatal(err)
	}
	newYork := zone(t, "America/New_York")
	n := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		rule, dates, _ := strings.Cut(line, " = ")
		start := "19970902"
		if first, rest, ok := strings.Cut(rule, " "); ok {
			start, rule = first, rest
		}
		lines := []string{"UID:1", "DTSTART;TZID=America/New_York:" + start + "T090000", "DURATION:PT10M", "RRULE:" + rule}
		if rule, except, ok := strings.Cut(rule, " "); ok {
			lines[3] = "RRULE:" + rule
			lines = append(lines, "EXDATE;TZID=America/New_York:"+except)
		}
		want, end := instances(t, dates, newYork)
		from := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
		events, err := busy.Read(strings.NewReader(calendar(event(lines...))), busy.Options{From: from.UnixMilli(), To: end})
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var got []int64
		for _, s := range events[0].Spans {
			got = append(got, s.Start)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", line, written(events[0].Spans))
		}
	}
	if n < 40 {
		t.Errorf("only %d examples", n)
	}
}

// instances reads dates such as "1997-09:2-11,15 1998-01:6@9:00,9:15": days of a month, and times, which are 9:00 else. The end of
// the window is before the next instance of a rule without end, where … stands, and far away else.
func instances(t *testing.T, text string, zone *time.Location) (list []int64, end int64) {
	t.Helper()
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return n
	}
	text, forever := strings.CutSuffix(text, " …")
	for month := range strings.FieldsSeq(text) {
		name, rest, _ := strings.Cut(month, ":")
		rest, times, given := strings.Cut(rest, "@")
		if !given {
			times = "9:00"
		}
		at, err := time.Parse("2006-01", name)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(rest, ",") {
			first, last, isRange := strings.Cut(part, "-")
			if !isRange {
				last = first
			}
			for d := number(first); d <= number(last); d++ {
				for clock := range strings.SplitSeq(times, ",") {
					h, m, _ := strings.Cut(clock, ":")
					list = append(list, time.Date(at.Year(), at.Month(), d, number(h), number(m), 0, 0, zone).UnixMilli())
				}
			}
		}
	}
	if forever {
		return list, list[len(list)-1] + 1
	}
	return list, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
}
