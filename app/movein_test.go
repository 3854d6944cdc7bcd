package app_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"daybook/app/booking"
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
	} {
		p, err := w.MoveIn.PreviewAppointments(t.Context(), w.Owner, movein.Input{File: []byte(file)})
		w.Must(err)
		if len(p.Rows) != 1 || p.Upcoming != 1 || p.Rows[0].End-p.Rows[0].Start != 45*60_000 || p.Rows[0].Start.Time().Format("01-02") != "12-24" {
			t.Errorf("%s: %+v", name, p)
		}
		if name == "german" && p.Cancelled != 1 {
			t.Errorf("cancelled ones: %d", p.Cancelled)
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
