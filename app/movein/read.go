package movein

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/table"
	"daybook/app/when"
)

// What is done with the rows of a service or a person that is not known by the name.
const (
	Out  = "out" // they are left out
	Make = "new" // a hidden service is made
)

// Input is a table of appointments, and how it is read.
type Input struct {
	File     []byte
	Sheet    string                 // of a workbook; "" is the first one that has headings
	Columns  []Field                // what each column becomes; nil: what its heading says
	Order    Order                  // of dates; "" is decided for the column
	Services map[string]string      // what unknown names become, folded: the id of an event type, Out, or Make
	People   map[string]string      // likewise: the id of a host, Out, or Make
	Emails   map[string]string      // by which people who are to be made are known
	Classes  map[string]bool        // services that are to be made, as names are compared, with seats for all who come at once
	Rows     map[int]Row            // what was chosen for lines that overlap
	Cancel   []int                  // the lines, cancelled there, whose bookings are cancelled here
	Remind   bool                   // reminders of what is to come are sent
	Calendar bool                   // it is written to connected calendars
	Tell     bool                   // events go to endpoints
	Begun    func(contact.ImportID) // is told of the import once it runs; see contact.Service.GoOn
}

// Row is what was chosen for a line that overlaps.
type Row struct {
	Out  bool
	Host catalog.HostID // 0 as in the file
	At   string         // a start such as 2026-12-24T09:00, in the workspace's time; "" as in the file
}

// Column is a column of the table.
type Column struct {
	Heading string
	Becomes Field
	Filled  int
	Samples []string // of its first different cells, at most three
}

// LineProblem says why a line is left out.
type LineProblem struct {
	Line  int
	Name  string
	Start when.Instant // 0 where that isn't known
	Text  fault.Text

	cells []string
}

// Named is a service or a person as the table names them.
type Named struct {
	Name, Key string // Key is the name as names are compared
	Is        string // the id of what is meant, Out, Make, or "" for nothing yet
	Asked     bool   // nothing has that name, so that it is to be chosen
	Email     string // of somebody who is to be made, as it was typed
	Wrong     bool   // nobody can be made by that e-mail
	Lines     int
	Minutes   int // the commonest length of a service
	Price     *money.Money
	Together  int  // the most people who come at one time to one person, if more than one
	Class     bool // it is made with seats for them, see Input.Classes
	Seats     int  // that it has here; 0 of one that is to be made

	lengths, prices map[int64]int
}

// Read says how a table was read.
type Read struct {
	Columns   []Column
	Encoding  string
	Separator rune
	Sheets    []string
	Sheet     string
	Order     Order
	Ordered   bool // the column has dates of which the order is to be known
	Services  []Named
	People    []Named
	Cancelled int
	Unpriced  []int // lines with a price that can't be read: it stands in the internal note
	Left      []LineProblem

	source string
	rows   []row
	ended  []row // that are cancelled there
}

// row is an appointment.
type row struct {
	line            int
	cells           []string
	person          booking.ContactInput
	service, member string // as named folds them
	foreign         string
	ends            booking.BookingID // of one that is cancelled there
	in              booking.ImportInput
}

func (r *Read) leave(line int, cells []string, name string, text fault.Text) {
	r.Left = append(r.Left, LineProblem{Line: line, Name: name, Text: text, cells: cells})
}

func (x *row) problem(text fault.Text) LineProblem {
	return LineProblem{x.line, x.person.Name, x.in.Start, text, x.cells}
}

