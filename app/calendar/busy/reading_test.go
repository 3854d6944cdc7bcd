package busy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"daybook/app/calendar/busy"
)

// What is written stands on the left, with lines divided by |; the spans in UTC on the right. The host is in Berlin.
func TestReadings(t *testing.T) {
	for _, c := range []struct{ name, lines, want string }{
		{"UTC", "DTSTART:20260301T090000Z|DTEND:20260301T094500Z", "2026-03-01 09:00+45m"},
		{"floating", "DTSTART:20260301T090000|DTEND:20260301T094500", "2026-03-01 08:00+45m"},
		{"a day", "DTSTART;VALUE=DATE:20260301", "2026-02-28 23:00+24h"},
		{"a short day", "DTSTART;VALUE=DATE:20260329", "2026-03-28 23:00+23h"},
		{"days", "DTSTART;VALUE=DATE:20260301|DTEND;VALUE=DATE:20260304", "2026-02-28 23:00+72h"},
		{"a day that ends on itself", "DTSTART;VALUE=DATE:20260301|DTEND;VALUE=DATE:20260301", "2026-02-28 23:00+24h"},
		{"no end", "DTSTART:20260301T090000Z", ""},
		{"no length", "DTSTART:20260301T090000Z|DTEND:20260301T090000Z", ""},
		{"DURATION", "DTSTART:20260301T090000Z|DURATION:PT1H30M", "2026-03-01 09:00+1h30m"},
		{"DURATION in weeks", "DTSTART;VALUE=DATE:20260601|DURATION:P1W", "2026-05-31 22:00+168h"},
		{"a nominal day", "DTSTART;TZID=Europe/Berlin:20260328T120000|DURATION:P1D", "2026-03-28 11:00+23h"},
		{"24 exact hours", "DTSTART;TZID=Europe/Berlin:20260328T120000|DURATION:PT24H", "2026-03-28 11:00+24h"},
		{"DTEND is exact for each instance", "DTSTART;TZID=Europe/Berlin:20260327T220000|DTEND;TZID=Europe/Berlin:20260328T060000|RRULE:FREQ=DAILY;COUNT=2",
			"2026-03-27 21:00+8h, 2026-03-28 21:00+8h"},
		{"ends in another zone", "DTSTART;TZID=Europe/Berlin:20260301T120000|DTEND;TZID=America/New_York:20260301T120000", "2026-03-01 11:00+6h"},
		{"a leap second", "DTSTART:20261231T235860Z|DTEND:20261231T235960Z", "2026-12-31 23:58+1m"},
		{"lower case and folded", "dtstart;tzid=Europe/\n Berlin:2026030\n\t1T090000|Duration:pt1h", "2026-03-01 08:00+1h"},
		{"transparent", "DTSTART:20260301T090000Z|DURATION:PT1H|TRANSP:TRANSPARENT", ""},
		{"cancelled", "DTSTART:20260301T090000Z|DURATION:PT1H|STATUS:cancelled", ""},
		{"tentative", "DTSTART:20260301T090000Z|DURATION:PT1H|STATUS:TENTATIVE", "2026-03-01 09:00+1h"},
		{"free in Outlook", "DTSTART:20260301T090000Z|DURATION:PT1H|X-MICROSOFT-CDO-BUSYSTATUS:FREE", ""},
		{"elsewhere in Outlook", "DTSTART:20260301T090000Z|DURATION:PT1H|X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE", ""},
		{"away in Outlook", "DTSTART:20260301T090000Z|DURATION:PT1H|X-MICROSOFT-CDO-BUSYSTATUS:OOF", "2026-03-01 09:00+1h"},
		{"I declined", `DTSTART:20260301T090000Z|DURATION:PT1H|ATTENDEE;CN="A: B";PARTSTAT=DECLINED:MAILTO:Ana@Salon.example`, ""},
		{"I declined by another address", `DTSTART:20260301T090000Z|DURATION:PT1H|ATTENDEE;EMAIL=ana@salon.example;PARTSTAT=DECLINED:urn:uuid:1`, ""},
		{"someone declined", "DTSTART:20260301T090000Z|DURATION:PT1H|ATTENDEE;PARTSTAT=DECLINED:mailto:bo@mail.example", "2026-03-01 09:00+1h"},
		{"I accepted", "DTSTART:20260301T090000Z|DURATION:PT1H|ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@salon.example", "2026-03-01 09:00+1h"},
		{"a free event with a bad rule", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=SOMETIMES|TRANSP:TRANSPARENT", ""},
		{"an alarm's length is its own", "DTSTART:20260301T090000Z|DTEND:20260301T093000Z|BEGIN:VALARM|DURATION:PT9H|ATTENDEE;PARTSTAT=DECLINED:mailto:ana@salon.example|END:VALARM",
			"2026-03-01 09:00+30m"},
		{"reaches into the window", "DTSTART:20251231T230000Z|DURATION:PT2H", "2025-12-31 23:00+2h"},
		{"ends when the window begins", "DTSTART:20251231T230000Z|DURATION:PT1H", ""},
		{"begins when the window ends", "DTSTART:20270101T000000Z|DURATION:PT1H", ""},
		{"long ago and for ever", "DTSTART;TZID=Europe/Berlin:19000101T090000|DURATION:PT1H|RRULE:FREQ=YEARLY;INTERVAL=2", "2026-01-01 08:00+1h"},
		{"a leap day", "DTSTART;VALUE=DATE:20000229|RRULE:FREQ=YEARLY", ""},
		{"DTSTART isn't of its rule", "DTSTART:20260302T090000Z|DURATION:PT1H|RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2", "2026-03-02 09:00+1h, 2026-03-03 09:00+1h"},
		{"UNTIL is a date", "DTSTART;TZID=Europe/Berlin:20260302T230000|DURATION:PT30M|RRULE:FREQ=DAILY;UNTIL=20260303", "2026-03-02 22:00+30m, 2026-03-03 22:00+30m"},
		{"UNTIL is a time for days", "DTSTART;VALUE=DATE:20260302|RRULE:FREQ=DAILY;UNTIL=20260302T230000Z", "2026-03-01 23:00+24h, 2026-03-02 23:00+24h"},
		{"UNTIL is an instance", "DTSTART;TZID=Europe/Berlin:20260302T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20260303T080000Z", "2026-03-02 08:00+1h, 2026-03-03 08:00+1h"},
		{"hours of days don't count", "DTSTART;VALUE=DATE:20260302|RRULE:FREQ=DAILY;COUNT=2;BYHOUR=9,10", "2026-03-01 23:00+24h, 2026-03-02 23:00+24h"},
		{"two rules", "DTSTART:20260302T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|RRULE:FREQ=WEEKLY;COUNT=2", "2026-03-02 09:00+1h, 2026-03-03 09:00+1h, 2026-03-09 09:00+1h"},
		{"EXRULE", "DTSTART:20260302T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=4|EXRULE:FREQ=DAILY;INTERVAL=2", "2026-03-02 09:00+1h, 2026-03-03 09:00+1h, 2026-03-05 09:00+1h"},
		{"RDATE", "DTSTART:20260302T090000Z|DURATION:PT1H|RDATE:20260304T090000Z,20260301T100000Z,", "2026-03-01 10:00+1h, 2026-03-02 09:00+1h, 2026-03-04 09:00+1h"},
		{"RDATE with periods", "DTSTART:20260302T090000Z|RDATE;VALUE=PERIOD:20260304T090000Z/PT20M,20260305T090000Z/20260305T100000Z", "2026-03-04 09:00+20m, 2026-03-05 09:00+1h"},
		{"EXDATE in another zone", "DTSTART;TZID=Europe/Berlin:20260302T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260303T080000Z", "2026-03-02 08:00+1h"},
		{"EXDATE without its zone", "DTSTART;TZID=America/New_York:20260302T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260303T090000", "2026-03-02 14:00+1h"},
		{"EXDATE as a date", "DTSTART;TZID=America/New_York:20260302T220000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE;VALUE=DATE:20260303", "2026-03-03 03:00+1h"},
		{"EXDATE of DTSTART", "DTSTART:20260302T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260302T090000Z", "2026-03-03 09:00+1h"},
		{"EXDATE counts", "DTSTART:20260302T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260303T090000Z", "2026-03-02 09:00+1h, 2026-03-04 09:00+1h"},
		{"negative places", "DTSTART;VALUE=DATE:20260131|RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,1;COUNT=3", "2026-01-30 23:00+24h, 2026-02-01 23:00+24h, 2026-02-26 23:00+24h"},
		{"June has no 31st", "DTSTART;VALUE=DATE:20260531|RRULE:FREQ=YEARLY;BYMONTH=5,6,7;BYMONTHDAY=31", "2026-05-30 22:00+24h, 2026-07-30 22:00+24h"},
		{"an hour of every hour", "DTSTART:20260302T090000Z|DURATION:PT2H|RRULE:FREQ=HOURLY;COUNT=3", "2026-03-02 09:00+2h, 2026-03-02 10:00+2h, 2026-03-02 11:00+2h"},
		{"seconds near the end of a long count", "DTSTART:19000101T000000Z|DURATION:PT1S|RRULE:FREQ=SECONDLY;INTERVAL=7;COUNT=568030630", "2026-01-01 00:00+1s"},
		{"a second of a second", "DTSTART:20260302T090000Z|DURATION:PT1S|RRULE:FREQ=SECONDLY;INTERVAL=40;BYMINUTE=0,1;COUNT=4",
			"2026-03-02 09:00+1s, 2026-03-02 09:00+1s, 2026-03-02 09:01+1s, 2026-03-02 10:00+1s"},
	} {
		o := in2026(t)
		o.Self = []string{"", "ana@salon.example"}
		if got := only(t, calendar(event("UID:1", strings.ReplaceAll(c.lines, "|", "\n"))), o); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// weekly is a series on Mondays at 9:00 in Berlin, an hour each, with what else stands in the file.
func weekly(rest ...string) string {
	return calendar(event("UID:1", "DTSTART;TZID=Europe/Berlin:20260302T090000", "DTEND;TZID=Europe/Berlin:20260302T100000", "RRULE:FREQ=WEEKLY;COUNT=4") + strings.Join(rest, ""))
}

func TestOverrides(t *testing.T) {
	const id = "RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000"
	future := strings.Replace(id, ";", ";RANGE=THISANDFUTURE;", 1)
	for _, c := range []struct{ name, override, want string }{
		{"none", "", "2026-03-02 08:00+1h, 2026-03-09 08:00+1h, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"moved", event("UID:1", id, "DTSTART;TZID=Europe/Berlin:20260310T140000", "DURATION:PT30M"),
			"2026-03-02 08:00+1h, 2026-03-10 13:00+30m, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"named in UTC", event("UID:1", "RECURRENCE-ID:20260309T080000Z", "DTSTART:20260310T140000Z", "DURATION:PT30M"),
			"2026-03-02 08:00+1h, 2026-03-10 14:00+30m, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"named by its day", event("UID:1", "RECURRENCE-ID;VALUE=DATE:20260309", "DTSTART:20260310T140000Z", "DURATION:PT30M"),
			"2026-03-02 08:00+1h, 2026-03-10 14:00+30m, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"cancelled", event("UID:1", id, "DTSTART;TZID=Europe/Berlin:20260309T090000", "DURATION:PT1H", "STATUS:CANCELLED"),
			"2026-03-02 08:00+1h, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"transparent", event("UID:1", id, "DTSTART;TZID=Europe/Berlin:20260309T090000", "DURATION:PT1H", "TRANSP:TRANSPARENT"),
			"2026-03-02 08:00+1h, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"moved twice", event("UID:1", id, "SEQUENCE:1", "DTSTART:20260310T140000Z", "DURATION:PT30M") + event("UID:1", id, "SEQUENCE:2", "DTSTART:20260311T140000Z", "DURATION:PT30M"),
			"2026-03-02 08:00+1h, 2026-03-11 14:00+30m, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"of no instance", event("UID:1", "RECURRENCE-ID:20260310T080000Z", "DTSTART:20260310T140000Z", "DURATION:PT30M"),
			"2026-03-02 08:00+1h, 2026-03-09 08:00+1h, 2026-03-10 14:00+30m, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h"},
		{"of another series", event("UID:2", id, "DTSTART:20260310T140000Z", "DURATION:PT30M"),
			"2026-03-02 08:00+1h, 2026-03-09 08:00+1h, 2026-03-16 08:00+1h, 2026-03-23 08:00+1h, 2026-03-10 14:00+30m"},
		{"this and future", event("UID:1", future, "DTSTART;TZID=Europe/Berlin:20260310T100000", "DURATION:PT2H"),
			"2026-03-02 08:00+1h, 2026-03-10 09:00+2h, 2026-03-17 09:00+2h, 2026-03-24 09:00+2h"},
		{"this and future in another zone", event("UID:1", future, "DTSTART;TZID=America/New_York:20260309T040000", "DURATION:PT2H"),
			"2026-03-02 08:00+1h, 2026-03-09 08:00+2h, 2026-03-16 08:00+2h, 2026-03-23 08:00+2h"},
		{"no future", event("UID:1", future, "DTSTART;TZID=Europe/Berlin:20260309T090000", "STATUS:CANCELLED"), "2026-03-02 08:00+1h"},
		{"this and future, and one", event("UID:1", future, "DTSTART;TZID=Europe/Berlin:20260310T090000", "DURATION:PT1H") +
			event("UID:1", "RECURRENCE-ID:20260316T080000Z", "DTSTART:20260318T080000Z", "DURATION:PT1H"),
			"2026-03-02 08:00+1h, 2026-03-10 08:00+1h, 2026-03-18 08:00+1h, 2026-03-24 08:00+1h"},
	} {
		if got := only(t, weekly(c.override), in2026(t)); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
	// The master may come last, and may be missing.
	moved := event("UID:1", id, "DTSTART:20260310T140000Z", "DURATION:PT30M")
	if got := only(t, calendar(moved), in2026(t)); got != "2026-03-10 14:00+30m" {
		t.Error(got)
	}
	master := event("UID:1", "DTSTART;TZID=Europe/Berlin:20260302T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2")
	if got := only(t, calendar(moved+master), in2026(t)); got != "2026-03-02 08:00+1h, 2026-03-10 14:00+30m" {
		t.Error(got)
	}
	// A later sequence replaces a master; two of one sequence both count.
	older := event("UID:1", "DTSTART:20260401T080000Z", "DURATION:PT1H")
	newer := event("UID:1", "SEQUENCE:1", "DTSTART:20260402T080000Z", "DURATION:PT1H")
	if got := only(t, calendar(newer+older), in2026(t)); got != "2026-04-02 08:00+1h" {
		t.Error(got)
	}
	if got := only(t, calendar(older+strings.Replace(newer, "SEQUENCE:1\n", "", 1)), in2026(t)); got != "2026-04-01 08:00+1h, 2026-04-02 08:00+1h" {
		t.Error(got)
	}
}

func TestFreeBusyAndMethods(t *testing.T) {
	text := calendar("BEGIN:VFREEBUSY\nUID:f\nDTSTART:20260101T000000Z\nDTEND:20261231T000000Z\n" +
		"FREEBUSY:20260301T090000Z/PT1H,20260302T090000Z/20260302T093000Z\nFREEBUSY;FBTYPE=FREE:20260303T090000Z/PT1H\n" +
		"FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260304T090000Z/PT1H\nFREEBUSY;FBTYPE=BUSY-TENTATIVE:20260305T090000Z/PT1H\nFREEBUSY;FBTYPE=X-NAP:20260306T090000Z/PT1H\nEND:VFREEBUSY\n" +
		"BEGIN:VTODO\nUID:t\nDTSTART:20260401T090000Z\nDURATION:PT1H\nEND:VTODO")
	if got := only(t, text, in2026(t)); got != "2026-03-01 09:00+1h, 2026-03-02 09:00+30m, 2026-03-04 09:00+1h, 2026-03-05 09:00+1h, 2026-03-06 09:00+1h" {
		t.Error(got)
	}
	one := event("UID:1", "DTSTART:20260301T090000Z", "DURATION:PT1H")
	if got := only(t, calendar(one)+calendar("METHOD:CANCEL\n"+strings.Replace(one, "UID:1", "UID:2", 1)), in2026(t)); got != "2026-03-01 09:00+1h" {
		t.Error(got)
	}
}

func TestFieldsOfAnEvent(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll(calendar(event("UID:bk_1@book.example", "SEQUENCE:7", "DTSTAMP:20260101T000000Z", "LAST-MODIFIED:20260102T000000Z",
		"DTSTART;TZID=Europe/Berlin:20240301T090000", "DTEND;TZID=Europe/Berlin:20240301T100000", "DESCRIPTION:two lines", "as some write them: unfolded",
		"ATTACH:"+strings.Repeat("x", 400_000))), "\n", "\r\n")
	events, err := busy.Read(strings.NewReader(text), in2026(t))
	if err != nil || len(events) != 1 {
		t.Fatal(err, events)
	}
	from, stamp := time.Date(2024, 3, 1, 8, 0, 0, 0, time.UTC).UnixMilli(), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC).UnixMilli()
	if e := events[0]; e.UID != "bk_1@book.example" || e.Seq != 7 || e.Stamp != stamp || e.Start != from || e.End != from+3600_000 || len(e.Spans) != 0 {
		t.Errorf("%+v", e)
	}
}

// The clocks of New York skip 2:00 to 3:00 on 8 March 2026, and show 1:00 to 2:00 twice on 1 November (RFC 5545 §3.3.5).
func TestTimesThatClocksSkipAndRepeat(t *testing.T) {
	outlook := "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nBEGIN:STANDARD\nDTSTART:16010101T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\nEND:STANDARD\n" +
		"BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n"
	for _, tzid := range []string{"America/New_York", "Eastern Standard Time", "eastern standard time", "/mozilla.org/20050126_1/America/New_York",
		"/freeassociation.sourceforge.net/Tzfile/America/New_York", `"America/New_York"`, "Customized Time Zone"} {
		for at, want := range map[string]string{"20260308T023000": "2026-03-08 07:30+10m", "20260308T013000": "2026-03-08 06:30+10m", "20260308T033000": "2026-03-08 07:30+10m",
			"20261101T013000": "2026-11-01 05:30+10m", "20261101T003000": "2026-11-01 04:30+10m", "20261101T023000": "2026-11-01 07:30+10m"} {
			// The definition stands behind its use.
			if got := only(t, calendar(event("UID:1", "DTSTART;TZID="+tzid+":"+at, "DURATION:PT10M")+outlook), in2026(t)); got != want {
				t.Errorf("%s %s: %s, want %s", tzid, at, got, want)
			}
		}
	}
	// A time zone whose name has a colon, without quotes.
	odd := strings.ReplaceAll(calendar(outlook+event("UID:1", "DTSTART;TZID=Customized Time Zone:20260701T090000", "DURATION:PT10M")), "Customized Time Zone", "(UTC-05:00) Eastern")
	if got := only(t, odd, in2026(t)); got != "2026-07-01 13:00+10m" {
		t.Error(got)
	}
	// An event that begins while the clocks skip an hour is as long as it says.
	if got := only(t, calendar(event("UID:1", "DTSTART;TZID=Europe/Berlin:20260329T023000", "DTEND;TZID=Europe/Berlin:20260329T031000")), in2026(t)); got != "2026-03-29 01:30+40m" {
		t.Error(got)
	}
	// Midnight is skipped in Cairo on 24 April, and Apia left out 30 December 2011.
	o := in2026(t)
	o.Zone = zone(t, "Africa/Cairo")
	if got := only(t, calendar(event("UID:1", "DTSTART;VALUE=DATE:20260424")), o); got != "2026-04-23 22:00+23h" {
		t.Error(got)
	}
	o.From, o.To = window("2011-12-01", "2012-02-01")
	o.Zone = zone(t, "Pacific/Apia")
	if got := only(t, calendar(event("UID:1", "DTSTART;VALUE=DATE:20111229", "RRULE:FREQ=DAILY;COUNT=3")), o); got != "2011-12-29 10:00+24h, 2011-12-30 10:00+24h" {
		t.Error(got)
	}
}

// Every week of 30 years by its number, against package time's ISO weeks.
func TestWeeksOfYears(t *testing.T) {
	o := busy.Options{}
	o.From, o.To = window("2000-01-01", "2030-01-01")
	for _, week := range []int{1, 2, 14, 20, 52, 53, -1, -2} {
		events, err := busy.Read(strings.NewReader(calendar(event("UID:1", "DTSTART;VALUE=DATE:19990101", fmt.Sprint("RRULE:FREQ=YEARLY;BYDAY=MO,SU;BYWEEKNO=", week)))), o)
		if err != nil {
			t.Fatal(err)
		}
		var want []busy.Span
		for d := time.UnixMilli(o.From).UTC(); d.UnixMilli() < o.To; d = d.AddDate(0, 0, 1) {
			year, n := d.ISOWeek()
			_, last := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
			if (n == week || n-last-1 == week) && (d.Weekday() == time.Monday || d.Weekday() == time.Sunday) {
				want = append(want, busy.Span{Start: d.UnixMilli(), End: d.AddDate(0, 0, 1).UnixMilli()})
			}
		}
		if !slices.Equal(events[0].Spans, want) {
			t.Errorf("week %d: %s\nwant %s", week, written(events[0].Spans), written(want))
		}
	}
	// Without BYDAY it is the day of the week of DTSTART.
	if got := only(t, calendar(event("UID:1", "DTSTART;VALUE=DATE:20250402", "RRULE:FREQ=YEARLY;BYWEEKNO=14")), in2026(t)); got != "2026-03-31 22:00+24h" {
		t.Error(got)
	}
}

// Days of the week with a number within the year, counted by hand.
func TestNumberedDaysOfYears(t *testing.T) {
	o := busy.Options{}
	o.From, o.To = window("2000-01-01", "2030-01-01")
	for _, n := range []int{1, 20, 41, 53, -1, -20, -53} {
		text := calendar(event("UID:1", "DTSTART;VALUE=DATE:19990101", fmt.Sprintf("RRULE:FREQ=YEARLY;BYDAY=%dTU", n)))
		events, err := busy.Read(strings.NewReader(text), o)
		if err != nil {
			t.Fatal(err)
		}
		var want []busy.Span
		for year := 2000; year < 2030; year++ {
			var tuesdays []time.Time
			for d := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() == year; d = d.AddDate(0, 0, 1) {
				if d.Weekday() == time.Tuesday {
					tuesdays = append(tuesdays, d)
				}
			}
			i := n - 1
			if n < 0 {
				i = len(tuesdays) + n
			}
			if 0 <= i && i < len(tuesdays) {
				want = append(want, busy.Span{Start: tuesdays[i].UnixMilli(), End: tuesdays[i].UnixMilli() + 864e5})
			}
		}
		if !slices.Equal(events[0].Spans, want) {
			t.Errorf("%d: %s\nwant %s", n, written(events[0].Spans), written(want))
		}
	}
}

// All years that can be written, with windows anywhere.
func TestAllYears(t *testing.T) {
	for _, year := range []int{1, 1900, 1969, 2038, 2262, 2263, 4000, 9999} {
		o := busy.Options{From: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), To: time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), Zone: zone(t, "Europe/Berlin")}
		want := fmt.Sprintf("%04d-05-01 09:00+1h", year)
		for _, rule := range []string{"", "RRULE:FREQ=YEARLY", "RRULE:FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=5", "RRULE:FREQ=MONTHLY;BYMONTH=5", "RRULE:FREQ=YEARLY;COUNT=10000"} {
			first := 1
			if rule == "" {
				first = year
			}
			if got := only(t, calendar(event("UID:1", fmt.Sprintf("DTSTART:%04d0501T090000Z", first), "DURATION:PT1H", rule)), o); got != want {
				t.Errorf("%d %s: %s", year, rule, got)
			}
		}
	}
	o := busy.Options{From: -1 << 63, To: 1<<63 - 1}
	if got := only(t, calendar(event("UID:1", "DTSTART:00010101T090000Z", "DURATION:PT1H")+event("UID:2", "DTSTART:99991231T233000Z", "DURATION:PT1H")), o); got != "0001-01-01 09:00+1h, 9999-12-31 23:30+1h" {
		t.Error(got)
	}
}

func TestWhatIsNotUnderstood(t *testing.T) {
	good := event("UID:good", "DTSTART:20260301T090000Z", "DURATION:PT1H")
	for _, c := range []struct{ name, lines string }{
		{"no DTSTART", "DURATION:PT1H"},
		{"no date", "DTSTART:20260230T090000Z"},
		{"no time", "DTSTART:20260301T250000Z"},
		{"DTSTART without a colon", "DTSTART 20260301T090000Z"},
		{"DTSTART twice", "DTSTART:20260301T090000Z|DTSTART:20260302T090000Z"},
		{"an end before the beginning", "DTSTART:20260301T090000Z|DTEND:20260301T080000Z"},
		{"a negative length", "DTSTART:20260301T090000Z|DURATION:-PT1H"},
		{"no length", "DTSTART:20260301T090000Z|DURATION:an hour"},
		{"an unknown zone", "DTSTART;TZID=Middle-earth/Shire:20260301T090000|DURATION:PT1H"},
		{"a local zone", "DTSTART;TZID=Local:20260301T090000|DURATION:PT1H"},
		{"an unknown zone of a rule", "DTSTART;TZID=Middle-earth/Shire:20200301T090000|DURATION:PT1H|RRULE:FREQ=DAILY"},
		{"a zone that ends early", "DTSTART;TZID=Broken:20260301T090000|DURATION:PT1H"},
		{"an unknown frequency", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=SOMETIMES"},
		{"no frequency", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:COUNT=2"},
		{"an unknown part", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;BYEASTER=0"},
		{"another calendar", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:RSCALE=CHINESE;FREQ=YEARLY"},
		{"no interval", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;INTERVAL=0"},
		{"COUNT twice", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2;COUNT=3"},
		{"a week of a month", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=MONTHLY;BYWEEKNO=3"},
		{"a rule without a colon", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE FREQ=DAILY"},
		{"no EXDATE", "DTSTART:20260301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY|EXDATE:tomorrow"},
		{"no RDATE", "DTSTART:20260301T090000Z|DURATION:PT1H|RDATE:tomorrow"},
		{"this and the past", "RECURRENCE-ID;RANGE=THISANDPRIOR:20260301T090000Z|DTSTART:20260301T090000Z|DURATION:PT1H"},
		{"hours of days", "DTSTART;VALUE=DATE:20260301|RRULE:FREQ=HOURLY"},
	} {
		broken := "BEGIN:VTIMEZONE\nTZID:Broken\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
		text := calendar(broken + event("UID:a-very-long-name-of-an-event-that-nobody-can-read@mail.example", strings.ReplaceAll(c.lines, "|", "\n")) + good)
		events, err := busy.Read(strings.NewReader(text), in2026(t))
		if !errors.Is(err, busy.ErrMalformed) || !strings.Contains(fmt.Sprint(err), "a-very-long-name-of-an-event-that-nob…") {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(events) != 1 || events[0].UID != "good" || len(events[0].Spans) != 1 {
			t.Errorf("%s: %+v", c.name, events)
		}
	}
	// An unknown zone that can't matter.
	for _, lines := range []string{"DTSTART;TZID=Middle-earth/Shire:20250301T090000|DURATION:PT1H", "DTSTART;TZID=Middle-earth/Shire:20260301T090000|DURATION:PT1H|STATUS:CANCELLED"} {
		if got := only(t, calendar(event("UID:1", strings.ReplaceAll(lines, "|", "\n"))+good), in2026(t)); got != "2026-03-01 09:00+1h" {
			t.Error(got)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "blank": "\n\n", "a page": "<!DOCTYPE html>\n<html></html>\n", "an event alone": good, "the half of it": strings.TrimSuffix(calendar(good), "END:VCALENDAR\n"),
		"a wrong end": strings.Replace(calendar(good), "END:VEVENT", "END:VTODO", 1), "something behind it": calendar(good) + "more:1\n",
		"an event within an event": calendar(strings.Replace(good, "DURATION", good+"DURATION", 1)),
	} {
		if events, err := busy.Read(strings.NewReader(text), in2026(t)); !errors.Is(err, busy.ErrMalformed) || events != nil {
			t.Errorf("%s: %v %v", name, events, err)
		}
	}
	failed := errors.New("the network is down")
	if _, err := busy.Read(io.MultiReader(strings.NewReader(calendar(good)), iotest.ErrReader(failed)), in2026(t)); !errors.Is(err, failed) {
		t.Error(err)
	}
	many := strings.Repeat(event("UID:x", "DURATION:PT1H"), 3)
	for n := range 9 {
		many += event(fmt.Sprint("UID:", n), "DURATION:PT1H")
	}
	if _, err := busy.Read(strings.NewReader(calendar(many)), in2026(t)); err == nil || !strings.HasSuffix(err.Error(), "; and 5 more") {
		t.Error(err)
	}
}

// list is the numbers from 0 as a list.
func list(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

// Work is bounded by steps, so that these bounds don't hang on the machine.
func TestBounds(t *testing.T) {
	two := in2026(t)
	two.From, two.To = window("2026-11-01", "2026-12-31")
	for name, rule := range map[string]string{
		"480 a day":             "DTSTART:19000101T000000Z|DURATION:PT1M|RRULE:FREQ=DAILY;BYHOUR=" + list(24) + ";BYMINUTE=" + list(20),
		"480 a day, counted":    "DTSTART:19000101T000000Z|DURATION:PT1M|RRULE:FREQ=DAILY;COUNT=99999999;BYHOUR=" + list(24) + ";BYMINUTE=" + list(20),
		"hours since 1900":      "DTSTART:19000101T000000Z|DURATION:PT1M|RRULE:FREQ=HOURLY;COUNT=99999999",
		"a Friday in 400 years": "DTSTART:16000229T000000Z|DURATION:PT1M|RRULE:FREQ=YEARLY;COUNT=9999;BYMONTH=2;BYMONTHDAY=29;BYDAY=FR",
	} {
		two.Work = 0
		text := calendar(event("UID:1", strings.ReplaceAll(rule, "|", "\n")))
		events, err := busy.Read(strings.NewReader(text), two)
		if err != nil || len(events) != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if name != "a Friday in 400 years" && len(events[0].Spans) < 1000 {
			t.Errorf("%s: %d spans", name, len(events[0].Spans))
		}
		if two.Work = 100; name != "a Friday in 400 years" {
			if _, err := busy.Read(strings.NewReader(text), two); !errors.Is(err, busy.ErrTooMuch) {
				t.Errorf("%s with no work to spend: %v", name, err)
			}
		}
	}
	two.Work = 0
	tooMany := func(name, text string) {
		t.Helper()
		if _, err := busy.Read(strings.NewReader(text), two); !errors.Is(err, busy.ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	every := func(rule string) string {
		return calendar(event("UID:1", "DTSTART:19000101T000000Z", "DURATION:PT1S", "RRULE:"+rule) + event("UID:2", "DTSTART:20261201T000000Z", "DURATION:PT1S"))
	}
	tooMany("each second", every("FREQ=SECONDLY"))
	tooMany("each minute", every("FREQ=MINUTELY"))
	tooMany("minutes of some hours, counted since 1900", every("FREQ=MINUTELY;COUNT=99999999;BYHOUR=1,2"))
	tooMany("each second of each day", every("FREQ=DAILY;BYHOUR="+list(24)+";BYMINUTE="+list(60)+";BYSECOND="+list(60)))
	tooMany("depth", strings.Repeat("BEGIN:VCALENDAR\n", 1)+strings.Repeat("BEGIN:X\n", 100_000))
	tooMany("events", calendar(strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 50_001)))
	tooMany("zones", calendar(strings.Repeat("BEGIN:VTIMEZONE\nTZID:1\nBEGIN:STANDARD\nEND:STANDARD\nEND:VTIMEZONE\n", 20_001)))
	tooMany("dates", calendar(event("UID:1", "DTSTART:20260101T000000Z", strings.Repeat("RDATE:20260101"+strings.Repeat(",20260101", 1000)+"\n", 500))))
	var daily strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&daily, "BEGIN:VEVENT\nUID:%d\nDTSTART:20200101T0000%02dZ\nDURATION:PT1S\nRRULE:FREQ=DAILY\nEND:VEVENT\n", n, n%60)
	}
	tooMany("2,000 busy times a day", calendar(daily.String()))
	var hungry strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&hungry, "BEGIN:VEVENT\nUID:%d\nDTSTART:19000101T000000Z\nDURATION:PT1M\nRRULE:FREQ=HOURLY;COUNT=9999999;BYHOUR=1\nEND:VEVENT\n", n)
	}
	events, err := busy.Read(strings.NewReader(calendar(hungry.String())), two)
	if !errors.Is(err, busy.ErrTooMuch) || len(events) > 100 {
		t.Errorf("%d hungry events, %v", len(events), err)
	}
	// A line that matters can't be longer than a quarter of a megabyte.
	if _, err := busy.Read(strings.NewReader(calendar(event("UID:1", "DTSTART:20260101T000000Z", "EXDATE:"+strings.Repeat("20260101T000000Z,", 20_000)))), two); !errors.Is(err, busy.ErrMalformed) {
		t.Error(err)
	}
}

// Whatever is read: no panic, an end, and spans in order within the window.
func FuzzRead(f *testing.F) {
	f.Add([]byte(weekly(event("UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260309T080000Z", "DTSTART:20260310T140000Z", "DURATION:PT30M"))))
	f.Add([]byte(calendar("BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:16010101T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\nRDATE:20260101T000000\nEND:STANDARD\nEND:VTIMEZONE\n" +
		event("UID:1", "DTSTART;TZID=X:20260302T090000", "DURATION:P1DT1H", "RRULE:FREQ=MONTHLY;BYDAY=-1MO;BYSETPOS=1,-1", "EXDATE;VALUE=DATE:20260330", "RDATE;VALUE=PERIOD:20260301T000000Z/PT1H"))))
	f.Add([]byte(calendar("BEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=BUSY:20260301T090000Z/PT1H\nEND:VFREEBUSY")))
	for _, rule := range []string{"FREQ=SECONDLY;INTERVAL=7;BYHOUR=1;BYSETPOS=-1", "FREQ=YEARLY;BYWEEKNO=1,-1;COUNT=9", "FREQ=WEEKLY;WKST=SU;UNTIL=20260901", "FREQ=YEARLY;BYYEARDAY=-1,366;BYDAY=MO"} {
		f.Add([]byte(calendar(event("UID:1", "DTSTART;TZID=Europe/Berlin:20200101T090000", "DTEND;TZID=Europe/Berlin:20200102T090000", "RRULE:"+rule))))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		o := in2026(t)
		began := time.Now()
		events, err := busy.Read(bytes.NewReader(text), o)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		if err != nil && !errors.Is(err, busy.ErrMalformed) && !errors.Is(err, busy.ErrTooMuch) {
			t.Error(err)
		}
		for _, e := range events {
			for n, s := range e.Spans {
				if s.Start >= s.End || s.Start >= o.To || s.End <= o.From || n > 0 && (s.Start < e.Spans[n-1].Start || s.End <= e.Spans[n-1].End) {
					t.Errorf("span %d of %q: %s", n, e.UID, written(e.Spans[max(0, n-1):n+1]))
				}
			}
		}
	})
}

// BenchmarkTenThousandEvents is a file as a busy person has it, of which a tenth recurs; the window is a year.
func BenchmarkTenThousandEvents(b *testing.B) {
	var text strings.Builder
	for n := range 10_000 {
		at := time.Date(2019, 1, 1, 8+n%9, 15*(n%4), 0, 0, time.UTC).AddDate(0, 0, n%2900)
		lines := []string{fmt.Sprint("UID:", n, "@mail.example"), "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Berlin:" + at.Format(wallClock),
			"DTEND;TZID=Europe/Berlin:" + at.Add(time.Hour).Format(wallClock), "SUMMARY:Something that somebody does, with others", "STATUS:CONFIRMED", "SEQUENCE:1",
			"ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED:mailto:ana@salon.example", "DESCRIPTION:" + strings.Repeat("words ", 30)}
		switch n % 50 {
		case 0:
			lines = append(lines, "RRULE:FREQ=WEEKLY;BYDAY=MO,WE", "EXDATE;TZID=Europe/Berlin:20260302T090000")
		case 10:
			lines = append(lines, "RRULE:FREQ=DAILY;COUNT=400")
		case 20:
			lines = append(lines, "RRULE:FREQ=MONTHLY;BYDAY=2TU")
		case 30:
			lines = append(lines, "RRULE:FREQ=YEARLY")
		case 40:
			lines = append(lines, "RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20261001T000000Z")
		}
		text.WriteString(event(lines...))
	}
	file := calendar(text.String())
	o := in2026(b)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		events, err := busy.Read(strings.NewReader(file), o)
		if err != nil || len(events) != 10_000 {
			b.Fatal(err, len(events))
		}
	}
}

// BenchmarkHungryRule is a rule that takes other libraries seconds: 480 instances a day since 1900.
func BenchmarkHungryRule(b *testing.B) {
	o := in2026(b)
	o.From, o.To = window("2026-11-01", "2026-12-31")
	for name, count := range map[string]string{"for ever": "", "counted": ";COUNT=99999999"} {
		b.Run(name, func(b *testing.B) {
			file := calendar(event("UID:1", "DTSTART:19000101T000000Z", "DURATION:PT1M", "RRULE:FREQ=DAILY"+count+";BYHOUR="+list(24)+";BYMINUTE="+list(20)))
			for b.Loop() {
				if _, err := busy.Read(strings.NewReader(file), o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
