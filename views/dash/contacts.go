package dash

import "daybook/views"

// ContactRow is a contact in the list.
type ContactRow struct {
	Name, Email, Phone, URL string
	Bookings, NoShows       int
	Last                    string
	Tags                    []string
}

// initials stand for a customer's face.
func (r ContactRow) initials() string { return views.Monogram(r.Name) }

// ContactsPage lists contacts.
type ContactsPage struct {
	Frame
	Q       string
	Tags    []Tab    // the most used ones: a tap narrows the list, or widens it again
	Chosen  []string // those that it is narrowed to
	Results string   // how many, for those who hear it
	Rows    []ContactRow
	Pager   Pager
}

// MergePage chooses whom a contact is merged into.
type MergePage struct {
	Frame
	Name, ID, Q string
	Rows        []ContactRow
	Values      []string // ids, by row
	Problem     string
}

// ImportPage takes a file of contacts, shows what importing it would do, or what importing it did.
type ImportPage struct {
	Frame
	Problem string
	Most    string // how big a file may be
	Found   *ImportFound
	Recent  []ImportedRow // imports of the last day
}

// ImportFound is what a file of contacts says and what becomes of it.
type ImportFound struct {
	Draft   string // the file for the form that imports it; "" once it was imported
	Was     string // how the page reads the file, so that nothing is imported otherwise than it was shown
	Submit  string // "" if there is nothing to do
	Done    bool
	UndoURL string // once it was imported; "" if there is nothing to undo
	Counts  []ImportCount
	ReadAs  string
	Sheets  []string // of a workbook with several
	Sheet   string
	Columns []ImportColumn
	Dropped string // names the columns with something in them that are left out
	Several bool   // some field has several columns
	Notes   []string
	Changes []ImportChange
	Listed  string // the lines of Changes
	Rest    int    // how many more known contacts are changed
	RestOn  bool
	Rows    []ImportRow
	Left    []ImportLine
	More    int  // lines left out beyond those
	Whole   bool // it has no lines to give back as a file
}

// ImportCount is how many are new, changed, as they were or left out, and their lines.
type ImportCount struct{ Text, Lines string }

// ImportColumn is a column of the file, with a few of its cells, and a select of what it becomes.
type ImportColumn struct {
	Heading, Name string
	Becomes       string
	Options       []Option
	Examples      []string
}

// ImportChange is what a line changes of a known contact.
type ImportChange struct {
	Line, Name string
	On         bool
	Fields     []ImportField
}

// ImportField is a field as it is and as it would be.
type ImportField struct{ Label, Old, New string }

// ImportRow is a contact as the import would keep it.
type ImportRow struct {
	Name, Email, Phone, Notes string
	Mark                      Badge
}

// ImportLine is a line that is left out, and why.
type ImportLine struct{ Line, Name, Text string }

// ImportedRow is an import of the last day.
type ImportedRow struct {
	Title, Text, URL string
	Mark             Badge
}

// ImportedPage is an import of the last day.
type ImportedPage struct {
	Frame
	ID      string
	Problem string
	Is      ImportedRow
	Text    string // until when it can be undone, or how far that has come
	// Appointments says that it is an import of appointments.
	Appointments bool
	Undoable     bool
	Runs         bool
	Lines, Come  int      // of one that runs: how many lines it has to save, 0 if that is not known yet, and how many it has
	Counts       []string // what it could not do; or by what undoing it did with them
	Stays        []ImportStay
	More         int // that stay beyond those
}

// ImportStay is a contact, a booking or a service that stays as it is although its import was undone.
type ImportStay struct{ Name, URL, Why string }
