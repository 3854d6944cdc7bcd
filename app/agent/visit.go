package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/subjects"
	"daybook/app/when"
)

// servicesArg is the argument that names the services of a visit.
func servicesArg(description string) property {
	return may("services", list(description, object("",
		must("service", text("Its slug or title.")),
		may("host", text("Id or name of who does it.")),
		may("addOns", list("Ids or titles of its add-ons.", text(""))))))
}

// services returns the services of a visit, none when they were left out.
func (in *args) services() (all []booking.VisitItem) {
	raw := in.given("services")
	if raw == nil {
		return nil
	}
	var each []map[string]json.RawMessage
	if json.Unmarshal(raw, &each) != nil || len(each) == 0 || len(each) > booking.MaxVisitItems {
		in.wrong("services", "must be a list of 1 to %d objects with service, such as [{\"service\": \"haircut\"}]",
			booking.MaxVisitItems)
		return nil
	}
	for i, fields := range each {
		one := &args{fields: fields, path: fmt.Sprintf("%sservices[%d].", in.path, i), parent: in}
		in.inner = append(in.inner, one)
		all = append(all, booking.VisitItem{EventType: one.needed("service", "the slug or title of a service"),
			Host: one.short("host"), AddOns: one.list("addOns")})
	}
	return all
}

// notWithServices refuses arguments that go with one service only.
func (in *args) notWithServices(names ...string) {
	for _, name := range names {
		if in.given(name) != nil {
			in.wrong(name, "is for one service: leave it out with services")
		}
	}
}

// ofServices makes an error about items one about services, as the tools name them.
func ofServices(err error) error {
	e := fault.Refusal(err)
	if e == nil || !strings.HasPrefix(e.Field, "items") {
		return err
	}
	return e.About(strings.NewReplacer("items", "services", ".eventType", ".service").Replace(e.Field))
}

// ofVisit reports whether the id is that of a visit.
func ofVisit(ref string) bool {
	_, err := id.Parse[booking.VisitIDKind](ref)
	return err == nil
}

// notOfVisits refuses arguments that go with the id of a booking only.
func (in *args) notOfVisits(names ...string) {
	for _, name := range names {
		if in.given(name) != nil {
			in.wrong(name, "is for one booking of the visit: give the id of that booking")
		}
	}
}

// localVisit is a visit as the tools return it.
type localVisit struct {
	ID        booking.VisitID `json:"id"`
	Start     when.Instant    `json:"start"`
	End       when.Instant    `json:"end"`
	Local     string          `json:"local"`
	TimeZone  string          `json:"timeZone"`
	ManageURL string          `json:"manageUrl,omitempty"`
	Items     []visitRow      `json:"items"`

	Payment *booking.Payment `json:"payment,omitempty"`
}

// visitRow is what is told of a booking of a visit.
type visitRow struct {
	ID        booking.BookingID `json:"id"`
	EventType string            `json:"eventType"`
	Host      string            `json:"host"`
	Status    booking.Status    `json:"status"`
	Start     when.Instant      `json:"start"`
	End       when.Instant      `json:"end"`
	Local     string            `json:"local"`
}

var visitItems = list("Of a visit, vi_…: its bookings.", object("",
	must("id", text("")), must("eventType", text("")), must("host", text("Name.")), must("status", text("")),
	must("start", text("")), must("end", text("")), must("local", text(""))))

// visited returns the result of a tool that has made or changed a visit.
func visited(s *subjects.Set, a app.Actor, v booking.Visit, err error) (any, error) {
	if err != nil {
		return nil, ofServices(err)
	}
	zone := time.UTC
	if setup, err := s.Setup(a.Workspace); err == nil { // else the database is away since; the change was made
		zone = setup.Zone
	}
	local := func(at when.Instant) string { return at.Time().In(zone).Format(time.RFC3339) }
	told := localVisit{ID: v.ID, Start: v.Start, End: v.End, Local: local(v.Start), TimeZone: zone.String(), ManageURL: v.ManageURL, Payment: v.Payment}
	for i := range v.Items {
		b := &v.Items[i]
		told.Items = append(told.Items, visitRow{b.ID, b.EventType, b.Host.Name, b.Status, b.Start, b.End, local(b.Start)})
	}
	return &told, nil
}
