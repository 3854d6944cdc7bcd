package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
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
	Resources  []Object `json:"resources"`
	EventTypes []Object `json:"eventTypes"`
	Products   []Object `json:"products"`
}

// Object is a workspace, a host, a resource, an event type or a product in a Document: the fields that its description marks as InFile, in
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

// without returns the object without a member.
func (o Object) without(name string) Object {
	return slices.DeleteFunc(o, func(m Member) bool { return m.Name == name })
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
	d := Document{Workspace: workspaceObject(&setup.Workspace), Hosts: []Object{}, Resources: []Object{},
		EventTypes: []Object{}, Products: []Object{}}
	sender, err := s.texts.Listed(r, a.Workspace)
	if err != nil {
		return Document{}, err
	}
	if sender != nil { // else it is left out: null would end the dashboard's
		d.Workspace = append(d.Workspace, senderMember(sender))
	}
	for i := range setup.Hosts {
		h := &setup.Hosts[i]
		calendars, err := s.calendars.Listed(r, a.Workspace, catalog.CalendarOwner{Host: h.ID})
		if err != nil {
			return Document{}, err
		}
		d.Hosts = append(d.Hosts, append(hostObject(h), calendarsMember(calendars)))
	}
	for i := range setup.Resources {
		x := &setup.Resources[i]
		calendars, err := s.calendars.Listed(r, a.Workspace, catalog.CalendarOwner{Resource: x.ID})
		if err != nil {
			return Document{}, err
		}
		d.Resources = append(d.Resources, append(resourceObject(x), calendarsMember(calendars)))
	}
	names := namesOf(setup.Hosts, setup.Resources)
	for i := range setup.EventTypes {
		d.EventTypes = append(d.EventTypes, eventTypeObject(&setup.EventTypes[i], names))
	}
	products, err := allProducts(r, a.Workspace)
	for i := range products {
		d.Products = append(d.Products, productObject(&products[i]).without("stock")) // which another day isn't true
	}
	return d, err
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
	return objectOf(h, &catalog.HostFields, hoursIn(h.TimeZone))
}

func resourceObject(r *catalog.Resource) Object {
	return objectOf(r, &catalog.ResourceFields, hoursIn(r.TimeZone))
}

func productObject(p *catalog.Product) Object {
	return objectOf(p, &catalog.ProductFields, func(value any) any { return value })
}

// allProducts returns those that are on sale and those that aren't, by name.
func allProducts(r Reader, ws catalog.WorkspaceID) ([]catalog.Product, error) {
	all, err := r.Products(ws, catalog.ProductFilter{Limit: app.Every})
	if err != nil {
		return nil, err
	}
	archived, err := r.Products(ws, catalog.ProductFilter{Archived: true, Limit: app.Every})
	return append(all, archived...), err
}

// hoursIn converts hours, days with others and time off, which are on the clock of the zone.
func hoursIn(timeZone string) func(value any) any {
	return func(value any) any {
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
			return timeOffDocuments(v, timeZone)
		}
		return value
	}
}

// names are how a file names hosts and resources.
type names struct {
	hosts     map[catalog.HostID]string // e-mail addresses
	resources map[catalog.ResourceID]string
}

func namesOf(hosts []catalog.Host, resources []catalog.Resource) names {
	n := names{map[catalog.HostID]string{}, map[catalog.ResourceID]string{}}
	for _, h := range hosts {
		n.hosts[h.ID] = h.Email
	}
	for _, r := range resources {
		n.resources[r.ID] = r.Name
	}
	return n
}

func eventTypeObject(e *catalog.EventType, n names) Object {
	return objectOf(e, &catalog.EventTypeFields, func(value any) any {
		switch v := value.(type) {
		case []catalog.HostRef:
			all := make([]string, len(v))
			for i, h := range v {
				all[i] = n.hosts[h.ID]
			}
			return all
		case []catalog.Need:
			return needDocuments(v, n)
		}
		return value
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
