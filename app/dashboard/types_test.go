package dashboard

import (
	"regexp"
	"strings"
	"testing"

	"daybook/app/catalog"
)

// An event type is made, changed, moved, copied and switched off by its forms; what was typed comes back when it is
// refused.
func TestEventTypeForm(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	host := w.setup().Hosts[0].ID.String()
	typed := func(more ...string) []string {
		return append([]string{"title", "Perm", "slug", "perm", "description", "Curls.", "durationMinutes", "45", "slotStepMinutes", "45", "bufferBeforeMinutes", "0",
			"bufferAfterMinutes", "10", "minimumNoticeMinutes", "30", "bookingWindowDays", "60", "maxPerDay", "0", "cancellationNoticeMinutes", "0", "seats", "1",
			"price", "45.50", "payment", "on_site", "refundOnCancel", "always", "hosts", host, "reminderMinutes", "60", "requiresApproval", "on", "duringWait", "on"}, more...)
	}
	find := func(slug string) *catalog.EventType {
		t.Helper()
		all := w.setup().EventTypes
		for i := range all {
			if all[i].Slug == slug {
				return &all[i]
			}
		}
		t.Fatalf("there is no event type %s", slug)
		return nil
	}
	res := b.post("/dashboard/types/new", typed()...)
	if res.status != 303 {
		t.Fatal(res.status, res.body)
	}
	e := find("perm")
	if e.Title != "Perm" || e.DurationMinutes != 45 || e.BufferAfterMinutes != 10 || e.Price == nil || e.Price.Amount != 4550 || !e.RequiresApproval || !e.DuringWait ||
		len(e.ReminderMinutes) != 1 || e.ReminderMinutes[0] != 60 || len(e.Hosts) != 1 {
		t.Errorf("made %+v", e)
	}
	// The form says what its step wastes.
	path := "/dashboard/types/" + e.ID.String()
	b.wants(b.get(path), 200, "A start every 45 minutes leaves 35 minutes empty after each booking on a full day")

	// Refused, the form has what was typed.
	wrong := typed()
	wrong[1], wrong[7] = "Long perm", "x"
	res = b.post(path, wrong...)
	if res.status != 422 && res.status != 400 || !strings.Contains(res.body, "Long perm") || find("perm").Title != "Perm" {
		t.Error(res.status, find("perm").Title)
	}
	right := typed()
	right[1], right[9] = "Long perm", "15"
	b.wants(b.post(path, right...), 303)
	if find("perm").Title != "Long perm" {
		t.Error("not changed")
	}
	b.wants(b.get(path), 200, "!leaves 35 minutes empty")

	order := func() (slugs string) {
		for _, e := range w.setup().EventTypes {
			slugs += e.Slug + " "
		}
		return slugs
	}
	first := "/dashboard/types/" + find("haircut").ID.String()
	for _, m := range []struct{ path, by, want string }{
		{first + "/move", "1", "beard-trim haircut blow-dry colour balayage consultation braiding-workshop bridal perm "},
		{first + "/move", "99", "beard-trim blow-dry haircut colour balayage consultation braiding-workshop bridal perm "},
		{path + "/move", "-1", "beard-trim blow-dry haircut colour balayage consultation braiding-workshop bridal perm "}, // the only one without a category
		{first + "/move", "-2", "haircut beard-trim blow-dry colour balayage consultation braiding-workshop bridal perm "},
		{first + "/category", "1", "colour balayage haircut beard-trim blow-dry consultation braiding-workshop bridal perm "},
		{path + "/category", "-1", "colour balayage haircut beard-trim blow-dry consultation braiding-workshop bridal perm "},
		{first + "/category", "x", "colour balayage haircut beard-trim blow-dry consultation braiding-workshop bridal perm "},
		{first + "/category", "9", "colour balayage consultation braiding-workshop bridal haircut beard-trim blow-dry perm "},
	} {
		b.wants(b.post(m.path, "by", m.by), 303)
		if order() != m.want {
			t.Errorf("%s by %s: the order is %s", m.path, m.by, order())
		}
	}
	b.wants(b.post(path+"/price", "price", "x"), 422, `value="x"`, "amount such as 45", `autofocus`)
	b.wants(b.post(path+"/price", "price", "47,50"), 303)
	if p := find("perm").Price; p == nil || p.Amount != 4750 {
		t.Errorf("costs %v", p)
	}
	count := len(w.setup().EventTypes)
	b.wants(b.post(path+"/copy"), 303)
	if len(w.setup().EventTypes) != count+1 {
		t.Error("not copied")
	}
	b.wants(b.post(path+"/switch"), 303)
	if find("perm").Active {
		t.Error("still active")
	}
	b.wants(b.post("/dashboard/types/et_0000000000000/copy"), 404)
}

