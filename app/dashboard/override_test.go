package dashboard

import (
	"regexp"
	"strings"
	"testing"

	"daybook/views/dash"
)

// The rules that stand against a time are named, and a button has it anyway: in a new booking for a time that is typed,
// for somebody who has just come in, in the form that moves and where the calendar refuses a drop.
func TestAnyway(t *testing.T) {
	w := newWorld(t)
	amira := w.booked("beard-trim", "10:20", "Amira Test", 1)
	ben := w.setup().Hosts[1].ID.String()
	b := w.asOwner()
	day := calendarURL + "?date=" + quietDay
	move := func(clock string, form ...string) response {
		return b.post(calendarURL+"/move", append([]string{"booking", amira.ID.String(), "start", quietDay + "T" + clock, "host", ben, "back", day}, form...)...)
	}
	const outside = `name="override" value="outside_hours"`
	b.wants(move("20:05"), 422, "isn’t at work", "Move anyway", outside)
	b.wants(move("20:05", "override", "off_grid"), 422, "Move anyway", outside)
	b.wants(move("20:05", "override", "outside_hours"), 303)
	b.wants(b.get(dash.BookingPath(amira.ID.String())), 200, "Against your rules: outside the working hours.")
	b.wants(move("12:20"), 303)
	b.wants(move("20:05", "undo", "1"), 303) // where it was is outside the hours
	w.booked("haircut", "11:15", "Ida Test", 1)
	b.wants(move("11:20"), 409, "would overlap with Ida Test", "!Move anyway")

	form := dash.BookingMovePath(amira.ID.String())
	b.wants(b.get(form+"?date="+quietDay+"&at=21:05"), 200, "Move anyway", "Against your rules: outside the working hours.", outside)
	b.wants(b.get(form+"?date="+quietDay+"&at=noon"), 200, "such as 14:30", "!Move anyway")
	b.wants(b.post(form, "start", quietDay+"T20:05:00Z"), 422, "Nothing is saved yet", "Move anyway", outside)
	b.wants(b.post(form, "start", quietDay+"T20:05:00Z", "override", "outside_hours"), 303)

	book := dash.NewBookingPath + "?type=beard-trim&host=" + ben + "&date=" + quietDay
	b.wants(b.get(book), 200, "Or any other time", "!Book anyway")
	b.wants(b.get(book+"&at=11:20"), 200, "another booking is at that time", "!Book anyway")
	b.wants(b.get(book+"&at=22:30"), 200, "Book anyway", "Against your rules: outside the working hours.", outside)
	who := []string{"type", "beard-trim", "host", ben, "start", quietDay + "T22:30:00Z", "name", "Late Guest", "email", "late@guest.example"}
	b.wants(b.post(dash.NewBookingPath, who...), 422, "Nothing is saved yet", "Book anyway", outside, "Late Guest")
	b.wants(b.post(dash.NewBookingPath, append(who, "override", "outside_hours")...), 303)

	// It is 10:12 on Saturday; a consultation must be booked an hour ahead.
	plus := between(b.get("/dashboard").body, `<li class="nav-new"><a href="`, `"`) + "&type=consultation"
	now := b.get(plus)
	b.wants(now, 200, "Now, ", "Book now", `name="start" value="2026-11-21T09:12:00Z"`, `name="override" value="in_past"`, "Next free time")
	if strings.Contains(now.body, "data-waives") || !strings.Contains(now.body, `name="override" value="too_soon"`) {
		t.Error("the page tells of rules against the time that it chose")
	}
	walkIn := []string{"type", "consultation", "start", "2026-11-21T09:12:00Z", "name", "Walk In", "email", "walk@in.example"}
	b.wants(b.post(dash.NewBookingPath, append(walkIn, overrides(now)...)...), 303)
}

// overrides are the fields of a page's form that waive rules.
func overrides(r response) (fields []string) {
	for _, found := range regexp.MustCompile(`name="override" value="(\w+)"`).FindAllStringSubmatch(r.body, -1) {
		fields = append(fields, "override", found[1])
	}
	return fields
}
