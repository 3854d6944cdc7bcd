package app_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
)

// importFiles are files as other programs write them, and all that is kept of each: name, e-mail, phone and notes of
// each contact; the dropped columns with something in them; and the lines left out.
var importFiles = map[string]struct {
	encoding, dropped, left string
	contacts                []booking.ContactInput
}{
	"square.csv": {"UTF-8", "First Visit Transaction Count Email Subscription Status", "5 Nora Nurname",
		[]booking.ContactInput{
			{Name: "Ada Square", Email: "ada.sq@mail.example", Phone: "+14155552671", Notes: "Allergic to PPD, patch test first"},
			{Name: "Petra Sommer", Email: "psommer77@mail.example", Phone: "+491705556678"},
			{Name: "Uwe Ohnemail", Phone: "+491705556679", Notes: "sits by the window"}}},
	"acuity-clients.csv": {"UTF-8", "", "", []booking.ContactInput{
		{Name: "Bea Acuity", Email: "bea.ac@mail.example", Phone: "+4930901820", Notes: "two\nlines"},
		{Name: "Björn Äppel", Email: "bjoern@mail.example", Phone: "+491701234567"}}},
	"fresha.csv": {"UTF-16", "Gender Accepts marketing", "", []booking.ContactInput{
		{Name: "Céline Frésha", Email: "celine@mail.example", Phone: "+33612345678", Notes: "blonde, cool\nTelephone: +33 1 42 68 53 00"},
		{Name: "Zoë Ünal", Phone: "+491717654321", Notes: "prefers mornings"}}},
	"german.csv": {"Windows-1252", "", "", []booking.ContactInput{
		{Name: "Dora Müller-Groß", Email: "dora@mail.example", Phone: "+4930901821", Notes: "Allergie PPD\nHandy: 0170 5556671"},
		{Name: "Erika Weiß", Email: "erika@mail.example", Phone: "+491705556672", Notes: "nimmt „immer“ 3 € Trinkgeld"},
		{Name: "Jörg Ölmann", Phone: "+491705556673", Notes: "E-Mail: -"},
		{Name: "ohnename", Email: "ohnename@mail.example", Phone: "+491705556674"}}},
	"acuity-appointments.csv": {"UTF-8", "Start Time End Time Type Calendar Appointment Price Paid? Amount Paid Online Date Scheduled Appointment ID",
		"", []booking.ContactInput{ // an appointment a line
			{Name: "Greta Termin", Email: "greta@mail.example", Phone: "+4930901822", Notes: "tea with milk"}}},
	"google.csv": {"UTF-16", "E-mail 1 - Label E-mail 2 - Label Phone 1 - Label Phone 2 - Label", "", []booking.ContactInput{
		{Name: "Ines María López", Email: "ines@mail.example", Phone: "+34612345678", Notes: "veut le même fauteuil\n" +
			"E-mail 2 - Value: ines@work.example\nPhone 1 - Value: +34 612 34 56 79\nPhone 2 - Value: +34 912 34 56 78"},
		{Name: "Kai Handy", Phone: "+491705556680"}}},
	"french.csv": {"Windows-1252", "Consentement SMS", "", []booking.ContactInput{
		{Name: "Anaïs Lefèvre", Email: "anais@mail.example", Phone: "+33612345670", Notes: "n’aime pas l’œuf"},
		{Name: "Noël Dubois", Phone: "+33142685301"}}},
	"spanish.csv": {"UTF-8", "", "", []booking.ContactInput{
		{Name: "José García García", Email: "jose@mail.example", Phone: "+34612345671",
			Notes: "pide café\nAlergias: PPD\nTeléfono: +34 912 34 56 71"}}},
	"booksy.csv": {"UTF-8", "", "", []booking.ContactInput{
		{Name: "Agata Żak", Email: "agata@mail.example", Phone: "+48512345678", Notes: "likes it short"},
		{Name: "Marek", Phone: "+48512345679"}}},
	"vagaro.csv": {"UTF-8", "Customer Since Points", "", []booking.ContactInput{
		{Name: "Rosa Parker", Email: "rosa@mail.example", Phone: "+494155552672", // as it is dialled here
			Notes: "no \"scented\" oil\nBirthday: 2/1\nCell Phone: +1 415 555 2673"}}},
	"timely.csv": {"UTF-16", "Marketing consent", "", []booking.ContactInput{
		{Name: "Tui Walker", Email: "tui@mail.example", Phone: "+6421345678", Notes: "long hair\nClient alerts: latex"}}},
	"phorest.csv": {"Windows-1252", "Gender SMS Marketing Consent", "", []booking.ContactInput{ // two lines of one person
		{Name: "Órla Ní Bhriain", Email: "orla@mail.example", Phone: "+353851234567",
			Notes: "tea\nColour formula: 7/1 + 6% 30g\nMobile: +353851234568\ncoffee"}}},
	"simplybook.csv": {"UTF-8", "Address Zip Registered", "3 Without Anything", []booking.ContactInput{
		{Name: "Sam Simple", Email: "sam@mail.example", Phone: "+4915112345678"}}},
	"google-contacts.csv": {"UTF-8", "E-mail 1 - Label Phone 1 - Label Phone 2 - Label", "", []booking.ContactInput{
		{Name: "Ola M. Nordmann", Email: "ola@mail.example", Phone: "+4741234567",
			Notes: "visits on Fridays\nPhone 2 - Value: +47 22 34 56 78"}}},
	"outlook-en.csv": {"UTF-8", "E-mail Type", "", []booking.ContactInput{
		{Name: "Henry Office", Email: "henry@mail.example", Phone: "+447911123456",
			Notes: "gate code 12\nE-mail 2 Address: henry@work.example"}}},
	"outlook-de.csv": {"Windows-1252", "Anrede", "", []booking.ContactInput{
		{Name: "Jutta Schröder", Email: "jutta@mail.example", Phone: "+4930901830", Notes: "kommt mit Hund\nMobiltelefon: 0170 5556605"}}},
	"kundenliste.csv": {"UTF-16", "Newsletter", "", []booking.ContactInput{
		{Name: "Hanna Böhm", Email: "hanna@mail.example", Phone: "+491705556606", Notes: "ohne Duft\nFarbrezept: 6/0 + 3 %"},
		{Name: "Ivo Kern", Phone: "+491705556607", Notes: "E-Mail-Adresse: ivo(at)mail"}}},
	"planity.csv": {"UTF-8", "Accepte les SMS", "", []booking.ContactInput{
		{Name: "Chloé Gauthier", Email: "chloe@mail.example", Phone: "+49612345681", Notes: "préfère le matin"},
		{Name: "Léa Petit", Phone: "+33612345682"}}},
	"treatwell-es.csv": {"Windows-1252", "Acepta publicidad", "", []booking.ContactInput{
		{Name: "Begoña Núñez", Email: "begona@mail.example", Phone: "+34612345673", Notes: "alergia al níquel"}}},
	"plain.tsv": {"UTF-8", "", "", []booking.ContactInput{
		{Name: `Pat "P." O'Hara`, Email: "pat@mail.example", Phone: "+353851234569", Notes: "a\nb"}}},
	"old-mac.csv": {"UTF-8", "", "", []booking.ContactInput{{Name: "Max Mac", Email: "max@mail.example"}}},
	"crm.csv": {"UTF-8", "opt_in", "", []booking.ContactInput{
		{Name: "Lin Wei", Email: "lin@mail.example", Phone: "+886912345678", Notes: "first visit"}}},
	// Workbooks: the second sheet is the first with headings; below a title, with a formula and a script.
	"fresha.xlsx": {"", "Gender Accepts marketing Accepts SMS marketing", "", []booking.ContactInput{
		{Name: "Céline Frésha", Email: "celine@mail.example", Phone: "+33612345678", Notes: "blonde, cool\nTelephone: +33 1 42 68 53 00"},
		{Name: "Zoë Ünal", Phone: "+491717654321", Notes: "prefers mornings\nand tea"}}},
	"kunden.xlsx": {"", "", "", []booking.ContactInput{
		{Name: "Änne Groß", Email: "aenne@mail.example", Phone: "+491705556601", Notes: "=2+2"},
		{Name: "<script>alert(1)</script> Skript", Phone: "+491705556602", Notes: "mag Tee"},
		{Name: "Udo Formel", Phone: "+491705556603"}}},
	"name-telefon.csv": {"UTF-8", "", "3 Nur Name", []booking.ContactInput{{Name: "Özlem Şahin", Phone: "+491705556690"}}},
}

