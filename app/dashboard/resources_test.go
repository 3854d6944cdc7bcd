package dashboard

import (
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
)

// thing returns the resource of that name.
func (w *world) thing(name string) *catalog.Resource {
	w.T.Helper()
	all := w.setup().Resources
	at := slices.IndexFunc(all, func(r catalog.Resource) bool { return r.Name == name })
	if at < 0 {
		w.T.Fatalf("there is no %s", name)
	}
	return &all[at]
}

// Rooms and things are added one by one or several at once, changed, given time off and switched off by whom the
// workspace trusts with its hosts; staff only read.
func TestResources(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/resources"
	b.wants(b.get("/dashboard/hosts"), 200, page)
	b.wants(b.get(page), 200, page+"/new")
	b.wants(b.get(page+"/new"), 200, "How many", `name="always" value="on" checked`)
	form := []string{"name", "Tub <2>", "kind", "chair", "count", "6", "shown", "on", "always", "on"}
	form[5] = "51"
	b.wants(b.post(page+"/new", form...), 422, "Tub &lt;2&gt;", "50")
	form[5] = "x"
	b.wants(b.post(page+"/new", form...), 422, "Tub &lt;2&gt;")
	form[5] = "6"
	b.wants(b.post(page+"/new", form...), 303)
	b.wants(b.get(page), 200, "Tub &lt;2&gt; 1", "Tub &lt;2&gt; 6", "!Tub &lt;2&gt; 7", "shown to customers")
	form[5] = "2"
	b.wants(b.post(page+"/new", form...), 303)
	b.wants(b.get(page), 200, "Tub &lt;2&gt; 8", "!Tub &lt;2&gt; 9")
	b.wants(b.post(page+"/new", "name", "Attic", "kind", "attic", "count", "1", "always", "on"), 422, "Attic")
	b.wants(b.post(page+"/new", "name", "Attic", "kind", "room", "count", "1"), 422, "Enter the hours")
	b.wants(b.post(page+"/new", "name", "Attic", "kind", "room", "count", "1", "mon.open", "on", "mon.from", "09:00", "mon.to", "08:00"), 422, `value="08:00"`)
	b.wants(b.post(page+"/new", "name", "Attic", "kind", "room", "count", "1", "mon.open", "on", "mon.from", "09:00", "mon.to", "12:00"), 303)
	attic := w.thing("Attic")
	if attic.Kind != catalog.Room || attic.Shown || !attic.Active || attic.Weekly["mon"][0] != "09:00-12:00" || w.thing("Tub <2> 3").Weekly != nil {
		t.Errorf("%+v", attic)
	}
	one := page + "/" + attic.ID.String()
	b.wants(b.get(one), 200, `value="Attic"`, "!How many", `name="always" value="on"`, "!"+`name="always" value="on" checked`, `value="12:00"`)
	b.wants(b.post(one, "name", "tub <2> 1", "kind", "room", "always", "on"), 409, "there already", `value="tub &lt;2&gt; 1"`)
	b.wants(b.post(one, "name", "Loft", "kind", "room", "shown", "on", "always", "on"), 303)
	if loft := w.thing("Loft"); loft.ID != attic.ID || !loft.Shown || loft.Weekly != nil {
		t.Errorf("%+v", loft)
	}
	b.wants(b.post(one+"/away", "start", "2027-01-04T09:00", "end", "2027-01-04T08:00"), 422, "The end must be after the start.")
	b.wants(b.post(one+"/away", "start", "2027-01-04T09:00", "end", "2027-01-04T11:30", "reason", "Painting"), 303)
	b.wants(b.get(one+"/away"), 200, "Painting", "9:00–11:30", "!Public holidays")
	off := w.thing("Loft").TimeOff[0]
	b.wants(b.post(one+"/away/remove", "start", off.Start.String(), "end", off.End.String(), "tag", off.Tag()), 303)
	b.wants(b.get(one+"/away"), 200, "!Painting")
	b.wants(b.post(one+"/active", "active", ""), 303)
	b.wants(b.get(one), 200, "Switched off", "Switch on")
	b.wants(b.post(one+"/active", "active", "on", "list", "1"), 303)
	if !w.thing("Loft").Active {
		t.Error("still off")
	}
	b.wants(b.get(page+"/rs_0"), 404)

	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.get(page), 200, "Loft", "!"+one, "!"+page+"/new", "!Switch off")
	for _, path := range []string{one, one + "/away", page + "/new"} {
		staff.wants(staff.get(path), 403)
	}
	for _, path := range []string{one, one + "/active", one + "/away", one + "/away/remove", page + "/new"} {
		staff.wants(staff.post(path, "name", "Mine", "kind", "room", "always", "on", "count", "1", "active", ""), 403)
	}
	if strings.Contains(w.thing("Loft").Name, "Mine") {
		t.Error("staff have renamed it")
	}
}
