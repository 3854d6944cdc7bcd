package dashboard

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/booking"
)

func TestHosts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	h := w.setup().Hosts[0]
	b.wants(b.get("/dashboard/hosts"), 200, h.Name, hostURL(&h), "/dashboard/hosts/new")
	form := []string{"name", "Room <2>", "email", "room@", "timeZone", "Europe/Berlin", "mon.from", "09:00", "mon.to", "12:00", "mon.from", "13:00", "mon.to", "17:00", "tue.from", "", "tue.to", ""}
	b.wants(b.post("/dashboard/hosts/new", form...), 422, `value="room@"`, "Room &lt;2&gt;", `value="13:00"`)
	form[3] = strings.ToUpper(h.Email)
	b.wants(b.post("/dashboard/hosts/new", form...), 409, "already", `value="`+form[3]+`"`)
	form[3] = "room@salon.example"
	r := b.post("/dashboard/hosts/new", form...)
	b.wants(r, 303)
	page := strings.TrimSuffix(r.location, "?said=created")
	b.wants(b.get(page), 200, "Room &lt;2&gt;", "Deactivate")
	hours := page + "/hours"
	b.wants(b.get(hours), 200, `value="13:00"`)
	b.wants(b.post(hours, "timeZone", "Mars/Base"), 422, "Mars/Base")
	b.wants(b.post(hours, "timeZone", "Europe/Berlin", "wed.from", "10:00", "wed.to", "11:00", "wed.from", "10:30", "wed.to", "12:00"), 422, "overlap", `value="10:30"`)
	b.wants(b.post(hours, "timeZone", "Europe/Berlin", "wed.from", "22:00", "wed.to", "00:00"), 303)
	b.wants(b.post(page, "name", "Room", "email", "room@salon.example", "about", ""), 303)
	room := w.setup().HostByEmail("room@salon.example")
	if got := room.Weekly; len(got) != 1 || got["wed"][0] != "22:00-24:00" || room.Name != "Room" {
		t.Errorf("%v %s", got, room.Name)
	}
	b.wants(b.post(page+"/active", "active", ""), 303)
	b.wants(b.get(page), 200, "Deactivated", "Activate")
	b.wants(b.post(page+"/active", "active", "on"), 303)
	if !w.setup().HostByEmail("room@salon.example").Active {
		t.Error("still off")
	}
}

func TestDaysThatDiffer(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	h := w.setup().Hosts[0]
	page := hostURL(&h)
	b.wants(b.get(page+"/dates?month=2026-12"), 200, "December 2026", "Choose a day")
	b.wants(b.get(page+"/dates?date=nonsense&month=-1"), 200, "November 2026")
	b.wants(b.get(page+"/dates?date=2026-12-21"), 200, "Weekly hours: ", `value="2026-12-21"`)
	b.wants(b.post(page+"/dates", "date", "2026-12-21", "mode", "hours", "day.from", "09:00", "day.to", "12:00", "day.from", "11:00", "day.to", "13:00"), 422, "overlap", `value="11:00"`)
	b.wants(b.post(page+"/dates", "date", "2026-12-21", "mode", "hours", "day.from", "", "day.to", ""), 422, "Enter the hours, or choose")
	b.wants(b.post(page+"/dates", "date", "2026-12-21", "mode", "closed", "until", "2026-12-20"), 422, "first day")
	b.wants(b.post(page+"/dates", "date", "2026-12-21", "mode", "closed", "until", "2099-12-20"), 422, "first day")
	b.wants(b.post(page+"/dates", "date", "2026-12-21", "mode", "hours", "day.from", "09:00", "day.to", "12:00", "until", "2026-12-23"), 303)
	b.wants(b.get(page+"/dates?date=2026-12-23"), 200, "changed", "Special days", `value="12:00"`)
	b.wants(b.post(page+"/dates", "date", "2026-12-22", "mode", "usual"), 303)
	days := []string{}
	for _, o := range w.setup().Hosts[0].Overrides {
		if strings.HasPrefix(o.Date, "2026-12-2") {
			days = append(days, o.Date)
		}
	}
	if got := strings.Join(days, " "); !strings.HasPrefix(got, "2026-12-21 2026-12-23") {
		t.Error(got)
	}
}

func TestTimeOff(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	h := w.setup().Hosts[0]
	page := hostURL(&h) + "/away"
	before := len(h.TimeOff)
	b.wants(b.get(page), 200, "Add time off")
	b.wants(b.post(page, "start", "2027-01-04T09:00", "end", "2027-01-04T09:00", "reason", "Dentist"), 422, "The end must be after the start.", `value="Dentist"`)
	b.wants(b.post(page, "start", "", "end", "x", "reason", "Dentist"), 422, "Enter a day and a time.")
	b.wants(b.post(page, "start", "2027-01-04T09:00", "end", "2027-01-04T11:30", "reason", "Dentist"), 303)
	b.wants(b.get(page), 200, "Dentist", "9:00–11:30")
	if got := w.setup().Hosts[0].TimeOff; len(got) != before+1 {
		t.Fatal(got)
	}
	b.wants(b.post(page+"/remove", "start", "2027-01-04T08:00:00Z", "end", "2027-01-04T10:30:00Z"), 303)
	b.wants(b.get(page), 200, "!Dentist")
}

