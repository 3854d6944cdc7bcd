package dashboard

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment/stripetest"
	"daybook/views/dash"
)

// weekLater is the time of day so many weeks after the quiet day.
func (w *world) weekLater(weeks int, clock string) string {
	w.T.Helper()
	day, err := time.Parse(time.DateOnly, quietDay)
	w.Must(err)
	at, err := time.ParseInLocation("2006-01-02T15:04", day.AddDate(0, 0, 7*weeks).Format(time.DateOnly)+"T"+clock, w.setup().Zone)
	w.Must(err)
	return at.UTC().Format(time.RFC3339)
}

// weekly books a service with a host every week from the quiet day on.
func (w *world) weekly(slug string, host, count int, clock, person string) booking.Series {
	w.T.Helper()
	made, err := w.BookSeries(w.T.Context(), w.Owner, booking.SeriesInput{EventType: slug, Host: w.setup().Hosts[host].ID.String(),
		Start: w.weekLater(0, clock), Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: count},
		Invitee: booking.Invitee{Name: person, Phone: "+49 30 " + fmt.Sprint(70000+len(person)) + clock[:2]}})
	w.Must(err)
	return made
}

// byAll has everybody do the service.
func (w *world) byAll(slug string) {
	w.T.Helper()
	w.Alter(slug, func(e *catalog.EventType) {
		e.Hosts = nil
		for i := range w.setup().Hosts {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: w.setup().Hosts[i].ID})
		}
	})
}

// statuses are those of the bookings of a series by now.
func (w *world) statuses(s booking.Series) (all []string) {
	w.T.Helper()
	now, err := w.Series(w.T.Context(), w.Owner, s.ID.String())
	w.Must(err)
	for _, b := range now.Bookings {
		all = append(all, string(b.Status)+"@"+b.Start.Time().In(w.setup().Zone).Format("15:04"))
	}
	return all
}

// A booking asks whether what was paid is refunded where any date that can be cancelled with it was; unasked, money that
// came since goes back.
func TestRefundOfASeries(t *testing.T) {
	w := newWorld(t)
	s := w.stripe()
	w.bookPaid(money.Money{Amount: 4500, Currency: "EUR"}, nil)
	b := w.asOwner()
	const asks = `name="refund"`
	var given []int64
	for i, c := range []struct {
		refund []string
		gives  int64
	}{{[]string{"asksRefund", "1"}, 0}, {[]string{"asksRefund", "1", "refund", "on"}, 4500}, {nil, 4500}} {
		made := w.weekly("paid", 0, 3, "12:00", fmt.Sprintf("Pia Paid%d", i))
		second := dash.BookingPath(made.Bookings[1].ID.String())
		b.wants(b.get(second), 200, "!"+asks)
		w.paysFor(s, made.Bookings[0], stripetest.Good)
		w.works()
		if c.refund != nil {
			b.wants(b.get(second), 200, asks, `name="asksRefund"`)
		}
		b.wants(b.post(second+"/cancel", append([]string{"scope", "all"}, c.refund...)...), 303)
		w.works()
		if got := w.statuses(made); !strings.HasPrefix(strings.Join(got, " "), "cancelled") || strings.Count(strings.Join(got, " "), "cancelled") != 3 {
			t.Errorf("%d: %v", i, got)
		}
		if c.gives > 0 {
			given = append(given, c.gives)
		}
		if got := s.Refunds(); !slices.Equal(got, given) {
			t.Errorf("%d: given back %v, want %v", i, got, given)
		}
	}
	made := w.weekly("paid", 0, 3, "12:00", "Pia Follows")
	w.paysFor(s, made.Bookings[0], stripetest.Good)
	w.works()
	w.Clock.Set(made.Bookings[0].Start.Time().Add(time.Minute))
	b = w.asOwner()
	b.wants(b.get(dash.BookingPath(made.Bookings[1].ID.String())), 200, "!"+asks) // what was paid has begun
}

