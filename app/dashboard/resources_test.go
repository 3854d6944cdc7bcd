package dashboard

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views/dash"
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

// perm is the form of a service that hosts a to c offer, with more fields.
func (w *world) perm(title string, more ...string) []string {
	slug := strings.ToLower(title)
	form := []string{"title", title, "slug", slug, "durationMinutes", "30", "slotStepMinutes", "30", "bufferBeforeMinutes", "0",
		"bufferAfterMinutes", "0", "minimumNoticeMinutes", "0", "bookingWindowDays", "60", "maxPerDay", "0", "cancellationNoticeMinutes", "0",
		"seats", "1", "payment", "on_site", "refundOnCancel", "always"}
	for _, h := range w.setup().Hosts {
		form = append(form, "hosts", h.ID.String())
	}
	return append(form, more...)
}

// together returns a start of the service at which three hosts are free, and who.
func (w *world) together(slug string) (start string, hosts []string) {
	w.T.Helper()
	free := map[string][]string{}
	for _, h := range w.setup().EventType(slug).Hosts {
		found, err := w.Availability(w.T.Context(), w.Owner, availability.Input{EventType: slug, Host: h.ID.String(),
			From: "2026-12-08T00:00:00Z", To: "2026-12-20T00:00:00Z"})
		w.Must(err)
		for _, s := range found.Slots() {
			at := s.Start.String()
			if free[at] = append(free[at], h.ID.String()); len(free[at]) == 3 {
				return at, free[at]
			}
		}
	}
	w.T.Fatal("no three hosts are free together")
	return "", nil
}

const noRoom = "no room or equipment that it needs is free"

// A service says what it needs; what a booking takes stands on its page, on the day's sheet and in the calendar's columns
// of rooms, and customers are told of what is shown to them.
func TestServicesNeedResources(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/types/new"), 200)
	b.wants(b.post("/dashboard/resources/new", "name", "Tub", "kind", "equipment", "count", "2", "always", "on"), 303)
	b.wants(b.post("/dashboard/resources/new", "name", "Cabin Red", "kind", "room", "count", "1", "shown", "on", "always", "on"), 303)
	one, two, cabin := w.thing("Tub 1").ID, w.thing("Tub 2").ID, w.thing("Cabin Red").ID
	needs := []string{"needs", "1", "needs[0]", two.String(), "needs[0]", one.String(), "needs[2]", cabin.String()}
	b.wants(b.post("/dashboard/types/new", w.perm("Perm", needs...)...), 303)
	e := w.setup().EventType("perm")
	if len(e.Needs) != 2 || !slices.Equal(e.Needs[0].OneOf, []catalog.ResourceID{two, one}) || e.Needs[1].During != catalog.DuringAll {
		t.Fatalf("it needs %+v", e.Needs)
	}
	path := "/dashboard/types/" + e.ID.String()
	ticked := func(n string, id catalog.ResourceID) string {
		return `name="needs[` + n + `]" value="` + id.String() + `" checked`
	}
	b.wants(b.get(path), 200, ticked("0", one), ticked("0", two), ticked("1", cabin), "!"+ticked("1", one), `name="needs[2]"`, "!"+`name="needs[3]"`)
	b.wants(b.post(path, w.perm("Perm")...), 303) // a form of before
	if e = w.setup().EventType("perm"); len(e.Needs) != 2 {
		t.Fatalf("it needs %+v", e.Needs)
	}
	b.wants(b.get("/dashboard/resources"), 200, "Needed for Perm")

	start, hosts := w.together("perm")
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "perm", Host: hosts[0], Start: start,
		Invitee: booking.Invitee{Name: "Mia Wave", Email: "mia@wave.example"}})
	w.Must(err)
	b.wants(b.get("/dashboard/bookings/"+booked.ID.String()), 200, "Tub 2", "Cabin Red", "Equipment")
	b.wants(b.get(strings.TrimPrefix(booked.ManageURL, w.server.URL)), 200, "Cabin Red", "!Tub 2")
	page := "/dashboard/bookings/calendar?date=" + booked.Start.Time().In(w.setup().Zone).Format("2006-01-02")
	b.wants(b.get(page), 200, "view=rooms", "data-host=")
	rooms := b.get(page + "&view=rooms&booking=" + booked.ID.String())
	b.wants(rooms, 200, "Tub 1", "Tub 2", "Cabin Red", "!data-host=", "!class=\"gap", "view=rooms", "Mia Wave")
	if n := strings.Count(rooms.body, `class="ev `); n < 2 {
		t.Errorf("the rooms' columns have %d bookings", n)
	}
	b.wants(b.get(page+"&view=rooms&span=week"), 200, "!view=rooms")
	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.get(page+"&view=rooms"), 200, "!view=rooms", "!Cabin Red")

	form := []string{"type", "perm", "host", hosts[1], "start", start, "name", "Bo Curl", "email", "bo@curl.example"}
	b.wants(b.post(dash.NewBookingPath, form...), 409, noRoom, "Bo Curl", "!name=\"override\" value=\"resource_taken\"") // the cabin is taken

	b.wants(b.post(path, w.perm("Perm", "needs", "1")...), 303)
	if e = w.setup().EventType("perm"); len(e.Needs) != 0 {
		t.Errorf("it needs %+v", e.Needs)
	}
	b.wants(b.post(dash.NewBookingPath, form...), 303)
}

