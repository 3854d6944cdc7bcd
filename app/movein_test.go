package app_test

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/movein"
)

// acuity is what Acuity writes of appointments.
const acuity = "Start Time,End Time,First Name,Last Name,Phone,Email,Type,Calendar,Appointment Price,Paid?,Amount Paid Online,Certificate Code,Notes,Date Scheduled,Label,Scheduled By,Appointment ID\n"

func (w *world) movesIn(in movein.Input) movein.Preview {
	w.T.Helper()
	p, err := w.MoveIn.ImportAppointments(w.T.Context(), w.Owner, in)
	w.Must(err)
	return p
}

// Appointments of another program become bookings; nobody is told, and a second run changes nothing.
func TestAppointmentsMoveIn(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	file := acuity +
		`"December 3, 2026 9:00 am","December 3, 2026 9:40 am",Greta,Termin,030 901822,greta@mail.example,CÚT,Aña,"45.00",no,,,tea,2026-05-01,,,101` + "\n" +
		`"December 3, 2026 9:30 am","December 3, 2026 10:00 am",Bo,Berg,,bo@mail.example,cut,Ana,45,no,,,,2026-05-01,,,102` + "\n" +
		`"November 3, 2026 9:30 am","November 3, 2026 10:00 am",Bo,Berg,,bo@mail.example,Dye,Ana,"1,080.50",no,,,,2027-05-01,,,103` + "\n" +
		`"December 4, 2026 1:00 pm","December 4, 2026 2:00 pm",Cy,Nobody,,,cut,Ana,45,no,,,,2026-05-01,,,104` + "\n" +
		`"December 4, 2026 5:00 pm","December 4, 2026 6:00 pm",Ida,Ek,,ida@mail.example,cut,Zoe,45,no,,,,2026-05-01,,,105` + "\n"
	in := movein.Input{File: []byte(file)}
	p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	w.Must(err)
	if got := fmt.Sprint(p.Upcoming, p.Past, len(p.Overlaps), len(p.Left), p.Undecided, p.Services[1].Is, p.Services[1].Minutes); got != "1 1 1 1 1new30" {
		t.Fatalf("preview: %s, %+v", got, p)
	}
	if _, err := w.MoveIn.ImportAppointments(t.Context(), w.Owner, in); !fault.Is(err, fault.BadRequest) {
		t.Errorf("undecided: %v", err)
	}
	in.People = map[string]string{"zoe": movein.Out}
	p = w.movesIn(in)
	if got := fmt.Sprint(p.Upcoming, p.Past, p.Same, len(p.Left)); got != "1 1 0 3" {
		t.Errorf("imported: %s, %+v", got, p.Left)
	}
	p = w.movesIn(in)
	if got := fmt.Sprint(p.Upcoming, p.Past, p.Same, len(p.Left)); got != "0 0 2 3" {
		t.Errorf("again: %s, %+v", got, p.Left)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 10})
	w.Must(err)
	var lines []string
	for i := range all {
		b := &all[i]
		lines = append(lines, fmt.Sprint(b.Start, " ", b.Invitee.Name, " ", b.Invitee.Phone, " ", b.Price.Amount, " ", b.Notes, " ", b.Imported.ID))
		if mails := w.Written(*b); len(mails) > 0 {
			t.Errorf("mails: %q", mails)
		}
	}
	if got, want := strings.Join(lines, "\n"), "2026-11-03T09:30:00Z Bo Berg  108050  103\n2026-12-03T09:00:00Z Greta Termin +4930901822 4500 tea 101"; got != want &&
		got != strings.ReplaceAll(strings.ReplaceAll(want, "T09:30", "T08:30"), "T09:00", "T08:00") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	moved := movein.Input{File: []byte(strings.ReplaceAll(file, "December 3, 2026 9:", "December 3, 2026 11:")), People: in.People}
	if p = w.movesIn(moved); p.Moved != 1 || len(p.Listed) != 0 {
		t.Errorf("moved there: %+v", p)
	}
	b := all[1]
	_, err = w.Service.Cancel(t.Context(), w.Owner, b.ID.String(), booking.CancelInput{})
	w.Must(err)
	if p = w.movesIn(in); len(p.Listed) != 1 || p.Moved != 0 {
		t.Errorf("changed here: %+v", p)
	}

	var left bytes.Buffer
	w.Must(w.MoveIn.WriteLeftOut(t.Context(), w.Owner, in, &left, fault.Text.String))
	if !strings.Contains(left.String(), "Cy,Nobody") || !strings.Contains(left.String(), "neither an e-mail address nor a telephone number") {
		t.Errorf("left out: %s", left.String())
	}
}

