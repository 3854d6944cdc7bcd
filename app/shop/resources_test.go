package shop_test

import (
	"fmt"
	"reflect"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

func instant(t *testing.T, text string) when.Instant {
	t.Helper()
	at, err := when.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// Owners and managers make and change resources, staff see all of them, and others see none.
func TestWhoManagesResources(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx, ws := t.Context(), s.Workspace.ID
	setup, err := s.Setup(ws)
	s.Must(err)
	manager := app.Actor{Kind: booking.ByOwner, Workspace: ws, User: 2, Role: app.ManagerRole}
	staff := app.Actor{Kind: booking.ByOwner, Workspace: ws, User: 3, Role: app.StaffRole, Host: setup.Hosts[0].ID}
	key := app.Actor{Kind: booking.ByAPI, Workspace: ws, Key: 1}
	r, err := s.Shop.AddResource(ctx, manager, catalog.Resource{Name: " Room 1 "})
	s.Must(err)
	if r.ID == 0 || r.Name != "Room 1" || r.Kind != catalog.Room || !r.Active || r.Shown || r.TimeZone != s.Workspace.TimeZone || r.CreatedAt == 0 {
		t.Errorf("%+v", r)
	}
	for _, a := range []app.Actor{s.Owner, manager, staff} {
		all, err := s.Shop.Resources(a)
		one, err2 := s.Shop.Resource(a, r.ID.String())
		if err != nil || err2 != nil || len(all) != 1 || one.Name != "Room 1" {
			t.Errorf("%s sees %+v, %v, %v", a.Role, all, err, err2)
		}
	}
	other := s.Beside("other", "cyd")
	if _, err := s.Shop.Resource(other.Owner, r.ID.String()); !fault.Is(err, fault.NotFound) {
		t.Errorf("another workspace sees it: %v", err)
	}
	if _, err := s.Shop.SwitchResource(ctx, other.Owner, r.ID.String(), false); !fault.Is(err, fault.NotFound) {
		t.Errorf("another workspace switches it: %v", err)
	}
	for _, a := range []app.Actor{staff, key} {
		_, err := s.Shop.AddResource(ctx, a, catalog.Resource{Name: "Room 2"})
		_, err2 := s.Shop.ChangeResource(ctx, a, r.ID.String(), func(*catalog.Resource) error { return nil })
		_, err3 := s.Shop.SwitchResource(ctx, a, r.ID.String(), false)
		for _, err := range []error{err, err2, err3} {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s%d: %v", a.Role, a.Key, err)
			}
		}
	}
	if all, err := s.Shop.Resources(key); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a key without the area sees %v, %v", all, err)
	}
}

// A name is of one resource, whatever its case, also of one that is switched off; and there are no more than 200.
func TestNamesAndNumberOfResources(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx := t.Context()
	add := func(name string) (catalog.Resource, error) {
		return s.Shop.AddResource(ctx, s.Owner, catalog.Resource{Name: name})
	}
	first, err := add("Room 1")
	s.Must(err)
	second, err := add("Room 2")
	s.Must(err)
	_, err = s.Shop.SwitchResource(ctx, s.Owner, first.ID.String(), false)
	s.Must(err)
	_, taken := add("ROOM 1")
	_, renamed := s.Shop.ChangeResource(ctx, s.Owner, second.ID.String(), func(r *catalog.Resource) error {
		r.Name = "room 1"
		return nil
	})
	for _, err := range []error{taken, renamed} {
		if e := fault.As(err); e == nil || e.Code != fault.Conflict || e.Reason != "name_taken" || e.Field != "resource.name" {
			t.Error(err)
		}
	}
	if r, err := s.Shop.ChangeResource(ctx, s.Owner, second.ID.String(), func(r *catalog.Resource) error { r.Name = "room 2"; return nil }); err != nil || r.Name != "room 2" {
		t.Errorf("its own name in another case: %+v, %v", r, err)
	}
	for n := 3; n <= catalog.MaxResources; n++ {
		_, err := add(fmt.Sprint("Room ", n))
		s.Must(err)
	}
	if _, err := add("One more"); fault.As(err) == nil || fault.As(err).Reason != "too_many_resources" {
		t.Error(err)
	}
	if all, err := s.Shop.Resources(s.Owner); err != nil || len(all) != catalog.MaxResources || all[0].ID != first.ID {
		t.Error(len(all), err)
	}
}

// Who makes, changes and switches off a resource is in the log; what changes nothing is not. Its days off that come
// again stay whole days when only its zone is changed.
func TestResourcesAreLogged(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx := t.Context()
	off := catalog.TimeOff{Start: instant(t, "2026-11-30T23:00:00Z"), End: instant(t, "2026-12-01T23:00:00Z"),
		Repeat: &catalog.Repeat{Every: 1, Unit: catalog.Weekly}}
	r, err := s.Shop.AddResource(ctx, s.Owner, catalog.Resource{Name: "Laser", Kind: catalog.Equipment, TimeZone: "Europe/Berlin", TimeOff: []catalog.TimeOff{off}})
	s.Must(err)
	change := func(do func(*catalog.Resource)) catalog.Resource {
		t.Helper()
		r, err := s.Shop.ChangeResource(ctx, s.Owner, r.ID.String(), func(r *catalog.Resource) error { do(r); return nil })
		s.Must(err)
		return r
	}
	change(func(r *catalog.Resource) { r.Shown = true })
	change(func(r *catalog.Resource) { r.Shown = true })
	if moved := change(func(r *catalog.Resource) { r.TimeZone = "Europe/London" }); moved.TimeOff[0].Start != instant(t, "2026-12-01T00:00:00Z") {
		t.Errorf("off from %s", moved.TimeOff[0].Start)
	}
	for _, active := range []bool{false, false, true} {
		_, err := s.Shop.SwitchResource(ctx, s.Owner, r.ID.String(), active)
		s.Must(err)
	}
	log, err := s.Audit.AuditLog(ctx, s.Owner, audit.ListInput{Topic: "resource"})
	s.Must(err)
	var got []string
	for _, e := range log.Data {
		if e.Subject != r.ID.String() {
			t.Errorf("%+v", e)
		}
		got = append(got, fmt.Sprint(e.Action, e.Fields))
	}
	want := []string{"resource.changed[active]", "resource.retired[active]", "resource.changed[timeOff timeZone]", "resource.changed[shown]", "resource.created[]"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// An event type needs only resources that there are, and keeps its needs when it is copied.
func TestNeedsOfAnEventType(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx := t.Context()
	e := s.Offer("massage", 60, nil)
	r, err := s.Shop.AddResource(ctx, s.Owner, catalog.Resource{Name: "Room 1"})
	s.Must(err)
	e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{r.ID + 1}}}
	if _, err := s.Shop.SaveEventType(ctx, s.Owner, e); fault.As(err) == nil || fault.As(err).Field != "eventType.needs[0].oneOf[0]" {
		t.Error(err)
	}
	e.Needs[0].OneOf[0] = r.ID
	e, err = s.Shop.SaveEventType(ctx, s.Owner, e)
	if s.Must(err); e.Needs[0].During != catalog.DuringAll {
		t.Errorf("%+v", e.Needs)
	}
	if made, err := s.Shop.CopyEventType(ctx, s.Owner, "massage"); err != nil || !reflect.DeepEqual(made.Needs, e.Needs) {
		t.Errorf("%+v, %v", made.Needs, err)
	}
}