// A member is offered the scopes of which they see every date, and can't change any other.
func TestStaffChangeTheDatesTheySee(t *testing.T) {
	w := newWorld(t)
	w.byAll("beard-trim")
	made := w.weekly("beard-trim", 1, 3, "11:00", "Sue Serie")
	_, err := w.Reschedule(t.Context(), w.Owner, made.Bookings[0].ID.String(), app.RescheduleInput{Start: w.weekLater(0, "11:00"),
		Host: w.setup().Hosts[0].ID.String()})
	w.Must(err)
	staff := w.staff(w.setup().Hosts[1].ID)
	second, third := made.Bookings[1].ID.String(), made.Bookings[2].ID.String()
	for _, page := range []string{dash.BookingPath(second), dash.BookingMovePath(second) + "?start=" + w.weekLater(1, "12:00")} {
		staff.wants(staff.get(page), 200, "Which dates?", "This one and the one after it", `!value="all"`)
	}
	staff.wants(staff.get(dash.BookingPath(third)), 200, "!Which dates?")
	staff.wants(staff.post(dash.BookingPath(second)+"/cancel", "scope", "all"), 404)
	staff.wants(staff.post(dash.BookingMovePath(second), "scope", "all", "start", w.weekLater(1, "12:00")), 404)
	if got := fmt.Sprint(w.statuses(made)); strings.Contains(got, "cancelled") || strings.Count(got, "11:00") != 3 {
		t.Errorf("refused, and still %s", got)
	}
	staff.wants(staff.post(dash.BookingMovePath(second), "scope", "following", "start", w.weekLater(1, "12:00")), 303)
	if got := w.statuses(made); !strings.HasSuffix(got[0], "11:00") || !strings.HasSuffix(got[1], "12:00") || !strings.HasSuffix(got[2], "12:00") {
		t.Errorf("moved: %v", got)
	}
}

// A date that has begun stays when those behind it are cancelled, which its form says, and moves by itself.
func TestSeriesFromADateThatHasBegun(t *testing.T) {
	w := newWorld(t)
	made := w.weekly("beard-trim", 1, 3, "11:00", "Sue Serie")
	w.Clock.Set(made.Bookings[0].Start.Time().Add(time.Minute))
	b := w.asOwner()
	first := made.Bookings[0].ID.String()
	b.wants(b.get(dash.BookingPath(first)), 200, "The 2 after it: this one stays", "!This one and")
	b.wants(b.get(dash.BookingMovePath(first)+"?start="+w.weekLater(0, "15:00")), 200, "!Which dates?")
	b.wants(b.post(dash.BookingPath(first)+"/cancel", "scope", "following"), 303)
	if got := fmt.Sprint(w.statuses(made)); got != "[confirmed@11:00 cancelled@11:00 cancelled@11:00]" {
		t.Error(got)
	}
}

// Another host takes over one date: with several dates the choice is refused, and isn't there.
func TestSeriesMovesWithoutAnotherHost(t *testing.T) {
	w := newWorld(t)
	w.byAll("beard-trim")
	made := w.weekly("beard-trim", 1, 3, "11:00", "Sue Serie")
	b := w.asOwner()
	host := w.setup().Hosts[0].ID.String()
	page, to := dash.BookingMovePath(made.Bookings[0].ID.String()), w.weekLater(0, "12:00")
	const says = "Another person takes over one date at a time"
	b.wants(b.get(page+"?start="+to+"&host="+host), 200, `name="scope"`, says, `!value="following"`)
	b.wants(b.post(page, "start", to, "host", host, "scope", "following"), 422, says)
	if got := strings.Count(fmt.Sprint(w.statuses(made)), "11:00"); got != 3 {
		t.Errorf("%d dates stayed", got)
	}
	again := b.post(page, "scope", "following", "time", url.Values{"date": {quietDay}, "start": {to}}.Encode())
	b.wants(again, 200, `value="following" selected`, `!<select id="f-host"`)
	b.wants(b.post(page, "start", to, "scope", "following"), 303)
}