// read reads the table. Errors: bad_request (the file as a whole).
func (r *Read) read(in *Input, setup *catalog.Setup, now when.Instant,
	known func(number string) ([]booking.Contact, error)) error {
	t, err := table.Read(in.File, in.Sheet, heads)
	if err != nil {
		return err
	}
	r.Encoding, r.Separator, r.Sheets, r.Sheet = t.Encoding, t.Separator, t.Sheets, t.Sheet
	if len(t.Rows) == 0 {
		return fault.Invalid("file", "is empty or no CSV")
	}
	head := max(0, t.Head(heads))
	headings, lines := t.Rows[head].Cells, t.Rows[head+1:]
	if len(lines) > table.MaxRows {
		return table.TooLong()
	}
	fields := become(headings)
	copy(fields, in.Columns)
	at := map[Field]int{}
	for i, f := range fields {
		r.Columns = append(r.Columns, Column{Heading: strings.TrimSpace(contact.Bare(headings[i])), Becomes: f})
		if _, met := at[f]; !met {
			at[f] = i
		}
	}
	var dates []string
	for _, l := range lines {
		for i, cell := range l.Cells {
			if cell = strings.TrimSpace(contact.Bare(cell)); cell != "" && i < len(r.Columns) {
				c := &r.Columns[i]
				if c.Filled++; len(c.Samples) < 3 && !slices.Contains(c.Samples, cell) {
					c.Samples = append(c.Samples, cell)
				}
				if f := c.Becomes; f == Start || f == Date {
					dates = append(dates, cell)
				}
			}
			l.Cells[i] = cell
		}
	}
	country := setup.Workspace.PhoneCountry()
	if r.Order = in.Order; r.Order != DayFirst && r.Order != MonthFirst {
		r.Order = orderOf(dates, country)
	}
	r.Ordered = slices.ContainsFunc(dates, func(text string) bool {
		g := numbers.FindStringSubmatch(text)
		return g != nil && len(g[1]) < 3
	})
	_, start := at[Start]
	_, date := at[Date]
	_, clock := at[Clock]
	if !start && !(date && clock) || !slices.ContainsFunc(fields, Field.isPerson) {
		return fault.Invalid("file", "needs a first line of headings: one of them is when an appointment starts, and one who "+
			"comes; it begins with %q", strings.Join(headings[:min(3, len(headings))], ", "))
	}
	r.source = "file"
	if slices.ContainsFunc(headings, func(h string) bool { return contact.Folded(h) == "certificatecode" }) {
		r.source = "acuity"
	}
	reader := &lineReader{Read: r, setup: setup, at: at, now: now, people: people(headings, fields, country, known), met: map[string]int{}}
	for _, l := range lines {
		reader.take(l.Line, l.Cells)
	}
	return reader.failed
}

func people(headings []string, fields []Field, country string,
	known func(number string) ([]booking.Contact, error)) *contact.People {
	of := make([]contact.ImportField, len(fields))
	for i, f := range fields {
		if f.isPerson() {
			of[i] = contact.ImportField(f)
		}
	}
	return contact.PeopleIn(headings, of, country, known)
}

// lineReader makes rows of the lines.
type lineReader struct {
	*Read
	setup  *catalog.Setup
	at     map[Field]int
	now    when.Instant
	people *contact.People
	met    map[string]int // how often a foreign id was met
	failed error          // the first error of looking somebody up
}

var (
	cancelled = regexp.MustCompile(`cancel|storn|abgesagt|annul|declin|rejected`)
	noShow    = regexp.MustCompile(`noshow|didnotcome|nichterschienen|absent|nopresent|noasist`)
	// amount is a price with at most one sign or code of a currency: "free" and "45-60" have none.
	amount  = regexp.MustCompile(`^[^\d.,+-]{0,6}(\d[\d.,' \x{a0}\x{202f}’]*)(?:,?[-–—])?[^\d.,+-]{0,6}$`)
	nothing = regexp.MustCompile(`^(0*|no|none|nein|non|unpaid|notpaid|unbezahlt|offen|open|impaye|nopagado|pendiente|false)$`)
)

