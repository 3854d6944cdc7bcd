package contact

import (
	"cmp"
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
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
	importStep   = 50                    // the most rows in one transaction
	importTime   = 10 * time.Millisecond // a transaction takes no more rows after that time
	shownRows    = 5
	shownChanges = 200
)

// ImportInput is a file of contacts, and how it is read.
type ImportInput struct {
	File    []byte
	Sheet   string        // of a workbook; "" is the first one that has headings
	Columns []ImportField // what each column becomes; nil: what its heading says
	Leave   []int         // the lines that change no known contact
	// LeaveRest keeps known contacts from being changed by lines whose changes Preview doesn't list.
	LeaveRest bool
	Begun     func(ImportID) // is told of the import once it runs; see GoOn
}

// Imported is the result of importing a file of contacts.
type Imported struct {
	Read
	Created, Changed, Same int
	Unticked               int      // known contacts that were left as they are by ImportInput.Leave
	StoppedAt              int      // the first line that was not imported, if the import was interrupted
	ID                     ImportID // to undo it; 0 if there is nothing to undo
}

// Preview says what importing a file of contacts would do.
type Preview struct {
	Imported
	Rows    []PreviewRow // the first of those that would be imported
	Changes []Difference // of known contacts, the first shownChanges
	// The lines of each kind; those of one contact are together.
	NewLines, ChangedLines, SameLines []int
}

// PreviewRow is a line of a file as it would be saved.
type PreviewRow struct {
	Line int
	booking.ContactInput
	Known bool // there is a contact already
}

// Difference is what a line changes of a known contact.
type Difference struct {
	Line   int
	Name   string // that the contact has
	Fields []FieldChange
}

// FieldChange is a field with what it has, and what it would have.
type FieldChange struct {
	Field ImportField `json:"field"`
	Old   string      `json:"old,omitempty"`
	New   string      `json:"new,omitempty"`
}

// PreviewImport returns what ImportContacts would do with the file, without doing it. If no column is an e-mail address
// or a telephone number, it returns the columns along with the error. Errors: forbidden, bad_request (the file as a
// whole).
func (s *Service) PreviewImport(ctx context.Context, a app.Actor, in ImportInput) (p Preview, err error) {
	read, country, err := s.readImport(a, in)
	p.Read = read
	if err != nil {
		return p, err
	}
	reader, left, met := s.Reader(ctx), lineSet(in.Leave), map[booking.ContactID]bool{}
	for i := range read.rows {
		row := &read.rows[i]
		if err := ctx.Err(); err != nil {
			return p, err
		}
		c, err := row.known(reader, a.Workspace, country)
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return p, err
		}
		known := err == nil
		again := known && met[c.ID]
		if known {
			if c, err = row.withCard(reader, c, false); err != nil {
				return p, err
			}
		}
		before := c
		if !known {
			p.Created++
			p.NewLines = append(p.NewLines, row.lines...)
		} else if changed, err := row.change(reader, &c, country, again); err != nil {
			p.leaveRow(row, textOf(err))
			continue
		} else if changed {
			if left[row.line] || in.LeaveRest && len(p.Changes) >= shownChanges {
				p.Unticked++
			} else {
				p.Changed++
				p.ChangedLines = append(p.ChangedLines, row.lines...)
			}
			if len(p.Changes) < shownChanges {
				p.Changes = append(p.Changes, Difference{row.line, before.Name, differences(&before, &c)})
			}
		} else {
			p.Same++
			p.SameLines = append(p.SameLines, row.lines...)
		}
		if known {
			met[c.ID] = true
		}
		if len(p.Rows) < shownRows {
			shown := row.ContactInput
			if shown.Name == "" && known {
				shown.Name = before.Name
			} else if shown.Name == "" {
				shown.Name = nameless(&shown)
			}
			p.Rows = append(p.Rows, PreviewRow{row.line, shown, known})
		}
	}
	p.inOrder()
	return p, nil
}

