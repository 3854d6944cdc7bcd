package contact

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

const (
	// MaxImportBytes is the most bytes of a file of contacts.
	MaxImportBytes = 8 << 20
	maxImportRows  = 50_000
	importStep     = 50                    // the most rows in one transaction
	importTime     = 10 * time.Millisecond // a transaction takes no more rows after that time
	shownProblems  = 500
	shownRows      = 5
)

// LineProblem says why a line of a file is left out.
type LineProblem struct {
	Line int
	Name string // as the file has it, "" for none
	Text fault.Text
}

// Read says how a file of contacts was read.
type Read struct {
	Columns   []ImportColumn
	Encoding  string // UTF-8, UTF-16 or Windows-1252
	Separator rune   // a comma, a semicolon or a tab
	Unnamed   int    // rows that name nobody: a new contact is listed by its e-mail address or telephone number
	Left      []LineProblem
	More      int // lines left out beyond those, of which there are at most shownProblems

	rows []importRow
}

// LeftOut returns how many lines are left out.
func (r *Read) LeftOut() int { return len(r.Left) + r.More }

func (r *Read) leave(p LineProblem, text fault.Text) {
	if len(r.Left) == shownProblems {
		r.More++
		return
	}
	p.Text = text
	r.Left = append(r.Left, p)
}

// textOf returns what is wrong with a row.
func textOf(err error) fault.Text {
	if e := fault.As(err); e != nil {
		return e.Text()
	}
	return fault.Textf("%v", err)
}

// Imported is the result of importing a file of contacts.
type Imported struct {
	Read
	Created, Changed, Same int
	StoppedAt              int // the first line that was not imported, if the import was interrupted
}

// Preview says what importing a file of contacts would do.
type Preview struct {
	Imported
	Rows []PreviewRow // the first of those that would be imported
}

// PreviewRow is a line of a file as it would be saved.
type PreviewRow struct {
	Line int
	booking.ContactInput
	Known bool // there is a contact already
}

// importRow is a line of the file, checked.
type importRow struct {
	line int
	booking.ContactInput
	notes []string // the parts of which ContactInput.Notes is made
}

// PreviewImport returns what ImportContacts would do with the file, without doing it. Errors: forbidden, bad_request
// (the file as a whole).
func (s *Service) PreviewImport(ctx context.Context, a app.Actor, file io.Reader) (p Preview, err error) {
	read, country, err := s.readImport(a, file)
	p.Read = read
	if err != nil {
		return p, err
	}
	reader := s.Reader(ctx)
	kept := read.rows[:0:0]
	for _, row := range read.rows {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		c, err := reader.ContactOf(a.Workspace, row.reach(country))
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return p, err
		}
		known := err == nil
		if !known {
			p.Created++
		} else if changed, err := row.change(&c); err != nil {
			p.leave(row.at(), textOf(err))
			continue
		} else if changed {
			p.Changed++
		} else {
			p.Same++
		}
		if len(p.Rows) < shownRows {
			shown := row.ContactInput
			if shown.Name == "" && known {
				shown.Name = c.Name
			} else if shown.Name == "" {
				shown.Name = nameless(&shown)
			}
			p.Rows = append(p.Rows, PreviewRow{row.line, shown, known})
		}
		kept = append(kept, row)
	}
	p.rows = kept
	p.inOrder()
	return p, nil
}