// take adds a line to the rows, or to what is left out.
func (r *lineReader) take(line int, cells []string) {
	cell := func(f Field) string {
		if i, has := r.at[f]; has && f != Dropped && i < len(cells) {
			return cells[i]
		}
		return ""
	}
	status := named(cell(Status))
	ended := cancelled.MatchString(status)
	wrong := func(name string, text fault.Text) {
		if ended { // there is nothing to be kept
			r.Cancelled++
			return
		}
		r.leave(line, cells, name, text)
	}
	person, elsewhere, err := r.people.Of(cells)
	if err != nil && fault.As(err) == nil {
		r.failed = cmp.Or(r.failed, err)
		return
	}
	if err != nil {
		wrong(person.Name, textOf(err))
		return
	}
	x := row{line: line, cells: cells, person: person, service: named(cell(Treatment)), member: named(cell(Person))}
	zone := r.setup.Zone
	startText := cell(Start)
	if _, apart := r.at[Clock]; apart {
		if date := cell(Date); date != "" {
			startText = date + " " + cell(Clock)
			if y, m, d, _, ok := dateOf(date, r.Order); ok { // whose own time, such as midnight, doesn't count
				startText = fmt.Sprintf("%04d-%02d-%02d %s", y, m, d, cell(Clock))
			}
		}
	}
	in := &x.in
	var ok, unpriced bool
	if in.Start, ok = momentOf(startText, r.Order, zone); !ok {
		wrong(person.Name, fault.Textf("no date and time that can be read: %q", startText))
		return
	}
	known := r.find(x.service)
	switch length, read := lengthOf(cell(Length)); {
	case cell(End) != "":
		if in.End, ok = momentOf(cell(End), r.Order, zone); !ok {
			minutes, clock := clockOf(cell(End))
			if !clock {
				wrong(person.Name, fault.Textf("no end that can be read: %q", cell(End)))
				return
			}
			y, m, d := in.Start.Time().In(zone).Date()
			in.End = when.At(when.Wall(time.Date(y, m, d, 0, minutes, 0, 0, time.UTC), zone))
		}
	case read:
		in.End = in.Start.Add(length)
	case known != nil:
		in.End = in.Start.Add(time.Duration(known.DurationMinutes) * time.Minute)
	default:
		wrong(person.Name, fault.Textf("neither an end nor a length"))
		return
	}
	if in.End <= in.Start || in.End > in.Start.Add(7*when.Day) {
		wrong(person.Name, fault.Textf("the end is not after the start, or more than 7 days after it"))
		return
	}
	in.Price = priceOf(cell(Price), r.setup.Workspace.Currency)
	for i, c := range r.Columns {
		if i >= len(cells) || cells[i] == "" {
			continue
		}
		if c.Becomes == Paid && !nothing.MatchString(named(cells[i])) {
			elsewhere = append(elsewhere, c.Heading+": "+cells[i])
		}
		if i == r.at[Price] && c.Becomes == Price && in.Price == nil {
			elsewhere = append(elsewhere, c.Heading+": "+cells[i])
			unpriced = true
		}
	}
	if in.InternalNote = strings.Join(elsewhere, "\n"); utf8.RuneCountInString(in.InternalNote) > booking.MaxNotes {
		wrong(person.Name, fault.Textf("its notes are longer than %d characters", booking.MaxNotes))
		return
	}
	in.Notes = cell(Note)
	if utf8.RuneCountInString(in.Notes) > booking.MaxNotes {
		wrong(person.Name, fault.Textf("its notes are longer than %d characters", booking.MaxNotes))
		return
	}
	in.NoShow = noShow.MatchString(status)
	if made, ok := momentOf(cell(Made), r.Order, zone); ok {
		in.CreatedAt = min(made, r.now)
	} else if y, m, d, rest, ok := dateOf(cell(Made), r.Order); ok && rest == "" {
		in.CreatedAt = min(when.At(time.Date(y, time.Month(m), d, 0, 0, 0, 0, zone)), r.now)
	}
	in.Invitee = booking.Invitee{Name: person.Name, Email: person.Email, Phone: person.Phone}
	in.Imported = booking.ImportedRef{From: r.source, ID: cell(Foreign)}
	if x.foreign = in.Imported.ID; len(x.foreign) > booking.MaxRef {
		wrong(person.Name, fault.Textf("its id is longer than %d characters", booking.MaxRef))
		return
	}
	if x.foreign != "" { // several services of one appointment may have its id
		if r.met[x.foreign]++; r.met[x.foreign] > 1 {
			x.foreign += fmt.Sprintf("#%d", r.met[x.foreign])
		}
	}
	if ended {
		r.ended = append(r.ended, x)
		return
	}
	r.name(&r.People, cell(Person))
	r.name(&r.Services, cell(Treatment))
	r.count(&x)
	if unpriced {
		r.Unpriced = append(r.Unpriced, line)
	}
	r.rows = append(r.rows, x)
}

// priceOf returns the price that a cell says in the workspace's currency, or nil.
func priceOf(cell, currency string) *money.Money {
	g := amount.FindStringSubmatch(cell)
	if g == nil || foreign(cell, currency) {
		return nil
	}
	n, ok := money.Parse(plain(g[1]), currency)
	if !ok {
		return nil
	}
	return &money.Money{Amount: n, Currency: currency}
}

// signs are the currencies that have a sign.
var signs = map[rune][]string{'€': {"EUR"}, '£': {"GBP"}, '¥': {"JPY", "CNY"},
	'$': {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"}}

// foreign reports whether the cell names another currency.
func foreign(cell, currency string) bool {
	for sign, of := range signs {
		if strings.ContainsRune(cell, sign) && !slices.Contains(of, currency) {
			return true
		}
	}
	code := strings.ToUpper(strings.Trim(cell, "0123456789.,+-–—'’ \u00a0\u202f"))
	return code != currency && money.CheckCurrency("price", code) == nil
}

// plain returns an amount with at most one separator, before its decimals.
func plain(text string) string {
	text = strings.Trim(text, "., '\u00a0\u202f")
	last := strings.LastIndexAny(text, ".,")
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s)
	}
	if last < 0 || len(text)-last-1 == 3 { // of thousands
		return digits(text)
	}
	return digits(text[:last]) + "." + digits(text[last+1:])
}