func differences(old, changed *booking.Contact) (all []FieldChange) {
	for _, f := range []FieldChange{{FullName, old.Name, changed.Name}, {EmailField, old.Email, changed.Email},
		{PhoneField, old.Phone, changed.Phone}, {ZoneField, old.TimeZone, changed.TimeZone},
		{NotesField, old.Notes, changed.Notes}} {
		if f.Old != f.New {
			all = append(all, f)
		}
	}
	card := []ImportField{TagsField, BirthdayField, TellByField}
	for _, key := range ownKeys(old, changed) {
		card = append(card, OwnField(key))
	}
	for _, f := range card {
		if was, now := f.get(old), f.get(changed); was != now {
			all = append(all, FieldChange{f, was, now})
		}
	}
	return all
}

// withCard reads the card of a known contact if the row has something for it, or anyway.
func (r *importRow) withCard(in booking.CardReader, c booking.Contact, anyway bool) (booking.Contact, error) {
	if !r.hasCard() && !anyway {
		return c, nil
	}
	one := []booking.Contact{c}
	err := in.ReadCards(c.WorkspaceID, one)
	return one[0], err
}

// ImportContacts reads contacts from a table that package table can read; knownHeadings says which columns are read,
// unless the input does. New e-mail addresses, or without one new telephone numbers, make contacts. Known contacts take
// the name, telephone number and time zone that their line gives; notes are added to theirs, never replaced; tags unite; of
// birthday, way to tell and the workspace's own fields they get what they lack. A cell that fits no field of the card
// becomes a note under its heading. Lines that
// can't become contacts are left out and reported. It writes in small steps, so that it delays nobody. If it is
// interrupted, it returns the error along with what was done; importing the same file again does the rest without
// duplicates. A workspace has one import at a time, and UndoImport undoes it. Errors: forbidden, bad_request (the file as
// a whole), conflict import_running.
func (s *Service) ImportContacts(ctx context.Context, a app.Actor, in ImportInput) (res Imported, err error) {
	read, country, err := s.readImport(a, in)
	res.Read = read
	if err != nil {
		return res, err
	}
	im, err := s.beginImport(ctx, a)
	if err != nil {
		return res, err
	}
	if in.Begun != nil {
		in.Begun(im.ID)
	}
	defer func() {
		if res.Created+res.Changed > 0 {
			res.ID = im.ID
		}
		s.endImport(ctx, im)
	}()
	rows, left, listed, met := read.rows, lineSet(in.Leave), 0, map[booking.ContactID]bool{}
	for lines := len(rows); len(rows) > 0; {
		var done, shown int
		var counted Imported
		var found []booking.ContactID // by this step
		err := s.Write(ctx, func(tx Tx) error {
			done, shown, counted, found = 0, listed, res, nil
			counted.Left = slices.Clip(res.Left) // what a transaction adds that runs again is added once
			own, err := read.ownFields(tx, a.Workspace)
			if err != nil {
				return err
			}
			now, err := s.stepImport(tx, im)
			if err != nil {
				return err
			}
			for begun := time.Now(); done < min(len(rows), importStep) && time.Since(begun) < importTime; done++ {
				leave := left[rows[done].line] || in.LeaveRest && shown >= shownChanges
				again := func(id booking.ContactID) bool { return met[id] || slices.Contains(found, id) }
				changes, known, err := s.importContact(tx, a, im.ID, rows[done], &read, own, country, leave, again, &counted)
				if err != nil {
					return err
				}
				found = append(found, known)
				if changes {
					shown++
				}
			}
			if err := s.cameTo(tx, now, &counted, lines, lines-len(rows)+done); err != nil {
				return err
			}
			if res.Created+res.Changed > 0 || counted.Created+counted.Changed == 0 { // it is logged with the first change
				return nil
			}
			return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactsImported, Subject: im.ID.String(),
				Count: lines})
		})
		if err != nil {
			res.StoppedAt = rows[0].line
			return res, err
		}
		res, listed, rows = counted, shown, rows[done:]
		for _, id := range found {
			met[id] = true
		}
	}
	res.inOrder()
	return res, nil
}

