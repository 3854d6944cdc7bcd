package contact

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/table"
)

// LineProblem says why a line of a file is left out.
type LineProblem struct {
	Line int
	Name string // as the file has it, "" for none
	Text fault.Text

	cells []string
}

// Read says how a file of contacts was read.
type Read struct {
	Columns   []ImportColumn
	Encoding  string // UTF-8, UTF-16 or Windows-1252; "" of a workbook
	Separator rune   // a comma, a semicolon or a tab; 0 of a workbook
	Sheets    []string
	Sheet     string
	Unnamed   int // rows that name nobody: a new contact is listed by its e-mail address or telephone number
	Joined    int // lines of somebody who stands in another line, too
	Left      []LineProblem

	rows     []importRow
	settings catalog.Settings // whose own fields columns may become
	today    time.Time        // in the workspace's zone
}

// LeftOut returns how many lines are left out.
func (r *Read) LeftOut() int { return len(r.Left) }

func (r *Read) leave(line int, cells []string, name string, text fault.Text) {
	r.Left = append(r.Left, LineProblem{line, name, text, cells})
}

// inOrder sorts the lines that are left out as they stand in the file.
func (r *Read) inOrder() {
	slices.SortStableFunc(r.Left, func(a, b LineProblem) int { return a.Line - b.Line })
}

// textOf returns what is wrong with a row.
func textOf(err error) fault.Text {
	if e := fault.As(err); e != nil {
		return e.Text()
	}
	return fault.Textf("%v", err)
}

// importRow is what the lines of one person say, checked.
type importRow struct {
	line  int        // the first
	lines []int      // all
	cells [][]string // of each of lines
	apart bool       // it has the number of somebody else in the file, who has an e-mail address
	booking.ContactInput
	foreign string   // the number in the program that the file is of, or ""
	notes   []string // the parts of which ContactInput.Notes is made
	card    cardCells
}

// readImport reads the file and checks its rows.
func (s *Service) readImport(a app.Actor, in ImportInput) (r Read, country string, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return r, "", err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return r, "", err
	}
	country = setup.Workspace.PhoneCountry()
	r.settings, r.today = setup.Workspace.Settings, s.Core.Now().In(setup.Zone)
	return r, country, r.read(in, country)
}

// ownFields is ownFields of the workspace if the file has columns for its own fields; else those that the file was read with.
func (r *Read) ownFields(tx Tx, ws catalog.WorkspaceID) (*catalog.Settings, error) {
	for i := range r.Columns {
		if _, own := r.Columns[i].Becomes.Own(); own {
			return ownFields(tx, ws)
		}
	}
	return &r.settings, nil
}

// read splits the file into rows and notes which are left out, and why.
func (r *Read) read(in ImportInput, country string) error {
	// Somebody's address or number stands in no line of headings.
	isData := func(cell string) bool {
		return booking.CanIdentify(cell, "", country) || len(cell) > 6 && booking.CanIdentify("", cell, country)
	}
	heads := func(cells []string) bool { return isHead(cells) && !slices.ContainsFunc(cells, isData) }
	t, err := table.Read(in.File, in.Sheet, heads)
	if err != nil {
		return err
	}
	r.Encoding, r.Separator, r.Sheets, r.Sheet = t.Encoding, t.Separator, t.Sheets, t.Sheet
	if len(t.Rows) == 0 {
		return fault.Invalid("file", "is empty or no CSV")
	}
	head := max(0, t.Head(heads))
	headings, rows := t.Rows[head].Cells, t.Rows[head+1:]
	if len(rows) > table.MaxRows {
		return table.TooLong()
	}
	if !slices.ContainsFunc(headings, isData) {
		r.Columns = columnsOf(headings, in.Columns, r.settings.ContactFields)
	}
	if !has(r.Columns, EmailField) && !has(r.Columns, PhoneField) {
		for i := range rows {
			r.look(rows[i].Cells)
		}
		return fault.Invalid("file", "needs a first line of headings, one of them email or phone; it begins with %q",
			strings.Join(headings[:min(3, len(headings))], ", "))
	}
	for _, row := range t.Rows[:head] { // a title has one cell; what has more may be somebody
		if filled(row.Cells) > 1 {
			r.leave(row.Line, row.Cells, "", fault.Textf("stands above the headings"))
		}
	}
	seen := map[string]int{}
	for i := range rows {
		r.take(rows[i].Line, rows[i].Cells, country, seen)
	}
	r.joinByNumber()
	for i := range r.rows {
		if r.rows[i].Name == "" {
			r.Unnamed++
		}
	}
	return nil
}