// Every name, telephone number, address and note of other programs' files is kept, in the field where it belongs;
// columns that are dropped and lines that are left out are named before anything is saved. The second import of a file
// changes nothing.
func TestImportKeepsEveryCell(t *testing.T) {
	for name, c := range importFiles {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			file, err := os.ReadFile(filepath.Join("testdata", "import", name))
			w.Must(err)
			p, err := w.People.PreviewImport(t.Context(), w.Owner, contact.ImportInput{File: []byte(file)})
			w.Must(err)
			if page, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{}, nil, ""); err != nil || len(page.Data) != 0 {
				t.Fatalf("the preview made contacts: %+v %v", page, err)
			}
			res, err := w.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(file)})
			w.Must(err)
			for _, read := range []contact.Imported{p.Imported, res} {
				var dropped, left []string
				for _, column := range read.Columns {
					if column.Becomes == contact.Dropped && column.Filled > 0 {
						dropped = append(dropped, column.Heading)
					}
				}
				for _, line := range read.Left {
					left = append(left, fmt.Sprint(line.Line, " ", line.Name))
				}
				if got := strings.Join(dropped, " "); got != c.dropped || strings.Join(left, " ") != c.left || read.Encoding != c.encoding {
					t.Errorf("%s, dropped %q, left out %v", read.Encoding, got, read.Left)
				}
				if read.Created != len(c.contacts) || read.Changed+read.Same != 0 {
					t.Errorf("%d new, %d changed, %d the same", read.Created, read.Changed, read.Same)
				}
			}
			page, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{}, nil, "")
			w.Must(err)
			var got []booking.ContactInput
			for _, x := range page.Data {
				got = append(got, booking.ContactInput{Name: x.Name, Email: x.Email, Phone: x.Phone, TimeZone: x.TimeZone, Notes: x.Notes})
			}
			if slices.Reverse(got); !reflect.DeepEqual(got, c.contacts) {
				t.Errorf("kept\n%+v, want\n%+v", got, c.contacts)
			}
			for i, row := range p.Rows {
				if !reflect.DeepEqual(row.ContactInput, c.contacts[i]) {
					t.Errorf("shown %+v", row)
				}
			}
			p, err = w.People.PreviewImport(t.Context(), w.Owner, contact.ImportInput{File: []byte(file)})
			if w.Must(err); p.Same != len(c.contacts) || p.Created+p.Changed != 0 {
				t.Errorf("the same file again: %d new, %d changed, %d the same", p.Created, p.Changed, p.Same)
			}
		})
	}
}

