package settings

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/movein"
	"daybook/views/dash"
)

// appointments is a file of appointments, and how it is read. A diary has become a table.
type appointments struct {
	movein.Input
	diary *diary // nil of a table
}

// diary is an iCalendar file: its events are appointments of one service with one person.
type diary struct {
	file    []byte
	service *catalog.EventType
	host    *catalog.Host
	left    []movein.LineProblem
	numbers []int     // of the events that the rows were
	since   time.Time // from when on what comes again is taken
}

// number is that of the event in a line of the table, whose first are the headings; of a table it is the line itself.
func (a *appointments) number(line int) int {
	if a.diary == nil || line < 2 || line-2 >= len(a.diary.numbers) {
		return line
	}
	return a.diary.numbers[line-2]
}

// given returns the file as it was chosen.
func (a *appointments) given() []byte {
	if a.diary != nil {
		return a.diary.file
	}
	return a.File
}

// diaryOf makes a table of the file if it is a diary whose service and person the form names. do is "diary" where they are to be asked.
func (c call) diaryOf(in appointments, form url.Values) (out appointments, do string, err error) {
	if !movein.IsDiary(in.File) {
		return in, "look", nil
	}
	service, _ := id.Parse[catalog.EventTypeIDKind](form.Get("service"))
	host, _ := id.Parse[catalog.HostIDKind](form.Get("host"))
	d := &diary{file: in.File, service: c.Setup.EventTypeByID(service), host: c.Setup.Host(host), since: c.Subjects.Now()}
	if d.service == nil || d.host == nil {
		return in, "diary", nil
	}
	if n, err := strconv.ParseInt(form.Get("since"), 10, 64); err == nil && d.since.Sub(time.Unix(n, 0)).Abs() < 24*time.Hour {
		d.since = time.Unix(n, 0) // so that the lines stay those of which something was chosen
	}
	table, numbers, left, err := movein.Diary(in.File, d.service.Title, d.host.Name, c.Setup.Zone, d.since)
	if err != nil {
		return in, "", err
	}
	d.left, d.numbers, in.File, in.diary = left, numbers, table, d
	return in, "look", nil
}

// askDiary asks of which service and person a diary is.
func (c call) askDiary(in *appointments) (err error) {
	v := dash.AppointmentsPage{Frame: c.Frame(c.T("movein_title"), "contacts"), Diary: &dash.AppointmentsDiary{}}
	if v.Diary.Draft, err = draft(in.File); err != nil {
		return err
	}
	var services []dash.Option
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		services = append(services, dash.Option{Value: e.ID.String(), Label: e.Title})
	}
	v.Diary.Groups = []dash.Group{{Title: c.T("bring_diary"), Hint: c.T("bring_diary_text"), Inputs: []dash.Input{
		{Name: "service", Label: c.T("bring_diary_service"), Kind: "select", Options: services, Required: true},
		{Name: "host", Label: c.T("bring_diary_person"), Kind: "select", Options: c.hostOptions(), Required: true}}}}
	if len(services) == 0 || len(c.hostOptions()) == 0 {
		return c.showAppointments(nil, fault.Invalid("file", "a diary needs a service and a person here: make them first"))
	}
	return c.Show(http.StatusOK, dash.ImportAppointments(v))
}
