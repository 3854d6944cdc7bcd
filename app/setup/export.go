package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	about "daybook/app/field"
)

// Document is the complete set-up of a workspace, as ExportSetup writes it and Parse reads it.
type Document struct {
	Workspace  Object   `json:"workspace"`
	Hosts      []Object `json:"hosts"`
	EventTypes []Object `json:"eventTypes"`
}

// Object is a workspace, a host or an event type in a Document: the fields that its description marks as InFile, in
// the order of the description, each as JSON.
type Object []Member

// Member is a field of an Object.
type Member struct {
	Name  string
	Value json.RawMessage

	days Object // of the hours of a week, each day
}

// MarshalJSON writes an object with its members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, m.Name), ':'), m.Value...)
	}
	return append(out, '}'), nil
}

// member returns the member of that name, or an empty one.
func (o Object) member(name string) Member {
	for _, m := range o {
		if m.Name == name {
			return m
		}
	}
	return Member{}
}

// ExportSetup returns the set-up of the actor's workspace. Applying it again changes nothing. It is logged. Errors:
// forbidden.
func (s *Service) ExportSetup(ctx context.Context, a app.Actor) (Document, error) {
	d, err := s.Document(ctx, a)
	if err != nil {
		return d, err
	}
	return d, s.Write(ctx, func(tx Tx) error {
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.SetupExported})
	})
}

// Document does the same as ExportSetup without logging it, for a larger export that is logged.
func (s *Service) Document(ctx context.Context, a app.Actor) (Document, error) {
	if err := a.May(app.MayExportAll); err != nil {
		return Document{}, err
	}
	r := s.Reader(ctx)
	setup, err := r.Setup(a.Workspace)
	if err != nil {
		return Document{}, err
	}
	d := Document{Workspace: workspaceObject(&setup.Workspace), Hosts: []Object{}, EventTypes: []Object{}}
	for i := range setup.Hosts {
		h := &setup.Hosts[i]
		calendars, err := s.calendars.Listed(r, a.Workspace, h.ID)
		if err != nil {
			return Document{}, err
		}
		d.Hosts = append(d.Hosts, append(hostObject(h), calendarsMember(calendars)))
	}
	for i := range setup.EventTypes {
		d.EventTypes = append(d.EventTypes, eventTypeObject(&setup.EventTypes[i], emailsOf(setup.Hosts)))
	}
	return d, nil
}

// flowFields are the objects that are written on one line.
var flowFields = []string{"price", "noShowFee", "lateCancellationFee"}

// YAML returns the document as text.
func (d Document) YAML() ([]byte, error) {
	var slug string
	if err := json.Unmarshal(d.Workspace.member("slug").Value, &slug); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The set-up of %s. Change it and apply it with: daybook workspace apply FILE\n", slug)
	err := writeYAML(&b, rawJSON(d), flowFields...)
	return b.Bytes(), err
}

func workspaceObject(w *catalog.Workspace) Object {
	return objectOf(w, &catalog.WorkspaceFile, func(value any) any {
		if v, ok := value.([]catalog.TimeOff); ok {
			return timeOffDocuments(v, w.TimeZone)
		}
		return value
	})
}

func hostObject(h *catalog.Host) Object {
	return objectOf(h, &catalog.HostFields, func(value any) any {
		switch v := value.(type) {
		case map[string][]string:
			return weekObject(v)
		case []catalog.Override:
			all := make([]catalog.Override, len(v))
			for i, o := range v {
				all[i] = catalog.Override{Date: o.Date, Hours: append([]string{}, o.Hours...)}
			}
			return all
		case []catalog.TimeOff:
			return timeOffDocuments(v, h.TimeZone)
		}
		return value
	})
}

func eventTypeObject(e *catalog.EventType, emails map[catalog.HostID]string) Object {
	return objectOf(e, &catalog.EventTypeFields, func(value any) any {
		hosts, ok := value.([]catalog.HostRef)
		if !ok {
			return value
		}
		all := make([]string, len(hosts))
		for i, h := range hosts {
			all[i] = emails[h.ID]
		}
		return all
	})
}

// objectOf makes the object of what of points to. convert changes the values that a file writes in another way than
// the API.
func objectOf(of any, r *about.Resource, convert func(value any) any) (o Object) {
	for _, f := range r.Fields {
		if !f.InFile {
			continue
		}
		value := convert(about.In(of, f.Name).Interface())
		m := Member{Name: f.Name}
		if days, ok := value.(Object); ok {
			m.days = days
		}
		if v := reflect.ValueOf(value); v.Kind() == reflect.Slice && v.Len() == 0 {
			value = []any{}
		}
		m.Value = rawJSON(value)
		o = append(o, m)
	}
	return o
}

// weekObject has every day of the week, from Monday on: one that is closed is an empty list.
func weekObject(hours map[string][]string) (week Object) {
	for i := range catalog.Weekdays {
		day := catalog.Weekdays[(i+1)%len(catalog.Weekdays)]
		week = append(week, Member{Name: day, Value: rawJSON(append([]string{}, hours[day]...))})
	}
	return week
}

func emailsOf(hosts []catalog.Host) map[catalog.HostID]string {
	emails := map[catalog.HostID]string{}
	for _, h := range hosts {
		emails[h.ID] = h.Email
	}
	return emails
}
