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

// typeAndHost is the second line of a booking's row.
func typeAndHost(b BookingRow) string {
	if b.Type == "" {
		return b.Host
	}
	return b.Type + " · " + b.Host
}

// Stat is a figure with the one before it.
type Stat struct {
	Label, Value, Before string
	Trend                string // up, down or ""
}

// Trouble is something that went wrong and what to do.
type Trouble struct{ Text, When, URL, Label string }

// TodayPage is what an owner sees first.
type TodayPage struct {
	Frame
	Date    string
	Decide  []BookingRow
	Next    []BookingRow
	NextURL string
	Stats   []Stat
	Trouble []Trouble
	PageURL string
	Checks  []Check
	NewURL  string
}

// Check is a step that is worth taking.
type Check struct {
	Label, URL string
	Done       bool
}
