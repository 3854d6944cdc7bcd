package app_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/movein"
)

// treatment is a diary with what comes again each week from 3 December 2026 on at nine in Berlin, changed by lines of its event and by
// events beside it.
func treatment(lines string, others ...string) []byte {
	all := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Bo bo@mail.example\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=5\r\n" +
		"DTSTART;TZID=Europe/Berlin:20261203T090000\r\n" + lines + "END:VEVENT\r\n"
	for _, o := range others {
		all += "BEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Bo bo@mail.example\r\nDURATION:PT1H\r\n" + o + "END:VEVENT\r\n"
	}
	return []byte(all + "END:VCALENDAR\r\n")
}

// diary makes a diary the input of an import, for the service cut with the first host.
func (w *world) diary(file []byte) (in movein.Input) {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	table, _, left, err := movein.Diary(file, "Cut", setup.Hosts[0].Name, setup.Zone, w.Clock.Now())
	w.Must(err)
	if len(left) > 0 {
		w.T.Errorf("left out: %v", left)
	}
	in.File = table
	return in
}

// starts are those of the bookings that stand, in UTC.
func (w *world) starts() string {
	w.T.Helper()
	all, err := w.Reader(w.T.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 100})
	w.Must(err)
	var list []string
	for i := range all {
		if b := &all[i]; b.Status.Stands() {
			list = append(list, b.Start.Time().UTC().Format("01-02T15"))
		}
		if mails := w.Written(all[i]); len(mails) > 0 {
			w.T.Errorf("mails: %q", mails)
		}
	}
	return strings.Join(list, " ")
}

func found(p movein.Preview) string {
	return fmt.Sprintf("%d come, %d moved, %d same, %d overlap or left, %d end of %d", p.Upcoming, p.Moved, p.Same, len(p.Overlaps)+len(p.Left)+len(p.Listed), p.Ending, len(p.Ended))
}

// What comes again in a diary becomes a booking for each date: shown before, done once however often it is imported, moved and cancelled
// as there, never onto what is live, told to nobody, and undone without a trace.
func TestDiaryThatComesAgainMovesIn(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+2 07:00") // 2 December
	w.Booked("cut", "17T08", "live")
	runs := func(file []byte, want string, cancel ...int) {
		t.Helper()
		in := w.diary(file)
		in.Cancel = cancel
		shown, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
		w.Must(err)
		if got := found(shown); got != want {
			t.Fatalf("shown: %s, want %s", got, want)
		}
		p := w.movesIn(in)
		if got := found(p); got != want {
			t.Fatalf("done: %s, want %s", got, want)
		}
	}
	runs(treatment(""), "4 come, 0 moved, 0 same, 1 overlap or left, 0 end of 0")
	const five = "12-03T08 12-10T08 12-17T08 12-24T08 12-31T08"
	if got := w.starts(); got != five {
		t.Errorf("booked %s", got)
	}
	runs(treatment(""), "0 come, 0 moved, 4 same, 1 overlap or left, 0 end of 0")
	runs(treatment("SEQUENCE:1\r\n", "RECURRENCE-ID;TZID=Europe/Berlin:20261210T090000\r\nDTSTART;TZID=Europe/Berlin:20261211T100000\r\n"),
		"0 come, 1 moved, 3 same, 1 overlap or left, 0 end of 0")
	if got := w.starts(); got != "12-03T08 12-11T09 12-17T08 12-24T08 12-31T08" {
		t.Errorf("moved: %s", got)
	}
	gone := treatment("EXDATE;TZID=Europe/Berlin:20261210T090000,20261217T090000\r\n", "RECURRENCE-ID;TZID=Europe/Berlin:20261224T090000\r\nDTSTART:20261224T080000Z\r\nSTATUS:CANCELLED\r\n")
	runs(gone, "0 come, 0 moved, 2 same, 0 overlap or left, 0 end of 2")
	// The whole series an hour later, while two of its dates were cancelled there: they are cancelled here once somebody says so.
	later := []byte(strings.ReplaceAll(string(gone), "T090000", "T100000"))
	runs(later, "0 come, 2 moved, 0 same, 0 overlap or left, 2 end of 2", 3, 5)
	if got := w.starts(); got != "12-03T09 12-17T08 12-31T09" {
		t.Errorf("an hour later: %s", got)
	}
	runs(later, "0 come, 0 moved, 2 same, 0 overlap or left, 0 end of 0", 3, 5)
}

// An import of what comes again is undone without a trace.
func TestUndoneDiaryLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+2 07:00")
	w.Booked("cut", "17T08", "live")
	w.writeMails()
	before := w.kept()
	in := w.diary(treatment(""))
	in.Remind, in.Calendar, in.Tell = true, true, true
	if im, stays := w.takesBack(w.movesIn(in)); im.Undone != 5 || len(stays) != 0 { // four bookings, a customer
		t.Errorf("%+v, %v", im, stays)
	}
	if after := w.kept(); after != before {
		t.Errorf("left is\n%s\nwas\n%s", after, before)
	}
}