// Columns are found by headings of four languages, dates by the column, and times apart from dates.
func TestAppointmentsAreRead(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	for name, file := range map[string]string{
		"german":   "Datum;Uhrzeit;Dauer;Leistung;Mitarbeiter;Vorname;Nachname;Handy;Preis;Termin-ID;Status\n24.12.2026;09:30;45 Min;Cut;Ana;Jörg;Ölmann;0170 5556673;45,00 €;A1;bestätigt\n24.12.2026;10:30;45;Cut;Ana;X;Y;0170 5556674;45;A2;Storniert\n",
		"american": "Date,Time,Duration,Service,Staff,Client name,Email,Price\n12/24/2026,9:30 AM,0:45,cut,ana,Joe,joe@mail.example,$45.00\n",
		"french":   "Date et heure;Heure de fin;Prestation;Collaborateur;Client;Téléphone;Prix\n24/12/2026 09h30;10h15;Cut;Ana;Anaïs;+33 6 12 34 56 70;45,00\n",
		"iso":      "Start,End,Service,Provider,Name,E-mail,Price\n2026-12-24T08:30:00Z,2026-12-24T09:15:00Z,Cut,Ana,Mia,mia@mail.example,45\n",
		// The columns of the tables of Easy!Appointments, joined: it writes no file of its appointments itself.
		"easyappointments": "id,book_datetime,start_datetime,end_datetime,service_name,provider,first_name,last_name,email,phone_number,notes\n" +
			"7,2026-11-20 11:00:00,2026-12-24 09:30:00,2026-12-24 10:15:00,Cut,Ana,Mia,Beck,mia@mail.example,0170 5556675,window seat\n",
	} {
		p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, movein.Input{File: []byte(file)})
		w.Must(err)
		if len(p.Rows) != 1 || p.Upcoming != 1 || p.Rows[0].End-p.Rows[0].Start != 45*60_000 || p.Rows[0].Start.Time().Format("01-02") != "12-24" {
			t.Errorf("%s: %+v", name, p)
		}
		if name == "german" && p.Cancelled != 1 {
			t.Errorf("cancelled ones: %d", p.Cancelled)
		}
		for _, c := range p.Columns {
			if c.Becomes == movein.Dropped {
				t.Errorf("%s: %s is dropped", name, c.Heading)
			}
		}
	}
}