// A span is shown in the unit that people use, and any that is stored comes back from the form as it was.
func TestSpansComeBack(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := w.setup().EventTypes[0]
	path := "/dashboard/types/" + e.ID.String()
	field := func(body, name string) (number, unit string) {
		t.Helper()
		n := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(body)
		u := regexp.MustCompile(`name="` + name + `\.unit".*?<option value="(\w+)" selected`).FindStringSubmatch(body)
		if n == nil || u == nil {
			t.Fatalf("the form has no %s", name)
		}
		return n[1], u[1]
	}
	for _, c := range []struct {
		minutes      int
		number, unit string
	}{{0, "0", "minutes"}, {1, "1", "minutes"}, {60, "60", "minutes"}, {90, "90", "minutes"}, {720, "12", "hours"}, {1440, "24", "hours"}, {1500, "25", "hours"},
		{2880, "2", "days"}, {2881, "2881", "minutes"}, {365 * 1440, "365", "days"}} {
		e.MinimumNoticeMinutes = c.minutes
		var err error
		e, err = w.Shop.SaveEventType(t.Context(), w.Owner, e)
		w.Must(err)
		number, unit := field(b.get(path).body, "minimumNoticeMinutes")
		if number != c.number || unit != c.unit {
			t.Errorf("%d minutes are shown as %s %s", c.minutes, number, unit)
		}
		form := []string{"title", e.Title, "slug", e.Slug, "durationMinutes", "45", "bookingWindowDays", "60", "seats", "1", "payment", "on_site",
			"refundOnCancel", "never", "hosts", e.Hosts[0].ID.String(), "minimumNoticeMinutes", number, "minimumNoticeMinutes.unit", unit}
		b.wants(b.post(path, form...), 303)
		if e = *w.setup().EventTypeByID(e.ID); e.MinimumNoticeMinutes != c.minutes {
			t.Errorf("%d minutes came back as %d", c.minutes, e.MinimumNoticeMinutes)
		}
		form[len(form)-3], form[len(form)-1] = "1,5", "hours"
		b.wants(b.post(path, form...), 303)
		if n := w.setup().EventTypeByID(e.ID).MinimumNoticeMinutes; n != 90 {
			t.Errorf("1,5 hours are %d minutes", n)
		}
		form[len(form)-3], form[len(form)-1] = "400", "days"
		b.wants(b.post(path, form...), 422, "Please enter 0\u00a0min to 365 days.", `value="400"`, `<option value="days" selected`)
	}
}

// The colour of an event type is one of the calendar's, which draws its bookings in it.
func TestColorOfAnEventType(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := w.setup().EventTypes[0]
	path := "/dashboard/types/" + e.ID.String()
	const day = "/dashboard/bookings/calendar?date=2026-11-24"
	const brown = "hue-7"
	b.wants(b.get(day), 200, "hue-0", "!"+brown)
	form := []string{"title", e.Title, "slug", e.Slug, "durationMinutes", "45", "bookingWindowDays", "60", "seats", "1", "payment", "on_site",
		"refundOnCancel", "never", "hosts", e.Hosts[0].ID.String(), "color", "mauve"}
	b.wants(b.post(path, form...), 422, `href="#f-color"`)
	form[len(form)-1] = "brown"
	b.wants(b.post(path, form...), 303)
	b.wants(b.get(path), 200, `value="brown" checked`)
	b.wants(b.get(day), 200, brown)
}