// Bookings that lie in a time off are listed with links, right after it was saved and for as long as they stand.
func TestTimeOffListsWhatIsBookedInIt(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	page, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed"})
	w.Must(err)
	hit := page.Data[slices.IndexFunc(page.Data, func(b booking.Booking) bool { return b.EventType != "braiding-workshop" })] // which others share
	h := w.setup().Host(hit.Host.ID)
	link := `href="/dashboard/bookings/` + hit.ID.String() + `"`
	away := hostURL(h) + "/away"
	b.wants(b.get(away), 200, "!"+link)
	local := func(at time.Time) string { return at.In(h.Location()).Format("2006-01-02T15:04") }
	half := hit.Start.Time().Add(hit.End.Time().Sub(hit.Start.Time()) / 2) // it only meets the booking's end
	saved := b.post(away, "start", local(half), "end", local(hit.End.Time().Add(time.Minute)), "reason", "Dentist")
	b.wants(saved, 303)
	b.wants(b.get(saved.location), 200, "1 booking in this time", link, hit.Invitee.Name, hit.Invitee.Email, "/move")
	b.wants(b.get(away), 200, "Dentist", "1 booking is in this time")
	list := strings.TrimSuffix(saved.location, "&said=saved")
	if other := b.get(strings.Replace(list, "tag=", "tag=x", 1)); strings.Contains(other.body, link) {
		t.Error("another entry of the same span lists the bookings of this one")
	}
	b.wants(b.post(list, "message", "I am ill"), 422, "Choose at least one", "I am ill")
	b.wants(b.post(list, "booking", "bk_0", "message", "I am ill"), 422, "Choose at least one") // one that isn't in the list
}

// Everybody's time off and the public holidays are set on one page; a host may work on holidays.
func TestClosedForEverybody(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/hosts/all/away"
	b.wants(b.get("/dashboard/hosts"), 200, page)
	b.wants(b.post(page+"/holidays", "holidays", ""), 303)
	b.wants(b.get(page), 200, "Closed for everybody", "Germany · Berlin", "!Good Friday")
	b.wants(b.post(page+"/holidays", "holidays", "DE-XX"), 422, "notice-bad", "Please choose a region")
	b.wants(b.post(page+"/holidays", "holidays", "DE-BE"), 303)
	b.wants(b.get(page), 200, "Good Friday", `value="DE-BE" selected`)
	b.wants(b.post(page, "start", "2027-01-05T14:00", "end", "2027-01-05T16:00", "reason", "Team meeting", "repeat", "2weeks", "days", "tue", "days", "thu", "until", "2026-01-01"),
		422, "The last day must not be before the star", "Team meeting")
	b.wants(b.post(page, "start", "2027-01-05T14:00", "end", "2027-01-05T16:00", "reason", "Team meeting", "repeat", "2weeks", "days", "tue", "days", "thu", "until", "2027-06-30"), 303)
	b.wants(b.get(page), 200, "Team meeting", "Every other week · Tue, Thu · until")
	h := w.setup().Hosts[0]
	day := func(d int) time.Time { return time.Date(2027, 1, d, 0, 0, 0, 0, h.Location()) }
	if away := h.Away(day(5), day(23)); len(away) != 4 || away[3].Reason != "Team meeting" || !away[3].Everybody {
		t.Errorf("away %v", away)
	}
	calendar := "/dashboard/bookings/calendar?date=2027-01-05"
	key := h.ID.String() + "~2027-01-05T13:00:00Z~2027-01-05T15:00:00Z"
	b.wants(b.get(calendar+"&away="+url.QueryEscape(key)), 200, "Team meeting", "Remove only this one", "Remove all of them")
	b.wants(b.post("/dashboard/bookings/calendar/free", "away", key, "one", "1", "back", calendar), 303)
	if away := w.setup().Hosts[0].Away(day(5), day(23)); len(away) != 3 {
		t.Errorf("without the first: away %v", away)
	}
	kind := w.setup().EventTypes[0]
	host := w.setup().Host(kind.Hosts[0].ID)
	why := hostURL(host) + "/why?type=" + kind.Slug + "&date=2027-01-01"
	b.wants(b.get(why), 200, "Public holiday: New Year’s Day")
	b.wants(b.get(hostURL(host)+"/away"), 200, "Works on public holidays", "Good Friday")
	b.wants(b.post(hostURL(host)+"/away/holidays", "works", "on"), 303)
	b.wants(b.get(why), 200, "!Public holiday")
	staff := w.staff(host.ID)
	staff.wants(staff.get(page), 404)
	staff.wants(staff.post(page, "start", "2027-01-05", "end", "2027-01-05"), 404)
	staff.wants(staff.post(page+"/holidays", "holidays", ""), 404)
}