func lineSet(lines []int) map[int]bool {
	set := make(map[int]bool, len(lines))
	for _, line := range lines {
		set[line] = true
	}
	return set
}

// sameNumbers is how many contacts are looked at that have one number in other programs.
const sameNumbers = 10

// reads is what rows are compared with.
type reads interface {
	booking.ContactReader
	booking.CardReader
	ImportReads
}

// known returns the contact of the row: who was imported with its number, in as far as the two agree, else who has its
// e-mail address, else its telephone number. One whose telephone number is somebody else's in the file isn't the contact
// who has that beside an e-mail address. The error is ErrNotFound.
func (r *importRow) known(in reads, ws catalog.WorkspaceID, country string) (booking.Contact, error) {
	if r.foreign != "" {
		all, err := in.ForeignContacts(ws, r.foreign, sameNumbers)
		if err != nil {
			return booking.Contact{}, err
		}
		for i := range all {
			if r.agrees(all[i].Name, all[i].Email, all[i].Phone) {
				return all[i], nil
			}
		}
	}
	c, err := in.ContactOf(ws, r.reach(country))
	if err == nil && r.apart && c.Email != "" {
		err = fault.ErrNotFound
	}
	return c, err
}

// importContact makes or changes the contact of a row. It reports whether the row says something else than the known
// contact has, and who that is; with leave that one stays as it is. Whom an earlier row has met, as again says, gets
// only what is lacking.
func (s *Service) importContact(tx Tx, a app.Actor, im ImportID, row importRow, read *Read, own *catalog.Settings, country string,
	leave bool, again func(booking.ContactID) bool, res *Imported) (changes bool, id booking.ContactID, err error) {
	row.card.fields = sameFields(row.card.fields, &read.settings, own)
	c, err := row.known(tx, a.Workspace, country)
	if err == nil {
		if err := tx.LockContact(c.ID); err != nil {
			return false, 0, err
		}
		c, err = row.known(tx, a.Workspace, country)
	}
	if errors.Is(err, fault.ErrNotFound) {
		c := row.contact(a.Workspace, s.Core.Now())
		res.Created++
		row.changeCard(&c, false)
		if err := s.insert(tx, &c); err != nil {
			return false, c.ID, err
		}
		if err := saveCard(tx, own, &booking.Contact{}, &c); err != nil {
			return false, c.ID, err
		}
		if err := row.remember(tx, &c); err != nil {
			return false, c.ID, err
		}
		return false, c.ID, note(tx, im, &booking.Contact{}, &c, false)
	}
	if err != nil {
		return false, 0, err
	}
	met := again(c.ID)
	if c, err = row.withCard(tx, c, met); err != nil {
		return false, 0, err
	}
	before := c
	changes, err = row.change(tx, &c, country, met)
	switch {
	case err != nil:
		res.leaveRow(&row, textOf(err))
		return false, c.ID, nil
	case !changes:
		res.Same++
		return false, c.ID, row.remember(tx, &c)
	case leave:
		res.Unticked++
		return true, c.ID, nil
	}
	res.Changed++
	c.ChangedAt = when.At(s.Core.Now())
	if err := tx.UpdateContact(&c); err != nil {
		return true, c.ID, err
	}
	if err := saveCard(tx, own, &before, &c); err != nil {
		return true, c.ID, err
	}
	if err := row.remember(tx, &c); err != nil {
		return true, c.ID, err
	}
	return true, c.ID, note(tx, im, &before, &c, met)
}

// remember notes the row's number at its contact, so that a later file finds it.
func (r *importRow) remember(tx Tx, c *booking.Contact) error {
	if r.foreign == "" {
		return nil
	}
	return tx.SetForeign(c.WorkspaceID, c.ID, r.foreign)
}