// What names a line's contact is its own: lines without a name take no known contact's, notes are added to those that
// are there, and halves of names are told from whole ones.
func TestImportOfKnownContacts(t *testing.T) {
	w := newWorld(t)
	known, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Ada", Email: "ada@mail.example", Notes: "likes teal\r\nby hand"})
	w.Must(err)
	const file = "E-Mail,Name,First name,Phone,Time zone,Notes\n" +
		"ada@mail.example,,,0170 1,(GMT+1) Berlin,likes tea\n" + "bo@mail.example,Berg,Bo,,Europe/Paris,\n" +
		"cy@mail.example,Cy Young,Cy,,,\n" + "ali@mail.example,Ali,Ali,,,\n" + "di@mail.example,,,,,,milk\n" + "\n,,,,,\n,,,,,lost\n"
	for i, want := range []string{"3 new, 1 changed, 0 same, 2 left", "0 new, 0 changed, 4 same, 2 left"} {
		p, err := w.People.PreviewImport(t.Context(), w.Owner, contact.ImportInput{File: []byte(file)})
		w.Must(err)
		res, err := w.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(file)})
		w.Must(err)
		for _, r := range []contact.Imported{p.Imported, res} {
			if got := fmt.Sprintf("%d new, %d changed, %d same, %d left", r.Created, r.Changed, r.Same, r.LeftOut()); got != want {
				t.Errorf("import %d: %s, want %s: %+v", i, got, want, r.Left)
			}
		}
	}
	c, err := w.People.ContactByID(t.Context(), w.Owner, known.ID.String())
	if w.Must(err); c.Name != "Ada" || c.Notes != "likes teal\r\nby hand\nlikes tea\nTime zone: (GMT+1) Berlin" || c.Phone != "+491701" {
		t.Errorf("%+v", c)
	}
	for email, name := range map[string]string{"bo@mail.example": "Bo Berg", "cy@mail.example": "Cy Young", "ali@mail.example": "Ali Ali"} {
		page, err := w.People.ContactsWith(t.Context(), w.Owner, email, "")
		if w.Must(err); len(page.Data) != 1 || page.Data[0].Name != name {
			t.Errorf("%s: %+v", email, page.Data)
		}
	}
}

