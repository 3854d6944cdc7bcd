package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/movein"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

// appointments is a table of appointments of Ana, an hour each, from lines of a start, a service, a first name and an id.
func appointments(lines ...string) []byte {
	all := "Start,Duration,Service,Provider,Name,E-mail,Id\n"
	for _, line := range lines {
		p := strings.Split(line, ",")
		all += fmt.Sprintf("%s,60,%s,Ana,%s,%s@mail.example,%s\n", p[0], p[1], p[2], strings.ToLower(p[2]), p[3])
	}
	return []byte(all)
}

// kept are the rows of all tables that an undone import leaves as they were.
func (w *world) kept() string {
	w.T.Helper()
	var all []string
	for line := range strings.SplitSeq(w.everything(), "\n") {
		table, _, _ := strings.Cut(line, " ")
		if slices.Contains([]string{"bookings", "booking_history", "booking_spans", "booking_others", "contacts", "contact_terms", "event_types",
			"imported_bookings", "mails", "calendar_copies"}, table) {
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}

// takesBack undoes an import of appointments, and returns what stays and why.
func (w *world) takesBack(p movein.Preview) (im contact.Import, stays map[string]contact.Outcome) {
	w.T.Helper()
	return w.undoes(contact.Imported{ID: p.ID})
}

// An import of appointments that nobody touched is undone without a trace: bookings with their history, customers and
// services that it made, reminders that wait. Whoever was told of it is told that it was cancelled, and nobody else.
func TestUndoneAppointmentsLeaveNoTrace(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	w.knows("Ada", "ada@mail.example", "", "tea")
	told := w.endpoint("*")
	ahead := w.Clock.Now().Add(time.Hour) // as where the clock was set back by an hour
	id.New[booking.EventIDKind](ahead)
	id.New[booking.DeliveryIDKind](ahead)
	live := w.Booked("cut", "3T09", "live")
	w.writeMails()
	before := w.kept()
	p := w.movesIn(movein.Input{Tell: true, Remind: true, File: appointments("2026-12-05T09:00,Cut,Ada,1", "2026-12-05T10:00,Cut,Bo,2",
		"2026-12-05T11:00,Balayage,Bo,3", "2026-11-05T10:00,Cut,Cy,4", "2026-11-05T10:30,Cut,Di,5")})
	if p.Upcoming != 3 || p.Past != 2 || p.ID == 0 {
		t.Fatalf("%+v", p)
	}
	w.writeMails()
	later := w.endpoint("*")
	if p := w.movesIn(movein.Input{File: appointments("2026-12-05T09:00,Cut,Ada,1")}); p.ID != 0 {
		t.Errorf("an import that changes nothing can be undone: %+v", p)
	}
	im, stays := w.takesBack(p)
	if im.Undone != 9 || im.Stays != 0 || len(stays) != 0 { // five bookings, three customers, a service
		t.Errorf("%+v, %v", im, stays)
	}
	if after := w.kept(); after != before {
		t.Errorf("left is\n%s\nwas\n%s", after, before)
	}
	if _, err := w.imported("cut", "2026-12-05T08:00", "2026-12-05T11:00", nil); err != nil {
		t.Errorf("its times are not free: %v", err)
	}
	events, err := w.Webhook.Events(t.Context(), w.Owner, webhook.ListEventsInput{})
	w.Must(err)
	cancelled := 0
	for _, e := range events.Data {
		var told struct{ Data struct{ ID string } }
		w.Must(json.Unmarshal(e, &told))
		if of, err := w.Webhook.Events(t.Context(), w.Owner, webhook.ListEventsInput{Booking: told.Data.ID}); err != nil ||
			!slices.ContainsFunc(of.Data, func(o json.RawMessage) bool { return string(o) == string(e) }) {
			t.Errorf("the events of its booking lack %s: %v", e, err)
		}
		if strings.Contains(string(e), `"booking.cancelled"`) {
			cancelled++
			if !strings.Contains(string(e), `"imported":true`) || strings.Contains(string(e), "bo@mail") {
				t.Errorf("told was %s", e)
			}
		}
	}
	if cancelled != 5 {
		t.Errorf("%d bookings were called cancelled", cancelled)
	}
	count := func(id catalog.EndpointID) (n int) {
		for line := range strings.SplitSeq(w.everything(), "\n") {
			if strings.HasPrefix(line, "deliveries ") && strings.Contains(line, fmt.Sprint(" ", int64(id), " ")) {
				n++
			}
		}
		return n
	}
	if a, b := count(told.ID), count(later.ID); a != 11 || b != 0 { // one of the live booking
		t.Errorf("told %d and %d times", a, b)
	}
	if again := w.Again(live); again.Status != booking.Confirmed {
		t.Errorf("a live booking is %s", again.Status)
	}
	audited, err := w.Audit.AuditLog(t.Context(), w.Owner, audit.ListInput{})
	w.Must(err)
	var logged []audit.Action
	for _, e := range audited.Data {
		if e.Subject == p.ID.String() {
			logged = append(logged, e.Action)
		}
	}
	if fmt.Sprint(logged) != "[contact.import_undone booking.imported]" {
		t.Errorf("logged: %v", logged)
	}
}

// What was changed, paid or mailed about since stays, is listed with why, and keeps its customer and service.
func TestUndoKeepsAppointmentsThatAreNeeded(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	p := w.movesIn(movein.Input{File: appointments("2026-12-05T08:00,Cut,Noted,1", "2026-12-05T09:00,Cut,Ended,2",
		"2026-11-05T10:00,Cut,Payer,3", "2026-12-05T11:00,Cut,Mailed,4", "2026-12-05T12:00,Balayage,Moved,5", "2026-12-05T13:00,Cut,Nobody,6",
		"2026-12-05T14:00,Cut,Booker,7")})
	if p.Upcoming != 6 || p.Past != 1 {
		t.Fatalf("%+v", p)
	}
	of := func(name string) booking.Booking {
		t.Helper()
		all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 50})
		w.Must(err)
		i := slices.IndexFunc(all, func(b booking.Booking) bool { return b.Invitee.Name == name })
		return all[i]
	}
	ctx := t.Context()
	note := "likes tea"
	_, err := w.Service.Edit(ctx, w.Owner, of("Noted").ID.String(), booking.EditInput{InternalNote: &note}, "")
	w.Must(err)
	_, err = w.Service.Cancel(ctx, w.Owner, of("Ended").ID.String(), booking.CancelInput{})
	w.Must(err)
	_, err = w.Counter.Record(ctx, w.Owner, of("Payer").ID.String(), counter.Input{Tip: 100, Method: booking.ByCash})
	w.Must(err)
	now := w.Clock.Now().UnixMilli()
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO mails (id, workspace_id, booking_id, kind, recipient, facts, state, due_ms, until_ms)
		VALUES (%d, %d, %d, 'x', 'mailed@mail.example', '{}', 1, 0, 0)`, now<<21, w.Workspace.ID, int64(of("Mailed").ID))))
	_, err = w.Reschedule(ctx, w.Owner, of("Moved").ID.String(), booking.RescheduleInput{Start: of("Moved").Start.Add(time.Hour * 4).String()})
	w.Must(err)
	w.Booked("cut", "3T09", "booker")
	im, _ := w.takesBack(p)
	_, all, err := w.People.Import(ctx, w.Owner, p.ID.String())
	w.Must(err)
	var got []string
	for _, s := range all {
		kind := "contact"
		if s.Booking != 0 {
			kind = "booking"
		} else if s.Service != 0 {
			kind = "service"
		}
		got = append(got, fmt.Sprint(kind, " ", s.Name, " ", s.Outcome))
	}
	slices.Sort(got)
	want := []string{"booking Ended 5", "booking Mailed 4", "booking Moved 5", "booking Noted 5", "booking Payer 9", "contact Booker 3",
		"contact Ended 3", "contact Mailed 3", "contact Moved 3", "contact Noted 3", "contact Payer 3", "service  10"}
	if !slices.Equal(got, want) || im.Undone != 3 || im.Stays != 12 {
		t.Errorf("%+v\n%q\nwant\n%q", im, got, want)
	}
	if b := of("Noted"); b.InternalNote != note || b.Status != booking.Confirmed || b.Imported == nil {
		t.Errorf("a changed booking is %+v", b)
	}
	if got := w.people(); strings.Contains(got, "Nobody") || !strings.Contains(got, "Moved") {
		t.Errorf("left are\n%s", got)
	}
}

// A service that an import made stays once somebody has worked on it, although it is hidden and nobody has booked it.
func TestUndoKeepsAServiceThatWasChanged(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	p := w.movesIn(movein.Input{File: appointments("2026-12-05T12:00,Balayage,Mo,1")})
	w.Alter("balayage", func(e *catalog.EventType) { e.Description = "Freehand" })
	im, _ := w.takesBack(p)
	_, stays, err := w.People.Import(t.Context(), w.Owner, p.ID.String())
	w.Must(err)
	if im.Stays != 1 || len(stays) != 1 || stays[0].Service == 0 || stays[0].Outcome != contact.StaysEdited {
		t.Errorf("%+v, %+v", im, stays)
	}
}

// An unknown person is added to the team by an e-mail, without hours; under several names they are one. Undone, the import
// leaves nobody whom nobody needs.
func TestNewPeopleMoveIn(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	w.at("+1 12:00")
	before := w.kept()
	const head = "Start,Duration,Service,Provider,Name,E-mail,Id\n"
	file := []byte(head + "2026-12-05T09:00,60,Cut,Ana,Ada,ada@mail.example,1\n2026-12-05T09:00,60,Cut,Zoe,Bo,bo@mail.example,2\n" +
		"2026-12-05T10:00,60,Cut,Z. Ek,Cy,cy@mail.example,3\n2026-12-05T10:30,60,Cut,Zoe,Di,di@mail.example,4\n" +
		"2026-12-05T09:00,60,Balayage,Nina,Ed,ed@mail.example,5\n2026-12-05T12:00,60,Cut,Bob B,Fay,fay@mail.example,6\n")
	ask := func(want string, people, emails map[string]string) movein.Input {
		t.Helper()
		in := movein.Input{File: file, People: people, Emails: emails}
		p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
		w.Must(err)
		if got := fmt.Sprint(p.Upcoming, len(p.Overlaps), p.Undecided); got != want {
			t.Errorf("upcoming, overlaps, undecided are %s, want %s: %+v", got, want, p.People)
		}
		return in
	}
	hosts := func() (all []string) {
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		for _, h := range setup.Hosts {
			all = append(all, fmt.Sprint(h.Name, " ", h.Email, " ", len(h.Weekly)))
		}
		return all
	}
	was := hosts()
	add := map[string]string{"zoe": movein.Make, "zek": movein.Make, "nina": movein.Make, "bobb": movein.Make}
	ask("1 0 5", nil, nil)
	ask("1 0 5", add, nil)
	ask("3 0 3", add, map[string]string{"zek": "zoe@salon.example", "nina": "nina@", "bobb": "BOB@salon.example"})
	in := ask("5 1 0", add, map[string]string{"zoe": "zoe@salon.example", "zek": "Zoe@salon.example", "nina": "nina@salon.example",
		"bobb": "BOB@salon.example"})
	if got := hosts(); !slices.Equal(got, was) {
		t.Fatalf("a preview made %q", got)
	}
	p := w.movesIn(in)
	if got := fmt.Sprint(p.Upcoming, len(p.Left)); got != "5 1" {
		t.Errorf("imported, left out: %s, %+v", got, p.Left)
	}
	if got := hosts(); !slices.Equal(got, append(was, "Zoe zoe@salon.example 0", "Nina nina@salon.example 0")) {
		t.Errorf("the team is %q", got)
	}
	if p := w.movesIn(in); p.Same != 5 || p.ID != 0 {
		t.Errorf("again: %+v", p)
	}
	im, _ := w.takesBack(p)
	if im.Undone != 14 || im.Stays != 0 || w.kept() != before || !slices.Equal(hosts(), was) { // five bookings, six customers, a service, two people
		t.Errorf("%+v; left is\n%s", im, w.kept())
	}
}

// Somebody whom an import added stays once anybody has worked on them, or something refers to them.
func TestUndoKeepsPeopleWhoAreNeeded(t *testing.T) {
	file := []byte("Start,Duration,Service,Provider,Name,E-mail,Id\n2026-12-05T09:00,60,Cut,Zoe,Bo,bo@mail.example,1\n")
	for why, use := range map[string]func(w *world, zoe catalog.Host) contact.Outcome{
		"hours": func(w *world, zoe catalog.Host) contact.Outcome {
			zoe.Weekly = map[string][]string{"mon": {"09:00-17:00"}}
			_, err := w.Shop.SaveHost(t.Context(), w.Owner, zoe)
			w.Must(err)
			return contact.StaysEdited
		},
		"service": func(w *world, zoe catalog.Host) contact.Outcome {
			w.Alter("cut", func(e *catalog.EventType) { e.Hosts = append(e.Hosts, catalog.HostRef{ID: zoe.ID}) })
			return contact.StaysUsed
		},
		"key": func(w *world, zoe catalog.Host) contact.Outcome {
			_, err := w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "zoe", Scope: account.ReadOnlyScope, Limits: account.Limits{Rights: []string{"bookings:read"}, Hosts: []string{zoe.ID.String()}}})
			w.Must(err)
			return contact.StaysUsed
		},
		"booking": func(w *world, zoe catalog.Host) contact.Outcome {
			with := []catalog.HostRef{{ID: 1}, {ID: zoe.ID}}
			w.Alter("cut", func(e *catalog.EventType) { e.Hosts = with })
			in := apptest.Input("cut", "1T09:00", "Cy")
			in.Host, in.Override = zoe.ID.String(), []string{"outside_hours"}
			_, err := w.Book(t.Context(), w.Owner, in)
			w.Must(err)
			w.Alter("cut", func(e *catalog.EventType) { e.Hosts = with[:1] })
			return contact.StaysUsed
		},
	} {
		t.Run(why, func(t *testing.T) {
			w := newWorld(t)
			w.offer("cut", 1, nil)
			p := w.movesIn(movein.Input{File: file, People: map[string]string{"zoe": movein.Make}, Emails: map[string]string{"zoe": "zoe@salon.example"}})
			setup, err := w.Setup(w.Workspace.ID)
			w.Must(err)
			want := use(w, *setup.HostByEmail("zoe@salon.example"))
			w.takesBack(p)
			_, stays, err := w.People.Import(t.Context(), w.Owner, p.ID.String())
			w.Must(err)
			if len(stays) != 1 || stays[0].Host == 0 || stays[0].Outcome != want {
				t.Errorf("%+v, want %d", stays, want)
			}
		})
	}
}

// Imports of customers and of appointments that touch the same person are undone from the latest to the first. What a later
// one has moved goes back to its time, unless somebody has that by now.
func TestImportsOfAppointmentsAreUndoneNewestFirst(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	customers := w.imports("Ada,ada@mail.example,,one", "Bo,bo@mail.example,,")
	w.Clock.Advance(time.Minute)
	made := w.movesIn(movein.Input{File: appointments("2026-12-05T09:00,Cut,Ada,1", "2026-12-05T11:00,Cut,Cy,2")})
	w.Clock.Advance(time.Minute)
	moved := w.movesIn(movein.Input{File: appointments("2026-12-05T10:00,Cut,Ada,1", "2026-12-05T13:00,Cut,Cy,2")})
	if moved.Moved != 2 || moved.ID == 0 {
		t.Fatalf("%+v", moved)
	}
	for _, id := range []contact.ImportID{customers.ID, made.ID} {
		_, err := w.People.UndoImport(t.Context(), w.Owner, id.String())
		w.Refused(err, fault.Conflict, "import_newer")
	}
	starts := func() (all []string) {
		list, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 50})
		w.Must(err)
		for i := range list {
			all = append(all, list[i].Invitee.Name+" "+list[i].Start.String()[11:16])
		}
		return all
	}
	_, err := w.imported("cut", "2026-12-05T10:00", "2026-12-05T10:30", nil) // where Cy was
	w.Must(err)
	im, _ := w.takesBack(moved)
	if got := fmt.Sprint(starts()); im.Undone != 1 || im.Stays != 1 || got != "[Ada 08:00 Ada 10:00 Cy 12:00]" {
		t.Errorf("after that of the later: %+v, %s", im, got)
	}
	if again := w.movesIn(movein.Input{File: appointments("2026-12-05T09:00,Cut,Ada,1")}); again.Same != 1 {
		t.Errorf("the first file again: %+v", again)
	}
	im, _ = w.takesBack(made)
	if got := fmt.Sprint(starts()); im.Undone != 1 || got != "[Ada 10:00 Cy 12:00]" {
		t.Errorf("after that of the first: %+v, %s", im, got)
	}
	if _, stays := w.undoes(customers); stays["Ada"] != contact.StaysBooked || len(stays) != 1 {
		t.Errorf("customers: %v", stays)
	}
	if got := w.people(); got != "Ada|ada@mail.example||one\nCy|cy@mail.example||" {
		t.Errorf("left are\n%s", got)
	}
}

// An undo of appointments that is killed after any step goes on by itself, and ends with the same; meanwhile no import runs.
func TestKilledUndoOfAppointmentsGoesOn(t *testing.T) {
	for _, steps := range []int64{1, 2, 3, 4, 5} {
		w := newWorld(t)
		held := &heldStore{Store: w.Store}
		held.left.Store(1 << 40)
		s := w.Subjects(func(c *subjects.Config) { c.Store = held })
		w.offer("cut", 1, nil)
		w.at("+1 12:00")
		before := w.kept()
		var lines []string
		for i := range 50 {
			lines = append(lines, fmt.Sprintf("2026-12-%02dT%02d:00,%s,N%d,%d", 3+i/8, 8+i%8, []string{"Cut", "Balayage"}[i%2], i, i))
		}
		p, err := s.MoveIn.ImportAppointments(t.Context(), w.Owner, movein.Input{File: appointments(lines...)})
		if w.Must(err); p.Upcoming != 50 {
			t.Fatalf("%+v", p)
		}
		held.left.Store(steps)
		_, err = s.People.UndoImport(t.Context(), w.Owner, p.ID.String())
		if !errors.Is(err, errKilled) {
			t.Fatalf("it was not killed: %v", err)
		}
		s = w.Subjects(nil) // the next process
		im, _, err := s.People.Import(t.Context(), w.Owner, p.ID.String())
		if w.Must(err); im.State != contact.Undoing || (im.Undone == 0) != (steps == 1) {
			t.Errorf("after %d steps: %+v", steps, im)
		}
		_, err = s.MoveIn.ImportAppointments(t.Context(), w.Owner, movein.Input{File: appointments(lines...)})
		w.Refused(err, fault.Conflict, "import_running")
		if im = w.carriesOut(s, p.ID); im.State != contact.ImportIsUndone || im.Undone != 101 || im.Stays != 0 || w.kept() != before {
			t.Errorf("after %d steps in the end %+v\n%s", steps, im, w.kept())
		}
	}
}

// An import of appointments that was killed can be undone for what it had done; after the day it is forgotten, and what came
// by it stays.
func TestKilledImportOfAppointmentsIsUndone(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	before := w.kept()
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf("2026-12-%02dT%02d:00,Cut,N%d,%d", 3+i/8, 8+i%8, i, i))
	}
	held.left.Store(3) // it begins, and does two steps
	p, err := s.MoveIn.ImportAppointments(t.Context(), w.Owner, movein.Input{File: appointments(lines...)})
	if !errors.Is(err, errKilled) || p.ID == 0 || p.Upcoming != 40 || p.StoppedAt == 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	im, _, err := w.People.Import(t.Context(), w.Owner, p.ID.String())
	if w.Must(err); im.Booked != 40 || im.State != contact.Importing {
		t.Errorf("%+v", im)
	}
	w.Clock.Advance(3 * time.Minute)
	if im, _ := w.takesBack(p); im.Undone != 80 || w.kept() != before {
		t.Errorf("%+v\n%s", im, w.kept())
	}
	next := w.movesIn(movein.Input{File: appointments(lines...)})
	w.Clock.Advance(24 * time.Hour)
	_, err = w.People.UndoImport(t.Context(), w.Owner, next.ID.String())
	w.Refused(err, fault.Conflict, "import_too_late")
	for _, d := range w.Duties() {
		if d.Prune != nil {
			w.Must(d.Prune(t.Context()))
		}
	}
	for line := range strings.SplitSeq(w.everything(), "\n") {
		if strings.HasPrefix(line, "import_") || strings.HasPrefix(line, "imports ") {
			t.Errorf("not forgotten: %s", line)
		}
	}
	if all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 99}); err != nil || len(all) != 50 {
		t.Errorf("%d bookings, %v", len(all), err)
	}
}