// With a mouse and with a thumb: two basins are added, a service gets to need one, and the third who books a time is
// refused for want of one.
func TestBasinsByHand(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	for i, width := range []int64{1024, 390} {
		h := b.hand(width)
		name, service := []string{"Basin", "Tub"}[i], []string{"Perm", "Wave"}[i]
		w.asOwner().post("/dashboard/types/new", w.perm(service)...)
		h.open(dash.HostsPath)
		h.tap(`main a[href="` + dash.ResourcesPath + `"]`)
		h.tap(`main a[href="` + dash.NewResourcePath + `"]`)
		h.types("name", name, "count", "2")
		h.tap(`.form-end .button-main`)
		h.sees(name + " 2")
		e := w.setup().EventType(strings.ToLower(service))
		h.open(dash.TypePath(e.ID.String()))
		h.tap(`#tab-people`)
		h.tap(`#s-needs summary`)
		for _, n := range []string{" 1", " 2"} {
			h.tap(`input[name="needs[0]"][value="` + w.thing(name+n).ID.String() + `"]`)
		}
		h.tap(`.editor-form .form-end .button-main`)
		h.sees("Saved")
		start, hosts := w.together(e.Slug)
		for j, host := range hosts {
			h.open(dash.NewBookingPath + "?type=" + e.Slug + "&host=" + host + "&date=" + start[:10] + "&start=" + start)
			if j == 2 {
				at, err := time.Parse(time.RFC3339, start)
				w.Must(err)
				h.open(dash.NewBookingPath + "?type=" + e.Slug + "&host=" + host + "&date=" + start[:10] + "&at=" + at.In(w.setup().Zone).Format("15:04"))
				break
			}
			h.types("name", "Guest "+name, "email", strings.ToLower(name)+string(rune('a'+j))+"@guest.example")
			h.tap(makeIt)
			h.until(`location.pathname != "/dashboard/bookings/new"`)
			h.sees(name)
		}
		h.sees(noRoom)
	}
}

// The demo's calendar shows what is left of the wait of a colour, and what its chairs and its room are taken by.
func TestDemosCalendarHasWaitsAndRooms(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{EventType: "colour"})
	w.Must(err)
	k := found.Data[slices.IndexFunc(found.Data, func(k booking.Booking) bool { return k.Status.Live() })]
	day := "/dashboard/bookings/calendar?date=" + k.Start.Time().In(w.setup().Zone).Format("2006-01-02")
	b.wants(b.get(day), 200, `class="off off-wait`, "Free until", "view=rooms")
	b.wants(b.get(day+"&view=rooms"), 200, "Colour chair 1", "Colour chair 2", "Room upstairs", k.Invitee.Name)
}
