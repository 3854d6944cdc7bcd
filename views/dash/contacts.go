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

// ImportPage takes a file of contacts.
type ImportPage struct {
	Frame
	Problem string
	Result  string
	Lines   []ImportLine
	More    int
	Most    string
}

// ImportLine is what is wrong with a line.
type ImportLine struct{ Line, Text string }
