package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/movein"
	"daybook/app/movein/movetest"
	"daybook/app/subjects"
	"daybook/views/dash"
)

// newOtherProgram is an Easy!Appointments with two people, a service, and so many customers, each with an appointment.
func newOtherProgram(t testing.TB, appointments int) *movetest.EasyAppointments {
	type object = map[string]any
	day := object{"start": "09:00", "end": "18:00", "breaks": []any{}}
	plan := object{"monday": day, "tuesday": day, "wednesday": day, "thursday": day, "friday": day}
	o := movetest.NewEasyAppointments(t)
	o.Lists = map[string][]any{
		"services": {object{"id": 1, "name": "Massage", "duration": 60, "price": 10.5, "currency": "Taler", "attendantsNumber": 1}},
		"providers": {object{"id": 7, "firstName": "Chloe", "lastName": "Doe", "email": "chloe@doe.example", "timezone": "Europe/Berlin", "services": []int{1},
			"settings": object{"googleSync": true, "workingPlan": plan}},
			object{"id": 8, "firstName": "Max", "lastName": "Idle", "email": "max@doe.example", "timezone": "Europe/Berlin", "services": []int{}}},
		"customers": {}, "appointments": {},
		"webhooks": {object{"id": 1, "name": "CRM", "url": "https://crm.example/hook", "actions": "appointment_save", "secretToken": "hidden-secret"}},
	}
	for i := range appointments {
		start := time.Date(2026, 12, 7, 9, 0, 0, 0, time.UTC).AddDate(0, 0, i/8).Add(time.Duration(i%8) * time.Hour)
		o.Lists["customers"] = append(o.Lists["customers"], object{"id": i, "firstName": "Guest", "lastName": fmt.Sprint(i), "email": fmt.Sprintf("guest%d@mail.example", i)})
		o.Lists["appointments"] = append(o.Lists["appointments"], object{"id": 100 + i, "start": start.Format(time.DateTime), "end": start.Add(time.Hour).Format(time.DateTime),
			"customerId": i, "providerId": 7, "serviceId": 1, "status": "Booked"})
	}
	return o
}

// hangs is how long a test waits for what goes on by itself: only what hangs takes so long.
const hangs = 2 * time.Minute

// newBringWorld runs what goes on without its request, and lets pages reach this machine if allowed.
func newBringWorld(t *testing.T, allowed bool, with ...func(*subjects.Config)) (w *world, shutdown func()) {
	w = newWorld(t, func(c *subjects.Config) {
		if allowed {
			c.MoveIn.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		}
		for _, change := range with {
			change(c)
		}
	})
	loop, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { defer close(ended); w.Must(w.People.Run(loop)) }()
	shutdown = func() { stop(); <-ended }
	t.Cleanup(shutdown)
	for began := time.Now(); time.Since(began) < hangs; time.Sleep(time.Millisecond) { // until the loop runs
		if c := w.People.Beside(t.Context(), func(context.Context) {}); c != nil {
			<-c
			return w, shutdown
		}
	}
	t.Fatalf("nothing goes on without its request after %v", hangs)
	return nil, nil
}

// settled waits until the job does nothing any more, and returns its page.
func (b *visitor) settled() response {
	b.w.T.Helper()
	var job movein.Job
	for began := time.Now(); time.Since(began) < hangs; time.Sleep(5 * time.Millisecond) {
		var there bool
		var err error
		job, there, err = b.w.MoveIn.JobOf(b.w.Owner)
		b.w.Must(err)
		if !there || !job.Runs() {
			return b.get(dash.BringPath)
		}
	}
	b.w.T.Fatalf("still at it after %v: %+v", hangs, job)
	return response{}
}

const bringFromEasy = dash.BringPath + "?from=easyappointments"

