package dash

// BookingRow is a booking in a list.
type BookingRow struct {
	ID, URL    string
	Day        string // "Tue, Dec 1"; heads the rows of a day
	Time       string // "9:00–9:45"
	Name       string
	Type       string // "" where the name says it
	Host       string
	State      Badge
	Price      string
	When       string // day and time, where rows have no heading
	Expires    string // of what waits for a decision
	ConfirmURL string
	DeclineURL string
}

// typeAndHost returns the second line of a booking's row.
func typeAndHost(b BookingRow) string {
	if b.Type == "" {
		return b.Host
	}
	return b.Type + " · " + b.Host
}

// Stat is a figure with the one before it.
type Stat struct {
	Label, Value, Before string
	URL                  string // more about it
	Trend                string // up, down or ""
}

// Trouble is something that went wrong and what to do.
type Trouble struct{ Text, When, URL, Label string }

// TodayPage is what an owner sees first.
type TodayPage struct {
	Frame
	Date    string
	Toast   *Toast
	Decide  []BookingRow
	Sums    []Stat // of the day
	Filter  []Tab  // all hosts, and each
	Host    string // the only one that is shown, or ""
	Sheets  []HostSheet
	Off     string // the hosts who have nothing today
	Next    []BookingRow
	NextURL string
	Stats   []Stat
	Trouble []Trouble
	News    CalendarNews
	PageURL string
	Checks  []Check
	NewURL  string
}

// Toast says what was just marked, and offers to take it back.
type Toast struct {
	Text, Name, UndoURL, Of, Back string
	Visit                         bool // Undo takes it back from all of the visit
}

// HostSheet is the day of one host.
type HostSheet struct {
	ID, Name string
	Hours    string // from when to when the host works
	Bookings int
	Rows     []SheetRow
}

// SheetRow is a booking of the day, a gap, or a time in which the host is away.
type SheetRow struct {
	Kind             string // "" is a booking or a visit, "visit" a part of one that stands with another host, "free", "off"
	ID, URL          string
	Time, Name, Type string
	Phone, Tel       string
	Price, Pay       string // the price, and how its payment stands
	State            Badge
	Plain            bool // the badge says nothing new
	Next, Now, Past  bool
	Visit            bool // what is marked and paid is for all of Parts
	Parts            []SheetPart

	Marks      Marks
	Fee        string // what marking a no-show may charge
	Till       *Pay   // takes what is due; nil where that is not the time, or nothing is
	Paid       string // what is paid and due
	Settled    bool   // nothing is due any more
	ReceiptURL string
	Back       string // the host that the page is about, "" for all
}

// SheetPart is one of the services of a visit.
type SheetPart struct {
	URL, Time, Text string
	State           Badge // where it is another one than the visit's
}

// Marks says what can be marked on a booking now.
type Marks struct {
	Arrived, Done, NoShow bool
	DoneFirst             bool   // that it is done is what to mark next
	Undo                  string // the mark that can be taken back, or ""
}

// Check is a step that is worth taking.
type Check struct {
	Label, URL string
	Done       bool
}
