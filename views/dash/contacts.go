package dash

// ContactRow is a contact in the list.
type ContactRow struct {
	Name, Email, Phone, URL string
	Bookings, NoShows       int
	Last                    string
}

// ContactsPage lists contacts.
type ContactsPage struct {
	Frame
	Q       string
	Results string // how many, for those who hear it
	Rows    []ContactRow
	Pager   Pager
}

// ContactPage is one contact.
type ContactPage struct {
	Frame
	Name    string
	Sub     string
	ID      string
	BookURL string // books for them
	Facts   []Fact
	Stats   []Stat
	Rows    []BookingRow
	Pager   Pager
	Notes   Input
	Problem string
	Danger  []Danger
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
}

// ImportFound is what a file of contacts says and what becomes of it.
type ImportFound struct {
	Draft   string // the file for the form that imports it; "" once it was imported, or if there is nothing to do
	Submit  string
	Done    bool
	Counts  []string // how many are new, changed, as they were and left out
	ReadAs  string
	Kept    []ImportColumn
	Dropped []ImportColumn // those with something in them
	Empty   int            // how many more columns are dropped, with nothing in them
	Several bool           // some field has several columns
	Unnamed int
	Rows    []ImportRow
	Left    []ImportLine
	More    int // lines left out beyond those
}

// ImportColumn is a column of the file. Becomes is a field of contacts, or for a dropped column how much is in it.
type ImportColumn struct{ Heading, Becomes, Example string }

// ImportRow is a contact as the import would keep it.
type ImportRow struct {
	Name, Email, Phone, Notes string
	Mark                      Badge
}

// ImportLine is a line that is left out, and why.
type ImportLine struct{ Line, Name, Text string }