// ImportContacts reads contacts from a text whose first line has headings, in any encoding and with any separator that
// Read names; knownHeadings says which columns are read. New e-mail addresses, or without one new telephone numbers,
// make contacts. Known contacts take the name, telephone number and time zone that their line gives; notes are added to
// theirs, never replaced. Lines that can't become contacts are left out and reported. It writes in small steps, so that
// it delays nobody. If it is interrupted, it returns the error along with what was done; importing the same file again
// does the rest without duplicates. Errors: forbidden, bad_request (the file as a whole).
func (s *Service) ImportContacts(ctx context.Context, a app.Actor, file io.Reader) (res Imported, err error) {
	read, country, err := s.readImport(a, file)
	res.Read = read
	if err != nil {
		return res, err
	}
	rows := read.rows
	for lines := len(rows); len(rows) > 0; {
		var done int
		var counted Imported
		err := s.Write(ctx, func(tx Tx) error {
			done, counted = 0, res
			counted.Left = slices.Clip(res.Left) // what a transaction adds that runs again is added once
			for begun := time.Now(); done < min(len(rows), importStep) && time.Since(begun) < importTime; done++ {
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
	res.inOrder()
	return res, nil
}

// inOrder sorts the lines that are left out as they stand in the file.
func (r *Read) inOrder() {
	slices.SortStableFunc(r.Left, func(a, b LineProblem) int { return a.Line - b.Line })
}

func (s *Service) importContact(tx Tx, a app.Actor, row importRow, country string, res *Imported) error {
	identity := row.reach(country)
	c, err := tx.ContactOf(a.Workspace, identity)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if errors.Is(err, fault.ErrNotFound) {
		now := s.Core.Now()
		if row.Name == "" {
			row.Name = nameless(&row.ContactInput)
		}
		c = booking.Contact{ID: id.New[booking.ContactIDKind](now), WorkspaceID: a.Workspace, CreatedAt: when.At(now),
			Name: row.Name, Email: row.Email, Phone: row.Phone, TimeZone: row.TimeZone, Notes: row.Notes}
		res.Created++
		return s.insert(tx, &c)
	}
	if err := tx.LockContact(c.ID); err != nil {
		return err
	}
	if c, err = tx.ContactOf(a.Workspace, identity); err != nil {
		return err
	}
	changed, err := row.change(&c)
	if err != nil {
		res.leave(row.at(), textOf(err))
		return nil
	}
	if !changed {
		res.Same++
		return nil
	}
	res.Changed++
	c.ChangedAt = when.At(s.Core.Now())
	return tx.UpdateContact(&c)
}

func (r *importRow) reach(country string) booking.Identity {
	return booking.Identity{Email: r.Email, Phone: r.Phone, Country: country}
}

// at returns where the row stands, for what is left out.
func (r *importRow) at() LineProblem { return LineProblem{Line: r.line, Name: r.Name} }

// change gives a known contact what the row has. The error is bad_request if its notes would be too long.
func (r *importRow) change(c *booking.Contact) (changed bool, err error) {
	before := *c
	for _, part := range []struct {
		to   *string
		text string
	}{{&c.Name, r.Name}, {&c.Phone, r.Phone}, {&c.TimeZone, r.TimeZone}} {
		if part.text != "" {
			*part.to = part.text
		}
	}
	lines := func(text string) string { return "\n" + strings.ReplaceAll(text, "\r\n", "\n") + "\n" }
	for _, note := range r.notes {
		if !strings.Contains(lines(c.Notes), lines(note)) {
			c.Notes = strings.TrimSpace(c.Notes + "\n" + note)
		}
	}
	if utf8.RuneCountInString(c.Notes) > booking.MaxContactNotes {
		return false, fault.Invalid("notes", "together their notes are longer than %d characters; shorten one of them first",
			booking.MaxContactNotes)
	}
	return *c != before, nil
}

// nameless returns the name of somebody of whom a file gives none.
func nameless(in *booking.ContactInput) string {
	if in.Email == "" {
		return in.Phone
	}
	name, _, _ := strings.Cut(in.Email, "@")
	return name
}

// readImport reads the file and checks its rows.
func (s *Service) readImport(a app.Actor, file io.Reader) (r Read, country string, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return r, "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxImportBytes+1))
	if err != nil {
		return r, "", fault.Invalid("file", "could not be read to its end")
	}
	if len(text) > MaxImportBytes {
		return r, "", fault.Invalid("file", "must have at most %d MiB", MaxImportBytes>>20)
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return r, "", err
	}
	country = setup.Workspace.PhoneCountry()
	return r, country, r.read(text, country)
}

// read splits the file into rows and notes which are left out, and why.
func (r *Read) read(file []byte, country string) error {
	text, encoding, err := decoded(file)
	if err != nil {
		return err
	}
	text, separator, skipped, err := separated(text)
	if err != nil {
		return err
	}
	r.Encoding, r.Separator = encoding, separator
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma, in.FieldsPerRecord = separator, -1
	headings, err := in.Read()
	if err != nil {
		return fault.Invalid("file", "is empty or no CSV")
	}
	r.Columns = columnsOf(headings)
	if !has(r.Columns, EmailField) && !has(r.Columns, PhoneField) {
		return fault.Invalid("file", "needs a first line of headings, one of them email or phone; it begins with %q",
			strings.Join(headings[:min(3, len(headings))], ", "))
	}
	seen := map[string]int{}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) { // the rest can't be split into rows
			return fault.Invalid("file", "can't be read from line %d on: a quotation mark is missing there, or is too many",
				bad.StartLine+skipped)
		} else if err != nil {
			return err
		}
		line, _ := in.FieldPos(0)
		if line += skipped; len(r.rows)+r.LeftOut() == maxImportRows {
			return fault.Invalid("file", "must have at most %d lines; cut it in parts", maxImportRows)
		}
		r.take(line, cells, country, seen)
	}
}

// take adds a line to the rows, or to what is left out; seen has the lines of those who stand in the file already.
func (r *Read) take(line int, cells []string, country string, seen map[string]int) {
	filled := false
	for i, cell := range cells {
		if cell = strings.TrimSpace(bare(cell)); cell != "" {
			filled = true
			if i < len(r.Columns) {
				r.Columns[i].saw(cell)
			}
		}
		cells[i] = cell
	}
	if !filled {
		return
	}
	beyond := func(cell string) bool { return cell != "" }
	if len(cells) > len(r.Columns) && slices.ContainsFunc(cells[len(r.Columns):], beyond) {
		r.leave(LineProblem{Line: line, Name: cells[0]}, fault.Textf("has more cells than there are headings"))
		return
	}
	row := r.row(cells, country)
	row.line = line
	name, at := row.Name, row.at()
	if row.Email == "" && row.Phone == "" {
		r.leave(at, fault.Textf("neither an e-mail address nor a telephone number"))
		return
	}
	if name == "" {
		row.Name = nameless(&row.ContactInput)
	}
	if err := row.Check(1, country); err != nil {
		r.leave(at, textOf(err))
		return
	}
	key := row.reach(country).Key()
	if first, twice := seen[key]; twice && row.Email != "" {
		r.leave(at, fault.Textf("email: %s stands in line %d already", row.Email, first))
		return
	} else if twice {
		r.leave(at, fault.Textf("phone: %s stands in line %d already", row.Phone, first))
		return
	}
	seen[key] = line
	if name == "" {
		r.Unnamed++
		row.Name = ""
	}
	r.rows = append(r.rows, row)
}

// bare returns a cell without what spreadsheets and this program put around text that is no formula: 'text, or ="text".
func bare(cell string) string {
	if inner, ok := strings.CutPrefix(cell, `="`); ok && strings.HasSuffix(inner, `"`) {
		return strings.TrimSuffix(inner, `"`)
	}
	return FromCSVCell(cell)
}

// severalMark is what stands between several addresses or numbers in one cell of Google's address books.
const severalMark = " ::: "

// row makes a contact of a line's cells. Of several full names, e-mail addresses or telephone numbers the first that
// can be one is kept; the others are in the notes, after their heading.
func (r *Read) row(cells []string, country string) importRow {
	var row importRow
	var first, middle, last []string
	var either []half
	var names, emails, phones, others []heading
	for i, c := range r.Columns {
		if i >= len(cells) || cells[i] == "" {
			continue
		}
		cell := cells[i]
		if c.either {
			either = append(either, half{heading{c.Heading, cell}, c.Becomes})
			continue
		}
		switch c.Becomes {
		case FirstName:
			first = append(first, cell)
		case MiddleName:
			middle = append(middle, cell)
		case LastName:
			last = append(last, cell)
		case FullName:
			names = append(names, heading{c.Heading, cell})
		case EmailField:
			emails = append(emails, each(c.Heading, cell)...)
		case PhoneField:
			phones = append(phones, each(c.Heading, cell)...)
		case ZoneField:
			if _, err := catalog.CheckZone("timeZone", cell); err != nil || row.TimeZone != "" {
				others = append(others, heading{c.Heading, cell})
			} else {
				row.TimeZone = cell
			}
		case NotesField:
			if row.notes == nil && !c.labelled {
				row.notes = []string{cell}
			} else {
				others = append(others, heading{c.Heading, cell})
			}
		}
	}
	for _, h := range either {
		switch other := strings.Join(slices.Concat(first, middle, last), " "); {
		case len(strings.Fields(h.text)) > len(strings.Fields(other)) && other != "" && sameWords(h.text, other):
			names = append(names, h.heading)
		case h.of == FirstName:
			first = append(first, h.text)
		default:
			last = append(last, h.text)
		}
	}
	row.Name = strings.Join(slices.Concat(first, middle, last), " ")
	if len(names) > 0 {
		parts := row.Name
		row.Name = names[0].text
		others = append(others, names[1:]...)
		if parts != "" && !sameWords(row.Name, parts) {
			others = append(others, heading{names[0].heading, row.Name})
			row.Name = parts
		}
	}
	row.Email, others = firstOf(emails, others, func(text string) bool { return booking.CanIdentify(text, "", country) },
		len(phones) > 0)
	row.Phone, others = firstOf(phones, others, func(text string) bool { return booking.CanIdentify("", text, country) },
		row.Email != "")
	for _, h := range others {
		if h.text != row.Name && h.text != row.Email && h.text != row.Phone {
			row.notes = append(row.notes, h.heading+": "+h.text)
		}
	}
	for i, note := range row.notes { // as they will be found in the notes of the contact
		row.notes[i] = strings.TrimSpace(note)
	}
	row.Notes = strings.Join(row.notes, "\n")
	return row
}

type (
	// heading is a cell's text under its heading.
	heading struct{ heading, text string }
	// half is one that is that part of a name, unless it is the whole.
	half struct {
		heading
		of ImportField
	}
)

func each(name, cell string) (all []heading) {
	for text := range strings.SplitSeq(cell, severalMark) {
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, heading{name, text})
		}
	}
	return all
}

// firstOf returns the first text that is right, and adds the others to rest. Where none is right and the contact is
// known otherwise, all are others; else the first is kept, for the error to name it.
func firstOf(all, rest []heading, right func(string) bool, otherwise bool) (string, []heading) {
	at := slices.IndexFunc(all, func(h heading) bool { return right(h.text) })
	if at < 0 && (otherwise || len(all) == 0) {
		return "", append(rest, all...)
	}
	at = max(at, 0)
	for i, h := range all {
		if i != at {
			rest = append(rest, h)
		}
	}
	return all[at].text, rest
}

// sameWords reports whether the name has every word of the other.
func sameWords(name, other string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(name, ",", " ")))
	for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(other, ",", " "))) {
		if !slices.Contains(words, word) {
			return false
		}
	}
	return true
}