// contact returns a new contact of the row.
func (r *importRow) contact(ws catalog.WorkspaceID, now time.Time) booking.Contact {
	name := r.Name
	if name == "" {
		name = nameless(&r.ContactInput)
	}
	return booking.Contact{ID: id.New[booking.ContactIDKind](now), WorkspaceID: ws, CreatedAt: when.At(now), Name: name,
		Email: r.Email, Phone: r.Phone, TimeZone: r.TimeZone, Notes: r.Notes}
}

// WriteLeft writes the lines that PreviewImport would leave out as CSV, with the headings of the file and a last column
// "why"; words puts the reasons in words. Errors: those of PreviewImport.
func (s *Service) WriteLeft(ctx context.Context, a app.Actor, in ImportInput, to io.Writer,
	words func(fault.Text) string) error {
	p, err := s.PreviewImport(ctx, a, in)
	if err != nil {
		return err
	}
	out := NewCSV(to)
	headings := make([]string, len(p.Columns), len(p.Columns)+1)
	for i := range p.Columns {
		headings[i] = p.Columns[i].Heading
	}
	out.Write(append(headings, "why"))
	for _, l := range p.Left {
		cells := slices.Clone(l.cells)
		for len(cells) < len(p.Columns) {
			cells = append(cells, "")
		}
		out.Write(append(cells, strconv.Itoa(l.Line)+": "+words(l.Text)))
	}
	return out.Flush()
}

func (r *importRow) reach(country string) booking.Identity {
	return booking.Identity{Email: r.Email, Phone: r.Phone, Country: country}
}

// change gives a known contact what the row has; where an earlier row of the file has met the contact already, only what
// it lacks, as the first value counts. Errors: bad_request (its notes would be too long, or another contact has the
// address or number that it would be known by).
func (r *importRow) change(in reads, c *booking.Contact, country string, again bool) (changed bool, err error) {
	before := *c
	if r.Email != "" && fault.EmailKey(r.Email) != fault.EmailKey(c.Email) && (!again || c.Email == "") {
		c.Email = r.Email // it is known by its number
	}
	for _, part := range []struct {
		to   *string
		text string
	}{{&c.Name, r.Name}, {&c.Phone, r.Phone}, {&c.TimeZone, r.TimeZone}} {
		if part.text != "" && (!again || *part.to == "") {
			*part.to = part.text
		}
	}
	notes := r.notes
	if left := r.changeCard(c, again); len(left) > 0 {
		notes = append(slices.Clone(notes), cmp.Or(r.card.tagged, "Tags")+": "+strings.Join(left, ", "))
	}
	for _, note := range notes {
		if !hasNote(c.Notes, note) {
			c.Notes = strings.TrimSpace(c.Notes + "\n" + note)
		}
	}
	if utf8.RuneCountInString(c.Notes) > booking.MaxContactNotes {
		return false, longNotes()
	}
	if now := c.Identity(country); now.Key() != before.Identity(country).Key() {
		other, err := in.ContactOf(c.WorkspaceID, now)
		if err == nil && other.ID != c.ID {
			return false, fault.Invalid("number", "is the number of %s, but %s has its e-mail address or telephone number; merge the two first",
				before.Name, other.Name)
		} else if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return false, err
		}
	}
	return !reflect.DeepEqual(*c, before), nil
}

// hasNote reports whether the note stands in the notes as a line, or some.
func hasNote(notes, note string) bool {
	lines := func(text string) string { return "\n" + strings.ReplaceAll(text, "\r\n", "\n") + "\n" }
	return strings.Contains(lines(notes), lines(note))
}

func longNotes() error {
	return fault.Invalid("notes", "together their notes are longer than %d characters; shorten one of them first",
		booking.MaxContactNotes)
}

// nameless returns the name of somebody of whom a file gives none.
func nameless(in *booking.ContactInput) string {
	if in.Email == "" {
		return in.Phone
	}
	name, _, _ := strings.Cut(in.Email, "@")
	return name
}