// Files that are no table of contacts are refused as a whole, before they cost much: a line of millions of cells is not
// split.
func TestImportRefusesFiles(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct{ file, want string }{
		"a million columns":         {strings.Repeat("a,", 4<<20), "file: must have at most 100 columns"},
		"a million cells in a line": {"email\n" + strings.Repeat(",", 8<<20-8), "file: must have at most 100 columns"},
		"no workbook":               {"PK\x03\x04...", `file: is a workbook that can't be read. Save it as .xlsx or as "CSV UTF-8"`},
		"an old workbook":           {"\xd0\xcf\x11\xe0...", `file: is a workbook that can't be read. Save it as .xlsx or as "CSV UTF-8"`},
		"two encodings":             {"email,name\na@b.example,Zoë Zoé\nb@b.example,Zo\xeb\n", `file: is not UTF-8 text. Save it as "CSV UTF-8"`},
		"bytes":                     {"\x00\x01\x02\x00", `file: is not UTF-8 text. Save it as "CSV UTF-8"`},
		"an open quote":             {"email,name\na@b.example,A\nb@b.example,\"B\nc@b.example,C\n", "file: can't be read from line 3 on: a quotation mark is missing there, or is too many"},
		"no headings":               {"Ada,ada@b.example\n", `file: needs a first line of headings, one of them email or phone; it begins with "Ada, ada@b.example"`},
		"names only":                {"Name\nAda\n", `file: needs a first line of headings, one of them email or phone; it begins with "Name"`},
		"too many bytes":            {strings.Repeat("a", 8<<20+1), "file: must have at most 8 MiB"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		begun := time.Now()
		_, err := w.People.PreviewImport(ctx, w.Owner, contact.ImportInput{File: []byte(c.file)})
		t.Logf("%s: refused after %v", name, time.Since(begun))
		if !fault.Is(err, fault.BadRequest) || err.Error() != c.want {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := w.People.ImportContacts(ctx, w.Owner, contact.ImportInput{File: []byte(c.file)}); err == nil || err.Error() != c.want {
			t.Errorf("%s: imported: %v", name, err)
		}
		cancel()
	}
}

// The columns can be given another meaning than their headings have, and known contacts can be left as they are.
func TestImportAsChosen(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"ada", "bo"} {
		_, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: name, Email: name + "@mail.example"})
		w.Must(err)
	}
	in := contact.ImportInput{File: []byte("Wer,Wo,Geburtstag,E-Mail\nAda L.,ada@mail.example,1815-12-10,x\nBo B.,bo@mail.example,,y\nCy C.,cy@mail.example,,\n")}
	p, err := w.People.PreviewImport(t.Context(), w.Owner, in)
	if w.Must(err); p.Created != 0 || p.LeftOut() != 3 {
		t.Errorf("by the headings: %+v", p)
	}
	in.Columns = []contact.ImportField{contact.FullName, contact.EmailField, contact.NotesField, contact.Dropped}
	in.Leave = []int{3}
	p, err = w.People.PreviewImport(t.Context(), w.Owner, in)
	if w.Must(err); fmt.Sprint(p.Created, p.Changed, p.Unticked, p.NewLines, p.ChangedLines, len(p.Changes)) != "1 1 1 [4] [2] 2" ||
		fmt.Sprint(p.Changes[0].Name, p.Changes[0].Fields) != "ada[{name ada Ada L.} {notes  Geburtstag: 1815-12-10}]" {
		t.Errorf("preview %+v", p)
	}
	res, err := w.People.ImportContacts(t.Context(), w.Owner, in)
	if w.Must(err); fmt.Sprint(res.Created, res.Changed, res.Unticked) != "1 1 1" {
		t.Errorf("imported %+v", res)
	}
	for email, name := range map[string]string{"ada": "Ada L.", "bo": "bo", "cy": "Cy C."} {
		page, err := w.People.ContactsWith(t.Context(), w.Owner, email+"@mail.example", "")
		if w.Must(err); len(page.Data) != 1 || page.Data[0].Name != name {
			t.Errorf("%s: %+v", email, page.Data)
		}
	}
}