func TestWhyIsThisTimeClosed(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	kind := w.setup().EventTypes[0]
	h := w.setup().Host(kind.Hosts[0].ID)
	_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, h.ID.String(), "2026-12-01T09:00", "2026-12-01T11:00", "Dentist")
	w.Must(err)
	_, err = w.Shop.SetOverride(t.Context(), w.Owner, h.ID.String(), "2026-12-01", "", []string{"08:00-18:00"})
	w.Must(err)
	page := hostURL(h) + "/why"
	b.wants(b.get(page), 200, "Why is this time closed?", kind.Title)
	b.wants(b.get(page+"?type="+kind.Slug+"&date=2026-12-01"), 200, "Time off", "Dentist", "hours of its own", "Open")
	b.wants(b.get(page+"?type="+kind.Slug+"&date=2026-11-01"), 200, "The day is over")
	b.wants(b.get(page+"?type="+kind.Slug+"&date=x"), 422, "Please choose a day.")
	b.wants(b.get(page+"?type=nothing&date=2026-12-01"), 404)
	b.wants(b.post(hostURL(h)+"/active", "active", ""), 303)
	b.wants(b.get(page+"?type="+kind.Slug+"&date=2026-12-01"), 422, "doesn’t offer")
}

func TestAvailabilityKeepsToItsOwn(t *testing.T) {
	w := newWorld(t)
	mine, other := w.setup().Hosts[0], w.setup().Hosts[1]
	staff, stranger := w.staff(mine.ID), w.stranger()
	staff.wants(staff.get("/dashboard/hosts"), 200, mine.Name, "!"+other.Name, "!/dashboard/hosts/new")
	staff.wants(staff.get("/dashboard/hosts/new"), 403)
	staff.wants(staff.post("/dashboard/hosts/new", "name", "x"), 403)
	staff.wants(staff.post(hostURL(&mine)+"/active", "active", ""), 403)
	staff.wants(staff.get(hostURL(&mine)), 200, "!Deactivate")
	staff.wants(staff.post(hostURL(&mine), "name", "Evil", "email", "evil@salon.example", "about", "Kind"), 303)
	staff.wants(staff.post(hostURL(&mine)+"/hours", "timeZone", mine.TimeZone, "mon.from", "10:00", "mon.to", "11:00"), 303)
	if h := w.setup().Host(mine.ID); h.Name != mine.Name || h.Email != mine.Email || h.Weekly["mon"][0] != "10:00-11:00" {
		t.Errorf("%+v", h)
	}
	forms := map[string][]string{
		"": {"name", "x", "email", "x@x.example"}, "/hours": {"timeZone", "UTC"}, "/calendar": {"whenCalendarUnknown", "refuse"}, "/dates": {"date", "2026-12-01", "mode", "closed"}, "/away": {"start", "2026-12-01", "end", "2026-12-02"},
		"/away/remove": {"start", "2026-12-01T00:00:00Z", "end", "2026-12-02T00:00:00Z"},
	}
	for path, form := range forms {
		for _, b := range []*visitor{staff, stranger} {
			b.wants(b.post(hostURL(&other)+path, form...), 404)
		}
	}
	stranger.wants(stranger.post(hostURL(&other)+"/active", "active", ""), 404)
	for _, path := range []string{"", "/hours", "/calendar", "/dates", "/away", "/why"} {
		for _, b := range []*visitor{staff, stranger} {
			b.wants(b.get(hostURL(&other)+path), 404)
		}
	}
	nobody := w.browser()
	nobody.wants(nobody.get("/dashboard/hosts"), 303)
	if h := w.setup().Host(other.ID); !h.Active || len(h.Overrides) != len(other.Overrides) {
		t.Errorf("%+v", h)
	}
}

// A day is closed by its switch and keeps its hours in the form; without scripts the hours of a day are copied to
// others by a button that saves nothing.
func TestHoursAreSwitchedAndCopied(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	h := w.setup().Hosts[0]
	page := hostURL(&h) + "/hours"
	form := []string{"timeZone", h.TimeZone, "mon.switch", "on", "mon.from", "07:15", "mon.to", "11:45",
		"tue.switch", "on", "tue.open", "on", "tue.from", "08:30", "tue.to", "12:30", "tue.from", "13:30", "tue.to", "18:30"}
	b.wants(b.post(page, append(form, "wed.switch", "on", "wed.open", "on", "wed.from", "", "wed.to", "")...), 422,
		`href="#f-wed"`, `value="07:15"`, `name="tue.open" value="on" checked`, `!name="mon.open" value="on" checked`)
	b.wants(b.post(page, append(form, "copy", "tue", "copy.tue", "mon", "copy.tue", "fri")...), 200,
		`name="mon.open" value="on" checked`, `name="fri.open" value="on" checked`, `!value="07:15"`)
	if got := w.setup().Hosts[0].Weekly["mon"]; !slices.Equal(got, h.Weekly["mon"]) {
		t.Errorf("copying saved %v", got)
	}
	b.wants(b.post(page, form...), 303)
	if got := w.setup().Hosts[0].Weekly; len(got) != 1 || len(got["tue"]) != 2 {
		t.Errorf("saved %v", got)
	}
	b.wants(b.get(page), 200, `name="tue.open" value="on" checked`, `!name="mon.open" value="on" checked`)
}
