package movein

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"regexp"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"daybook/app/fault"
)

// maxDiary bounds the events of a diary.
const maxDiary = 50_000

// IsDiary reports whether a file is an iCalendar file, as a whole or in part.
func IsDiary(file []byte) bool {
	start := bytes.TrimSpace(bytes.TrimPrefix(file[:min(len(file), 200)], []byte("\ufeff")))
	return len(start) >= len(beginDiary) && bytes.EqualFold(start[:len(beginDiary)], beginDiary)
}

var beginDiary = []byte("BEGIN:VCALENDAR")

// Diary reads a diary, an iCalendar file, as a table that ImportAppointments takes: each event that takes place once is an
// appointment of the service with the person, both as the workspace names them, under its UID as the foreign id. Who comes
// is its attendee, or else whom its title names, by the e-mail address or telephone number in it or in its description.
// numbers has the number of the event of each row. What can't be an appointment is left out, with the number of the event: whole days,
// what comes again, and what says that it takes no time. Errors: bad_request (the file as a whole).
func Diary(file []byte, service, person string) (table []byte, numbers []int, left []LineProblem, err error) {
	cal, err := ics.ParseCalendar(bytes.NewReader(file))
	if err != nil || cal == nil {
		return nil, nil, nil, fault.Invalid("file", "is no iCalendar file")
	}
	events := cal.Events()
	if len(events) == 0 {
		return nil, nil, nil, fault.Invalid("file", "has no events")
	}
	if len(events) > maxDiary {
		return nil, nil, nil, fault.Invalid("file", "has more than %d events", maxDiary)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write([]string{"Start", "End", "Service", "Staff", "Name", "Email", "Phone", "Appointment Notes", "Appointment ID", "Status"}) //nolint:errcheck // into memory
	for i, e := range events {
		text := func(p ics.ComponentProperty) string {
			if v := e.GetProperty(p); v != nil {
				return strings.TrimSpace(ics.FromText(v.Value))
			}
			return ""
		}
		name, email := whoComes(e, text(ics.ComponentPropertySummary))
		phone := ""
		if email == "" {
			all := name + "\n" + text(ics.ComponentPropertyDescription)
			email, phone = strings.ToLower(someMail.FindString(all)), strings.TrimSpace(somePhone.FindString(all))
			name = strings.Trim(somePhone.ReplaceAllString(someMail.ReplaceAllString(name, ""), ""), " \t,;:()<>-–")
		}
		leave := func(why fault.Text) { left = append(left, LineProblem{Line: i + 1, Name: name, Text: why}) }
		start, err1 := e.GetStartAt()
		end, err2 := endOf(e, start)
		switch at := e.GetProperty(ics.ComponentPropertyDtStart); {
		case at != nil && len(at.Value) == len("20261201"):
			leave(fault.Textf("it takes whole days"))
		case e.GetProperty(ics.ComponentPropertyRrule) != nil || e.GetProperty(ics.ComponentProperty("RECURRENCE-ID")) != nil:
			leave(fault.Textf("it comes again: book it as a series"))
		case strings.EqualFold(text(ics.ComponentPropertyTransp), "TRANSPARENT"):
			leave(fault.Textf("it takes no time in the diary"))
		case err1 != nil:
			leave(fault.Textf("no date and time that can be read: %q", text(ics.ComponentPropertyDtStart)))
		case err2 != nil:
			leave(fault.Textf("neither an end nor a length"))
		case name == "":
			leave(fault.Textf("it doesn't say who comes"))
		default:
			numbers = append(numbers, i+1)
			w.Write([]string{start.UTC().Format(time.RFC3339), end.UTC().Format(time.RFC3339), service, person, name, email, phone, //nolint:errcheck // into memory
				text(ics.ComponentPropertyDescription), text(ics.ComponentPropertyUniqueId), strings.ToLower(text(ics.ComponentPropertyStatus))})
		}
	}
	w.Flush()
	return out.Bytes(), numbers, left, nil
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

// endOf reads the end of an event, or its length.
func endOf(e *ics.VEvent, start time.Time) (time.Time, error) {
	if e.GetProperty(ics.ComponentPropertyDtEnd) != nil {
		return e.GetEndAt()
	}
	d := e.GetProperty(ics.ComponentProperty("DURATION"))
	if d == nil {
		return start, errors.New("no end")
	}
	length, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(d.Value, "PT")))
	return start.Add(length), err
}
