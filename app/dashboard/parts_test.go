package dashboard

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// A service gets its waits by its form, which says what is missing where it is missing; the calendar then shows the
// wait of a booking as free, with the way to book somebody else.
func TestPartsInTheDashboard(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/types/new"
	b.wants(b.get(page), 200, "A wait in between", `name="parts[2]"`, `!name="parts[3]"`)
	parts := func(all ...string) (form []string) {
		for n, minutes := range all {
			form = append(form, fmt.Sprintf("parts[%d]", n), minutes)
		}
		return form
	}
	b.wants(b.post(page, w.perm("Tint", parts("45", "40", "")...)...), 422, "ends with work", `value="40"`)
	b.wants(b.post(page, w.perm("Tint", parts("", "40", "35")...)...), 422, "Enter minutes above 0")
	b.wants(b.post(page, w.perm("Tint", parts("45", "40", "35")...)...), 303)
	e := w.setup().EventType("tint")
	if want := []catalog.Part{{Work: 45}, {Wait: 40}, {Work: 35}}; !slices.Equal(e.Parts, want) || e.DurationMinutes != 120 {
		t.Fatalf("%d minutes in parts %v", e.DurationMinutes, e.Parts)
	}
	b.wants(b.get("/dashboard/types/"+e.ID.String()), 200, `value="35"`, `name="parts[4]"`, `!name="parts[5]"`)

	host := e.Hosts[0].ID
	found, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "tint", Host: host.String(),
		From: "2026-12-08T00:00:00Z", To: "2026-12-20T00:00:00Z"})
	w.Must(err)
	start := found.Slots()[0].Start
	k, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "tint", Host: host.String(), Start: start.String(),
		Invitee: booking.Invitee{Name: "Mia <Lang>", Email: "mia@mail.example"}})
	w.Must(err)
	zone := w.setup().Zone
	day := "/dashboard/bookings/calendar?date=" + start.Time().In(zone).Format("2006-01-02")
	free := func(at when.Instant) string {
		return "at=" + url.QueryEscape(at.Time().In(zone).Format("2006-01-02T15:04"))
	}
	wait := k.Parts[1]
	b.wants(b.get(day), 200, `class="off off-wait`, "Free until", free(wait.Start))
	b.wants(b.post(page, w.perm("Fringe")...), 303)
	_, err = w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "fringe", Host: host.String(), Start: wait.Start.String(),
		Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}, Override: []string{"off_grid"}})
	w.Must(err)
	b.wants(b.get(day), 200, "Bo", free(wait.Start.Add(30*time.Minute)), ` off-low"`)
	b.wants(b.get("/dashboard/bookings/"+k.ID.String()), 200, "Mia &lt;Lang&gt;")

	h := w.setup().Host(host)
	own := w.does(w.served(host)...)
	b.wants(b.get(hostURL(h)+"/services"), 200, `name="eventTypes[tint].parts[2]"`, `placeholder="40"`, `!name="eventTypes[tint].durationMinutes"`)
	b.wants(b.post(hostURL(h)+"/services", append(own, "eventTypes[tint].parts[0]", "30")...), 303)
	if got := w.setup().EventType("tint").With(host); got.DurationMinutes != 105 || got.Parts[0].Work != 30 {
		t.Errorf("with %s it takes %d minutes in parts %v", h.Name, got.DurationMinutes, got.Parts)
	}
	b.wants(b.post("/dashboard/types/"+e.ID.String(), w.perm("Tint", parts("", "", "")...)...), 422, h.Name+" has a length of their own")
	b.wants(b.post(hostURL(h)+"/services", own...), 303)

	b.wants(b.post("/dashboard/types/"+e.ID.String(), w.perm("Tint", parts("", "", "")...)...), 303)
	if e = w.setup().EventType("tint"); e.Parts != nil || e.DurationMinutes != 30 {
		t.Errorf("%d minutes in parts %v", e.DurationMinutes, e.Parts)
	}
}

