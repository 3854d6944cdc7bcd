package movein

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"daybook/app/booking"
	"daybook/app/calendar/busy"
	"daybook/app/fault"
)

// maxDiary bounds the events of a diary, and the appointments that they are.
const maxDiary = 50_000

// IsDiary reports whether a file is an iCalendar file, as a whole or in part.
func IsDiary(file []byte) bool {
	start := bytes.TrimSpace(bytes.TrimPrefix(file[:min(len(file), 200)], []byte("\ufeff")))
	return len(start) >= len(beginDiary) && bytes.EqualFold(start[:len(beginDiary)], beginDiary)
}

var beginDiary = []byte("BEGIN:VCALENDAR")

// Diary reads a diary, an iCalendar file, as a table that ImportAppointments takes: each event is an appointment of the service with the
// person, both as the workspace names them, under its UID as the foreign id. Of an event that comes again, each date that is to come
// within a year, at most booking.MaxSeries of them, is an appointment, under the UID with the day that the rule gives it. Times without a
// zone are on the clock of zone. Who comes is its attendee, or else whom its title names, by the e-mail address or telephone number in it
// or in its description. numbers has the number of the event of each row. What can't be an appointment is left out, with the number of the
// event: whole days, what says that it takes no time, and dates beyond the bound. Errors: bad_request (the file as a whole).
func Diary(file []byte, service, person string, zone *time.Location, now time.Time) (table []byte, numbers []int, left []LineProblem, err error) {
	cal, err := ics.ParseCalendar(bytes.NewReader(file))
	if err != nil || cal == nil {
		return nil, nil, nil, fault.Invalid("file", "is no iCalendar file")
	}
	d := &diary{events: cal.Events(), service: service, person: person}
	if len(d.events) == 0 {
		return nil, nil, nil, fault.Invalid("file", "has no events")
	}
	if len(d.events) > maxDiary {
		return nil, nil, nil, fault.Invalid("file", "has more than %d events", maxDiary)
	}
	o := busy.Options{From: now.UnixMilli(), To: now.AddDate(1, 0, 0).UnixMilli(), Zone: zone, Work: diaryWork}
	all, err := busy.Dates(bytes.NewReader(file), o, booking.MaxSeries)
	if err != nil {
		return nil, nil, nil, fault.Invalid("file", "is no iCalendar file")
	}
	d.entries = make([]*entry, len(d.events))
	d.csv = csv.NewWriter(&d.out)
	d.csv.Write([]string{"Start", "End", "Service", "Staff", "Name", "Email", "Phone", "Appointment Notes", "Appointment ID", "Status"}) //nolint:errcheck // into memory
	for i := range all {
		if slices.ContainsFunc(all[i].Events, func(n int) bool { return n >= len(d.events) }) { // the two readers disagree
			return nil, nil, nil, fault.Invalid("file", "is no iCalendar file")
		}
		if d.take(&all[i]); len(d.numbers) > maxDiary || d.out.Len() > maxDiaryTable {
			return nil, nil, nil, fault.Invalid("file", "has too many dates that come again; cut it in parts")
		}
	}
	d.csv.Flush()
	slices.SortStableFunc(d.left, func(a, b LineProblem) int { return a.Line - b.Line })
	return d.out.Bytes(), d.numbers, d.left, nil
}

const (
	diaryWork     = 4 * busy.DefaultWork
	maxDiaryTable = 7 << 20 // bytes, below what a table may have
)

// diary is one that becomes a table.
type diary struct {
	events          []*ics.VEvent
	entries         []*entry // of the events that were asked for
	service, person string
	out             bytes.Buffer
	csv             *csv.Writer
	numbers         []int
	left            []LineProblem
}

// entry is what an event says of its appointments.
type entry struct {
	name, email, phone, notes, uid, status string
	why                                    fault.Text // it can't be one
	said                                   bool       // that is in the report
}

// propertyOf returns the text of a property.
func propertyOf(e *ics.VEvent, p ics.ComponentProperty) string {
	if v := e.GetProperty(p); v != nil {
		return strings.TrimSpace(ics.FromText(v.Value))
	}
	return ""
}

// entry returns what the event with the number says, from 0.
func (d *diary) entry(n int) *entry {
	if d.entries[n] != nil {
		return d.entries[n]
	}
	e := d.events[n]
	x := &entry{notes: propertyOf(e, ics.ComponentPropertyDescription), uid: propertyOf(e, ics.ComponentPropertyUniqueId),
		status: strings.ToLower(propertyOf(e, ics.ComponentPropertyStatus))}
	x.name, x.email = whoComes(e, propertyOf(e, ics.ComponentPropertySummary))
	if x.email == "" {
		all := x.name + "\n" + x.notes
		x.email, x.phone = strings.ToLower(someMail.FindString(all)), strings.TrimSpace(somePhone.FindString(all))
		x.name = strings.Trim(somePhone.ReplaceAllString(someMail.ReplaceAllString(x.name, ""), ""), " \t,;:()<>-–")
	}
	switch at := e.GetProperty(ics.ComponentPropertyDtStart); {
	case at != nil && len(at.Value) == len("20261201"):
		x.why = fault.Textf("it takes whole days")
	case strings.EqualFold(propertyOf(e, ics.ComponentPropertyTransp), "TRANSPARENT"):
		x.why = fault.Textf("it takes no time in the diary")
	case x.name == "":
		x.why = fault.Textf("it doesn't say who comes")
	case utf8.RuneCountInString(x.notes) > booking.MaxNotes:
		x.why = fault.Textf("its notes are longer than %d characters", booking.MaxNotes)
	}
	d.entries[n] = x
	return x
}

