package dash

import (
	"strings"

	"daybook/views"
)

// CancelRow is one of several bookings that are, or were, cancelled at once.
type CancelRow struct {
	BookingRow
	Listed  string // the booking as it is listed, for the form
	MoveURL string
	Note    string // that it is a request, or why it stays
	Mailed  bool
	Texted  bool     // instead of an e-mail, or besides
	Told    string   // how the customer hears of it
	TellURL string   // to call or write
	Money   []string // that goes back
	Chosen  bool
	Fixed   bool // can't be chosen, as Note says
}

// CancelNote says how far a cancellation of several bookings has come.
type CancelNote struct {
	Text    string
	Left    string // how many were left; "" for none
	Bad     bool   // something is left to do
	Seconds int    // until it is carried out
	UndoURL string // "" once it can't be undone
	URL     string
	SeenURL string // takes the note away; "" while it is under way
}

// MailText is a mail as its reader gets it.
type MailText struct{ Lang, Title, Subject, Text string }

// CancelPage lists bookings to be cancelled at once, and says what that means.
type CancelPage struct {
	Frame
	Choose          []Input // whose bookings, and when; none for those in a time off
	ChooseURL       string
	What            string // which bookings, in words
	Intro           string
	MoveFirst       bool // they are in a time off: to be moved, or else cancelled
	Choosable       bool // some can be chosen
	Rows            []CancelRow
	More            bool     // there are more than are listed
	Sums            []string // what cancelling the chosen ones means
	Groups          []Group
	Previews        bool       // somebody in the list is told by e-mail
	Mails           []MailText // what those who are chosen get, once a language
	Action, KeepURL string
	Problem         string
}

// CancelAsk asks whether the chosen bookings are to be cancelled.
type CancelAsk struct {
	Frame
	What    string
	Rows    []CancelRow
	Changed int      // how many of the chosen ones can't be cancelled any more as they were shown
	Sums    []string // what it means
	Action  string
	Hidden  []views.Pair
	Submit  string
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
	Text     string
	Note     *CancelNote // nil once nothing is under way
	SeenURL  string
	Parts    []CancelPart
	Again    bool // some were not cancelled that could be
	AgainURL string
	BackURL  string
}

// IsCancelList reports whether that is an address of the list of bookings to be cancelled at once.
func IsCancelList(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return path == CancelPath || strings.HasPrefix(path, HostsPath+"/") && strings.HasSuffix(path, "/away/bookings")
}