// hiddenOf are the fields of the last form of a page that are sent along, with the ticked dates.
func hiddenOf(page string) (form []string) {
	page = page[strings.LastIndex(page, `<form method="post"`):]
	page = page[:strings.Index(page, "</form>")]
	for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form = append(form, html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	for _, m := range tickedDate.FindAllStringSubmatch(page, -1) {
		form = append(form, "on", html.UnescapeString(m[1]))
	}
	return form
}

// A series that moves against rules says of each date which, before anything moves.
func TestSeriesMovesAnyway(t *testing.T) {
	w := newWorld(t)
	made := w.weekly("beard-trim", 1, 3, "11:00", "Sue Serie")
	b := w.asOwner()
	page, early := dash.BookingMovePath(made.Bookings[0].ID.String()), w.weekLater(0, "05:00")
	asked := b.get(page + "?start=" + early)
	b.wants(asked, 200, "Move anyway", "outside the working hours")
	form := append(hiddenOf(asked.body), "scope", "following")
	told := b.post(page, form...)
	b.wants(told, 409, "3 dates can’t move there", "Move anyway", "outside the working hours")
	if got := strings.Count(fmt.Sprint(w.statuses(made)), "11:00"); got != 3 {
		t.Errorf("%d dates stayed", got)
	}
	soon := w.Clock.Now().Add(24*time.Hour).Format("2006-01-02") + "T03:00:00Z" // the first one would have been weeks ago
	over := b.post(dash.BookingMovePath(made.Bookings[2].ID.String()), "start", soon, "scope", "all")
	b.wants(over, 409, "that day is over", "!Move anyway")
	sent := hiddenOf(told.body)
	b.wants(b.post(page, append(slices.Clone(sent), "scope", "all")...), 409) // other dates than were told
	b.wants(b.post(page, append(sent, "scope", "following")...), 303)
	if got := strings.Count(fmt.Sprint(w.statuses(made)), "05:00"); got != 3 {
		t.Errorf("%d dates moved", got)
	}
}

// A series that is booked anyway says of each date which rules are set aside for it; another date or time can be named for
// each.
func TestSeriesIsBookedAnyway(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	ben := w.setup().Hosts[1].ID.String()
	start := w.weekLater(0, "05:00")
	form := []string{"type", "beard-trim", "host", ben, "start", start, "name", "Sue Serie", "phone", "+49 30 7777", "every", "1", "unit", "week", "times", "3"}
	shown := b.post(dash.NewBookingPath, append(form, "show", "1")...)
	b.wants(shown, 200, "0 of 3 dates fit", "Book anyway", "!Book these dates")
	if n := strings.Count(shown.body, "Against your rules: outside the working hours."); n != 4 { // of the time, and of each date
		t.Errorf("the rule is told %d times", n)
	}
	sent := append(append(hiddenOf(shown.body), form[6:]...), form[:2]...)
	b.wants(b.post(dash.NewBookingPath, append(slices.Clone(sent), "other."+w.weekLater(1, "05:00"), w.weekLater(1, "11:00")[:11]+"11:00")...), 303)
	if got := w.series("Sue"); !slices.Equal(got, []string{start, w.weekLater(1, "11:00"), w.weekLater(2, "05:00")}) {
		t.Errorf("booked %v", got)
	}
	fits := b.post(dash.NewBookingPath, "type", "beard-trim", "host", ben, "start", w.weekLater(0, "13:00"), "every", "1", "unit", "week", "times", "3", "show", "1")
	b.wants(fits, 200, "3 of 3 dates fit", "Book these dates", "!Against your rules", "!Book anyway")
}

// The dates that are shown are of a service, a host and add-ons, and say so: with others they are shown anew.
func TestDatesAreOfWhatWasShown(t *testing.T) {
	w := newWorld(t)
	w.asking()
	b := w.asOwner()
	w.byAll("beard-trim")
	form := func(host, slug string, more ...string) []string {
		return append([]string{"type", slug, "host", host, "start", w.weekLater(0, "11:00"), "name", "Sue Serie", "phone", "+49 30 7777", "every", "1",
			"unit", "week", "times", "3"}, more...)
	}
	ben, other := w.setup().Hosts[1].ID.String(), w.setup().Hosts[0].ID.String()
	shown := b.post(dash.NewBookingPath, form(ben, "beard-trim", "addOns", "oil", "show", "1")...)
	e := w.setup().EventType("beard-trim")
	b.wants(shown, 200, "3 of 3 dates fit", e.Title+" + Oil · "+w.setup().Hosts[1].Name)
	var dates []string
	all := hiddenOf(shown.body)
	for i := 0; i < len(all); i += 2 {
		if slices.Contains([]string{"on", "of", "repeated", "listed"}, all[i]) {
			dates = append(dates, all[i:i+2]...)
		}
	}
	for name, c := range map[string][]string{"host": form(other, "beard-trim", "addOns", "oil"), "add-ons": form(ben, "beard-trim"),
		"service": form(ben, "haircut")} {
		b.wants(b.post(dash.NewBookingPath, append(c, dates...)...), 200, "dates fit", "Sue Serie")
		if got := w.series("Sue"); got != nil {
			t.Fatalf("another %s, and booked %v", name, got)
		}
	}
	b.wants(b.post(dash.NewBookingPath, append(form(ben, "beard-trim", "addOns", "oil"), dates...)...), 303)
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Q: "Sue Serie"})
	w.Must(err)
	for _, k := range found.Data {
		if len(k.AddOns) != 1 || k.Host.ID.String() != ben {
			t.Errorf("booked with %s and %v", k.Host.Name, k.AddOns)
		}
	}
}