// filled returns how many of the cells have something in them.
func filled(cells []string) (n int) {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// look counts the cells of a line, and takes from them what spreadsheets put around text.
func (r *Read) look(cells []string) {
	for i, cell := range cells {
		if cell = strings.TrimSpace(bare(cell)); cell != "" && i < len(r.Columns) {
			r.Columns[i].saw(cell)
		}
		cells[i] = cell
	}
}

// take adds a line to the rows, to the row of the same key, or to what is left out. seen has the rows by their keys.
func (r *Read) take(line int, cells []string, country string, seen map[string]int) {
	r.look(cells)
	beyond := func(cell string) bool { return cell != "" }
	if len(cells) > len(r.Columns) && slices.ContainsFunc(cells[len(r.Columns):], beyond) {
		r.leave(line, cells, cells[0], fault.Textf("has more cells than there are headings"))
		return
	}
	row := r.row(cells, country)
	row.line, row.lines, row.cells = line, []int{line}, [][]string{cells}
	name := row.Name
	if row.Email == "" && row.Phone == "" {
		r.leave(line, cells, name, fault.Textf("neither an e-mail address nor a telephone number"))
		return
	}
	if name == "" {
		row.Name = nameless(&row.ContactInput)
	}
	if err := row.Check(1, country); err != nil {
		r.leave(line, cells, name, textOf(err))
		return
	}
	if name == "" {
		row.Name = ""
	}
	key := row.reach(country).Key()
	first, twice := seen[key]
	number := "number:" + row.foreign
	if same, met := seen[number]; !twice && row.foreign != "" && met && r.rows[same].agrees(row.Name, row.Email, row.Phone) {
		first, twice = same, true
	}
	if twice {
		if err := r.rows[first].join(&row, r.Columns); err != nil {
			r.leaveRow(&row, textOf(err))
		} else {
			r.Joined++
		}
		return
	}
	seen[key] = len(r.rows)
	if _, met := seen[number]; row.foreign != "" && !met {
		seen[number] = len(r.rows)
	}
	r.rows = append(r.rows, row)
}

// leaveRow leaves out all lines of a row.
func (r *Read) leaveRow(row *importRow, text fault.Text) {
	for i, line := range row.lines {
		r.leave(line, row.cells[i], row.Name, text)
	}
}

// joinByNumber joins rows without an e-mail address with those that have one, the same number and the same name, in
// whatever order they stand. Under another name they are somebody else: a family may share a number.
func (r *Read) joinByNumber() {
	with := map[string][]int{}
	for i := range r.rows {
		if row := &r.rows[i]; row.Email != "" && row.Phone != "" {
			with[row.Phone] = append(with[row.Phone], i)
		}
	}
	gone := make([]bool, len(r.rows))
	for i := range r.rows {
		row := &r.rows[i]
		if row.Email != "" {
			continue
		}
		at := slices.IndexFunc(with[row.Phone], func(n int) bool {
			name := r.rows[n].Name
			return name == "" || row.Name == "" || sameWords(name, row.Name) || sameWords(row.Name, name)
		})
		if at < 0 {
			row.apart = len(with[row.Phone]) > 0
			continue
		}
		gone[i] = true
		if err := r.rows[with[row.Phone][at]].join(row, r.Columns); err != nil {
			r.leaveRow(row, textOf(err))
		} else {
			r.Joined++
		}
	}
	kept := make([]importRow, 0, len(r.rows))
	for i := range r.rows {
		if !gone[i] {
			kept = append(kept, r.rows[i])
		}
	}
	r.rows = kept
}

// join adds to a row what another one of the same person has: what the row lacks, and as a note what it has otherwise.
// The error is bad_request if the notes would be too long; nothing is added then.
func (r *importRow) join(other *importRow, columns []ImportColumn) error {
	joined := *r
	joined.notes = slices.Clip(r.notes)
	note := func(text string) {
		if text != "" && !hasNote(joined.Notes, text) {
			joined.notes = append(joined.notes, text)
			joined.Notes = strings.Join(joined.notes, "\n")
		}
	}
	if joined.Name == "" {
		joined.Name = other.Name
	} else if !sameWords(joined.Name, other.Name) {
		note(headingOf(columns, FullName, "Name") + ": " + other.Name)
	}
	if joined.Email == "" {
		joined.Email = other.Email
	} else if other.Email != "" && fault.EmailKey(other.Email) != fault.EmailKey(joined.Email) {
		note(headingOf(columns, EmailField, "E-mail") + ": " + other.Email)
	}
	if joined.Phone == "" {
		joined.Phone = other.Phone
	} else if other.Phone != "" && other.Phone != joined.Phone {
		note(headingOf(columns, PhoneField, "Phone") + ": " + other.Phone)
	}
	if joined.TimeZone == "" {
		joined.TimeZone = other.TimeZone
	} else if other.TimeZone != "" && other.TimeZone != joined.TimeZone {
		note(headingOf(columns, ZoneField, "Time zone") + ": " + other.TimeZone)
	}
	joined.joinCard(other, columns, note)
	for _, text := range other.notes {
		note(text)
	}
	if utf8.RuneCountInString(joined.Notes) > booking.MaxContactNotes {
		return longNotes()
	}
	if joined.foreign == "" {
		joined.foreign = other.foreign
	}
	joined.lines = append(r.lines, other.lines...)
	joined.cells = append(r.cells, other.cells...)
	*r = joined
	return nil
}

// agrees reports whether somebody who has the row's number is whom the row is about: the e-mail address, the telephone
// number, or the whole name of several words is the same, too. Another program may have given the number to somebody else,
// of whom a first name says too little.
func (r *importRow) agrees(name, email, phone string) bool {
	return len(strings.Fields(name)) > 1 && sameWords(r.Name, name) && sameWords(name, r.Name) ||
		email != "" && fault.EmailKey(email) == fault.EmailKey(r.Email) || phone != "" && phone == r.Phone
}

// headingOf returns the heading of the first column that becomes the field.
func headingOf(columns []ImportColumn, field ImportField, otherwise string) string {
	for i := range columns {
		if c := &columns[i]; c.Becomes == field && c.Heading != "" {
			return c.Heading
		}
	}
	return otherwise
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
		switch c.Becomes {
		case FullName, FirstName, MiddleName, LastName: // on one line
			cell = strings.Join(strings.Fields(cell), " ")
		}
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
			for _, h := range each(c.Heading, cell) {
				h.text = restored(h.text, country)
				phones = append(phones, h)
			}
		case ZoneField:
			if _, err := catalog.CheckZone("timeZone", cell); err != nil || row.TimeZone != "" {
				others = append(others, heading{c.Heading, cell})
			} else {
				row.TimeZone = cell
			}
		case NumberField:
			if row.foreign == "" && len(cell) <= booking.MaxRef {
				row.foreign = cell
			}
		case NotesField:
			if row.notes == nil && !c.labelled {
				row.notes = []string{cell}
			} else {
				others = append(others, heading{c.Heading, cell})
			}
		default:
			_, own := c.Becomes.Own()
			if !own && c.Becomes != TagsField && c.Becomes != BirthdayField && c.Becomes != TellByField {
				continue
			}
			if c.Becomes == TagsField && row.card.tagged == "" {
				row.card.tagged = c.Heading
			}
			if rest := r.card(&row, c.Becomes, cell, country); rest != "" {
				others = append(others, heading{c.Heading, rest})
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
			at := slices.IndexFunc(r.Columns, func(c ImportColumn) bool { return c.Heading == h.heading })
			if at >= 0 && r.Columns[at].Becomes != NotesField {
				r.Columns[at].noted(h.text)
			}
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

// restored returns a telephone number with the zero or the plus at its beginning that a spreadsheet has taken for a
// number's and left out; a text that is a number as it is, or with neither, is returned as it is.
func restored(text, country string) string {
	digits := func(r rune) bool { return r < '0' || r > '9' }
	if booking.CanIdentify("", text, country) || text == "" || strings.ContainsFunc(text, digits) {
		return text
	}
	for _, lost := range []string{"0", "+"} {
		if booking.CanIdentify("", lost+text, country) {
			return lost + text
		}
	}
	return text
}

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
