package busy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app/calendar/busy"
)

// listed is dates as text: the event, the day by the rule and its number there, and when they take place in UTC.
func listed(d busy.Dated) string {
	var b strings.Builder
	for _, x := range d.Dates {
		fmt.Fprintf(&b, "%d %s", x.Event, x.Day)
		if x.Nth > 1 {
			fmt.Fprintf(&b, "#%d", x.Nth)
		}
		b.WriteString(" " + written([]busy.Span{{Start: x.Start, End: x.End}}))
		if x.Canceled {
			b.WriteString(" cancelled")
		}
		if x.Free {
			b.WriteString(" free")
		}
		b.WriteString("\n")
	}
	if d.Next != 0 {
		b.WriteString("next " + time.UnixMilli(d.Next).UTC().Format("2006-01-02 15:04") + "\n")
	}
	if d.Err != nil {
		fmt.Fprintln(&b, d.Err)
	}
	return strings.TrimSpace(b.String())
}

// Dates of events that come again have the day of the rule, whatever becomes of them; only those of the window, and so many, are there.
// All lists here were made by hand, with a calendar of 2026 and the offsets of Berlin: summer time is from 29 March to 25 October.
func TestDates(t *testing.T) {
	const berlin = ";TZID=Europe/Berlin:"
	weekly := []string{"UID:w", "DTSTART" + berlin + "20251007T090000", "DTEND" + berlin + "20251007T094500", "RRULE:FREQ=WEEKLY"}
	for _, c := range []struct {
		name, body string
		most       int
		want       string
	}{
		{"once, long ago", event("UID:a", "DTSTART:20200101T090000Z", "DURATION:PT1H"), 3, "0  2020-01-01 09:00+1h"},
		{"cancelled", event("UID:a", "DTSTART:20200101T090000Z", "DURATION:PT1H", "STATUS:CANCELLED"), 3, "0  2020-01-01 09:00+1h cancelled"},
		{"free", event("UID:a", "DTSTART:20200101T090000Z", "DURATION:PT1H", "TRANSP:TRANSPARENT"), 3, "0  2020-01-01 09:00+1h free"},
		{"without a length", event("UID:a", "DTSTART:20260501T090000Z"), 3, "0  2026-05-01 09:00+0s"},
		// Tuesdays at nine, whichever way the clocks go; the window begins on 1 March.
		{"through summer time", event(weekly...), 5, "0 20260303 2026-03-03 08:00+45m\n0 20260310 2026-03-10 08:00+45m\n0 20260317 2026-03-17 08:00+45m\n" +
			"0 20260324 2026-03-24 08:00+45m\n0 20260331 2026-03-31 07:00+45m\nnext 2026-04-07 07:00"},
		{"until", event("UID:w", "DTSTART"+berlin+"20251007T090000", "DURATION:PT45M", "RRULE:FREQ=WEEKLY;UNTIL=20260310T080000Z"), 5,
			"0 20260303 2026-03-03 08:00+45m\n0 20260310 2026-03-10 08:00+45m"},
		{"counted from its beginning", event("UID:w", "DTSTART"+berlin+"20251007T090000", "DURATION:PT45M", "RRULE:FREQ=WEEKLY;COUNT=23"), 5,
			"0 20260303 2026-03-03 08:00+45m\n0 20260310 2026-03-10 08:00+45m"},
		{"over", event("UID:w", "DTSTART"+berlin+"20251007T090000", "DURATION:PT45M", "RRULE:FREQ=WEEKLY;COUNT=3"), 5, ""},
		{"beyond the window", event("UID:y", "DTSTART:20250101T090000Z", "DURATION:PT45M", "RRULE:FREQ=YEARLY"), 5, "next 2027-01-01 09:00"},
		{"left out, moved and cancelled", event(append(weekly, "EXDATE"+berlin+"20260310T090000")...) +
			event("UID:w", "RECURRENCE-ID"+berlin+"20260317T090000", "DTSTART"+berlin+"20260319T110000", "DTEND"+berlin+"20260319T120000") +
			event("UID:w", "RECURRENCE-ID:20260324T080000Z", "DTSTART"+berlin+"20260324T090000", "DURATION:PT45M", "STATUS:CANCELLED") +
			event("UID:w", "RECURRENCE-ID"+berlin+"20260106T090000", "DTSTART"+berlin+"20260326T090000", "DURATION:PT30M"), 4,
			"0 20260303 2026-03-03 08:00+45m\n0 20260310 2026-03-10 08:00+45m cancelled\n1 20260317 2026-03-19 10:00+1h\n2 20260324 2026-03-24 08:00+45m cancelled\n" +
				"3 20260106 2026-03-26 08:00+30m\n0 20260331 2026-03-31 07:00+45m\nnext 2026-04-07 07:00"},
		{"from one on an hour later", event(weekly...) +
			event("UID:w", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260310T090000", "DTSTART"+berlin+"20260310T100000", "DURATION:PT1H"), 3,
			"0 20260303 2026-03-03 08:00+45m\n1 20260310 2026-03-10 09:00+1h\n1 20260317 2026-03-17 09:00+1h\nnext 2026-03-24 09:00"},
		{"twice a day", event("UID:d", "DTSTART"+berlin+"20260227T090000", "DURATION:PT30M", "RRULE:FREQ=DAILY;BYHOUR=9,15", "EXDATE"+berlin+"20260302T090000"), 4,
			"0 20260301 2026-03-01 08:00+30m\n0 20260301#2 2026-03-01 14:00+30m\n0 20260302 2026-03-02 08:00+30m cancelled\n0 20260302#2 2026-03-02 14:00+30m\n" +
				"0 20260303 2026-03-03 08:00+30m\nnext 2026-03-03 14:00"},
		{"by dates", event("UID:r", "DTSTART:20260105T090000Z", "DURATION:PT30M", "RDATE:20260420T090000Z,20260301T120000Z", "RDATE;VALUE=PERIOD:20260302T120000Z/PT2H"), 5,
			"0 20260301 2026-03-01 12:00+30m\n0 20260302 2026-03-02 12:00+2h\n0 20260420 2026-04-20 09:00+30m"},
		{"one date of a series alone", event("UID:o", "RECURRENCE-ID:20260305T233000Z", "DTSTART"+berlin+"20260306T100000", "DURATION:PT30M"), 5, "0 20260306 2026-03-06 09:00+30m"},
		{"a newer version", event("UID:n", "DTSTART:20260105T090000Z", "DURATION:PT30M") + event("UID:n", "SEQUENCE:2", "DTSTART:20260106T090000Z", "DURATION:PT30M"), 5,
			"1  2026-01-06 09:00+30m"},
		{"every second for ever", event("UID:s", "DTSTART:20200101T090000Z", "DURATION:PT30M", "RRULE:FREQ=SECONDLY"), 2,
			"the calendar needs more work than is allowed"},
		{"never", event("UID:s", "DTSTART:20200101T090000Z", "DURATION:PT30M", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"), 2, ""},
		{"a zone that nobody knows", event("UID:z", "DTSTART;TZID=Nowhere:20260501T090000", "DURATION:PT30M"), 2, `the calendar can't be understood: the time zone "Nowhere" is unknown`},
		{"a rule that can't be read", event("UID:z", "DTSTART:20260501T090000Z", "DURATION:PT30M", "RRULE:FREQ=OFTEN"), 2, `the calendar can't be understood: the rule's part "FREQ=OFTEN"`},
	} {
		from, to := window("2026-03-01", "2026-12-01")
		all, err := busy.Dates(strings.NewReader(calendar(c.body)), busy.Options{From: from, To: to, Zone: zone(t, "Europe/Berlin")}, c.most)
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", c.name, err, all)
			continue
		}
		if got := listed(all[0]); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// What is meant to cost much is refused soon, and the events beside it are read.
func TestDatesAreBounded(t *testing.T) {
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "RDATE:%s\n", time.Date(2026, 4, 1, 0, 0, i, 0, time.UTC).Format("20060102T150405Z"))
	}
	for name, lines := range map[string]string{
		"by the second":         "RRULE:FREQ=SECONDLY",
		"counted by the second": "RRULE:FREQ=SECONDLY;COUNT=1000000000;BYSETPOS=1",
		"left out by a rule":    "RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY",
		"by many dates":         strings.TrimSpace(many.String()),
	} {
		body := event("UID:bad", "DTSTART:20200101T090000Z", "DURATION:PT30M", lines) + event("UID:good", "DTSTART:20260501T090000Z", "DURATION:PT30M")
		from, to := window("2026-03-01", "2026-12-01")
		began := time.Now()
		all, err := busy.Dates(strings.NewReader(calendar(body)), busy.Options{From: from, To: to}, 53)
		if err != nil || len(all) != 2 || !errors.Is(all[0].Err, busy.ErrTooMuch) || len(all[1].Dates) != 1 {
			t.Errorf("%s: %v, %v", name, err, all)
		}
		if took := time.Since(began); took > 10*time.Second { // 20 ms on a quiet machine
			t.Errorf("%s took %v", name, took)
		}
	}
}