// A business moves in by the pages: read, shown, taken over, and again with nothing new.
func TestBusinessMovesInByThePage(t *testing.T) {
	w, _ := newBringWorld(t, true)
	o := newOtherProgram(t, 20)
	b := w.asOwner()
	b.wants(b.get(dash.BringPath), 200, "Cal.com", "Easy!Appointments", "Calendly", dash.AppointmentsImportPath)
	b.wants(b.get(bringFromEasy), 200, `type="password"`, "!the-token")
	r := b.post(bringFromEasy, "address", o.URL, "key", "the-token")
	if r.status != 303 || strings.Contains(r.location, "token") {
		t.Fatalf("%d %s", r.status, r.location)
	}
	r = b.settled()
	b.wants(r, 200, "What would come from Easy!Appointments", "1 new team member", "1 new service", "20 new customers", "20 appointments to come", "Max Idle",
		"Does no service.", "https://crm.example/hook", "booking.created", "Import now", "!hidden-secret", "!the-token")
	if n := w.broughtIn(); n != 0 {
		t.Fatalf("the look has imported %d", n)
	}
	run := anyHidden.FindStringSubmatch(mainOf(r.body))[2]
	b.wants(b.post(dash.BringTakePath, "run", "another"), 409, "Begin again")
	b.wants(b.post(dash.BringTakePath, "run", run), 303)
	b.wants(b.settled(), 200, "Imported from Easy!Appointments", "20 appointments to come", "Max Idle", "See this import or undo it", "!Import now")
	if n := w.broughtIn(); n != 20 {
		t.Errorf("%d were imported", n)
	}
	b.wants(b.post(dash.BringTakePath, "run", run), 409, "Begin again")
	b.wants(b.post(dash.BringEndPath), 303)
	b.wants(b.get(dash.BringPath+"?run="+run), 200, "is not here any more", "Where do you come from?")
	b.wants(b.post(bringFromEasy, "address", o.URL, "key", "the-token"), 303)
	b.wants(b.settled(), 200, "There is nothing new to take over.", "20 known appointments unchanged", "!Import now")
	data := append(w.dataOf(), "Easy!Appointments", "Chloe Doe", "Max Idle", "CRM", "appointment_save", "booking.created", "booking.rescheduled")
	if left := english(shownTexts(t, b.getIn("en-US", dash.BringPath).body, false), shownTexts(t, b.getIn("de", dash.BringPath).body, false), data); len(left) > 0 {
		t.Errorf("the report has in English: %q", left)
	}
}

// broughtIn counts the imported bookings of the workspace.
func (w *world) broughtIn() (n int) {
	w.T.Helper()
	all, err := w.Reader(w.T.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 500, Descending: true})
	w.Must(err)
	for i := range all {
		if all[i].Imported != nil {
			n++
		}
	}
	return n
}

// Cal.com and Calendly are read by the page as Easy!Appointments is: a wrong key is said, a right one shows what would be done, which is
// done when asked, and then there is nothing new.
func TestCalcomAndCalendlyMoveInByThePage(t *testing.T) {
	from := time.Date(2026, 12, 7, 9, 0, 0, 0, time.UTC)
	calcom := movetest.NewCalcom(t)
	calcom.Studio()
	for i := range 12 {
		calcom.Book(i, 2, "colour", from.Add(time.Duration(i)*2*time.Hour), 90*time.Minute, []string{"upcoming", "unconfirmed"}[i%2])
	}
	calendly := movetest.NewCalendly(t)
	calendly.Studio(130, from)
	for _, c := range []struct {
		key, name, address, right, refused string
		bookings                           int
		shown                              []string
	}{
		{"calcom", "Cal.com", calcom.URL, movetest.CalcomKey, "Cal.com refuses this key. Make a new one there under Settings, Security, API keys", 12,
			[]string{"2 new team members", "3 new services", "13 new customers", "12 appointments to come", "6 of them wait for approval", "Bo Berg", "Others", "booking.rescheduled"}},
		{"calendly", "Calendly", "", movetest.Token, "Calendly refuses this token. Make a personal access token", 130,
			[]string{"2 new team members", "2 new services", "130 new customers", "130 appointments to come", "Haircut", "booking.created"}},
	} {
		w, _ := newBringWorld(t, true, func(s *subjects.Config) { s.MoveIn.Calendly = calendly.URL })
		b := w.asOwner()
		form := dash.BringPath + "?from=" + c.key
		b.wants(b.get(form), 200, `type="password"`)
		look := func(key string) response {
			t.Helper()
			b.wants(b.post(form, "address", c.address, "key", key), 303)
			return b.settled()
		}
		b.wants(look("wrong"), 200, "couldn’t be read", c.refused, "Begin again", "!Import now", "!wrong")
		r := look(c.right)
		b.wants(r, 200, append(c.shown, "What would come from "+c.name, "https://crm.example/hook", "Import now", "!hidden-", "!"+c.right)...)
		if n := w.broughtIn(); n != 0 {
			t.Fatalf("%s: the look has imported %d", c.name, n)
		}
		b.wants(b.post(dash.BringTakePath, "run", anyHidden.FindStringSubmatch(mainOf(r.body))[2]), 303)
		b.wants(b.settled(), 200, "Imported from "+c.name, fmt.Sprint(c.bookings, " appointments to come"), "See this import or undo it", "!Import now")
		if n := w.broughtIn(); n != c.bookings {
			t.Errorf("%s: %d were imported", c.name, n)
		}
		b.wants(look(c.right), 200, "There is nothing new to take over.", fmt.Sprint(c.bookings, " known appointments unchanged"), "!Import now")
	}
}

