package settings

import (
	"net/http"
	"net/url"

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
	d := &diary{file: in.File, service: c.Setup.EventTypeByID(service), host: c.Setup.Host(host)}
	if d.service == nil || d.host == nil {
		return in, "diary", nil
	}
	table, numbers, left, err := movein.Diary(in.File, d.service.Title, d.host.Name)
	if err != nil {
		return in, "", err
	}
	if len(numbers) == 0 {
		return in, "", fault.Invalid("file", "has no events")
	}
	d.left, in.File, in.diary = left, table, d
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