// The lines that are left out come back as a file with why: corrected, it is read again.
func TestLinesLeftOut(t *testing.T) {
	w := newWorld(t)
	file := "Name;E-Mail;Notiz\nAda;ada@mail.example;\nBo;;\"mag; Tee\"\n"
	var left bytes.Buffer
	w.Must(w.People.WriteLeft(t.Context(), w.Owner, contact.ImportInput{File: []byte(file)}, &left, fault.Text.String))
	if want := "Name,E-Mail,Notiz,why\nBo,,\"mag; Tee\",3: neither an e-mail address nor a telephone number\n"; left.String() != want {
		t.Errorf("%q, want %q", left.String(), want)
	}
	res, err := w.People.ImportContacts(t.Context(), w.Owner,
		contact.ImportInput{File: []byte(strings.Replace(left.String(), "Bo,", "Bo,bo@mail.example", 1))})
	if w.Must(err); res.Created != 1 || res.LeftOut() != 0 {
		t.Errorf("%+v", res)
	}
}

// Who shares a telephone number in a file is told apart by name where one of them has an e-mail address, in whatever
// order they stand: nobody is renamed or lost, the preview says what happens, and a second run changes nothing.
func TestImportOfSharedNumbers(t *testing.T) {
	const ann, noMail, ben = "Ann,ann@mail.example,030 901820", "Ann Lee,,030 901820", "Ben,,030 901820"
	for _, c := range []struct {
		lines []string
		want  string // name and e-mail address of each contact, in order of the names
	}{
		{[]string{ann, ben}, "Ann ann@mail.example, Ben "},
		{[]string{ann, noMail}, "Ann ann@mail.example"},
		{[]string{ann, "Ann,,030 901820"}, "Ann ann@mail.example"},
		{[]string{ann, ",,030 901820"}, "Ann ann@mail.example"},
		{[]string{ann, "Ben,ben@mail.example,030 901820", ben}, "Ann ann@mail.example, Ben ben@mail.example"},
		{[]string{ann, "Ann Lee,ann@mail.example,", "Ann,,030 901820"}, "Ann ann@mail.example"},
	} {
		for _, back := range []bool{false, true} {
			lines := slices.Clone(c.lines)
			if back && len(lines) == 2 {
				slices.Reverse(lines)
			} else if back {
				lines = append(lines[2:], lines[:2]...)
			}
			w := newWorld(t)
			in := contact.ImportInput{File: []byte("Name,E-mail,Phone\n" + strings.Join(lines, "\n") + "\n")}
			p, err := w.People.PreviewImport(t.Context(), w.Owner, in)
			w.Must(err)
			res, err := w.People.ImportContacts(t.Context(), w.Owner, in)
			w.Must(err)
			if p.Created != res.Created || p.Changed != res.Changed || p.Joined != res.Joined || len(res.Left) > 0 {
				t.Errorf("%q: previewed %+v, imported %+v", lines, p.Imported, res)
			}
			var all []string
			page, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{}, nil, "")
			w.Must(err)
			for _, c := range page.Data {
				all = append(all, c.Name+" "+c.Email)
			}
			slices.Sort(all)
			if got := strings.Join(all, ", "); got != c.want {
				t.Errorf("%q: %s, want %s", lines, got, c.want)
			}
			again, err := w.People.ImportContacts(t.Context(), w.Owner, in)
			if w.Must(err); again.Created+again.Changed > 0 {
				t.Errorf("%q: a second time %+v", lines, again)
			}
		}
	}
}

