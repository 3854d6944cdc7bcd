package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	about "daybook/app/field"
)

// Document is a workspace's set-up in full, as ExportSetup writes it and Parse reads it.
type Document struct {
	Workspace  WorkspaceDocument   `json:"workspace"`
	Hosts      []HostDocument      `json:"hosts"`
	EventTypes []EventTypeDocument `json:"eventTypes"`
}

// WorkspaceDocument is the workspace itself in a Document.
type WorkspaceDocument struct {
	ID       string `json:"id"`
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	TimeZone string `json:"timeZone"`
	Currency string `json:"currency"`
}

// HostDocument is a host in a Document.
type HostDocument struct {
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Email     string             `json:"email"`
	TimeZone  string             `json:"timeZone"`
	Active    bool               `json:"active"`
	Weekly    WeeklyDocument     `json:"weekly"`
	Overrides []OverrideDocument `json:"overrides"`
	TimeOff   []TimeOffDocument  `json:"timeOff"`
}

// WeeklyDocument is a week's hours; a day that is closed is an empty list, never left out.
type WeeklyDocument struct {
	Mon []string `json:"mon"`
	Tue []string `json:"tue"`
	Wed []string `json:"wed"`
	Thu []string `json:"thu"`
	Fri []string `json:"fri"`
	Sat []string `json:"sat"`
	Sun []string `json:"sun"`
}

// OverrideDocument is an Override in a Document.
type OverrideDocument struct {
	Date  string   `json:"date"`
	Hours []string `json:"hours"`
}

// TimeOffDocument is a TimeOff in a Document.
type TimeOffDocument struct {
	Start  string `json:"start"`
	End    string `json:"end"`
	Reason string `json:"reason,omitempty"`
}

// EventTypeDocument is an event type in a Document: the fields that its description says stand in set-up files, in its
// order, each as JSON.
type EventTypeDocument []Member

// Member is a field of a document.
type Member struct {
	Name  string
	Value json.RawMessage
}

// MarshalJSON writes an object.
func (d EventTypeDocument) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range d {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, m.Name), ':'), m.Value...)
	}
	return append(out, '}'), nil
}

// ExportSetup is the set-up of the actor's workspace. Applied again, it changes nothing. The error is forbidden.
func (s *Service) ExportSetup(ctx context.Context, a app.Actor) (Document, error) {
	if err := a.May(app.MayExportAll); err != nil {
		return Document{}, err
	}
	setup, err := s.Reader(ctx).Setup(a.Workspace)
	if err != nil {
		return Document{}, err
	}
	d := Document{Workspace: workspaceDocument(&setup.Workspace), Hosts: []HostDocument{},
		EventTypes: []EventTypeDocument{}}
	for i := range setup.Hosts {
		d.Hosts = append(d.Hosts, hostDocument(&setup.Hosts[i]))
	}
	for i := range setup.EventTypes {
		d.EventTypes = append(d.EventTypes, eventTypeDocument(&setup.EventTypes[i], emailsOf(setup.Hosts)))
	}
	return d, nil
}

// YAML is the document as text.
func (d Document) YAML() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The set-up of %s. Change it and apply it with: daybook workspace apply FILE\n", d.Workspace.Slug)
	err := writeYAML(&b, rawJSON(d))
	return b.Bytes(), err
}

func workspaceDocument(w *catalog.Workspace) WorkspaceDocument {
	return WorkspaceDocument{w.ID.String(), w.Slug, w.Name, w.TimeZone, w.Currency}
}

func hostDocument(h *catalog.Host) HostDocument {
	d := HostDocument{
		ID: h.ID.String(), Name: h.Name, Email: h.Email, TimeZone: h.TimeZone, Active: h.Active,
		Overrides: []OverrideDocument{}, TimeOff: []TimeOffDocument{},
	}
	for name, to := range map[string]*[]string{
		"mon": &d.Weekly.Mon, "tue": &d.Weekly.Tue, "wed": &d.Weekly.Wed, "thu": &d.Weekly.Thu, "fri": &d.Weekly.Fri,
		"sat": &d.Weekly.Sat, "sun": &d.Weekly.Sun,
	} {
		*to = append([]string{}, h.Weekly[name]...)
	}
	for _, o := range h.Overrides {
		d.Overrides = append(d.Overrides, OverrideDocument{o.Date, append([]string{}, o.Hours...)})
	}
	for _, t := range h.TimeOff {
		d.TimeOff = append(d.TimeOff, timeOffDocument(h, t))
	}
	return d
}

// timeOffDocument says whole days of the host's zone by their dates, the last one included.
func timeOffDocument(h *catalog.Host, t catalog.TimeOff) TimeOffDocument {
	zone, err := time.LoadLocation(h.TimeZone)
	if err == nil {
		first, last := t.Start.Time().In(zone), t.End.Time().In(zone).AddDate(0, 0, -1)
		days := TimeOffDocument{first.Format(time.DateOnly), last.Format(time.DateOnly), t.Reason}
		start, startErr := dayOrInstant(days.Start, zone, 0)
		end, endErr := dayOrInstant(days.End, zone, 1)
		if startErr == nil && endErr == nil && start == t.Start && end == t.End {
			return days
		}
	}
	return TimeOffDocument{t.Start.String(), t.End.String(), t.Reason}
}

func eventTypeDocument(e *catalog.EventType, emails map[catalog.HostID]string) (d EventTypeDocument) {
	for _, f := range catalog.EventTypeFields.Fields {
		if !f.InFile {
			continue
		}
		value := about.In(e, f.Name)
		text := rawJSON(value.Interface())
		if hosts, ok := value.Interface().([]catalog.HostRef); ok {
			all := []string{}
			for _, h := range hosts {
				all = append(all, emails[h.ID])
			}
			text = rawJSON(all)
		} else if value.Kind() == reflect.Slice && value.Len() == 0 {
			text = json.RawMessage("[]")
		}
		d = append(d, Member{f.Name, text})
	}
	return d
}

func emailsOf(hosts []catalog.Host) map[catalog.HostID]string {
	emails := map[catalog.HostID]string{}
	for _, h := range hosts {
		emails[h.ID] = h.Email
	}
	return emails
}