// What stands against reading is said with what to do: the key, the address, one inside the house, the end of the server.
func TestWhyABusinessDoesNotMoveIn(t *testing.T) {
	w, shutdown := newBringWorld(t, true)
	o := newOtherProgram(t, 3)
	b := w.asOwner()
	b.wants(b.post(bringFromEasy, "address", "", "key", ""), 422, "f-address-error", "f-key-error")
	b.wants(b.post(bringFromEasy, "address", "ftp://book.example", "key", "the-token"), 422, "must begin with https://", "!the-token")
	b.wants(b.post(bringFromEasy, "address", o.URL, "key", "wrong"), 303)
	b.wants(b.settled(), 200, "couldn’t be read", "The token is refused", "!Import now", "Begin again")
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") }))
	defer page.Close()
	b.wants(b.post(bringFromEasy, "address", page.URL, "key", "the-token"), 303)
	b.wants(b.settled(), 200, "Check the address")

	o.Waits = make(chan bool)
	b.wants(b.post(bringFromEasy, "address", o.URL, "key", "the-token"), 303)
	b.wants(b.get(dash.BringPath), 200, "Reading from Easy!Appointments", "<progress", "data-soon", `http-equiv="refresh"`)
	b.wants(b.post(bringFromEasy, "address", o.URL, "key", "the-token"), 409, "already")
	b.wants(b.post(dash.BringEndPath), 303)
	b.wants(b.get(dash.BringPath), 200, "Where do you come from?")
	b.wants(b.post(bringFromEasy, "address", o.URL, "key", "the-token"), 303)
	shutdown()
	b.wants(b.settled(), 200, "The server was stopped meanwhile")
	r := b.post(bringFromEasy, "address", o.URL, "key", "the-token")
	b.wants(r, 503, "Try again in a minute")
	if _, err := w.MoveIn.LookAt(t.Context(), app.Actor{Kind: booking.ByOwner, User: 1, Workspace: w.Workspace.ID, Role: app.StaffRole}, "x", nil); err == nil {
		t.Error("staff move a business in")
	}
}

// No page reaches a server inside the house that the operator doesn't allow.
func TestBusinessMovesInFromOutsideOnly(t *testing.T) {
	w, _ := newBringWorld(t, false)
	o := newOtherProgram(t, 3)
	b := w.asOwner()
	for _, address := range []string{o.URL, "https" + strings.TrimPrefix(o.URL, "http")} {
		b.wants(b.post(bringFromEasy, "address", address, "key", "the-token"), 303)
		b.wants(b.settled(), 200, "--webhook-allow", "!Import now")
	}
}

// In a browser the page follows the reading by itself, shows a long report without scrolling sideways, and takes the business over.
func TestBusinessMovesInInABrowser(t *testing.T) {
	w, _ := newBringWorld(t, true)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	o := newOtherProgram(t, 60)
	for i := range 300 {
		o.Lists["providers"] = append(o.Lists["providers"], map[string]any{"id": 1000 + i, "firstName": strings.Repeat("Donaudampfschifffahrt", 3), "lastName": fmt.Sprint(i),
			"email": fmt.Sprintf("p%d@doe.example", i), "timezone": "Europe/Berlin", "services": []int{}})
		if len(o.Lists["providers"]) == 100 {
			break
		}
	}
	o.Waits = make(chan bool)
	b := w.browse()
	axe := browser.Axe(t)
	b.look("light", 1280, 900)
	b.signIn(w)
	b.open(bringFromEasy)
	b.fill("address", o.URL, "key", "the-token")
	b.click("main form.form button[type=submit]")
	b.until("document.querySelector('progress')")
	shot(b, "bring-reading")
	close(o.Waits)
	b.until("document.querySelector('form[action$=\"/take\"] button')")
	see := func(name string) {
		t.Helper()
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1440} {
				b.look(theme, width, 844)
				if found := browser.Eval[string](t, b.ctx, broad); found != "" {
					t.Errorf("%s at %d: %s", name, width, found)
				}
				shot(b, fmt.Sprintf("%s-%d-%s", name, width, theme))
			}
		}
		browser.Accessible(t, b.ctx, axe) // in both, and leaves the light
	}
	see("bring-report")
	b.click("form[action$=\"/take\"] button")
	b.until("document.querySelector('a[href*=\"/dashboard/imports/\"]')")
	b.sees("60 kommende Termine")
	see("bring-done")
}

