package movein_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"daybook/app/fault"
	"daybook/app/movein"
)

// event is a VEVENT of some lines, which takes 45 minutes unless a line says when it ends.
func event(lines ...string) string {
	text := strings.Join(lines, "\r\n")
	if !strings.Contains(text, "DTEND") && !strings.Contains(text, "DURATION") {
		text += "\r\nDURATION:PT45M"
	}
	return "BEGIN:VEVENT\r\n" + text + "\r\nEND:VEVENT\r\n"
}

func calendar(events ...string) []byte {
	return []byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n")
}

// read reads a diary on 2 December 2026 in Berlin, and returns each row as the number of its event, its start, its minutes, who comes, the
// id and the status; and what is left out.
func read(t *testing.T, file []byte) (rows, left []string) {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	table, numbers, out, err := movein.Diary(file, "Cut", "Ana", berlin, time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(string(table))).ReadAll()
	if err != nil || len(lines) != len(numbers)+1 {
		t.Fatal(err, len(lines), len(numbers))
	}
	for i, l := range lines[1:] {
		start, err1 := time.Parse(time.RFC3339, l[0])
		end, err2 := time.Parse(time.RFC3339, l[1])
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, strings.TrimSpace(fmt.Sprintf("%d %s+%v %s %s %s", numbers[i], start.Format("2006-01-02T15:04"), end.Sub(start).Minutes(), l[4], l[8], l[9])))
	}
	for _, l := range out {
		left = append(left, fmt.Sprintf("%d %s: %s", l.Line, l.Name, l.Text))
	}
	return rows, left
}