// leave names an event in the report: why it can't be an appointment at all, or else the reason that is given.
func (d *diary) leave(n int, why fault.Text) {
	x := d.entry(n)
	if x.why.Format != "" {
		if x.said {
			return
		}
		why, x.said = x.why, true
	}
	d.left = append(d.left, LineProblem{Line: n + 1, Name: x.name, Text: why})
}

// take makes rows of the dates of events with one UID.
func (d *diary) take(all *busy.Dated) {
	for _, n := range all.Older {
		d.leave(n, fault.Textf("a newer version of it is in the file, too"))
	}
	if all.Err != nil {
		for _, n := range all.Events {
			d.leave(n, d.unread(n, all.Err))
		}
		return
	}
	first := all.Events[0]
	switch {
	case all.Again && len(all.Dates) == 0 && all.Next == 0:
		d.leave(first, fault.Textf("all of its dates are over"))
		return
	case all.Again && len(all.Dates) == 0:
		d.leave(first, fault.Textf("its next date is more than a year away: import the file again by then"))
		return
	case overlaps(all):
		d.leave(first, fault.Textf("its dates overlap each other"))
		return
	}
	taken := 0
	for _, x := range all.Dates {
		switch e := d.entry(x.Event); {
		case e.why.Format != "":
			d.leave(x.Event, e.why)
		case x.Free:
			e.why = fault.Textf("it takes no time in the diary")
			d.leave(x.Event, e.why)
		case x.Start == x.End:
			d.leave(x.Event, fault.Textf("neither an end nor a length"))
		default:
			d.write(e, &x)
			if !x.Canceled {
				taken++
			}
		}
	}
	if all.Next != 0 && taken > 0 {
		d.leave(first, fault.Textf("it comes again, and the next %d dates within a year are taken: import the file again for later ones", taken))
	}
}

// overlaps reports whether dates of the same event overlap, which those of an appointment never do.
func overlaps(all *busy.Dated) bool {
	ends := map[int]int64{}
	for _, x := range all.Dates {
		if all.Again && !x.Canceled && x.Start < ends[x.Event] {
			return true
		}
		ends[x.Event] = max(ends[x.Event], x.End)
	}
	return false
}

// unread says why it isn't known when an event takes place.
func (d *diary) unread(n int, err error) fault.Text {
	rule := propertyOf(d.events[n], ics.ComponentPropertyRrule)
	switch at := d.events[n].GetProperty(ics.ComponentPropertyDtStart); {
	case errors.Is(err, busy.ErrTooMuch):
		return fault.Textf("it comes again too often")
	case rule != "":
		return fault.Textf("when it comes again can't be read: %q", rule)
	case at != nil && len(at.ICalParameters["TZID"]) > 0:
		return fault.Textf("no date and time that can be read: %q", at.ICalParameters["TZID"][0]+": "+at.Value)
	case at != nil:
		return fault.Textf("no date and time that can be read: %q", at.Value)
	}
	return fault.Textf("no date and time that can be read: %q", "")
}

func (d *diary) write(e *entry, x *busy.Date) {
	status, at := e.status, func(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }
	if x.Canceled {
		status = "cancelled"
	}
	d.numbers = append(d.numbers, x.Event+1)
	d.csv.Write([]string{at(x.Start), at(x.End), d.service, d.person, e.name, e.email, e.phone, e.notes, foreignID(e.uid, x), status}) //nolint:errcheck // into memory
}

// foreignID is by what an appointment is known: the UID, and which date of the event it is.
func foreignID(uid string, x *busy.Date) string {
	if uid == "" {
		return ""
	}
	date := ""
	if x.Day != "" {
		date = "/" + x.Day
		if x.Nth > 1 {
			date += "#" + strconv.Itoa(x.Nth)
		}
	}
	if len(uid)+len(date) > booking.MaxRef { // those of Outlook have 112 characters
		sum := sha256.Sum256([]byte(uid))
		uid = "sha256:" + hex.EncodeToString(sum[:])
	}
	return uid + date
}

// What a title or a description may have of somebody: an address, a number of at least seven digits.
var (
	someMail  = regexp.MustCompile(`[\w.+-]+@[\w-]+(\.[\w-]+)+`)
	somePhone = regexp.MustCompile(`(\+|\b)\d(?:[ ()/.-]{0,2}\d){6,14}\b`)
)

// whoComes is the first attendee who isn't the organizer, or else the title.
func whoComes(e *ics.VEvent, title string) (name, email string) {
	organizer := ""
	if o := e.GetProperty(ics.ComponentPropertyOrganizer); o != nil {
		organizer = mailOf(o.Value)
	}
	for _, a := range e.Attendees() {
		if email = mailOf(a.Email()); email == "" || email == organizer {
			continue
		}
		if cn := a.ICalParameters["CN"]; len(cn) > 0 && !strings.Contains(cn[0], "@") {
			return strings.Trim(cn[0], `"`), email
		}
		return cmp.Or(title, email), email
	}
	return title, ""
}

func mailOf(address string) string {
	address = strings.TrimSpace(address)
	if len(address) > 7 && strings.EqualFold(address[:7], "mailto:") {
		address = address[7:]
	}
	return strings.ToLower(address)
}