// What the other program has cancelled since is listed, and cancelled here only where that is ticked; nobody is told. What
// was never imported is counted.
func TestCancelledThere(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	told := w.endpoint("*")
	file := "Start,Duration,Service,Provider,Name,E-mail,Id,Status\n2026-12-05T09:00,60,Cut,Ana,Ada,ada@mail.example,1,ok\n" +
		"2026-12-05T10:00,60,Cut,Ana,Bo,bo@mail.example,2,ok\n2026-12-05T11:00,60,Cut,Ana,Cy,cy@mail.example,,ok\n"
	first := w.movesIn(movein.Input{File: []byte(file), Remind: true})
	if first.Upcoming != 3 {
		t.Fatalf("%+v", first)
	}
	w.writeMails()
	in := movein.Input{File: []byte(strings.ReplaceAll(file, ",ok", ",Storniert") + "2026-12-06T11:00,60,Cut,Ana,Di,di@mail.example,4,cancelled\n")}
	lines := func(p movein.Preview) (all []string) {
		for _, x := range p.Ended {
			all = append(all, fmt.Sprint(x.Line, x.Name, x.Ticked))
		}
		return all
	}
	p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	w.Must(err)
	if got := fmt.Sprint(lines(p), p.Cancelled, p.Ending); got != "[2Adafalse 3Bofalse 4Cyfalse] 1 0" {
		t.Errorf("preview: %s", got)
	}
	if p = w.movesIn(in); p.Ending != 0 || p.ID != 0 {
		t.Errorf("not ticked: %+v", p)
	}
	in.Cancel = []int{2, 4}
	p = w.movesIn(in)
	if p.Ending != 2 || p.ID == 0 || len(p.Left)+len(p.Listed) != 0 {
		t.Errorf("ticked: %+v", p)
	}
	w.writeMails()
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 10})
	w.Must(err)
	var got []string
	for i := range all {
		mails := 0
		for _, m := range w.Written(all[i]) {
			if !strings.Contains(m, "reminder") {
				mails++
			}
		}
		got = append(got, fmt.Sprint(all[i].Invitee.Name, " ", all[i].Status, " ", mails))
	}
	if fmt.Sprint(got) != "[Ada cancelled 0 Bo confirmed 0 Cy cancelled 0]" {
		t.Errorf("%q", got)
	}
	if strings.Contains(w.everything(), "\ndeliveries ") {
		t.Errorf("%s was told", told.ID)
	}
	if p = w.movesIn(in); p.Ending != 0 || p.Cancelled != 3 || len(p.Ended) != 1 {
		t.Errorf("again: %+v", p)
	}
}

// Somebody else has the time of what is cancelled there: the one is cancelled before the other is imported. Who has the same
// time again, after a line that was cancelled, is not asked about.
func TestWhatIsCancelledThereGivesItsTime(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	const head = "Start,Duration,Service,Provider,Name,E-mail,Id,Status\n"
	w.movesIn(movein.Input{File: []byte(head + "2026-12-05T09:00,60,Cut,Ana,Ada,ada@mail.example,1,ok\n2026-12-05T11:00,60,Cut,Ana,Cy,cy@mail.example,,ok\n")})
	in := movein.Input{File: []byte(head + "2026-12-05T09:00,60,Cut,Ana,Bo,bo@mail.example,2,ok\n" +
		"2026-12-05T09:00,60,Cut,Ana,Ada,ada@mail.example,1,cancelled\n" +
		"2026-12-05T11:00,60,Cut,Ana,Cy,cy@mail.example,,cancelled\n2026-12-05T11:00,60,Cut,Ana,Cy,cy@mail.example,,ok\n")}
	p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	w.Must(err)
	if len(p.Ended) != 1 || p.Ended[0].Name != "Ada" || p.Cancelled != 1 || len(p.Overlaps) != 1 || p.Same != 1 {
		t.Fatalf("not ticked: %+v", p)
	}
	in.Cancel = []int{3}
	p, err = w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	w.Must(err)
	if len(p.Overlaps) != 0 || p.Upcoming != 1 || p.Ending != 1 {
		t.Errorf("ticked: %+v", p)
	}
	if p = w.movesIn(in); p.Upcoming != 1 || p.Ending != 1 || p.Same != 1 || len(p.Left) != 0 {
		t.Errorf("imported: %+v", p)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 10})
	w.Must(err)
	var got []string
	for i := range all {
		got = append(got, fmt.Sprint(all[i].Invitee.Name, " ", all[i].Status))
	}
	slices.Sort(got)
	if fmt.Sprint(got) != "[Ada cancelled Bo confirmed Cy confirmed]" {
		t.Errorf("%q", got)
	}
}

