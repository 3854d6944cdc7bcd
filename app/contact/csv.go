package contact

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/when"
)

const (
	// MaxImportBytes is the most bytes of a file of contacts.
	MaxImportBytes = 8 << 20
	maxImportRows  = 50_000
	importStep     = 50                    // the most rows in one transaction
	importHold     = 10 * time.Millisecond // a transaction takes no more rows after that time
	shownProblems  = 50
)

// ContactBookings lists the bookings of a contact after the cursor, the latest start first. Errors: forbidden (staff),
// not_found, bad_request (the cursor).
func (s *Service) ContactBookings(ctx context.Context, a app.Actor,
	ref, after string) (fault.Page[record.Booking], error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return fault.Page[record.Booking]{Data: []record.Booking{}}, err
	}
	none := fault.Page[record.Booking]{Data: []record.Booking{}}
	c, err := s.ContactByID(ctx, a, ref)
	if err != nil {
		return none, err
	}
	const n = 50
	f := record.BookingFilter{Contact: c.ID, Descending: true, Limit: n + 1}
	list := fault.List{"bookings of a contact", c.ID.String()}
	if after != "" {
		var start, id int64
		if err := list.Read(after, &start, &id); err != nil {
			return none, err
		}
		f.After, f.AfterID = when.Instant(start), record.BookingID(id)
	}
	rows, err := s.Reader(ctx).Bookings(a.Workspace, f)
	if err != nil {
		return none, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return none, err
	}
	for i := range rows {
		s.Core.Present(setup, a, &rows[i])
	}
	return fault.PageOf(rows, n, func(b *record.Booking) string { return list.Cursor(int64(b.Start), int64(b.ID)) }), nil
}

// NewContact makes a contact, and fails if the address, or without one the phone, is already there. Errors: forbidden,
// bad_request, conflict email_taken or phone_taken.
func (s *Service) NewContact(ctx context.Context, a app.Actor, in record.ContactInput) (record.Contact, error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return record.Contact{}, err
	}
	c, created, err := s.CreateContact(ctx, a, in)
	if err == nil && !created {
		err = taken(&in, strings.ReplaceAll(c.Name, "%", "%%")+" has this %s already.")
	}
	return c, err
}

// SetContactNotes changes only the notes. Errors: forbidden, not_found, bad_request.
func (s *Service) SetContactNotes(ctx context.Context, a app.Actor, ref, notes string) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	notes, err := fault.CheckText("notes", notes, record.MaxContactNotes)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		c, err := lockedContact(tx, a, ref)
		if err != nil {
			return err
		}
		c.Notes, c.ChangedAt = notes, when.At(s.Core.Now())
		return tx.UpdateContact(&c)
	})
}

var contactColumns = []string{"name", "email", "phone", "timeZone", "notes", "bookings", "noShows", "lastBookingAt",
	"createdAt"}

// ExportContacts writes all contacts as CSV, the newest first, a few hundred at a time. ImportContacts reads it. It is
// logged before the first byte. The error is forbidden.
func (s *Service) ExportContacts(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	err := s.Write(ctx, func(tx Tx) error {
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactsExported})
	})
	if err != nil {
		return err
	}
	return s.WriteContacts(ctx, a, to)
}

// WriteContacts is ExportContacts as a part of an export that is logged.
func (s *Service) WriteContacts(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	out := NewCSV(to)
	out.Write(contactColumns)
	for after := record.ContactID(0); ; {
		rows, err := s.Reader(ctx).Contacts(a.Workspace, "", after, app.ExportStep)
		if err != nil {
			return err
		}
		for i := range rows {
			c := &rows[i]
			after = c.ID
			out.Write([]string{
				c.Name, c.Email, c.Phone, c.TimeZone, c.Notes,
				fmt.Sprint(c.Bookings), fmt.Sprint(c.NoShows), instantCell(c.LastBookingAt), instantCell(c.CreatedAt),
			})
		}
		if err := out.Flush(); err != nil || len(rows) < app.ExportStep {
			return err
		}
	}
}

func instantCell(i when.Instant) string {
	if i == 0 {
		return ""
	}
	return i.String()
}

// LineProblem says what is wrong with a line of a file.
type LineProblem struct {
	Line int
	Text string
}

// Imported is the result of importing a file of contacts.
type Imported struct {
	Created, Changed, Same int
	Problems               []LineProblem // the first ones; if there are any, nothing was written
	More                   int           // problems beyond those
	StoppedAt              int           // the first line that was not imported, if the import was interrupted
}

func (r *Imported) wrong(line int, format string, args ...any) {
	if len(r.Problems) == shownProblems {
		r.More++
		return
	}
	r.Problems = append(r.Problems, LineProblem{line, fmt.Sprintf(format, args...)})
}

type importRow struct {
	line int
	record.ContactInput
}

// ImportContacts reads contacts from CSV with a line of headings, of which email or phone is required and name,
// timeZone and notes are optional. New addresses, or without one new phones, make contacts; for known ones it changes
// what the line gives. If any line is
// wrong, it writes nothing. Otherwise it writes in small steps, between which others can write. If it is interrupted,
// the error comes with what was done, and importing the same file again does the rest without duplicates. Errors:
// forbidden, bad_request (the file as a whole).
func (s *Service) ImportContacts(ctx context.Context, a app.Actor, file io.Reader) (res Imported, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return res, err
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxImportBytes+1))
	if err != nil {
		return res, fault.Invalid("file", "could not be read to its end")
	}
	if len(text) > MaxImportBytes {
		return res, fault.Invalid("file", "must have at most %d MiB", MaxImportBytes>>20)
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return res, err
	}
	country := setup.Workspace.PhoneCountry()
	rows, err := readImport(text, country, &res)
	if err != nil || len(res.Problems) > 0 {
		return res, err
	}
	for lines := len(rows); len(rows) > 0; {
		var done int
		var counted Imported
		err := s.Write(ctx, func(tx Tx) error {
			done, counted = 0, res
			for begun := time.Now(); done < min(len(rows), importStep) && time.Since(begun) < importHold; done++ {
				if err := s.importContact(tx, a, rows[done], country, &counted); err != nil {
					return err
				}
			}
			if res.Created+res.Changed > 0 || counted.Created+counted.Changed == 0 { // it is logged with the first change
				return nil
			}
			return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactsImported, Count: lines})
		})
		if err != nil {
			res.StoppedAt = rows[0].line
			return res, err
		}
		res, rows = counted, rows[done:]
	}
	return res, nil
}

