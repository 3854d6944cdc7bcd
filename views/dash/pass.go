package dash

// PassesPage lists passes and vouchers, and says what is owed to their holders.
type PassesPage struct {
	Frame
	Tabs      []Tab
	Owed      bool     // only those with something left
	Sums      []string // what is owed in all, by currency
	ExportURL string   // "" where nothing is owed, or the member doesn't see it
	Rows      []PassRow
	Pager     Pager
}

// PassRow is a pass in the list.
type PassRow struct {
	URL, Name, Text string
	Left            string // "4 of 10"
	Badge           Badge
}

// PassPage is a pass or voucher, with what became of it.
type PassPage struct {
	Frame
	Problem    string
	Badge      Badge
	Left       string
	Facts      []Fact
	Entries    []PassEntry
	Pager      Pager
	PrintURL   string  // "" where it has no code that nobody has seen
	PrintAgain *Danger // of one that somebody has; nil where it can't be printed again
}

// PassEntry is what was put on a pass or taken from it.
type PassEntry struct{ When, Text, Delta, Link, URL string }

// PrintedPass is a pass or voucher to be printed, with its code.
type PrintedPass struct {
	Frame
	BackURL, Business, Address string
	Worth, For, PaysFor        string
	Until                      string // "" is no end
	Code                       string
}