// What was paid there and prices that can't be read stand in the internal note, and such lines are named.
func TestPaidElsewhere(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	in := movein.Input{File: []byte(acuity +
		`"December 5, 2026 9:00 am","December 5, 2026 9:40 am",Ada,A,,ada@mail.example,Cut,Ana,"45.00",yes,20.00,,tea,,,,1` + "\n" +
		`"December 5, 2026 10:00 am","December 5, 2026 10:40 am",Bo,B,,bo@mail.example,Cut,Ana,45-60,no,0.00,,,,,,2` + "\n" +
		`"December 5, 2026 11:00 am","December 5, 2026 11:40 am",Cy,C,,cy@mail.example,Cut,Ana,$45,no,,,,,,,3` + "\n" +
		`"December 5, 2026 12:00 pm","December 5, 2026 12:40 pm",Di,D,,di@mail.example,Cut,Ana,"€ 1.045,50",no,,,,,,,4` + "\n" +
		`"December 5, 2026 1:00 pm","December 5, 2026 1:40 pm",Ed,E,,ed@mail.example,Cut,Ana,"45,-",no,,,,,,,5` + "\n")}
	if p := w.movesIn(in); p.Upcoming != 5 || fmt.Sprint(p.Unpriced) != "[3 4]" {
		t.Fatalf("%+v", p)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 10})
	w.Must(err)
	var got []string
	for i := range all {
		b := &all[i]
		price := "none"
		if b.Price != nil {
			price = fmt.Sprint(b.Price.Amount)
		}
		got = append(got, fmt.Sprintf("%s: %s, %q, %q", b.Invitee.Name, price, b.InternalNote, b.Notes))
	}
	const want = `Ada A: 4500, "Paid?: yes\nAmount Paid Online: 20.00", "tea"
Bo B: none, "Appointment Price: 45-60", ""
Cy C: none, "Appointment Price: $45", ""
Di D: 104550, "", ""
Ed E: 4500, "", ""`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// Several people at one time are a session of a service with seats; of one that is to be made the owner is asked.
func TestClassesMoveIn(t *testing.T) {
	w := newWorld(t)
	w.offer("yoga", 1, func(e *catalog.EventType) { e.Seats = 2 })
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	var lines []string
	for i, service := range []string{"Yoga", "Yoga", "Yoga", "Cut", "Cut", "Pilates", "Pilates", "Pilates"} {
		lines = append(lines, fmt.Sprintf("2026-12-05T%s:00,%s,P%d,%d", map[string]string{"Yoga": "09", "Cut": "11", "Pilates": "13"}[service], service, i, i))
	}
	in := movein.Input{File: appointments(lines...)}
	p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	w.Must(err)
	var asked []string
	for _, n := range p.Services {
		asked = append(asked, fmt.Sprint(n.Name, " ", n.Together, " of ", n.Seats, " ", n.Class))
	}
	if fmt.Sprint(asked) != "[Yoga 3 of 2 false Cut 2 of 1 false Pilates 3 of 0 false]" || p.Upcoming != 4 || len(p.Overlaps) != 4 {
		t.Errorf("preview: %v, %d, %+v", asked, p.Upcoming, p.Overlaps)
	}
	in.Classes = map[string]bool{"pilates": true, "cut": true}
	p, err = w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	if w.Must(err); p.Upcoming != 6 || len(p.Overlaps) != 2 {
		t.Errorf("as a class: %+v", p)
	}
	if p = w.movesIn(in); p.Upcoming != 6 || len(p.Left) != 2 {
		t.Errorf("imported: %+v", p)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for i := range setup.EventTypes {
		if e := &setup.EventTypes[i]; e.Title == "Pilates" && (e.Seats != 3 || !e.Hidden) || e.Title == "Cut" && e.Seats != 1 {
			t.Errorf("%s has %d seats", e.Title, e.Seats)
		}
	}
}

// appointmentsCSV has so many appointments of Ana, one after the other in the years before and after, a customer each.
func appointmentsCSV(n int) []byte {
	var b strings.Builder
	b.WriteString("Start,Duration,Service,Provider,Name,E-mail,Id\n")
	for i := range n {
		at := time.Date(2026, 12, 5, 0, 0, 0, 0, time.UTC).Add(time.Duration(i-n*3/4) * 30 * time.Minute)
		fmt.Fprintf(&b, "%s,30,Cut,Ana,Person Number%d,person%d@mail.example,%d\n", at.Format(time.RFC3339), i, i, i)
	}
	return []byte(b.String())
}

// appointmentRows is how many appointments TestBookingsGoOnBesideAnImportOfAppointments imports. With 50,000 its log has the
// longest wait of who books meanwhile.
var appointmentRows = flag.Int("rows", 1000, "how many appointments are imported while others book")

// While many appointments are imported others book, of another host: several get through for each step of it.
func TestBookingsGoOnBesideAnImportOfAppointments(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	const seats = 50
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats, e.Hosts = seats, []catalog.HostRef{{ID: 2}} })
	w.at("+1 12:00")
	rows := *appointmentRows
	file := appointmentsCSV(rows)
	begun := time.Now()
	p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, movein.Input{File: file})
	w.Must(err)
	t.Logf("looking at %d rows took %v", rows, time.Since(begun))
	if p.Upcoming+p.Past != rows {
		t.Fatalf("%d and %d", p.Upcoming, p.Past)
	}
	done := make(chan error, 1)
	begun = time.Now()
	go func() {
		var err error
		p, err = w.MoveIn.ImportAppointments(t.Context(), w.Owner, movein.Input{File: file})
		done <- err
	}()
	var waits []time.Duration
	for n := 0; ; n++ {
		select {
		case err := <-done:
			w.Must(err)
			slices.Sort(waits)
			longest, usual := waits[len(waits)-1], waits[len(waits)*99/100]
			t.Logf("importing %d rows took %v; of %d bookings meanwhile the slowest took %v, 99 of 100 at most %v", rows, time.Since(begun),
				len(waits), longest, usual)
			if p.Upcoming+p.Past != rows || len(waits) < rows/100 {
				t.Errorf("%d of %d are imported, and %d others have booked meanwhile", p.Upcoming+p.Past, rows, len(waits))
			}
			return
		default:
		}
		at, session := time.Now(), n/seats // seven a day
		_, err := w.Book(t.Context(), w.API, apptest.Input("class", fmt.Sprintf("%dT%02d", 2+session/7, 9+session%7), fmt.Sprintf("Visitor%d", n)))
		w.Must(err)
		waits = append(waits, time.Since(at))
		time.Sleep(5 * time.Millisecond) // as many as a busy shop has in a day, in a minute
	}
}