// readImport splits the file into rows and notes what is wrong with each.
func readImport(text []byte, country string, res *Imported) ([]importRow, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, fault.Invalid("file", "is not UTF-8 text. Save it as \"CSV UTF-8\"")
	}
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes = delimiter(text), -1, false
	heads, err := in.Read()
	if err != nil {
		return nil, fault.Invalid("file", "is empty or no CSV")
	}
	at := headings(heads)
	_, hasEmail := at["email"]
	if _, hasPhone := at["phone"]; !hasEmail && !hasPhone {
		return nil, fault.Invalid("file", "needs a first line of headings, one of them email or phone; it begins with %q",
			strings.Join(heads[:min(3, len(heads))], ", "))
	}
	var rows []importRow
	seen := map[string]int{}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return rows, nil
		}
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			res.wrong(bad.Line, "%v", bad.Err)
			return rows, nil // the rest can't be split into rows
		} else if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		if len(rows) == maxImportRows {
			return nil, fault.Invalid("file", "must have at most %d lines; cut it in parts", maxImportRows)
		}
		cell := func(name string) string {
			if i, ok := at[name]; ok && i < len(cells) {
				return strings.TrimSpace(FromCSVCell(cells[i]))
			}
			return ""
		}
		row := importRow{line,
			record.ContactInput{Name: cell("name"), Email: cell("email"), Phone: cell("phone"), TimeZone: cell("timezone"),
				Notes: cell("notes")}}
		if row.ContactInput == (record.ContactInput{}) {
			continue
		}
		if row.Name == "" {
			row.Name = nameless(&row.ContactInput)
		}
		err = row.Check(1, country)
		reach := record.Reach{Email: row.Email, Phone: row.Phone}
		if err != nil {
			res.wrong(line, "%s", err.Error())
		} else if first, twice := seen[reach.Key()]; twice && row.Email != "" {
			res.wrong(line, "email: %s stands in line %d already", row.Email, first)
		} else if twice {
			res.wrong(line, "phone: %s stands in line %d already", row.Phone, first)
		} else {
			seen[reach.Key()] = line
		}
		if cell("name") == "" {
			row.Name = ""
		}
		rows = append(rows, row)
	}
}

// nameless is the name of somebody of whom a file gives none.
func nameless(in *record.ContactInput) string {
	if in.Email == "" {
		return in.Phone
	}
	name, _, _ := strings.Cut(in.Email, "@")
	return name
}

// delimiter is what separates the headings: a comma, a semicolon as spreadsheets write it in many countries, or a tab.
func delimiter(text []byte) rune {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	best, most := ',', 0
	for _, d := range ",;\t" {
		if n := bytes.Count(line, []byte(string(d))); n > most {
			best, most = d, n
		}
	}
	return best
}

var headingNames = map[string]string{
	"name": "name", "fullname": "name", "email": "email", "mail": "email", "emailaddress": "email", "phone": "phone",
	"telephone": "phone", "phonenumber": "phone", "mobile": "phone", "tel": "phone",
	"timezone": "timezone", "notes": "notes", "note": "notes", "comment": "notes",
}

func headings(cells []string) map[string]int {
	at := map[string]int{}
	for i, cell := range cells {
		plain := strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(strings.TrimSpace(cell)))
		if name := headingNames[plain]; name != "" {
			if _, twice := at[name]; !twice {
				at[name] = i
			}
		}
	}
	return at
}

func (s *Service) importContact(tx Tx, a app.Actor, row importRow, country string, res *Imported) error {
	reach := record.Reach{Email: row.Email, Phone: row.Phone, Country: country}
	c, err := tx.ContactOf(a.Workspace, reach)
	if err != nil && err != fault.ErrNotFound {
		return err
	}
	if err == fault.ErrNotFound {
		now := s.Core.Now()
		if row.Name == "" {
			row.Name = nameless(&row.ContactInput)
		}
		c = record.Contact{ID: id.New[record.ContactIDKind](now), WorkspaceID: a.Workspace, CreatedAt: when.At(now),
			Name: row.Name, Email: row.Email, Phone: row.Phone, TimeZone: row.TimeZone, Notes: row.Notes}
		res.Created++
		return s.insert(tx, &c)
	}
	if err := tx.LockContact(c.ID); err != nil {
		return err
	}
	if c, err = tx.ContactOf(a.Workspace, reach); err != nil {
		return err
	}
	before := c
	for _, part := range []struct {
		to   *string
		text string
	}{{&c.Name, row.Name}, {&c.Phone, row.Phone}, {&c.TimeZone, row.TimeZone}, {&c.Notes, row.Notes}} {
		if part.text != "" {
			*part.to = part.text
		}
	}
	if c == before {
		res.Same++
		return nil
	}
	res.Changed++
	c.ChangedAt = when.At(s.Core.Now())
	return tx.UpdateContact(&c)
}