// Again in some weeks is all that it was: add-ons, seats, and each service of a visit with its host.
func TestAgainIsTheSame(t *testing.T) {
	w := newWorld(t)
	w.asking()
	e := *w.setup().EventType("haircut")
	group := e
	group.ID, group.Slug, group.Title, group.Seats, group.Picture = 0, "class", "Class", 8, 0
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, group)
	w.Must(err)
	b, again := w.asOwner(), regexp.MustCompile(`href="([^"]*)"[^>]*>Again in 6 weeks`)
	link := func(id booking.BookingID) string {
		t.Helper()
		m := again.FindStringSubmatch(b.get(dash.BookingPath(id.String())).body)
		if m == nil {
			t.Fatal("it isn't offered again")
		}
		return html.UnescapeString(m[1])
	}
	ben := w.setup().Hosts[1].ID.String()
	one, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "beard-trim", Start: w.weekLater(0, "10:00"), Host: ben, AddOns: []string{"oil", "towel"},
		Invitee: booking.Invitee{Name: "Rita Regel"}})
	w.Must(err)
	seats, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "class", Start: w.weekLater(0, "15:00"), Seats: 3, Participants: []string{"Ann", "Bob"},
		Invitee: booking.Invitee{Name: "Gina Group", Email: "gina@mail.example"}})
	w.Must(err)
	visit, err := w.BookVisit(t.Context(), w.Owner, booking.VisitInput{Start: w.weekLater(1, "11:00"), Invitee: booking.Invitee{Name: "Vera Visit"},
		Items: []booking.VisitItem{{EventType: "haircut"}, {EventType: "beard-trim", Host: ben, AddOns: []string{"oil"}}}})
	w.Must(err)
	b.wants(b.get(link(one.ID)), 200, "Rita Regel", `value="oil" checked`, `value="towel" checked`)
	b.wants(b.get(link(seats.ID)), 200, "Gina Group", `name="seats" value="3"`, "Ann\nBob")
	page := b.get(link(visit.Items[1].ID))
	b.wants(page, 200, "Vera Visit", `value="oil" checked`, `value="`+w.weekLater(7, "11:00")+`"`)
	for n, k := range visit.Items {
		q, err := url.Parse(link(visit.Items[1].ID))
		w.Must(err)
		suffix := []string{"", "2"}[n]
		if q.Query().Get("type"+suffix) != k.EventType || q.Query().Get("host"+suffix) != k.Host.ID.String() {
			t.Errorf("service %d: %v", n, q.Query())
		}
	}
	w.Alter("haircut", func(e *catalog.EventType) { e.Active = false })
	b.wants(b.get(dash.BookingPath(visit.Items[1].ID.String())), 200, "!Again in 6 weeks")
}
