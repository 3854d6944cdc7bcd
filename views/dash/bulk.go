package dash

// CancelRow is one of several bookings that are, or were, cancelled at once.
type CancelRow struct {
	BookingRow
	Listed  string // the booking as it is listed, for the form
	MoveURL string
	Note    string // that it is a request, or why it stays
	Mailed  bool
	Told    string   // how the customer hears of it
	TellURL string   // to call or write
	Money   []string // that goes back
	Chosen  bool
}

// MailText is a mail as its reader gets it.
type MailText struct{ Lang, Title, Subject, Text string }

// CancelPage lists bookings to be cancelled at once, and says what that means.
type CancelPage struct {
	Frame
	Choose          []Input // whose bookings, and when; none for those in a time off
	ChooseURL       string
	What            string // which bookings, in words
	Rows            []CancelRow
	More            bool     // there are more than are listed
	Sums            []string // what cancelling the chosen ones means
	Groups          []Group
	Mails           []MailText
	Action, KeepURL string
	Problem         string
}

// CancelPart is a list of the bookings that have something in common afterwards.
type CancelPart struct {
	ID, Title, Text string
	Bad             bool // something is left to do
	Rows            []CancelRow
}

// CancelledPage says what became of them.
type CancelledPage struct {
	Frame
	What     string
	Parts    []CancelPart
	Again    bool // some were not cancelled that could be
	AgainURL string
	BackURL  string
}
