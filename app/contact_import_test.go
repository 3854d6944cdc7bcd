package app_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
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
	"square.csv": {"UTF-8", "Birthday Square Customer ID First Visit Transaction Count Email Subscription Status", "5 Nora Nurname",
		[]booking.ContactInput{
			{Name: "Ada Square", Email: "ada.sq@mail.example", Phone: "+14155552671", Notes: "Allergic to PPD, patch test first"},
			{Name: "Petra Sommer", Email: "psommer77@mail.example", Phone: "+491705556678"},
			{Name: "Uwe Ohnemail", Phone: "+491705556679", Notes: "sits by the window"}}},
	"acuity-clients.csv": {"UTF-8", "", "", []booking.ContactInput{
		{Name: "Bea Acuity", Email: "bea.ac@mail.example", Phone: "+4930901820", Notes: "two\nlines"},
		{Name: "Björn Äppel", Email: "bjoern@mail.example", Phone: "+491701234567"}}},
	"fresha.csv": {"UTF-16", "Client ID Gender Accepts marketing", "", []booking.ContactInput{
		{Name: "Céline Frésha", Email: "celine@mail.example", Phone: "+33612345678", Notes: "blonde, cool\nTelephone: +33 1 42 68 53 00"},
		{Name: "Zoë Ünal", Phone: "+491717654321", Notes: "prefers mornings"}}},
	"german.csv": {"Windows-1252", "Geburtstag", "", []booking.ContactInput{
		{Name: "Dora Müller-Groß", Email: "dora@mail.example", Phone: "+4930901821", Notes: "Allergie PPD\nHandy: 0170 5556671"},
		{Name: "Erika Weiß", Email: "erika@mail.example", Phone: "+491705556672", Notes: "nimmt „immer“ 3 € Trinkgeld"},
		{Name: "Jörg Ölmann", Phone: "+491705556673", Notes: "E-Mail: -"},
		{Name: "ohnename", Email: "ohnename@mail.example", Phone: "+491705556674"}}},
	"acuity-appointments.csv": {"UTF-8", "Start Time End Time Type Calendar Appointment Price Paid? Amount Paid Online Date Scheduled Appointment ID",
		"3 Greta Termin", []booking.ContactInput{
			{Name: "Greta Termin", Email: "greta@mail.example", Phone: "+4930901822", Notes: "tea with milk"}}},
	"google.csv": {"UTF-16", "Labels E-mail 1 - Label E-mail 2 - Label Phone 1 - Label Phone 2 - Label", "", []booking.ContactInput{
		{Name: "Ines María López", Email: "ines@mail.example", Phone: "+34612345678", Notes: "veut le même fauteuil\n" +
			"E-mail 2 - Value: ines@work.example\nPhone 1 - Value: +34 612 34 56 79\nPhone 2 - Value: +34 912 34 56 78"},
		{Name: "Kai Handy", Phone: "+491705556680"}}},
	"french.csv": {"Windows-1252", "Consentement SMS", "", []booking.ContactInput{
		{Name: "Anaïs Lefèvre", Email: "anais@mail.example", Phone: "+33612345670", Notes: "n’aime pas l’œuf"},
		{Name: "Noël Dubois", Phone: "+33142685301"}}},
	"spanish.csv": {"UTF-8", "", "", []booking.ContactInput{
		{Name: "José García García", Email: "jose@mail.example", Phone: "+34612345671",
			Notes: "pide café\nAlergias: PPD\nTeléfono: +34 912 34 56 71"}}},
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
			p, err := w.People.PreviewImport(t.Context(), w.Owner, bytes.NewReader(file))
			w.Must(err)
			if page, err := w.People.Contacts(t.Context(), w.Owner, "", nil, ""); err != nil || len(page.Data) != 0 {
				t.Fatalf("the preview made contacts: %+v %v", page, err)
			}
			res, err := w.People.ImportContacts(t.Context(), w.Owner, bytes.NewReader(file))
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
			page, err := w.People.Contacts(t.Context(), w.Owner, "", nil, "")
			w.Must(err)
			var got []booking.ContactInput
			for _, x := range page.Data {
				got = append(got, booking.ContactInput{Name: x.Name, Email: x.Email, Phone: x.Phone, TimeZone: x.TimeZone, Notes: x.Notes})
			}
			if slices.Reverse(got); !slices.Equal(got, c.contacts) {
				t.Errorf("kept\n%+v, want\n%+v", got, c.contacts)
			}
			for i, row := range p.Rows {
				if row.ContactInput != c.contacts[i] {
					t.Errorf("shown %+v", row)
				}
			}
			p, err = w.People.PreviewImport(t.Context(), w.Owner, bytes.NewReader(file))
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
		p, err := w.People.PreviewImport(t.Context(), w.Owner, strings.NewReader(file))
		w.Must(err)
		res, err := w.People.ImportContacts(t.Context(), w.Owner, strings.NewReader(file))
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
		"a workbook":                {"PK\x03\x04...", `file: is a workbook, no CSV. Save it as "CSV UTF-8"`},
		"two encodings":             {"email,name\na@b.example,Zoë Zoé\nb@b.example,Zo\xeb\n", `file: is not UTF-8 text. Save it as "CSV UTF-8"`},
		"bytes":                     {"\x00\x01\x02\x00", `file: is not UTF-8 text. Save it as "CSV UTF-8"`},
		"an open quote":             {"email,name\na@b.example,A\nb@b.example,\"B\nc@b.example,C\n", "file: can't be read from line 3 on: a quotation mark is missing there, or is too many"},
		"no headings":               {"Ada,ada@b.example\n", `file: needs a first line of headings, one of them email or phone; it begins with "Ada, ada@b.example"`},
		"names only":                {"Name\nAda\n", `file: needs a first line of headings, one of them email or phone; it begins with "Name"`},
		"too many bytes":            {strings.Repeat("a", 8<<20+1), "file: must have at most 8 MiB"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		begun := time.Now()
		_, err := w.People.PreviewImport(ctx, w.Owner, strings.NewReader(c.file))
		t.Logf("%s: refused after %v", name, time.Since(begun))
		if !fault.Is(err, fault.BadRequest) || err.Error() != c.want {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := w.People.ImportContacts(ctx, w.Owner, strings.NewReader(c.file)); err == nil || err.Error() != c.want {
			t.Errorf("%s: imported: %v", name, err)
		}
		cancel()
	}
}
