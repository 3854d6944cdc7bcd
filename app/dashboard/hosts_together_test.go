package dashboard

import (
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
)

// A service says how many do it and who may be the others; a booking stands in the column of each, on both sheets of the
// day, and is moved in either column without changing who leads.
func TestServicesOfSeveralHosts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	hosts := w.setup().Hosts
	last := hosts[len(hosts)-1].ID
	b.wants(b.get("/dashboard/types/new"), 200, `name="together"`, `name="togetherOf" value="`+last.String()+`"`)
	b.wants(b.post("/dashboard/types/new", w.perm("Perm", "together", "2", "togetherOf", last.String())...), 303)
	e := w.setup().EventType("perm")
	if len(e.Needs) != 1 || e.Needs[0].Hosts != 2 || !slices.Equal(e.Needs[0].Of, []catalog.HostID{last}) {
		t.Fatalf("it needs %+v", e.Needs)
	}
	path := "/dashboard/types/" + e.ID.String()
	b.wants(b.get(path), 200, `<option value="2" selected`, `name="togetherOf" value="`+last.String()+`" checked`)
	b.wants(b.post(path, w.perm("Perm")...), 303) // a form of before
	if e = w.setup().EventType("perm"); len(e.Needs) != 1 {
		t.Fatalf("it needs %+v", e.Needs)
	}

	start, _ := w.together("perm")
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "perm", Host: hosts[0].ID.String(), Start: start,
		Invitee: booking.Invitee{Name: "Mia Wave", Email: "mia@wave.example"}})
	w.Must(err)
	page := "/dashboard/bookings/calendar?date=" + booked.Start.Time().In(w.setup().Zone).Format("2006-01-02")
	columns := func(from string) int {
		t.Helper()
		got := b.get(from)
		b.wants(got, 200, "Mia Wave")
		return strings.Count(got.body, "Mia Wave</")
	}
	if all, alone := columns(page), columns(page+"&host="+last.String()); alone == 0 || all < 2*alone {
		t.Errorf("it stands %d times in all columns, %d times in that of the second person", all, alone)
	}
	b.wants(b.get("/dashboard/bookings/"+booked.ID.String()), 200, "Together with", hosts[len(hosts)-1].Name)
	staff := w.staff(last)
	staff.wants(staff.get(page), 200, "Mia Wave")
	staff.wants(staff.get("/dashboard/bookings/"+booked.ID.String()), 200, "Mia Wave")

	to := booked.Start.Time().In(w.setup().Zone).AddDate(0, 0, 7)
	b.wants(b.post("/dashboard/bookings/calendar/move", "booking", booked.ID.String(), "start", to.Format("2006-01-02T15:04"),
		"host", last.String(), "back", page), 303)
	moved, err := w.Find(t.Context(), w.Owner, booked.ID.String())
	w.Must(err)
	if moved.Host.ID != hosts[0].ID || len(moved.Hosts) != 2 || moved.Start == booked.Start {
		t.Errorf("after the move it is done by %v at %s", moved.Hosts, moved.Start)
	}

	b.wants(b.post(path, w.perm("Perm", "together", "1")...), 303)
	if e = w.setup().EventType("perm"); len(e.Needs) != 0 {
		t.Errorf("it needs %+v", e.Needs)
	}
}