// An appointment whose customer stands there by name and number is of whom the list of customers brought with that number.
func TestAppointmentsOfNumberedCustomers(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	w.imports("Ada Lovelace,ada@mail.example,,")
	_, err := w.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(
		"Client ID,Client,E-mail\n17,Ada Lovelace,ada@mail.example\n18,Bo Berg,bo@mail.example\n")})
	w.Must(err)
	in := movein.Input{File: []byte("Start,Duration,Client ID,Client,E-mail,Service,Staff\n" +
		"2026-12-03 09:00,30,17,Lovelace Ada,,cut,Ana\n" + "2026-12-03 10:00,30,18,Bo Berg,bo@new.example,cut,Ana\n" +
		"2026-12-03 11:00,30,18,Cy,,cut,Ana\n" + "2026-12-03 12:00,30,18,Di,di@mail.example,cut,Ana\n")}
	p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, in)
	w.Must(err)
	if p.Upcoming != 3 || len(p.Left) != 1 || p.Left[0].Line != 4 {
		t.Fatalf("%+v", p)
	}
	if p = w.movesIn(in); p.Upcoming != 3 {
		t.Fatalf("%+v", p)
	}
	if p = w.movesIn(in); p.Same != 3 || p.Upcoming != 0 {
		t.Errorf("again %+v", p)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 10})
	w.Must(err)
	var got []string
	for i := range all {
		got = append(got, all[i].Invitee.Email+all[i].InternalNote)
	}
	if want := "[ada@mail.example bo@mail.exampleE-mail: bo@new.example di@mail.example]"; fmt.Sprint(got) != want || strings.Count(w.people(), "\n") != 2 {
		t.Errorf("%v, want %s\n%s", got, want, w.people())
	}
}