// Whether a service may be done in a wait is asked where another one has a wait.
func TestMayBeDoneInAWait(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/types/new"
	colour := "/dashboard/types/" + w.setup().EventType("colour").ID.String() // the only one with a wait
	b.wants(b.get(colour), 200, `!name="duringWait"`)
	b.wants(b.post(page, w.perm("Tint", "parts[0]", "45", "parts[1]", "40", "parts[2]", "35")...), 303)
	b.wants(b.get(colour), 200, `name="duringWait"`)
	b.wants(b.get(page), 200, `name="duringWait"`)
	b.wants(b.post(page, w.perm("Nails", "duringWait", "on")...), 303)
	nails := w.setup().EventType("nails")
	b.wants(b.get("/dashboard/types/"+nails.ID.String()), 200, "May be done while another service’s wait runs", `name="duringWait" value="on" checked`)
	b.wants(b.post("/dashboard/types/"+nails.ID.String(), w.perm("Nails")...), 303)
	if !nails.DuringWait || w.setup().EventType("nails").DuringWait {
		t.Error("what is ticked is not kept, or what isn't")
	}
}

// An add-on says which part it makes longer, where the service has parts: the form asks for it there only.
func TestAddOnsMakeAPartLonger(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/types/new"
	b.wants(b.get(page), 200, `name="a0.title"`, `!name="a0.part"`)
	form := w.perm("Tint", "parts[0]", "45", "parts[1]", "40", "parts[2]", "35", "a0.title", "Gloss", "a0.minutes", "10",
		"a1.title", "Long hair", "a1.minutes", "15")
	b.wants(b.post(page, append(form, "a1.part", "4")...), 422, "Add-on 2: Choose the part that it makes longer.", `name="a0.part"`)
	b.wants(b.post(page, append(form, "a1.part", "1")...), 303)
	e := w.setup().EventType("tint")
	path := "/dashboard/types/" + e.ID.String()
	chosen, err := e.Chosen(catalog.Choice{AddOns: []string{"gloss", "long_hair"}})
	w.Must(err)
	if want := []catalog.Part{{Work: 60}, {Wait: 40}, {Work: 45}}; !slices.Equal(chosen.Parts, want) {
		t.Errorf("with both it has the parts %v", chosen.Parts)
	}
	b.wants(b.get(path), 200, `name="a1.part"`, `<option value="1" selected>1. Work</option>`, `<option value="2">2. Wait</option>`,
		`<option value="0" selected>the last part</option>`)
	keeps := append(form, "a0.id", "gloss", "a1.id", "long_hair")
	b.wants(b.post(path, keeps...), 303) // a form of before it had parts
	if e = w.setup().EventType("tint"); e.AddOns[0].Part != 0 || e.AddOns[1].Part != 1 {
		t.Errorf("add-ons %+v", e.AddOns)
	}
	b.wants(b.post(path, append(keeps, "a0.part", "2", "a1.part", "0")...), 303)
	if e = w.setup().EventType("tint"); e.AddOns[0].Part != 2 || e.AddOns[1].Part != 0 {
		t.Errorf("add-ons %+v", e.AddOns)
	}
	plain := w.perm("Tint", "parts[0]", "", "a0.id", "gloss", "a0.title", "Gloss", "a0.minutes", "10", "a0.part", "2")
	b.wants(b.post(path, plain...), 303)
	if e = w.setup().EventType("tint"); e.Parts != nil || e.AddOns[0].Part != 0 {
		t.Errorf("parts %v, add-ons %+v", e.Parts, e.AddOns)
	}
	b.wants(b.get(path), 200, `!name="a0.part"`)
}

// With a mouse and with a thumb: a service with a wait gets an add-on after the others, which makes the wait longer.
func TestAddOnsPartByHand(t *testing.T) {
	w := newWorld(t)
	e := w.setup().EventType("colour")
	had := len(e.AddOns)
	b := w.browse()
	b.signIn(w)
	for n, width := range widths {
		h := b.hand(width)
		h.open("/dashboard/types/" + e.ID.String())
		h.tap(`#tab-addons`)
		h.tap(`[data-clone="addons"]`)
		row := fmt.Sprintf("a%d.", had+n+1)
		h.until(`document.querySelector('[name="` + row + `part"]')?.selectedOptions[0].text == "the last part"`)
		h.fill(row+"title", fmt.Sprintf("Gloss %d", n), row+"minutes", "10", row+"part", "2")
		h.until(`document.documentElement.scrollWidth <= innerWidth`)
		h.tap(`.editor-form .form-end .button-main`)
		h.sees("Saved")
		all := w.setup().EventType("colour").AddOns
		if len(all) != had+n+1 || all[had+n].Part != 2 || all[had+n].Minutes != 10 {
			t.Fatalf("at %d add-ons %+v", width, all)
		}
	}
}