// name notes that an appointment has a name.
func (r *lineReader) name(all *[]Named, name string) {
	key := named(name)
	i := slices.IndexFunc(*all, func(n Named) bool { return n.Key == key })
	if i < 0 {
		*all = append(*all, Named{Name: name, Key: key, lengths: map[int64]int{}, prices: map[int64]int{}})
		i = len(*all) - 1
	}
	(*all)[i].Lines++
}

// find returns the event type of the name, or nil.
func (r *lineReader) find(key string) *catalog.EventType {
	for i := range r.setup.EventTypes {
		if e := &r.setup.EventTypes[i]; key != "" && named(e.Title) == key {
			return e
		}
	}
	return nil
}

// count counts the length and the price of a row's service.
func (r *lineReader) count(x *row) {
	for i := range r.Services {
		if n := &r.Services[i]; n.Key == x.service {
			n.lengths[int64((x.in.End-x.in.Start)/60_000)]++
			if x.in.Price != nil {
				n.prices[x.in.Price.Amount]++
			}
			return
		}
	}
}

func commonest(of map[int64]int) (most int64) {
	for value, n := range of {
		if n > of[most] || n == of[most] && value < most {
			most = value
		}
	}
	return most
}

// together finds the services to which several people come at once.
func (r *Read) together(in *Input, setup *catalog.Setup) {
	type session struct {
		service, member string
		start           when.Instant
	}
	all := map[session]int{}
	for i := range r.rows {
		x := &r.rows[i]
		all[session{x.service, x.member, x.in.Start}]++
	}
	most := map[string]int{}
	for s, n := range all {
		most[s.service] = max(most[s.service], n)
	}
	for i := range r.Services {
		n := &r.Services[i]
		if e := setup.EventType(n.Is); e != nil {
			n.Seats = e.Seats
		}
		if most := min(most[n.Key], catalog.MaxSeats); most > 1 && n.Is != Out {
			n.Together, n.Class = most, n.Is == Make && in.Classes[n.Key]
		}
	}
}

// resolve decides what the names mean.
func (r *Read) resolve(in *Input, setup *catalog.Setup) {
	for i := range r.Services {
		n := &r.Services[i]
		n.Minutes = max(1, int(commonest(n.lengths)))
		if len(n.prices) > 0 {
			n.Price = &money.Money{Amount: commonest(n.prices), Currency: setup.Workspace.Currency}
		}
		for j := range setup.EventTypes {
			if e := &setup.EventTypes[j]; n.Is == "" && n.Key != "" && named(e.Title) == n.Key {
				n.Is = e.ID.String()
			}
		}
		if n.Is == "" {
			n.Asked = true
			if n.Is = in.Services[n.Key]; n.Is == "" && n.Key != "" {
				n.Is = Make
			}
			if n.Is != Make && n.Is != Out && setup.EventType(n.Is) == nil || n.Is == Make && n.Key == "" {
				n.Is = ""
			}
		}
	}
	for i := range r.People {
		n := &r.People[i]
		var only catalog.HostID
		active := 0
		for j := range setup.Hosts {
			h := &setup.Hosts[j]
			if n.Is == "" && n.Key != "" && named(h.Name) == n.Key {
				n.Is = h.ID.String()
			}
			if h.Active {
				active, only = active+1, h.ID
			}
		}
		if n.Is == "" {
			n.Asked = true
			if n.Is = in.People[n.Key]; n.Is == "" && active == 1 && in.Emails[n.Key] == "" {
				n.Is = only.String()
			}
			if _, err := setup.HostRef(n.Is); n.Is == Make || n.Is == "" && in.Emails[n.Key] != "" {
				n.newPerson(in.Emails[n.Key], setup)
			} else if n.Is != Out && err != nil {
				n.Is = ""
			}
		}
	}
	r.together(in, setup)
}

// newPerson makes the name somebody new with that e-mail, or who has it already.
func (n *Named) newPerson(typed string, setup *catalog.Setup) {
	email, err := fault.CheckEmail("email", typed)
	h := setup.HostByEmail(email)
	switch n.Email = strings.TrimSpace(typed); {
	case err != nil || n.Key == "":
		n.Is, n.Wrong = "", true
	case h != nil:
		n.Is = h.ID.String()
	default:
		n.Is, n.Email = Make, email
	}
}

func textOf(err error) fault.Text {
	if e := fault.As(err); e != nil {
		return e.Text()
	}
	return fault.Textf("%v", err)
}