// No line of somebody is taken for headings, and what stands above them is named.
func TestImportLosesNoLine(t *testing.T) {
	w := newWorld(t)
	chosen := []contact.ImportField{contact.FullName, contact.PhoneField}
	_, err := w.People.PreviewImport(t.Context(), w.Owner, contact.ImportInput{File: []byte("Ada,+49 30 901821\nBo,+49 30 901822\n"), Columns: chosen})
	w.Refused(err, fault.BadRequest, "invalid")
	p, err := w.People.PreviewImport(t.Context(), w.Owner,
		contact.ImportInput{File: []byte("Wer,Per,Nummer\nAda,SMS,+49 30 901821\nBo,Telefon,+49 30 901822\n"),
			Columns: []contact.ImportField{contact.FullName, contact.NotesField, contact.PhoneField}})
	if w.Must(err); p.Created != 2 || p.LeftOut() != 0 || p.Columns[0].Heading != "Wer" {
		t.Errorf("%+v", p)
	}
	p, err = w.People.PreviewImport(t.Context(), w.Owner, contact.ImportInput{File: []byte("Kunden,\nStand,heute\nName,Telefon\nAda,030 901821\n")})
	if w.Must(err); p.Created != 1 || p.LeftOut() != 1 || p.Left[0].Line != 2 || p.Left[0].Text.String() != "stands above the headings" {
		t.Errorf("%+v", p)
	}
	long := strings.Repeat("n", booking.MaxContactNotes-10)
	_, _, err = w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Cy", Email: "cy@mail.example", Notes: long})
	w.Must(err)
	p, err = w.People.PreviewImport(t.Context(), w.Owner, contact.ImportInput{File: []byte("Name,E-mail,Notes\nCy,cy@mail.example,drinks tea\nCy,cy@mail.example,and coffee\n")})
	if w.Must(err); fmt.Sprint(p.LeftOut(), p.Changed) != "2 0" {
		t.Errorf("joined lines that are left out: %+v", p.Left)
	}
}

// A file finds whom an earlier one of the same program has brought by the number there, although the e-mail address is
// another one, unless nothing else agrees: another program may have given the number to somebody else.
func TestImportKnowsNumbers(t *testing.T) {
	w := newWorld(t)
	imports := func(lines ...string) contact.Imported {
		t.Helper()
		in := contact.ImportInput{File: []byte("Client ID,Name,E-mail,Phone\n" + strings.Join(lines, "\n") + "\n")}
		p, err := w.People.PreviewImport(t.Context(), w.Owner, in)
		w.Must(err)
		res, err := w.People.ImportContacts(t.Context(), w.Owner, in)
		w.Must(err)
		if p.Created != res.Created || p.Changed != res.Changed || p.Same != res.Same || p.LeftOut() != res.LeftOut() {
			t.Errorf("%q: previewed %+v, imported %+v", lines, p.Imported, res)
		}
		return res
	}
	imports("17,Ada Lovelace,ada@old.example,", "18,Bo Berg,,030 901820", "19,Cy,cy@mail.example,")
	first := w.people()
	if res := imports("17,Ada Lovelace,ada@old.example,", "18,Bo Berg,,030 901820"); res.Same != 2 || w.people() != first {
		t.Errorf("a second time %+v", res)
	}
	moved := imports("17,Ada King,ada@new.example,", "17,Ada Lovelace,ada@new.example,", "18,Bo Berg,bo@mail.example,030 901899")
	if got := w.people(); moved.Changed != 1 || moved.Created != 1 {
		t.Errorf("%+v\n%s", moved, got)
	}
	moved = imports("17,Ada Lovelace,ada@newer.example,")
	if got := w.people(); moved.Changed != 1 || moved.Created != 0 || !strings.Contains(got, "ada@newer.example") {
		t.Errorf("%+v\n%s", moved, got)
	}
	if res := imports("19,Di,di@mail.example,", "17,Ada,ada@mail.example,"); res.Created != 2 {
		t.Errorf("somebody else has the number now: %+v", res)
	}
	if res := imports("18,Bo Berg,cy@mail.example,"); res.LeftOut() != 1 || !strings.Contains(fmt.Sprint(res.Left[0].Text), "Cy") {
		t.Errorf("the number of one with the address of another: %+v", res)
	}
	before := w.people()
	if w.undoes(imports("18,Bo Berg,bo@newest.example,030 901899")); w.people() != before {
		t.Errorf("undone, there is left\n%s", w.people())
	}
	if res := imports("20,Eve Ek,eve@mail.example,", "20,Eve Ek,eva@mail.example,"); res.Created != 1 || res.Joined != 1 ||
		!strings.Contains(w.people(), "eva@mail.example") {
		t.Errorf("two lines of one number: %+v\n%s", res, w.people())
	}
}
