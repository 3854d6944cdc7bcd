package setup_test

import (
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/setup"
)

const rooms = `
workspace: {slug: salon}
resources:
  - {name: Basin 1, kind: equipment}
  - name: Basin 2
    kind: equipment
    shown: true
    timeZone: Europe/London
    weekly: {mon: ["09:00-12:00"]}
    overrides: [{date: 2026-12-24, hours: []}]
    timeOff: [{start: 2026-12-28, reason: Plumber}, {start: "2026-12-01T10:00", end: "2026-12-01T11:00", repeat: {every: 1, unit: week}}]
  - name: Quiet room
eventTypes:
  - slug: cut
    needs: [{oneOf: [basin 1, Basin 2]}, {oneOf: [Quiet room], during: work}]
`

// Resources are made before the event types that need them by their names, and what was exported applies as it is, also
// in another database and to another workspace of the same one.
func TestResourcesOfAFile(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	if got := told(apply(t, s, rooms)); !strings.HasPrefix(got, "+resource Basin 1\n+resource Basin 2\n+resource Quiet room\neventType cut.needs") {
		t.Errorf("got\n%s", got)
	}
	d, text := export(t, s, "salon")
	for _, want := range []string{"name: Basin 2", "shown: true", "timeZone: Europe/London", "- oneOf: [Basin 1, Basin 2]", "during: all", "- oneOf: [Quiet room]", "during: work"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, again := range []string{rooms, text} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("differs:\n%s", told(all))
		}
	}
	other := blank(t)
	apply(t, other, text)
	if _, copied := export(t, other, "salon"); copied != text {
		t.Errorf("copied to another database:\n%s\nwant\n%s", copied, text)
	}
	second := strings.Replace(text, "id: "+d.Workspace.ID(), "", 1)
	apply(t, s, strings.Replace(second, "slug: salon", "slug: second", 1))
	w, err := s.WorkspaceBySlug(t.Context(), "second")
	if err != nil {
		t.Fatal(err)
	}
	own, err := s.Setup(w.ID)
	if err != nil {
		t.Fatal(err)
	}
	needs := own.EventType("cut").Needs
	if len(own.Resources) != 3 || own.Resources[0].ID.String() == d.Resources[0].ID() || len(needs) != 2 || own.Resource(needs[0].OneOf[1]).Name != "Basin 2" {
		t.Errorf("the copy has %+v, %+v", own.Resources, needs)
	}
	// Two swap their names; an id names a resource, too, and null clears the needs.
	a, b := d.Resources[0].ID(), d.Resources[1].ID()
	swapped := told(apply(t, s, "workspace: {slug: salon}\nresources: [{id: "+a+", name: Basin 2}, {id: "+b+", name: Basin 1}]\neventTypes: [{slug: cut, needs: [{oneOf: ["+a+"]}]}]"))
	if !strings.Contains(swapped, "resource Basin 1.name") || !strings.Contains(swapped, "resource Basin 2.name") {
		t.Error(swapped)
	}
	if _, text := export(t, s, "salon"); !strings.Contains(text, "- oneOf: [Basin 2]") {
		t.Error(text)
	}
	apply(t, s, "workspace: {slug: salon}\neventTypes: [{slug: cut, needs: null}]")
	if _, text := export(t, s, "salon"); strings.Contains(text, "oneOf") {
		t.Error(text)
	}
	f, err := setup.Parse([]byte("workspace: {slug: salon}\nresources: [{name: quiet room, active: false}]"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, true)
	if err != nil || told(r.Differences) == "" || len(r.Left) < 2 || r.Left[2] != (setup.Unnamed{Kind: "resource", Name: "Basin 2", Active: true}) {
		t.Errorf("%v %+v", err, r)
	}
}

// Mistakes in resources and needs have their lines, and nothing is done.
func TestWrongResources(t *testing.T) {
	head := "workspace: {slug: salon}\n"
	for _, c := range []struct{ file, want string }{
		{head + "rooms: []", "line 2: rooms: there is no such field; did you mean resources?"},
		{head + "resources:\n  - kind: room", "line 3: resources[0].name: is required"},
		{head + "resources:\n  - name: X\n    kind: pool", "line 4: resources[0].kind: must be room, chair or equipment"},
		{head + "resources:\n  - name: X\n    timeZone: Mars", `line 4: resources[0].timeZone: "Mars" is no time zone`},
		{head + "resources:\n  - name: X\n    weekly: {mon: [9-12]}", "line 4: resources[0].weekly.mon[0]:"},
		{head + "resources:\n  - name: X\n    weekly: {mon: [\"18:00-17:00\"]}", "line 4: resources[0].weekly.mon[0]: 18:00-17:00 would last 23:00 hours"},
		{head + "resources:\n  - name: X\n  - name: x", "line 4: resources[1]: is the same resource as resources[0]"},
		{head + "resources:\n  - name: X\n    email: x@x.example", "line 4: resources[0].email: there is no such field"},
		{head + "resources:\n  - name: X\n    id: hs_1", `line 4: resources[0].id: "hs_1" is no id`},
		{head + "resources: [" + strings.Repeat("{name: X},", 201) + "]", "line 2: resources: at most 200"},
		{head + "eventTypes:\n  - slug: cut\n    needs:\n      - oneOf: [Basin 1, Basin 9]", `line 5: eventTypes[0].needs[0].oneOf[1]: "Basin 9" is no resource of this workspace; expected the name of one`},
		{head + "eventTypes:\n  - slug: cut\n    needs:\n      - oneOf: [Basin 1]\n        during: wait", "line 6: eventTypes[0].needs[0].during: must be all or work"},
		{head + "eventTypes:\n  - slug: cut\n    needs:\n      - {during: all}", "line 5: eventTypes[0].needs[0].oneOf: is required"},
		{head + "eventTypes:\n  - slug: cut\n    needs:\n      - oneOf: []", "line 5: eventTypes[0].needs[0].oneOf: needs at least one resource"},
		{head + "eventTypes:\n  - slug: cut\n    needs: [{oneOf: [Basin 1, BASIN 1]}]", "line 4: eventTypes[0].needs[0].oneOf[1]:"},
	} {
		t.Run(c.want, func(t *testing.T) {
			s := blank(t)
			apply(t, s, salon)
			apply(t, s, rooms)
			_, before := export(t, s, "salon")
			_, err := tryApply(t, s, c.file)
			if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if _, after := export(t, s, "salon"); after != before {
				t.Error("something was changed")
			}
		})
	}
}