// What comes again is taken date by date, at the time of its own clock: the lists are made by hand. Berlin changes its clocks on 28 March
// and 31 October 2027, New York on 14 March and 7 November.
func TestDiaryTakesWhatComesAgain(t *testing.T) {
	const berlin = ";TZID=Europe/Berlin:"
	long := strings.Repeat("0", 112)
	for _, c := range []struct {
		name       string
		file       []byte
		rows, left string
	}{
		{"once", calendar(event("UID:a", "DTSTART:20261203T090000Z", "SUMMARY:Bo")), "1 2026-12-03T09:00+45 Bo a", ""},
		{"on the clock of the workspace", calendar(event("UID:a", "DTSTART:20261203T090000", "SUMMARY:Bo")), "1 2026-12-03T08:00+45 Bo a", ""},
		{"of Outlook", calendar(event("UID:"+long, "DTSTART;TZID=W. Europe Standard Time:20261203T090000", "SUMMARY:Bo")),
			"1 2026-12-03T08:00+45 Bo sha256:9b0ec2510d12d2e5eef1d354977cdf8a6a2d91987e2c342c685d4500db19ab06", ""},
		{"every week through summer time", calendar(event("UID:w", "DTSTART"+berlin+"20260901T090000", "RRULE:FREQ=WEEKLY;INTERVAL=4;UNTIL=20270501T000000Z", "SUMMARY:Bo")),
			"1 2026-12-22T08:00+45 Bo w/20261222|1 2027-01-19T08:00+45 Bo w/20270119|1 2027-02-16T08:00+45 Bo w/20270216|1 2027-03-16T08:00+45 Bo w/20270316|1 2027-04-13T07:00+45 Bo w/20270413", ""},
		{"in New York", calendar(event("UID:n", "DTSTART;TZID=America/New_York:20270308T200000", "RRULE:FREQ=WEEKLY;COUNT=2", "SUMMARY:Bo")),
			"1 2027-03-09T01:00+45 Bo n/20270308|1 2027-03-16T00:00+45 Bo n/20270315", ""},
		{"under way", calendar(event("UID:u", "DTSTART:20261201T113000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Bo")),
			"1 2026-12-02T11:30+45 Bo u/20261202|1 2026-12-03T11:30+45 Bo u/20261203", ""},
		{"with dates left out, moved and cancelled", calendar(
			event("UID:w", "DTSTART"+berlin+"20261201T090000", "RRULE:FREQ=WEEKLY;COUNT=6", "EXDATE"+berlin+"20261208T090000", "SUMMARY:Bo"),
			event("UID:w", "RECURRENCE-ID"+berlin+"20261215T090000", "DTSTART"+berlin+"20261216T140000", "SUMMARY:Bo and Cy", "DURATION:PT1H"),
			event("UID:w", "RECURRENCE-ID"+berlin+"20261222T090000", "DTSTART"+berlin+"20261222T090000", "SUMMARY:Bo", "STATUS:CANCELLED"),
			event("UID:w", "RECURRENCE-ID"+berlin+"20261229T090000", "DTSTART;VALUE=DATE:20261229", "DTEND;VALUE=DATE:20261230", "SUMMARY:Bo")),
			"1 2026-12-08T08:00+45 Bo w/20261208 cancelled|2 2026-12-16T13:00+60 Bo and Cy w/20261215|3 2026-12-22T08:00+45 Bo w/20261222 cancelled|1 2027-01-05T08:00+45 Bo w/20270105",
			"4 Bo: it takes whole days"},
		{"by dates", calendar(event("UID:r", "DTSTART:20261201T090000Z", "RDATE:20261224T100000Z,20270105T090000Z", "SUMMARY:Bo")),
			"1 2026-12-24T10:00+45 Bo r/20261224|1 2027-01-05T09:00+45 Bo r/20270105", ""},
		{"twice a day", calendar(event("UID:d", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;BYHOUR=9,15;COUNT=5", "SUMMARY:Bo")),
			"1 2026-12-02T15:00+45 Bo d/20261202#2|1 2026-12-03T09:00+45 Bo d/20261203", ""},
		{"cancelled as a whole", calendar(event("UID:c", "DTSTART:20261203T090000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Bo", "STATUS:CANCELLED")),
			"1 2026-12-03T09:00+45 Bo c/20261203 cancelled|1 2026-12-04T09:00+45 Bo c/20261204 cancelled", ""},
		{"one date that was sent alone", calendar(event("UID:o", "RECURRENCE-ID:20261203T090000Z", "DTSTART:20261204T090000Z", "SUMMARY:Bo")), "1 2026-12-04T09:00+45 Bo o/20261203", ""},
		{"over", calendar(event("UID:p", "DTSTART:20260101T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Bo")), "", "1 Bo: all of its dates are over"},
		{"far away", calendar(event("UID:f", "DTSTART:20251201T090000Z", "RRULE:FREQ=YEARLY;INTERVAL=3", "SUMMARY:Bo")), "",
			"1 Bo: its next date is more than a year away: import the file again by then"},
		{"whole days", calendar(event("UID:v", "DTSTART;VALUE=DATE:20261203", "RRULE:FREQ=YEARLY", "SUMMARY:Birthday of Bo")), "", "1 Birthday of Bo: it takes whole days"},
		{"free", calendar(event("UID:v", "DTSTART:20261203T090000Z", "RRULE:FREQ=YEARLY", "SUMMARY:Lunch", "TRANSP:TRANSPARENT")), "", "1 Lunch: it takes no time in the diary"},
		{"of nobody", calendar(event("UID:v", "DTSTART:20261203T090000Z", "RRULE:FREQ=DAILY;COUNT=3")), "", "1 : it doesn't say who comes"},
		{"overlapping", calendar(event("UID:m", "DTSTART:20261203T090000Z", "RRULE:FREQ=MINUTELY", "SUMMARY:Bo")), "", "1 Bo: its dates overlap each other"},
		{"every second", calendar(event("UID:s", "DTSTART:20201203T090000Z", "RRULE:FREQ=SECONDLY", "SUMMARY:Bo"), event("UID:b", "DTSTART:20261203T090000Z", "SUMMARY:Cy")),
			"2 2026-12-03T09:00+45 Cy b", "1 Bo: it comes again too often"},
		{"what can't be read", calendar(event("UID:1", "DTSTART:20261203T090000Z", "RRULE:FREQ=OFTEN", "SUMMARY:Bo"), event("UID:2", "DTSTART;TZID=Nowhere:20261203T090000", "SUMMARY:Cy"),
			event("UID:3", "DTSTART:soon", "SUMMARY:Di"), event("UID:4", "SUMMARY:Ed"), event("UID:5", "DTSTART:20261203T090000Z", "DTEND:20261203T090000Z", "SUMMARY:Flo")), "",
			`1 Bo: when it comes again can't be read: "FREQ=OFTEN"|2 Cy: no date and time that can be read: "Nowhere: 20261203T090000"|3 Di: no date and time that can be read: "soon"|` +
				`4 Ed: no date and time that can be read: ""|5 Flo: neither an end nor a length`},
		{"a newer version", calendar(event("UID:a", "DTSTART:20261203T090000Z", "SUMMARY:Bo"), event("UID:a", "DTSTART:20261204T090000Z", "SUMMARY:Bo", "SEQUENCE:1")),
			"2 2026-12-04T09:00+45 Bo a", "1 Bo: a newer version of it is in the file, too"},
	} {
		rows, left := read(t, c.file)
		if got := strings.Join(rows, "|"); got != c.rows {
			t.Errorf("%s: rows\n%s\nwant\n%s", c.name, strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(c.rows, "|", "\n"))
		}
		if got := strings.Join(left, "|"); got != c.left {
			t.Errorf("%s: left out\n%s\nwant\n%s", c.name, got, c.left)
		}
	}
}

// Of what comes again for ever so many dates are taken as a series may have, within a year, and the report says so; a file that would become
// too long a table is refused.
func TestDiaryTakesSoManyDates(t *testing.T) {
	rows, left := read(t, calendar(event("UID:d", "DTSTART:20261203T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:Bo"), event("UID:w", "DTSTART:20261203T120000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Cy"),
		event("UID:y", "DTSTART:20261203T150000Z", "RRULE:FREQ=MONTHLY", "SUMMARY:Di")))
	if len(rows) != 53+52+12 || rows[52] != "1 2027-01-24T09:00+45 Bo d/20270124" || rows[104] != "2 2027-11-25T12:00+45 Cy w/20271125" {
		t.Errorf("%d rows: %q", len(rows), rows)
	}
	const later = ": it comes again, and the next %d dates within a year are taken: import the file again for later ones"
	if got, want := strings.Join(left, "|"), fmt.Sprintf("1 Bo"+later+"|2 Cy"+later+"|3 Di"+later, 53, 52, 12); got != want {
		t.Errorf("left out %s", got)
	}
	var many []string
	for i := range 1000 {
		many = append(many, event(fmt.Sprint("UID:", i), "DTSTART:20261203T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:Bo"))
	}
	if _, _, _, err := movein.Diary(calendar(many...), "Cut", "Ana", time.UTC, time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)); !fault.Is(err, fault.BadRequest) {
		t.Errorf("53,000 appointments: %v", err)
	}
}