// A calendar file is taken like a table, once its service and person are chosen; what can't be an appointment is named.
func TestDiaryIsImportedOnThePage(t *testing.T) {
	const page = "/dashboard/contacts/import/appointments"
	w := newWorld(t)
	b := w.asOwner()
	event := func(uid, lines string) string {
		return "BEGIN:VEVENT\r\nUID:" + uid + "\r\n" + lines + "\r\nEND:VEVENT\r\n"
	}
	file := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" +
		event("a", "DTSTART:20270112T081000Z\r\nDTEND:20270112T084000Z\r\nSUMMARY:Lea Muster lea@mail.example") +
		event("b", "DTSTART;VALUE=DATE:20270113\r\nDTEND;VALUE=DATE:20270114\r\nSUMMARY:Holidays") + "END:VCALENDAR\r\n"
	r := b.upload(page, file)
	b.wants(r, 200, "A calendar file", `name="service"`, `name="host"`, "!Lea Muster")
	e, h := &w.setup().EventTypes[0], &w.setup().Hosts[0]
	draft := anyHidden.FindStringSubmatch(mainOf(r.body))[2]
	r = b.post(page, "draft", draft, "service", e.ID.String(), "host", h.ID.String())
	b.wants(r, 200, "1 appointment to come", "It takes whole days.", "Holidays", "Import 1 appointment", e.Title+" with "+h.Name, "!columns-h")
	b.wants(b.appointments(r, "do", "import"), 200, "Imported", "1 appointment to come", "Holidays")
	b.wants(b.upload(page, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"), 200, "A calendar file")
	r = b.upload(page, file)
	b.wants(b.post(page, "draft", anyHidden.FindStringSubmatch(mainOf(r.body))[2], "service", e.ID.String(), "host", h.ID.String()), 200, "1 known appointment unchanged")
}

// On the page, too, what comes again becomes an appointment for each date, and the report says which dates are not taken and why. Of one
// that was cancelled there the page asks whether it is cancelled here.
func TestDiaryThatComesAgainIsImportedOnThePage(t *testing.T) {
	const page = "/dashboard/contacts/import/appointments"
	w := newWorld(t)
	b := w.asOwner()
	e, h := &w.setup().EventTypes[0], &w.setup().Hosts[0]
	diary := func(lines string) string {
		return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:w\r\nDTSTART;TZID=Europe/Berlin:20270111T081000\r\nDURATION:PT30M\r\nSUMMARY:Lea Muster lea@mail.example\r\n" +
			"RRULE:FREQ=WEEKLY\r\n" + lines + "END:VEVENT\r\n" +
			"BEGIN:VEVENT\r\nUID:x\r\nDTSTART;TZID=Europe/Berlin:20270118T080000\r\nDURATION:PT30M\r\nSUMMARY:Cy cy@mail.example\r\nEND:VEVENT\r\n" +
			"BEGIN:VEVENT\r\nUID:s\r\nDTSTART:20270101T080000Z\r\nDURATION:PT30M\r\nSUMMARY:Bad\r\nRRULE:FREQ=SECONDLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	}
	look := func(file string) response {
		r := b.upload(page, file)
		return b.post(page, "draft", anyHidden.FindStringSubmatch(mainOf(r.body))[2], "service", e.ID.String(), "host", h.ID.String())
	}
	r := look(diary(""))
	taken := regexp.MustCompile(`Import (\d+) appointments`).FindStringSubmatch(r.body)
	if taken == nil {
		t.Fatal(mainOf(r.body))
	}
	b.wants(r, 200, taken[1]+" appointments to come", "It repeats, and its next "+taken[1]+" dates within a year are taken", "Its dates overlap each other.", "Line 2: ", "Cy", `name="since"`)
	w.Clock.Advance(time.Hour)
	b.wants(b.appointments(r, "do", "import"), 200, "Imported", taken[1]+" appointments to come", "Cy, ", "time is taken")
	r = look(diary("EXDATE;TZID=Europe/Berlin:20270125T081000\r\n"))
	n, _ := strconv.Atoi(taken[1])
	b.wants(r, 200, fmt.Sprint(n-1)+" known appointments unchanged", "Line 1: ", `name="cancel"`, "Lea Muster")
	cancel := regexp.MustCompile(`name="cancel" value="(\d+)"`).FindStringSubmatch(r.body)[1]
	b.wants(b.appointments(r, "do", "import", "cancel", cancel), 200, "1 appointment cancelled")
	in := map[string]map[string]bool{}
	for _, lang := range []string{"en-US", "de"} {
		b.languages = lang
		in[lang] = shownTexts(t, look(diary("")).body, false)
	}
	if left := english(in["en-US"], in["de"], append(w.dataOf(), "Lea Muster", "Cy", "Bad")); len(left) > 0 {
		t.Errorf("the report has in English: %q", left)
	}
}
